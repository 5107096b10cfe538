//! Reads resets.

use serde_json::Value as Json;

use super::answer;
use crate::episode::{Start, Untaken};
use crate::fields::{self, Invalid};
use crate::observe::Observe;
use crate::session::Session;
use crate::shared::Shared;

/// The keys of a reset request, in addition to those of its start.
const RESET_KEYS: [&str; 4] = ["observe", "game", "episode_id", "session_id"];
/// The maximum length, in bytes, of an episode name that a client sets.
const MAX_EPISODE_ID: usize = 255;

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
