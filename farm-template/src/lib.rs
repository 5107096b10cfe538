#![doc = include_str!("../README.md")]
//!
//! # Details
//!
//! Active entries are plain lines. Other possible entries are commented out with a `#` and show their default values. Each entry has a
//! comment with its unit, range and meaning, taken from the declarations. Deleting lines restricts the game, and removing a `#` extends it.
//! Loading the unedited files gives the same game.
//!
//! Source: Farm-gym paper 3.1.4 (missing files are generated with all entries in the prescribed format).

#![forbid(unsafe_code)]
#![warn(clippy::unwrap_used)]

mod actions;
mod game_file;
mod init;
mod notes;
mod score;
mod text;
mod tree;
mod write;

use std::fmt;
use std::path::{Path as FilePath, PathBuf};

use farm_core::Game;
use farm_core::config::{
    Document, EXTENDS, FileError, Location, Origin, Path, Problem, Problems, Source, Text, TextPath, Trust,
};
use farm_core::serde_yaml::{Mapping, Value};
use farm_core::spec::InteractionMode;
use farm_games::{GameName, Options, change, compile, document_with, is_file};
use farm_reference_format::{RULE, ReferenceError, SCORE, is_reference, rule_path, score_path, spread, translate};

pub use write::File;

/// The parts with separate files, in the order of their files.
const PARTS: [&str; 3] = ["init", "actions", "score"];
/// The maximum number of steps in a game without an end: a year.
const MAX_STEPS: u32 = 365;

/// A request for a template.
#[derive(Debug, Clone, Default)]
pub struct TemplateRequest {
    /// The name of a built-in game, or the path of a YAML file.
    pub game: String,
    /// Changes to the game, applied first.
    pub options: Options,
    /// The folder to write into. `None` means the folder of the game file, or the current folder for a built-in game.
    pub out: Option<PathBuf>,
    /// Whether existing files are overwritten.
    pub force: bool,
}

/// The result of a request.
#[derive(Debug, Clone)]
pub struct Template {
    /// The files to write.
    pub files: Vec<File>,
    /// Files that the game already refers to. They stay unchanged.
    pub kept: Vec<PathBuf>,
    /// The game's file and the lines that replace its rule and score, if the user must make this change.
    pub by_hand: Option<(PathBuf, String)>,
    /// The game file that uses the other files.
    pub game: PathBuf,
}

/// Prints the written files, the unchanged files, and the next command.
impl fmt::Display for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for file in &self.files {
            writeln!(f, "written: {} ({} lines)", file.path.display(), file.text.lines().count())?;
        }
        for path in &self.kept {
            writeln!(f, "kept:    {}", path.display())?;
        }
        if let Some((path, lines)) = &self.by_hand {
            writeln!(f, "\n{} is unchanged. To use these files, replace `rules`, `init`, `actions`", path.display())?;
            writeln!(f, "and `score` in it with the lines below, or use `--force`:\n\n{}", lines.trim_end())?;
        }
        writeln!(f, "\nfarm check {}", self.game.display())
    }
}

impl Template {
    /// Writes all files or none.
    ///
    /// # Errors
    /// Fails if a folder or a file can't be written.
    pub fn write(&self) -> Result<(), Problems> {
        write::write(&self.files)
    }
}

/// A game as it was read, with the files for its parts.
struct TemplateSource {
    document: Document,
    /// The text of its main file. `None` for another format.
    text: Option<String>,
    /// Its main file. `None` for built-in games.
    file: Option<PathBuf>,
    /// The files that it names for its parts, and whether they exist.
    named: [Option<(String, bool)>; 3],
    /// Whether the game does not mention actions, so that all observations are free and all actions are allowed.
    all_free: bool,
}

/// Creates the files of a request without writing them.
///
/// # Errors
/// Fails if the game has errors, or if files already exist.
pub fn template(request: &TemplateRequest) -> Result<Template, Problems> {
    let source = read(&request.game, &request.options)?;
    let mut document = source.document;
    change(&mut document, &request.options)?;
    let game = compile(&document)?;
    if game.spec().rules().typetag_name() != RULE {
        let message = format!("a template needs the rule `{RULE}`, but this game has another rule");
        let problem = Problem::new(ReferenceError::NotThisRule, Path::default().child("rules"), message)
            .value(game.spec().rules().typetag_name());
        return Err(document.locate(Problems(vec![problem])));
    }
    let all_free = source.all_free && game.spec().interaction_mode() == InteractionMode::Pomdp;
    let own_folder = source.file.as_deref().and_then(FilePath::parent).unwrap_or(FilePath::new("")).to_path_buf();
    let folder = request.out.clone().unwrap_or_else(|| own_folder.clone());
    let stem = match &source.file {
        Some(file) => file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default(),
        None => request.game.clone(),
    };
    let game_path = folder.join(format!("{stem}.yaml"));
    let same = |a: &FilePath, b: &FilePath| a.canonicalize().is_ok_and(|a| b.canonicalize().is_ok_and(|b| a == b));
    let game_path =
        source.file.clone().filter(|file| request.out.is_none() || same(file, &game_path)).unwrap_or(game_path);
    let is_own = source.file.as_deref().is_some_and(|file| same(file, &game_path));
    let names: [String; 3] = std::array::from_fn(|i| match &source.named[i] {
        Some((name, _)) if is_own => name.clone(),
        _ => format!("{stem}_{}.yaml", PARTS[i]),
    });
    let files = [names[0].as_str(), names[1].as_str(), names[2].as_str()];
    let texts = [init::write(&game, files), actions::write(&game, all_free), score::write(&game, &document)];
    let is_changed = request.options.preset.is_some() || !request.options.set.is_empty();
    let is_elsewhere = folder != own_folder && !same(&folder.join("."), &own_folder.join("."));
    let is_moved = is_elsewhere && move_plugins(&mut document);
    let edited =
        source.text.as_deref().filter(|_| !is_changed && !is_moved).and_then(|text| game_file::edited(text, files));
    let game_text = edited.unwrap_or_else(|| game_file::written(&document, files, request.options.preset.is_some()));
    // A completed game has no original to compare with.
    let original = (!source.all_free).then_some(&game);
    check(&game_path, &game_text, &texts, original, document.trust().clone())?;

    let mut found = Template { files: Vec::new(), kept: Vec::new(), by_hand: None, game: game_path.clone() };
    for (i, text) in texts.into_iter().enumerate() {
        let path = place_of(&game_path, PARTS[i], &names[i])?;
        let is_named = is_own && source.named[i].is_some();
        if is_named && path.exists() && !request.force && !is_changed {
            found.kept.push(path);
        } else {
            found.files.push(File { path, text });
        }
    }
    let refers = is_own && !is_changed && source.named.iter().all(Option::is_some);
    if is_own && !request.force && !refers && !is_changed && source.text.is_some() {
        found.by_hand = Some((game_path, game_file::references(files)));
    } else if !refers {
        found.files.push(File { path: game_path, text: game_text });
    }
    if found.files.is_empty() {
        let mut problem = Problem::new(FileError::FileExists, Path::default(), "all files of the game already exist");
        problem.value = Some(names.join(", "));
        return Err(Problems(vec![problem.help("`--force` overwrites them, `--out DIR` writes into another folder")]));
    }
    let there: Vec<&PathBuf> = found.files.iter().map(|file| &file.path).filter(|path| path.exists()).collect();
    if !request.force && !there.is_empty() {
        return Err(Problems(there.into_iter().map(|path| is_there(path)).collect()));
    }
    Ok(found)
}

/// The path to a part's file. It must be inside the game's folder, regardless of `--allow-outside-files`.
fn place_of(game: &FilePath, part: &str, name: &str) -> Result<PathBuf, Problems> {
    let folder = game.with_file_name("");
    Trust::default().find(&folder, &folder, name).map(|found| found.path().to_path_buf()).map_err(|problem| {
        let problem = Problem { path: Path::default().child(part), ..*problem };
        let help = "a template writes only into the folder of the game: name a file there, or choose another folder with `--out DIR`";
        Problems(vec![problem.help(help)])
    })
}

fn is_there(path: &FilePath) -> Problem {
    let mut problem =
        Problem::new(FileError::FileExists, Path::default(), "the file already exists, and nothing was written");
    problem.location = Some(Location::new(path.display().to_string(), None));
    problem.help("`--out DIR` writes into another folder, `--force` overwrites existing files")
}

/// Makes plugin paths absolute for a game that moves to another folder. Returns whether this changes the game.
fn move_plugins(document: &mut Document) -> bool {
    let folder = document.directory().map(std::path::Path::to_path_buf).unwrap_or_default();
    let mut is_changed = false;
    for path in document.value_mut().get_mut("plugins").and_then(Value::as_sequence_mut).into_iter().flatten() {
        let full = path.as_str().and_then(|own| std::path::absolute(folder.join(own)).ok());
        let full = full.map(|full| Value::from(full.display().to_string())).filter(|full| full != path);
        is_changed |= full.is_some();
        *path = full.unwrap_or_else(|| std::mem::take(path));
    }
    is_changed
}

/// Reads a game. The files for its rule and score may be missing.
fn read(game: &str, options: &Options) -> Result<TemplateSource, Problems> {
    let no_names = || [None, None, None];
    let file = match GameName::parse(game)? {
        GameName::File(file) => file,
        GameName::Shipped(entry) => {
            let document = document_with(game, options.consent())?;
            // A game that extends another one is written as a complete game.
            let extends = entry.source().document()?.value().get(EXTENDS).is_some();
            let text = (!extends).then(|| entry.yaml.to_owned());
            return Ok(TemplateSource { document, text, file: None, named: no_names(), all_free: false });
        }
        GameName::Member(_) => {
            let document = document_with(game, options.consent())?;
            return Ok(TemplateSource { document, text: None, file: None, named: no_names(), all_free: false });
        }
    };
    let source = Source::of_file(&file)?.with_trust(Trust::new(Origin::OwnFile(options.consent())));
    let mut document = source.document()?;
    if is_reference(document.value()) {
        let document = translate(document, &[])?.document;
        return Ok(TemplateSource { document, text: None, file: Some(file), named: no_names(), all_free: false });
    }
    if document.value().get(EXTENDS).is_some() {
        let document = document_with(game, options.consent())?;
        return Ok(TemplateSource { document, text: None, file: Some(file), named: no_names(), all_free: false });
    }
    let text = Some(document.own_text().to_owned());
    let folder = file.parent().unwrap_or(FilePath::new("")).to_path_buf();
    let mut named = no_names();
    for (i, part) in PARTS.into_iter().enumerate() {
        let name = document.value().get(part).and_then(Value::as_str).filter(|name| is_file(name)).map(str::to_owned);
        if let Some(name) = name {
            let found = document.trust().find(&folder, &folder, &name).map_err(|problem| {
                document.locate(Problems(vec![Problem { path: Path::default().child(part), ..*problem }]))
            })?;
            let is_there = found.path().exists();
            named[i] = Some((name, is_there));
            if !is_there {
                document.remove(&Path::default().child(part));
            }
        }
    }
    document.include_parts()?;
    spread(&mut document)?;
    let nothing_said = document.value().get("rules").is_none_or(Value::is_null);
    let missing = |i: usize| matches!(named[i], Some((_, false)));
    fill_in(&mut document);
    Ok(TemplateSource { all_free: nothing_said || missing(1), document, text, file: Some(file), named })
}

/// Adds a rule and a score to a game if they are missing.
fn fill_in(document: &mut Document) {
    let origin = TextPath { text: 0, path: Path::default() };
    let is_missing = |document: &Document, key: &str| document.value().get(key).is_none_or(Value::is_null);
    let rule = Path::default().child("rules").child(RULE);
    if is_missing(document, "rules") {
        document.place(&rule, Value::Mapping(Mapping::new()), origin.clone());
        document.place(&rule_path("max_steps"), Value::from(MAX_STEPS), origin.clone());
    }
    if is_missing(document, "score") {
        let score = Path::default().child("score").child(SCORE);
        document.place(&score, Value::Mapping(Mapping::new()), origin.clone());
        // The default reward of the paper: 1 for each stage that a plant reaches.
        document.place(&score_path("reward_mix").child("stage_transition"), Value::from(1.0), origin);
    }
}

/// Loads the texts as if they were files, and compares the resulting game with the original.
fn check(
    path: &FilePath,
    game_text: &str,
    texts: &[String; 3],
    original: Option<&Game>,
    trust: Trust,
) -> Result<(), Problems> {
    let mut source = Source::new(&path.display().to_string(), game_text).with_trust(trust).in_folder(path.parent());
    for (part, text) in PARTS.into_iter().zip(texts) {
        let text = Text::new(&format!("{} of the template", part), text);
        source = source.with_part(Path::default().child(part), text);
    }
    let mut document = source.document()?;
    document.include_parts()?;
    spread(&mut document)?;
    let game = compile(&document)?;
    let Some(original) = original else { return Ok(()) };
    let entries = |game: &Game| -> Vec<String> {
        game.observation()
            .entries()
            .iter()
            .map(|entry| format!("{} {:?} {:?}", entry.key(), entry.kind(), entry.shape()))
            .collect()
    };
    let same =
        game.catalogue().base_actions() == original.catalogue().base_actions() && entries(&game) == entries(original);
    if same {
        return Ok(());
    }
    let problem = Problem::new(FileError::FileNotWritten, Path::default(), "the files would not load as the same game");
    Err(Problems(vec![problem.value(original.spec().name()).help("this is a defect of the program: report it")]))
}
