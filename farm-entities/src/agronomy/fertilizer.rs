//! Fertilizer: bags of nutrients that are scattered on plots and dissolve with the help of the microlife.
//!
//! | reads | role | unit |
//! |---|---|---|
//! | health of the microlife | `microlife` | % |
//!
//! | writes | unit |
//! |---|---|
//! | what lies on each plot, what was scattered in all (roles `resource_used`, `fertilizer_scattered`) | kg |
//! | what dissolves today (roles `release_N` … `release_C`) | g.day-1 |
//!
//! Source: Farm-gym paper; equation sheet II.5. The paper has no equation and the reference gives the speed in kg per
//! week although it multiplies the amount by it: here it is what it does, a share per week, and the stock falls
//! exponentially. Nutrients fall to the soil on the same day, before the plants ask.

use farm_core::action::CallArguments;
use farm_core::declare::real;
use farm_core::{Behaviour, Builder, Column, Context, Entity, Phase, Reader};
use farm_roles::{FERTILIZER_SCATTERED, MICROLIFE, RELEASE};

use super::NUTRIENTS;
use super::scatter::{GRAMS_PER_KG, MAX_KG, Scattered, scattered_picture};
use crate::agronomy::AgronomyError;

/// Bags of nutrients that dissolve where they are scattered.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Fertilizer {
    /// Share of its weight that is nitrogen.
    #[parameter(name = "N#prop", default = 0.25, range = 0.0..=1.0)]
    pub nitrogen: f64,
    /// Share of its weight that is phosphorus.
    #[parameter(name = "P#prop", default = 0.25, range = 0.0..=1.0)]
    pub phosphorus: f64,
    /// Share of its weight that is potassium.
    #[parameter(name = "K#prop", default = 0.25, range = 0.0..=1.0)]
    pub potassium: f64,
    /// Share of its weight that is carbon; what the four leave is filler without effect.
    #[parameter(name = "C#prop", default = 0.25, range = 0.0..=1.0)]
    pub carbon: f64,
    /// Share of what lies on a plot that dissolves in a week with microlife at 100 %; from 7 on all of it in a day.
    #[parameter(name = "base_absorption_speed#week-1", default = 0.4, range = 0.0..=1000.0)]
    pub absorption_speed: f64,
    /// Weight of one bag.
    #[parameter(name = "bag#kg", default = 3.0, range = 0.0..=1000.0)]
    pub bag_kg: f64,
}

#[farm_core::register(source = "Farm-gym paper; equation sheet II.5", sets = include_str!("fertilizer.yaml"))]
impl Entity for Fertilizer {
    fn build(&self, b: &mut Builder<'_>) -> Box<dyn Behaviour> {
        let contents = [self.nitrogen, self.phosphorus, self.potassium, self.carbon];
        let sum: f64 = contents.iter().sum();
        // Four decimal shares that are meant to add up to 1 may miss it by their rounding.
        if sum > 1.0 + 1e-9 {
            let path = farm_core::config::Path::default().child("N#prop");
            let problem = farm_core::config::Problem::new(
                AgronomyError::SharesAboveOne,
                path,
                "the shares of N, P, K and C add up to more than 1",
            );
            b.problem(problem.value(sum).expected("N#prop + P#prop + K#prop + C#prop at most 1"));
        }
        let scattered = Scattered::declare(b, "Fertiliser", FERTILIZER_SCATTERED, self.bag_kg);
        let released = std::array::from_fn(|x| {
            let name = format!("{}#g.day-1", RELEASE[x].name());
            let doc = format!("{} that dissolves today.", NUTRIENTS[x]);
            b.declare(real(&name, 0.0, MAX_KG * GRAMS_PER_KG, &doc).per_plot().hidden().role(RELEASE[x]))
        });
        b.picture(scattered_picture("Fertiliser", 10, include_str!("sprites/fertilizer.svg")));
        b.runs_in(Phase::Release);
        Box::new(Dissolving {
            scattered,
            released,
            contents,
            speed_per_day: self.absorption_speed / 7.0,
            microlife: b.one(MICROLIFE),
        })
    }
}

struct Dissolving {
    scattered: Scattered,
    /// In the order N, P, K, C.
    released: [Column<f64>; 4],
    contents: [f64; 4],
    speed_per_day: f64,
    microlife: Column<f64>,
}

impl Behaviour for Dissolving {
    fn act(&self, action: usize, arguments: CallArguments<'_>, c: &mut Context<'_>) {
        self.scattered.act(action, arguments, c);
    }

    fn has_effect(&self, action: usize, arguments: CallArguments<'_>, reader: &Reader<'_>) -> bool {
        self.scattered.has_effect(action, arguments, reader)
    }

    fn tick(&self, _: Phase, c: &mut Context<'_>) {
        let (microlife, released) = (c.get(self.microlife), self.released.map(|column| c.get(column)));
        self.scattered.set_free(
            c,
            |plot, amount| dissolved(amount, self.speed_per_day, microlife[plot].get()),
            |plot, kg| (0..4).for_each(|x| released[x][plot].set(GRAMS_PER_KG * self.contents[x] * kg)),
        );
    }
}

/// Fertiliser that dissolves in a day [kg day⁻¹] (equation sheet II.5).
///
/// r = min(amount, amount · k/7 · μ/100)
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
