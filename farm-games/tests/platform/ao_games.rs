//! Asking and acting by turns, in every game: no time passes while looking, and each half can be passed.

use farm_core::{ActionKind, Environment, Stream};
use serde_json::json;

use super::common::variants;
use super::support::{columns, random_calls};

#[test]
fn no_time_passes_while_looking() {
    for variant in variants().iter().filter(|variant| variant.label.ends_with("aomdp")) {
        let mut env = Environment::new(variant.game.clone());
        let mut stream = Stream::from_seed(2);
        for seed in 0..12 {
            let before = columns(env.game(), env.state());
            let calls = random_calls(env.game(), ActionKind::Observation, 3, &mut stream);
            let step = env.state().step();
            let outcome = env.step(&calls).unwrap();
            assert!(
                !outcome.over() && env.state().step() == step && env.record().events().is_empty(),
                "{}",
                variant.label
            );
            for (name, value) in columns(env.game(), env.state()) {
                // A farmer counts what it does.
                if !name.ends_with(".observations_today") && !name.ends_with(".worked_today") {
                    assert_eq!(value, before[&name], "{}: {name}", variant.label);
                }
            }
            let calls = random_calls(env.game(), ActionKind::Intervention, 3, &mut stream);
            if env.step(&calls).unwrap().over() {
                env.reset(seed);
            }
        }
    }
}

#[test]
fn a_snapshot_between_the_halves_remembers_the_half_and_what_was_paid_for() {
    for variant in variants().iter().filter(|variant| variant.label.ends_with("aomdp")) {
        let mut env = Environment::new(variant.game.clone());
        let mut other = Environment::new(variant.game.clone());
        let mut stream = Stream::from_seed(8);
        for seed in 0..8 {
            env.reset(seed);
            other.reset(99);
            for _ in 0..6 {
                let kind = env.expects();
                let calls = random_calls(env.game(), kind, 4, &mut stream);
                other.restore(&env.snapshot()).unwrap();
                assert_eq!((env.observation(), env.expects()), (other.observation(), other.expects()));
                assert_eq!(
                    env.game().learner_view().list(env.observation()),
                    other.game().learner_view().list(other.observation()),
                    "{}",
                    variant.label
                );
                assert_eq!(env.step(&calls), other.step(&calls));
                assert_eq!((env.snapshot(), env.info()), (other.snapshot(), other.info()), "{}", variant.label);
            }
        }
    }
}

/// A game in which nothing can be asked for still has both halves, and something to do in each.
#[test]
fn both_halves_can_be_passed_where_nothing_can_be_asked_for() {
    for game in ["backwards_valley", "clay_bean-v0"] {
        let set = [("interaction_mode", "aomdp"), ("rules.BasicRule.observations", "{}")];
        let set = set.map(|(path, value)| (path.to_owned(), value.to_owned())).to_vec();
        let game = farm_games::open(game, &farm_games::Options { preset: None, set, ..Default::default() }).unwrap();
        let mut env = Environment::new(std::sync::Arc::new(game));
        for _ in 0..4 {
            let waiting = env.game().catalogue().waiting().to_vec();
            let id = env.action_mask().iter().position(|bit| *bit == 1);
            let id = id.unwrap_or_else(|| panic!("{}: nothing can be done", env.game().spec().name()));
            let mut other = env.clone();
            other.step(id).unwrap();
            assert!(other.record().rejected().is_empty(), "{}: id {id}", env.game().spec().name());
            env.step(&waiting).unwrap();
            assert!(env.record().rejected().is_empty(), "{}: waiting is rejected", env.game().spec().name());
        }
        assert_eq!(env.state().step(), 2);
    }
}

/// The prices of the project's own score, end to end: a price for each number, groups and free ones as the score says.
#[test]
fn the_basic_score_charges_for_what_is_asked() {
    let set = [
        ("interaction_mode", "aomdp"),
        ("rules.BasicRule.free_observations", "[[Field-0, Soil-0, available_Water#L, ['(0, 0)']]]"),
        ("score.BasicScore.default_observation_cost", "0.5"),
        (
            "score.BasicScore.observation_cost",
            "{Field-0: {Weather-0: {air_temperature: 2.0}, Soil-0: {available_N#g: 0.0}}}",
        ),
    ];
    let set = set.map(|(path, value)| (path.to_owned(), value.to_owned())).to_vec();
    let game = farm_games::open(
        "clay_bean-v0",
        &farm_games::Options { preset: Some("4x3".into()), set, ..Default::default() },
    );
    let game = std::sync::Arc::new(game.unwrap_or_else(|problems| panic!("{problems}")));
    for (variable, path, cost) in [
        ("air_temperature", json!([]), 3.0 * 2.0),
        ("air_temperature", json!(["max#°C"]), 2.0),
        ("available_N#g", json!([]), 0.0),
        ("available_P#g", json!([[2, 1]]), 0.5),
        ("available_P#g", json!([]), 12.0 * 0.5),
        // One of the twelve is free.
        ("available_Water#L", json!([]), 11.0 * 0.5),
        ("available_Water#L", json!([[0, 0]]), 0.0),
    ] {
        let part = if variable.starts_with("air") { "Weather-0" } else { "Soil-0" };
        let mut environment = Environment::new(game.clone());
        let action = json!([["BasicFarmer-0", "Field-0", part, variable, path]]);
        let outcome = environment.step(&action).unwrap();
        assert_eq!(
            (outcome.reward, environment.info().to_json()["rejected"].clone()),
            (0.0 - cost, json!([])),
            "{action}"
        );
        assert_eq!(environment.info().to_json()["observation cost"], json!(cost));
    }
}
