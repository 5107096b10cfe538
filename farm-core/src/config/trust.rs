//! How far a game is trusted, based on its author. Trust decides which files a game may read, whether it may run code, and how much memory
//! and time it may use.
//!
//! A game file, a preset, a level, a value on the command line and a run's header can have different authors. Each text has an [`Origin`].
//! Only this module decides what an origin may do.

use std::time::Duration;

use serde_yaml::Value;

use crate::state::MAX_STATE_BYTES;

/// The maximum memory for a stranger's game, compiled and with a state, in bytes.
pub const STRANGER_BYTES: u64 = 16_000_000;

/// The user's consent for a game file that someone else may have written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Consent {
    /// The game may read files outside its own folder.
    pub outside_files: bool,
    /// The game may load the plugins that it names. Loading a plugin runs its code.
    pub plugins: bool,
}

/// Who wrote a text.
///
/// | | files | plugins | size |
/// |---|---|---|---|
/// | the user | any | yes | a state of 4 GB |
/// | a file that the user opens | in its own folder, others with consent | with consent | a state of 4 GB |
/// | a stranger | none | never | 16 MB, including everything compiled |
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The user, through a command line or a function argument.
    User,
    /// A file that the user opens. Someone else may have written it.
    OwnFile(Consent),
    /// Anyone else. The text comes from a client, or from the header of a run to verify.
    Stranger,
}

impl Origin {
    /// The limits for a game with this origin.
    pub fn budget(self) -> Budget {
        match self {
            Self::User | Self::OwnFile(_) => Budget::OWN,
            Self::Stranger => Budget::STRANGER,
        }
    }

    /// The files that the text may refer to.
    pub(super) fn reads(self) -> Reads {
        match self {
            Self::User | Self::OwnFile(Consent { outside_files: true, .. }) => Reads::All,
            Self::OwnFile(_) => Reads::OwnFolder,
            Self::Stranger => Reads::None,
        }
    }

    /// The less trusted of two origins.
    fn or_less_trusted(self, other: Self) -> Self {
        match (self, other) {
            (Self::Stranger, _) | (_, Self::Stranger) => Self::Stranger,
            (own @ Self::OwnFile(_), _) | (_, own @ Self::OwnFile(_)) => own,
            (Self::User, Self::User) => Self::User,
        }
    }
}

/// The files that a text may refer to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reads {
    /// All files that the user may read.
    All,
    /// Files in the game's folder or below it.
    OwnFolder,
    /// No files.
    None,
}

/// A game's limits. They are checked against the game's declarations before anything is allocated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_macros::Getters)]
pub struct Budget {
    /// The bytes for one state.
    #[getter(copy)]
    pub(crate) state_bytes: u64,
    /// The bytes for everything: the state, the actions, an observation, and the data that parts keep about their plots.
    #[getter(copy)]
    pub(crate) bytes: u64,
    /// The number of entities, farmers and scores combined.
    #[getter(copy)]
    pub(crate) parts: usize,
    /// The number of values in the game's text, after expanding aliases.
    #[getter(copy)]
    pub(crate) values: usize,
    /// The length of the flat list of actions.
    #[getter(copy)]
    pub(crate) actions: usize,
    /// The maximum time to compile the game; `None` for the user's own games, which have no limit.
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

    /// Whether the game is a stranger's, in which case its processor time is also limited.
    pub fn is_small(&self) -> bool {
        self.compile_time.is_some()
    }
}

/// How far a game is trusted. This depends on who wrote the game and who wrote the values that were written over it.
#[derive(Debug, Clone, PartialEq, Eq, farm_macros::Getters)]
pub struct Trust {
    /// Who wrote the game itself.
    #[getter(copy)]
    pub(crate) origin: Origin,
    /// The least trusted of all authors.
    least: Origin,
    /// Strings in values that other authors wrote over the game. Each string could be the name of a file or a plugin.
    names: Vec<(String, Origin)>,
}

impl Default for Trust {
    fn default() -> Self {
        OWN_FILE.clone()
    }
}

/// The trust for a file that the user opens.
pub(crate) static OWN_FILE: Trust = Trust::new(Origin::OwnFile(Consent { outside_files: false, plugins: false }));

impl Trust {
    /// The trust for a game with this origin.
    pub const fn new(origin: Origin) -> Self {
        Self { origin, least: origin, names: Vec::new() }
    }

    /// Adds the user's consent for the game file. The consent has no effect on a stranger's text.
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

    /// Records that a value with this origin has been written over the game.
    pub fn add(&mut self, written_by: Origin, value: &Value) {
        self.least = self.least.or_less_trusted(written_by);
        texts_in(value, &mut |text| self.names.push((text.to_owned(), written_by)));
    }

    /// Who wrote the name of a file or plugin. If several authors wrote it, the least trusted author counts. The game file itself is
    /// ignored here, because a value that the user writes over it belongs to the user.
    pub(crate) fn origin_of(&self, name: &str) -> Origin {
        let of_name = self.names.iter().filter(|(known, _)| known == name).map(|(_, origin)| *origin);
        of_name.reduce(Origin::or_less_trusted).unwrap_or(self.origin)
    }

    /// Whether the game may run the code of the plugin with this name.
    pub(crate) fn may_run(&self, plugin: &str) -> bool {
        // Consent applies to the whole game. If the game file may not run a plugin, values written over it may not run the plugin either.
        let consent = |origin: Origin| match origin {
            Origin::User => true,
            Origin::OwnFile(consent) => consent.plugins,
            Origin::Stranger => false,
        };
        consent(self.origin) && consent(self.origin_of(plugin))
    }

    /// The game's limits, which depend on its least trusted author.
    pub fn budget(&self) -> Budget {
        self.least.budget()
    }
}

/// Calls the function `found` for every string in a value.
fn texts_in(value: &Value, found: &mut impl FnMut(&str)) {
    match value {
        Value::String(text) => found(text),
        Value::Sequence(items) => items.iter().for_each(|item| texts_in(item, found)),
        Value::Mapping(mapping) => mapping.values().for_each(|item| texts_in(item, found)),
        _ => {}
    }
}
