//! `/mcp`: one message per request. The query can set the start of the episode, for example `?seed=7`, `?split=test&index=3`,
//! `?form=compact` or `?rules=shown`.

use std::sync::Arc;

use axum::Json as JsonBody;
use axum::Router;
use axum::body::Bytes;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use serde_json::{Map, Value as Json, json};

use super::STATELESS;
use super::failure::{Failure, INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND, PARSE_ERROR, UNSUPPORTED_VERSION};
use crate::episode::Start;
use crate::fields::{self, Invalid};
use crate::games::Games;
use crate::served::{Served, refusal};

/// The query's keys.
const KEYS: [&str; 5] = ["seed", "split", "index", "form", "rules"];

pub(crate) fn router(games: Arc<Games>) -> Router {
    Router::new().route("/mcp", post(message)).route("/games/{game}/mcp", post(message)).with_state(games)
}

async fn message(served: Served, uri: Uri, headers: HeaderMap, body: Bytes) -> Response {
    let start = match start(uri.query().unwrap_or_default()) {
        Ok(start) => start,
        Err(Invalid(problem)) => return refusal(StatusCode::BAD_REQUEST, &problem),
    };
    let message: Json = match serde_json::from_slice(&body) {
        Ok(message) => message,
        Err(problem) => {
            let failure = Failure::new(PARSE_ERROR, format!("the message is not JSON: {problem}"));
            return (StatusCode::BAD_REQUEST, JsonBody(super::error(Json::Null, failure))).into_response();
        }
    };
    match super::answer(&message, &served, start).await {
        None => StatusCode::ACCEPTED.into_response(),
        Some(answer) => (status(&headers, &answer), JsonBody(answer)).into_response(),
    }
}

/// The HTTP status of a response. In the stateless version, protocol errors have an error status; in older versions, the status is always
/// 200.
fn status(headers: &HeaderMap, answer: &Json) -> StatusCode {
    let version = headers.get("mcp-protocol-version").and_then(|version| version.to_str().ok());
    let is_stateless = version.is_some_and(|version| STATELESS.contains(&version));
    match answer["error"]["code"].as_i64() {
        Some(METHOD_NOT_FOUND) if is_stateless => StatusCode::NOT_FOUND,
        Some(INVALID_REQUEST | INVALID_PARAMS | PARSE_ERROR | UNSUPPORTED_VERSION) if is_stateless => {
            StatusCode::BAD_REQUEST
        }
        _ => StatusCode::OK,
    }
}

/// Reads the start from the query. Its keys and values need no escapes.
fn start(query: &str) -> Result<Start, Invalid> {
    let mut object = Map::new();
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        let value = match value.parse::<u64>() {
            Ok(number) => json!(number),
            Err(_) => json!(value),
        };
        if object.insert(key.to_owned(), value).is_some() {
            return Err(Invalid(format!("`{key}` occurs twice in the URL")));
        }
    }
    let object = Json::Object(object);
    Start::read(fields::object(&object, "the query of the URL", &KEYS)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_says_what_is_played() {
        assert_eq!(start(""), Ok(Start::default()));
        assert_eq!(start("seed=7").map(|start| start.seed), Ok(7));
        assert_eq!(start("split=test&index=3").map(|start| start.seed), Ok(8_300_000_000_000_003));
        for (query, told) in [
            ("sed=7", "did you mean `seed`?"),
            ("seed=x", "expected a non-negative integer"),
            ("seed=8300000000000003", "reserved for the split"),
            ("seed=1&seed=2", "twice"),
            ("index=1", "add `split`"),
            ("split=tset", "did you mean `test`?"),
        ] {
            assert!(start(query).unwrap_err().0.contains(told), "{query}");
        }
    }
}
