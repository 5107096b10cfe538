//! OpenEnv's methods for trainers: they create, copy and close sessions. Agents do not have them.

use serde_json::{Map, Value as Json, json};

use super::failure::{Failure, INVALID_PARAMS};
use super::seat::Seat;
use crate::episode::Untaken;
use crate::fields;
use crate::forks::{forks, read_forks};
use crate::keys::Keys;
use crate::session::{Session, lock};

/// The start of the methods' names.
pub(super) const PREFIX: &str = "openenv/session/";

/// The result of calling a method. The parameter `session_id` names the session.
///
/// # Errors
/// The caller is an agent, no method has this name, or there is no such session.
pub(super) fn result(method: &str, parameters: &Map<String, Json>, seat: Seat<'_>) -> Result<Json, Failure> {
    let told = |keys: &Keys| json!({ "session_id": keys.trainer, "mcp": keys.path() });
    let (Seat::Named(_, _, shared) | Seat::Trainer(_, shared)) = seat else { return Err(Failure::unknown(method)) };
    match (&method[PREFIX.len()..], seat) {
        ("create", Seat::Trainer(held, _)) => Ok(told(&shared.sessions.keys_of(held)?)),
        ("create", Seat::Named(served, ..)) => {
            let session = Session::new(served.clone(), shared.tally.clone());
            Ok(told(&shared.sessions.open(session, &shared.tally)?.1))
        }
        ("close", _) => {
            let key = key(parameters)?;
            let held = shared.sessions.of_trainer(key).map_err(Untaken::from)?;
            if matches!(seat, Seat::Trainer(own, _) if std::sync::Arc::ptr_eq(own, &held)) {
                return Err(Failure::new(INVALID_PARAMS, "the session of this connection ends with the connection"));
            }
            lock(&held).end_record().map_err(Untaken::from)?;
            Ok(json!({ "session_id": key, "closed": shared.sessions.close(key) }))
        }
        ("fork", _) => {
            let held = match seat {
                Seat::Trainer(held, _) if !parameters.contains_key("session_id") => held.clone(),
                _ => shared.sessions.of_trainer(key(parameters)?).map_err(Untaken::from)?,
            };
            let copies = read_forks(parameters).map_err(Untaken::from)?;
            let forked = forks(&lock(&held), copies, shared)?;
            Ok(forked)
        }
        _ => Err(Failure::unknown(method)),
    }
}

fn key(parameters: &Map<String, Json>) -> Result<&str, Failure> {
    let key = fields::text(parameters, "session_id").map_err(Untaken::from)?;
    key.ok_or_else(|| Failure::new(INVALID_PARAMS, "`session_id` is missing"))
}
