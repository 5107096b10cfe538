//! Invariant 5: every observation lies in its space, every number is finite, and what is not is reported.

use farm_core::Stream;
use farm_core::action::Call;
use farm_core::space::Space;
use farm_core::{Environment, Game, StepError};
use farm_games::{Options, open};
use farm_testkit::is_numbers_only;
use farm_testkit::play::random_schedule;
use serde_json::Value as Json;
use std::sync::Arc;

use crate::common::{compile, edited, variants};

/// Observations of an episode that are all checked; of those that follow one in `STRIDE`, which meets every hour of a day.
const ALL: u32 = 100;
const STRIDE: u32 = 23;

/// What plays: a policy of the game, or random schedules.
fn check_episode(
    environment: &mut Environment,
    label: &str,
    seed: u64,
    next: &mut dyn FnMut(&Environment, &mut Vec<Call>),
) {
    let space = environment.game().observation().space();
    let mut schedule = Vec::new();
    let mut total = 0.0;
    environment.reset(seed);
    for step in 0_u32.. {
        if step < ALL || step.is_multiple_of(STRIDE) {
            check_observation(environment, &space, &format!("{label} seed {seed} step {step}"));
        }
        schedule.clear();
        next(environment, &mut schedule);
        let outcome = environment.step(&schedule).unwrap_or_else(|error| panic!("{label} seed {seed}: {error}"));
        total += outcome.reward;
        let record = environment.record();
        assert!(total.is_finite() && record.intervention_cost().is_finite() && record.observation_cost().is_finite());
        assert!(record.events().iter().all(|event| event.value.is_finite()), "{label} seed {seed}");
        if outcome.over() {
            check_observation(environment, &space, &format!("{label} seed {seed}: the last observation"));
            return;
        }
    }
}

fn check_observation(environment: &Environment, space: &Space, label: &str) {
    let seen = environment.observation_json();
    assert!(space.contains(&seen), "{label}:\n{seen}\nis not in\n{space}");
    assert!(is_numbers_only(&seen), "{label}: {seen}");
    let text = environment.game().observation().to_text(environment.observation());
    let read = environment.game().observation().parse_text(&text);
    assert_eq!(read.as_deref(), Ok(environment.observation()), "{label}: {text}");
}

#[test]
fn invariant_5_observations_lie_in_their_space_and_round_trip_as_text_under_random_play() {
    for variant in variants() {
        let mut environment = Environment::new(variant.game.clone());
        let most = environment.game().catalogue().max_schedule() + 1;
        for seed in 0..variant.times(2) as u64 {
            let mut actions = Stream::from_seed(seed);
            check_episode(&mut environment, &variant.label, seed, &mut |environment, schedule| {
                random_schedule(environment.game(), most, &mut actions, schedule);
            });
        }
    }
}

#[test]
fn invariant_5_observations_lie_in_their_space_under_every_policy() {
    for variant in variants() {
        let mut environment = Environment::new(variant.game.clone());
        for name in variant.game.spec().policies().keys() {
            let mut player = variant.game.player(name).unwrap_or_else(|problems| panic!("{problems}"));
            for seed in 0..variant.times(1) as u64 {
                player.start(seed);
                let label = format!("{} {name}", variant.label);
                check_episode(&mut environment, &label, seed, &mut |environment, schedule| {
                    player.choose(environment.game(), environment.state(), schedule);
                });
            }
        }
    }
}

#[test]
fn invariant_5_in_fomdp_all_that_is_visible_is_observed_and_nothing_hidden() {
    for variant in variants().iter().filter(|variant| variant.label.ends_with("fomdp")) {
        let keys: Vec<&str> = variant.game.observation().entries().iter().map(|entry| entry.key()).collect();
        for part in variant.game.parts().iter() {
            for variable in part.variables() {
                let key = format!("{}.{}", part.path(), variable.name());
                assert_eq!(keys.contains(&key.as_str()), variable.visible(), "{}: {key}", variant.label);
            }
        }
    }
}

/// A game with one more entity in its field.
fn with_entity(entity: &str) -> Game {
    let field = [("      - Plant: bean\n", format!("      - Plant: bean\n      - {entity}\n"))];
    let edits: Vec<(&str, &str)> = field.iter().map(|(from, to)| (*from, to.as_str())).collect();
    compile(&edited("clay_bean-v0", &edits))
}

fn with_size(entity: &str, length: u32, width: u32) -> Game {
    let shape = format!("length#nb: {length}, width#nb: {width}");
    let entity = format!("      - Plant: bean\n      - {entity}\n");
    compile(&edited("clay_bean-v0", &[("      - Plant: bean\n", &entity), ("length#nb: 1, width#nb: 1", &shape)]))
}

#[test]
fn invariant_5_a_number_that_is_not_finite_is_reported_with_part_variable_entry_and_step() {
    for (infinite, shown) in [(false, "NaN"), (true, "-inf")] {
        let game = with_size(&format!("TestPoison: {{at#day: 4, plot#nb: 5, infinite: {infinite}}}"), 4, 3);
        let (mut state, mut record) = (game.new_state(), game.new_record());
        game.reset(&mut state, 99, &mut record);
        for _ in 0..4 {
            assert!(game.step(&mut state, &[], &mut record).is_ok(), "nothing is wrong before");
        }
        let error = game.step(&mut state, &[], &mut record).expect_err("the fifth step spoils a number");
        let StepError::NotFinite(found) = &error else { panic!("{error:?}") };
        assert_eq!((found.part(), found.variable(), found.value()), ("Field-0.TestPoison-0", "dose#L", shown));
        assert_eq!((found.entry(), found.step(), found.seed()), (5, 5, 99));
        let text = error.to_string();
        for word in ["Field-0.TestPoison-0", "dose#L", "entry 5", "step 5", shown, "99"] {
            assert!(text.contains(word), "`{word}` in: {text}");
        }
        assert!(
            matches!(game.step(&mut state, &[], &mut record), Err(StepError::Over { steps: 5 })),
            "the episode is over"
        );
        game.reset(&mut state, 100, &mut record);
        assert!(game.step(&mut state, &[], &mut record).is_ok(), "the next one is not");
    }
}

#[test]
fn invariant_5_a_reward_that_is_not_finite_is_reported() {
    for reward in ["NaN", "inf"] {
        let yaml = edited("clay_bean-v0", &[]);
        let (head, rest) = yaml.split_once("score:\n").expect("the score");
        let (_, tail) = rest.split_once("\npolicies:").expect("the policies");
        let game = compile(&format!("{head}score:\n  TestVerdict: {{reward: '{reward}'}}\n\npolicies:{tail}"));
        let (mut state, mut record) = (game.new_state(), game.new_record());
        game.reset(&mut state, 0, &mut record);
        let outcome = game.step(&mut state, &[], &mut record);
        assert!(outcome.is_err(), "a reward of {reward} reaches the learner: {outcome:?}");
    }
}

#[test]
fn invariant_5_whole_numbers_of_any_size_round_trip_as_text() {
    for value in [0, 7, 16_777_216, 16_777_217, 1_234_567_891, i32::MAX as u32] {
        let game = with_entity(&format!("TestTally: {{value#nb: {value}}}"));
        let text = game.spec().to_yaml().expect("a game can be written");
        let text = text.replace("interaction_mode: pomdp", "interaction_mode: fomdp");
        let environment = Environment::new(Arc::new(compile(&text)));
        let seen = environment.observation_json();
        assert_eq!(seen["Field-0.TestTally-0.tally#nb"], Json::from(value));
        let text = environment.game().observation().to_text(environment.observation());
        assert_eq!(
            environment.game().observation().parse_text(&text).as_deref(),
            Ok(environment.observation()),
            "{value}"
        );
    }
}

#[test]
fn invariant_5_a_text_that_does_not_fit_is_refused_without_a_panic() {
    for variant in variants() {
        let environment = Environment::new(variant.game.clone());
        let layout = environment.game().observation();
        let text = environment.game().observation().to_text(environment.observation());
        let lines: Vec<&str> = text.lines().collect();
        for cut in 0..lines.len() {
            assert!(layout.parse_text(&lines[..cut].join("\n")).is_err(), "{}: {cut} lines", variant.label);
        }
        for bad in ["", "x", ":", "\u{0}", "   ", "key: 1 2 3"] {
            assert!(layout.parse_text(bad).is_err(), "{}: `{bad}`", variant.label);
        }
    }
    assert!(open("no_such_game", &Options::default()).is_err());
}
