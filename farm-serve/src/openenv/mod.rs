//! OpenEnv: sessions over WebSocket, single requests over HTTP, tasks by split, and descriptions of all of these.
//!
//! The first game is served at the root, where OpenEnv clients look for it. Each game is also served under `/games/NAME`, so
//! a client with `base_url="http://127.0.0.1:8000/games/NAME"` plays it.

mod answer;
mod describe;
mod http;
mod messages;
mod openapi;
mod request;
mod socket;
mod tasks;
mod tools;

use axum::Router;
use axum::routing::{get, post};

use crate::shared::Shared;

/// The routes of OpenEnv. `health` answers below each game, as at the root.
pub(crate) fn router(shared: Shared, health: Router) -> Router {
    let game = || {
        Router::new()
            .route("/ws", get(socket::open))
            .route("/reset", post(http::reset))
            .route("/step", post(http::step))
            .route("/state", get(http::state))
            .route("/fork", post(http::fork))
            .route("/schema", get(describe::schema))
            .route("/metadata", get(describe::metadata))
    };
    game()
        .nest("/games/{game}", game())
        .route("/openapi.json", get(openapi::document))
        .merge(tasks::router())
        .with_state(shared)
        .nest("/games/{game}", health)
}
