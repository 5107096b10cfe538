//! Facts from our own format.

use farm_core::config::{Parameters, Path, Problem, Problems, check_table};
use farm_core::serde_yaml::Value;

use super::facts::{Facts, Group, Thing, tile};
use super::format::{Level, REQUIRED};
use super::root;

/// The keys of things, besides their tile.
const KEYS: [&str; 8] =
    ["stage", "base_value#point", "has_paid", "species", "sated_steps#step", "ticks#nb", "stock#nb", "mood"];
/// The one more that is a real number.
const RELATIONSHIP: &str = "relationship#point";

/// The facts, unless something is wrong with the file.
pub fn read(value: &Value, problems: &mut Problems) -> Option<Facts> {
    if !value.is_mapping() {
        let problem = Problem::new(Path::default(), "this is no level: it says nothing by name");
        problems.push(problem.help("`farm level GAME --seed 1` writes one to start from"));
        return None;
    }
    check_table(value, &Level::table(), &Path::default(), "`farm level GAME --seed 1` writes a level", problems);
    for key in REQUIRED.iter().filter(|key| value.get(**key).is_none_or(Value::is_null)) {
        problems.push(Problem::new(root(key), format!("the level does not say its `{key}`")).expected(match *key {
            "game" => "the name of a game, as `farm list games` shows it",
            "map" => "a picture of the ground, a line per row",
            _ => "the farmer, `{at: [x, y]}`",
        }));
    }
    if problems.has_errors() {
        return None;
    }
    let rows = rows(value.get("map").and_then(Value::as_str).unwrap_or_default(), problems);
    let agent = value.get("agent").cloned().unwrap_or_default();
    let agent_at = tile(agent.get("at"), &root("agent").child("at"), problems);
    let items = agent.get("inventory#nb").and_then(Value::as_mapping).into_iter().flatten();
    let items = items.filter_map(|(item, amount)| {
        let item = item.as_str()?;
        Some((item.to_owned(), amount.clone(), root("agent").child("inventory#nb").child(item)))
    });
    let facing = agent.get("facing").and_then(Value::as_str);
    let steps = value.get("steps#step").and_then(Value::as_u64);
    Some(Facts {
        game: value.get("game").and_then(Value::as_str).map(str::to_owned),
        steps: steps.map(|steps| (steps as u32, root("steps#step"))),
        rows,
        rows_path: root("map"),
        is_strict: true,
        agent: agent_at?,
        facing: facing.map(|facing| (facing.to_owned(), root("agent").child("facing"))),
        inventory: items.collect(),
        things: Group::ALL.iter().flat_map(|group| things(value, *group, problems)).collect(),
    })
}

fn things(value: &Value, group: Group, problems: &mut Problems) -> Vec<Thing> {
    let entries = value.get(group.name()).and_then(Value::as_sequence).into_iter().flatten();
    let things = entries.enumerate().filter_map(|(i, entry)| {
        let path = root(group.name()).child(i);
        let keys = KEYS.iter().copied().chain([RELATIONSHIP]);
        let values = keys.filter_map(|key| Some((key, entry.get(key)?.clone(), path.child(key))));
        let values = values.filter(|(_, value, _)| !value.is_null()).collect();
        Some(Thing { group, at: tile(entry.get("at"), &path.child("at"), problems)?, values, path })
    });
    things.collect()
}

/// The rows of the picture, checked.
fn rows(map: &str, problems: &mut Problems) -> Vec<String> {
    let rows: Vec<String> = map.lines().map(|row| row.trim().to_owned()).filter(|row| !row.is_empty()).collect();
    let length = rows.first().map_or(0, |row| row.chars().count());
    let wrong = |message: String, row: &str| {
        let problem = Problem::new(root("map"), message).value(row);
        problem.expected("rows of one length, of the symbols `.` and `#`")
    };
    if rows.is_empty() {
        problems.push(wrong("the map has no rows".into(), map));
    }
    for (y, row) in rows.iter().enumerate() {
        if let Some(symbol) = row.chars().find(|symbol| !matches!(symbol, '.' | '#')) {
            problems.push(wrong(format!("row {} of the map has an unknown symbol `{symbol}`", y + 1), row));
        } else if row.len() != length {
            problems.push(wrong(format!("row {} of the map has another length than the first", y + 1), row));
        }
    }
    rows
}
