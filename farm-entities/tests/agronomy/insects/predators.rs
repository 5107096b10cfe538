//! Predators that know where they eat, by the roles `pest_population` and `pests_eaten`.

use farm_core::{Behaviour, Column, Columns, Context, Phase};
use farm_roles::{PEST_POPULATION, PESTS_EATEN};

use crate::world::{Scenario, World};

/// Predators on every plot: so many times more on each as its place in the field.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(super) struct ForcedPredators {
    /// Pests that those of the first plot eat in a day.
    #[parameter(range = 0..=1_000_000)]
    pub appetite: u32,
}

#[derive(Columns)]
struct Predators {
    p: ForcedPredators,
    #[all(PEST_POPULATION)]
    prey: Vec<Column<i32>>,
    /// Pests that they found.
    #[count(unit = "nb", range = 0..=1_000_000_000, per_plot)]
    seen: Column<i32>,
    /// Pests that they eat today.
    #[count(unit = "nb.day-1", range = 0..=1_000_000_000, per_plot, role = PESTS_EATEN)]
    eaten: Column<i32>,
}

#[farm_core::register(entity = ForcedPredators, source = "Test", runs_in = Phase::Release)]
impl Behaviour for Predators {
    fn tick(&self, _: Phase, c: &mut Context<'_>) {
        for (plot, (seen, eaten)) in c.get(self.seen).iter().zip(c.get(self.eaten)).enumerate() {
            seen.set(self.prey.iter().map(|column| c.get(*column)[plot].get()).sum());
            eaten.set(self.p.appetite as i32 * (plot as i32 + 1));
        }
    }
}

/// Pests of which none die, breed, move or come.
const STILL: &str = "Pests: {equations: agronomic, insect: {arrivals#nb.m-2.day-1: 0, breeding#°C-1.day-1: 0, death#prop.day-1: 0, moving#prop.day-1: 0}}";
const CONFINED: &str =
    "Pests: {arrival_frequency#day-1: 0, leave_conditions: {sensitivity_0: 0, sensitivity_dist_edge: 0}}";

/// A field with predators of these appetites and kinds of pests, so many of each on each plot.
fn field(plots: usize, pests: &str, numbers: &[u32], appetites: &[u32]) -> World {
    let base = Scenario::new().plots(plots, 1).scale(10.0).with("ForcedSummer").with("ForcedLeaves");
    let base = numbers.iter().fold(base, |scenario, _| scenario.with(pests));
    let with = |scenario: Scenario, appetite: &u32| scenario.with(format!("ForcedPredators: {{appetite: {appetite}}}"));
    let starts = numbers.iter().enumerate().map(|(i, n)| format!("Pests-{i}: {{plot_population#nb: {n}}}"));
    let initial = format!("{{{}}}", starts.collect::<Vec<_>>().join(", "));
    appetites.iter().fold(base, with).initially(initial).build()
}

fn pests(world: &World, kind: usize) -> Vec<f64> {
    world.values(&format!("Pests-{kind}.plot_population#nb"))
}

#[test]
fn predators_eat_where_they_are_and_see_what_is_left() {
    let mut world = field(4, STILL, &[100], &[10]);
    for day in 1..=3 {
        let before = pests(&world, 0);
        world.wait();
        assert_eq!(world.values("ForcedPredators-0.seen#nb"), before, "day {day}: those of the evening before");
        let left = [10.0, 20.0, 30.0, 40.0].map(|eaten| f64::max(100.0 - f64::from(day) * eaten, 0.0));
        assert_eq!(pests(&world, 0), left, "day {day}");
    }
    // A fourth of 100 was left on the last plot of 20.
    assert_eq!(world.values("Pests-0.eaten_by_predators#nb"), [10.0, 20.0, 30.0, 20.0]);
}

#[test]
fn several_predators_eat_together_and_no_more_than_there_are() {
    let mut world = field(2, STILL, &[100], &[15, 20]);
    world.wait();
    assert_eq!(pests(&world, 0), [65.0, 30.0]);
    world.wait();
    assert_eq!(pests(&world, 0), [30.0, 0.0]);
}

#[test]
fn each_kind_of_pests_loses_its_share() {
    let mut world = field(1, STILL, &[30, 90, 0], &[40]);
    world.wait();
    let left = [0, 1, 2].map(|kind| pests(&world, kind)[0]);
    assert_eq!(left, [20.0, 60.0, 0.0]);
    world.wait();
    assert_eq!([0, 1, 2].map(|kind| pests(&world, kind)[0]), [10.0, 30.0, 0.0]);
}

#[test]
fn pests_of_the_paper_are_eaten_too() {
    let mut world = field(1, CONFINED, &[50], &[20]);
    for left in [30.0, 10.0, 0.0] {
        world.wait();
        assert_eq!(pests(&world, 0), [left]);
    }
}

/// The states of games without such predators are what they were.
#[test]
fn without_predators_nothing_is_kept_for_them() {
    let kept = |world: &World| {
        let part = world.env.game().parts().iter().find(|part| part.name() == "Pests-0").unwrap();
        part.variables().iter().any(|variable| variable.name() == "eaten_by_predators#nb")
    };
    assert!(!kept(&field(1, STILL, &[5], &[])) && kept(&field(1, STILL, &[5], &[0])));
}
