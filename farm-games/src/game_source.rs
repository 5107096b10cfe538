//! A game as written, read only once: a pipe can't be read again, and a game with many presets does not need to be.

use std::time::Instant;

use farm_core::Game;
use farm_core::config::{ChangeError, Consent, Document, LimitError, Origin, Path, Problem, Problems, Trust};
use farm_reference_format::Note;

use super::rehearsal::{WITHIN, rehearse};
use super::{Options, WrittenGame, change, compile, read_back, source, source_of};

/// A game as it was written. Any number of variants of it can be compiled.
#[derive(Debug)]
pub struct GameSource(WrittenGame);

impl GameSource {
    /// Reads a game: a name in the catalogue, or the path of a YAML file, with the permissions that the user gives.
    ///
    /// # Errors
    /// As for [`document`](super::document).
    pub fn read(game: &str, consent: Consent) -> Result<Self, Problems> {
        source(game, consent).map(Self)
    }

    /// Parses `text` as if it were a file with this name.
    ///
    /// # Errors
    /// As for [`document`](super::document).
    pub fn parse(name: &str, text: &str) -> Result<Self, Problems> {
        source_of(Document::parse(name, text)?).map(Self)
    }

    /// Parses text from a stranger. The game can't read files or run code, and its size is limited like that of every stranger's game
    /// ([`Origin`]).
    ///
    /// # Errors
    /// As for [`GameSource::parse`], and each file that the game names.
    pub fn parse_of_stranger(name: &str, text: &str) -> Result<Self, Problems> {
        let mut document = Document::parse(name, text)?;
        document.set_trust(Trust::new(Origin::Stranger));
        source_of(document).map(Self)
    }

    /// A game from values that have already been read or assembled.
    ///
    /// # Errors
    /// The problems with files that the game names.
    pub fn of(document: Document) -> Result<Self, Problems> {
        source_of(document).map(Self)
    }

    /// Its values, with all the files that it consists of.
    pub fn document(&self) -> &Document {
        match &self.0 {
            WrittenGame::Ours(document) => document,
            WrittenGame::Reference(translation) => &translation.document,
        }
    }

    /// For a file in the format of the Farm-gym reference: names that are read differently, and the defaults for values that the file
    /// leaves out. None for games of this project.
    pub fn notes(&self) -> Option<Vec<Note>> {
        match &self.0 {
            WrittenGame::Ours(_) => None,
            WrittenGame::Reference(translation) => Some(translation.notes()),
        }
    }

    /// A summary of a game that was compiled from this source; see [`read_back`].
    pub fn read_back(&self, game: &Game) -> Vec<String> {
        read_back(game, self.document())
    }

    /// Compiles the game with some changes.
    ///
    /// # Errors
    /// Every problem in the game and in the changes, with its location.
    pub fn open(&self, options: &Options) -> Result<Game, Problems> {
        let mut document = self.document().clone();
        if let Err(problems) = change(&mut document, options) {
            let others = options.level.is_some().then(|| self.problems_without_level(options));
            return Err(with_others(problems, others.unwrap_or_default()));
        }
        let mut game = compile(&document)?;
        if options.level.is_some()
            && let Ok(drawn) = self.open(&Options { level: None, ..options.clone() })
        {
            game.tell_world_of(&drawn);
        }
        Ok(game)
    }

    /// All problems of the game and its policies with these options, and warnings from its first seasons
    /// ([`rehearse`](crate::rehearse)). If the options name neither a preset nor a level, the problems of each preset are included. Their
    /// messages name the preset, unless the game has the same problem without it. The game is also returned, if it compiles.
    pub fn check(&self, options: &Options) -> (Option<Game>, Problems) {
        let mut all = Problems::default();
        let game = self.check_variant(options, &mut all);
        if let Some(game) = game.as_ref().filter(|_| !all.has_errors()) {
            let most = self.document().trust().budget().compile_time();
            let rehearsal = rehearse(game, most.map_or(WITHIN, |most| WITHIN.min(most / 4)));
            all.0.extend(self.document().locate(rehearsal.problems).0);
        }
        if options.preset.is_none() && options.level.is_none() {
            let presets = game.iter().flat_map(|game| game.spec().presets().keys());
            let (start, most) = (Instant::now(), self.document().trust().budget().compile_time());
            for preset in presets {
                if most.is_some_and(|most| start.elapsed() > most) {
                    let message = format!("`{preset}` and the presets after it are not checked: time limit reached");
                    let path = Path::default().child("presets").child(preset);
                    let problem = Problem::new(LimitError::GameTooLarge, path, message).about_name().warning();
                    all.0.extend(self.document().locate(Problems(vec![problem])).0);
                    break;
                }
                self.check_variant(&Options { preset: Some(preset.clone()), ..options.clone() }, &mut all);
            }
        }
        (game, all)
    }

    /// Adds the problems of one variant of the game that are not yet known.
    fn check_variant(&self, options: &Options, all: &mut Problems) -> Option<Game> {
        let (game, problems) = match self.open(options) {
            Ok(game) => {
                // Policies are built when they are asked for, so that only a player shows whether they fit the game.
                let refused = game.spec().policies().keys().filter_map(|policy| game.player(policy).err());
                let refused = refused.flat_map(|problems| self.document().locate(problems).0);
                let problems: Vec<Problem> = game.warnings().0.iter().cloned().chain(refused).collect();
                (Some(game), problems)
            }
            Err(problems) => (None, problems.0),
        };
        for mut problem in problems {
            let is_known = |known: &Problem| known.message == problem.message && known.path == problem.path;
            if all.0.iter().any(is_known) {
                continue;
            }
            // One that names the preset says so already.
            if let Some(preset) = options.preset.as_ref().filter(|_| !problem.is(ChangeError::UnknownPreset)) {
                problem.message = format!("{} (with preset `{preset}`)", problem.message);
            }
            all.push(problem);
        }
        game
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
