//! Reads levels in the format of this project.

use std::collections::BTreeSet;

use farm_core::config::{ParameterError, Parameters, Path, Phrase, Problem, Problems, Tool, check_table};
use farm_core::serde_yaml::Value;

use super::facts::{Group, LevelFacts, LevelThing, tile};
use super::format::{Level, REQUIRED};
use super::{root, writes};
use crate::LevelError;

/// The keys of things, besides their tile.
const KEYS: [&str; 8] =
    ["stage", "base_value#point", "has_paid", "species", "sated_steps#step", "ticks#nb", "stock#nb", "mood"];
/// Another key, whose value is a real number.
const RELATIONSHIP: &str = "relationship#point";

/// A level's facts; none if the file has problems.
pub(super) fn read(value: &Value, problems: &mut Problems) -> Option<LevelFacts> {
    if !value.is_mapping() {
        let problem =
            Problem::new(LevelError::NotALevel, Path::default(), "this is not a level: expected a mapping of keys");
        problems.push(problem.help(writes()));
        return None;
    }
    let help = Tool::WriteLevel { game: "GAME".to_owned() }.and(" writes a level");
    check_table(value, &Level::table(), &Path::default(), &help, problems);
    for key in REQUIRED.iter().filter(|key| value.get(**key).is_none_or(Value::is_null)) {
        problems.push(
            Problem::new(ParameterError::MissingKey, root(key), format!("the level has no `{key}`")).expected(
                match *key {
                    "game" => Phrase::from("the name of a game, as ").with(Tool::list("games")).and(" shows it"),
                    "map" => "a picture of the ground, one line per row".into(),
                    _ => "the farmer, `{at: [x, y]}`".into(),
                },
            ),
        );
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
    Some(LevelFacts {
        game: value.get("game").and_then(Value::as_str).map(str::to_owned),
        steps: steps.map(|steps| (steps as u32, root("steps#step"))),
        rows,
        rows_path: root("map"),
        is_strict: true,
        agent: agent_at?,
        facing: facing.map(|facing| (facing.to_owned(), root("agent").child("facing"))),
        inventory: items.collect(),
        things: Group::ALL.iter().flat_map(|group| things(value, *group, problems)).collect(),
        empty: Group::ALL.into_iter().filter(|group| is_empty(value, *group)).collect(),
    })
}

/// Whether a level declares a group as empty: `pens: []`.
fn is_empty(value: &Value, group: Group) -> bool {
    value.get(group.name()).and_then(Value::as_sequence).is_some_and(|things| things.is_empty())
}

fn things(value: &Value, group: Group, problems: &mut Problems) -> Vec<LevelThing> {
    let entries = value.get(group.name()).and_then(Value::as_sequence).into_iter().flatten();
    let things = entries.enumerate().filter_map(|(i, entry)| {
        let path = root(group.name()).child(i);
        let keys = KEYS.iter().copied().chain([RELATIONSHIP]);
        let values = keys.filter_map(|key| Some((key, entry.get(key)?.clone(), path.child(key))));
        let values = values.filter(|(_, value, _)| !value.is_null()).collect();
        Some(LevelThing { group, at: tile(entry.get("at"), &path.child("at"), problems)?, values, path })
    });
    things.collect()
}

/// The checked rows of the picture. Each error is reported once, with all rows that have it.
fn rows(map: &str, problems: &mut Problems) -> Vec<String> {
    let rows: Vec<String> = map.lines().map(|row| row.trim().to_owned()).filter(|row| !row.is_empty()).collect();
    let wrong = |path: Path, message: String, found: String| {
        let problem = Problem::new(LevelError::WrongMap, path, message).value(found);
        problem.expected("rows of one length, of the symbols `.` and `#`")
    };
    if rows.is_empty() {
        problems.push(wrong(root("map"), "the map has no rows".into(), map.to_owned()));
    }
    let symbols: BTreeSet<char> = rows.iter().flat_map(|row| row.chars()).filter(|s| !matches!(s, '.' | '#')).collect();
    for symbol in symbols {
        let where_found = rows_that(&rows, |row| row.contains(symbol));
        let Some(y) = rows.iter().position(|row| row.contains(symbol)) else { continue };
        let message = format!("{where_found} of the map has an unknown symbol `{symbol}`");
        problems.push(wrong(root("map").child(y), message, rows[y].clone()));
    }
    // The usual length is the most frequent one, or the length of the first row if several are equally frequent.
    let length = |row: &String| row.chars().count();
    let frequency = |of: usize| rows.iter().filter(|row| length(row) == of).count();
    let usual = rows.iter().map(length).rev().max_by_key(|of| frequency(*of)).unwrap_or_default();
    if let Some((y, odd)) = rows.iter().enumerate().find(|(_, row)| length(row) != usual) {
        let where_found = rows_that(&rows, |row| length(&row.to_owned()) != usual);
        let message = format!("{where_found} of the map has a different length; the other rows have {usual} symbols");
        problems.push(wrong(root("map").child(y), message, format!("{odd} ({} symbols)", length(odd))));
    }
    rows
}

/// The rows that meet a condition, in words that take a singular verb: `row 2`, or `each of the rows 1 and 4`.
fn rows_that(rows: &[String], holds: impl Fn(&str) -> bool) -> String {
    let found: Vec<usize> = rows.iter().enumerate().filter(|(_, row)| holds(row)).map(|(y, _)| y + 1).collect();
    match found.as_slice() {
        [row] => format!("row {row}"),
        [first, second] => format!("each of the rows {first} and {second}"),
        [first, .., last] => format!("each of {} rows from {first} to {last}", found.len()),
        [] => String::new(),
    }
}
