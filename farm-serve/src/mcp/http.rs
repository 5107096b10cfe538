//! `/mcp`: one message per request. The query names a session, as in `?session=KEY`, or a world, as in `?seed=7`,
//! `?split=test&index=3`, `?form=compact` or `?rules=shown`. A world has one episode.

use axum::Json as JsonBody;
use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use serde_json::{Map, Value as Json, json};

use super::STATELESS;
use super::failure::{Failure, INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND, PARSE_ERROR, UNSUPPORTED_VERSION};
use super::seat::Seat;
use crate::episode::Start;
use crate::fields::{self, Invalid};
use crate::game::Served;
use crate::served::refusal;
use crate::shared::Shared;

/// The query's key for a session.
const SESSION: &str = "session";

pub(crate) fn router(shared: Shared) -> Router {
    Router::new().route("/mcp", post(message)).route("/games/{game}/mcp", post(message)).with_state(shared)
}

/// Whether a request names a session by its key, which an agent can't guess. It needs no token.
pub(crate) fn is_of_agent(uri: &Uri) -> bool {
    let is_session = |pair: &str| pair.split_once('=').is_some_and(|(key, value)| key == SESSION && !value.is_empty());
    uri.path().ends_with("/mcp") && uri.query().is_some_and(is_session)
}

/// What a URL names.
#[derive(Debug, PartialEq, Eq)]
enum Target {
    /// A session, by the agent's key.
    Session(String),
    /// A world.
    World(Start),
}

async fn message(State(shared): State<Shared>, served: Served, uri: Uri, headers: HeaderMap, body: Bytes) -> Response {
    let target = match target(uri.query().unwrap_or_default()) {
        Ok(target) => target,
        Err(Invalid(problem)) => return refusal(StatusCode::BAD_REQUEST, &problem),
    };
    let held;
    let seat = match target {
        Target::World(start) => Seat::Named(&served, start, &shared),
        Target::Session(key) => match shared.sessions.of_agent(&key) {
            Ok(found) => {
                held = found;
                Seat::Agent(&held)
            }
            Err(Invalid(problem)) => return refusal(StatusCode::NOT_FOUND, &problem),
        },
    };
    let message: Json = match serde_json::from_slice(&body) {
        Ok(message) => message,
        Err(problem) => {
            let failure = Failure::new(PARSE_ERROR, format!("the message is not JSON: {problem}"));
            return (StatusCode::BAD_REQUEST, JsonBody(super::error(Json::Null, failure))).into_response();
        }
    };
    match super::answer(&message, seat) {
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

/// Reads the query. Its keys and values need no escapes.
fn target(query: &str) -> Result<Target, Invalid> {
    let mut object = Map::new();
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        let value = match (value.parse::<u64>(), value) {
            (Ok(number), _) if key != SESSION => json!(number),
            (_, "true") => json!(true),
            (_, "false") => json!(false),
            _ => json!(value),
        };
        if object.insert(key.to_owned(), value).is_some() {
            return Err(Invalid(format!("`{key}` occurs twice in the URL")));
        }
    }
    let only = object.len() == 1;
    let object = Json::Object(object);
    let keys = [&Start::KEYS[..], &[SESSION]].concat();
    let object = fields::object(&object, "the query of the URL", &keys)?;
    match fields::text(object, SESSION)? {
        None => Start::read(object).map(Target::World),
        Some(key) if only => Ok(Target::Session(key.to_owned())),
        Some(_) => Err(Invalid("`session` determines the episode: remove the other keys of the URL".into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_says_what_is_played() {
        let seed = |query| match target(query) {
            Ok(Target::World(start)) => start.seed,
            other => panic!("{other:?}"),
        };
        assert_eq!(target(""), Ok(Target::World(Start::default())));
        assert_eq!(target("session=0123"), Ok(Target::Session("0123".to_owned())));
        assert_eq!(target("branches=true"), Ok(Target::World(Start { branches: true, ..Start::default() })));
        assert_eq!((seed("seed=7"), seed("split=test&index=3")), (7, 8_300_000_000_000_003));
        for (query, told) in [
            ("sed=7", "did you mean `seed`?"),
            ("seed=x", "expected a non-negative integer"),
            ("seed=8300000000000003", "reserved for the split"),
            ("seed=1&seed=2", "twice"),
            ("index=1", "add `split`"),
            ("split=tset", "did you mean `test`?"),
            ("session=0123&seed=7", "remove the other keys"),
            ("branches=yes", "expected true or false"),
        ] {
            assert!(target(query).unwrap_err().0.contains(told), "{query}");
        }
    }

    #[test]
    fn only_an_address_with_a_session_needs_no_token() {
        let is = |uri: &str| is_of_agent(&uri.parse().unwrap());
        assert!(is("/mcp?session=0123") && is("/games/clay_bean/mcp?session=0123"));
        for other in [
            "/mcp",
            "/mcp?",
            "/mcp?session=",
            "/mcp?seed=7",
            "/mcp?seed=7&session=1",
            "/ws?session=1",
            "/api/watch?session=1",
        ] {
            assert!(!is(other), "{other}");
        }
    }
}
