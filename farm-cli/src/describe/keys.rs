//! The description of a sort of files: its keys, each with what stands there.

use std::io::Write;

use farm_core::config::ParameterDoc;
use serde_json::{Value as Json, json};

use super::values::{parameter_rows, parameters_json};
use super::write_section;
use crate::output::TextTable;

/// A sort of files that one writes.
pub(super) struct FileKind {
    /// Its name, as `farm schema` takes it, too.
    pub name: &'static str,
    doc: &'static str,
    keys: Vec<ParameterDoc>,
}

/// The sort of files of this name.
pub(super) fn file_kind(name: &str) -> Option<FileKind> {
    let (name, doc, keys) = match name {
        "game" => (
            "game",
            "A game, written in YAML. A part is written `KIND`, `KIND: parameter set` or `KIND: {base: parameter set, parameter: value}`: \
             `farm list` shows the kinds, `farm describe KIND` the parameters of each. Keys that are needed: `name`, `fields`, `farmers`, \
             `score`, and `rules` or what stands in its place. Every part may be the path of a YAML file with it.",
            farm_games::schema::game_keys(),
        ),
        "level" => (
            "level",
            "A level, written in YAML: a world of a grid game. Keys that are needed: `game`, `map`, `agent`.",
            farm_games::level::keys(),
        ),
        _ => return None,
    };
    Some(FileKind { name, doc, keys })
}

/// Writes the description.
///
/// # Errors
/// A writer that fails.
pub(super) fn write(out: &mut impl Write, file: &FileKind) -> std::io::Result<()> {
    writeln!(out, "{} · file\n  {}\n  schema for editors: farm schema {0}", file.name, file.doc)?;
    let mut keys = TextTable::new(&["name", "kind", "range", "default", "meaning"]);
    parameter_rows(&mut keys, &file.keys, 0);
    write_section(out, "keys", &keys)
}

/// The description as JSON.
pub(super) fn to_json(file: &FileKind) -> Json {
    json!({"name": file.name, "kind": "file", "doc": file.doc, "keys": parameters_json(&file.keys)})
}
