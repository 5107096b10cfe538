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
pub mod table;
#[cfg(test)]
mod tests;

use std::sync::{Arc, OnceLock};

use farm_core::config::{Path, Problem};
use farm_core::declare::{count, real};
use farm_core::observation::Slot;
use farm_core::rng::{Purpose, Stream};
use farm_core::{Behaviour, Builder, Column, Context, Entity, Phase, Reader};

use self::forecast::{FORECASTS, WetDays};
use self::table::{Day, TableError, WET_DAY_MM};
use super::radiation;
use crate::roles;

farm_core::choice! {
    /// The built-in tables.
    pub enum Dataset {
        /// Montpellier in France: ten years, generated from approximate climate normals.
        Montpellier = "montpellier",
    }
}

farm_core::choice! {
    /// What the table's rain means.
    pub enum Rain {
        /// Millimetres in the day.
        Amount = "amount",
        /// Whether it rains, as in the paper: light rain is up to half of the soil's capacity, heavy rain all of it.
        Paper = "paper",
    }
}

farm_core::choice! {
    /// How reference evapotranspiration is computed.
    pub enum EvapotranspirationMethod {
        /// Valiantzas 2018, from temperature, humidity and wind.
        Valiantzas = "valiantzas",
        /// Hargreaves and Samani, from temperature alone.
        Hargreaves = "hargreaves",
        /// The paper's Eq. 23 as printed, almost twice too large; for comparisons only.
        Paper = "paper",
    }
}

farm_core::parameters! {
    /// Standard deviations of the differences between the days of a season and those of the table; 0 replays the table.
    pub struct Noise {
        /// Of the temperatures: lowest, mean and highest move together.
        pub temperature_celsius: f64 = 1.5, "temperature#°C", [0.0, 20.0];
        /// Of the relative humidity.
        pub humidity_percent: f64 = 5.0, "humidity#%", [0.0, 100.0];
        /// Of the clouds.
        pub clouds_percent: f64 = 10.0, "clouds#%", [0.0, 100.0];
        /// Of the wind speed.
        pub wind_km_per_h: f64 = 2.0, "wind_speed#km.h-1", [0.0, 100.0];
        /// Of the wind direction.
        pub direction_degrees: f64 = 20.0, "wind_direction#°", [0.0, 360.0];
    }
}

farm_core::parameters! {
    /// Errors of the forecast: standard deviations for each day of lead, so that a forecast for five days errs five times as much.
    pub struct ForecastNoise {
        /// Of the temperatures: lowest, mean and highest err together.
        pub temperature_celsius: f64 = 0.5, "temperature#°C.day-1", [0.0, 20.0];
        /// Of the relative humidity.
        pub humidity_percent: f64 = 2.0, "humidity#%.day-1", [0.0, 100.0];
        /// Of the clouds.
        pub clouds_percent: f64 = 5.0, "clouds#%.day-1", [0.0, 100.0];
        /// Of the wind speed.
        pub wind_km_per_h: f64 = 1.0, "wind_speed#km.h-1.day-1", [0.0, 100.0];
        /// Of the logarithm of the amount of rain.
        pub rain_amount: f64 = 0.2, "rain_amount#day-1", [0.0, 2.0];
        /// Probability, for each day of lead and one half at the most, that rain is forecast for a dry day or none for a wet one.
        pub rain_flip: f64 = 0.05, "rain_flip#day-1", [0.0, 0.5];
    }
}

farm_core::parameters! {
    /// The paper's light and heavy rain; used only with `rain: paper`.
    pub struct PaperRain {
        /// Probability that the rain of a wet day is light.
        pub light_probability: f64 = 0.5, "light_probability#prop", [0.0, 1.0];
        /// Intensity of light rain, for the leaching of nutrients.
        pub light_intensity: f64 = 0.01, "light_intensity#prop", [0.0, 1.0];
        /// Intensity of heavy rain.
        pub heavy_intensity: f64 = 0.1, "heavy_intensity#prop", [0.0, 1.0];
    }
}

farm_core::parameters! {
    /// The weather of a field.
    pub struct Weather {
        /// A CSV file to use instead of the dataset, relative to the game's folder: a row for each day, 365 to a year, with the
        /// columns Tmin, T, Tmax (°C), RH (%), Rain (mm.day-1), U (wind, km.h-1) and, if known, Clouds (%) and WindDirection (°).
        pub file: Option<String> = None;
        /// The built-in table of days.
        pub dataset: Dataset = Dataset::Montpellier;
        /// Height above the ground at which the table's wind was measured.
        pub wind_height_m: f64 = 2.0, "wind_height#m", [0.5, 200.0];
        /// How the days of a season differ from those of the table.
        pub noise: Noise = Noise::default();
        /// What the table's rain means.
        pub rain: Rain = Rain::Amount;
        /// Light and heavy rain of `rain: paper`.
        pub paper_rain: PaperRain = PaperRain::default();
        /// Days that the forecast shows, today included.
        pub forecast_lookahead_days: u32 = 5, "forecast_lookahead#day", [1, 30];
        /// How the forecast errs.
        pub forecast_noise: ForecastNoise = ForecastNoise::default();
        /// How reference evapotranspiration is computed.
        pub et0: EvapotranspirationMethod = EvapotranspirationMethod::Valiantzas;
    }
}

farm_core::register!(
    Entity,
    Weather,
    "Temperature, humidity, wind, clouds and rain of each day, with a forecast.",
    "Farm-gym paper 4.1, Eqs. 23–25; FAO-56; Valiantzas 2018",
    include_str!("weather.yaml")
);

const DAYS_PER_YEAR: i32 = 365;
/// Years after which the count of years starts anew.
const YEARS: i32 = 100;
const MOST_DAYS_IN_A_ROW: i32 = 10_000;
/// Rain that is as intense as can be for the leaching of nutrients (design: the reference's light rain of 0.01 is then 1 mm).
const FULL_INTENSITY_MM: f64 = 100.0;

// Ranges of the variables; noise is cut off there.
const TEMPERATURE: (f64, f64) = (-100.0, 100.0);
const PERCENT: (f64, f64) = (0.0, 100.0);
const WIND: (f64, f64) = (0.0, 500.0);
const RAIN: (f64, f64) = (0.0, 1000.0);

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
            builder.problem(problem.help("add `Soil` to the field, or set `rain: amount`"));
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

/// Where the variables are.
struct Columns {
    day: Column<i32>,
    year: Column<i32>,
    mean: Column<f64>,
    min: Column<f64>,
    max: Column<f64>,
    humidity: Column<f64>,
    humidity_min: Column<f64>,
    wind_speed: Column<f64>,
    wind_speed_2m: Column<f64>,
    wind_direction: Column<f64>,
    clouds: Column<f64>,
    solar_radiation: Column<f64>,
    rain_amount: Column<f64>,
    rain_intensity: Column<f64>,
    evapotranspiration: Column<f64>,
    frost: Column<i32>,
    dry: Column<i32>,
}

impl Columns {
    fn declare(b: &mut Builder<'_>) -> Self {
        let within = |name: &str, range: (f64, f64), doc: &str| real(name, range.0, range.1, doc);
        Self {
            day: b.declare(count("day#int365", 0, DAYS_PER_YEAR - 1, "Day of the year, 0 on the first of January.")),
            year: b.declare(count("year#int100", 0, YEARS - 1, "Year, which chooses the year of the weather table.")),
            mean: b.declare(
                within("air_temperature.mean#°C", TEMPERATURE, "Mean air temperature.")
                    .role(roles::AIR_TEMPERATURE_MEAN),
            ),
            min: b.declare(
                within("air_temperature.min#°C", TEMPERATURE, "Lowest air temperature.")
                    .role(roles::AIR_TEMPERATURE_MIN),
            ),
            max: b.declare(
                within("air_temperature.max#°C", TEMPERATURE, "Highest air temperature.")
                    .role(roles::AIR_TEMPERATURE_MAX),
            ),
            humidity: b.declare(
                within("humidity#%", PERCENT, "Mean relative humidity of the air.").role(roles::RELATIVE_HUMIDITY),
            ),
            humidity_min: b.declare(
                within("humidity_min#%", PERCENT, "Lowest relative humidity of the day.")
                    .hidden()
                    .role(roles::RELATIVE_HUMIDITY_MIN),
            ),
            wind_speed: b.declare(within("wind.speed#km.h-1", WIND, "Mean wind speed at the height of measurement.")),
            wind_speed_2m: b.declare(
                real("wind_speed_2m#m.s-1", 0.0, 300.0, "Mean wind speed at 2 m above the ground.")
                    .hidden()
                    .role(roles::WIND_SPEED_2M),
            ),
            wind_direction: b.declare(real(
                "wind.direction#°",
                0.0,
                360.0,
                "Where the wind comes from: 0 north, 90 east.",
            )),
            clouds: b.declare(within("clouds#%", PERCENT, "Share of the sky that clouds cover.")),
            solar_radiation: b.declare(
                real("solar_radiation#MJ.m-2.day-1", 0.0, 50.0, "Radiation of the sun that reaches the ground.")
                    .hidden(),
            ),
            rain_amount: b.declare(within("rain_amount#mm.day-1", RAIN, "Rain of the day.").role(roles::RAIN_AMOUNT)),
            rain_intensity: b.declare(
                real("rain_intensity#prop", 0.0, 1.0, "How hard it rains, for the leaching of nutrients.")
                    .role(roles::RAIN_INTENSITY),
            ),
            evapotranspiration: b.declare(
                real("reference_evapotranspiration#mm.day-1", 0.0, 1000.0, "Water that short grass would give off today.")
                    .role(roles::REFERENCE_EVAPOTRANSPIRATION),
            ),
            frost: b.declare(
                count("consecutive_frost#day", 0, MOST_DAYS_IN_A_ROW, "Days in a row, up to today, with frost.")
                    .role(roles::CONSECUTIVE_FROST),
            ),
            dry: b.declare(count(
                "consecutive_dry#day",
                0,
                MOST_DAYS_IN_A_ROW,
                "Days in a row, up to today, with less than 1 mm of rain.",
            )),
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
    #[inline]
    fn after(self, days: u32) -> Self {
        let day = self.day + days as i32;
        Self { day: day % DAYS_PER_YEAR, year: (self.year + day / DAYS_PER_YEAR) % YEARS }
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

    /// The weather of a date: the table's day with the noise of a stream.
    ///
    /// Every draw is made whatever the parameters, so that one noise does not change another's numbers.
    #[inline]
    fn air(&self, date: Date, mut stream: Stream, capacity_mm: f64) -> Air {
        let row = &self.days[(date.day + DAYS_PER_YEAR * date.year) as usize % self.days.len()];
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
            EvapotranspirationMethod::Hargreaves => radiation::evapotranspiration_hargreaves(extraterrestrial, min, max),
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
    if goes_on { (days + 1).min(MOST_DAYS_IN_A_ROW) } else { 0 }
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
