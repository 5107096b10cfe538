//! How large a game may be: what is too large is refused with its place before anything is allocated.

use std::collections::BTreeSet;

use farm_core::Game;
use farm_core::config::{Document, MAX_PROBLEMS, Problem, Problems};
use farm_core::spec::{MAX_ENTITIES, MAX_ENTITIES_PER_FIELD, MAX_FARMERS, MAX_FIELDS, MAX_PRESETS, load_document};

/// A game of small farms.
fn farm(fields: usize, plants: usize, farmers: usize, more: &str) -> String {
    let entities = format!("[{{Weather: montpellier}}, {{Soil: loam}}{}]", ", {Plant: bean}".repeat(plants));
    let fields: String = (0..fields).map(|i| format!("  Field-{i}: {{entities: {entities}}}\n")).collect();
    let farmers = vec!["BasicFarmer"; farmers].join(", ");
    format!(
        "name: many\nfields:\n{fields}farmers: [{farmers}]\nrules: {{BasicRule: {{max_steps: 2, actions: {{}}, free_observations: []}}}}\n\
         score: PriceScore\n{more}"
    )
}

fn compiled(text: &str) -> Result<Game, Problems> {
    let document = Document::parse("many.yaml", text)?;
    Game::new(load_document(&document)?).map_err(|problems| document.locate(problems))
}

fn refused(text: &str) -> Vec<Problem> {
    compiled(text).map(|game| game.parts().len()).expect_err("the game is too large").0
}

#[test]
fn lists_that_are_too_long_are_refused_with_their_place() {
    let presets: String = (0..=MAX_PRESETS).map(|i| format!("  preset_{i}: {{}}\n")).collect();
    for (text, place, found, most) in [
        (farm(MAX_FIELDS + 1, 0, 1, ""), "2:1, at fields", "101 fields", MAX_FIELDS),
        (farm(1, 0, MAX_FARMERS + 1, ""), "4:1, at farmers", "101 farmers", MAX_FARMERS),
        (farm(1, 20_000, 1, ""), "3:13, at fields.Field-0.entities", "20002 entities", MAX_ENTITIES_PER_FIELD),
        (farm(3, 700, 1, ""), "2:1, at fields", "2106 entities in total", MAX_ENTITIES),
        (farm(1, 0, 1, &format!("presets:\n{presets}")), "7:1, at presets", "201 presets", MAX_PRESETS),
    ] {
        let problems = refused(&text);
        let shown = Problems(problems).to_string();
        for word in [format!("many.yaml:{place}"), format!("found: {found}"), format!("expected: at most {most}")] {
            assert!(shown.contains(&word), "`{word}` is missing in\n{shown}");
        }
    }
}

#[test]
fn a_field_of_a_thousand_entities_is_compiled_and_its_parts_are_numbered() {
    let game = compiled(&farm(1, MAX_ENTITIES_PER_FIELD - 2, 1, "")).unwrap_or_else(|problems| panic!("{problems}"));
    let names: BTreeSet<&str> = game.parts().iter().map(|part| part.name()).collect();
    assert_eq!(names.len(), MAX_ENTITIES_PER_FIELD + 2, "each has a name of its own");
    let plants: Vec<&str> = game.parts().iter().filter(|p| p.kind() == "Plant").map(|p| p.name()).collect();
    assert_eq!((plants[0], plants.last().copied()), ("Plant-0", Some("Plant-997")));
}

#[test]
fn of_twenty_thousand_problems_the_first_are_shown_and_the_rest_is_counted() {
    let parameters: String = (0..20_000).map(|i| format!(", p{i}: 1")).collect();
    let text = farm(1, 1, 1, "").replace("{Plant: bean}", &format!("{{Plant: {{base: bean{parameters}}}}}"));
    let problems = refused(&text);
    assert_eq!(problems.len(), MAX_PROBLEMS + 1);
    assert_eq!(problems[0].message, "unknown parameter `p0`");
    assert_eq!(problems[MAX_PROBLEMS].message, "at least 900 more problems are not shown");
    // As many as are shown are shown.
    let few: String = (0..MAX_PROBLEMS).map(|i| format!(", p{i}: 1")).collect();
    let text = farm(1, 1, 1, "").replace("{Plant: bean}", &format!("{{Plant: {{base: bean{few}}}}}"));
    assert_eq!(refused(&text).len(), MAX_PROBLEMS);
}

#[test]
fn a_flat_list_of_actions_that_is_too_long_is_refused() {
    let text = farm(1, 0, 1, "").replace(
        "max_steps: 2, actions: {}",
        "max_steps: 2, number_of_bins_to_discretize_continuous_actions: 10000, actions: {Field-0: {Soil-0: {water_continuous: {amount#L: '(1, 5)', duration#min: '(1, 60)'}}}}",
    );
    let shown = match compiled(&text) {
        Err(problems) => problems.to_string(),
        Ok(game) => panic!("{} actions", game.catalogue().discrete_len()),
    };
    assert!(shown.contains("the flat list of actions of this game would have 100000000 entries"), "{shown}");
}

#[test]
fn the_id_of_every_call_is_its_place_in_the_flat_list() {
    let text = farm(1, 1, 1, "").replace("actions: {}", "number_of_bins_to_discretize_continuous_actions: 7");
    let game = compiled(&text).unwrap_or_else(|problems| panic!("{problems}"));
    assert!(game.catalogue().discrete_len() > 20);
    for id in 1..game.catalogue().discrete_len() {
        let [call] = game.catalogue().discrete(id).unwrap() else { panic!("{id} is not one call") };
        assert_eq!(game.catalogue().discrete_of(call), Some(id), "{}", game.catalogue().describe(call));
    }
}
