//! Copies of a session, for rollouts that share a beginning.

use serde_json::{Map, Value as Json, json};

use crate::episode::Untaken;
use crate::fields::{self, Invalid};
use crate::keys::Keys;
use crate::session::Session;
use crate::shared::Shared;

/// The maximum number of copies in a request.
const MAX_FORKS: u64 = 1024;

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

/// Copies a session, and returns the keys of the copies.
///
/// # Errors
/// No episode has started, there is no room, or a copy can't be recorded. Then there are no copies.
pub(crate) fn forks(session: &Session, copies: u64, shared: &Shared) -> Result<Json, Untaken> {
    let mut opened: Vec<Keys> = Vec::new();
    for _ in 0..copies {
        match session.fork().and_then(|fork| shared.sessions.open(fork, &shared.tally)) {
            Ok((_, keys)) => opened.push(keys),
            Err(untaken) => {
                for keys in &opened {
                    shared.sessions.close(&keys.trainer);
                }
                return Err(untaken);
            }
        }
    }
    let told = |keys: &Keys| json!({ "session_id": keys.trainer, "mcp": keys.path() });
    Ok(json!({ "sessions": opened.iter().map(told).collect::<Vec<_>>() }))
}
