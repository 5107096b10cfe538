//! The source of a document: a text, its author, and the folder of its file.

use std::path::{Path as FilePath, PathBuf};

use super::Document;
use super::text::{Text, TextPath, read_text};
use crate::config::access::FoundFile;
use crate::config::problem::{Location, Path, Problem, Problems};
use crate::config::trust::Trust;

/// A text before it is parsed as a [`Document`].
#[derive(Debug, Clone)]
pub struct Source {
    text: Text,
    trust: Trust,
    folder: Option<PathBuf>,
    parts: Vec<(Path, Text)>,
}

impl Source {
    /// A text that is not in a file. Messages refer to it as `name`.
    pub fn new(name: &str, text: &str) -> Self {
        Self::of(Text::new(name, text), None)
    }

    /// Reads the text of a file that the user names.
    ///
    /// # Errors
    /// The file is missing, is too large, is not text or is empty. The problem points at the file.
    pub fn of_file(path: &FilePath) -> Result<Self, Problems> {
        let name = path.display().to_string();
        let text = read_text(path).map_err(|mut problem| {
            problem.location.get_or_insert_with(|| Location::new(name.as_str(), None));
            Problems(vec![*problem])
        })?;
        Ok(Self::of(Text::new(&name, &text), path.parent()))
    }

    /// Reads the text of a file that a game refers to.
    ///
    /// # Errors
    /// The same errors as [`Text::of_file`].
    pub fn of_found(file: &FoundFile) -> Result<Self, Box<Problem>> {
        Ok(Self::of(Text::of_file(file)?, file.path.parent()))
    }

    fn of(text: Text, folder: Option<&FilePath>) -> Self {
        Self { text, trust: Trust::default(), folder: folder.map(FilePath::to_path_buf), parts: Vec::new() }
    }

    /// The same text, trusted in another way. The default is the trust for a file that the user opens.
    #[must_use]
    pub fn with_trust(self, trust: Trust) -> Self {
        Self { trust, ..self }
    }

    /// The same text in another folder, from which relative paths start.
    #[must_use]
    pub fn in_folder(self, folder: Option<&FilePath>) -> Self {
        Self { folder: folder.map(FilePath::to_path_buf), ..self }
    }

    /// Adds a text that provides the value at a path.
    #[must_use]
    pub fn with_part(mut self, path: Path, text: Text) -> Self {
        self.parts.push((path, text));
        self
    }

    /// The name of the text in messages.
    pub fn name(&self) -> &str {
        &self.text.source
    }

    /// The folder that relative paths start from; `None` for a text that is not in a file.
    pub fn folder(&self) -> Option<&FilePath> {
        self.folder.as_deref()
    }

    /// The text, without its added parts.
    pub fn text(&self) -> &str {
        self.text.as_str()
    }

    /// Parses the texts.
    ///
    /// # Errors
    /// A located problem: a text is not YAML, has a duplicate key, or exceeds the limits.
    pub fn document(&self) -> Result<Document, Problems> {
        let value = self.text.parse()?;
        self.document_of(value)
    }

    /// Parses the texts; the first one may contain duplicate keys. The last value counts. The paths of the duplicate keys are also returned.
    ///
    /// # Errors
    /// The same errors as [`Source::document`], except for duplicate keys.
    pub fn document_with_repeated(&self) -> Result<(Document, Vec<Path>), Problems> {
        let (value, repeated) = self.text.parse_repeated()?;
        Ok((self.document_of(value)?, repeated))
    }

    fn document_of(&self, value: serde_yaml::Value) -> Result<Document, Problems> {
        let mut document = Document::assembled(self.text.clone());
        document.value = value;
        document.trust = self.trust.clone();
        document.directory.clone_from(&self.folder);
        for (path, text) in &self.parts {
            let value = text.parse()?;
            let text = document.add_text(text.clone());
            document.place(path, value, TextPath { text, path: Path::default() });
        }
        Ok(document)
    }
}
