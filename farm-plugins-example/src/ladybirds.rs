//! Ladybirds: they fly in where there are pests, eat them, and leave when they starve.
//!
//! | reads | role | unit |
//! |---|---|---|
//! | today's temperature | `air_temperature_mean` | °C |
//! | the previous day's pests on plants and weeds, minus those that are too large to eat | `pests_on_host`, `grazers_on_hosts` | nb |
//! | pesticide on the plots, if any | `cide_on_pests` | g |
//!
//! | writes | unit |
//! |---|---|
//! | ladybirds in the field, and the pests that they eat in a day | nb, nb.day-1 |
//! | the number of birds that would eat as many pests (role `pest_eaters`) | nb |
//!
//! # Sources and assumptions
//!
//! A predator's meals saturate with its prey (Holling 1959, *The Canadian Entomologist* 91, type II). Its number follows the prey by
//! immigration and emigration. Adults of the seven-spot ladybird (*Coccinella septempunctata*) eat dozens of aphids a day and stay in
//! shelter below about 12 °C (Hodek, van Emden & Honěk 2012, *Ecology and Behaviour of the Ladybird Beetles*). Ladybirds do not breed in
//! this model: within one season on one field, immigration and emigration outweigh breeding. The numbers have that order of magnitude and
//! are **not calibrated**.
//!
//! Ladybirds run in the phase `release`, before hosts reset the pest counts in `demand`. So they read the previous day's counts.

use farm_core::action::CallArguments;
use farm_core::declare::ActionParameter;
use farm_core::math::exp;
use farm_core::{Behaviour, Bind, Column, Columns, Context, Declarations, Entity, Phase, Purpose, Reader};
use farm_roles::{AIR_TEMPERATURE_MEAN, CIDE_ON_PESTS, PEST_EATERS, PESTS_ON_HOST};

use crate::GRAZERS_ON_HOSTS;

/// Ladybirds that come where there are pests, and eat them.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct Ladybirds {
    /// Number of ladybirds in the field at the start of an episode.
    #[parameter(unit = "nb", range = 0..=MOST)]
    pub initial_population: u32,
    /// Share of the pests of the field that a ladybird would find in a day if it ate nothing.
    #[parameter(unit = "day-1", default = 0.3, range = 0.0..=100.0)]
    pub searching: f64,
    /// Pests that a ladybird eats in a day if there are enough.
    #[parameter(unit = "day-1", default = 30.0, range = 0.1..=1000.0)]
    pub most_eaten: f64,
    /// Number of pests that a bird eats in a day. Ladybirds that together eat this number count as one bird.
    #[parameter(unit = "day-1", default = 5.0, range = 0.1..=1000.0)]
    pub bird_meals: f64,
    /// Maximum number of ladybirds that fly in on a day, reached with many pests.
    #[parameter(name = "max_arrivals#nb.day-1", default = 3, range = 0..=1000)]
    pub arrivals: u32,
    /// Number of pests in the field at which half of `max_arrivals#nb.day-1` fly in on average.
    #[parameter(unit = "nb", default = 10.0, range = 0.1..=1e6)]
    pub attractive: f64,
    /// Chance that a ladybird without food leaves on a day.
    #[parameter(name = "leaving_chance#prop", default = 0.3, range = 0.0..=1.0)]
    pub leaving: f64,
    /// Mean air temperature below which ladybirds neither fly nor eat.
    #[parameter(name = "air_temperature_min#°C", default = 12.0, range = -60.0..=70.0)]
    pub temperature_min: f64,
    /// Mean pesticide on a plot that kills a share 1 − 1/e of the ladybirds in a day.
    #[parameter(unit = "g", default = 0.5, range = 0.001..=1e6)]
    pub lethal_pesticide: f64,
}

/// Maximum number of ladybirds in a field.
const MOST: u32 = 100_000;

const COME: Purpose = Purpose::named("ladybirds that come");
const GO: Purpose = Purpose::named("ladybirds that die or leave");

#[farm_core::register(
    source = "Holling 1959; Hodek, van Emden & Honěk 2012 for the form; the numbers are of this example",
    sets = include_str!("ladybirds.yaml"),
)]
impl Entity for Ladybirds {
    fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
        let declared = Flight::declare(d, self);
        let number = ActionParameter::real("amount#nb", 0.0, 1000.0, &[10.0, 50.0], "How many, rounded down.");
        d.action("release", vec![number], "Releases ladybirds that were bought.");
        d.runs_in(Phase::Release);
        Bind::new(move |found| declared.bind(found))
    }
}

/// The ladybirds in a field, day by day.
#[derive(Columns)]
struct Flight {
    p: Ladybirds,
    #[stream]
    key: u64,
    /// Ladybirds of the field.
    #[count(unit = "nb", range = 0..=MOST as i32, default = f64::from(p.initial_population))]
    population: Column<i32>,
    /// Pests that the ladybirds can eat today.
    #[real(unit = "nb.day-1", range = 0.0..=1e9)]
    eaten: Column<f64>,
    /// Number of birds that would eat the same number of pests.
    #[count(name = "pest_eaters#nb", range = 0..=MOST as i32, hidden, role = PEST_EATERS)]
    eaters: Column<i32>,
    #[all(PESTS_ON_HOST)]
    prey: Vec<Column<i32>>,
    #[all(GRAZERS_ON_HOSTS)]
    grazers: Vec<Column<i32>>,
    #[one(AIR_TEMPERATURE_MEAN)]
    temperature: Column<f64>,
    #[maybe(CIDE_ON_PESTS)]
    pesticide: Option<Column<f64>>,
}

impl Behaviour for Flight {
    fn act(&self, _: usize, arguments: CallArguments<'_>, c: &mut Context<'_>) {
        let here = &c.get(self.population)[0];
        here.set(here.get().saturating_add(arguments.real(0) as i32).min(MOST as i32));
    }

    fn has_effect(&self, _: usize, arguments: CallArguments<'_>, reader: &Reader<'_>) -> bool {
        arguments.real(0) >= 1.0 && reader.get(self.population)[0] < MOST as i32
    }

    fn tick(&self, _: Phase, c: &mut Context<'_>) {
        let prey = (sum(&self.prey, c) - sum(&self.grazers, c)).max(0) as f64;
        let is_warm = c.value(self.temperature) >= self.p.temperature_min;
        let meals = if is_warm { meals(&self.p, prey) } else { 0.0 };
        let left = self.go(is_warm, meals, c);
        let here = (left + if is_warm { self.come(prey, c) } else { 0 }).min(MOST);
        c.get(self.population)[0].set(here as i32);
        let eaten = f64::from(here) * meals;
        c.get(self.eaten)[0].set(eaten);
        c.get(self.eaters)[0].set(((eaten / self.p.bird_meals) as i32).min(MOST as i32));
    }
}

impl Flight {
    /// The ladybirds that survive the pesticide and stay.
    fn go(&self, is_warm: bool, meals: f64, c: &Context<'_>) -> u32 {
        let here = c.value(self.population).max(0) as u32;
        if here == 0 {
            return 0;
        }
        let mut stream = c.stream(self.key, GO);
        let pesticide = self.pesticide.map_or(0.0, |column| mean(c.get(column).iter().map(|grams| grams.get())));
        let alive = here - stream.binomial(here, poisoned_share(pesticide, self.p.lethal_pesticide));
        let hungry = 1.0 - meals / self.p.most_eaten;
        let leaving = if is_warm { self.p.leaving * hungry } else { 0.0 };
        alive - stream.binomial(alive, leaving)
    }

    /// The ladybirds that fly in, attracted by pests.
    fn come(&self, prey: f64, c: &Context<'_>) -> u32 {
        c.stream(self.key, COME).binomial(self.p.arrivals, prey / (prey + self.p.attractive))
    }
}

fn sum(columns: &[Column<i32>], c: &Context<'_>) -> i64 {
    columns.iter().flat_map(|column| c.get(*column)).map(|number| i64::from(number.get())).sum()
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let n = values.len().max(1);
    values.sum::<f64>() / n as f64
}

/// Number of pests that one ladybird eats in a day, depending on the number of pests (Holling 1959, type II).
///
/// e = a P / (1 + a P / e_max)
pub fn meals(p: &Ladybirds, pests: f64) -> f64 {
    let found = p.searching * pests;
    found / (1.0 + found / p.most_eaten)
}

/// Share of the ladybirds that pesticide kills in a day.
///
/// k = 1 − exp(−m/m₀)
pub fn poisoned_share(pesticide: f64, lethal: f64) -> f64 {
    1.0 - exp(-pesticide / lethal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meals_follow_the_pests_and_saturate() {
        let p = Ladybirds::default();
        assert_eq!(meals(&p, 0.0), 0.0);
        // By hand: 0.3 · 100 = 30 found, halved by the time it takes to eat them.
        assert!((meals(&p, 100.0) - 15.0).abs() < 1e-12);
        assert!(meals(&p, 1e9) < 30.0 && meals(&p, 1e9) > 29.99);
        let rising: Vec<f64> = (0..50).map(|n| meals(&p, f64::from(n))).collect();
        assert!(rising.windows(2).all(|pair| pair[0] < pair[1]));
    }

    #[test]
    fn pesticide_kills_ladybirds_too() {
        assert_eq!(poisoned_share(0.0, 0.5), 0.0);
        assert!((poisoned_share(0.5, 0.5) - (1.0 - 1.0 / std::f64::consts::E)).abs() < 1e-12);
    }
}
