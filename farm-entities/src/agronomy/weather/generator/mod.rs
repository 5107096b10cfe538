//! The generator: random weather with the climate of a site.
//!
//! It follows Richardson 1981. Wet and dry days are a Markov chain of two states with monthly probabilities (Geng et al. 1986). A wet day
//! has 1 mm plus a gamma-distributed amount. The normals of a day depend on whether it is wet or dry. The departures of lowest and highest
//! temperature, clouds and wind from these normals form an autoregression (`residuals.rs`). Years from such generators are too similar
//! (Katz and Parlange 1998). So each year has a wetness, a lognormal factor with mean 1 on the amounts above 1 mm. Its width multiplies the
//! standard deviation of annual rain by `rain_variation`. Whole seasons also depart from their normals (`season.rs`).
//!
//! `climate.csv` has twelve approximate numbers for each quantity and site, with their sources. Unknown humidity follows from the
//! lowest temperature as dew point (FAO-56 Eq. 48), and unknown wind is the world's mean (FAO-56).
//!
//! The stored state of the chain is its state on the last generated day. The days from today to that day are stored, because the forecast
//! reads them.

pub mod fit;
#[cfg(test)]
mod gates;
mod law;
pub(super) mod residuals;
mod season;
mod site;
#[cfg(test)]
mod statistics;
#[cfg(test)]
mod tests;
mod year;

use farm_core::{Column, Columns, Context, Purpose, Stream, math};

use self::law::Law;
pub use self::law::{Climate, Months};
use self::residuals::{MAX, MIN, MOISTURE, Matrix, SIZE, WIND as WIND_SPEED};
use self::season::Seasons;
pub use self::site::{MonthlyClimate, Site};
use self::year::{DayOfYear, RANGE_MIN_CELSIUS};
use super::climate::Usual;
use super::formats::WET_DAY_MM;
use super::variables::{PERCENT, RAIN, TEMPERATURE, WIND};
use super::{Air, DAILY, Date, clip};

/// A year's wetness.
const WETNESS: Purpose = Purpose::named("wetness of the year");
/// Limit of departures, in standard deviations: they reach it once in a hundred million days.
const MAX_DEPARTURE: f64 = 6.0;
const MAX_WETNESS: f64 = 20.0;
/// Correlation of the departures of humidity and clouds; the rest of the humidity's variance is independent (design).
const HUMIDITY_WITH_CLOUDS: f64 = 0.8;

/// The data that a generator depends on.
#[derive(Clone)]
pub(super) struct Setting {
    pub site: Site,
    pub climate: Climate,
    pub rain_variation: f64,
    pub lookahead_days: u32,
}

impl Setting {
    fn law(&self) -> Law {
        Law::of(&self.climate)
    }

    fn days(&self) -> Vec<DayOfYear> {
        year::days(&self.climate.months(self.site), &self.law())
    }
}

/// The generator for a site.
#[derive(Columns)]
pub(super) struct Generator {
    _of: Setting,
    #[with(_of.law())]
    law: Law,
    #[with(if d.only_declares() { Vec::new() } else { _of.days() })]
    days: Vec<DayOfYear>,
    /// Standard deviation of the logarithm of a year's wetness.
    #[with(math::ln(1.0 + wetness_variance(&days, _of.rain_variation, law.rain_shape)).sqrt())]
    wetness_deviation: f64,
    /// L: L·ε has the stationary covariance of the departures.
    #[with(if d.only_declares() { Matrix::default() } else { residuals::root(&law.memory.stationary_covariance()) })]
    first: Matrix,
    /// Standard deviation of the logarithm of the wind speed.
    #[with(law.wind_deviation())]
    wind_deviation: f64,
    #[nested(_of.lookahead_days)]
    columns: Chain,
    #[nested(())]
    seasons: Seasons,
}

/// The weather of a coming day: name, range and description.
const COMING: [(&str, (f64, f64), &str); 7] = [
    ("air_temperature.min#°C", TEMPERATURE, "Lowest air temperature"),
    ("air_temperature.max#°C", TEMPERATURE, "Highest air temperature"),
    ("humidity#%", PERCENT, "Relative humidity"),
    ("clouds#%", PERCENT, "Cloud cover"),
    ("wind.speed#km.h-1", WIND, "Wind speed"),
    ("wind.direction#°", (0.0, 360.0), "Wind direction"),
    ("rain_amount#mm.day-1", RAIN, "Rain"),
];

/// The hidden variables: the state of the chain on its last day, and the days up to it, with day n at index n mod `lookahead_days`.
#[derive(Columns)]
struct Chain {
    lookahead_days: u32,
    #[real(
        each = COMING,
        name = &format!("coming.{}", each.0),
        range = each.1.0..=each.1.1,
        doc = &format!("{} of the coming days, in a ring indexed by the number of the day.", each.2),
        shape = &[lookahead_days as usize],
        hidden
    )]
    coming: [Column<f64>; 7],
    /// 1 if the last generated day is wet, otherwise 0.
    #[flag(name = "chain.wet", hidden)]
    wet: Column<u8>,
    /// Factor on the rain of the year, 1 on average.
    #[real(name = "chain.wetness#prop", range = 0.0..=MAX_WETNESS, hidden)]
    wetness: Column<f64>,
    /// Deviations from the normals on the last generated day, in standard deviations. Their order is lowest temperature, highest
    /// temperature, moisture, wind.
    #[real(name = "chain.departures#sd", range = -MAX_DEPARTURE..=MAX_DEPARTURE, shape = &[SIZE], hidden)]
    departures: Column<f64>,
}

impl Generator {
    /// Generates all days that the first forecast shows. Day 0 is `today`.
    pub(super) fn begin(&self, today: Date, key: u64, context: &Context<'_>) {
        for index in 0..self.columns.lookahead_days {
            self.decide(today.after(index), index, key, context);
        }
    }

    /// Generates one more day when the `index`-th day begins.
    #[inline]
    pub(super) fn go_on(&self, today: Date, index: u32, key: u64, context: &Context<'_>) {
        let ahead = self.columns.lookahead_days - 1;
        self.decide(today.after(ahead), index + ahead, key, context);
    }

    /// The `index`-th day, which must already be generated: it is within the lookahead from today.
    #[inline]
    pub(super) fn air(&self, index: u32, value: impl Fn(Column<f64>, usize) -> f64) -> Air {
        let place = (index % self.columns.lookahead_days) as usize;
        let [min, max, humidity, clouds, wind, direction, rain] =
            self.columns.coming.map(|column| value(column, place));
        Air {
            solar_mj: None,
            min_celsius: min,
            mean_celsius: 0.5 * (min + max),
            max_celsius: max,
            humidity_percent: humidity,
            clouds_percent: clouds,
            wind_km_per_h: wind,
            direction_degrees: direction,
            rain_mm: rain,
            rain_intensity: 0.0,
        }
    }

    /// Replaces the weather of the `index`-th day, which must already be generated.
    pub(super) fn keep(&self, index: u32, air: &Air, context: &Context<'_>) {
        let place = (index % self.columns.lookahead_days) as usize;
        let values = [
            clip(air.min_celsius, TEMPERATURE),
            clip(air.max_celsius, TEMPERATURE),
            clip(air.humidity_percent, PERCENT),
            clip(air.clouds_percent, PERCENT),
            clip(air.wind_km_per_h, WIND),
            air.direction_degrees,
            clip(air.rain_mm, RAIN),
        ];
        for (column, value) in self.columns.coming.iter().zip(values) {
            context.get(*column)[place].set(value);
        }
    }

    /// Redraws the part of the state of the chain that is not `known`. Wet or dry stays as on the `last` generated day.
    pub(super) fn forget(&self, known: f64, last: u32, stream: &mut Stream, context: &Context<'_>) {
        let fresh = residuals::times(&self.first, std::array::from_fn(|_| stream.normal()));
        let unknown = (1.0 - known * known).max(0.0).sqrt();
        for (cell, fresh) in context.get(self.columns.departures).iter().zip(fresh) {
            cell.set((known * cell.get() + unknown * fresh).clamp(-MAX_DEPARTURE, MAX_DEPARTURE));
        }
        let [.., rain] = self.columns.coming;
        let is_wet = context.get(rain)[(last % self.columns.lookahead_days) as usize].get() > 0.0;
        context.get(self.columns.wet)[0].set(u8::from(is_wet));
        context.get(self.columns.wetness)[0].set(self.drawn_wetness(stream));
        self.seasons.forget(known, stream, context);
    }

    /// A random wetness for a year.
    fn drawn_wetness(&self, stream: &mut Stream) -> f64 {
        let deviation = self.wetness_deviation;
        math::exp(deviation * (stream.normal() - 0.5 * deviation)).min(MAX_WETNESS)
    }

    pub(super) fn usual(&self, day: i32) -> Usual {
        self.days[day as usize].usual
    }

    /// The amount on a random wet day in the season, in a year of usual wetness, and the share of wet days.
    pub(super) fn usual_rain(&self, day: i32, stream: &mut Stream) -> (f64, f64) {
        let day = &self.days[day as usize];
        // In a season without wet days, a wrong forecast has the minimum rain of a wet day.
        let shape = self.law.rain_shape;
        (clip(WET_DAY_MM + day.excess_mm / shape * gamma(shape, stream), RAIN), day.wet_share)
    }

    /// Draws a day from the chain's state, and stores the day and the new state.
    #[inline]
    fn decide(&self, date: Date, index: u32, key: u64, context: &Context<'_>) {
        let mut stream = context.stream_at(key, DAILY, index);
        let day = &self.days[date.day as usize];
        let fresh: [f64; SIZE] = std::array::from_fn(|_| stream.normal());
        let (wet_draw, own_draw, direction_draw) = (stream.uniform(), stream.normal(), stream.uniform());
        let departures = self.departures(index == 0, fresh, context);
        let wet = self.wet(index == 0, day, wet_draw, context);
        let wetness = self.wetness(index == 0 || date.day == 0, key, index, context);
        let season = self.seasons.at(date.day, index, key, context);
        let warmer = day.season_celsius * season;
        let [min, max] = temperatures_celsius(day, wet, departures);
        let normal = if wet { &day.wet } else { &day.dry };
        let [from_max, from_moisture] = day.clouds_from;
        let moister = from_max * departures[MAX] + from_moisture * departures[MOISTURE];
        let more_humid =
            HUMIDITY_WITH_CLOUDS * moister + (1.0 - HUMIDITY_WITH_CLOUDS * HUMIDITY_WITH_CLOUDS).sqrt() * own_draw;
        let humidity = normal.humidity_percent + day.humidity_deviation * more_humid;
        let (clouds, clouds_deviation) = normal.clouds_percent;
        let cloudier = clouds_deviation * moister - self.law.season_clouds_percent * season;
        let windier = self.wind_deviation * (departures[WIND_SPEED] - 0.5 * self.wind_deviation);
        let shape = self.law.rain_shape;
        let rain = match wet {
            true => WET_DAY_MM + wetness * day.excess_mm / shape * gamma(shape, &mut stream),
            false => 0.0,
        };
        let place = (index % self.columns.lookahead_days) as usize;
        let values = [
            clip(min + warmer, TEMPERATURE),
            clip(max + warmer, TEMPERATURE),
            clip(humidity, PERCENT),
            clip(clouds + cloudier, PERCENT),
            clip(day.wind_km_per_h * math::exp(windier), WIND),
            360.0 * direction_draw,
            clip(rain, RAIN),
        ];
        for (column, value) in self.columns.coming.iter().zip(values) {
            context.get(*column)[place].set(value);
        }
    }

    /// The departures of the next day. On the first day they have the stationary covariance.
    #[inline]
    fn departures(&self, first: bool, fresh: [f64; SIZE], context: &Context<'_>) -> [f64; SIZE] {
        let column = context.get(self.columns.departures);
        let departures = match first {
            true => residuals::times(&self.first, fresh),
            false => self.law.memory.next(std::array::from_fn(|i| column[i].get()), fresh),
        };
        let departures = departures.map(|value| value.clamp(-MAX_DEPARTURE, MAX_DEPARTURE));
        for (cell, value) in column.iter().zip(departures) {
            cell.set(value);
        }
        departures
    }

    /// Whether the next day is wet.
    #[inline]
    fn wet(&self, first: bool, day: &DayOfYear, draw: f64, context: &Context<'_>) -> bool {
        let column = &context.get(self.columns.wet)[0];
        let probability = match (first, column.get() != 0) {
            (true, _) => day.wet_share,
            (false, true) => day.wet.wet_next,
            (false, false) => day.dry.wet_next,
        };
        let wet = draw < probability;
        column.set(u8::from(wet));
        wet
    }

    /// The year's wetness, drawn at its start.
    #[inline]
    fn wetness(&self, begins: bool, key: u64, index: u32, context: &Context<'_>) -> f64 {
        let column = &context.get(self.columns.wetness)[0];
        if begins {
            column.set(self.drawn_wetness(&mut context.stream_at(key, WETNESS, index)));
        }
        column.get()
    }
}

/// Lowest and highest temperature [°C] of a day.
///
/// Their common departure is used in full. The departure of their range is reduced, so that the range stays positive.
#[inline]
fn temperatures_celsius(day: &DayOfYear, wet: bool, departures: [f64; SIZE]) -> [f64; 2] {
    let normal = if wet { &day.wet } else { &day.dry };
    let (low, high) =
        (day.min_deviation * departures[MIN], day.max_deviation * skewed(departures[MAX], day.max_skewness));
    let middle = normal.max_celsius - 0.5 * normal.range_celsius + 0.5 * (low + high);
    let range = (normal.range_celsius + normal.range_kept * (high - low)).max(RANGE_MIN_CELSIUS);
    [middle - 0.5 * range, middle + 0.5 * range]
}

/// A standard normal number x with a skewness γ, up to 0.8 in size: y = (x + a·(x² − 1))/√(1 + 2a²) with a = γ/6. It has the mean 0 and the
/// variance 1.
#[inline]
fn skewed(x: f64, skewness: f64) -> f64 {
    let a = skewness / 6.0;
    (x + a * (x * x - 1.0)) / (1.0 + 2.0 * a * a).sqrt()
}

/// A number from the gamma law of this shape and scale 1 (Marsaglia and Tsang 2000).
#[inline]
fn gamma(shape: f64, stream: &mut Stream) -> f64 {
    let d = shape + 1.0 - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    // The loop draws a number of shape + 1; times this factor, it has the given shape.
    let smaller = math::exp(math::ln(1.0 - stream.uniform()) / shape);
    loop {
        let x = stream.normal();
        let root = 1.0 + c * x;
        let v = root * root * root;
        let u = 1.0 - stream.uniform();
        // The first bound avoids the logarithms for eleven numbers in twelve.
        let surely = u < 1.0 - 0.0331 * x * x * x * x;
        if root > 0.0 && (surely || math::ln(u) < 0.5 * x * x + d - d * v + d * math::ln(v)) {
            return d * v * smaller;
        }
    }
}

/// Variance of a year's wetness F for which the standard deviation of annual rain is `variation` times its value with F = 1.
///
/// Rain is N + F·X, where N is the rain up to 1 mm on each wet day, and X is the rain above 1 mm: Var(N + F·X) = Var(N + X) + Var F·E X².
fn wetness_variance(days: &[DayOfYear], variation: f64, shape: f64) -> f64 {
    let (_, plain) = annual_rain(days, WET_DAY_MM, shape);
    let (excess, excess_variance) = annual_rain(days, 0.0, shape);
    let square = excess * excess + excess_variance;
    if square > 0.0 { (variation * variation - 1.0).max(0.0) * plain / square } else { 0.0 }
}

/// Mean and variance of an annual sum over wet days: each adds its amount above 1 mm, plus `least_mm`.
fn annual_rain(days: &[DayOfYear], least_mm: f64, shape: f64) -> (f64, f64) {
    let amount = |day: &DayOfYear| if day.wet_share > 0.0 { least_mm + day.excess_mm } else { 0.0 };
    let (mut mean, mut variance) = (0.0, 0.0);
    for (i, day) in days.iter().enumerate() {
        let chance = day.wet_share * (1.0 - day.wet_share);
        mean += day.wet_share * amount(day);
        variance += day.wet_share * day.excess_mm * day.excess_mm / shape + chance * amount(day) * amount(day);
        // Wet days cluster: cov(Wᵢ, Wⱼ) = πᵢ(1 − πᵢ)·∏(p₁₁ − p₀₁), which vanishes within a month.
        let mut memory = 1.0;
        for ahead in 1..=30 {
            let later = &days[(i + ahead) % days.len()];
            memory *= later.wet.wet_next - later.dry.wet_next;
            variance += 2.0 * chance * memory * amount(day) * amount(later);
        }
    }
    (mean, variance)
}
