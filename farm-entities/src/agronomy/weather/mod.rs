//! Weather: replays a table of days with noise, and derives from it what soils and plants ask for.
//!
//! | reads | role | unit |
//! |---|---|---|
//! | capacity of the soil, only with `rain: paper` | `water_capacity` | L |
//!
//! | writes | role | unit |
//! |---|---|---|
//! | air temperature: mean, lowest, highest | `air_temperature_mean`, `…_min`, `…_max` | °C |
//! | relative humidity: mean, lowest | `relative_humidity`, `relative_humidity_min` | % |
//! | wind: speed as measured, at 2 m, direction | `wind_speed_2m` | km/h, m/s, ° |
//! | rain and its intensity | `rain_amount`, `rain_intensity` | mm.day-1, prop |
//! | clouds, solar radiation | – | %, MJ.m-2.day-1 |
//! | reference evapotranspiration | `reference_evapotranspiration` | mm.day-1 |
//! | days in a row with frost, without rain; the date | `consecutive_frost` | day |
//! | forecast of the coming days, computed when observed | – | as above |
//!
//! Source: Farm-gym paper 4.1 and Eqs. 23–25, FAO-56, Valiantzas 2018. Deviations from the paper: rain is an amount in mm
//! instead of a flag (`rain: paper` has the flag, whose heavy rain fills the whole soil); ET₀ has the published coefficient
//! and units; every table row is used, not the first 365; the standard deviation of a forecast grows with its lead, where
//! the reference repeats today.
//!
//! The weather of a day is a function of the seed, the date and the number of days since the start: that is why the forecast
//! needs no memory. Day 0 is the day at reset, day n that of the n-th step.

mod forecast;
mod parameters;
pub mod table;
#[cfg(test)]
mod tests;
mod variables;

use std::sync::{Arc, OnceLock};

use farm_core::config::{Path, Problem};
use farm_core::observation::Slot;
use farm_core::rng::{Purpose, Stream};
use farm_core::{Behaviour, Builder, Column, Context, Entity, Phase, Reader};

use self::forecast::{FORECASTS, WetDays};
pub use self::parameters::{Dataset, EvapotranspirationMethod, ForecastNoise, Noise, PaperRain, Rain, Weather};
use self::table::{Day, TableError, WET_DAY_MM};
use self::variables::{Columns, DAYS_PER_YEAR, MOST_DAYS_IN_A_ROW, PERCENT, RAIN, TEMPERATURE, WIND, YEARS};
use super::radiation;
use crate::roles;

farm_core::register!(
    Entity,
    Weather,
    "Temperature, humidity, wind, clouds and rain of each day, with a forecast.",
    "Farm-gym paper 4.1, Eqs. 23–25; FAO-56; Valiantzas 2018",
    include_str!("weather.yaml")
);

/// Rain that is as intense as can be for the leaching of nutrients (design: the reference's light rain of 0.01 is then 1 mm).
const FULL_INTENSITY_MM: f64 = 100.0;

/// The draws that make a day.
const DAILY: Purpose = Purpose::named("day");

#[farm_core::typetag::serde]
impl Entity for Weather {
    fn build(&self, builder: &mut Builder<'_>) -> Box<dyn Behaviour> {
        let days = self.days(builder);
        let latitude = builder.field().latitude_degrees;
        let behaviour = Sky {
            extraterrestrial: std::array::from_fn(|day| {
                radiation::extraterrestrial_radiation(latitude, day as u32 + 1)
            }),
            wind_2m_per_km_per_h: radiation::wind_share_at_2m(self.wind_height_m) / 3.6,
            wet_days: WetDays::new(&days),
            columns: Columns::declare(builder),
            capacity: self.capacity(builder),
            plot_area_m2: builder.field().plot_area_m2(),
            key: builder.stream_key(),
            parameters: self.clone(),
            days,
        };
        let lookahead = self.forecast_lookahead_days as usize;
        for forecast in &FORECASTS {
            builder.observable(forecast.name, forecast.kind(), &[lookahead], forecast.doc);
        }
        builder.runs_in(Phase::Exogenous);
        Box::new(behaviour)
    }
}

impl Weather {
    /// The table; every error of it is a problem of the parameter `file`.
    fn days(&self, builder: &mut Builder<'_>) -> Arc<[Day]> {
        let table = match &self.file {
            Some(file) => table::read(&builder.file(file)).map(Arc::from),
            None => self.dataset.days(),
        };
        let errors = match table {
            Ok(days) => return days,
            Err(errors) => errors,
        };
        for error in errors {
            let problem = Problem::new(Path::default().child("file"), error.to_string());
            builder.problem(problem.help("`farm describe Weather` tells what a weather table looks like"));
        }
        // The game is refused; until then its parts are built to find the problems of the others too.
        Arc::from([Day {
            min_celsius: 0.0,
            mean_celsius: 0.0,
            max_celsius: 0.0,
            humidity_percent: 0.0,
            rain_mm: 0.0,
            wind_km_per_h: 0.0,
            clouds_percent: 0.0,
            direction_degrees: None,
        }])
    }

    /// The soil's capacity, where the rain depends on it.
    fn capacity(&self, builder: &mut Builder<'_>) -> Option<Column<f64>> {
        if self.rain == Rain::Amount {
            return None;
        }
        let capacity = builder.maybe(roles::WATER_CAPACITY);
        if capacity.is_none() && builder.is_complete() {
            let problem = Problem::new(Path::default().child("rain"), "the paper's rain needs a soil to fill")
                .value("paper")
                .expected(format!("a part with the role `{}` in the field", roles::WATER_CAPACITY.name));
            let candidates = farm_core::probe::providers_of(roles::WATER_CAPACITY.name).join(" or ");
            builder.problem(problem.help(format!("add {candidates} to the field, or set `rain: amount`")));
        }
        capacity
    }
}

impl Dataset {
    /// The days of a built-in table, parsed once.
    fn days(self) -> Result<Arc<[Day]>, Vec<TableError>> {
        static MONTPELLIER: OnceLock<Result<Arc<[Day]>, Vec<TableError>>> = OnceLock::new();
        let parse = || table::parse("montpellier.csv", include_str!("montpellier.csv")).map(Arc::from);
        match self {
            Self::Montpellier => MONTPELLIER.get_or_init(parse).clone(),
        }
    }
}

/// The weather that plays.
struct Sky {
    columns: Columns,
    capacity: Option<Column<f64>>,
    plot_area_m2: f64,
    key: u64,
    parameters: Weather,
    days: Arc<[Day]>,
    wet_days: WetDays,
    /// Radiation above the atmosphere at the field's latitude, by day of the year.
    extraterrestrial: [f64; DAYS_PER_YEAR as usize],
    /// m/s at 2 m for each km/h at the height of measurement.
    wind_2m_per_km_per_h: f64,
}

/// A day of a year.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Date {
    day: i32,
    year: i32,
}

impl Date {
    /// The date some days later. It is a date also if this one, read from a damaged snapshot, is none.
    #[inline]
    fn after(self, days: u32) -> Self {
        let day = self.day.rem_euclid(DAYS_PER_YEAR) + days as i32;
        Self { day: day % DAYS_PER_YEAR, year: (self.year.rem_euclid(YEARS) + day / DAYS_PER_YEAR) % YEARS }
    }
}

/// The weather of a day before anything is derived from it.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Air {
    min_celsius: f64,
    mean_celsius: f64,
    max_celsius: f64,
    humidity_percent: f64,
    clouds_percent: f64,
    wind_km_per_h: f64,
    direction_degrees: f64,
    rain_mm: f64,
    rain_intensity: f64,
}

impl Behaviour for Sky {
    fn settle(&self, context: &mut Context<'_>) {
        self.begin_day(self.date(context), 0, context);
    }

    fn tick(&self, _phase: Phase, context: &mut Context<'_>) {
        let date = self.date(context).after(1);
        set(context, self.columns.day, date.day);
        set(context, self.columns.year, date.year);
        self.begin_day(date, context.step() + 1, context);
    }

    fn observe(&self, observable: usize, reader: &Reader<'_>, out: &mut Slot<'_>) {
        self.forecast(FORECASTS[observable].quantity, reader, out);
    }
}

#[inline]
fn set<T: farm_core::Element>(context: &Context<'_>, column: Column<T>, value: T) {
    context.get(column)[0].set(value);
}

#[inline]
fn clip(value: f64, range: (f64, f64)) -> f64 {
    value.clamp(range.0, range.1)
}

impl Sky {
    #[inline]
    fn date(&self, context: &Context<'_>) -> Date {
        Date { day: context.value(self.columns.day), year: context.value(self.columns.year) }
    }

    /// Sets the weather of a date, which is that of the `index`-th day since the start.
    #[inline]
    fn begin_day(&self, date: Date, index: u32, context: &mut Context<'_>) {
        let capacity_mm = self.capacity.map_or(0.0, |column| context.value(column) / self.plot_area_m2);
        let air = self.air(date, context.stream_at(self.key, DAILY, index), capacity_mm);
        self.publish_air(&air, context);
        self.publish_derived(&air, date, context);
        self.count_days(&air, context);
    }

    /// The table's day of a date; a table that is too short begins anew.
    #[inline]
    fn row(&self, date: Date) -> &Day {
        &self.days[(date.day + DAYS_PER_YEAR * date.year) as usize % self.days.len()]
    }

    /// The weather of a date: the table's day with the noise of a stream.
    ///
    /// Every draw is made whatever the parameters, so that one noise does not change another's numbers.
    #[inline]
    fn air(&self, date: Date, mut stream: Stream, capacity_mm: f64) -> Air {
        let row = self.row(date);
        let noise = &self.parameters.noise;
        // Moved together and cut off alike, lowest, mean and highest stay in order.
        let warmer = noise.temperature_celsius * stream.normal();
        let moister = noise.humidity_percent * stream.normal();
        let cloudier = noise.clouds_percent * stream.normal();
        let windier = noise.wind_km_per_h * stream.normal();
        let turn = noise.direction_degrees * stream.normal();
        let anywhere = 360.0 * stream.uniform();
        let (rain_mm, rain_intensity) = self.rain(row.rain_mm, &mut stream, capacity_mm);
        Air {
            min_celsius: clip(row.min_celsius + warmer, TEMPERATURE),
            mean_celsius: clip(row.mean_celsius + warmer, TEMPERATURE),
            max_celsius: clip(row.max_celsius + warmer, TEMPERATURE),
            humidity_percent: clip(row.humidity_percent + moister, PERCENT),
            clouds_percent: clip(row.clouds_percent + cloudier, PERCENT),
            wind_km_per_h: clip(row.wind_km_per_h + windier, WIND),
            direction_degrees: row.direction_degrees.map_or(anywhere, |from| (from + turn).rem_euclid(360.0)),
            rain_mm: clip(rain_mm, RAIN),
            rain_intensity,
        }
    }

    /// Rain [mm] and its intensity from what the table says.
    #[inline]
    fn rain(&self, table: f64, stream: &mut Stream, capacity_mm: f64) -> (f64, f64) {
        match self.parameters.rain {
            Rain::Amount => (table, (table / FULL_INTENSITY_MM).min(1.0)),
            Rain::Paper => paper_rain(&self.parameters.paper_rain, table, stream, capacity_mm),
        }
    }

    #[inline]
    fn publish_air(&self, air: &Air, context: &Context<'_>) {
        let columns = &self.columns;
        set(context, columns.min, air.min_celsius);
        set(context, columns.mean, air.mean_celsius);
        set(context, columns.max, air.max_celsius);
        set(context, columns.humidity, air.humidity_percent);
        set(context, columns.clouds, air.clouds_percent);
        set(context, columns.wind_speed, air.wind_km_per_h);
        set(context, columns.wind_direction, air.direction_degrees);
        set(context, columns.rain_amount, air.rain_mm);
        set(context, columns.rain_intensity, air.rain_intensity);
    }

    #[inline]
    fn publish_derived(&self, air: &Air, date: Date, context: &Context<'_>) {
        let columns = &self.columns;
        let extraterrestrial = self.extraterrestrial[date.day as usize];
        let (min, max, humidity) = (air.min_celsius, air.max_celsius, air.humidity_percent);
        let wind_2m = self.wind_2m_per_km_per_h * air.wind_km_per_h;
        let evapotranspiration = match self.parameters.et0 {
            EvapotranspirationMethod::Valiantzas => {
                radiation::evapotranspiration_valiantzas(extraterrestrial, min, max, humidity, wind_2m)
            }
            EvapotranspirationMethod::Hargreaves => {
                radiation::evapotranspiration_hargreaves(extraterrestrial, min, max)
            }
            EvapotranspirationMethod::Paper => {
                radiation::evapotranspiration_as_printed(extraterrestrial, min, max, humidity, air.wind_km_per_h)
            }
        };
        set(context, columns.wind_speed_2m, wind_2m);
        set(context, columns.humidity_min, radiation::relative_humidity_min_percent(humidity, min, max));
        set(context, columns.solar_radiation, radiation::solar_radiation(extraterrestrial, air.clouds_percent));
        set(context, columns.evapotranspiration, evapotranspiration);
    }

    #[inline]
    fn count_days(&self, air: &Air, context: &Context<'_>) {
        let frost = one_more_or_none(context.value(self.columns.frost), air.min_celsius < 0.0);
        let dry = one_more_or_none(context.value(self.columns.dry), air.rain_mm < WET_DAY_MM);
        set(context, self.columns.frost, frost);
        set(context, self.columns.dry, dry);
    }
}

/// Days in a row after one more day.
#[inline]
fn one_more_or_none(days: i32, goes_on: bool) -> i32 {
    if goes_on { days.saturating_add(1).min(MOST_DAYS_IN_A_ROW) } else { 0 }
}

/// Rain [mm] and its intensity of the paper (Farm-gym 4.1): light U(0, ½)·C with probability p, else heavy C.
#[inline]
fn paper_rain(paper: &PaperRain, wet: f64, stream: &mut Stream, capacity_mm: f64) -> (f64, f64) {
    let (light, share) = (stream.bernoulli(paper.light_probability), 0.5 * stream.uniform());
    match (wet > 0.0, light) {
        (false, _) => (0.0, 0.0),
        (true, true) => (share * capacity_mm, paper.light_intensity),
        (true, false) => (capacity_mm, paper.heavy_intensity),
    }
}
