//! Birds: a new flock every day. Its size is a random number, minus the birds that scarecrows keep away.
//!
//! | reads | role | unit |
//! |---|---|---|
//! | birds that scarecrows keep away | `scarecrow_strength` | nb |
//!
//! | writes | unit |
//! |---|---|
//! | today's birds that eat seeds, pests or pollinators (roles `seed_eaters`, `pest_eaters`, `pollinator_eaters`) | nb |
//! | birds summed over all days (role `birds_seen`) | nb |
//!
//! Source: Farm-gym paper, made precise in equation sheet II.10. "Uniformly within its range" includes the largest
//! number, and the strength of a scarecrow is subtracted. Birds fly, so there is one number for the whole field.

use farm_core::declare::Picture;
use farm_core::{Behaviour, Column, Columns, Context, Phase, Purpose, Stream};
use farm_roles::{BIRDS_SEEN, PEST_EATERS, POLLINATOR_EATERS, SCARECROW_STRENGTH, SEED_EATERS};

/// Birds that eat seeds, pests or pollinators, and avoid scarecrows.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct Birds {
    /// Whether they eat seeds.
    #[parameter(default = true)]
    pub seed_eater: bool,
    /// Whether they eat pests.
    #[parameter(default = true)]
    pub pest_eater: bool,
    /// Whether they eat pollinators.
    pub pollinator_eater: bool,
    /// Maximum number of birds on a day, before scarecrows keep some away.
    #[parameter(unit = "nb", default = 8, range = 0..=MAX_BIRDS)]
    pub max_population: u32,
}

const MAX_BIRDS: u32 = 100_000;
/// The maximum of the total: 10,000 days of the largest flock.
const MAX_IN_ALL: i32 = 1_000_000_000;
/// The number of birds at which the picture begins to show many.
const MANY_BIRDS: f64 = 5.0;
const ARRIVAL: Purpose = Purpose::named("arrival");

/// Every kind of birds has the same variables. The number of eaters of food that a kind does not eat is 0.
#[derive(Columns)]
struct Flock {
    birds: Birds,
    #[stream]
    key: u64,
    /// Number of birds on the field during the day.
    #[count(unit = "nb", range = 0..=MAX_BIRDS as i32)]
    population: Column<i32>,
    /// Number of birds in this episode, summed over all days.
    #[count(name = "total_cumulated_birds#nb", range = 0..=MAX_IN_ALL, role = BIRDS_SEEN)]
    total: Column<i32>,
    /// Number of birds on this day that eat seeds.
    #[count(unit = "nb", range = 0..=MAX_BIRDS as i32, hidden, role = SEED_EATERS)]
    seed_eaters: Column<i32>,
    /// Number of birds on this day that eat pests.
    #[count(unit = "nb", range = 0..=MAX_BIRDS as i32, hidden, role = PEST_EATERS)]
    pest_eaters: Column<i32>,
    /// Number of birds on this day that eat pollinators.
    #[count(unit = "nb", range = 0..=MAX_BIRDS as i32, hidden, role = POLLINATOR_EATERS)]
    pollinator_eaters: Column<i32>,
    #[all(SCARECROW_STRENGTH)]
    scarecrows: Vec<Column<i32>>,
}

#[farm_core::register(
    entity = Birds,
    source = "Farm-gym paper; equation sheet II.10",
    sets = include_str!("birds.yaml"),
    runs_in = Phase::Exogenous,
    picture = Picture::in_status_bar("Birds")
        .from("population#nb", MANY_BIRDS, "many", include_str!("sprites/birds_many.svg"))
        .from("population#nb", 1.0, "few", include_str!("sprites/birds_few.svg"))
        .otherwise("none", include_str!("sprites/birds_none.svg"))
        .value("population#nb")
)]
impl Behaviour for Flock {
    /// The population may be an initial condition; the numbers of eaters follow from it.
    fn after_initial_conditions(&self, c: &mut Context<'_>) {
        self.come(c.value(self.population), c);
    }

    fn tick(&self, _: Phase, c: &mut Context<'_>) {
        let strength = self.scarecrows.iter().fold(0_i32, |sum, column| sum.saturating_add(c.value(*column)));
        let population =
            arriving(&mut c.stream(self.key, ARRIVAL), self.birds.max_population.min(MAX_BIRDS) as i32, strength);
        let total = &c.get(self.total)[0];
        total.set(total.get().saturating_add(population).min(MAX_IN_ALL));
        self.come(population, c);
    }
}

impl Flock {
    fn come(&self, population: i32, c: &Context<'_>) {
        c.get(self.population)[0].set(population);
        let Birds { seed_eater, pest_eater, pollinator_eater, .. } = self.birds;
        for (eats, column) in
            [(seed_eater, self.seed_eaters), (pest_eater, self.pest_eaters), (pollinator_eater, self.pollinator_eaters)]
        {
            c.get(column)[0].set(if eats { population } else { 0 });
        }
    }
}

/// Number of birds on a day (equation sheet II.10).
///
/// n = max(0, UniformInt{0 … max} − strength)
#[farm_core::equation("II.10: number of birds")]
#[inline]
pub fn arriving(stream: &mut Stream, max_population: i32, strength: i32) -> i32 {
    (stream.integer_in(0, max_population) - strength).max(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How often each number of birds occurs in 90,000 days.
    fn days(max_population: i32, strength: i32) -> [u32; 9] {
        let mut stream = Stream::from_seed(5);
        let mut days = [0; 9];
        (0..90_000).for_each(|_| days[arriving(&mut stream, max_population, strength) as usize] += 1);
        days
    }

    #[test]
    fn number_of_birds_is_uniform_and_reaches_the_largest() {
        // 10,000 each, standard deviation 94.
        assert!(days(8, 0).iter().all(|n| n.abs_diff(10_000) < 5 * 94), "{:?}", days(8, 0));
        assert_eq!(days(0, 0)[0], 90_000);
    }

    #[test]
    fn number_of_birds_falls_by_the_strength_of_scarecrows_each_day() {
        let seen = days(8, 4);
        // Of the nine numbers five, 0 to 4, become none at all.
        assert!(seen[0].abs_diff(50_000) < 5 * 149, "{seen:?}");
        assert!(seen[1..5].iter().all(|n| n.abs_diff(10_000) < 5 * 94), "{seen:?}");
        assert_eq!(seen[5..], [0; 4]);
        assert_eq!(days(8, 10)[0], 90_000, "an advanced scarecrow keeps all of them away");
        assert_eq!(days(8, i32::MAX)[0], 90_000, "without overflow");
    }
}
