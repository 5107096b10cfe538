//! Section "Levels": the preset `autoenv_compat` on the peer's levels gives what the peer's implementation recorded.
//!
//! `autoenv_traces.jsonl` holds the three Backwards Valley levels of AutoEnv-36 (environment 19, MIT licence) and all steps
//! recorded on them; a step has only the entries that differ from the step before. A folder with more of them, levels
//! `NAME.yaml` beside traces `NAME.traces.jsonl`, is read too where the variable `FARM_AUTOENV_BACKWARDS` names one.

use std::sync::Arc;

use farm_core::Environment;
use farm_games::{LevelFile, Options};
use serde_json::{Map, Value as Json, json};

use crate::support::*;

const TRACES: &str = include_str!("autoenv_traces.jsonl");

const ACTIONS: [&str; 11] = [
    "MoveN",
    "MoveS",
    "MoveE",
    "MoveW",
    "Wait",
    "UseWateringCan",
    "SpreadFertilizer",
    "Feed",
    "CleanPen",
    "Compliment",
    "Insult",
];

fn load(source: &str, level: &str) -> Valley {
    let level = Some(LevelFile::new(source, level));
    Valley::open(&Options { preset: Some("autoenv_compat".into()), level, ..Options::default() })
}

/// Plays an episode and compares everything that was recorded; returns the number of steps.
fn replay(valley: &Valley, episode: &Json) -> usize {
    let mut play = valley.play(0);
    let mut known = Map::new();
    let (mut total, mut steps) = (0.0, 0);
    for record in episode["steps"].as_array().expect("steps") {
        known.extend(record.as_object().expect("a step").clone());
        let now = Json::Object(known.clone());
        let context = format!("{} episode {} step {}", episode["world"], episode["episode"], steps + 1);
        // A name that means nothing lets a step pass.
        let action = ACTIONS.iter().position(|name| now["action"] == **name).unwrap_or(WAIT);
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
    let (mut valley, mut steps, mut levels) = (None, 0, 0);
    for line in TRACES.lines() {
        let line: Json = serde_json::from_str(line).expect("JSON");
        if line["level"].is_object() {
            // JSON is YAML.
            valley = Some(load("level", &line["level"].to_string()));
            levels += 1;
        } else {
            steps += replay(valley.as_ref().expect("a level stands before its episodes"), &line);
        }
    }
    assert_eq!((levels, steps), (3, 480));
}

#[test]
fn peer_behaviour_every_recorded_step_of_a_folder_is_reproduced() {
    // Without the folder there is nothing more to compare than the test above does.
    let Some(folder) = std::env::var_os("FARM_AUTOENV_BACKWARDS") else { return };
    let mut steps = 0;
    for entry in std::fs::read_dir(folder).expect("the folder") {
        let path = entry.expect("a file").path();
        if path.extension().is_some_and(|extension| extension == "yaml") {
            let valley = load(&path.display().to_string(), &std::fs::read_to_string(&path).expect("a level"));
            let traces = std::fs::read_to_string(path.with_extension("traces.jsonl")).expect("its traces");
            steps +=
                traces.lines().map(|line| replay(&valley, &serde_json::from_str(line).expect("JSON"))).sum::<usize>();
        }
    }
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
        let outcome = environment.text_step(name).expect("a step");
        assert_eq!(outcome, waiting.text_step("Wait").expect("a step"), "{name}");
        assert_eq!(environment.snapshot(), waiting.snapshot(), "{name}");
        assert_eq!(environment.info()["rejected"].as_array().map(Vec::len), Some(1), "it is said all the same");
    }
    assert_eq!(environment.state().step, 4);
    // Under our rules no time passes.
    let mut ours = Environment::new(Arc::new(Valley::shipped().game));
    ours.reset(0);
    let before = ours.snapshot();
    ours.text_step("WaterTheFlowers").expect("no step");
    assert_eq!(ours.snapshot(), before);
}
