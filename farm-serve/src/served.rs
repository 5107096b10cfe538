//! The game for a request, and rejected requests.

use std::sync::Arc;

use axum::extract::{FromRef, FromRequestParts, RawPathParams};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use serde_json::json;

use crate::game::Served;
use crate::games::Games;

/// The game in the request's path, or otherwise the first game.
impl<S: Send + Sync> FromRequestParts<S> for Served
where
    Arc<Games>: FromRef<S>,
{
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Response> {
        let parameters = RawPathParams::from_request_parts(parts, state).await.map_err(IntoResponse::into_response)?;
        let named = parameters.iter().find(|(key, _)| *key == "game").map(|(_, name)| name.to_owned());
        let games = Arc::<Games>::from_ref(state);
        let found = match named {
            Some(name) => games.served(&name).cloned(),
            None => match games.first() {
                Some(served) => Ok(served.clone()),
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
