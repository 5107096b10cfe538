//! Levels: worlds that a file specifies instead of the random generator.
//!
//! A level names its game and contains the facts of a world: the map with its fences, the farmer, and all things with their known
//! values. [`apply`] writes them into a game's YAML as the parameters that place things. A game that starts on a level is therefore an
//! ordinary game. Only values that the level leaves out are drawn at random. [`write()`] does the reverse: it turns a state into a level.
//!
//! | file | contents |
//! |---|---|
//! | `format.rs` | the only declaration of the format, for checks and the schema |
//! | `facts.rs` | the facts about a world, each with its place in the file |
//! | `native.rs`, `autoenv.rs` | facts from our format, and from the level files of AutoEnv-36 |
//! | `place.rs` | writes facts into a game's parameters |
//! | `write.rs`, `autoenv_write.rs` | write a state as a level, in our format and in that of AutoEnv-36 |
//! | `shipped.rs` | the levels that come with the games |

mod autoenv;
mod autoenv_write;
mod facts;
mod format;
mod native;
mod place;
mod shipped;
mod write;

pub use autoenv_write::write_autoenv;
pub use format::{keys, schema};
pub use shipped::{LEVELS, LevelFormat, SHIPPED, Shipped, Split, Wanted, find, of_seed, of_seed_in, of_split, wanted};
pub use write::write;

use std::path::Path as FilePath;

use farm_core::config::{
    Document, FileError, Location, Path, Phrase, Problem, Problems, Segment, Text, TextPath, Tool, read_text,
};

/// A level's text, and its name in messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LevelFile {
    /// Usually the name of its file.
    pub source: String,
    /// The YAML, in our format or in that of AutoEnv-36.
    pub text: String,
}

/// The command that writes a level, as help text.
fn writes() -> Phrase {
    Tool::WriteLevel { game: "GAME".to_owned() }.and(" writes a level to start from")
}

impl LevelFile {
    /// A level with this text. Messages call it `source`.
    pub fn new(source: &str, text: &str) -> Self {
        Self { source: source.to_owned(), text: text.to_owned() }
    }

    /// Reads a file.
    ///
    /// # Errors
    /// The file is missing, too large or not a text file.
    pub fn read(path: &FilePath) -> Result<Self, Problems> {
        let source = path.display().to_string();
        match read_text(path) {
            Ok(text) => Ok(Self { source, text }),
            Err(problem) => {
                let location = Some(Location::new(source, None));
                let help = if problem.is(FileError::EmptyFile) { Some(writes()) } else { problem.help.clone() };
                Err(Problems(vec![Problem { location, help, ..*problem }]))
            }
        }
    }
}

/// Writes a level's facts into a game.
///
/// # Errors
/// All problems of the level, including facts that do not fit the game, located in the level.
pub fn apply(document: &mut Document, level: &LevelFile) -> Result<(), Problems> {
    let text = Text::new(&level.source, &level.text);
    let value = text.parse()?;
    let lines: Vec<&str> = level.text.lines().collect();
    let text = document.add_text(text);
    let mut problems = Problems::default();
    let facts = if autoenv::is_level(&value) {
        autoenv::read(&value, &mut problems)
    } else {
        native::read(&value, &mut problems)
    };
    if let Some(facts) = facts.filter(|_| !problems.has_errors()) {
        place::place(document, &facts, text, &mut problems);
    }
    let located = problems.0.into_iter().map(|problem| (TextPath { text, path: problem.path.clone() }, problem));
    let mut located = document.locate_at(located.collect::<Vec<_>>());
    located.0.iter_mut().for_each(|problem| point_at_row(problem, &lines));
    if located.has_errors() { Err(located) } else { Ok(()) }
}

/// Moves the location of a problem with a map row from the key `map:` to the row itself.
fn point_at_row(problem: &mut Problem, lines: &[&str]) {
    let [Segment::Key(key), Segment::Index(y)] = problem.path.0.as_slice() else { return };
    let Some((line, column)) = problem.location.as_mut().and_then(|location| location.position.as_mut()) else {
        return;
    };
    if key != "map" {
        return;
    }
    let below = lines.iter().enumerate().skip(*line).filter(|(_, text)| !text.trim().is_empty());
    // A map that is written in quotes has its rows in other lines.
    let found = below
        .map(|(i, text)| (i, *text))
        .nth(*y)
        .filter(|(_, row)| problem.value.as_ref().is_some_and(|value| value.starts_with(row.trim())));
    if let Some((i, row)) = found {
        (*line, *column) = (i + 1, row.chars().take_while(|c| c.is_whitespace()).count() + 1);
    }
}

/// The path of a key at the root of a level.
fn root(key: &str) -> Path {
    Path::default().child(key)
}
