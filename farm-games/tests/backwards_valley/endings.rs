//! Step order 5: the end of an episode.

use std::sync::Arc;

use farm_core::{Environment, StepError, Stop};

use super::support::*;
use super::walking::cross;

#[test]
fn step_order_5_the_episode_terminates_after_forty_actions_whatever_they_are() {
    let valley = Valley::shipped();
    for action in 0..11 {
        let mut play = valley.play(3);
        for step in 1..=40 {
            let outcome = play.step(action);
            assert_eq!((outcome.terminated, outcome.truncated), (step == 40, false), "step {step}");
            assert_eq!(play.record.stop(), (step == 40).then_some(Stop::Limit));
        }
    }
}

#[test]
fn step_order_5_a_step_after_the_end_is_an_error_that_says_so_and_changes_nothing() {
    let valley = Valley::shipped();
    let mut play = valley.play(3);
    play.steps(&[WAIT; 40]);
    let before = play.state.clone();
    for action in 0..11 {
        let error = valley.game.step_discrete(&mut play.state, action, &mut play.record).unwrap_err();
        assert_eq!(error, StepError::Over { steps: 40 });
        assert!(error.to_string().contains("over after 40 steps"), "{error}");
        assert!(error.to_string().contains("reset"), "{error}");
    }
    assert_eq!(play.state, before);
    valley.game.reset(&mut play.state, 4, &mut play.record);
    assert!(!play.step(WAIT).over());
}

#[test]
fn step_order_5_the_reason_stands_in_info() {
    let mut environment = Environment::new(Arc::new(Valley::shipped().game));
    for _ in 0..40 {
        assert!(environment.info().to_json()["stop"].is_null());
        environment.step(WAIT).unwrap();
    }
    assert_eq!(environment.info().to_json()["stop"], "after 40 steps");
    assert_eq!(environment.info().to_json()["step"], 40);
}

/// A scene in which three steps fill all meters: the villager, then the animal, then the crop.
fn full_meters() -> (Scene, Tile) {
    let (scene, at) = cross(['c', 'p', '#', 'v']);
    (scene.stages(["HarvestReady", "Weak", "Neutral"]).worth([150, 100, 255]), at)
}

#[test]
fn step_order_5_the_episode_terminates_at_a_farm_value_of_three_hundred() {
    let (scene, at) = full_meters();
    let valley = scene.build();
    let start = valley.start(at, WEST);
    let mut environment = Environment::new(Arc::new(full_meters().0.build().game));
    environment.reset(start.state.seed());
    let mut found = Vec::new();
    for action in [INSULT, WAIT, MOVE_N] {
        assert!(environment.info().to_json()["stop"].is_null());
        let outcome = environment.step(action).unwrap();
        found.push((outcome.reward, outcome.terminated, outcome.truncated));
    }
    assert_eq!(found, [(100.0, false, false), (100.0, false, false), (100.0, true, false)]);
    assert_eq!(environment.info().to_json()["stop"], "all meters are full");
    assert_eq!(environment.step(WAIT), Err(StepError::Over { steps: 3 }));
    assert_eq!(environment.observation_json()["farm_value"], 300.0);
    assert_eq!(environment.observation_json()["remaining"], 37);
}

#[test]
fn step_order_5_a_farm_value_below_three_hundred_goes_on() {
    let (scene, at) = full_meters();
    let valley = scene.worth([99, 100, 255]).build();
    let mut play = valley.start(at, WEST);
    assert_eq!(play.steps(&[INSULT, WAIT, MOVE_N]), [100.0, 100.0, 99.0]);
    assert!(!play.step(WAIT).over());
}

#[test]
fn step_order_5_remaining_counts_down_from_forty_by_one_an_action() {
    let valley = Valley::shipped();
    let mut play = valley.play(1);
    let remaining = valley.game.observation().entries().iter().find(|entry| entry.key() == "remaining").unwrap();
    for step in 0..=40 {
        assert_eq!(remaining.number(&play.observation(), 0), f64::from(40 - step));
        if step < 40 {
            play.step(step as usize % 11);
        }
    }
}
