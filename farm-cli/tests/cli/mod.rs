//! The built program, run as a user runs it: what works, what every error says, and that no input makes it panic.
//!
//! The tests ask the program itself for its games, so that they hold for every game of the catalogue.

mod check;
mod describe;
mod escapes;
mod explain;
mod list;
#[cfg(target_os = "linux")]
mod memory;
mod new;
mod no_panic;
mod outputs;
mod pages;
mod pipe;
mod replay;
mod run;
mod schema;
mod targets;
mod tune_and_plan;
mod weather;

use super::program;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::{Value as Json, json};

use program::{Ran, farm, one_of_each_family, program};

fn farm_with_input(arguments: &[&str], input: &[u8]) -> Ran {
    let mut command = program();
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // The program may refuse its arguments before it reads anything.
    let _ = child.stdin.take().unwrap().write_all(input);
    Ran::of(&child.wait_with_output().unwrap())
}

/// An empty folder of a test.
fn folder(test: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

fn file(folder: &Path, name: &str, content: impl AsRef<[u8]>) -> String {
    let path = folder.join(name);
    fs::write(&path, content).unwrap();
    path.to_str().unwrap().to_owned()
}

fn names(json: &Json) -> Vec<String> {
    json.as_array().unwrap().iter().map(|item| item["name"].as_str().unwrap().to_owned()).collect()
}

fn games() -> Vec<String> {
    let games = names(&farm(&["list", "games", "--json"]).json()["games"]);
    assert!(games.len() >= 2, "{games:?}");
    games
}

/// One game of each family in which a day is observed and worked in one step.
fn games_without_costly_looks() -> Vec<&'static str> {
    let mut games = one_of_each_family();
    games.retain(|game| {
        let game = farm_games::open(game, &farm_games::Options::default()).unwrap_or_else(|error| panic!("{error}"));
        game.spec().interaction_mode() != farm_core::spec::InteractionMode::Aomdp
    });
    games
}

fn yaml(game: &str) -> String {
    let ran = farm(&["describe", game, "--yaml"]);
    ran.says(0, &["name:"]);
    ran.stdout
}

/// Steps that a game allows without a limit of ours being in the way.
fn waits(n: usize) -> String {
    "[]\n".repeat(n)
}

#[test]
fn help_has_examples_and_wrong_usage_has_its_own_code() {
    farm(&["--help"]).says(0, &["Examples:", "farm run", "Exit codes"]);
    for command in ["list", "describe", "graph", "run", "replay", "check", "new-game", "new-plugin"] {
        farm(&[command, "--help"]).says(0, &["Examples:", &format!("farm {command}")]);
    }
    farm(&["--version"]).says(0, &["farm"]);
    farm::<&str>(&[]).says(2, &["Usage"]);
    farm(&["lsit"]).says(2, &["lsit", "list"]);
    farm(&["run"]).says(2, &["GAME"]);
    farm(&["run", "clay_bean", "--episodes", "0"]).says(2, &["0", "--episodes"]);
    farm(&["run", "clay_bean", "--seed", "-1"]).says(2, &[]);
    farm(&["run", "clay_bean", "--seed", "99999999999999999999"]).says(2, &["--seed"]);
    farm(&["run", "clay_bean", "--set", "depth"]).says(2, &["PATH=VALUE"]);
    farm(&["run", "clay_bean", "--set", "=3"]).says(2, &["PATH=VALUE"]);
    farm(&["replay", "clay_bean"]).says(1, &["is not a recording", "--seed", "--actions"]);
    farm(&["replay", "clay_bean", "--seed", "1"]).says(2, &["--actions"]);
    farm(&["replay", "clay_bean", "--actions", "moves.txt"]).says(2, &["--seed"]);
    farm(&["check"]).says(2, &["FILE"]);
}

#[test]
fn roles_tell_their_range_and_who_writes_them() {
    farm(&["describe", "water_inflow"]).says(0, &["water_inflow · role", "unit: L.day-1", "range: 0 or more", "Soil"]);
    farm(&["describe", "growth_hindrance"]).says(0, &["range: 0 … 1", "Plant"]);
    farm(&["describe", "pests_on_host"]).says(0, &["changed by (stored by another part)\n  Pests"]);
    farm(&["describe", "Pests"]).says(0, &["roles changed (stored by another part)\n  pests_on_host"]);
    let role = farm(&["describe", "water_share", "--json"]).json();
    assert_eq!((&role["range"], &role["writers"]), (&json!([0.0, 1.0]), &json!([])));
    assert_eq!(farm(&["describe", "water_demand", "--json"]).json()["range"], json!([0.0, null]));
}

#[test]
fn an_unknown_name_has_the_nearest_of_all_names() {
    farm(&["describe", "clay_baen"]).says(1, &["`clay_baen`", "did you mean `clay_bean`?", "farm list"]);
    farm(&["describe", "BasicFramer"]).says(1, &["did you mean `BasicFarmer`?"]);
    farm(&["describe", "rain_amonut"]).says(1, &["did you mean `rain_amount`?"]);
    farm(&["run", "clay_baen"]).says(1, &["there is no game `clay_baen`", "did you mean `clay_bean`?"]);
    farm(&["run", "clay_bean", "--policy", "radnom"]).says(1, &["no policy `radnom`", "did you mean `random`?"]);
    farm(&["run", "clay_bean", "--preset", "xyz"]).says(1, &["no preset `xyz`"]);
    farm(&["run", "./no/such.yaml"]).says(1, &["can't be read", "./no/such.yaml"]);
}
