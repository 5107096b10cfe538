//! `farm list`: every name with a sentence.

use crate::names;
use crate::program::farm;

#[test]
fn list_shows_every_section_with_a_sentence_for_each_name() {
    let all = farm(&["list", "--json"]).json();
    let sections = ["games", "entities", "farmers", "rules", "scores", "policies", "roles", "sets", "events", "phases"];
    assert_eq!(all.as_object().unwrap().keys().collect::<Vec<_>>(), sections);
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
    farm(&["list", "entites"]).says(1, &["there is no section `entites`", "did you mean `entities`?"]);
}
