//! The plans in the game itself: what they claim is what they return.

use farm_core::Environment;
use farm_oracle::valley_farm::Reading;

use crate::support::{environment, play, play_on, player, step};

/// Episodes to plan for: many where the compiler makes plans fast, else fewer.
const SEEDS: u64 = if cfg!(debug_assertions) { 12 } else { 100 };

const OBSTACLES: (&str, &str) = ("fields.Field-0.entities.0.TileMap.obstacles#nb", "30");

/// Plans, which must be proven, and plays.
fn compare(environment: Environment) {
    claims(environment, SEEDS, true);
}

/// Plans and plays.
fn claims(mut environment: Environment, seeds: u64, are_proven: bool) {
    let reading = Reading::of(environment.game()).unwrap_or_else(|problems| panic!("{problems}"));
    let mut oracle = player(&environment, "oracle");
    for seed in 0..seeds {
        environment.reset(seed);
        let plan = reading.world(environment.game(), environment.state()).plan();
        assert!(plan.is_proven() || !are_proven, "seed {seed}");
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
        assert_eq!(plan.actions.len() as u32, 50 - environment.state().step());
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
            environment.step(id).unwrap_or_else(|error| panic!("{error}"));
        }
        let plan = reading.world(environment.game(), environment.state()).plan();
        let rest = play_on(&mut environment, oracle.as_mut());
        assert!((rest - plan.value).abs() < 1e-9, "seed {seed}: {rest} for {plan:?}");
    }
}

/// Three animals anywhere on their clocks, close to where the agent starts.
const ANIMALS: &str = "[{x: 9, y: 7, sated_steps#step: 9, ticks#nb: T, stock#nb: 0}, {x: 7, y: 9, sated_steps#step: 3, ticks#nb: 1}, \
                       {x: 5, y: 7, sated_steps#step: 0, ticks#nb: 4, stock#nb: 1}]";

/// What a level says of the counters is what the planner counts on, also where the game itself would not bring them there.
#[test]
fn oracle_plans_return_what_they_claim_wherever_the_counters_of_a_level_stand() {
    let placed = "Field-0.AnimalTiles-0.placed";
    for ticks in ["0", "2", "4"] {
        compare(environment("valley_farm", None, &[(placed, &ANIMALS.replace("nb: T", &format!("nb: {ticks}")))]));
    }
    for ticks in ["0", "3", "5", "8"] {
        compare(environment(
            "valley_farm",
            Some("autoenv_compat"),
            &[(placed, &ANIMALS.replace("nb: T", &format!("nb: {ticks}")))],
        ));
    }
}

/// With another number of ticks for a product under the peer's clock, the planner counts them as the game does; its bound may then be too high to prove a plan.
#[test]
fn oracle_plans_return_what_they_claim_with_other_clocks_of_animals() {
    let each = "fields.Field-0.entities.2.AnimalTiles.ticks_per_deposit#nb";
    for ticks in ["3", "7"] {
        claims(environment("valley_farm", Some("autoenv_compat"), &[(each, ticks)]), 3, false);
    }
}
