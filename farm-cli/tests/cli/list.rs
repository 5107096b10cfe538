//! `farm list`: every name with a sentence.

use super::names;
use super::program::farm;

#[test]
fn list_shows_every_section_with_a_sentence_for_each_name() {
    let all = farm(&["list", "--json"]).json();
    let sections = ["games", "entities", "farmers", "rules", "scores", "policies", "roles", "sets", "events", "phases"];
    assert_eq!(all.as_object().unwrap().keys().filter(|key| *key != "schema").collect::<Vec<_>>(), sections);
    for section in sections {
        let items = all[section].as_array().unwrap();
        assert!(!items.is_empty(), "{section}");
        for item in items {
            assert!(!item["doc"].as_str().unwrap().is_empty(), "{item}");
        }
        let text = farm(&["list", section]);
        assert_eq!(text.stdout.lines().count(), items.len(), "one line each");
        for (line, name) in text.stdout.lines().zip(names(&all[section])) {
            assert!(line.starts_with(&name), "{line}");
        }
    }
    farm(&["list"]).says(0, &["games\n", "\nroles\n", "policies: "]);
    farm(&["list", "sets"]).says(0, &["bean ", "[of: Plant]", "montpellier "]);
    farm(&["list", "events"]).says(0, &["stage_transition ", "[of: Plant]"]);
    let phases = farm(&["list", "phases", "--json"]).json();
    let expected: Vec<&str> = farm_core::Phase::ALL.iter().map(|phase| phase.name()).collect();
    assert_eq!(names(&phases["phases"]), expected);
    farm(&["list", "evnets"]).says(1, &["did you mean `events`?"]);
    farm(&["list", "entites"]).says(1, &["unknown section `entites`", "did you mean `entities`?"]);
}

#[test]
fn games_have_their_version_and_former_ones_are_listed_when_asked_for() {
    farm(&["list", "games"])
        .says(0, &["clay_bean ", "[version: 2; policies: ", "valley_farm ", "[version: 0; ", "; family: valleys]"]);
    let newest = farm(&["list", "games", "--json"]).json();
    let all = farm(&["list", "games", "--former", "--json"]).json();
    let of_bean = |list: &serde_json::Value| -> Vec<(String, u64)> {
        let games = list["games"].as_array().unwrap().iter();
        let versions = games.map(|game| (game["name"].as_str().unwrap().to_owned(), game["version"].as_u64().unwrap()));
        versions.filter(|(name, _)| name.starts_with("clay_bean")).collect()
    };
    let bean = |name: &str, version| (name.to_owned(), version);
    assert_eq!(of_bean(&newest), [bean("clay_bean", 2)]);
    assert_eq!(of_bean(&all), [bean("clay_bean", 2), bean("clay_bean-v0", 0)]);
    farm(&["list", "roles", "--former"]).says(1, &["`--former` lists versions of games"]);
}

#[test]
fn a_game_is_opened_in_each_of_its_versions() {
    for (name, shown) in [("clay_bean", "clay_bean"), ("clay_bean-v2", "clay_bean"), ("clay_bean-v0", "clay_bean-v0")] {
        farm(&["check", name]).says(0, &[&format!("ok: {shown}: ")]);
        farm(&["describe", name]).says(0, &[&format!("{shown} · game\n")]);
    }
    let limit = ["--set", "rules.BasicRule.max_steps=2", "--policy", "wait", "--episodes", "1"];
    farm(&[&["run", "clay_bean-v0"], &limit[..]].concat()).says(0, &["clay_bean-v0"]);
    farm(&["run", "backwards_valley-v0", "--level", "test/03", "--episodes", "1"]).says(0, &["backwards_valley"]);
    let unknown =
        ["there is no version `clay_bean-v7` of the game `clay_bean`", "one of `clay_bean-v0`, `clay_bean-v2`"];
    farm(&["run", "clay_bean-v7"]).says(1, &unknown);
    farm(&["check", "clay_baen-v0"]).says(1, &["did you mean `clay_bean-v0`?"]);
}
