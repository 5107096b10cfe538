//! The two keys of a session, both drawn. The trainer's key can also restart, copy and close the session. The agent's key can only look and
//! act. Neither contains a seed.

use serde::{Deserialize, Serialize};

use crate::episode::Untaken;

/// The two keys of a session.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
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

/// A random string of 32 hexadecimal digits that can't be guessed.
///
/// # Errors
/// The system provides no random numbers.
pub(crate) fn drawn() -> Result<String, getrandom::Error> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
