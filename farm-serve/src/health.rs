//! `/health`: whether the server responds and, if it records episodes, whether it can record them.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::get;
use serde::Serialize;

use crate::record::Recorder;

/// The response of `/health`.
#[derive(Debug, Serialize)]
struct Health {
    /// `healthy`, or `unhealthy` with the reason.
    status: &'static str,
    /// The reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// The number of games.
    games: usize,
}

/// The route for a server with this number of games.
pub(crate) fn router(games: usize, recorder: Option<Recorder>) -> axum::Router {
    axum::Router::new().route("/health", get(health)).with_state((games, recorder))
}

/// Responds with status 200, or 503 if episodes can't be recorded.
async fn health(State((games, recorder)): State<(usize, Option<Recorder>)>) -> (StatusCode, Json<Health>) {
    match recorder.as_ref().and_then(Recorder::failure) {
        None => (StatusCode::OK, Json(Health { status: "healthy", reason: None, games })),
        reason => (StatusCode::SERVICE_UNAVAILABLE, Json(Health { status: "unhealthy", reason, games })),
    }
}
