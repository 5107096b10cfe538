//! Parameters of the weather.

use super::datasets::Dataset;
use super::formats::{Format, Missing};
use super::generator::Site;
use crate::agronomy::Equations;

farm_core::choice! {
    /// Where the days come from.
    pub enum Source {
        /// Tables: built-in ones or files, replayed with noise.
        Replay = "replay",
        /// A generator with the climate of a site.
        Generator = "generator",
    }
}

farm_core::choice! {
    /// How the error of a forecast grows with its lead.
    pub enum ForecastErrors {
        /// Its standard deviation is that of `forecast_noise` times the days of lead.
        Lead = "lead",
        /// As the paper says: its variance is that of `noise` plus that of `forecast_noise` times the days of lead, all of them read as
        /// variances. Rain errs as with `lead`.
        Paper = "paper",
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
        /// FAO-56 Penman and Monteith, from temperature, humidity, wind and clouds.
        PenmanMonteith = "penman_monteith",
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
    /// A table of a blend.
    pub struct WeightedTable {
        /// A file to use instead of the dataset, relative to the game's folder.
        pub file: Option<String> = None;
        /// The built-in table.
        pub dataset: Dataset = Dataset::Montpellier;
        /// Its weight, relative to the others'.
        pub weight: f64 = 1.0, [0.0, 1000.0];
    }
}

farm_core::parameters! {
    /// The weather of a field.
    pub struct Weather {
        /// Where the days come from.
        pub source: Source = Source::Replay;
        /// A file to replay instead of the dataset, relative to the game's folder. A CSV table has a row for each day, 365 to a year,
        /// with the columns Tmin, T, Tmax (°C), RH (%), Rain (mm.day-1), U (wind, km.h-1) and, if known, Clouds (%),
        /// WindDirection (°) and Date. EPW, NASA POWER CSV, DSSAT .WTH and .AgMIP are read too.
        pub file: Option<String> = None;
        /// What the format of the files is.
        pub format: Format = Format::Auto;
        /// What a missing temperature or rain in a file means.
        pub missing: Missing = Missing::Refuse;
        /// The built-in table to replay.
        pub dataset: Dataset = Dataset::Montpellier;
        /// Tables to blend instead: temperature, humidity, wind and clouds are their weighted means; rain and wind direction are those
        /// of one of them, drawn each day with the weights as probabilities.
        pub files: Vec<WeightedTable> = Vec::new();
        /// The site whose approximate climate the generator has.
        pub site: Site = Site::Montpellier;
        /// Generator: standard deviation of annual rain, relative to that of years of equal wetness.
        pub rain_variation: f64 = 1.35, "rain_variation#prop", [1.0, 3.0];
        /// Height above the ground at which the wind was measured.
        pub wind_height_m: f64 = 2.0, "wind_height#m", [0.5, 200.0];
        /// Replay: how the days of a season differ from those of the table. The generator varies by itself.
        pub noise: Noise = Noise::default();
        /// Which equations are played where the sheet lists two.
        pub equations: Equations = Equations::Corrected;
        /// What the rain means; as `equations` says if nothing is said.
        pub rain: Option<Rain> = None;
        /// Light and heavy rain of `rain: paper`.
        pub paper_rain: PaperRain = PaperRain::default();
        /// Days that the forecast shows, today included.
        pub forecast_lookahead_days: u32 = 5, "forecast_lookahead#day", [1, 30];
        /// How the error of the forecast grows; as `equations` says if nothing is said.
        pub forecast: Option<ForecastErrors> = None;
        /// How the forecast errs.
        pub forecast_noise: ForecastNoise = ForecastNoise::default();
        /// Instead of `forecast_noise`: what is known of tomorrow, from 1, everything, to 0, nothing but the climate. Of a day at lead i
        /// its i-th power is known.
        pub forecast_skill: Option<f64> = None, "forecast_skill#prop", [0.0, 1.0];
        /// How reference evapotranspiration is computed; as `equations` says if nothing is said.
        pub et0: Option<EvapotranspirationMethod> = None;
    }
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
            Equations::Corrected => EvapotranspirationMethod::Valiantzas,
            Equations::Paper => EvapotranspirationMethod::Paper,
        })
    }
}
