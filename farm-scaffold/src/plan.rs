//! The files that a skeleton consists of.

use std::path::{Path, PathBuf};
use std::{fmt, fs};

use anyhow::{Context as _, Result, ensure};

use crate::sort::Sort;

/// The names that are taken.
#[derive(Debug, Clone, Default)]
pub struct Taken {
    /// The kinds of parts: type and name, such as `Soil`.
    pub kinds: Vec<(Sort, String)>,
    /// The games, such as `clay_bean`.
    pub games: Vec<String>,
}

/// The files to write, and the next commands for the user to run.
#[derive(Debug, Default)]
pub struct ScaffoldPlan {
    /// The folder to which printed paths are relative.
    base: PathBuf,
    /// New files and their texts.
    files: Vec<(PathBuf, String)>,
    /// Existing files and their new texts.
    edits: Vec<(PathBuf, String)>,
    /// The next commands, each with its purpose.
    next: Vec<(String, &'static str)>,
}

impl ScaffoldPlan {
    /// An empty plan. Paths are printed relative to `base`.
    pub fn new(base: &Path) -> Self {
        Self { base: base.to_owned(), ..Self::default() }
    }

    /// Writes all files, or none if one of them exists.
    ///
    /// # Errors
    /// Fails if a file already exists or can't be written.
    pub fn write(&self) -> Result<()> {
        self.check()?;
        for (path, text) in self.files.iter().chain(&self.edits) {
            let parent = path.parent().unwrap_or(&self.base);
            fs::create_dir_all(parent).with_context(|| format!("{} can't be created", parent.display()))?;
            fs::write(path, text).with_context(|| format!("{} can't be written", path.display()))?;
        }
        Ok(())
    }

    /// Checks that no file would be overwritten.
    ///
    /// # Errors
    /// Fails if a file already exists.
    pub fn check(&self) -> Result<()> {
        for (path, _) in &self.files {
            ensure!(!path.exists(), "{} already exists: choose another name, or move it", self.shown(path));
        }
        Ok(())
    }

    /// A path, relative to the base folder if it is inside this folder.
    fn shown(&self, path: &Path) -> String {
        path.strip_prefix(&self.base).unwrap_or(path).display().to_string()
    }

    /// Adds a new file.
    pub fn file(&mut self, path: PathBuf, text: String) {
        self.files.push((path, text));
    }

    /// Adds a change to an existing file.
    pub(crate) fn edit(&mut self, path: PathBuf, change: impl FnOnce(&str) -> Result<String>) -> Result<()> {
        let text = fs::read_to_string(&path).with_context(|| format!("{} can't be read", path.display()))?;
        self.edits.push((path, change(&text)?));
        Ok(())
    }

    /// Adds a next command with its purpose.
    pub fn next(&mut self, command: impl Into<String>, what: &'static str) {
        self.next.push((command.into(), what));
    }
}

/// Prints the written files and the next commands.
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

/// Fills in the `{{key}}` placeholders in a template. Single braces are part of the text.
pub fn filled(template: &str, values: &[(&str, &str)]) -> String {
    values.iter().fold(template.to_owned(), |text, (key, value)| text.replace(&format!("{{{{{key}}}}}"), value))
}
