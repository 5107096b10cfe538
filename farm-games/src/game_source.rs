//! A game as it was written, read once: a pipe can't be read again, and a game with many presets need not be.

use farm_core::Game;
use farm_core::config::{Document, Problems};

use super::reference_format::Note;
use super::{Options, Source, change, compile, source};

/// A game as it was written, of which any number of variants can be compiled.
#[derive(Debug)]
pub struct GameSource(Source);

impl GameSource {
    /// Reads a game: a name of the catalogue, or the path of a YAML file.
    ///
    /// # Errors
    /// As for [`document`](super::document).
    pub fn read(game: &str) -> Result<Self, Problems> {
        source(game).map(Self)
    }

    /// Its values, with all files that it consists of.
    pub fn document(&self) -> &Document {
        match &self.0 {
            Source::Ours(document) => document,
            Source::Reference(translation) => &translation.document,
        }
    }

    /// How the names of a file in the format of the Farm-gym reference are read; nothing for games of this project.
    pub fn notes(&self) -> Option<Vec<Note>> {
        match &self.0 {
            Source::Ours(_) => None,
            Source::Reference(translation) => Some(translation.notes()),
        }
    }

    /// Compiles the game with some changes.
    ///
    /// # Errors
    /// Every problem of the game and of the changes, located.
    pub fn open(&self, options: &Options) -> Result<Game, Problems> {
        let mut document = self.document().clone();
        change(&mut document, options)?;
        compile(&document, options.allow_plugins)
    }
}
