#![doc = include_str!("../README.md")]
//!
//! # Details
//!
//! Such a game is a file with the root key `Farm:` and, next to it, files for actions, score and start. For example, `farm0.yaml` with
//! `actions: actions.yaml` uses `farm0_actions.yaml`. Each value is translated with its location, so that problems point to the user's
//! file. One table maps names that the reference spells differently ([`names::SPELLINGS`]). Names that have no meaning here are ignored
//! with a warning, never with an error. Missing files get the reference's defaults.
//!
//! One of this project's games may also keep its start, actions and score in files with the same layout. [`spread`] moves their contents
//! into the game's rule and score.

#![forbid(unsafe_code)]
#![warn(clippy::unwrap_used)]

mod defaults;
mod errors;
mod farm;
mod inline_files;
pub mod names;
mod notes;
mod repair;
mod sections;
mod vocabulary;

use std::path::Path as FilePath;

use farm_core::Game;
use farm_core::config::{
    Document, ParameterError, ParameterKind, ParameterValue, Path, Problem, Problems, Source, Text, TextPath,
    to_inline_yaml,
};
use farm_core::serde_yaml::Value;
use farm_core::spec::{InteractionMode, load_document};

pub use errors::ReferenceError;
pub use inline_files::spread;
pub use notes::{Fate, Meaning, Note, Remark, Remarks};
pub use sections::{RULE, SCORE, rule_path, score_path};
pub use vocabulary::steps;

use sections::Sheets;
use vocabulary::Vocabulary;

/// A reference game, translated to a game in this project's format.
#[derive(Debug)]
pub struct Translation {
    /// The game; its warnings list everything that could not be read.
    pub document: Document,
    /// Remarks on names and values that were changed.
    pub remarks: Remarks,
}

impl Translation {
    /// The remarks on names and values that were changed, each with its location.
    pub fn notes(&self) -> Vec<Note> {
        self.remarks.notes(&self.document)
    }
}

/// Whether a parsed file is in the format of the reference.
pub fn is_reference(value: &Value) -> bool {
    value.get("Farm").is_some()
}

/// Parses a source. The reference accepts duplicate keys, and the last one counts. Their paths are also returned.
///
/// # Errors
/// The same as for [`Source::document`], except for duplicate keys in a reference game.
pub fn parse(source: &Source) -> Result<(Document, Vec<Path>), Problems> {
    let refused = match source.document() {
        Ok(document) => return Ok((document, Vec::new())),
        Err(refused) => refused,
    };
    let repeated = source.document_with_repeated().ok();
    repeated.filter(|(document, _)| is_reference(document.value())).ok_or(refused)
}

/// Adds a remark for each duplicate key in a file.
fn note_repeated(repeated: &[Path], text: usize, remarks: &mut Remarks) {
    for path in repeated {
        let key = path.0.last().map(|last| Path(vec![last.clone()]).to_string()).unwrap_or_default();
        let origin = TextPath { text, path: path.clone() };
        remarks.replaced(&origin, &key, "the last value", format!("duplicate key `{key}`"));
    }
}

/// Translates a parsed file and the files next to it; `repeated` are its duplicate keys.
///
/// # Errors
/// A farm that can't be built with any rules, or a file that is not valid YAML, with its location.
pub fn translate(mut document: Document, repeated: &[Path]) -> Result<Translation, Problems> {
    let root = std::mem::take(document.value_mut());
    let mut remarks = Remarks::default();
    note_repeated(repeated, 0, &mut remarks);
    let nowhere = TextPath { text: 0, path: Path::default() };
    document.place(&Path::default(), Value::Mapping(Default::default()), nowhere.clone());
    let farm = root.get("Farm").cloned().unwrap_or_default();
    if let Some(problem) = farm::no_farm(&farm) {
        return Err(document.locate(Problems(vec![problem])));
    }
    let stem = stem(document.source());
    let key = |key: &str| Path::default().child(key);
    document.place(&key("name"), Value::from(stem.as_str()), nowhere.clone());
    let doc = format!("A game in the format of the Farm-gym reference, read from {}.", document.source());
    document.place(&key("doc"), Value::from(doc), nowhere.clone());
    farm::read(&farm, &mut document, &mut remarks);
    document.place(&rule_path("actions"), Value::Mapping(Default::default()), nowhere.clone());
    document.place(&key("score"), Value::from(SCORE), nowhere.clone());
    for (name, policy) in defaults::POLICIES {
        document.place(&key("policies").child(name), Value::from(policy), nowhere.clone());
    }
    // Compiles the farm by itself, because the other files are read with its names.
    let game = load_document(&document).and_then(Game::new).map_err(|problems| document.locate(problems))?;
    read_root(&root, &mut document, &mut remarks, &game)?;
    repair::repair(&mut document, &mut remarks)?;
    let warnings = document.locate_at(remarks.warnings());
    document.warn(warnings);
    Ok(Translation { document, remarks })
}

/// Reads the other keys at the root.
fn read_root(root: &Value, document: &mut Document, remarks: &mut Remarks, game: &Game) -> Result<(), Problems> {
    let modes = match InteractionMode::kind() {
        ParameterKind::Choice(words) => words,
        _ => &[],
    };
    let mode = farm::mode(root.get("interaction_mode"), modes, remarks);
    let origin = |key: &str| TextPath { text: 0, path: Path::default().child(key) };
    document.place(&Path::default().child("interaction_mode"), Value::from(mode.as_str()), origin("interaction_mode"));
    let mut files = Vec::new();
    for (part, names) in [
        (Part::Init, ["initialization", "initialisation", "init"]),
        (Part::Actions, ["actions", "action", "actions_file"]),
        (Part::Score, ["score", "scoring", "scores"]),
    ] {
        let written = names.into_iter().find_map(|name| Some((name, root.get(name)?)));
        files.push((part, names[0], part_file(document, written, names[0], remarks)?));
    }
    for (key, value) in root.as_mapping().into_iter().flatten() {
        let key = to_inline_yaml(key);
        match key.as_str() {
            "Farm" | "interaction_mode" | "initialization" | "initialisation" | "init" | "actions" | "action"
            | "actions_file" | "score" | "scoring" | "scores" => {}
            "day_path" => {
                remarks.mapped(
                    &origin(&key),
                    &to_inline_yaml(value),
                    "the weather's day",
                    "the weather always counts the days",
                );
            }
            _ => remarks.left_out(&origin(&key), &key, format!("`{key}` is not a key of a game")),
        }
    }
    let asks = mode == "aomdp";
    let mut sheets = Sheets { document, vocabulary: Vocabulary::Of(game), remarks, problems: Vec::new(), asks };
    for (part, name, file) in files {
        match (part, file) {
            (Part::Init, Some((text, value))) => sheets.init(&value, whole(text)),
            (Part::Actions, Some((text, value))) => {
                sheets.actions(&value, whole(text));
                if value.get("interventions").is_none() {
                    defaults::interventions(&mut sheets);
                }
            }
            (Part::Score, Some((text, value))) => sheets.score(&value, whole(text)),
            (Part::Init, None) => defaults::init(&mut sheets, game, &origin(name)),
            (Part::Actions, None) => defaults::actions(&mut sheets, game, &origin(name)),
            (Part::Score, None) => defaults::score(&mut sheets, &origin(name)),
        }
    }
    defaults::for_all(&mut sheets);
    let problems = std::mem::take(&mut sheets.problems);
    let problems = sheets.document.locate_at(problems);
    if problems.has_errors() { Err(problems) } else { Ok(()) }
}

#[derive(Clone, Copy, PartialEq)]
enum Part {
    Init,
    Actions,
    Score,
}

fn whole(text: usize) -> TextPath {
    TextPath { text, path: Path::default() }
}

/// A file's name without its folder and extension.
fn stem(source: &str) -> String {
    FilePath::new(source).file_stem().and_then(|stem| stem.to_str()).unwrap_or("game").to_owned()
}

/// The index and the values of a file next to the game; none if there is no such file.
///
/// In `farm0.yaml`, `actions: actions.yaml` means `farm0_actions.yaml`. If only `actions.yaml` exists, it is used. Without the key, the
/// usual name is tried.
fn part_file(
    document: &mut Document,
    written: Option<(&str, &Value)>,
    usual: &str,
    remarks: &mut Remarks,
) -> Result<Option<(usize, Value)>, Problems> {
    let suffix = match (written, usual) {
        (Some((_, Value::String(name))), _) => name.clone(),
        (Some((key, value)), _) if !value.is_null() => {
            let problem = Problem::new(
                ParameterError::WrongType,
                Path::default().child(key),
                format!("`{key}` must be the name of a file"),
            );
            return Err(
                document.locate(Problems(vec![problem.value(to_inline_yaml(value)).expected("the name of a file")]))
            );
        }
        (_, "initialization") => "init.yaml".to_owned(),
        (_, usual) => format!("{usual}.yaml"),
    };
    let folder = document.directory().map(std::path::Path::to_path_buf).unwrap_or_default();
    let key = written.map_or(usual, |(key, _)| key);
    let origin = TextPath { text: 0, path: Path::default().child(key) };
    // A name with folders (`../start.yaml`) is used unchanged, so both are tried.
    let find = |name: &str| document.trust().find(&folder, &folder, name);
    let found = find(&format!("{}_{suffix}", stem(document.source()))).and_then(|joined| Ok((joined, find(&suffix)?)));
    let (joined, alone) = match found {
        Ok(found) => found,
        Err(problem) => {
            let problem = Problem { path: origin.path, ..*problem };
            return Err(document.locate(Problems(vec![problem])));
        }
    };
    let joined_path = joined.path();
    let file = match (joined_path.exists(), written.is_some() && alone.path().exists()) {
        (true, _) => joined,
        (false, true) => {
            remarks.mapped(
                &origin,
                &suffix,
                &alone.path().display().to_string(),
                "the file has this name without a prefix",
            );
            alone
        }
        (false, false) => {
            let missing = joined_path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let why = format!("there is no file `{missing}` next to the game");
            remarks.replaced(&origin, &suffix, defaults::what(usual), why);
            return Ok(None);
        }
    };
    let text = match Text::of_file(&file) {
        Ok(text) => text,
        Err(problem) => {
            let problem = Problem { path: origin.path, ..*problem };
            return Err(document.locate(Problems(vec![problem])));
        }
    };
    let (value, repeated) = text.parse_repeated()?;
    let text = document.add_text(text);
    note_repeated(&repeated, text, remarks);
    Ok(Some((text, value)))
}
