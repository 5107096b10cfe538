//! The session that a message is for.

use serde_json::{Map, Value as Json};

use crate::episode::{Start, Untaken};
use crate::fields;
use crate::game::Served;
use crate::session::Held;
use crate::shared::Shared;

/// The session of a message, and what the sender may do with it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Seat<'a> {
    /// A session that the sender can only play.
    Agent(&'a Held),
    /// The session of a trainer's connection.
    Trainer(&'a Held, &'a Shared),
    /// The session that the message names by `session_id`, otherwise that of a world.
    Named(&'a Served, Start, &'a Shared),
}

impl Seat<'_> {
    /// The session of a call.
    ///
    /// # Errors
    /// The session does not exist or can't be opened.
    pub(super) fn session(self, parameters: &Map<String, Json>) -> Result<Held, Untaken> {
        match self {
            Self::Agent(held) | Self::Trainer(held, _) => Ok(held.clone()),
            Self::Named(served, start, shared) => match fields::text(parameters, "session_id")? {
                Some(key) => Ok(shared.sessions.of_trainer(key)?),
                None => shared.sessions.of_world(served, start, &shared.tally),
            },
        }
    }
}
