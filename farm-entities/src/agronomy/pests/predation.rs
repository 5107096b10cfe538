//! Pests that predators from other parts eat on each plot, divided among all kinds of pests in the field.

use farm_core::declare::{All, Own};
use farm_core::{Column, Columns, Context, Declarations, Phase};
use farm_roles::{PEST_POPULATION, PESTS_EATEN};

/// The pests of one kind in a field with predators.
#[derive(Clone)]
pub(super) struct Prey {
    population: Own<i32>,
    /// Number of pests that each predator eats on each plot today.
    asked: All<i32>,
    /// Maximum number of pests on a plot.
    most: i32,
}

/// The predators in a field, for one kind of pest.
#[derive(Columns)]
pub(super) struct Predation {
    _prey: Prey,
    #[bind(found.get(_prey.population))]
    population: Column<i32>,
    #[bind(found.get(_prey.asked))]
    asked: Vec<Column<i32>>,
    /// All kinds of pests, in the game's order.
    #[all(PEST_POPULATION)]
    kinds: Vec<Column<i32>>,
    /// Number of pests of the plot that predators ate on this day.
    #[count(name = "eaten_by_predators#nb", range = 0..=_prey.most, per_plot)]
    eaten: Column<i32>,
}

impl Prey {
    /// The prey if predators report it. Without such predators, the field has no variable for predation, and the pests do nothing in the
    /// phase `spread`.
    pub(super) fn of(population: Own<i32>, most: i32, is_hunted: bool, d: &mut Declarations<'_>) -> Option<Self> {
        let asked = d.all(PESTS_EATEN);
        is_hunted.then(|| {
            d.runs_in(Phase::Spread);
            Self { population, asked, most }
        })
    }
}

impl Predation {
    /// Decides how many pests of this kind are eaten. This happens in the phase `spread`, before any kind of pest has changed.
    pub(super) fn share_out(&self, c: &Context<'_>) {
        let number = |column: &Column<i32>, plot: usize| i64::from(c.get(*column)[plot].get().max(0));
        for (plot, eaten) in c.get(self.eaten).iter().enumerate() {
            let asked = self.asked.iter().map(|column| number(column, plot)).sum();
            let all = self.kinds.iter().map(|column| number(column, plot)).sum();
            let before = self.kinds.iter().take_while(|kind| **kind != self.population);
            let before = before.map(|column| number(column, plot)).sum();
            eaten.set(share(asked, before, number(&self.population, plot), all) as i32);
        }
    }

    /// Removes the eaten pests, in the phase `visit` before anything else happens to the pests.
    pub(super) fn eat(&self, c: &Context<'_>) {
        for (here, eaten) in c.get(self.population).iter().zip(c.get(self.eaten)) {
            here.set((here.get() - eaten.get()).max(0));
        }
    }
}

/// Number of `here` pests of one kind that are eaten if predators eat `asked` of `all` pests. `before` pests belong to earlier kinds.
/// The shares of all kinds add up to the number eaten.
fn share(asked: i64, before: i64, here: i64, all: i64) -> i64 {
    if all <= 0 {
        return 0;
    }
    let eaten = asked.min(all);
    let up_to = |number: i64| eaten * number / all;
    up_to(before + here) - up_to(before)
}

#[cfg(test)]
mod tests {
    use super::share;

    #[test]
    fn one_kind_loses_all_that_is_eaten_and_no_more_than_there_are() {
        assert_eq!([share(0, 0, 5, 5), share(3, 0, 5, 5), share(9, 0, 5, 5), share(9, 0, 0, 0)], [0, 3, 5, 0]);
    }

    #[test]
    fn shares_of_several_kinds_add_up() {
        let kinds = [7, 0, 12, 1];
        let all: i64 = kinds.iter().sum();
        for asked in 0..=25 {
            let mut before = 0;
            let mut sum = 0;
            for here in kinds {
                let eaten = share(asked, before, here, all);
                assert!((0..=here).contains(&eaten), "{eaten} of {here}");
                (before, sum) = (before + here, sum + eaten);
            }
            assert_eq!(sum, asked.min(all));
        }
        assert_eq!([share(10, 0, 30, 120), share(10, 30, 90, 120)], [2, 8]);
    }
}
