//! `/reset`, `/step` and `/state`: single requests. Between requests, the client stores the episode as a handle.

use axum::Json as JsonBody;
use axum::body::Bytes;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::{Value as Json, json};

use super::session::{self, Observe, Reset};
use super::shared::Shared;
use crate::episode::{Episode, Start, Untaken};
use crate::fields::{self, Invalid};
use crate::handle::Handle;
use crate::served::{Served, refusal};

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
        Err(untaken) => refusal(StatusCode::UNPROCESSABLE_ENTITY, &untaken.to_string()),
    }
}

pub(super) async fn reset(State(shared): State<Shared>, served: Served, body: Bytes) -> Response {
    answered(begin(&shared, served, &body))
}

fn begin(shared: &Shared, served: Served, body: &Bytes) -> Result<Json, Untaken> {
    let reset = Reset::read(&read_body(body)?)?;
    if reset.handle.is_some() {
        return Err(
            Invalid("`handle` continues an episode, but a reset starts a new one: remove `handle`".into()).into()
        );
    }
    let Served { name, game } = match reset.game {
        Some(name) => {
            let game = shared.games.find(&name).map_err(|problem| Invalid(problem.sentence()))?.clone();
            Served { name, game }
        }
        None => served,
    };
    let handle = Handle::new(&game, reset.start);
    let (episode, text) = Episode::begin(game, reset.start);
    shared.metrics.count_episode();
    let mut answer = session::first(&name, &episode, text, reset.observe);
    answer["metadata"]["handle"] = json!(handle.write());
    Ok(answer)
}

pub(super) async fn step(State(shared): State<Shared>, served: Served, body: Bytes) -> Response {
    answered(play(&shared, served, &body).await)
}

async fn play(shared: &Shared, served: Served, body: &Bytes) -> Result<Json, Untaken> {
    let body = read_body(body)?;
    let object = fields::object(&body, "a step", &["action", "handle", "observe", "timeout_s", "request_id"])?;
    let action = object.get("action").ok_or_else(|| {
        Invalid(
            "a step needs `action`, an object such as {\"action\": \"wait\"}, and the `handle` of the last response"
                .into(),
        )
    })?;
    let choice = session::read_choice(action)?;
    let mut handle = match fields::text(object, "handle")? {
        Some(handle) => Handle::read(handle, &served.game)?,
        None => Handle::new(&served.game, Start::default()),
    };
    let (mut episode, _) = handle.play(served.game).await?;
    let told = episode.step(&choice)?;
    shared.metrics.count_step();
    handle.push(&choice);
    let mut answer = session::next(&episode, told, Observe::read(object)?);
    answer["metadata"]["handle"] = json!(handle.write());
    Ok(answer)
}

/// The query for `/state`.
#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StateQuery {
    handle: Option<String>,
}

pub(super) async fn state(served: Served, query: Query<StateQuery>) -> Response {
    answered(look(served, query.0).await)
}

async fn look(served: Served, query: StateQuery) -> Result<Json, Untaken> {
    let handle = match query.handle {
        Some(handle) => Handle::read(&handle, &served.game)?,
        None => Handle::new(&served.game, Start::default()),
    };
    let (episode, _) = handle.play(served.game).await?;
    Ok(session::state(&served.name, &episode))
}
