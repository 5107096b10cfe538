//! Parameters of the weather.

use super::datasets::Dataset;
use super::formats::{Format, Missing};
use super::generator::Site;
use crate::agronomy::Equations;

/// Where the days come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
pub enum Source {
    /// Tables: built-in ones or files, replayed with noise.
    Replay,
    /// A generator with the climate of a site.
    Generator,
}

/// How the error of a forecast grows with its lead.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
pub enum ForecastErrors {
    /// Its standard deviation is that of `forecast_noise` times the days of lead.
    Lead,
    /// As the paper says: its variance is that of `noise` plus that of `forecast_noise` times the days of lead, all of them read as
    /// variances. Rain errs as with `lead`.
    Paper,
}

/// What the table's rain means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
pub enum Rain {
    /// Millimetres in the day.
    Amount,
    /// Whether it rains, as in the paper: light rain is up to half of the soil's capacity, heavy rain all of it.
    Paper,
}

/// How reference evapotranspiration is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
pub enum EvapotranspirationMethod {
    /// Valiantzas 2018, from temperature, humidity and wind.
    Valiantzas,
    /// FAO-56 Penman and Monteith, from temperature, humidity, wind and clouds.
    PenmanMonteith,
    /// Hargreaves and Samani, from temperature alone.
    Hargreaves,
    /// The paper's Eq. 23 as printed, almost twice too large; for comparisons only.
    Paper,
}

/// Standard deviations of the differences between the days of a season and those of the table; 0 replays the table.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Noise {
    /// Of the temperatures: lowest, mean and highest move together.
    #[parameter(name = "temperature#°C", default = 1.5, range = 0.0..=20.0)]
    pub temperature_celsius: f64,
    /// Of the relative humidity.
    #[parameter(name = "humidity#%", default = 5.0, range = 0.0..=100.0)]
    pub humidity_percent: f64,
    /// Of the clouds.
    #[parameter(name = "clouds#%", default = 10.0, range = 0.0..=100.0)]
    pub clouds_percent: f64,
    /// Of the wind speed.
    #[parameter(name = "wind_speed#km.h-1", default = 2.0, range = 0.0..=100.0)]
    pub wind_km_per_h: f64,
    /// Of the wind direction.
    #[parameter(name = "wind_direction#°", default = 20.0, range = 0.0..=360.0)]
    pub direction_degrees: f64,
}

/// Errors of the forecast: standard deviations for each day of lead, so that a forecast for five days errs five times as much.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct ForecastNoise {
    /// Of the temperatures: lowest, mean and highest err together.
    #[parameter(name = "temperature#°C.day-1", default = 0.5, range = 0.0..=20.0)]
    pub temperature_celsius: f64,
    /// Of the relative humidity.
    #[parameter(name = "humidity#%.day-1", default = 2.0, range = 0.0..=100.0)]
    pub humidity_percent: f64,
    /// Of the clouds.
    #[parameter(name = "clouds#%.day-1", default = 5.0, range = 0.0..=100.0)]
    pub clouds_percent: f64,
    /// Of the wind speed.
    #[parameter(name = "wind_speed#km.h-1.day-1", default = 1.0, range = 0.0..=100.0)]
    pub wind_km_per_h: f64,
    /// Of the logarithm of the amount of rain.
    #[parameter(unit = "day-1", default = 0.2, range = 0.0..=2.0)]
    pub rain_amount: f64,
    /// Probability, for each day of lead and one half at the most, that rain is forecast for a dry day or none for a wet one.
    #[parameter(unit = "day-1", default = 0.05, range = 0.0..=0.5)]
    pub rain_flip: f64,
}

/// The paper's light and heavy rain; used only with `rain: paper`.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct PaperRain {
    /// Probability that the rain of a wet day is light.
    #[parameter(unit = "prop", default = 0.5, range = 0.0..=1.0)]
    pub light_probability: f64,
    /// Intensity of light rain, for the leaching of nutrients.
    #[parameter(unit = "prop", default = 0.01, range = 0.0..=1.0)]
    pub light_intensity: f64,
    /// Intensity of heavy rain.
    #[parameter(unit = "prop", default = 0.1, range = 0.0..=1.0)]
    pub heavy_intensity: f64,
}

/// A table of a blend.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct WeightedTable {
    /// A file to use instead of the dataset, relative to the game's folder.
    pub file: Option<String>,
    /// The built-in table.
    #[parameter(default = Dataset::Montpellier)]
    pub dataset: Dataset,
    /// Its weight, relative to the others'.
    #[parameter(default = 1.0, range = 0.0..=1000.0)]
    pub weight: f64,
}

/// Temperature, humidity, wind, clouds and rain of each day, with a forecast.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Weather {
    /// Where the days come from.
    #[parameter(default = Source::Replay)]
    pub source: Source,
    /// A file to replay instead of the dataset, relative to the game's folder. A CSV table has a row for each day, 365 to a year,
    /// with the columns Tmin, T, Tmax (°C), RH (%), Rain (mm.day-1), U (wind, km.h-1) and, if known, Clouds (%),
    /// WindDirection (°) and Date. EPW, NASA POWER CSV, DSSAT .WTH and .AgMIP are read too.
    pub file: Option<String>,
    /// What the format of the files is.
    #[parameter(default = Format::Auto)]
    pub format: Format,
    /// What a missing temperature or rain in a file means.
    #[parameter(default = Missing::Refuse)]
    pub missing: Missing,
    /// The built-in table to replay.
    #[parameter(default = Dataset::Montpellier)]
    pub dataset: Dataset,
    /// Tables to blend instead: temperature, humidity, wind and clouds are their weighted means; rain and wind direction are those
    /// of one of them, drawn each day with the weights as probabilities.
    pub files: Vec<WeightedTable>,
    /// The site whose approximate climate the generator has.
    #[parameter(default = Site::Montpellier)]
    pub site: Site,
    /// Generator: standard deviation of annual rain, relative to that of years of equal wetness.
    #[parameter(unit = "prop", default = 1.35, range = 1.0..=3.0)]
    pub rain_variation: f64,
    /// Height above the ground at which the wind was measured.
    #[parameter(name = "wind_height#m", default = 2.0, range = 0.5..=200.0)]
    pub wind_height_m: f64,
    /// Replay: how the days of a season differ from those of the table. The generator varies by itself.
    pub noise: Noise,
    /// Which equations are played.
    #[parameter(default = Equations::Corrected)]
    pub equations: Equations,
    /// What the rain means; as `equations` says if nothing is said.
    pub rain: Option<Rain>,
    /// Light and heavy rain of `rain: paper`.
    pub paper_rain: PaperRain,
    /// Days that the forecast shows, today included.
    #[parameter(name = "forecast_lookahead#day", default = 5, range = 1..=30)]
    pub forecast_lookahead_days: u32,
    /// How the error of the forecast grows; as `equations` says if nothing is said.
    pub forecast: Option<ForecastErrors>,
    /// How the forecast errs.
    pub forecast_noise: ForecastNoise,
    /// Instead of `forecast_noise`: what is known of tomorrow, from 1, everything, to 0, nothing but the climate. Of a day at lead i
    /// its i-th power is known.
    #[parameter(unit = "prop", range = 0.0..=1.0)]
    pub forecast_skill: Option<f64>,
    /// How reference evapotranspiration is computed; as `equations` says if nothing is said.
    pub et0: Option<EvapotranspirationMethod>,
}

impl Weather {
    /// What the rain means.
    pub fn rain_meaning(&self) -> Rain {
        self.rain.unwrap_or(if self.equations == Equations::Paper { Rain::Paper } else { Rain::Amount })
    }

    /// How the error of the forecast grows.
    pub fn forecast_errors(&self) -> ForecastErrors {
        let printed = self.equations == Equations::Paper && self.forecast_skill.is_none();
        self.forecast.unwrap_or(if printed { ForecastErrors::Paper } else { ForecastErrors::Lead })
    }

    /// How reference evapotranspiration is computed.
    pub fn evapotranspiration_method(&self) -> EvapotranspirationMethod {
        self.et0.unwrap_or(match self.equations {
            Equations::Agronomic => EvapotranspirationMethod::PenmanMonteith,
            Equations::Corrected => EvapotranspirationMethod::Valiantzas,
            Equations::Paper => EvapotranspirationMethod::Paper,
        })
    }
}
