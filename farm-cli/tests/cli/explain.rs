//! `farm explain`: what the codes of problems mean.

use std::collections::BTreeSet;

use farm_games::error_examples;

use super::program::farm;

/// The codes that the program lists, each once.
fn listed() -> BTreeSet<String> {
    let areas = farm(&["explain", "--json"]).json();
    let areas = areas["areas"].as_array().expect("areas").iter();
    let codes = areas.flat_map(|area| area["codes"].as_array().expect("codes"));
    let mut listed = BTreeSet::new();
    for code in codes {
        let name = code["code"].as_str().expect("a code");
        assert!(listed.insert(name.to_owned()), "`{name}` is declared twice");
        let sentence = code["doc"].as_str().expect("a sentence");
        assert!(sentence.ends_with('.') && code["reason"].as_str() != Some(""), "{code}");
    }
    listed
}

#[test]
fn a_code_is_explained_with_what_the_program_says_of_its_example() {
    let ran = farm(&["explain", "unknown-parameter"]);
    ran.says(
        0,
        &[
            "unknown-parameter\n\nA part has no parameter with this name.\n",
            "Wrong, in a game file:\n\n    - Soil: {base: clay, dephth#m: 1}\n",
            "error[unknown-parameter]: unknown parameter `dephth#m`\n  --> game.yaml:10:28",
            "help: `farm describe Soil` lists every parameter\n\nRight:\n\n    - Soil: {base: clay, depth#m: 1}\n",
        ],
    );
    farm(&["explain", "other-build"]).says(0, &["No example: the example would be a library of another compiler."]);
    let json = farm(&["explain", "unknown-parameter", "--json"]).json();
    assert_eq!(json["code"], "unknown-parameter");
    assert_eq!(json["example"]["right"], "- Soil: {base: clay, depth#m: 1}");
    assert!(json["example"]["told"].as_str().is_some_and(|told| told.starts_with("error[unknown-parameter]")));
}

#[test]
fn an_unknown_code_has_its_nearest_one() {
    let ran = farm(&["explain", "unknown-parametr"]);
    ran.says(1, &["error[unknown-name]: unknown error code `unknown-parametr`", "did you mean `unknown-parameter`?"]);
    assert!(ran.stderr.lines().count() < 8, "{}", ran.stderr);
}

#[test]
fn all_codes_are_listed_by_area_and_each_can_be_explained() {
    farm(&["explain"]).says(0, &["parameters: ", "  unknown-parameter  ", "commands: ", "maps: "]);
    for code in listed() {
        farm(&["explain", &code]).says(0, &[&format!("{code}\n\n"), ":"]);
    }
}

#[test]
fn every_code_has_an_example_or_a_reason_and_every_example_is_of_a_code() {
    let described: BTreeSet<String> = error_examples::names().into_iter().collect();
    let listed = listed();
    let missing: Vec<&String> = listed.difference(&described).collect();
    assert!(missing.is_empty(), "no example and no reason in `farm-games/error-examples/`: {missing:?}");
    let left: Vec<&String> = described.difference(&listed).collect();
    assert!(left.is_empty(), "examples of codes that are not declared: {left:?}");
}
