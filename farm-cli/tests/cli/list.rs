//! `farm list`: every name with a sentence.

use crate::names;
use crate::program::farm;

#[test]
fn list_shows_every_section_with_a_sentence_for_each_name() {
    let all = farm(&["list", "--json"]).json();
    let sections = ["games", "entities", "farmers", "rules", "scores", "policies", "roles"];
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
    farm(&["list", "entites"]).says(1, &["there is no section `entites`", "did you mean `entities`?"]);
}
