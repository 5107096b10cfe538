//! The plans in the game itself: what they claim is what they return.

use farm_core::Environment;
use farm_games::{Options, open};
use farm_oracle::backwards_valley::Reading;

use crate::support::{self, play};

/// Episodes to plan for: all where the compiler makes plans fast, else fewer.
const SEEDS: u64 = if cfg!(debug_assertions) { 40 } else { 400 };

fn environment(preset: Option<&str>, set: &[(&str, &str)]) -> Environment {
    support::environment("backwards_valley", preset, set)
}

/// Plans and plays; returns the values.
fn compare(mut environment: Environment, seeds: std::ops::Range<u64>) -> Vec<f64> {
    let reading = Reading::of(environment.game()).unwrap_or_else(|problems| panic!("{problems}"));
    let mut player = environment.game().player("oracle").unwrap_or_else(|problems| panic!("{problems}"));
    let mut values = Vec::new();
    for seed in seeds {
        environment.reset(seed);
        let plan = reading.world(environment.game(), environment.state()).plan();
        assert!(plan.is_proven(), "seed {seed}");
        let mut replayed = 0.0;
        for action in &plan.actions {
            let outcome = environment.step(reading.calls(*action)).unwrap_or_else(|error| panic!("{error}"));
            replayed += outcome.reward;
        }
        assert_eq!(replayed, plan.value, "seed {seed}: {plan:?}");
        assert_eq!(environment.state().step(), 40, "seed {seed}");
        assert_eq!(play(&mut environment, player.as_mut(), seed), plan.value, "seed {seed}");
        values.push(plan.value);
    }
    values
}

#[test]
fn plans_return_what_they_claim() {
    let values = compare(environment(None, &[]), 0..SEEDS);
    // Sum of base values: 12 · 3.5 + 4 · 2 + 6 · 4.5 = 77, of which nearly all can be had.
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    assert!((75.0..77.5).contains(&mean), "{mean}");
}

#[test]
fn plans_return_what_they_claim_without_zones() {
    compare(environment(Some("scattered"), &[]), 0..SEEDS / 40);
}

#[test]
fn plans_return_what_they_claim_for_each_choice_of_start_in_top_pays() {
    for choice in ["immediately", "never"] {
        let set = [
            ("fields.Field-0.entities.2.StagedTiles.start_in_top_pays", choice),
            ("fields.Field-0.entities.3.StagedTiles.start_in_top_pays", choice),
        ];
        compare(environment(None, &set), 1000..1000 + SEEDS / 3);
    }
}

#[test]
fn plans_return_what_they_claim_when_meters_fill_up() {
    let set = [
        ("fields.Field-0.entities.1.StagedTiles.base_value#point", "[12, 30]"),
        ("fields.Field-0.entities.2.StagedTiles.base_value#point", "[30, 60]"),
        ("fields.Field-0.entities.3.StagedTiles.base_value#point", "[15, 50]"),
    ];
    let mut environment = environment(None, &set);
    let reading = Reading::of(environment.game()).unwrap_or_else(|problems| panic!("{problems}"));
    let mut full = 0;
    for seed in 0..SEEDS / 3 {
        environment.reset(seed);
        let plan = reading.world(environment.game(), environment.state()).plan();
        let mut player = environment.game().player("oracle").unwrap_or_else(|problems| panic!("{problems}"));
        assert_eq!(play(&mut environment, player.as_mut(), seed), plan.value, "seed {seed}");
        full += u32::from(plan.value >= 300.0);
    }
    assert!(full > 0, "some episodes fill all meters");
}

#[test]
fn the_oracle_goes_on_from_any_state() {
    // Whoever has wasted some steps gets the best of what is left: never more than from the start, and exactly what the
    // planner says.
    let mut environment = environment(None, &[]);
    let reading = Reading::of(environment.game()).unwrap_or_else(|problems| panic!("{problems}"));
    let mut player = environment.game().player("oracle").unwrap_or_else(|problems| panic!("{problems}"));
    for seed in 0..SEEDS / 4 {
        environment.reset(seed);
        let best = reading.world(environment.game(), environment.state()).plan().value;
        let mut paid = 0.0;
        for action in [0, 10, 2, 7, 9, 1, 3, 10, 10, 4] {
            paid += environment.step(action).unwrap_or_else(|error| panic!("{error}")).reward;
        }
        let plan = reading.world(environment.game(), environment.state()).plan();
        assert_eq!(plan.actions.len(), 30);
        let mut rest = 0.0;
        let mut schedule = Vec::new();
        player.start(seed);
        for _ in 0..30 {
            schedule.clear();
            player.choose(&environment.game().clone(), environment.state(), &mut schedule);
            rest += environment.step(&schedule).unwrap_or_else(|error| panic!("{error}")).reward;
        }
        assert_eq!(rest, plan.value, "seed {seed}");
        assert!(paid + rest <= best, "seed {seed}");
    }
}

#[test]
fn the_informed_player_takes_nearly_everything_and_never_more_than_the_oracle() {
    let mut environment = environment(None, &[]);
    let player = |name: &str| environment.game().player(name).unwrap_or_else(|problems| panic!("{problems}"));
    let (mut informed, mut oracle, mut wait) = (player("informed"), player("oracle"), player("wait"));
    let mut totals = [0.0; 3];
    for seed in 0..SEEDS {
        let values = [&mut informed, &mut oracle, &mut wait].map(|p| play(&mut environment, p.as_mut(), seed));
        assert!(values[0] <= values[1], "seed {seed}: {values:?}");
        totals = std::array::from_fn(|i| totals[i] + values[i]);
    }
    assert!(totals[0] > 0.9 * totals[1], "informed {}, oracle {}", totals[0], totals[1]);
    // Expected: 16/3 points of about 76.
    let share = totals[2] / totals[1];
    assert!((0.04..0.11).contains(&share), "waiting earns about seven percent: {share}");
}

#[test]
fn policies_that_do_not_fit_a_game_say_so() {
    let set = vec![("policies.oracle".to_owned(), "OraclePolicy".to_owned())];
    let game = open("clay_bean-v0", &Options { preset: None, set, ..Default::default() })
        .unwrap_or_else(|problems| panic!("{problems}"));
    let problems = game.player("oracle").err().expect("no plan for a field of beans").to_string();
    assert!(
        problems.contains("grid_tiles") && problems.contains("villagers") && problems.contains("market"),
        "{problems}"
    );
}
