//! How large a game may be: what is too large is refused with its place before anything is allocated, and what is allowed is
//! compiled without looking at everything for everything.

use std::collections::BTreeSet;

use farm_core::Game;
use farm_core::action::{ActionKind, ActionTarget};
use farm_core::config::{Document, MAX_PROBLEMS, Problem, Problems};
use farm_core::spec::{
    MAX_ENTITIES, MAX_ENTITIES_PER_FIELD, MAX_FARMERS, MAX_FIELDS, MAX_PRESETS, load, load_document,
};
use farm_games::{Options, open};

const OVERFLOW: &str = include_str!("layout_overflow_130_plants_1000x1000.yaml");

/// A game of small farms.
fn farm(fields: usize, plants: usize, farmers: usize, more: &str) -> String {
    let entities = format!("[{{Weather: montpellier}}, {{Soil: loam}}{}]", ", {Plant: bean}".repeat(plants));
    let fields: String = (0..fields).map(|i| format!("  Field-{i}: {{entities: {entities}}}\n")).collect();
    let farmers = vec!["BasicFarmer"; farmers].join(", ");
    format!(
        "name: many\nfields:\n{fields}farmers: [{farmers}]\nrules: {{BasicRule: {{max_steps: 2, actions: {{}}, free_observations: []}}}}\n\
         score: BasicScore\n{more}"
    )
}

fn compiled(text: &str) -> Result<Game, Problems> {
    let document = Document::parse("many.yaml", text)?;
    Game::new(load_document(&document)?).map_err(|problems| document.locate(problems))
}

fn refused(text: &str) -> Vec<Problem> {
    compiled(text).map(|game| game.parts.len()).expect_err("the game is too large").0
}

#[test]
fn lists_that_are_too_long_are_refused_with_their_place() {
    let presets: String = (0..=MAX_PRESETS).map(|i| format!("  preset_{i}: {{}}\n")).collect();
    for (text, place, found, most) in [
        (farm(MAX_FIELDS + 1, 0, 1, ""), "2:1, at fields", "101 fields", MAX_FIELDS),
        (farm(1, 0, MAX_FARMERS + 1, ""), "4:1, at farmers", "101 farmers", MAX_FARMERS),
        (farm(1, 20_000, 1, ""), "3:13, at fields.Field-0.entities", "20002 entities", MAX_ENTITIES_PER_FIELD),
        (farm(3, 700, 1, ""), "2:1, at fields", "2106 entities in all", MAX_ENTITIES),
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
    let names: BTreeSet<&str> = game.parts.iter().map(|part| part.name.as_str()).collect();
    assert_eq!(names.len(), MAX_ENTITIES_PER_FIELD + 2, "each has a name of its own");
    let plants: Vec<&str> = game.parts.iter().filter(|p| p.kind == "Plant").map(|p| p.name.as_str()).collect();
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
fn a_state_that_is_too_large_is_refused_with_its_size() {
    for (text, size) in [
        (OVERFLOW.to_owned(), "37"),
        // Here the 32-bit index wraps.
        (OVERFLOW.replacen("{Plant: bean}", &["{Plant: bean}"; 21].join(", "), 1), "43"),
    ] {
        let problems = refused(&text);
        let [_, problem] = problems.as_slice() else { panic!("{}", Problems(problems)) };
        let shown = problem.to_string();
        assert!(shown.contains("a state of this game would have ") && shown.contains(size), "{shown}");
        for word in ["many.yaml:2:10, at fields.Field-0", "1000 × 1000 plots", "expected: at most 4.0 GB"] {
            assert!(shown.contains(word), "`{word}` is missing in\n{shown}");
        }
    }
}

#[test]
fn a_flat_list_of_actions_that_is_too_long_is_refused() {
    let text = farm(1, 0, 1, "").replace(
        "max_steps: 2, actions: {}",
        "max_steps: 2, number_of_bins_to_discretize_continuous_actions: 10000, actions: {Field-0: {Soil-0: {water_continuous: {amount#L: '(1, 5)', duration#min: '(1, 60)'}}}}",
    );
    let shown = match compiled(&text) {
        Err(problems) => problems.to_string(),
        Ok(game) => panic!("{} actions", game.catalogue.discrete_len()),
    };
    assert!(shown.contains("the flat list of actions of this game would have 100000000 entries"), "{shown}");
}

#[test]
fn everything_that_can_be_asked_for_in_a_field_of_256_plots_is_offered_once() {
    let set = [
        ("interaction_mode", "aomdp"),
        ("fields.Field-0.shape.length#nb", "16"),
        ("fields.Field-0.shape.width#nb", "16"),
    ];
    let set = set.map(|(path, value)| (path.to_owned(), value.to_owned())).to_vec();
    let game =
        open("clay_bean", &Options { set, ..Default::default() }).unwrap_or_else(|problems| panic!("{problems}"));
    let looks = game.catalogue.base_actions.iter().filter(|base| base.kind() == ActionKind::Observation);
    let asked: Vec<(usize, usize, String)> = looks
        .map(|base| match &base.target {
            ActionTarget::Observation(request) => (base.farmer, base.part, request.text()),
            ActionTarget::Intervention(_) => unreachable!("it looks"),
        })
        .collect();
    assert!(asked.len() > 10_000, "{}", asked.len());
    assert_eq!(asked.iter().collect::<BTreeSet<_>>().len(), asked.len());
}

#[test]
fn the_id_of_every_call_is_its_place_in_the_flat_list() {
    let text = load(
        "many.yaml",
        &farm(1, 1, 1, "").replace("actions: {}", "number_of_bins_to_discretize_continuous_actions: 7"),
    )
    .and_then(Game::new);
    let games = ["clay_bean", "full_farm", "valley_farm"].map(|name| open(name, &Options::default()));
    for game in games.into_iter().chain([text]) {
        let game = game.unwrap_or_else(|problems| panic!("{problems}"));
        for id in 0..game.catalogue.discrete_len() {
            if let [call] = game.catalogue.discrete(id).unwrap() {
                assert_eq!(game.catalogue.discrete_of(call), Some(id), "{}", game.catalogue.describe(call));
            }
        }
    }
}
