//! The plans in the game itself: what they claim is what they return.

use farm_core::Environment;
use farm_games::oracle::valley_farm::Reading;

use crate::support::{environment, play, play_on, player, step};

/// Episodes to plan for: many where the compiler makes plans fast, else fewer.
const SEEDS: u64 = if cfg!(debug_assertions) { 12 } else { 100 };

const OBSTACLES: (&str, &str) = ("fields.Field-0.entities.0.TileMap.obstacles#nb", "30");

/// Plans and plays.
fn compare(mut environment: Environment) {
    let reading = Reading::of(environment.game()).unwrap_or_else(|problems| panic!("{problems}"));
    let mut oracle = player(&environment, "oracle");
    for seed in 0..SEEDS {
        environment.reset(seed);
        let plan = reading.world(environment.game(), environment.state()).plan();
        assert!(plan.is_proven(), "seed {seed}");
        let mut replayed = 0.0;
        for action in &plan.actions {
            replayed += environment.step(reading.calls(*action)).unwrap_or_else(|error| panic!("{error}")).reward;
        }
        assert!((replayed - plan.value).abs() < 1e-9, "seed {seed}: {replayed} for {plan:?}");
        assert!((play(&mut environment, oracle.as_mut(), seed) - plan.value).abs() < 1e-9, "seed {seed}");
    }
}

#[test]
fn oracle_plans_return_what_they_claim() {
    compare(environment("valley_farm", None, &[]));
}

#[test]
fn oracle_plans_return_what_they_claim_under_the_peers_rules() {
    compare(environment("valley_farm", Some("autoenv_compat"), &[]));
}

#[test]
fn oracle_plans_return_what_they_claim_around_obstacles() {
    compare(environment("valley_farm", None, &[OBSTACLES]));
}

/// Lets somebody busy begin, and the oracle end: that pays what the planner says, and never more than the best plan.
fn takes_over(mut environment: Environment) {
    let reading = Reading::of(environment.game()).unwrap_or_else(|problems| panic!("{problems}"));
    let (mut busy, mut oracle) = (player(&environment, "informed"), player(&environment, "oracle"));
    let mut schedule = Vec::new();
    let [mut sated, mut grown] = [0; 2];
    for seed in 0..SEEDS {
        environment.reset(seed);
        let best = reading.world(environment.game(), environment.state()).plan().value;
        busy.start(seed);
        let mut paid = 0.0;
        for _ in 0..10 + 35 * seed / SEEDS {
            paid += step(&mut environment, busy.as_mut(), &mut schedule).0;
        }
        let world = reading.world(environment.game(), environment.state());
        sated += world.barns.iter().filter(|barn| barn.sated > 0).count();
        grown += world.fields.iter().filter(|field| field.stage > 0).count();
        let plan = world.plan();
        assert!(plan.is_proven(), "seed {seed}");
        assert_eq!(plan.actions.len() as u32, 50 - environment.state().step);
        oracle.start(seed);
        let rest = play_on(&mut environment, oracle.as_mut());
        assert!((rest - plan.value).abs() < 1e-9, "seed {seed}: {rest} for {plan:?} in {world:?}");
        assert!(paid + rest <= best + 1e-9, "seed {seed}");
    }
    assert!(sated > 0, "some animals are sated when the oracle takes over");
    assert!(grown > 0 || SEEDS < 50, "and something grows");
}

#[test]
fn oracle_goes_on_from_any_state() {
    takes_over(environment("valley_farm", None, &[]));
}

#[test]
fn oracle_goes_on_from_any_state_under_the_peers_rules() {
    takes_over(environment("valley_farm", Some("autoenv_compat"), &[]));
}

#[test]
fn oracle_plans_anew_when_somebody_else_acts_in_between() {
    let mut environment = environment("valley_farm", None, &[]);
    let reading = Reading::of(environment.game()).unwrap_or_else(|problems| panic!("{problems}"));
    let mut oracle = player(&environment, "oracle");
    let mut schedule = Vec::new();
    for seed in 0..SEEDS {
        environment.reset(seed);
        oracle.start(seed);
        for _ in 0..8 {
            step(&mut environment, oracle.as_mut(), &mut schedule);
        }
        // A move to the north, and a wait.
        for id in [0, 11] {
            environment.step_discrete(id).unwrap_or_else(|error| panic!("{error}"));
        }
        let plan = reading.world(environment.game(), environment.state()).plan();
        let rest = play_on(&mut environment, oracle.as_mut());
        assert!((rest - plan.value).abs() < 1e-9, "seed {seed}: {rest} for {plan:?}");
    }
}
