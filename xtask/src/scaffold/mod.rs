//! Writes skeletons that compile, are documented and pass their tests: an entity, a game, a crate of one's own.
//!
//! Everything is checked before anything is written, and nothing that is there is overwritten.

mod entity;
mod game;
mod name;
mod plugin;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail, ensure};

pub use name::Name;

/// What is to be written, and what to do then.
#[derive(Debug, Default)]
pub struct Plan {
    /// New files with their texts.
    files: Vec<(PathBuf, String)>,
    /// Files that are there, with the texts they get.
    edits: Vec<(PathBuf, String)>,
    /// What to do next: commands, and what each is for.
    next: Vec<(String, &'static str)>,
}

/// An entity among those of the project.
///
/// # Errors
/// A name that is taken or none, or files that are there.
pub fn entity(root: &Path, name: &str) -> Result<Plan> {
    entity::plan(root, &Name::parse(name)?)
}

/// A game of the catalogue.
///
/// # Errors
/// As for [`entity()`].
pub fn game(root: &Path, name: &str) -> Result<Plan> {
    game::plan(root, &Name::parse(name)?)
}

/// A crate of one's own, in `folder`, or at the top of the repository where none is given.
///
/// # Errors
/// As for [`entity()`].
pub fn plugin(root: &Path, name: &str, folder: Option<&Path>) -> Result<Plan> {
    plugin::plan(root, &Name::parse(name)?, folder)
}

impl Plan {
    /// Writes it all, or nothing.
    ///
    /// # Errors
    /// A file that is there already, or can't be written.
    pub fn write(&self, root: &Path) -> Result<()> {
        for (path, _) in &self.files {
            ensure!(!path.exists(), "{} is there already: choose another name, or move it away", shown(root, path));
        }
        for (path, text) in self.files.iter().chain(&self.edits) {
            let parent = path.parent().unwrap_or(root);
            fs::create_dir_all(parent).with_context(|| format!("{} can't be made", parent.display()))?;
            fs::write(path, text).with_context(|| format!("{} can't be written", path.display()))?;
        }
        for (path, _) in &self.files {
            println!("written  {}", shown(root, path));
        }
        for (path, _) in &self.edits {
            println!("changed  {}", shown(root, path));
        }
        println!("\nnext");
        for (command, what) in &self.next {
            println!("  {command}\n      {what}");
        }
        Ok(())
    }

    fn file(&mut self, path: PathBuf, text: String) {
        self.files.push((path, text));
    }

    /// Changes a file that is there.
    fn edit(&mut self, path: PathBuf, change: impl FnOnce(&str) -> Result<String>) -> Result<()> {
        let text = fs::read_to_string(&path).with_context(|| format!("{} can't be read", path.display()))?;
        self.edits.push((path, change(&text)?));
        Ok(())
    }

    fn next(&mut self, command: impl Into<String>, what: &'static str) {
        self.next.push((command.into(), what));
    }
}

/// A path from the top of the repository, where it lies below it.
fn shown(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).display().to_string()
}

/// A template with its placeholders `{{key}}` filled in. Single braces are those of the text.
fn filled(template: &str, values: &[(&str, &str)]) -> String {
    values.iter().fold(template.to_owned(), |text, (key, value)| text.replace(&format!("{{{{{key}}}}}"), value))
}

/// Puts a line in its alphabetical place among the lines that begin alike.
fn with_line(text: &str, beginning: &str, line: &str) -> Result<String> {
    let lines: Vec<&str> = text.lines().collect();
    let alike = |found: &&str| found.starts_with(beginning);
    let Some(last) = lines.iter().rposition(&alike) else {
        bail!("no line begins with `{beginning}`");
    };
    let place = lines.iter().position(|found| alike(found) && *found > line).unwrap_or(last + 1);
    let mut lines = lines;
    lines.insert(place, line);
    Ok(lines.join("\n") + "\n")
}
