//! What commands print as JSON is as the schemas in `schemas/outputs/` say; [`super::program::Ran::json`] compares.

use std::collections::BTreeSet;
use std::fs;

use serde_json::{Value as Json, json};

use super::program::{Folder, farm, good, schema_of, schemas_of_outputs};

/// Commands that print JSON, and the form of it. `RUN` stands for a run of an agent, `HIDDEN` and `PUBLIC` for a set of worlds,
/// `TRIALS` for a folder of field trials.
const COMMANDS: [(&str, &str); 30] = [
    ("run", "run clay_bean --policy wait --episodes 2 --explain"),
    ("run", "run backwards_valley --policy oracle --episodes 1"),
    ("eval", "eval clay_bean --policy wait --policy expert --episodes 3 --risk cvar:0.5"),
    ("eval", "eval clay_bean --policy wait --policy expert --episodes 30 --paired-with wait"),
    ("eval", "eval clay_bean --context train --policy wait --episodes 24"),
    ("splits", "eval backwards_valley --split test --policy wait --policy random --episodes 2"),
    ("compare", "compare clay_bean wait expert --preset 4x3"),
    ("check", "check clay_bean backwards_valley"),
    ("code", "explain unknown-parameter"),
    ("codes", "explain"),
    ("list", "list"),
    ("list", "list games --former"),
    ("contexts", "describe clay_bean --contexts"),
    ("describe", "describe clay_bean"),
    ("describe", "describe Soil"),
    ("describe", "describe remove"),
    ("plan", "plan clay_bean --budget 24 --every 50 --episodes 2"),
    ("tune", "tune clay_bean --policy expert --all-numbers --budget 240 --held-out 5"),
    ("oracle", "oracle backwards_valley --level test/01"),
    ("study", "study nitrogen --seeds 1"),
    ("studies", "study"),
    ("trials", "trials TRIALS"),
    ("families", "agents family"),
    ("member", "agents family backwards_valley --seed 7 --clauses"),
    ("census", "agents family backwards_valley --check 3"),
    ("worlds", "agents family backwards_valley --annotate test --tier 1 --count 1 --out FILE"),
    ("gradients", "agents family backwards_valley --gradients --tier 1 --count 1"),
    ("score", "agents score RUN"),
    ("verify", "agents verify RUN"),
    ("reveal", "agents reveal HIDDEN --commitment PUBLIC"),
];

#[test]
fn every_output_names_its_form_and_is_as_its_schema_says() {
    let folder = Folder::new("outputs");
    let (run, hidden, public) = (folder.file("run"), folder.file("hidden.json"), folder.file("public.json"));
    let agents = ["agents", "play", "backwards_valley", "--policy", "wait", "--episodes", "1", "--out", &run, "--json"];
    let mut seen = BTreeSet::from(["agents".to_owned()]);
    assert_eq!(farm(&agents).json()["schema"], "farm/agents/1");
    good(&[
        "agents",
        "commit",
        "backwards_valley",
        "--tier",
        "1",
        "--count",
        "2",
        "--out",
        &hidden,
        "--public",
        &public,
    ]);
    let trials = format!("{}/../farm-trials/tests/example", env!("CARGO_MANIFEST_DIR"));
    for (form, command) in COMMANDS {
        let table = folder.file("worlds.csv");
        let files = [("RUN", &run), ("HIDDEN", &hidden), ("PUBLIC", &public), ("FILE", &table), ("TRIALS", &trials)];
        let word = |word: &str| {
            files.iter().find(|(name, _)| *name == word).map_or(word.to_owned(), |(_, file)| (*file).clone())
        };
        let words: Vec<String> = command.split(' ').map(word).chain(["--json".to_owned()]).collect();
        let ran = farm(&words);
        // A study whose findings do not hold on a single seed ends with 1 and prints the same.
        let printed: Json =
            serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{command}: {error}: {}", ran.stderr));
        assert_eq!(printed["schema"], format!("farm/{form}/1"), "{command}");
        let wrong: Vec<String> =
            schema_of(form).iter_errors(&printed).map(|error| format!("{}: {error}", error.instance_path())).collect();
        assert!(wrong.is_empty(), "{command}: {}", wrong.join("\n"));
        seen.insert(form.to_owned());
    }
    let described: BTreeSet<String> = fs::read_dir(schemas_of_outputs())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap().replace(".schema.json", ""))
        .collect();
    assert_eq!(seen, described, "each form has a schema, and each schema a form");
}

#[test]
fn a_schema_refuses_another_form_and_a_missing_or_unknown_key() {
    let printed = farm(&["run", "clay_bean", "--policy", "wait", "--episodes", "2", "--json"]).json();
    let schema = schema_of("run");
    for (key, value) in [("schema", json!("farm/run/2")), ("policies", json!([])), ("seed", json!("3"))] {
        let mut other = printed.clone();
        other[key] = value;
        assert!(!schema.is_valid(&other), "{key}");
    }
    let mut other = printed;
    other.as_object_mut().unwrap().remove("per_episode");
    assert!(!schema.is_valid(&other));
}
