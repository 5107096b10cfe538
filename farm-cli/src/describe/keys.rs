//! Describes a file type: its keys and their values.

use std::io::Write;

use farm_core::config::ParameterDoc;
use serde_json::{Value as Json, json};

use super::section::write_section;
use super::values::{parameter_rows, parameters_json};
use crate::output::TextTable;

/// A type of file that users write.
pub(super) struct FileKind {
    /// Its name, which `farm schema` also uses.
    pub name: &'static str,
    doc: &'static str,
    keys: Vec<ParameterDoc>,
}

/// The file type with this name.
pub(super) fn file_kind(name: &str) -> Option<FileKind> {
    let (name, doc, keys) = match name {
        "game" => (
            "game",
            "A game file (YAML). Write a part as `KIND`, `KIND: parameter set` or `KIND: {base: parameter set, parameter: value}`. \
             `farm list` lists the kinds, `farm describe KIND` their parameters. Required keys: `name`, `fields`, `farmers`, \
             `score`, and `rules` or its replacement (`init` and `actions`). Any part may be the path of a YAML file that contains it.",
            farm_games::schema::game_keys(),
        ),
        "level" => (
            "level",
            "A level file (YAML): a world of a grid game. Required keys: `game`, `map`, `agent`.",
            farm_games::level::keys(),
        ),
        _ => return None,
    };
    Some(FileKind { name, doc, keys })
}

/// Writes the description.
///
/// # Errors
/// Fails if the output can't be written.
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
