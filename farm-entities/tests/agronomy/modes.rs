//! The modes `equations: corrected` and `equations: paper`: one key for a field, another for an entity, a switch for itself.

use farm_core::config::{Document, PartKind};
use farm_core::registry::kind;
use farm_core::serde_yaml::{self, Value};
use farm_core::spec::load_document;
use farm_core::{Environment, Game};
use farm_games::catalogue::entry;
use farm_games::document;

/// The game with an `entity_defaults` of its field.
fn with_defaults(defaults: &str, edit: impl Fn(&str) -> String) -> Result<Game, String> {
    let text = entry("full_farm-v0").unwrap().yaml;
    let text = edit(&text.replace("entity_defaults: {equations: corrected}", &format!("entity_defaults: {defaults}")));
    let document = Document::parse("modes.yaml", &text).map_err(|p| p.to_string())?;
    let spec = load_document(&document).map_err(|p| p.to_string())?;
    Game::new(spec).map_err(|p| document.locate(p).to_string())
}

fn parameter(game: &Game, entity: &str, name: &str) -> Value {
    let printed: Value = serde_yaml::from_str(&game.spec().to_yaml().unwrap()).unwrap();
    let entities = printed["fields"]["Field-0"]["entities"].as_sequence().unwrap().clone();
    entities.iter().find_map(|item| item.get(entity)).unwrap()[name].clone()
}

/// State after some days of doing nothing.
fn hash_after(game: Game, days: usize) -> u64 {
    let mut environment = Environment::new(std::sync::Arc::new(game));
    environment.reset(5);
    for _ in 0..days {
        environment.step(&[]).unwrap();
    }
    environment.state().hash()
}

#[test]
fn one_key_sets_the_mode_of_a_whole_field_and_an_entity_may_say_otherwise() {
    let game = with_defaults("{equations: paper}", |text| {
        text.replace("- Soil: loam", "- Soil: {base: loam, equations: corrected}")
    });
    let game = game.unwrap();
    for (entity, expected) in [("Weather", "paper"), ("Plant", "paper"), ("Weeds", "paper"), ("Soil", "corrected")] {
        assert_eq!(parameter(&game, entity, "equations"), Value::from(expected), "{entity}");
    }
    assert_eq!(parameter(&game, "Weather", "rain"), Value::Null, "a switch follows the mode until it is set");
}

#[test]
fn the_modes_play_another_season_and_both_stay_finite() {
    let play = |mode: &str| hash_after(with_defaults(&format!("{{equations: {mode}}}"), str::to_owned).unwrap(), 190);
    assert_ne!(play("paper"), play("corrected"));
    let shipped = document("full_farm-v0").and_then(|d| load_document(&d)).and_then(Game::new).unwrap();
    assert_eq!(
        shipped.spec().to_yaml().unwrap(),
        with_defaults("{equations: corrected}", str::to_owned).unwrap().spec().to_yaml().unwrap()
    );
}

#[test]
fn a_default_that_no_entity_has_is_an_error_with_its_place_and_the_nearest_name() {
    let error = with_defaults("{equation: paper}", str::to_owned).unwrap_err();
    assert!(error.contains("no entity of the field has a parameter `equation`"), "{error}");
    assert!(
        error.contains("fields.Field-0.entity_defaults.equation") && error.contains("did you mean `equations`?"),
        "{error}"
    );
    let error = with_defaults("{equations: papper}", str::to_owned).unwrap_err();
    assert!(error.contains("did you mean `paper`?"), "{error}");
}

/// The table of the equation sheet names the switches that exist, and the entities that have the mode.
#[test]
fn the_table_of_modes_names_every_entity_with_a_mode_and_only_switches_that_exist() {
    let sheet = include_str!("../../../docs/equation-sheet.md");
    let table = sheet.split("# PART V. MODES").nth(1).unwrap();
    let rows = table.lines().filter(|line| line.starts_with("| ") && line.contains('`'));
    let mut named: Vec<String> = Vec::new();
    for row in rows {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let kind = kind(PartKind::Entity, cells[1]).unwrap_or_else(|| panic!("no entity {}", cells[1]));
        let switch = cells[2].trim_matches('`');
        let (group, inner) = switch.split_once('.').filter(|(g, _)| !g.contains('#')).unwrap_or(("", switch));
        let table = kind.table();
        let found = match group {
            "" => table.iter().any(|p| p.name() == inner),
            group => table.iter().any(|p| {
                p.name() == group && matches!(p.kind(), farm_core::config::ParameterKind::Group(inside) if inside.iter().any(|p| p.name() == inner))
            }),
        };
        assert!(found, "{}: no parameter {switch}", cells[1]);
        named.push(cells[1].to_owned());
    }
    for kind in farm_core::registry::kinds() {
        let has_mode = kind.table().iter().any(|p| p.name() == "equations");
        assert_eq!(has_mode, named.iter().any(|n| n == kind.name()), "{}", kind.name());
    }
}
