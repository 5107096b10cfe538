//! The coming weather, redrawn from its forecast.
//!
//! A forecast with skill w and the weather of its day have a joint distribution that is symmetric. Each has the climate's distribution, and
//! their correlation is w (rain is equal with probability w, otherwise independent). So the weather is drawn from the forecast in the same
//! way as the forecast is drawn from the weather. Errors of a given width are added in the same way. Days after the forecast follow from
//! the chain. The part of its last state that the forecast does not know is redrawn. The year's wetness, which is never shown, is redrawn
//! as at the start of a year.
//!
//! Replayed tables keep their rain, in the year that the game sets. Only their noise is redrawn, when it comes. With `rain: paper`, the
//! days that the forecast shows are unchanged.

use farm_core::{Context, Purpose, Stream};

use super::forecast::{Quantity, Truth, purpose};
use super::{Air, Days, Rain, Sky};

/// The stored quantities of the coming days, in the order of [`super::generator`]'s columns, without the wind direction.
const KEPT: [Quantity; 6] = [
    Quantity::TemperatureMin,
    Quantity::TemperatureMax,
    Quantity::Humidity,
    Quantity::Clouds,
    Quantity::Wind,
    Quantity::Rain,
];

const CHAIN: Purpose = Purpose::named("chain of another future");

impl Sky {
    /// Redraws the coming days, given their forecast.
    pub(super) fn redraw(&self, before: u64, context: &Context<'_>) {
        let Days::Generator(generator) = &self.days else { return };
        let lookahead = self.parameters.forecast_lookahead_days;
        if self.parameters.rain_meaning() == Rain::Amount {
            let read = |lead: u32| {
                self.changed(generator.air(context.step() + lead, |column, place| context.get(column)[place].get()))
            };
            let mut days: Vec<Air> = (0..lookahead).map(read).collect();
            // First the forecast, then the weather that is possible given the forecast.
            for seed in [before, context.seed()] {
                days = self.forecast_days(&days, seed, context);
            }
            for (lead, day) in days.iter().enumerate().skip(1) {
                generator.keep(context.step() + lead as u32, &self.unchanged(*day), context);
            }
        }
        // The skill of the forecast for the last generated day.
        let known = match self.skill {
            Some(skill) => (1..lookahead).fold(1.0, |known, _| known * skill.air),
            None => 1.0,
        };
        let mut stream = context.stream(self.key, CHAIN);
        generator.forget(known, context.step() + lookahead.max(1) - 1, &mut stream, context);
    }

    /// The day of the generator from which a day in the changed climate comes.
    fn unchanged(&self, day: Air) -> Air {
        let cooler = self.parameters.warming_celsius;
        let rain_mm = self.parameters.rain_factor.map_or(day.rain_mm, |factor| day.rain_mm / factor);
        Air { min_celsius: day.min_celsius - cooler, max_celsius: day.max_celsius - cooler, rain_mm, ..day }
    }

    /// The days in a forecast whose errors are drawn with `seed`; today is exact.
    fn forecast_days(&self, days: &[Air], seed: u64, context: &Context<'_>) -> Vec<Air> {
        let capacity_mm = self.capacity.map_or(0.0, |column| context.value(column) / self.plot_area_m2);
        let truth = Truth {
            today: self.date(context).after(0),
            capacity_mm,
            air: |_, lead: u32| days[lead as usize],
            rain: |_, lead: u32| days[lead as usize].rain_mm,
        };
        let mut shown = days.to_vec();
        for quantity in KEPT {
            let errors = Stream::keyed(seed, self.key, context.step(), purpose(quantity));
            self.forecast_of(quantity, &truth, errors, |lead, value| {
                let day = &mut shown[lead as usize];
                match quantity {
                    Quantity::TemperatureMin => day.min_celsius = value,
                    Quantity::TemperatureMax => day.max_celsius = value,
                    Quantity::Humidity => day.humidity_percent = value,
                    Quantity::Clouds => day.clouds_percent = value,
                    Quantity::Wind => day.wind_km_per_h = value,
                    Quantity::Rain => day.rain_mm = value,
                    Quantity::TemperatureMean => day.mean_celsius = value,
                }
            });
        }
        shown
    }
}
