//! `farm check`: every game of the catalogue is right, and every problem is told with its place.

use serde_json::Value as Json;

use super::program::farm;
use super::{farm_with_input, file, folder, games, yaml};

#[test]
fn check_accepts_every_game_of_the_catalogue() {
    let games = games();
    let arguments: Vec<&str> = std::iter::once("check").chain(games.iter().map(String::as_str)).collect();
    let ran = farm(&arguments);
    ran.says(
        0,
        &games
            .iter()
            .map(|game| format!("ok: {game}: "))
            .collect::<Vec<_>>()
            .iter()
            .map(String::as_str)
            .collect::<Vec<_>>(),
    );
    let json = farm(&["check", &games[0], "--json"]).json();
    assert_eq!((&json["files"][0]["ok"], &json["files"][0]["problems"]), (&Json::Bool(true), &Json::Array(vec![])));
}

#[test]
fn check_prints_every_problem_with_its_place_and_the_nearest_name() {
    let folder = folder("problems");
    let text = yaml("clay_bean-v0").replacen("name:", "nmae: x\nname:", 1).replacen("length#nb: 1", "length#nb: -1", 1);
    let text = text.replacen("score:\n", "scroe: 1\nscore:\n", 1).replacen("length#nb:", "length#cm:", 1);
    let path = file(&folder, "bad.yaml", &text);
    let line_of = |key: &str| 1 + text.lines().position(|line| line.contains(key)).unwrap();
    let ran = farm(&["check", &path, "clay_bean-v0"]);
    let place = |key: &str| format!("bad.yaml:{}:", line_of(key));
    ran.says(
        1,
        &["ok: clay_bean-v0", "did you mean `name`?", "did you mean `length#nb`?", &place("nmae"), &place("length#cm")],
    );
    let json = farm(&["check", &path, "--json"]);
    assert_eq!(json.code, 1);
    let json: Json = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(json["files"][0]["ok"], false);
    let first = &json["files"][0]["problems"][0];
    assert_eq!((first["severity"].as_str(), first["line"].as_u64()), (Some("error"), Some(line_of("nmae") as u64)));
    assert!(first["column"].is_u64() && first["help"].is_string() && first["expected"].is_string(), "{first}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_pipe_is_read_once_though_the_game_has_presets() {
    let text = yaml("clay_bean-v0");
    assert!(text.contains("\npresets:\n"), "a second look would find the pipe empty");
    farm_with_input(&["check", "/dev/stdin"], text.as_bytes()).says(0, &["ok: clay_bean-v0"]);
    farm_with_input(&["check", "/dev/stdin", "--explain"], text.as_bytes()).says(0, &["ok: clay_bean-v0"]);
}

#[test]
fn check_looks_into_presets_and_policies() {
    let folder = folder("presets");
    let text = yaml("clay_bean-v0");
    let with = |key: &str, entry: &str| match text.contains(&format!("\n{key}:\n")) {
        true => text.replacen(&format!("\n{key}:\n"), &format!("\n{key}:\n  {entry}\n"), 1),
        false => format!("{text}\n{key}:\n  {entry}\n"),
    };
    let path = file(&folder, "preset.yaml", with("presets", "wrong: {fields.Field-0.shape.length#nb: -3}"));
    farm(&["check", &path]).says(1, &["with preset `wrong`", "length#nb: -3}", " ^^\n"]);
    farm(&["run", &path, "--preset", "wrong"])
        .says(1, &["length#nb: -3}", "at: presets.wrong.fields.Field-0.shape.length#nb"]);
    farm(&["run", &path, "--preset", "wrnog"]).says(1, &["did you mean `wrong`?"]);
    farm(&["check", &path, "--preset", "wrong", "--preset", "wrnog"]).says(1, &["did you mean `wrong`?"]);
}

#[test]
fn an_ordinary_game_has_nothing_to_explain_and_says_so() {
    let said = "nothing to explain: clay_bean-v0 is not in the format of the Farm-gym reference";
    farm(&["check", "--explain", "clay_bean-v0"]).says(0, &[said, "ok: clay_bean-v0"]);
    assert!(!farm(&["check", "clay_bean-v0"]).stdout.contains(said));
    let json = farm(&["check", "--explain", "--json", "clay_bean-v0"]).json();
    assert_eq!(json["files"][0]["names"], serde_json::json!([]));
}
