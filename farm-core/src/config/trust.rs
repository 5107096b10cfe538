//! Who wrote a game, and what follows: which files it may read, whether it may run code, how much it may take.
//!
//! A game has several writers: its file, a preset of that file, a level, a value of the command line, the header of a run. Each text has
//! an [`Origin`], and this file is the one place that decides what an origin may do.

use std::time::Duration;

use serde_yaml::Value;

use crate::state::MAX_STATE_BYTES;

/// The memory that a game of a stranger may take, compiled and with a state, in bytes.
pub const STRANGER_BYTES: u64 = 16_000_000;

/// What the user agreed to for files that somebody else may have written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Consent {
    /// The game may read files outside of its own folder.
    pub outside_files: bool,
    /// The game may load the plugins that it names, which runs their code.
    pub plugins: bool,
}

/// Who wrote a text.
///
/// | | files | plugins | size |
/// |---|---|---|---|
/// | the user | any | yes | a state of 4 GB |
/// | a file that the user opens | of its own folder, others with consent | with consent | a state of 4 GB |
/// | a stranger | none | never | 16 MB with everything that is compiled |
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The user: a command line, an argument of a call.
    User,
    /// A file that the user opens, which people pass around.
    OwnFile(Consent),
    /// Anyone: a text that a client sends, the header of a run that is verified.
    Stranger,
}

impl Origin {
    /// How much a game may take that is written so.
    pub fn budget(self) -> Budget {
        match self {
            Self::User | Self::OwnFile(_) => Budget::OWN,
            Self::Stranger => Budget::STRANGER,
        }
    }

    /// Which files the text may name.
    pub(super) fn reads(self) -> Reads {
        match self {
            Self::User | Self::OwnFile(Consent { outside_files: true, .. }) => Reads::All,
            Self::OwnFile(_) => Reads::OwnFolder,
            Self::Stranger => Reads::None,
        }
    }

    /// The one of two who is trusted less.
    fn or_less_trusted(self, other: Self) -> Self {
        match (self, other) {
            (Self::Stranger, _) | (_, Self::Stranger) => Self::Stranger,
            (own @ Self::OwnFile(_), _) | (_, own @ Self::OwnFile(_)) => own,
            (Self::User, Self::User) => Self::User,
        }
    }
}

/// Which files a text may name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reads {
    /// All that the user may read.
    All,
    /// Those of the game's folder and below.
    OwnFolder,
    /// None.
    None,
}

/// How much a game may take. All of it is counted from what the game declares, before any of it is allocated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_macros::Getters)]
pub struct Budget {
    /// Bytes of a state.
    #[getter(copy)]
    pub(crate) state_bytes: u64,
    /// Bytes of everything: the state, the actions, an observation, and what parts keep of their plots.
    #[getter(copy)]
    pub(crate) bytes: u64,
    /// Entities, farmers and the score, together.
    #[getter(copy)]
    pub(crate) parts: usize,
    /// Values of the game's text, with all that its aliases stand for.
    #[getter(copy)]
    pub(crate) values: usize,
    /// Entries of the flat list of actions.
    #[getter(copy)]
    pub(crate) actions: usize,
    /// How long the game may be compiled; no limit for games of the user.
    #[getter(copy)]
    pub(crate) compile_time: Option<Duration>,
}

impl Budget {
    const OWN: Self = Self {
        state_bytes: MAX_STATE_BYTES,
        bytes: u64::MAX,
        parts: usize::MAX,
        values: usize::MAX,
        actions: 50_000_000,
        compile_time: None,
    };
    const STRANGER: Self = Self {
        state_bytes: STRANGER_BYTES,
        bytes: STRANGER_BYTES,
        parts: 120,
        values: 10_000,
        actions: 200_000,
        compile_time: Some(Duration::from_secs(5)),
    };

    /// Whether the game is of a stranger, so that what it asks of the processor is bounded, too.
    pub fn is_small(&self) -> bool {
        self.compile_time.is_some()
    }
}

/// How far a game is trusted: who wrote it, and who wrote which values over it.
#[derive(Debug, Clone, PartialEq, Eq, farm_macros::Getters)]
pub struct Trust {
    /// Who wrote the game itself.
    #[getter(copy)]
    pub(crate) origin: Origin,
    /// The least trusted writer of all.
    least: Origin,
    /// Texts of values that others wrote over the game: each may be the name of a file or of a plugin.
    names: Vec<(String, Origin)>,
}

impl Default for Trust {
    fn default() -> Self {
        OWN_FILE.clone()
    }
}

/// Of a file that the user opens.
pub(crate) static OWN_FILE: Trust = Trust::new(Origin::OwnFile(Consent { outside_files: false, plugins: false }));

impl Trust {
    /// Of a game that is written so.
    pub const fn new(origin: Origin) -> Self {
        Self { origin, least: origin, names: Vec::new() }
    }

    /// Adds what the user agrees to for the file of the game. A text of a stranger gains nothing by it.
    pub fn agree(&mut self, consent: Consent) {
        let agreed = |origin: &mut Origin| {
            if let Origin::OwnFile(before) = origin {
                before.outside_files |= consent.outside_files;
                before.plugins |= consent.plugins;
            }
        };
        agreed(&mut self.origin);
        agreed(&mut self.least);
    }

    /// Notes that a value of this origin is written over the game.
    pub fn add(&mut self, written_by: Origin, value: &Value) {
        self.least = self.least.or_less_trusted(written_by);
        texts_in(value, &mut |text| self.names.push((text.to_owned(), written_by)));
    }

    /// Who wrote a name of a file or of a plugin. Where several did, the one who is trusted less counts, unless it is the game's file:
    /// what the user writes over it is the user's.
    pub(crate) fn origin_of(&self, name: &str) -> Origin {
        let of_name = self.names.iter().filter(|(known, _)| known == name).map(|(_, origin)| *origin);
        of_name.reduce(Origin::or_less_trusted).unwrap_or(self.origin)
    }

    /// Whether the game may run the code of a plugin of this name.
    pub(crate) fn may_run(&self, plugin: &str) -> bool {
        // What the game's file may not run, no value over it may: consent is given for the game as a whole.
        let consent = |origin: Origin| match origin {
            Origin::User => true,
            Origin::OwnFile(consent) => consent.plugins,
            Origin::Stranger => false,
        };
        consent(self.origin) && consent(self.origin_of(plugin))
    }

    /// How much the game may take: as much as its least trusted writer.
    pub fn budget(&self) -> Budget {
        self.least.budget()
    }
}

/// Every text in a value.
fn texts_in(value: &Value, found: &mut impl FnMut(&str)) {
    match value {
        Value::String(text) => found(text),
        Value::Sequence(items) => items.iter().for_each(|item| texts_in(item, found)),
        Value::Mapping(mapping) => mapping.values().for_each(|item| texts_in(item, found)),
        _ => {}
    }
}
