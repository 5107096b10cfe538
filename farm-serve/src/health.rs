//! `/health`: whether the server responds and, if it records episodes, whether it can record them.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::get;
use serde::Serialize;

use crate::Shared;
use crate::record::Recorder;

/// The response of `/health`.
#[derive(Debug, Serialize)]
pub(crate) struct Health {
    /// `healthy`, or `unhealthy` with the reason.
    status: &'static str,
    /// The reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// The number of games.
    games: usize,
}

pub(crate) fn router() -> axum::Router<Shared> {
    axum::Router::new().route("/health", get(health))
}

/// Responds with status 200, or 503 if episodes can't be recorded.
pub(crate) async fn health(State(shared): State<Shared>) -> (StatusCode, Json<Health>) {
    let games = shared.games.names().count();
    match shared.recorder.as_ref().and_then(Recorder::failure) {
        None => (StatusCode::OK, Json(Health { status: "healthy", reason: None, games })),
        reason => (StatusCode::SERVICE_UNAVAILABLE, Json(Health { status: "unhealthy", reason, games })),
    }
}
