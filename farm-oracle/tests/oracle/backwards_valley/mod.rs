//! Backwards Valley: the planner is exact.

mod engine;
mod simulator;
mod small_worlds;

use farm_oracle::backwards_valley::{StartInTop, World};

use crate::levels;
use simulator::Valley;

/// The value of the plan, which must be proven and must be what an independent simulator pays for it.
fn optimum(world: &World) -> f64 {
    let plan = world.plan();
    let mut valley = Valley::new(world);
    let paid: u32 = plan.actions.iter().map(|action| valley.step(*action)).sum();
    assert_eq!(plan.value, f64::from(paid), "{plan:?}");
    assert_eq!(plan.actions.len(), world.steps as usize);
    assert!(plan.is_proven() && plan.gap() == 0.0, "{plan:?}");
    plan.value
}

#[test]
fn facts_optima_of_the_autoenv_levels() {
    for (choice, expected) in [
        (StartInTop::Immediately, [72.0, 75.0, 76.0]),
        (StartInTop::FirstEntry, [72.0, 75.0, 76.0]),
        (StartInTop::Never, [67.0, 63.0, 71.0]),
    ] {
        let found: Vec<f64> = levels::backwards_valley(choice).iter().map(optimum).collect();
        assert_eq!(found, expected, "{choice:?}");
    }
}

#[test]
fn facts_waiting_on_the_autoenv_levels() {
    let worlds = levels::backwards_valley(StartInTop::Immediately);
    let found: Vec<f64> = worlds.iter().map(World::waiting_value).collect();
    assert_eq!(found, [10.0, 21.0, 11.0]);
}
