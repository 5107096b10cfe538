//! Rules, farmers, policies and the catalogue of games.
//!
//! A dependency on this crate links every part in the project: `use farm_games as _;` is enough to register them.
//!
//! A policy plays an episode while an [observer](farm_core::Observer) watches:
//!
//! ```
//! use farm_core::{Observer, ObserverError, Transition, play};
//!
//! /// On how many days something was done.
//! #[derive(Default)]
//! struct BusyDays(u32);
//!
//! impl Observer for BusyDays {
//!     fn after_step(&mut self, transition: &Transition<'_>) -> Result<(), ObserverError> {
//!         self.0 += u32::from(!transition.record.executed().is_empty());
//!         Ok(())
//!     }
//! }
//!
//! let game = farm_games::open("clay_bean", &farm_games::Options::default()).unwrap();
//! let mut player = farm_games::policy(&game, "expert").unwrap();
//! let mut busy = BusyDays::default();
//! let episode = play(&game, player.as_mut(), 7, &mut busy).unwrap();
//! assert!(episode.total() > 0.0 && 0 < busy.0 && u64::from(busy.0) < episode.steps());
//! ```

#![forbid(unsafe_code)]
#![warn(clippy::unwrap_used)]

farm_core::label_table!(English, include_str!("../labels/en.yaml"));
farm_core::label_table!(French, include_str!("../labels/fr.yaml"));

pub mod catalogue;
pub mod error_examples;
mod errors;
mod extends;
pub mod families;
pub mod farmers;
pub mod first_season;
mod game_source;
pub mod learners;
pub mod level;
pub mod policies;
pub mod python;
mod read_back;
mod rehearsal;
pub mod rules;
pub mod schema;

pub use catalogue::{CATALOGUE, CatalogueEntry, FORMER};
pub use errors::{FarmerError, LevelError, PolicyError, RehearsalError};
pub use game_source::GameSource;
pub use level::LevelFile;
pub use policies::policy;
pub use read_back::read_back;
pub use rehearsal::{Rehearsal, rehearse};

use farm_core::Game;
use farm_core::config::{
    ChangeError, Consent, Document, FileError, Location, NameError, Origin, Path, Phrase, Problem, Problems, Segment,
    Severity, Tool, Trust, parse_value,
};
use farm_core::spec::{load_document, problems_without_plugin, recover};
use farm_reference_format::Translation;

// Referenced, so that the linker keeps the registrations of these crates.
pub use {farm_entities, farm_scoring};

/// The Rust code of the README, compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;

/// The Rust code of the documentation pages, compiled and run with the tests.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../../docs/entity-in-rust.md")]
    struct EntityInRust;
    #[doc = include_str!("../../docs/score.md")]
    struct Score;
    #[doc = include_str!("../../docs/text-channel.md")]
    struct TextChannel;
}

/// Changes to a game before it is compiled.
#[derive(Debug, Clone)]
pub struct Options {
    /// The author of `set`, `preset` and `level`: the user, unless a file or another source provides them.
    pub written_by: Origin,
    /// A preset of the game, or several in the order in which they apply, written `one+other`.
    pub preset: Option<String>,
    /// A level to start from, instead of a map drawn from the seed.
    pub level: Option<LevelFile>,
    /// Changes to values, each with its path and its new value as YAML: (`fields.Field-0.shape.length#nb`, `4`).
    pub set: Vec<(String, String)>,
    /// Whether to load the game's plugins, which runs their code; see [`farm_core::plugin`].
    pub allow_plugins: bool,
    /// Whether the game may name files (parts, weather) outside its own folder; see [`Trust`].
    pub allow_outside_files: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            written_by: Origin::User,
            preset: None,
            level: None,
            set: Vec::new(),
            allow_plugins: false,
            allow_outside_files: false,
        }
    }
}

impl Options {
    /// The permissions that the user gives.
    pub fn consent(&self) -> Consent {
        Consent { outside_files: self.allow_outside_files, plugins: self.allow_plugins }
    }
}

/// Opens a game by its name or its path.
///
/// `game` is one of these:
/// * a name in the catalogue: `clay_bean` for the newest version, or `clay_bean-v0` for a fixed one;
/// * a member of a [family](families): `backwards_valley@rules=7`;
/// * the path of a YAML file: any string that contains a `/`, or ends with `.yaml` or `.yml`.
///
/// # Errors
/// All problems in the file, with their locations; for an unknown name, the nearest name.
pub fn open(game: &str, options: &Options) -> Result<Game, Problems> {
    GameSource::read(game, options.consent())?.open(options)
}

/// Adds locations to problems of a compiled game: the place of each value in its file, preset, level or option.
pub fn locate(game: &str, options: &Options, problems: Problems) -> Problems {
    let changed = document_with(game, options.consent())
        .and_then(|mut document| change(&mut document, options).map(|()| document));
    match changed {
        Ok(document) => document.locate(problems),
        // The game was opened before. If its file has changed since, the problems are reported without locations.
        Err(_) => problems,
    }
}

/// Compiles a document, and loads its plugins if the user allows it. All code that compiles a document calls this function.
///
/// # Errors
/// Every rejected plugin, and every problem in the document that does not depend on it.
pub fn compile(document: &Document) -> Result<Game, Problems> {
    let Err(refused) = farm_core::plugin::load_named(document) else {
        return compile_loaded(document).map_err(|problems| extends::with_left_out(document, problems));
    };
    let others = problems_without_plugin(document).or_else(|| compile_loaded(document).err()).unwrap_or_default();
    Err(document.locate(Problems(refused.0.into_iter().chain(others.0).collect())))
}

/// Compiles a document whose plugins are loaded.
fn compile_loaded(document: &Document) -> Result<Game, Problems> {
    let spec = load_document(document).map_err(|problems| with_the_rest(problems, document))?;
    let mut game = Game::new(spec).map_err(|problems| document.locate(problems))?;
    game.locate_warnings(document);
    Ok(game)
}

/// Applies a preset, then a level, then single changes to a game. Also records the author of these changes and the user's permissions.
///
/// # Errors
/// An unknown preset, a level of another game, a change that is not valid YAML, or a path that does not exist. All errors have locations.
pub fn change(document: &mut Document, options: &Options) -> Result<(), Problems> {
    let mut problems = Problems::default();
    document.trust_mut().agree(options.consent());
    if let Some(preset) = &options.preset {
        document.apply_preset(preset, &mut problems);
    }
    if let Some(level) = options.level.as_ref().filter(|_| !problems.has_errors()) {
        level::apply(document, level)?;
    }
    for (path, value) in &options.set {
        let option = Location::of_option(Tool::Change { path: shortened(path), value: shortened(value) });
        if path.len() > LONGEST_PATH {
            let mut problem =
                Problem::new(ChangeError::NoSuchEntry, Path::default(), "the path is longer than any path in a game");
            problem.location = Some(option);
            problems.push(problem.value(shortened(path)).expected(format!("at most {LONGEST_PATH} characters")));
            continue;
        }
        match parse_value(value) {
            Ok(value) => {
                document.trust_mut().add(options.written_by, &value);
                if let Err(problem) = document.set(path, value, option) {
                    problems.push(*problem);
                }
            }
            Err(error) => {
                let mut problem =
                    Problem::new(ChangeError::ValueNotYaml, Path::default(), format!("the value is not YAML: {error}"))
                        .value(value);
                problem.location = Some(option);
                problems
                    .push(problem.help(Phrase::from("quote texts with special characters: ").with(Tool::SetQuoted)));
            }
        }
    }
    if problems.has_errors() { Err(document.locate(problems)) } else { Ok(()) }
}

/// The maximum length of a path in a change, in bytes.
const LONGEST_PATH: usize = 500;

/// A value for messages; long values are shortened.
fn shortened(value: &str) -> String {
    const LONGEST: usize = 80;
    match value.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &value[..end]),
        None => value.to_owned(),
    }
}

/// The problems with single values, and the problems that appear only in a compiled game, so that one pass reports all of them.
///
/// Problems of the second kind that may follow from the first are left out.
fn with_the_rest(problems: Problems, document: &Document) -> Problems {
    let Some((spec, refused)) = recover(document) else { return problems };
    let Err(mut more) = Game::new(spec) else { return problems };
    let part = |path: &Path| -> Path {
        let entity = path.0.first() == Some(&Segment::from("fields"));
        Path(path.0.iter().take(if entity { 4 } else { path.0.len() }).cloned().collect())
    };
    let known: Vec<Path> = refused.iter().map(part).collect();
    let follows = |path: &Path| known.iter().any(|known| path.0.starts_with(&known.0) || known.0.starts_with(&path.0));
    more.0.retain(|problem| problem.severity == Severity::Error && !follows(&problem.path));
    // If the kind of an entity is unknown, the roles that other entities find in its field are unknown too.
    if refused.iter().any(|path| path.0.len() == 5 && path.0.first() == Some(&Segment::from("fields"))) {
        let is_in_field = |path: &Path| path.0.first() == Some(&Segment::from("fields"));
        more.0.retain(|problem| !is_in_field(&problem.path) && !problem.is(NameError::UnknownPart));
    }
    document.locate(Problems(problems.0.into_iter().chain(more.0).collect()))
}

/// The parsed text of a game in the catalogue or in a file, with all its included files.
///
/// A file in the format of the Farm-gym reference is translated. All files must be in the game's folder or in its subfolders.
///
/// # Errors
/// The game or the file does not exist, the text is not valid YAML, or an included file is missing.
pub fn document(game: &str) -> Result<Document, Problems> {
    document_with(game, Consent::default())
}

/// The same, with the user's permissions.
///
/// # Errors
/// As for [`document`].
pub fn document_with(game: &str, consent: Consent) -> Result<Document, Problems> {
    GameSource::read(game, consent).map(|source| source.document().clone())
}

/// A game as written, by format.
#[derive(Debug)]
enum WrittenGame {
    Ours(Document),
    Reference(Translation),
}

fn source(game: &str, consent: Consent) -> Result<WrittenGame, Problems> {
    let trust = Trust::new(Origin::OwnFile(consent));
    if families::is_member(game) {
        let member = families::Member::find(game)?;
        return source_of(Document::parse(&format!("{game}.yaml"), &member.yaml)?);
    }
    if !is_file(game) {
        return extends::of_entry(catalogue::find(game)?).map(WrittenGame::Ours);
    }
    let path = std::path::Path::new(game);
    let document = match Document::read(path).map_err(|problems| if_missing(problems, &games_without_files())) {
        Ok(mut document) => {
            document.set_trust(trust);
            document
        }
        Err(refused) => return farm_reference_format::read_repeated(path, refused, trust).map(WrittenGame::Reference),
    };
    source_of(document)
}

/// A parsed text as a game, with its included files.
fn source_of(mut document: Document) -> Result<WrittenGame, Problems> {
    if farm_reference_format::is_reference(document.value()) {
        return farm_reference_format::translate(document, &[]).map(WrittenGame::Reference);
    }
    document.include_parts()?;
    let mut document = extends::extended(document)?;
    farm_reference_format::spread(&mut document)?;
    Ok(WrittenGame::Ours(document))
}

/// Help for a missing game file.
fn games_without_files() -> Phrase {
    Phrase::from("check the path; ").with(Tool::list("games")).and(" shows the games that need no file")
}

/// Replaces the help in problems about missing files.
fn if_missing(mut problems: Problems, help: &Phrase) -> Problems {
    for problem in &mut problems.0 {
        if problem.is(FileError::FileNotFound) {
            problem.help = Some(help.clone());
        }
    }
    problems
}

/// Whether a string is the path of a file; otherwise it is a name.
pub fn is_file(text: &str) -> bool {
    let extension = std::path::Path::new(text).extension().and_then(|extension| extension.to_str());
    text.contains(['/', '\\']) || matches!(extension, Some("yaml" | "yml"))
}
