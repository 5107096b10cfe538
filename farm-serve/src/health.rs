//! `/health`: whether the server answers, and does what it was asked to.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::get;
use serde::Serialize;

use crate::Shared;
use crate::record::Recorder;

/// What `/health` answers.
#[derive(Debug, Serialize)]
pub(crate) struct Health {
    /// `healthy`, or `unhealthy` with the reason.
    status: &'static str,
    /// What is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// How many games are served.
    games: usize,
}

pub(crate) fn router() -> axum::Router<Shared> {
    axum::Router::new().route("/health", get(health))
}

/// Answers that the server is there, with status 503 if episodes can't be recorded.
pub(crate) async fn health(State(shared): State<Shared>) -> (StatusCode, Json<Health>) {
    let games = shared.games.names().count();
    match shared.recorder.as_ref().and_then(Recorder::failure) {
        None => (StatusCode::OK, Json(Health { status: "healthy", reason: None, games })),
        reason => (StatusCode::SERVICE_UNAVAILABLE, Json(Health { status: "unhealthy", reason, games })),
    }
}
