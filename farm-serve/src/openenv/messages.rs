//! The messages on a WebSocket and their answers.

use serde_json::{Value as Json, json};

use super::request::Reset;
use super::{answer, tools};
use crate::episode::{Choice, Untaken};
use crate::fields::{self, Invalid};
use crate::forks::{forks, read_forks};
use crate::mcp::{self, Seat};
use crate::session::{Held, Session, lock};
use crate::shared::Shared;

/// The response to a message, and whether the connection ends.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) text: String,
    pub(super) is_last: bool,
}

/// Answers a message to a session.
pub(super) fn answer(message: &str, held: &Held, shared: &Shared) -> Answer {
    let (kind, data) = match read_message(message) {
        Ok(message) => message,
        Err((code, problem)) => return Answer { text: failure(code, &problem), is_last: false },
    };
    let told = |kind: &str, data: Json| json!({ "type": kind, "data": data }).to_string();
    let answered = match kind {
        Kind::Reset => reset(&data, &mut lock(held), shared).map(|data| told("observation", data)),
        Kind::Step => step(&data, &mut lock(held)).map(|data| told("observation", data)),
        Kind::State => answer::state(&lock(held)).map(|data| told("state", data)),
        Kind::Fork => fork(&data, &lock(held), shared).map(|data| told("fork", data)),
        Kind::Mcp => Ok(told("mcp", mcp::answer(&data, Seat::Trainer(held, shared)).unwrap_or(Json::Null))),
        Kind::Close => return Answer { text: String::new(), is_last: true },
    };
    let text = answered.unwrap_or_else(|untaken| {
        let code = match untaken {
            Untaken::Invalid(_) => "VALIDATION_ERROR",
            Untaken::Full => "CAPACITY_REACHED",
            Untaken::Step(_) | Untaken::Record(_) | Untaken::Random => "EXECUTION_ERROR",
        };
        failure(code, &untaken.to_string())
    });
    Answer { text, is_last: false }
}

fn reset(data: &Json, session: &mut Session, shared: &Shared) -> Result<Json, Untaken> {
    let reset = Reset::read(data)?;
    if reset.session_id.is_some() {
        let only = "`session_id` is only for HTTP requests: a connection has its own session, or names one in its URL";
        return Err(Invalid(only.into()).into());
    }
    reset.begin(session, shared)
}

fn step(data: &Json, session: &mut Session) -> Result<Json, Untaken> {
    if let Some(answer) = tools::step(data, session)? {
        return Ok(answer);
    }
    let choice = Choice::read(data, &session.served.game);
    let told = session.step(&choice)?;
    answer::next(session, told)
}

fn fork(data: &Json, session: &Session, shared: &Shared) -> Result<Json, Untaken> {
    let copies = read_forks(fields::object(data, "a fork", &["n"])?)?;
    forks(session, copies, shared)
}

/// The type of a message.
#[derive(Debug, Clone, Copy)]
enum Kind {
    Reset,
    Step,
    State,
    Fork,
    Close,
    Mcp,
}

const KINDS: [(&str, Kind); 6] = [
    ("reset", Kind::Reset),
    ("step", Kind::Step),
    ("state", Kind::State),
    ("fork", Kind::Fork),
    ("close", Kind::Close),
    ("mcp", Kind::Mcp),
];

/// Reads `{"type": …, "data": {…}}`.
fn read_message(message: &str) -> Result<(Kind, Json), (&'static str, String)> {
    let mut json: Json =
        serde_json::from_str(message).map_err(|error| ("INVALID_JSON", format!("a message is not JSON: {error}")))?;
    let invalid = |Invalid(problem)| ("VALIDATION_ERROR", problem);
    let object = fields::object(&json, "a message", &["type", "data"]).map_err(invalid)?;
    let names = KINDS.map(|(name, _)| name);
    let name = fields::text(object, "type").map_err(invalid)?.unwrap_or_default();
    let kind = KINDS.iter().find(|(known, _)| *known == name).map(|(_, kind)| *kind);
    let kind = kind.ok_or_else(|| ("UNKNOWN_TYPE", fields::unknown("type of message", name, &names)))?;
    let data = json.get_mut("data").map_or_else(|| json!({}), Json::take);
    Ok((kind, if data.is_null() { json!({}) } else { data }))
}

fn failure(code: &str, message: &str) -> String {
    json!({ "type": "error", "data": { "message": message, "code": code } }).to_string()
}
