//! The forecast: what will be, with errors whose standard deviation grows with the lead.
//!
//! The weather of a coming day is already decided by the seed, so it is computed anew and never stored. The errors come from
//! streams of today: two looks at the same forecast agree, tomorrow's forecast for the same day errs in another way.

use farm_core::Reader;
use farm_core::declare::ValueKind;
use farm_core::math;
use farm_core::observation::Slot;
use farm_core::rng::{Purpose, Stream};

use super::table::Day;
use super::variables::{DAYS_PER_YEAR, PERCENT, RAIN, TEMPERATURE, WIND};
use super::{Air, DAILY, Date, Rain, Sky, clip};

/// What is forecast.
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
    pub fn kind(&self) -> ValueKind {
        ValueKind::Real { low: self.range.0, high: self.range.1 }
    }
}

/// All forecasts; the place in this list is the index of the observable.
pub(super) const FORECASTS: [Forecast; 7] = [
    Forecast {
        quantity: Quantity::TemperatureMean,
        name: "forecast.air_temperature.mean#°C",
        range: TEMPERATURE,
        doc: "Mean air temperature forecast for today (exact), tomorrow and so on.",
    },
    Forecast {
        quantity: Quantity::TemperatureMin,
        name: "forecast.air_temperature.min#°C",
        range: TEMPERATURE,
        doc: "Lowest air temperature forecast for today (exact), tomorrow and so on.",
    },
    Forecast {
        quantity: Quantity::TemperatureMax,
        name: "forecast.air_temperature.max#°C",
        range: TEMPERATURE,
        doc: "Highest air temperature forecast for today (exact), tomorrow and so on.",
    },
    Forecast {
        quantity: Quantity::Humidity,
        name: "forecast.humidity#%",
        range: PERCENT,
        doc: "Relative humidity forecast for today (exact), tomorrow and so on.",
    },
    Forecast {
        quantity: Quantity::Clouds,
        name: "forecast.clouds#%",
        range: PERCENT,
        doc: "Clouds forecast for today (exact), tomorrow and so on.",
    },
    Forecast {
        quantity: Quantity::Wind,
        name: "forecast.wind.speed#km.h-1",
        range: WIND,
        doc: "Wind speed forecast for today (exact), tomorrow and so on.",
    },
    Forecast {
        quantity: Quantity::Rain,
        name: "forecast.rain_amount#mm.day-1",
        range: RAIN,
        doc: "Rain forecast for today (exact), tomorrow and so on.",
    },
];

// The three temperatures share their errors, so that their order holds in the forecast too.
const TEMPERATURE_ERROR: Purpose = Purpose::named("forecast temperature");
const HUMIDITY_ERROR: Purpose = Purpose::named("forecast humidity");
const CLOUDS_ERROR: Purpose = Purpose::named("forecast clouds");
const WIND_ERROR: Purpose = Purpose::named("forecast wind");
const RAIN_ERROR: Purpose = Purpose::named("forecast rain");

/// Most probable that a forecast can be wrong about wet or dry: then it says nothing.
const MOST_FLIPPED: f64 = 0.5;

impl Sky {
    /// Writes the forecast of a quantity.
    pub(super) fn forecast(&self, quantity: Quantity, reader: &Reader<'_>, out: &mut Slot<'_>) {
        let today = Date { day: reader.get(self.columns.day)[0], year: reader.get(self.columns.year)[0] };
        let capacity_mm = self.capacity.map_or(0.0, |column| reader.get(column)[0] / self.plot_area_m2);
        let mut errors = Stream::keyed(reader.seed, self.key, reader.step, purpose(quantity));
        out.set_real(0, self.today(quantity, reader));
        for lead in 1..self.parameters.forecast_lookahead_days {
            let date = today.after(lead);
            let air = || self.air(date, Stream::keyed(reader.seed, self.key, reader.step + lead, DAILY), capacity_mm);
            let value = match (quantity, self.parameters.rain) {
                // The table's own rain has no noise, so that nothing needs to be drawn for it.
                (Quantity::Rain, Rain::Amount) => {
                    self.forecast_rain(clip(self.row(date).rain_mm, RAIN), date, lead, &mut errors, capacity_mm)
                }
                (Quantity::Rain, Rain::Paper) => {
                    self.forecast_rain(air().rain_mm, date, lead, &mut errors, capacity_mm)
                }
                _ => self.forecast_number(quantity, &air(), lead, &mut errors),
            };
            out.set_real(lead as usize, value);
        }
    }

    /// What is written down as today's weather.
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

    /// The truth with a normal error whose standard deviation is proportional to the lead, cut off at the range.
    fn forecast_number(&self, quantity: Quantity, truth: &Air, lead: u32, errors: &mut Stream) -> f64 {
        let noise = &self.parameters.forecast_noise;
        let (value, deviation, range) = match quantity {
            Quantity::TemperatureMean => (truth.mean_celsius, noise.temperature_celsius, TEMPERATURE),
            Quantity::TemperatureMin => (truth.min_celsius, noise.temperature_celsius, TEMPERATURE),
            Quantity::TemperatureMax => (truth.max_celsius, noise.temperature_celsius, TEMPERATURE),
            Quantity::Humidity => (truth.humidity_percent, noise.humidity_percent, PERCENT),
            Quantity::Clouds => (truth.clouds_percent, noise.clouds_percent, PERCENT),
            Quantity::Wind | Quantity::Rain => (truth.wind_km_per_h, noise.wind_km_per_h, WIND),
        };
        clip(value + deviation * f64::from(lead) * errors.normal(), range)
    }

    /// Rain is forecast wet or dry, right or wrong, and if rightly wet with an error in the amount.
    fn forecast_rain(&self, truth_mm: f64, date: Date, lead: u32, errors: &mut Stream, capacity_mm: f64) -> f64 {
        let noise = &self.parameters.forecast_noise;
        let lead = f64::from(lead);
        let flipped = errors.uniform() < (noise.rain_flip * lead).min(MOST_FLIPPED);
        let error = noise.rain_amount * lead * errors.normal();
        let usual = self.wet_days.draw(date.day, errors);
        let usual = match self.parameters.rain {
            Rain::Amount => usual,
            Rain::Paper => self.rain(usual, errors, capacity_mm).0,
        };
        match (truth_mm > 0.0, flipped) {
            (true, true) | (false, false) => 0.0,
            (true, false) => clip(truth_mm * math::exp(error), RAIN),
            (false, true) => clip(usual, RAIN),
        }
    }
}

fn purpose(quantity: Quantity) -> Purpose {
    match quantity {
        Quantity::TemperatureMean | Quantity::TemperatureMin | Quantity::TemperatureMax => TEMPERATURE_ERROR,
        Quantity::Humidity => HUMIDITY_ERROR,
        Quantity::Clouds => CLOUDS_ERROR,
        Quantity::Wind => WIND_ERROR,
        Quantity::Rain => RAIN_ERROR,
    }
}

/// The amounts of all wet days of a table, by twelfth of the year: the climate that a wrong forecast of rain draws from.
#[derive(Debug)]
pub(super) struct WetDays {
    amounts_mm: Vec<f64>,
    /// Where each twelfth begins in `amounts_mm`; a thirteenth one, which has no days, marks the end.
    starts: [usize; 13],
}

impl WetDays {
    pub fn new(days: &[Day]) -> Self {
        let mut amounts_mm = Vec::new();
        let mut starts = [0; 13];
        for (part, start) in starts.iter_mut().enumerate() {
            *start = amounts_mm.len();
            let dated = days.iter().enumerate().map(|(i, day)| ((i % DAYS_PER_YEAR as usize) as i32, day.rain_mm));
            amounts_mm.extend(dated.filter(|(day, rain)| twelfth(*day) == part && *rain > 0.0).map(|(_, rain)| rain));
        }
        Self { amounts_mm, starts }
    }

    /// The amount of a wet day of the season; of any wet day if the season has none; 0 if it never rains.
    pub fn draw(&self, day: i32, stream: &mut Stream) -> f64 {
        let part = twelfth(day);
        let season = &self.amounts_mm[self.starts[part]..self.starts[part + 1]];
        let amounts = if season.is_empty() { &self.amounts_mm } else { season };
        amounts.get(stream.index(amounts.len() as u32) as usize).copied().unwrap_or(0.0)
    }
}

fn twelfth(day: i32) -> usize {
    (day * 12 / DAYS_PER_YEAR) as usize
}
