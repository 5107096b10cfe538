//! `/reset`, `/step`, `/state` and `/fork`: single requests. The server holds the session, and requests name it by `session_id`.

use axum::Json as JsonBody;
use axum::body::Bytes;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value as Json, json};

use super::answer;
use super::request::Reset;
use crate::episode::{Choice, Untaken};
use crate::fields::{self, Invalid};
use crate::forks::{forks, read_forks};
use crate::game::Served;
use crate::served::refusal;
use crate::session::{Held, Session, lock};
use crate::shared::Shared;

/// Reads a JSON body. An empty body is read as an empty object.
///
/// # Errors
/// The body is not JSON.
pub(crate) fn read_body(body: &Bytes) -> Result<Json, Invalid> {
    if body.is_empty() {
        return Ok(json!({}));
    }
    serde_json::from_slice(body).map_err(|error| Invalid(format!("the body is not JSON: {error}")))
}

fn answered(result: Result<Json, Untaken>) -> Response {
    match result {
        Ok(json) => JsonBody(json).into_response(),
        Err(untaken @ Untaken::Full) => refusal(StatusCode::SERVICE_UNAVAILABLE, &untaken.to_string()),
        Err(untaken) => refusal(StatusCode::UNPROCESSABLE_ENTITY, &untaken.to_string()),
    }
}

pub(super) async fn reset(State(shared): State<Shared>, served: Served, body: Bytes) -> Response {
    answered(begin(&shared, served, &body))
}

/// Starts an episode in the session that the request names, or in a new one.
fn begin(shared: &Shared, served: Served, body: &Bytes) -> Result<Json, Untaken> {
    let reset = Reset::read(&read_body(body)?)?;
    if let Some(key) = &reset.session_id {
        let held = shared.sessions.of_trainer(key)?;
        return reset.begin(&mut lock(&held), shared);
    }
    let (held, keys) = shared.sessions.open(Session::new(served, shared.tally.clone()), &shared.tally)?;
    let begun = reset.begin(&mut lock(&held), shared);
    if begun.is_err() {
        shared.sessions.close(&keys.trainer);
    }
    begun
}

pub(super) async fn step(State(shared): State<Shared>, body: Bytes) -> Response {
    answered(play(&shared, &body))
}

fn play(shared: &Shared, body: &Bytes) -> Result<Json, Untaken> {
    let body = read_body(body)?;
    let object = fields::object(&body, "a step", &["action", "session_id", "timeout_s", "request_id"])?;
    let action = object.get("action").ok_or_else(|| {
        Invalid(
            "a step needs `action`, an object such as {\"action\": \"wait\"}, and the `session_id` of the reset".into(),
        )
    })?;
    let held = named(shared, object)?;
    let mut session = lock(&held);
    let call = fields::text(object, "request_id")?.map(|id| format!("request {id} {action}"));
    if let Some(answer) = call.as_ref().and_then(|call| session.answered(call)) {
        return Ok(answer);
    }
    let choice = Choice::read(action, &session.served.game);
    let told = session.step(&choice)?;
    let answer = answer::next(&session, told)?;
    if let Some(call) = call {
        session.store(call, &answer);
    }
    Ok(answer)
}

/// The session that a request names.
fn named(shared: &Shared, object: &Map<String, Json>) -> Result<Held, Invalid> {
    let key = fields::text(object, "session_id")?;
    let missing = || Invalid("`session_id` is missing: pass the one in the `metadata` of the reset".into());
    shared.sessions.of_trainer(key.ok_or_else(missing)?)
}

/// The query for `/state`.
#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StateQuery {
    session_id: Option<String>,
}

pub(super) async fn state(State(shared): State<Shared>, query: Query<StateQuery>) -> Response {
    let look = || {
        let object = Map::from_iter(query.0.session_id.map(|key| ("session_id".to_owned(), json!(key))));
        let held = named(&shared, &object)?;
        let session = lock(&held);
        answer::state(&session)
    };
    answered(look())
}

pub(super) async fn fork(State(shared): State<Shared>, body: Bytes) -> Response {
    let copy = || {
        let body = read_body(&body)?;
        let object = fields::object(&body, "a fork", &["session_id", "n"])?;
        let held = named(&shared, object)?;
        let session = lock(&held);
        forks(&session, read_forks(object)?, &shared)
    };
    answered(copy())
}
