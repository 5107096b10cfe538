//! OpenEnv: sessions over WebSocket, single requests over HTTP, tasks by split, and descriptions of all of these.
//!
//! The first game is served at the root, where OpenEnv clients look for it. Each game is also served under `/games/NAME`, so
//! a client with `base_url="http://127.0.0.1:8000/games/NAME"` plays it.

mod describe;
mod http;
mod openapi;
mod session;
mod socket;
mod tasks;

use std::sync::Arc;

use axum::Router;
use axum::extract::{FromRequestParts, RawPathParams};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use farm_core::Game;
use serde_json::json;

use crate::Shared;

pub(crate) use session::{Session, hex};

/// The routes of OpenEnv.
pub(crate) fn router() -> Router<Shared> {
    let game = || {
        Router::new()
            .route("/ws", get(socket::open))
            .route("/reset", post(http::reset))
            .route("/step", post(http::step))
            .route("/state", get(http::state))
            .route("/schema", get(describe::schema))
            .route("/metadata", get(describe::metadata))
    };
    game()
        .nest("/games/{game}", game().route("/health", get(crate::health::health)))
        .route("/openapi.json", get(openapi::document))
        .merge(tasks::router())
}

/// The game for a request: the game in the request's path, or otherwise the first game.
#[derive(Debug, Clone)]
pub(crate) struct Served {
    /// Its name on the server.
    pub(crate) name: String,
    pub(crate) game: Arc<Game>,
}

impl FromRequestParts<Shared> for Served {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, shared: &Shared) -> Result<Self, Response> {
        let parameters = RawPathParams::from_request_parts(parts, shared).await.map_err(IntoResponse::into_response)?;
        let named = parameters.iter().find(|(key, _)| *key == "game").map(|(_, name)| name.to_owned());
        let found = match named {
            Some(name) => shared.games.find(&name).map(|game| Self { name, game: game.clone() }),
            None => match shared.games.first() {
                Some((name, game)) => Ok(Self { name: name.clone(), game: game.clone() }),
                None => return Err(refusal(StatusCode::NOT_FOUND, "no game is served")),
            },
        };
        found.map_err(|problem| refusal(StatusCode::NOT_FOUND, &problem.sentence()))
    }
}

/// An error response in the format of OpenEnv servers.
pub(crate) fn refusal(status: StatusCode, detail: &str) -> Response {
    (status, axum::Json(json!({ "detail": detail }))).into_response()
}
