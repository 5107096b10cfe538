//! Mildew: a plant disease that appears in moist, mild weather, spreads on its plot, and is killed by fungicide.
//!
//! | reads | role | unit |
//! |---|---|---|
//! | today's weather | `air_temperature_mean`, `relative_humidity` | °C, % |
//! | fungicide in the plots, if any | `cide_on_mildew` | g |
//!
//! | writes | unit |
//! |---|---|
//! | diseased share of the leaves, which reduces plant growth (role `growth_hindrance`) | prop |
//!
//! # Sources and assumptions
//!
//! An epidemic within a season grows logistically (van der Plank 1963, *Plant Diseases: Epidemics and Control*): x′ = x + r x (1 − x).
//! Here, it grows only on days with mild, moist weather. The numbers have the order of magnitude of his examples and are **not
//! calibrated**.
//!
//! This crate declares the role `cide_on_mildew`. A pesticide acts on mildew with `Cide: {targets#prop: {mildew: 1}}`.

use farm_core::math::exp;
use farm_core::{Behaviour, Column, Columns, Context, Phase, Purpose};
use farm_roles::{AIR_TEMPERATURE_MEAN, GROWTH_HINDRANCE, RELATIVE_HUMIDITY};

use crate::{CIDE_ON_MILDEW, outside};

/// Mildew, which limits the growth of plants and is killed by fungicide.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Mildew {
    /// Chance that mildew comes to a healthy plot on a favourable day.
    #[parameter(name = "arrival_chance#prop", default = 0.05, range = 0.0..=1.0)]
    pub arrival: f64,
    /// Growth rate of the diseased share on a favourable day.
    #[parameter(unit = "day-1", default = 0.3, range = 0.0..=1.0)]
    pub rate: f64,
    /// Mean air temperatures at which mildew grows.
    #[parameter(name = "air_temperature#°C", default = [8.0, 26.0], range = -60.0..=70.0)]
    pub temperature: [f64; 2],
    /// Minimum mean humidity at which mildew grows.
    #[parameter(unit = "%", default = 60.0, range = 0.0..=100.0)]
    pub humidity_min: f64,
    /// Fungicide in a plot that heals a share 1 − 1/e of the diseased leaves in a day.
    #[parameter(unit = "g", default = 5.0, range = 0.001..=1e6)]
    pub lethal_fungicide: f64,
}

/// The diseased share on the first day. Below half of this share, the mildew is gone.
const FIRST_SPOTS: f64 = 0.01;

const COME: Purpose = Purpose::named("mildew that comes");

/// The mildew in a field, day by day.
#[derive(Columns)]
struct Epidemic {
    p: Mildew,
    #[stream]
    key: u64,
    /// Diseased share of the leaves of a plot.
    #[real(unit = "prop", range = 0.0..=1.0, per_plot, role = GROWTH_HINDRANCE)]
    severity: Column<f64>,
    #[one(AIR_TEMPERATURE_MEAN)]
    temperature: Column<f64>,
    #[one(RELATIVE_HUMIDITY)]
    humidity: Column<f64>,
    #[maybe(CIDE_ON_MILDEW)]
    fungicide: Option<Column<f64>>,
}

#[farm_core::register(
    entity = Mildew,
    source = "van der Plank 1963 for the form; the numbers are of this example",
    runs_in = Phase::Spread,
)]
impl Behaviour for Epidemic {
    fn tick(&self, _: Phase, c: &mut Context<'_>) {
        let is_mild = outside(c.value(self.temperature), self.p.temperature) == 0.0;
        let is_favourable = is_mild && c.value(self.humidity) >= self.p.humidity_min;
        for (plot, severity) in c.get(self.severity).iter().enumerate() {
            let ill = match severity.get() {
                ill if !is_favourable => ill,
                0.0 if c.stream(self.key, COME.at(plot)).bernoulli(self.p.arrival) => FIRST_SPOTS,
                ill => spread(ill, self.p.rate),
            };
            let fungicide = self.fungicide.map_or(0.0, |grams| c.get(grams)[plot].get());
            let left = ill * exp(-fungicide / self.p.lethal_fungicide);
            severity.set(if left < 0.5 * FIRST_SPOTS { 0.0 } else { left.min(1.0) });
        }
    }
}

/// The diseased share after a favourable day (van der Plank 1963).
///
/// x′ = x + r x (1 − x)
pub fn spread(ill: f64, rate: f64) -> f64 {
    ill + rate * ill * (1.0 - ill)
}

#[cfg(test)]
mod tests {
    use super::spread;

    #[test]
    fn an_epidemic_grows_fastest_in_its_middle_and_never_beyond_all() {
        assert_eq!([spread(0.0, 0.3), spread(1.0, 0.3)], [0.0, 1.0]);
        assert!((spread(0.5, 0.3) - 0.575).abs() < 1e-15, "by hand: 0.5 + 0.3 · 0.25");
        let gains = [0.1, 0.5, 0.9].map(|ill| spread(ill, 0.3) - ill);
        assert!(gains[1] > gains[0] && gains[1] > gains[2]);
    }
}
