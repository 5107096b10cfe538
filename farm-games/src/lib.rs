//! Rules, farmers, policies and the catalogue of games.
//!
//! Depending on this crate links every part of the project: `use farm_games as _;` is enough to register them.
//!
//! A policy plays an episode while an [observer](farm_core::Observer) looks on:
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

pub mod catalogue;
pub mod error_examples;
mod errors;
mod extends;
pub mod families;
pub mod farmers;
pub mod first_season;
mod game_source;
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

/// The Rust of the README, compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;

/// The Rust of the documentation's pages, likewise.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../../docs/entity-in-rust.md")]
    struct EntityInRust;
    #[doc = include_str!("../../docs/score.md")]
    struct Score;
    #[doc = include_str!("../../docs/text-channel.md")]
    struct TextChannel;
}

/// How a game is to be changed before it is compiled.
#[derive(Debug, Clone)]
pub struct Options {
    /// Who wrote `set`, and chose preset and level: the user, unless they were read somewhere.
    pub written_by: Origin,
    /// A preset of the game, or several that are applied in this order, as `one+other`.
    pub preset: Option<String>,
    /// A world to start from, instead of one drawn from the seed.
    pub level: Option<LevelFile>,
    /// Changes by path, each with its value as YAML: (`fields.Field-0.shape.length#nb`, `4`).
    pub set: Vec<(String, String)>,
    /// Whether the plugins that the game names are loaded, which runs their code; see [`farm_core::plugin`].
    pub allow_plugins: bool,
    /// Whether the game may name files (parts, weather) outside of its own folder; see [`Trust`].
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
    /// What the user agrees to.
    pub fn consent(&self) -> Consent {
        Consent { outside_files: self.allow_outside_files, plugins: self.allow_plugins }
    }
}

/// Opens a game: a name of the catalogue, which means the newest version unless it ends with one (`clay_bean-v0`), a member of a
/// [family](families), `backwards_valley@rules=7`, or the path of a YAML file (anything with a `/`, or that ends in `.yaml` or `.yml`).
///
/// # Errors
/// Every problem of the file, located; an unknown name with the nearest one.
pub fn open(game: &str, options: &Options) -> Result<Game, Problems> {
    GameSource::read(game, options.consent())?.open(options)
}

/// Problems that a game showed after it was compiled, with the places that the values come from: its file, a preset, a level, an option.
pub fn locate(game: &str, options: &Options, problems: Problems) -> Problems {
    let changed = document_with(game, options.consent())
        .and_then(|mut document| change(&mut document, options).map(|()| document));
    match changed {
        Ok(document) => document.locate(problems),
        // The game was opened before; whatever has become of its file since, the problems are told.
        Err(_) => problems,
    }
}

/// Compiles a document, with the plugins that it names where the user has agreed to that. Whoever makes a game of a document does it here.
///
/// # Errors
/// Every plugin that is refused, and every problem of the document that can be told without it.
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

/// Applies a preset, then a level, then single changes to a game, and notes who wrote them and what the user agrees to.
///
/// # Errors
/// A preset that the game lacks, a level that does not fit it, a change that is not YAML or leads nowhere; located.
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
            let mut problem = Problem::new(
                ChangeError::NoSuchEntry,
                Path::default(),
                "the path is longer than that of any value of a game",
            );
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

/// The longest path of a value that is looked for, in bytes.
const LONGEST_PATH: usize = 500;

/// A value as a message shows where it was written: the begin of a long one.
fn shortened(value: &str) -> String {
    const LONGEST: usize = 80;
    match value.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &value[..end]),
        None => value.to_owned(),
    }
}

/// The problems of single values together with those that only a compiled game shows, so that all are told in one pass. What may be a
/// consequence of the former is left out.
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
    // Where the kind of an entity had to be guessed, nothing is known about what others find in its field.
    if refused.iter().any(|path| path.0.len() == 5 && path.0.first() == Some(&Segment::from("fields"))) {
        let is_in_field = |path: &Path| path.0.first() == Some(&Segment::from("fields"));
        more.0.retain(|problem| !is_in_field(&problem.path) && !problem.is(NameError::UnknownPart));
    }
    document.locate(Problems(problems.0.into_iter().chain(more.0).collect()))
}

/// The parsed text of a game of the catalogue or of a file, with all files that it consists of. A file in the format of the Farm-gym
/// reference is translated. All files lie in the folder of the game or below.
///
/// # Errors
/// When there is no such game or file, the text is not YAML, or a file of it is missing.
pub fn document(game: &str) -> Result<Document, Problems> {
    document_with(game, Consent::default())
}

/// The same for a game for which the user agrees to something.
///
/// # Errors
/// As for [`document`].
pub fn document_with(game: &str, consent: Consent) -> Result<Document, Problems> {
    GameSource::read(game, consent).map(|source| source.document().clone())
}

/// A game as it was written, by its format.
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

/// A parsed text as a game, with the files that it names.
fn source_of(mut document: Document) -> Result<WrittenGame, Problems> {
    if farm_reference_format::is_reference(document.value()) {
        return farm_reference_format::translate(document, &[]).map(WrittenGame::Reference);
    }
    document.include_parts()?;
    let mut document = extends::extended(document)?;
    farm_reference_format::spread(&mut document)?;
    Ok(WrittenGame::Ours(document))
}

/// The remedy of a missing file that was to be a game.
fn games_without_files() -> Phrase {
    Phrase::from("check the path; ").with(Tool::list("games")).and(" shows the games that need no file")
}

/// Problems of a file that can't be found, with another remedy.
fn if_missing(mut problems: Problems, help: &Phrase) -> Problems {
    for problem in &mut problems.0 {
        if problem.is(FileError::FileNotFound) {
            problem.help = Some(help.clone());
        }
    }
    problems
}

/// Whether a text is the path of a file rather than a name.
pub fn is_file(text: &str) -> bool {
    let extension = std::path::Path::new(text).extension().and_then(|extension| extension.to_str());
    text.contains(['/', '\\']) || matches!(extension, Some("yaml" | "yml"))
}
