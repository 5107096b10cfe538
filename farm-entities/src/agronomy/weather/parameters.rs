//! Parameters of the weather.

use super::datasets::Dataset;
use std::collections::BTreeMap;

use farm_core::config::{ParameterKind, ParameterValue};
use farm_core::serde::de::Error as _;
use farm_core::serde::ser::Error as _;
use farm_core::serde::{Deserialize, Deserializer, Serialize, Serializer};
use farm_core::serde_yaml::{Value, from_value, to_value};

use super::formats::{DateOrder, Format, Missing};
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

/// How a forecast errs, the more the longer its lead.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
pub enum ForecastErrors {
    /// Its standard deviation is that of `forecast_noise` times the days of lead.
    Lead,
    /// As the paper says: its variance is that of `noise` plus that of `forecast_noise` times the days of lead, all of them read as
    /// variances. Rain errs as with `lead`.
    Paper,
    /// As `forecast_skill` says: at every lead the forecast has the climate's means, variation and share of wet days, and less is known of
    /// the day the longer the lead.
    Climatological,
}

/// What is known of tomorrow where `forecast_skill` does not say it: with it, 0.75 of a departure from the climate on the fourth day.
///
/// The 500 hPa height forecast by ECMWF keeps an anomaly correlation of 0.8 for six to seven days, and 2 m temperatures at stations
/// err by 1.5 to 2 °C tomorrow and by 3 °C on the fifth day, where they vary by 4 °C (orders of magnitude; Haiden et al., yearly
/// evaluations of ECMWF forecasts, Technical Memoranda). The law's error is √(2·(1 − sⁱ)) times that variation: 1.5 and 3.1 °C.
const USUAL_SKILL: f64 = 0.93;
/// The same of rain: with it the day is known with the probability 0.45 on the fourth day.
///
/// The measure 1 − SEEPS of Rodwell et al. 2010 (doi 10.1002/qj.656) is linear in the probabilities of the forecasts; it is 1 for the truth
/// and 0 for a random day of the climate, and so sⁱ for this law. ECMWF's forecasts of a day's rain at stations outside of the tropics
/// fall to 0.45 after about four days (its headline score; Haiden et al., as above).
const USUAL_SKILL_OF_RAIN: f64 = 0.82;

/// What a forecast for tomorrow knows, from 0, nothing but the climate, to 1, everything.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Skill {
    /// The correlation of its departure from the climate with that of the day, rain aside.
    pub air: f64,
    /// The probability that it has the rain of the day.
    pub rain: f64,
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
    /// Valiantzas 2018, from temperature, humidity and wind; in a year a fifth above Penman and Monteith in Phoenix, an eighth below in Dakar.
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

impl Noise {
    /// No noise.
    pub const NONE: Self = Self {
        temperature_celsius: 0.0,
        humidity_percent: 0.0,
        clouds_percent: 0.0,
        wind_km_per_h: 0.0,
        direction_degrees: 0.0,
    };
}

/// The noise of replayed days, and whether the game says it: files are replayed as they are unless it does.
#[derive(Debug, Clone, Default)]
pub struct ReplayNoise {
    is_said: bool,
    noise: Noise,
}

impl ReplayNoise {
    fn all() -> Value {
        to_value(Noise::default()).unwrap_or_default()
    }
}

impl ParameterValue for ReplayNoise {
    fn kind() -> ParameterKind {
        Noise::kind()
    }
}

impl Serialize for ReplayNoise {
    /// The usual noise in full means that nothing was said; where it was said, one of its numbers does.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut value = to_value(&self.noise).map_err(S::Error::custom)?;
        if let (true, Some(mapping)) = (self.is_said && value == Self::all(), value.as_mapping_mut()) {
            mapping.retain(|key, _| key.as_str() == Some("temperature#°C"));
        }
        value.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for ReplayNoise {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        if value.is_null() {
            return Ok(Self::default());
        }
        let is_whole =
            value.as_mapping().zip(Self::all().as_mapping()).is_some_and(|(said, all)| said.len() == all.len());
        let noise: Noise = from_value(value).map_err(D::Error::custom)?;
        let is_usual = to_value(&noise).is_ok_and(|value| value == Self::all());
        let is_said = !(is_whole && is_usual);
        Ok(Self { is_said, noise })
    }
}

farm_core::free_form! {
    /// What the rain means, or where it comes from.
    pub struct RainSource = "`amount` or `paper`, or where the rain comes from: `{file: FILE}` or `{dataset: NAME}`";
}

/// A table of which only the rain is played.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct RainTable {
    /// A file, relative to the game's folder.
    pub file: Option<String>,
    /// A built-in table; not read beside a file.
    pub dataset: Option<Dataset>,
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

/// Daily temperature, humidity, wind, clouds and rain, with a forecast.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Weather {
    /// Where the days come from. If nothing is said tables are replayed; with `equations: agronomic` the datasets `montpellier` and `lille` are
    /// generated, so that every seed has a rain of its own. Files are replayed whatever the equations.
    pub source: Option<Source>,
    /// A file to replay instead of the dataset, relative to the game's folder: a table with a row for each day or hour, whose columns have
    /// names such as Date, Tmin, Tmax (°C), Rain (mm), and, if known, T (°C), RH (%), U (wind, km.h-1), SRAD (MJ.m-2), Clouds (%) and
    /// WindDirection (°); a header may name another unit, as in `U#m.s-1` or `Tmin (°F)`. Tables of NASA POWER, Open-Meteo, APSIM, AgMIP, PCSE,
    /// SILO and others are read, and EPW, DSSAT .WTH, .AgMIP and CABO. It is played as it is, from the date at which the season begins.
    pub file: Option<String>,
    /// Headers of a file's columns whose names are not known: `{Tmin: HEADER, Rain: HEADER, Date: HEADER}`.
    #[parameter(added)]
    pub columns: Option<BTreeMap<String, String>>,
    /// Which number of a file's dates comes first; if nothing is said, the one with which the rows follow each other.
    #[parameter(added)]
    pub date_order: Option<DateOrder>,
    /// The year of a file that is played; of several years one is drawn from the seed if nothing is said, and no start sets `year#int100`.
    #[parameter(added, range = 1..=9999)]
    pub year: Option<i32>,
    /// Whether a file begins anew after its last day; if nothing is said, one of a single whole year does.
    #[parameter(added)]
    pub repeat: Option<bool>,
    /// What is right about the numbers of a file though it looks odd: place, temperature, humidity, rain, wind, radiation.
    #[parameter(added)]
    pub confirmed: Option<Vec<String>>,
    /// What the format of the files is.
    #[parameter(default = Format::Auto)]
    pub format: Format,
    /// What a missing temperature or rain in a file means.
    #[parameter(default = Missing::Refuse)]
    pub missing: Missing,
    /// The built-in table to replay; or, with `equations: agronomic`, the site to generate.
    #[parameter(default = Dataset::Montpellier)]
    pub dataset: Dataset,
    /// Tables to blend instead: temperature, humidity, wind and clouds are their weighted means; rain and wind direction are those
    /// of one of them, drawn each day with the weights as probabilities.
    pub files: Vec<WeightedTable>,
    /// The site whose approximate climate the generator has; that of the dataset if nothing is said.
    pub site: Option<Site>,
    /// Generator: standard deviation of annual rain, relative to that of years of equal wetness.
    #[parameter(unit = "prop", default = 1.35, range = 1.0..=3.0)]
    pub rain_variation: f64,
    /// Added to all temperatures: another climate with the same rain, humidity, wind and clouds.
    #[parameter(name = "warming#°C", range = -60.0..=60.0)]
    pub warming_celsius: f64,
    /// Height above the ground at which the wind was measured.
    #[parameter(name = "wind_height#m", default = 2.0, range = 0.5..=200.0)]
    pub wind_height_m: f64,
    /// Replay: how the days of a season differ from those of the table. Files have none unless it is said. The generator varies by itself.
    pub noise: ReplayNoise,
    /// Which equations are played.
    #[parameter(default = Equations::Agronomic)]
    pub equations: Equations,
    /// What the rain means; as `equations` says if nothing is said. Or where it comes from, `{file: FILE}` or `{dataset: NAME}`, for files without
    /// rain.
    pub rain: Option<RainSource>,
    /// Light and heavy rain of `rain: paper`.
    pub paper_rain: PaperRain,
    /// Days that the forecast shows, today included.
    #[parameter(name = "forecast_lookahead#day", default = 5, range = 1..=30)]
    pub forecast_lookahead_days: u32,
    /// How the forecast errs; if nothing is said `equations: agronomic` has `climatological`, `corrected` `lead` and `paper` `paper`.
    pub forecast: Option<ForecastErrors>,
    /// Errors of `forecast: lead` and `forecast: paper`.
    pub forecast_noise: ForecastNoise,
    /// Instead of `forecast_noise`: what is known of tomorrow, from 1, everything, to 0, nothing but the climate. Of a day at lead i
    /// its i-th power is known. With `forecast: climatological` it is 0.93 if nothing is said, and 0.82 of rain.
    #[parameter(unit = "prop", range = 0.0..=1.0)]
    pub forecast_skill: Option<f64>,
    /// What is known of tomorrow's rain; as `forecast_skill` says if nothing is said.
    #[parameter(unit = "prop", range = 0.0..=1.0)]
    pub forecast_skill_of_rain: Option<f64>,
    /// How reference evapotranspiration is computed; if nothing is said `equations: agronomic` has `penman_monteith`, `corrected` `valiantzas`
    /// and `paper` `paper`.
    pub et0: Option<EvapotranspirationMethod>,
}

impl Weather {
    /// What the rain means.
    pub fn rain_meaning(&self) -> Rain {
        let said = self.rain.as_ref().and_then(|rain| from_value(rain.0.clone()).ok());
        said.unwrap_or(if self.equations == Equations::Paper { Rain::Paper } else { Rain::Amount })
    }

    /// The noise of replayed days: none for files, unless it is said.
    pub fn replay_noise(&self) -> Noise {
        let is_blend_of_files = !self.files.is_empty() && self.files.iter().all(|table| table.file.is_some());
        let is_file = self.file.is_some() || is_blend_of_files;
        if is_file && !self.noise.is_said { Noise::NONE } else { self.noise.noise.clone() }
    }

    /// The site whose weather is generated; none if tables are replayed.
    pub fn generated_site(&self) -> Option<Site> {
        let is_file = self.file.is_some() || !self.files.is_empty();
        match self.source {
            Some(Source::Generator) => Some(self.site.or(self.dataset.site()).unwrap_or(Site::Montpellier)),
            None if self.equations == Equations::Agronomic && !is_file => {
                self.dataset.site().map(|of_dataset| self.site.unwrap_or(of_dataset))
            }
            _ => None,
        }
    }

    /// How the forecast errs: with a skill it keeps the climate.
    pub fn forecast_errors(&self) -> ForecastErrors {
        let usual = match self.equations {
            Equations::Agronomic => ForecastErrors::Climatological,
            Equations::Corrected => ForecastErrors::Lead,
            Equations::Paper => ForecastErrors::Paper,
        };
        if self.has_skill() { ForecastErrors::Climatological } else { self.forecast.unwrap_or(usual) }
    }

    /// Whether a skill of the forecast is given.
    pub(super) fn has_skill(&self) -> bool {
        self.forecast_skill.is_some() || self.forecast_skill_of_rain.is_some()
    }

    /// What the forecast knows; none if it errs by `forecast_noise`.
    pub(super) fn skill(&self) -> Option<Skill> {
        let rain = self.forecast_skill_of_rain.or(self.forecast_skill).unwrap_or(USUAL_SKILL_OF_RAIN);
        let is_climatological = self.forecast_errors() == ForecastErrors::Climatological;
        is_climatological.then(|| Skill { air: self.forecast_skill.unwrap_or(USUAL_SKILL), rain })
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
