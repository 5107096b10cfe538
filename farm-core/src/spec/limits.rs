//! Maximum lengths for the lists in a game file. They are far above what any game needs, but low enough for a game to compile quickly.

use serde_yaml::Value;

use crate::config::{Budget, LimitError, Path, Problem, Problems};

/// The maximum number of fields in a game.
pub const MAX_FIELDS: usize = 100;
/// The maximum number of entities in a field.
pub const MAX_ENTITIES_PER_FIELD: usize = 1000;
/// The maximum number of entities in all fields combined.
pub const MAX_ENTITIES: usize = 2000;
/// The maximum number of farmers in a game.
pub const MAX_FARMERS: usize = 100;
/// The maximum number of presets in a game.
pub const MAX_PRESETS: usize = 200;
/// The maximum number of policies in a game.
pub const MAX_POLICIES: usize = 200;

/// Reports every list in a game that is too long. Returns whether all lists are short enough.
pub(super) fn check_limits(game: &Value, problems: &mut Problems) -> bool {
    let before = problems.0.len();
    let mut check = |path: Path, what: &str, found: usize, most: usize| {
        if found > most {
            let last = path.0.last().map(|last| Path(vec![last.clone()]).to_string()).unwrap_or_default();
            let problem =
                Problem::new(LimitError::GameTooLarge, path, format!("`{last}` lists too many {what}")).about_name();
            problems.push(problem.value(format!("{found} {what}")).expected(format!("at most {most}")));
        }
    };
    let root = |key: &str| Path::default().child(key);
    for (key, what, most) in [
        ("fields", "fields", MAX_FIELDS),
        ("farmers", "farmers", MAX_FARMERS),
        ("presets", "presets", MAX_PRESETS),
        ("policies", "policies", MAX_POLICIES),
    ] {
        check(root(key), what, game.get(key).map_or(0, entries), most);
    }
    let mut all = 0_usize;
    for (name, field) in game.get("fields").and_then(Value::as_mapping).into_iter().flatten() {
        let found = field.get("entities").map_or(0, entries);
        all += found;
        let name = name.as_str().unwrap_or("?");
        check(root("fields").child(name).child("entities"), "entities", found, MAX_ENTITIES_PER_FIELD);
    }
    check(root("fields"), "entities in total", all, MAX_ENTITIES);
    problems.0.len() == before
}

/// Reports a game that is too large before any of its parts are read, because reading a part takes milliseconds. Returns the number of
/// values in the game.
pub(super) fn check_size(game: &Value, budget: Budget, problems: &mut Problems) -> usize {
    check_parts(game, budget, problems);
    check_values(game, budget, problems)
}

/// Reports a game with too many entities, farmers and scores.
fn check_parts(game: &Value, budget: Budget, problems: &mut Problems) {
    let fields = game.get("fields").and_then(Value::as_mapping).into_iter().flatten();
    let entities = fields.map(|(_, field)| field.get("entities").map_or(0, entries));
    let farmers = game.get("farmers").map_or(0, entries);
    let found = entities.fold(farmers, usize::saturating_add).saturating_add(1);
    if found > budget.parts {
        let path = Path::default().child(if farmers > budget.parts { "farmers" } else { "fields" });
        let problem = Problem::new(LimitError::GameTooLarge, path, "the game has too many parts").about_name();
        let problem = problem
            .value(format!("{found} parts"))
            .expected(format!("at most {} in a game that a client sends or a run changes", budget.parts));
        problems.push(
            problem.help("use fewer parts, or save the game as a file and open that: your own files may have more"),
        );
    }
}

/// Reports a game with too many values. Returns the number of values.
fn check_values(game: &Value, budget: Budget, problems: &mut Problems) -> usize {
    let found = values_in(game);
    if found > budget.values {
        let problem = Problem::new(LimitError::GameTooLarge, Path::default(), "the game has too many values");
        let problem = problem
            .value(format!("{found} values"))
            .expected(format!("at most {} in a game that a client sends or a run changes", budget.values));
        problems.push(
            problem.help("shorten the lists, or save the game as a file and open that: your own files may be longer"),
        );
    }
    found
}

/// The number of values within a value, including itself.
fn values_in(value: &Value) -> usize {
    match value {
        Value::Sequence(items) => 1 + items.iter().map(values_in).sum::<usize>(),
        Value::Mapping(mapping) => 1 + mapping.values().map(values_in).sum::<usize>(),
        _ => 1,
    }
}

/// The number of entries in a list or a mapping.
fn entries(value: &Value) -> usize {
    match value {
        Value::Sequence(items) => items.len(),
        Value::Mapping(mapping) => mapping.len(),
        _ => 0,
    }
}
