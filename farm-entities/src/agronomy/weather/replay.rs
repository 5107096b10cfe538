//! Replay: the days of tables, blended by weights, with noise.

use std::sync::Arc;

use farm_core::{Purpose, Stream};

use super::climate::{Usual, WetDays, twelfth};
use super::formats::{self, Day};
use super::variables::{DAYS_PER_YEAR, PERCENT, RAIN, TEMPERATURE, WIND};
use super::{Air, Date, Noise, clip};

/// The choice of the table whose rain falls.
const FILE: Purpose = Purpose::named("file");

/// Days to replay, from a start date.
#[derive(Clone)]
pub(super) struct Days {
    pub days: Arc<[Day]>,
    /// Day of the year of the first day.
    pub first_day: usize,
    /// The date of the first day, and whether the table repeats after its last day. `None` for a table without dates, which always repeats.
    pub dated: Option<Dated>,
}

/// The dates in a file.
#[derive(Clone)]
pub(super) struct Dated {
    pub first: formats::Date,
    pub repeats: bool,
    /// The first and last date, for messages.
    pub span: String,
}

impl Days {
    /// Days without dates, starting on 1 January.
    pub(super) fn of_years(days: Arc<[Day]>) -> Self {
        Self { days, first_day: 0, dated: None }
    }

    /// Number of calendar years that contain some of these days.
    pub(super) fn years(&self) -> usize {
        (self.first_day + self.days.len()).div_ceil(365).max(1)
    }

    /// Whether the table has all days of a season that begins on this day of this year.
    pub(super) fn has(&self, day: i32, year: i32, days: u32) -> bool {
        let first = i64::from(day) + 365 * i64::from(year) - self.first_day as i64;
        let length = self.days.len() as i64;
        match &self.dated {
            Some(dated) if !dated.repeats => first >= 0 && first + i64::from(days) < length,
            Some(_) => first < length,
            None => true,
        }
    }
}

/// One table with its share in the blend.
struct Table {
    days: Arc<[Day]>,
    first_day: i32,
    /// The weights of all tables sum to 1.
    weight: f64,
    wet_days: Arc<WetDays>,
    /// Share of wet days, by twelfth of the year.
    wet: [f64; 12],
}

/// A table's climate.
struct Climate {
    days: Arc<[Day]>,
    usual: [Usual; 12],
    wet_days: Arc<WetDays>,
}

/// The tables that are replayed.
pub(super) struct Replay {
    tables: Vec<Table>,
    noise: Noise,
    /// The usual weather, by twelfth of the year.
    usual: Box<[Usual; 12]>,
}

impl Replay {
    /// Tables with weights of any sum.
    pub(super) fn new(tables: Vec<(Days, f64)>, noise: Noise) -> Self {
        let sum: f64 = tables.iter().map(|(_, weight)| weight).sum();
        let mut usual = Box::new([Usual::default(); 12]);
        let share = |weight: f64| if sum > 0.0 { weight / sum } else { 0.0 };
        // The climate of a table that is blended twice is computed once.
        let mut seen: Vec<Climate> = Vec::new();
        let mut table = |(Days { days, first_day, .. }, weight): (Days, f64)| {
            let known = seen.iter().position(|other| Arc::ptr_eq(&other.days, &days));
            let at = known.unwrap_or_else(|| {
                let wet_days = Arc::new(WetDays::new(&days, first_day));
                seen.push(Climate { days: days.clone(), usual: Usual::of_table(&days, first_day), wet_days });
                seen.len() - 1
            });
            let climate = &seen[at];
            let weight = share(weight);
            for (usual, of_table) in usual.iter_mut().zip(&climate.usual) {
                usual.add(of_table, weight);
            }
            Table {
                weight,
                wet_days: climate.wet_days.clone(),
                wet: climate.usual.map(|season| season.wet),
                days,
                first_day: first_day as i32,
            }
        };
        let tables = tables.into_iter().map(&mut table).collect();
        Self { tables, noise, usual }
    }

    /// The climate of the tables, with the noise.
    pub(super) fn usual(&self, day: i32) -> Usual {
        let with = |(mean, deviation): (f64, f64), noise: f64| (mean, (deviation * deviation + noise * noise).sqrt());
        let usual = self.usual[twelfth(day)];
        let noise = &self.noise;
        Usual {
            celsius_deviation: with((0.0, usual.celsius_deviation), noise.temperature_celsius).1,
            humidity_percent: with(usual.humidity_percent, noise.humidity_percent),
            clouds_percent: with(usual.clouds_percent, noise.clouds_percent),
            wind_km_per_h: with(usual.wind_km_per_h, noise.wind_km_per_h),
            ..usual
        }
    }

    /// The amount on a random wet day in the season from one of the tables, and the share of wet days in that table.
    pub(super) fn usual_rain(&self, day: i32, stream: &mut Stream) -> (f64, f64) {
        let table = self.choose(|| stream.uniform());
        (table.wet_days.draw(day, stream), table.wet[twelfth(day)])
    }

    /// The table's amount of rain.
    #[inline]
    pub(super) fn rain_mm(&self, date: Date, streams: &impl Fn(Purpose) -> Stream) -> f64 {
        clip(self.choose(|| streams(FILE).uniform()).row(date).rain_mm, RAIN)
    }

    /// The weather on a date, with the table's rain: the table's day with the noise of a stream.
    ///
    /// All numbers are drawn for all parameter values, so that one noise parameter does not change the numbers for another.
    #[inline]
    pub(super) fn air(&self, date: Date, stream: &mut Stream, streams: &impl Fn(Purpose) -> Stream) -> Air {
        let row = self.row(date, streams);
        let noise = &self.noise;
        // The same change and the same limits keep the order of lowest, mean and highest.
        let warmer = noise.temperature_celsius * stream.normal();
        let moister = noise.humidity_percent * stream.normal();
        let cloudier = noise.clouds_percent * stream.normal();
        let windier = noise.wind_km_per_h * stream.normal();
        let turn = noise.direction_degrees * stream.normal();
        let anywhere = 360.0 * stream.uniform();
        Air {
            min_celsius: clip(row.min_celsius + warmer, TEMPERATURE),
            mean_celsius: clip(row.mean_celsius + warmer, TEMPERATURE),
            max_celsius: clip(row.max_celsius + warmer, TEMPERATURE),
            humidity_percent: clip(row.humidity_percent + moister, PERCENT),
            clouds_percent: clip(row.clouds_percent + cloudier, PERCENT),
            wind_km_per_h: clip(row.wind_km_per_h + windier, WIND),
            direction_degrees: row.direction_degrees.map_or(anywhere, |from| (from + turn).rem_euclid(360.0)),
            rain_mm: row.rain_mm,
            rain_intensity: 0.0,
            solar_mj: row.solar_mj.map(|solar| with_clouds(solar, row.clouds_percent, row.clouds_percent + cloudier)),
        }
    }

    /// The day for a date (equation sheet II.2, 2.1): weighted means, except that rain and wind direction come from one table. With mean
    /// rain, no day would be dry.
    #[inline]
    fn row(&self, date: Date, streams: &impl Fn(Purpose) -> Stream) -> Day {
        let chosen = *self.choose(|| streams(FILE).uniform()).row(date);
        if self.tables.len() == 1 {
            return chosen;
        }
        let mean = |value: fn(&Day) -> f64| self.tables.iter().map(|table| table.weight * value(table.row(date))).sum();
        Day {
            min_celsius: mean(|day| day.min_celsius),
            mean_celsius: mean(|day| day.mean_celsius),
            max_celsius: mean(|day| day.max_celsius),
            humidity_percent: mean(|day| day.humidity_percent),
            wind_km_per_h: mean(|day| day.wind_km_per_h),
            clouds_percent: mean(|day| day.clouds_percent),
            // If one of the tables has only clouds, the radiation follows from the clouds of the blend.
            solar_mj: self.tables.iter().map(|table| Some(table.weight * table.row(date).solar_mj?)).sum(),
            ..chosen
        }
    }

    /// A table, with the weights as probabilities. `uniform` draws a number; it is not called if there is only one table.
    #[inline]
    fn choose(&self, uniform: impl FnOnce() -> f64) -> &Table {
        if self.tables.len() == 1 {
            return &self.tables[0];
        }
        let mut left = uniform();
        let found = self.tables.iter().find(|table| {
            left -= table.weight;
            left < 0.0
        });
        // Because of rounding, the number may be above the sum of the weights. It then belongs to the last table with a weight.
        found.or_else(|| self.tables.iter().rfind(|table| table.weight > 0.0)).unwrap_or(&self.tables[0])
    }
}

/// Measured radiation, converted from the day's clouds to other clouds, in proportion to FAO-56 Eq. 35.
#[inline]
fn with_clouds(solar: f64, clouds_percent: f64, other_percent: f64) -> f64 {
    let share = |percent: f64| 0.25 + 0.50 * (1.0 - 0.01 * clip(percent, PERCENT));
    if clouds_percent == other_percent { solar } else { solar * share(other_percent) / share(clouds_percent) }
}

impl Table {
    /// The table's day for a date; a table that is too short repeats.
    #[inline]
    fn row(&self, date: Date) -> &Day {
        let index = date.day + DAYS_PER_YEAR * date.year - self.first_day;
        // Before the first day of the table, its days also repeat.
        &self.days[index.rem_euclid(self.days.len() as i32) as usize]
    }
}
