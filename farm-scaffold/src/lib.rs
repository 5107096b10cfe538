//! Writes skeletons that compile, are documented and pass their tests: an entity of the project, a game, a crate with a part of any sort.
//!
//! Everything is checked before anything is written, and nothing that is there is overwritten. The crate knows none of the others, so
//! that it builds in seconds: its callers say which names are taken.

#![forbid(unsafe_code)]
#![warn(clippy::unwrap_used)]

mod edit;
mod entity;
mod game;
mod name;
mod plugin;
mod repository;
mod season;
mod sort;

use std::path::{Path, PathBuf};
use std::{fmt, fs};

use anyhow::{Context as _, Result, ensure};

pub use name::Name;
pub use plugin::NewPlugin;
pub use repository::find_repository;
pub use season::{Season, SeasonField, USUAL_PLACE, USUAL_WEATHER};
pub use sort::Sort;

/// The names that are taken.
#[derive(Debug, Clone, Default)]
pub struct Taken {
    /// The kinds of parts: sort and name, such as `Soil`.
    pub kinds: Vec<(Sort, String)>,
    /// The games, such as `clay_bean`.
    pub games: Vec<String>,
}

/// What is to be written, and what to do then.
#[derive(Debug, Default)]
pub struct ScaffoldPlan {
    /// Where paths are shown from.
    base: PathBuf,
    /// New files with their texts.
    files: Vec<(PathBuf, String)>,
    /// Files that are there, with the texts they get.
    edits: Vec<(PathBuf, String)>,
    /// What to do next: commands, and what each is for.
    next: Vec<(String, &'static str)>,
}

/// An entity among those of the project, in the repository at `root`.
///
/// # Errors
/// A name that is taken or not valid, or files that are there.
pub fn entity(root: &Path, name: &str, taken: &Taken) -> Result<ScaffoldPlan> {
    entity::plan(root, &Name::parse(name)?, taken)
}

/// A game of the catalogue, in the repository at `root`.
///
/// # Errors
/// As for [`entity()`].
pub fn game(root: &Path, name: &str, taken: &Taken) -> Result<ScaffoldPlan> {
    game::plan_for_catalogue(root, &Name::parse(name)?, taken)
}

/// A game of one's own: the file `NAME.yaml` in a folder. `program` is the command that plays it, for what is said to do next.
///
/// # Errors
/// As for [`entity()`].
pub fn game_file(folder: &Path, name: &str, taken: &Taken, program: &str) -> Result<ScaffoldPlan> {
    game::plan_for_file(folder, &Name::parse(name)?, taken, program)
}

/// A game of one's own with these crops in this season: the file `NAME.yaml` in a folder, as [`game_file`].
///
/// # Errors
/// As for [`entity()`].
pub fn season_file(folder: &Path, name: &str, taken: &Taken, program: &str, season: &Season) -> Result<ScaffoldPlan> {
    season::plan(folder, &Name::parse(name)?, taken, program, season)
}

/// A crate of one's own with a part of some sort, and a game that uses it.
///
/// # Errors
/// As for [`entity()`].
pub fn plugin(new: &NewPlugin<'_>, taken: &Taken) -> Result<ScaffoldPlan> {
    plugin::plan(new, &Name::parse(new.name)?, taken)
}

impl ScaffoldPlan {
    /// A plan whose paths are shown from a folder.
    pub fn new(base: &Path) -> Self {
        Self { base: base.to_owned(), ..Self::default() }
    }

    /// Writes it all, or nothing.
    ///
    /// # Errors
    /// A file that is there already, or can't be written.
    pub fn write(&self) -> Result<()> {
        self.check()?;
        for (path, text) in self.files.iter().chain(&self.edits) {
            let parent = path.parent().unwrap_or(&self.base);
            fs::create_dir_all(parent).with_context(|| format!("{} can't be made", parent.display()))?;
            fs::write(path, text).with_context(|| format!("{} can't be written", path.display()))?;
        }
        Ok(())
    }

    /// Checks that nothing would be overwritten.
    ///
    /// # Errors
    /// A file that is there already.
    pub fn check(&self) -> Result<()> {
        for (path, _) in &self.files {
            ensure!(!path.exists(), "{} is there already: choose another name, or move it away", self.shown(path));
        }
        Ok(())
    }

    /// A path from the folder that paths are shown from, where it lies below it.
    fn shown(&self, path: &Path) -> String {
        path.strip_prefix(&self.base).unwrap_or(path).display().to_string()
    }

    /// Plans a new file.
    pub fn file(&mut self, path: PathBuf, text: String) {
        self.files.push((path, text));
    }

    /// Changes a file that is there.
    fn edit(&mut self, path: PathBuf, change: impl FnOnce(&str) -> Result<String>) -> Result<()> {
        let text = fs::read_to_string(&path).with_context(|| format!("{} can't be read", path.display()))?;
        self.edits.push((path, change(&text)?));
        Ok(())
    }

    /// Names a command that comes next, and what it is for.
    pub fn next(&mut self, command: impl Into<String>, what: &'static str) {
        self.next.push((command.into(), what));
    }
}

/// What was written, and what to do next.
impl fmt::Display for ScaffoldPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (path, _) in &self.files {
            writeln!(f, "written  {}", self.shown(path))?;
        }
        for (path, _) in &self.edits {
            writeln!(f, "changed  {}", self.shown(path))?;
        }
        writeln!(f, "\nnext")?;
        for (command, what) in &self.next {
            writeln!(f, "  {command}\n      {what}")?;
        }
        Ok(())
    }
}

/// A template with its placeholders `{{key}}` filled in. Single braces are those of the text.
pub fn filled(template: &str, values: &[(&str, &str)]) -> String {
    values.iter().fold(template.to_owned(), |text, (key, value)| text.replace(&format!("{{{{{key}}}}}"), value))
}
