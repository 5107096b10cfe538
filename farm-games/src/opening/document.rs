//! The values of a game, read only once: a pipe can't be read again, and a game with many presets does not need to be.

use farm_core::Game;
use farm_core::config::{Consent, Document, Origin, Path, Problems, Source, Trust};
use farm_reference_format::{Note, Remarks, Translation, is_reference, spread, translate};

use super::extends::Chain;
use super::{GameName, Options, change, compile};
use crate::contexts::{self, Context};
use crate::read_back;

/// The values of a game, with the files and the base game that it names. Any number of variants can be compiled.
#[derive(Debug)]
pub struct GameDocument {
    document: Document,
    /// For a game in the format of the Farm-gym reference.
    remarks: Option<Remarks>,
}

impl GameDocument {
    /// Reads a game: a name in the catalogue, or the path of a YAML file, with the permissions that the user gives.
    ///
    /// # Errors
    /// As for [`document`](super::document).
    pub fn read(game: &str, consent: Consent) -> Result<Self, Problems> {
        Self::of_source(&GameName::parse(game)?.source(consent)?)
    }

    /// Parses `text` as if it were a file with this name.
    ///
    /// # Errors
    /// As for [`document`](super::document).
    pub fn parse(name: &str, text: &str) -> Result<Self, Problems> {
        Self::of_source(&Source::new(name, text))
    }

    /// Parses text from a stranger. The game can't read files or run code, and its size is limited like that of every stranger's game
    /// ([`Origin`]).
    ///
    /// # Errors
    /// As for [`GameDocument::parse`], and each file that the game names.
    pub fn parse_of_stranger(name: &str, text: &str) -> Result<Self, Problems> {
        Self::of_source(&Source::new(name, text).with_trust(Trust::new(Origin::Stranger)))
    }

    /// Parses a source.
    ///
    /// # Errors
    /// As for [`document`](super::document).
    pub fn of_source(source: &Source) -> Result<Self, Problems> {
        let (document, repeated) = farm_reference_format::parse(source)?;
        let chain = Chain::new(&document);
        Self::combined(document, &repeated, &chain)
    }

    /// A game from values that have already been read or assembled.
    ///
    /// # Errors
    /// The problems with files that the game names.
    pub fn of(document: Document) -> Result<Self, Problems> {
        let chain = Chain::new(&document);
        Self::combined(document, &[], &chain)
    }

    /// Combines a game with its files and its base game. `repeated` are the duplicate keys of a reference game. The game is the last one in
    /// the chain.
    fn combined(mut document: Document, repeated: &[Path], chain: &Chain) -> Result<Self, Problems> {
        if is_reference(document.value()) {
            let Translation { document, remarks } = translate(document, repeated)?;
            return Ok(Self { document, remarks: Some(remarks) });
        }
        document.include_parts()?;
        if let Some((base, chain)) = chain.base_of(&document)? {
            let (base, repeated) = farm_reference_format::parse(&base)?;
            document.extend(Self::combined(base, &repeated, &chain)?.document)?;
        }
        spread(&mut document)?;
        Ok(Self { document, remarks: None })
    }

    /// Its values.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// The same, without the remarks.
    pub fn into_document(self) -> Document {
        self.document
    }

    /// Its values with some changes.
    ///
    /// # Errors
    /// As for [`change`].
    pub fn changed(&self, options: &Options) -> Result<Document, Problems> {
        let mut document = self.document.clone();
        change(&mut document, options)?;
        Ok(document)
    }

    /// The contexts of the game with some changes, in order. Empty if it has none.
    ///
    /// # Errors
    /// Every problem in the game and in the changes.
    pub fn contexts(&self, options: &Options) -> Result<Vec<Context>, Problems> {
        contexts::of_game(&self.changed(&Options { context: None, ..options.clone() })?)
    }

    /// For a file in the format of the Farm-gym reference: names that are read differently, and the defaults for values that the file
    /// leaves out. None for games of this project.
    pub fn notes(&self) -> Option<Vec<Note>> {
        self.remarks.as_ref().map(|remarks| remarks.notes(&self.document))
    }

    /// A summary of a game that was compiled from this document; see [`read_back`].
    pub fn read_back(&self, game: &Game) -> Vec<String> {
        read_back(game, &self.document)
    }

    /// Compiles the game with some changes.
    ///
    /// # Errors
    /// Every problem in the game and in the changes, with its location.
    pub fn open(&self, options: &Options) -> Result<Game, Problems> {
        let document = self.changed(options).map_err(|problems| {
            let others = options.level.is_some().then(|| self.problems_without_level(options));
            with_others(problems, others.unwrap_or_default())
        })?;
        let mut game = compile(&document)?;
        if options.level.is_some()
            && let Ok(drawn) = self.open(&Options { level: None, ..options.clone() })
        {
            game.tell_world_of(&drawn);
        }
        Ok(game)
    }

    /// The problems of the game itself, which are reported together with its level's problems.
    fn problems_without_level(&self, options: &Options) -> Problems {
        self.open(&Options { level: None, ..options.clone() }).err().unwrap_or_default()
    }
}

/// The problems, followed by the problems in `others` that are not among them.
fn with_others(mut problems: Problems, others: Problems) -> Problems {
    for problem in others.0 {
        if !problems.0.contains(&problem) {
            problems.push(problem);
        }
    }
    problems
}
