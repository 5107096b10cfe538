//! The forecast: the coming weather, with errors whose standard deviation grows with the lead.
//!
//! The seed already determines the weather of a coming day: replayed days are recomputed, and generated days are stored. The errors come
//! from today's random streams. So two readings of the same forecast agree, but tomorrow's forecast for the same day has different errors.
//!
//! With a skill s, the forecast at lead i is c + w·(x − c) + √(1 − w²)·σ·ε, w = sⁱ. Here x is the truth, c the mean and σ the standard
//! deviation of the climate. The forecast varies like the weather, and its correlation with the truth is w. Rain is the truth with
//! probability w, otherwise the rain of a random day in the season: wet days are as frequent and as wet as in the climate. At lead 0, w is
//! 1: today is exact.

use farm_core::declare::ValueKind;
use farm_core::{Purpose, Reader, Slot, Stream, math};

use super::variables::{PERCENT, RAIN, TEMPERATURE, WIND};
use super::{Air, Date, ForecastErrors, Sky, clip};

/// A quantity of the forecast.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Quantity {
    TemperatureMean,
    TemperatureMin,
    TemperatureMax,
    Humidity,
    Clouds,
    Wind,
    Rain,
}

/// A declared forecast.
pub(super) struct Forecast {
    pub quantity: Quantity,
    pub name: &'static str,
    range: (f64, f64),
    pub doc: &'static str,
}

impl Forecast {
    pub(super) fn kind(&self) -> ValueKind {
        ValueKind::Real { low: self.range.0, high: self.range.1 }
    }
}

/// All forecasts; the position in this list is the index of the observable.
pub(super) const FORECASTS: [Forecast; 7] = [
    Forecast {
        quantity: Quantity::TemperatureMean,
        name: "forecast.air_temperature.mean#°C",
        range: TEMPERATURE,
        doc: "Forecast of the mean air temperature. The first value is for the day that has just ended and is exact. The other values are for the following days.",
    },
    Forecast {
        quantity: Quantity::TemperatureMin,
        name: "forecast.air_temperature.min#°C",
        range: TEMPERATURE,
        doc: "Forecast of the lowest air temperature. The first value is for the day that has just ended and is exact. The other values are for the following days.",
    },
    Forecast {
        quantity: Quantity::TemperatureMax,
        name: "forecast.air_temperature.max#°C",
        range: TEMPERATURE,
        doc: "Forecast of the highest air temperature. The first value is for the day that has just ended and is exact. The other values are for the following days.",
    },
    Forecast {
        quantity: Quantity::Humidity,
        name: "forecast.humidity#%",
        range: PERCENT,
        doc: "Forecast of the relative humidity. The first value is for the day that has just ended and is exact. The other values are for the following days.",
    },
    Forecast {
        quantity: Quantity::Clouds,
        name: "forecast.clouds#%",
        range: PERCENT,
        doc: "Forecast of the cloud cover. The first value is for the day that has just ended and is exact. The other values are for the following days.",
    },
    Forecast {
        quantity: Quantity::Wind,
        name: "forecast.wind.speed#km.h-1",
        range: WIND,
        doc: "Forecast of the wind speed. The first value is for the day that has just ended and is exact. The other values are for the following days.",
    },
    Forecast {
        quantity: Quantity::Rain,
        name: "forecast.rain_amount#mm.day-1",
        range: RAIN,
        doc: "Rain forecast. The first value is for the day that has just ended and is exact. The other values are for the following days.",
    },
];

// The three temperatures share their errors, so that the forecast keeps their order.
const TEMPERATURE_ERROR: Purpose = Purpose::named("forecast temperature");
const HUMIDITY_ERROR: Purpose = Purpose::named("forecast humidity");
const CLOUDS_ERROR: Purpose = Purpose::named("forecast clouds");
const WIND_ERROR: Purpose = Purpose::named("forecast wind");
const RAIN_ERROR: Purpose = Purpose::named("forecast rain");

/// Maximum probability of a wrong forecast of wet or dry; at this value the forecast has no information.
const MAX_FLIPPED: f64 = 0.5;

/// The data of a forecast: the coming days, by date and lead.
pub(super) struct Truth<A, R> {
    pub today: Date,
    pub capacity_mm: f64,
    pub air: A,
    pub rain: R,
}

impl Sky {
    /// Writes the forecast of a quantity.
    pub(super) fn forecast(&self, quantity: Quantity, reader: &Reader<'_>, out: &mut Slot<'_>) {
        let today = Date { day: reader.get(self.columns.day)[0], year: reader.get(self.columns.year)[0] };
        let capacity_mm = self.capacity.map_or(0.0, |column| reader.get(column)[0] / self.plot_area_m2);
        let errors = Stream::keyed(reader.seed(), self.key, reader.step(), purpose(quantity));
        out.set_real(0, self.today(quantity, reader));
        let truth = Truth {
            today,
            capacity_mm,
            air: |date, lead| self.coming(date, reader.step() + lead, reader, capacity_mm),
            rain: |date, lead| self.coming_rain(date, reader.step() + lead, reader, capacity_mm),
        };
        self.forecast_of(quantity, &truth, errors, |lead, value| out.set_real(lead as usize, value));
    }

    /// The forecast of a quantity, for each lead from tomorrow on.
    pub(super) fn forecast_of(
        &self,
        quantity: Quantity,
        truth: &Truth<impl Fn(Date, u32) -> Air, impl Fn(Date, u32) -> f64>,
        mut errors: Stream,
        mut out: impl FnMut(u32, f64),
    ) {
        let capacity_mm = truth.capacity_mm;
        let skill = self.skill.map(|skill| if quantity == Quantity::Rain { skill.rain } else { skill.air });
        let mut known = 1.0;
        for lead in 1..self.parameters.forecast_lookahead_days {
            let date = truth.today.after(lead);
            let air = || (truth.air)(date, lead);
            known *= skill.unwrap_or(1.0);
            let value = match quantity {
                Quantity::Rain => {
                    let rain = (truth.rain)(date, lead);
                    match skill {
                        Some(_) => self.skilled_rain(rain, date, known, &mut errors, capacity_mm),
                        None => self.forecast_rain(rain, date, lead, &mut errors, capacity_mm),
                    }
                }
                _ if skill.is_some() => self.skilled_number(quantity, &air(), date, known, &mut errors),
                _ => self.forecast_number(quantity, &air(), lead, &mut errors),
            };
            out(lead, value);
        }
    }

    /// Today's weather, from the state.
    fn today(&self, quantity: Quantity, reader: &Reader<'_>) -> f64 {
        let column = match quantity {
            Quantity::TemperatureMean => self.columns.mean,
            Quantity::TemperatureMin => self.columns.min,
            Quantity::TemperatureMax => self.columns.max,
            Quantity::Humidity => self.columns.humidity,
            Quantity::Clouds => self.columns.clouds,
            Quantity::Wind => self.columns.wind_speed,
            Quantity::Rain => self.columns.rain_amount,
        };
        reader.get(column)[0]
    }

    /// The truth with a normal error, limited to the range.
    fn forecast_number(&self, quantity: Quantity, truth: &Air, lead: u32, errors: &mut Stream) -> f64 {
        let (growth, noise) = (&self.parameters.forecast_noise, &self.noise);
        let (growth, noise) = match quantity {
            Quantity::Humidity => (growth.humidity_percent, noise.humidity_percent),
            Quantity::Clouds => (growth.clouds_percent, noise.clouds_percent),
            Quantity::Wind | Quantity::Rain => (growth.wind_km_per_h, noise.wind_km_per_h),
            _ => (growth.temperature_celsius, noise.temperature_celsius),
        };
        let deviation = match self.parameters.forecast_errors() {
            ForecastErrors::Paper => (noise + growth * f64::from(lead)).sqrt(),
            _ => growth * f64::from(lead),
        };
        let (value, range) = truth.value(quantity);
        clip(value + deviation * errors.normal(), range)
    }

    /// The share `known` of the truth's departure from the climate, and a random departure for the rest.
    fn skilled_number(&self, quantity: Quantity, truth: &Air, date: Date, known: f64, errors: &mut Stream) -> f64 {
        let usual = self.usual(date.day);
        let (mean, deviation) = match quantity {
            Quantity::TemperatureMin => (usual.celsius[0], usual.celsius_deviation),
            Quantity::TemperatureMean => (usual.celsius[1], usual.celsius_deviation),
            Quantity::TemperatureMax => (usual.celsius[2], usual.celsius_deviation),
            Quantity::Humidity => usual.humidity_percent,
            Quantity::Clouds => usual.clouds_percent,
            Quantity::Wind | Quantity::Rain => usual.wind_km_per_h,
        };
        let (value, range) = truth.value(quantity);
        let unknown = (1.0 - known * known).max(0.0).sqrt();
        clip(mean + known * (value - mean) + unknown * deviation * errors.normal(), range)
    }

    /// The truth with the probability `known`, otherwise the rain of a random day in the season.
    fn skilled_rain(&self, truth_mm: f64, date: Date, known: f64, errors: &mut Stream, capacity_mm: f64) -> f64 {
        let (is_known, dryness) = (errors.uniform() < known, errors.uniform());
        // Amount and share of wet days come from one table, because a blend may have wet and dry tables.
        let (usual, wet) = self.usual_rain(date.day, errors, capacity_mm);
        match (is_known, dryness < wet) {
            (true, _) => truth_mm,
            (false, true) => clip(usual, RAIN),
            (false, false) => 0.0,
        }
    }

    /// The forecast of rain is wet or dry, right or wrong. If it is correctly wet, the amount has an error.
    fn forecast_rain(&self, truth_mm: f64, date: Date, lead: u32, errors: &mut Stream, capacity_mm: f64) -> f64 {
        let noise = &self.parameters.forecast_noise;
        let lead = f64::from(lead);
        let flipped = errors.uniform() < (noise.rain_flip * lead).min(MAX_FLIPPED);
        let error = noise.rain_amount * lead * errors.normal();
        let (usual, _) = self.usual_rain(date.day, errors, capacity_mm);
        match (truth_mm > 0.0, flipped) {
            (true, true) | (false, false) => 0.0,
            (true, false) => clip(truth_mm * math::exp(error), RAIN),
            (false, true) => clip(usual, RAIN),
        }
    }
}

impl Air {
    /// The value of a quantity, with its range.
    fn value(&self, quantity: Quantity) -> (f64, (f64, f64)) {
        match quantity {
            Quantity::TemperatureMean => (self.mean_celsius, TEMPERATURE),
            Quantity::TemperatureMin => (self.min_celsius, TEMPERATURE),
            Quantity::TemperatureMax => (self.max_celsius, TEMPERATURE),
            Quantity::Humidity => (self.humidity_percent, PERCENT),
            Quantity::Clouds => (self.clouds_percent, PERCENT),
            Quantity::Wind => (self.wind_km_per_h, WIND),
            Quantity::Rain => (self.rain_mm, RAIN),
        }
    }
}

/// The purpose of the random stream for the errors of a quantity.
pub(super) fn purpose(quantity: Quantity) -> Purpose {
    match quantity {
        Quantity::TemperatureMean | Quantity::TemperatureMin | Quantity::TemperatureMax => TEMPERATURE_ERROR,
        Quantity::Humidity => HUMIDITY_ERROR,
        Quantity::Clouds => CLOUDS_ERROR,
        Quantity::Wind => WIND_ERROR,
        Quantity::Rain => RAIN_ERROR,
    }
}
