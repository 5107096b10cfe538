//! The two keys of a session, both drawn. The trainer's key can also restart, copy and close the session. The agent's key can only look and
//! act. Neither contains a seed.

use crate::episode::Untaken;
use crate::playground::drawn;

/// The two keys of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Keys {
    /// The trainer's key, `session_id`.
    pub(crate) trainer: String,
    /// The agent's key, `session` in its URL.
    pub(crate) agent: String,
}

impl Keys {
    /// Draws keys.
    ///
    /// # Errors
    /// The system provides no random numbers.
    pub(crate) fn drawn() -> Result<Self, Untaken> {
        let draw = || drawn().map_err(|_| Untaken::Random);
        Ok(Self { trainer: draw()?, agent: draw()? })
    }

    /// The path where an agent plays the session.
    pub(crate) fn path(&self) -> String {
        format!("/mcp?session={}", self.agent)
    }
}
