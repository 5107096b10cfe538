//! Section "Levels": the preset `autoenv_compat` on the peer's levels gives what the peer's implementation recorded.
//!
//! `autoenv_traces.jsonl` holds the three Backwards Valley levels of AutoEnv-36 (environment 19, MIT licence) and all steps
//! recorded on them; a step has only the entries that differ from the step before. A folder with more of them, levels
//! `NAME.yaml` beside traces `NAME.traces.jsonl`, is read too where the variable `FARM_AUTOENV_BACKWARDS` names one.

use std::sync::Arc;

use farm_core::{Environment, Stream};
use farm_games::{LevelFile, Options};
use serde_json::{Value as Json, json};

use super::autoenv::{recorded_steps, replay_file, replay_folder};
use super::support::*;

const TRACES: &str = include_str!("autoenv_traces.jsonl");

fn load(source: &str, level: &str) -> Valley {
    let level = Some(LevelFile::new(source, level));
    Valley::open(&Options { preset: Some("autoenv_compat".into()), level, ..Options::default() })
}

/// Plays an episode and compares everything that was recorded; returns the number of steps.
fn replay(valley: &Valley, episode: &Json) -> usize {
    let mut play = valley.play(0);
    let (mut total, mut steps) = (0.0, 0);
    for (context, now) in recorded_steps(episode) {
        // A name that means nothing lets a step pass.
        let action = NAMES.iter().position(|name| now["action"] == **name).unwrap_or(WAIT);
        let outcome = play.step(action);
        total += outcome.reward;
        steps += 1;
        let world = play.world();
        assert_eq!(Some(outcome.reward), now["reward"].as_f64(), "{context}");
        assert_eq!(outcome.terminated, now["done"] == true, "{context}");
        assert_eq!(Some(world.farm_value), now["farm_value"].as_f64(), "{context}");
        assert_eq!(json!([world.at.0, world.at.1]), now["position"], "{context}");
        assert_eq!(["N", "E", "S", "W"][usize::from(world.facing)], now["facing"], "{context}");
        for (kind, name) in KINDS.into_iter().zip(["fields", "pens", "villagers"]) {
            // What was harvested is no longer recorded.
            let things = world.of(kind).filter_map(|thing| Some((thing.at, STAGES[kind][usize::from(thing.stage?)])));
            let things: Vec<Json> = things.map(|((x, y), stage)| json!([x, y, stage])).collect();
            assert_eq!(Json::Array(things), now[name], "{context}");
        }
    }
    assert_eq!(Some(total), episode["return"].as_f64(), "{}", episode["world"]);
    steps
}

#[test]
fn peer_behaviour_every_recorded_step_of_the_three_levels_is_reproduced() {
    assert_eq!(replay_file(TRACES, load, replay), (3, 480));
}

#[test]
fn peer_behaviour_every_recorded_step_of_a_folder_is_reproduced() {
    // Without the folder there is nothing more to compare than the test above does.
    let Some(steps) = replay_folder("FARM_AUTOENV_BACKWARDS", load, replay) else { return };
    assert!(steps > 0, "the folder has levels");
}

#[test]
fn peer_behaviour_an_unknown_action_name_ticks_as_wait() {
    let recorded = TRACES.lines().next().and_then(|line| serde_json::from_str::<Json>(line).ok()).expect("a level");
    let valley = load("level", &recorded["level"].to_string());
    let mut environment = Environment::new(Arc::new(valley.game));
    environment.reset(0);
    let mut waiting = environment.clone();
    for name in ["WaterTheFlowers", "", "Harvest", "move north-east"] {
        let outcome = environment.step(name).expect("a step");
        assert_eq!(outcome, waiting.step("Wait").expect("a step"), "{name}");
        assert_eq!(environment.snapshot(), waiting.snapshot(), "{name}");
        assert_eq!(
            environment.info().to_json()["rejected"].as_array().map(Vec::len),
            Some(1),
            "it is said all the same"
        );
    }
    assert_eq!(environment.state().step(), 4);
    // Under our rules no time passes.
    let mut ours = Environment::new(Arc::new(Valley::shipped().game));
    ours.reset(0);
    let before = ours.snapshot();
    ours.step("WaterTheFlowers").expect("no step");
    assert_eq!(ours.snapshot(), before);
}

#[test]
fn baselines_waiting_and_acting_at_random_earn_what_is_published() {
    // Published are means of 19.8 and 21.8 percent of the most that can be earned. Levels differ much more than the means
    // over episodes of one do: the interval is that of Student's distribution for three levels.
    let levels = TRACES.lines().map(|line| serde_json::from_str::<Json>(line).expect("JSON"));
    let levels: Vec<Json> = levels.filter(|line| line["level"].is_object()).collect();
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let shares = |episodes: u64, random: bool| -> Vec<f64> {
        let share = |(line, most): (&Json, f64)| {
            let valley = load("level", &line["level"].to_string());
            let mut stream = Stream::from_seed(19);
            let mut total = 0.0;
            for seed in 0..episodes {
                let mut play = valley.play(seed);
                let mut action = || if random { stream.index(11) as usize } else { WAIT };
                total += (0..40).map(|_| play.step(action()).reward).sum::<f64>();
            }
            100.0 * total / episodes as f64 / most
        };
        levels.iter().zip([72.0, 75.0, 76.0]).map(share).collect()
    };
    let [waiting, random] = [shares(1, false), shares(2000, true)];
    for (shares, published) in [(&waiting, 19.8), (&random, 21.8)] {
        let mean = mean(shares);
        let error = (shares.iter().map(|share| (share - mean).powi(2)).sum::<f64>() / 2.0 / 3.0).sqrt();
        assert!((mean - published).abs() < 4.303 * error, "{published}: {shares:?}");
        assert!((mean - published).abs() < 5.0, "{published}: {shares:?}");
    }
    // Level by level, moving about earns a little more than waiting.
    assert!(waiting.iter().zip(&random).all(|(wait, random)| random > wait), "{waiting:?} {random:?}");
}
