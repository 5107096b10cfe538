//! Parameters of the weather.

use super::datasets::Dataset;
use std::collections::BTreeMap;

use farm_core::config::{ParameterKind, ParameterValue};
use farm_core::serde::de::Error as _;
use farm_core::serde::ser::Error as _;
use farm_core::serde::{Deserialize, Deserializer, Serialize, Serializer};
use farm_core::serde_yaml::{Value, from_value, to_value};

use super::formats::{DateOrder, Format, Missing};
use super::generator::{Climate, Site};
use crate::agronomy::Equations;

/// The source of the days.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
pub enum Source {
    /// Built-in tables or files, replayed with noise.
    Replay,
    /// A generator with the climate of a site.
    Generator,
}

/// The errors of a forecast, which grow with its lead.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
pub enum ForecastErrors {
    /// The standard deviation of the error is `forecast_noise` times the days of lead.
    Lead,
    /// As in the paper: the variance of the error is `noise` plus `forecast_noise` times the days of lead, with both read as
    /// variances. The errors of rain are as with `lead`.
    Paper,
    /// The errors follow `forecast_skill`. At every lead, the forecast has the means, variation and share of wet days of the climate. Its
    /// knowledge of the day falls with the lead.
    Climatological,
}

/// The default of `forecast_skill`. With it, the forecast knows 0.75 of a departure from the climate on the fourth day.
///
/// The 500 hPa height forecast by ECMWF keeps an anomaly correlation of 0.8 for six to seven days. Forecasts of 2 m temperatures at
/// stations err by 1.5 to 2 °C tomorrow and 3 °C on the fifth day. The weather varies by 4 °C (orders of magnitude; Haiden et al., yearly
/// evaluations of ECMWF forecasts, Technical Memoranda). The error of this law is √(2·(1 − sⁱ)) times that variation: 1.5 and 3.1 °C.
const USUAL_SKILL: f64 = 0.93;
/// The default of the skill for rain. With it, the forecast has the rain of the fourth day with probability 0.45.
///
/// The measure 1 − SEEPS of Rodwell et al. 2010 (doi 10.1002/qj.656) is linear in the probabilities of the forecasts. It is 1 for the truth
/// and 0 for a random day from the climate, and therefore sⁱ for this law. ECMWF's forecasts of a day's rain at stations outside the
/// tropics have a skill of 0.45 after about four days (ECMWF's headline score; Haiden et al., as above).
const USUAL_SKILL_OF_RAIN: f64 = 0.82;

/// The skill of a forecast for tomorrow, from 0 (knows only the climate) to 1 (exact).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Skill {
    /// The correlation between the forecast's departure from the climate and the day's departure, for all quantities except rain.
    pub air: f64,
    /// The probability that the forecast has the day's true rain.
    pub rain: f64,
}

/// The meaning of the table's rain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
pub enum Rain {
    /// Millimetres per day.
    Amount,
    /// Whether it rains, as in the paper: light rain is up to half of the soil's capacity, heavy rain all of it.
    Paper,
}

/// The equation for reference evapotranspiration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
pub enum EvapotranspirationMethod {
    /// Valiantzas 2018, from temperature, humidity and wind. Over a year it is a fifth above Penman and Monteith in Phoenix and an eighth
    /// below in Dakar.
    Valiantzas,
    /// FAO-56 Penman and Monteith, from temperature, humidity, wind and clouds.
    PenmanMonteith,
    /// Hargreaves and Samani, from temperature only.
    Hargreaves,
    /// The paper's Eq. 23 as printed, which is almost twice too large. Use it only for comparisons.
    Paper,
}

/// Standard deviations of the random differences from the days of the table; 0 replays the table.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct Noise {
    /// Standard deviation of the temperatures: lowest, mean and highest change together.
    #[parameter(name = "temperature#°C", default = 1.5, range = 0.0..=20.0)]
    pub temperature_celsius: f64,
    /// Standard deviation of the relative humidity.
    #[parameter(name = "humidity#%", default = 5.0, range = 0.0..=100.0)]
    pub humidity_percent: f64,
    /// Standard deviation of the clouds.
    #[parameter(name = "clouds#%", default = 10.0, range = 0.0..=100.0)]
    pub clouds_percent: f64,
    /// Standard deviation of the wind speed.
    #[parameter(name = "wind_speed#km.h-1", default = 2.0, range = 0.0..=100.0)]
    pub wind_km_per_h: f64,
    /// Standard deviation of the wind direction.
    #[parameter(name = "wind_direction#°", default = 20.0, range = 0.0..=360.0)]
    pub direction_degrees: f64,
}

impl Noise {
    /// No noise.
    pub(super) const NONE: Self = Self {
        temperature_celsius: 0.0,
        humidity_percent: 0.0,
        clouds_percent: 0.0,
        wind_km_per_h: 0.0,
        direction_degrees: 0.0,
    };
}

/// The noise of replayed days, and whether the game sets it. Otherwise files are replayed without noise.
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
    /// The full default noise means that the game does not set it. If the game sets the default values, only one of the numbers is written.
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
    /// The meaning or the source of the rain.
    pub struct RainSource = "`amount`, `paper`, or a source of the rain: `{file: FILE}` or `{dataset: NAME}`";
}

/// A table from which only the rain is played.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct RainTable {
    /// A file, relative to the game's folder.
    pub file: Option<String>,
    /// A built-in table. Not used if `file` is set.
    pub dataset: Option<Dataset>,
}

/// Errors of the forecast, for each day of lead. At a lead of five days, the errors are five times as large.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct ForecastNoise {
    /// Standard deviation of the temperatures for each day of lead. Lowest, mean and highest have the same error.
    #[parameter(name = "temperature#°C.day-1", default = 0.5, range = 0.0..=20.0)]
    pub temperature_celsius: f64,
    /// Standard deviation of the relative humidity for each day of lead.
    #[parameter(name = "humidity#%.day-1", default = 2.0, range = 0.0..=100.0)]
    pub humidity_percent: f64,
    /// Standard deviation of the clouds for each day of lead.
    #[parameter(name = "clouds#%.day-1", default = 5.0, range = 0.0..=100.0)]
    pub clouds_percent: f64,
    /// Standard deviation of the wind speed for each day of lead.
    #[parameter(name = "wind_speed#km.h-1.day-1", default = 1.0, range = 0.0..=100.0)]
    pub wind_km_per_h: f64,
    /// Standard deviation of the logarithm of the amount of rain for each day of lead.
    #[parameter(unit = "day-1", default = 0.2, range = 0.0..=2.0)]
    pub rain_amount: f64,
    /// Probability for each day of lead that the forecast exchanges wet and dry. The probability is at most one half.
    #[parameter(unit = "day-1", default = 0.05, range = 0.0..=0.5)]
    pub rain_flip: f64,
}

/// The paper's light and heavy rain. Used only with `rain: paper`.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct PaperRain {
    /// Probability that the rain of a wet day is light.
    #[parameter(unit = "prop", default = 0.5, range = 0.0..=1.0)]
    pub light_probability: f64,
    /// Intensity of light rain, for the leaching of nutrients.
    #[parameter(unit = "prop", default = 0.01, range = 0.0..=1.0)]
    pub light_intensity: f64,
    /// Intensity of heavy rain, for the leaching of nutrients.
    #[parameter(unit = "prop", default = 0.1, range = 0.0..=1.0)]
    pub heavy_intensity: f64,
}

/// A table of a blend.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct WeightedTable {
    /// A file to use instead of the dataset, relative to the game's folder.
    pub file: Option<String>,
    /// The built-in table. Not used if `file` is set.
    #[parameter(default = Dataset::Montpellier)]
    pub dataset: Dataset,
    /// Weight of the table, relative to the weights of the others.
    #[parameter(default = 1.0, range = 0.0..=1000.0)]
    pub weight: f64,
}

/// Daily temperature, humidity, wind, clouds and rain, with a forecast.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct Weather {
    /// Source of the days. Default: with `equations: agronomic`, the datasets `montpellier` and `lille` are generated, so that each seed
    /// has its own rain; all other days are replayed. Files are replayed by default with all equations.
    pub source: Option<Source>,
    /// A file to replay instead of the dataset, relative to the game's folder. It is a table with a row for each day or hour. Columns have
    /// names such as Date, Tmin, Tmax (°C), Rain (mm) and, if known, T (°C), RH (%), U (wind, km.h-1), SRAD (MJ.m-2), Clouds (%) and
    /// WindDirection (°). A header may name another unit, as in `U#m.s-1` or `Tmin (°F)`. Other formats: tables of NASA POWER, Open-Meteo,
    /// APSIM, AgMIP, PCSE, SILO and others, and EPW, DSSAT .WTH, .AgMIP and CABO. The season starts at the row with the date of its first
    /// day.
    pub file: Option<String>,
    /// Headers of columns in a file with unknown names: `{Tmin: HEADER, Rain: HEADER, Date: HEADER}`.
    #[parameter(added)]
    pub columns: Option<BTreeMap<String, String>>,
    /// Order of the numbers in the dates of a file. Default: the order in which the rows are consecutive.
    #[parameter(added)]
    pub date_order: Option<DateOrder>,
    /// The year of a file to play. Default: a year of the file, drawn with the seed, unless the start sets `year#int100`.
    #[parameter(added, range = 1..=9999)]
    pub year: Option<i32>,
    /// Whether a file repeats after its last day. Default: only a file of exactly one year (365 days) repeats.
    #[parameter(added)]
    pub repeat: Option<bool>,
    /// Values of a file that are right although they seem implausible: `place`, `temperature`, `humidity`, `rain`, `wind`, `radiation`.
    #[parameter(added)]
    pub confirmed: Option<Vec<String>>,
    /// Format of the files.
    #[parameter(default = Format::Auto)]
    pub format: Format,
    /// Treatment of missing temperature or rain in a file: an error (`refuse`), or filled gaps (`interpolate`).
    #[parameter(default = Missing::Refuse)]
    pub missing: Missing,
    /// The built-in table to replay. With `source: generator`, or by default with `equations: agronomic`, the site to generate.
    #[parameter(default = Dataset::Montpellier)]
    pub dataset: Dataset,
    /// Tables to blend instead of the dataset. Temperature, humidity, wind and clouds are weighted means. Rain and wind direction come from
    /// one of the tables, drawn each day with the weights as probabilities.
    pub files: Vec<WeightedTable>,
    /// The site of the generator, with its approximate climate. Default: the site of the dataset.
    pub site: Option<Site>,
    /// Generator: months of a place of your own, and the memory of its weather. Default: the months of the site, with the memory of the
    /// days of Wageningen.
    #[parameter(added)]
    pub climate: Option<Climate>,
    /// Generator: standard deviation of annual rain, relative to a climate whose years all have the same wetness.
    #[parameter(unit = "prop", default = 1.35, range = 1.0..=3.0)]
    pub rain_variation: f64,
    /// Change of all temperatures. Rain, relative humidity, wind and clouds stay the same; reference evapotranspiration follows.
    #[parameter(name = "warming#°C", range = -60.0..=60.0)]
    pub warming_celsius: f64,
    /// Factor of the rain on each day (0.9: a tenth less). The number of days with rain stays the same. Not used with `rain: paper`.
    #[parameter(added, unit = "prop", range = 0.01..=10.0)]
    pub rain_factor: Option<f64>,
    /// Carbon dioxide in the air, for plants with the agronomic equations. Default: 350 ppm, at which they are calibrated.
    #[parameter(added, unit = "ppm", range = 150.0..=2000.0)]
    pub co2: Option<f64>,
    /// Height above the ground at which the wind was measured.
    #[parameter(name = "wind_height#m", default = 2.0, range = 0.5..=200.0)]
    pub wind_height_m: f64,
    /// Replay: standard deviations of the random differences from the days of the table. Default: no noise for files. The generator does
    /// not use it.
    pub noise: ReplayNoise,
    /// The equations that the weather follows. They set the defaults of `source`, `rain`, `forecast` and `et0`.
    #[parameter(default = Equations::Agronomic)]
    pub equations: Equations,
    /// Meaning of the rain: `amount` or `paper`. Default: `paper` with `equations: paper`, otherwise `amount`. For files without rain, set
    /// its source instead: `{file: FILE}` or `{dataset: NAME}`.
    pub rain: Option<RainSource>,
    /// Light and heavy rain. Used only with `rain: paper`.
    pub paper_rain: PaperRain,
    /// Number of days that the forecast shows, including today.
    #[parameter(name = "forecast_lookahead#day", default = 5, range = 1..=30)]
    pub forecast_lookahead_days: u32,
    /// Errors of the forecast. Default: `climatological` with `equations: agronomic`, `lead` with `corrected`, `paper` with `paper`.
    pub forecast: Option<ForecastErrors>,
    /// Size of the errors with `forecast: lead` and `forecast: paper`.
    pub forecast_noise: ForecastNoise,
    /// Skill of the forecast for tomorrow, from 0 (only the climate) to 1 (exact). At a lead of i days, the skill is the i-th power of this
    /// value. If it is set, `forecast` is `climatological`. Default with `forecast: climatological`: 0.93, and 0.82 for rain.
    #[parameter(unit = "prop", range = 0.0..=1.0)]
    pub forecast_skill: Option<f64>,
    /// Skill of the forecast of tomorrow's rain: the probability that the forecast has the rain of the day. Default: `forecast_skill#prop`
    /// if set, otherwise 0.82.
    #[parameter(unit = "prop", range = 0.0..=1.0)]
    pub forecast_skill_of_rain: Option<f64>,
    /// Equation for reference evapotranspiration. Default: `penman_monteith` with `equations: agronomic`, `valiantzas` with `corrected`,
    /// `paper` with `paper`.
    pub et0: Option<EvapotranspirationMethod>,
}

impl Weather {
    /// The meaning of the rain.
    pub(super) fn rain_meaning(&self) -> Rain {
        let said = self.rain.as_ref().and_then(|rain| from_value(rain.0.clone()).ok());
        said.unwrap_or(if self.equations == Equations::Paper { Rain::Paper } else { Rain::Amount })
    }

    /// The noise of replayed days: none for files, unless the game sets it.
    pub(super) fn replay_noise(&self) -> Noise {
        let is_blend_of_files = !self.files.is_empty() && self.files.iter().all(|table| table.file.is_some());
        let is_file = self.file.is_some() || is_blend_of_files;
        if is_file && !self.noise.is_said { Noise::NONE } else { self.noise.noise.clone() }
    }

    /// The site whose weather is generated; `None` if tables are replayed.
    pub(super) fn generated_site(&self) -> Option<Site> {
        let is_file = self.file.is_some() || !self.files.is_empty();
        match self.source {
            Some(Source::Generator) => Some(self.site.or(self.dataset.site()).unwrap_or(Site::Montpellier)),
            None if self.equations == Equations::Agronomic && !is_file => {
                self.dataset.site().map(|of_dataset| self.site.unwrap_or(of_dataset))
            }
            _ => None,
        }
    }

    /// The errors of the forecast: `climatological` if a skill is set.
    pub(super) fn forecast_errors(&self) -> ForecastErrors {
        let usual = match self.equations {
            Equations::Agronomic => ForecastErrors::Climatological,
            Equations::Corrected => ForecastErrors::Lead,
            Equations::Paper => ForecastErrors::Paper,
        };
        if self.has_skill() { ForecastErrors::Climatological } else { self.forecast.unwrap_or(usual) }
    }

    /// Whether a skill of the forecast is set.
    pub(super) fn has_skill(&self) -> bool {
        self.forecast_skill.is_some() || self.forecast_skill_of_rain.is_some()
    }

    /// The skill of the forecast; `None` if its errors follow `forecast_noise`.
    pub(super) fn skill(&self) -> Option<Skill> {
        let rain = self.forecast_skill_of_rain.or(self.forecast_skill).unwrap_or(USUAL_SKILL_OF_RAIN);
        let is_climatological = self.forecast_errors() == ForecastErrors::Climatological;
        is_climatological.then(|| Skill { air: self.forecast_skill.unwrap_or(USUAL_SKILL), rain })
    }

    /// The equation for reference evapotranspiration.
    pub(super) fn evapotranspiration_method(&self) -> EvapotranspirationMethod {
        self.et0.unwrap_or(match self.equations {
            Equations::Agronomic => EvapotranspirationMethod::PenmanMonteith,
            Equations::Corrected => EvapotranspirationMethod::Valiantzas,
            Equations::Paper => EvapotranspirationMethod::Paper,
        })
    }
}
