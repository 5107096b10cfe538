//! Fertilizer: bags of nutrients that the farmer scatters on plots. They dissolve with the help of the microlife.
//!
//! | reads | role | unit |
//! |---|---|---|
//! | health of the microlife | `microlife` | % |
//! | only with `equations: agronomic`: air temperature | `air_temperature_mean` | °C |
//! | only with `equations: agronomic`: water in the soil and its topsoil, and its limits | `soil_water`, `topsoil_water`, `wilting_water`, `water_capacity`, `saturation_water` | L |
//! | only where the soil has several layers: its topsoil, and the layers with roots | `topsoil_wilting`, `topsoil_capacity`, `topsoil_saturation`, `rooted_depletion`, `rooted_air` | L, prop |
//! | only with `equations: agronomic`: depths of the topsoil and the soil | `topsoil_depth`, `soil_depth` | m |
//!
//! | writes | unit |
//! |---|---|
//! | fertiliser on each plot; total scattered (roles `resource_used`, `fertilizer_scattered`) | kg |
//! | nutrients released today (roles `release_N` … `release_C`) | g.day-1 |
//! | only with `equations: agronomic`: nitrogen lost to the air as ammonia | g.day-1 |
//!
//! Source: Farm-gym paper; equation sheet II.5. The paper has no equation. The reference gives the speed in kg per week, but its code
//! multiplies the amount by this speed. Here the speed is therefore a share per week, and the stock falls exponentially. Nutrients reach
//! the soil on the day of their release, before the plants take them up.
//!
//! With `equations: agronomic` salts dissolve in the topsoil's water, manure and compost rot like humus, and a part of the nitrogen is lost
//! to the air ([`laws::supplies`](crate::agronomy::laws::supplies)).

use farm_core::action::CallArguments;
use farm_core::declare::Flow;
use farm_core::{Behaviour, Bind, Column, Columns, Context, Declarations, Entity, Phase, Reader};
use farm_roles::{AIR_TEMPERATURE_MEAN, FERTILIZER_SCATTERED, MICROLIFE, RELEASE};

use super::laws::supplies::{dissolving, rotting};
use super::root_zone::{SoilLayers, SoilToday};
use super::scatter::{GRAMS_PER_KG, MAX_KG, Product, Scattered, clear, scattered_picture};
use super::{Equations, NUTRIENTS};
use crate::agronomy::AgronomyError;

/// The matter of a fertiliser.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
pub enum Substance {
    /// Salts, which dissolve in moist soil.
    Mineral,
    /// Manure or compost, which rots with warmth, moisture and microlife.
    Organic,
}

/// A fertiliser for the plots. It releases its nutrients into the soil.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct Fertilizer {
    /// Share of its weight that is nitrogen.
    #[parameter(name = "N#prop", default = 0.25, range = 0.0..=1.0)]
    pub nitrogen: f64,
    /// Share of its weight that is phosphorus.
    #[parameter(name = "P#prop", default = 0.25, range = 0.0..=1.0)]
    pub phosphorus: f64,
    /// Share of its weight that is potassium.
    #[parameter(name = "K#prop", default = 0.25, range = 0.0..=1.0)]
    pub potassium: f64,
    /// Share of its weight that is carbon. The rest of the weight is filler without effect.
    #[parameter(name = "C#prop", default = 0.25, range = 0.0..=1.0)]
    pub carbon: f64,
    /// Speed of dissolving: at 100 % microlife, this value divided by 7 is the share of the fertiliser on the plot that dissolves each day,
    /// at most 1. With `equations: agronomic`, it is the speed in moist soil: for salts at any microlife, and for organic matter at 20 °C
    /// and 100 % microlife.
    #[parameter(name = "base_absorption_speed#week-1", default = 0.4, range = 0.0..=1000.0)]
    pub absorption_speed: f64,
    /// Weight of one bag.
    #[parameter(name = "bag#kg", default = 3.0, range = 0.0..=1000.0)]
    pub bag_kg: f64,
    /// The equations that the fertiliser follows; `corrected` and `paper` are the same here.
    #[parameter(default = Equations::Agronomic)]
    pub equations: Equations,
    /// The matter of the fertiliser, salts or organic. Used only with `equations: agronomic`.
    #[parameter(default = Substance::Mineral)]
    pub substance: Substance,
    /// Share of the dissolving nitrogen that is lost to the air as ammonia. Used only with `equations: agronomic`.
    #[parameter(name = "volatile_N#prop", range = 0.0..=1.0)]
    pub volatile: f64,
}

#[farm_core::register(source = "Farm-gym paper; equation sheet II.5", sets = include_str!("fertilizer.yaml"))]
impl Entity for Fertilizer {
    fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
        let contents = self.contents();
        let sum: f64 = contents.iter().sum();
        // Four decimal shares that are meant to add up to 1 may miss it by their rounding.
        if sum > 1.0 + 1e-9 {
            let path = farm_core::config::Path::default().child("N#prop");
            let problem = farm_core::config::Problem::new(
                AgronomyError::SharesAboveOne,
                path,
                "the shares of N, P, K and C add up to more than 1",
            );
            d.problem(problem.value(sum).expected("N#prop + P#prop + K#prop + C#prop at most 1"));
        }
        let dissolving = Dissolving::declare(d, self);
        d.picture(scattered_picture("Fertiliser", 10, include_str!("sprites/fertilizer.svg")));
        d.runs_in(Phase::Release);
        Bind::new(move |found| {
            let dissolving = dissolving.bind(found);
            // One of its nutrients measures the outflow; a fertiliser without nutrients has nothing to balance.
            if let Some(x) = contents.iter().position(|share| *share > 0.0) {
                let per_gram = 1.0 / (GRAMS_PER_KG * contents[x]);
                let lost = dissolving.agronomic.as_ref().filter(|_| x == 0);
                let lost = lost.map(|agronomic| Flow::outflow("lost to the air", agronomic.lost).times(per_gram));
                let released = Flow::outflow("released", dissolving.released[x]).times(per_gram);
                dissolving.scattered.set_balance(found, [released].into_iter().chain(lost));
            }
            dissolving
        })
    }
}

impl Fertilizer {
    fn product(&self) -> Product {
        Product {
            verb: "Spreads",
            what: "fertiliser",
            scattered: FERTILIZER_SCATTERED,
            bag_kg: self.bag_kg,
            done: "fertilised",
            badge: include_str!("sprites/badges/bag.svg"),
        }
    }

    /// Shares of the weight, in the order N, P, K, C.
    fn contents(&self) -> [f64; 4] {
        [self.nitrogen, self.phosphorus, self.potassium, self.carbon]
    }
}

/// Maximum release on a plot in a day.
const MAX_GRAMS: f64 = MAX_KG * GRAMS_PER_KG;

/// The data that only the `agronomic` equations need.
#[derive(Columns)]
struct Agronomic {
    fertilizer: Fertilizer,
    #[with(d.field().plot_area_m2())]
    area_m2: f64,
    /// Nitrogen that the fertiliser lost to the air as ammonia during the day.
    #[real(name = "volatilised_N#g.day-1", range = 0.0..=MAX_GRAMS, per_plot)]
    lost: Column<f64>,
    #[one(AIR_TEMPERATURE_MEAN)]
    temperature: Column<f64>,
    #[nested(())]
    soil: SoilLayers,
}

impl Agronomic {
    /// Share of the fertiliser on a plot that dissolves or rots today.
    fn leaves(&self, plot: usize, at_best: f64, microlife_percent: f64, soil: &SoilToday<'_>, c: &Context<'_>) -> f64 {
        let moisture = soil.topsoil_moisture(plot);
        match self.fertilizer.substance {
            Substance::Mineral => dissolving(at_best, moisture),
            Substance::Organic => {
                rotting(at_best, c.value(self.temperature), moisture, soil.topsoil_air(plot), microlife_percent)
            }
        }
    }
}

#[derive(Columns)]
struct Dissolving {
    fertilizer: Fertilizer,
    #[nested(fertilizer.product())]
    scattered: Scattered,
    /// Amount of {each} that the fertiliser releases on this day.
    #[real(each = NUTRIENTS, name = "release_{each}#g.day-1", range = 0.0..=MAX_GRAMS, per_plot, hidden, role = RELEASE[i])]
    released: [Column<f64>; 4],
    #[nested((fertilizer.equations == Equations::Agronomic).then(|| fertilizer.clone()))]
    agronomic: Option<Agronomic>,
    #[one(MICROLIFE)]
    microlife: Column<f64>,
    #[with(fertilizer.contents())]
    contents: [f64; 4],
}

impl Behaviour for Dissolving {
    fn act(&self, action: usize, arguments: CallArguments<'_>, c: &mut Context<'_>) {
        self.scattered.act(action, arguments, c);
    }

    fn has_effect(&self, action: usize, arguments: CallArguments<'_>, reader: &Reader<'_>) -> bool {
        self.scattered.has_effect(action, arguments, reader)
    }

    fn tick(&self, _: Phase, c: &mut Context<'_>) {
        let speed_per_day = self.fertilizer.absorption_speed / 7.0;
        let (microlife, released) = (c.get(self.microlife), self.released.map(|column| c.get(column)));
        if self.scattered.is_empty(c) {
            let lost = self.agronomic.as_ref().map(|agronomic| c.get(agronomic.lost));
            return released.into_iter().chain(lost).for_each(clear);
        }
        if let Some(agronomic) = &self.agronomic {
            let (lost, soil) = (c.get(agronomic.lost), agronomic.soil.today(agronomic.area_m2, c));
            self.scattered.set_free(
                c,
                |plot, amount| amount * agronomic.leaves(plot, speed_per_day, microlife[plot].get(), &soil, c),
                |plot, kg| {
                    let grams = self.contents.map(|share| GRAMS_PER_KG * share * kg);
                    let ammonia = agronomic.fertilizer.volatile * grams[0];
                    lost[plot].set(ammonia);
                    released[0][plot].set(grams[0] - ammonia);
                    (1..4).for_each(|x| released[x][plot].set(grams[x]));
                },
            );
            return;
        }
        self.scattered.set_free(
            c,
            |plot, amount| dissolved(amount, speed_per_day, microlife[plot].get()),
            |plot, kg| (0..4).for_each(|x| released[x][plot].set(GRAMS_PER_KG * self.contents[x] * kg)),
        );
    }
}

/// Fertiliser that dissolves in a day [kg day⁻¹] (equation sheet II.5).
///
/// r = min(amount, amount · k/7 · μ/100)
#[farm_core::equation("II.5: fertilizer release")]
#[inline]
pub fn dissolved(amount_kg: f64, speed_per_day: f64, microlife_percent: f64) -> f64 {
    amount_kg.min(amount_kg * speed_per_day * microlife_percent / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fertilizer_release_is_a_share_of_the_stock_that_microlife_slows() {
        assert!((dissolved(7.0, 0.5 / 7.0, 100.0) - 0.5).abs() < 1e-15, "7 kg at half a week's worth: 500 g a day");
        assert!((dissolved(7.0, 0.5 / 7.0, 40.0) - 0.2).abs() < 1e-15);
        assert_eq!(dissolved(7.0, 0.5 / 7.0, 0.0), 0.0, "nothing dissolves in dead soil");
        assert_eq!(dissolved(0.0, 0.5 / 7.0, 100.0), 0.0);
        assert_eq!(dissolved(7.0, 3.0, 100.0), 7.0, "never more than there is");
    }

    #[test]
    fn fertilizer_stock_halves_after_the_time_of_first_order_decay() {
        // ln ½ / ln(1 − 0.07/7) = 68.97 days.
        let mut amount = 1.0;
        let days = (1..).find(|_| {
            amount -= dissolved(amount, 0.07 / 7.0, 100.0);
            amount < 0.5
        });
        assert_eq!(days, Some(69));
    }
}
