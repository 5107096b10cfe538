//! `/health`: whether the server answers.

use axum::Json;
use axum::extract::State;
use axum::routing::get;
use serde::Serialize;

use crate::Shared;

/// What `/health` answers.
#[derive(Debug, Serialize)]
pub(crate) struct Health {
    /// Always `healthy`: a server that is not does not answer.
    status: &'static str,
    /// How many games are served.
    games: usize,
}

pub(crate) fn router() -> axum::Router<Shared> {
    axum::Router::new().route("/health", get(health))
}

/// Answers that the server is there.
pub(crate) async fn health(State(shared): State<Shared>) -> Json<Health> {
    Json(Health { status: "healthy", games: shared.games.names().count() })
}
