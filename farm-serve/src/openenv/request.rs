//! Reads requests of trainers.

use serde_json::{Map, Value as Json};

use super::answer;
use crate::episode::{Start, Untaken};
use crate::fields::{self, Invalid};
use crate::session::Session;
use crate::shared::Shared;

/// The keys of a reset request, in addition to those of its start.
const RESET_KEYS: [&str; 4] = ["observe", "game", "episode_id", "session_id"];
/// The maximum length, in bytes, of an episode name that a client sets.
const MAX_EPISODE_ID: usize = 255;
/// The maximum number of copies in a request.
const MAX_FORKS: u64 = 1024;

/// The contents of an observation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Observe {
    /// The observation as text.
    pub(crate) text: bool,
    /// The values by name, as numbers.
    pub(crate) values: bool,
    /// Details about the step, in `metadata`.
    pub(crate) info: bool,
}

impl Default for Observe {
    fn default() -> Self {
        Self { text: true, values: true, info: false }
    }
}

impl Observe {
    /// Reads the contents listed in `observe`.
    ///
    /// # Errors
    /// The value is not a list of known names.
    pub(crate) fn read(object: &Map<String, Json>) -> Result<Self, Invalid> {
        let Some(names) = object.get("observe").filter(|names| !names.is_null()) else { return Ok(Self::default()) };
        let expected =
            || Invalid(format!("`observe` is {}; expected a list of `text`, `values`, `info`", fields::short(names)));
        let mut observe = Self { text: false, values: false, info: false };
        for name in names.as_array().ok_or_else(expected)? {
            match name.as_str().ok_or_else(expected)? {
                "text" => observe.text = true,
                "values" => observe.values = true,
                "info" => observe.info = true,
                other => {
                    return Err(Invalid(fields::unknown("entry of `observe`", other, &["text", "values", "info"])));
                }
            }
        }
        Ok(observe)
    }
}

/// A reset request.
#[derive(Debug)]
pub(crate) struct Reset {
    pub(crate) start: Start,
    pub(crate) observe: Observe,
    pub(crate) game: Option<String>,
    pub(crate) episode_id: Option<String>,
    pub(crate) session_id: Option<String>,
}

impl Reset {
    /// Reads a reset.
    ///
    /// # Errors
    /// A key is unknown (the error names the nearest known key), or a value is not valid.
    pub(crate) fn read(data: &Json) -> Result<Self, Invalid> {
        let keys = [&Start::KEYS[..], &RESET_KEYS].concat();
        let object = fields::object(data, "a reset", &keys)?;
        let owned = |key| Ok::<_, Invalid>(fields::text(object, key)?.map(str::to_owned));
        let episode_id = owned("episode_id")?;
        if episode_id.as_ref().is_some_and(|id| id.len() > MAX_EPISODE_ID) {
            return Err(Invalid(format!("`episode_id` is longer than {MAX_EPISODE_ID} bytes")));
        }
        Ok(Self {
            start: Start::read(object)?,
            observe: Observe::read(object)?,
            game: owned("game")?,
            episode_id,
            session_id: owned("session_id")?,
        })
    }

    /// Starts the episode in a session, and returns the answer.
    ///
    /// # Errors
    /// The game is not served, the game does not allow the start, or the episode can't be recorded.
    pub(super) fn begin(self, session: &mut Session, shared: &Shared) -> Result<Json, Untaken> {
        if let Some(name) = self.game {
            session.served = shared.games.served(&name).map_err(|problem| Invalid(problem.sentence()))?.clone();
        }
        let text = session.begin(self.start)?;
        (session.observe, session.episode_id) = (self.observe, self.episode_id);
        answer::first(session, text)
    }
}

/// Reads the number of copies in a request to fork a session.
///
/// # Errors
/// `n` is missing or out of range.
pub(crate) fn read_forks(object: &Map<String, Json>) -> Result<u64, Invalid> {
    match fields::whole(object, "n")? {
        Some(n @ 1..=MAX_FORKS) => Ok(n),
        Some(n) => Err(Invalid(format!("`n` is {n}; it must be from 1 to {MAX_FORKS}"))),
        None => Err(Invalid("`n` is missing: the number of copies".into())),
    }
}
