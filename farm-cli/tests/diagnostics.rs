//! What `farm check` prints about slips in a game file, as text and as JSON. What is said about each slip is told by the tests of
//! farm-games, whose small game is broken here.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value as Json, json};

const BASE: &str = include_str!("../../farm-games/error-examples/garden.yaml");

/// The output and the exit code of `farm check game.yaml`, with more arguments.
fn check(folder: &str, edits: &[(&str, &str)], more: &[&str]) -> (String, Option<i32>) {
    let text = edits.iter().fold(BASE.to_owned(), |text, (from, to)| {
        assert_eq!(text.matches(from).count(), 1, "`{from}` must stand in the game exactly once");
        text.replace(from, to)
    });
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("diagnostics_{folder}"));
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("game.yaml"), text).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_farm"));
    command.args(["check", "game.yaml"]).args(more).current_dir(&folder).stdin(Stdio::null());
    let output = command.output().unwrap();
    (String::from_utf8(output.stdout).unwrap(), output.status.code())
}

const SLIPS: [(&str, &str); 3] = [
    ("- Soil: clay", "- Soil: {base: clay, depth#m: -1}"),
    ("{stage: seed}", "{stage: sede}"),
    ("water_discrete: 0.02", "water_discreet: 0.02"),
];

#[test]
fn check_prints_the_slips_in_the_order_of_the_file() {
    let said = "\
error[value-out-of-range]: the value is out of range
  --> game.yaml:10:37
   |
10 |       - Soil: {base: clay, depth#m: -1}
   |                                     ^^
   |
   = at: fields.Field-0.entities[1].Soil.depth#m
   = expected: a number from 0.01 to 10

error[wrong-value]: `sede` is not a value of this variable
  --> game.yaml:21:26
   |
21 |         Plant-0: {stage: sede}
   |                          ^^^^
   |
   = at: rules.BasicRule.initial_conditions.Field-0.Plant-0.stage
   = expected: one of `none`, `seed`, `grow`, `bloom`, `fruit`, `ripe`, `dead`, `harvested`
   = did you mean `seed`?

error[unknown-action]: `Field-0.Soil-0` has no action `water_discreet`
  --> game.yaml:42:18
   |
42 |         Soil-0: {water_discreet: 0.02}
   |                  ^^^^^^^^^^^^^^
   |
   = at: score.BasicScore.intervention_cost.Field-0.Soil-0.water_discreet
   = expected: one of `water_discrete`, `water_continuous`
   = did you mean `water_discrete`?
   = help: `farm describe Soil` lists its actions

game.yaml: 3 errors, 0 warnings
`farm explain CODE` explains a code in brackets
";
    assert_eq!(check("text", &SLIPS, &[]), (said.to_owned(), Some(1)));
}

#[test]
fn check_tells_programs_the_same() {
    let (said, code) = check("json", &SLIPS, &["--json"]);
    let said: Json = serde_json::from_str(&said).unwrap();
    assert_eq!((code, &said["files"][0]["ok"]), (Some(1), &json!(false)));
    let problems = said["files"][0]["problems"].as_array().unwrap();
    let places: Vec<(u64, u64)> =
        problems.iter().map(|p| (p["line"].as_u64().unwrap(), p["column"].as_u64().unwrap())).collect();
    assert_eq!(places, [(10, 37), (21, 26), (42, 18)]);
    assert_eq!(
        problems[1],
        json!({
            "code": "wrong-value",
            "severity": "error",
            "message": "`sede` is not a value of this variable",
            "source": "game.yaml",
            "line": 21,
            "column": 26,
            "path": "rules.BasicRule.initial_conditions.Field-0.Plant-0.stage",
            "value": "sede",
            "expected": "one of `none`, `seed`, `grow`, `bloom`, `fruit`, `ripe`, `dead`, `harvested`",
            "nearest": "seed",
            "help": null,
        })
    );
}

#[test]
fn a_warning_leaves_the_game_ok() {
    let never = [("operator: '>=', ref_value: 330", "operator: '>=', ref_value: 365")];
    let (said, code) = check("warning", &never, &[]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.starts_with("warning[never-holds]: this condition can never hold\n  --> game.yaml:35:88\n"), "{said}");
    assert!(said.contains("\nok: garden: 3 entities, 6 actions, 4 observations (1 warning)\n  Field-0: "), "{said}");
}
