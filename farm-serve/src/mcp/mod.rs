//! The Model Context Protocol. An agent plays a session, which goes one way.
//!
//! Each kind of action has a tool that accepts the action's arguments. `look` returns the observation, and if the rules are shown, `rules`
//! returns them. No tool restarts the episode, because an agent could restart it until it likes the result. Only an episode with branches
//! has a tool `branch`, which costs a step.
//!
//! A call may name the newest handle. Then the call counts once, even if it is sent again, and a call for an earlier turn is rejected.
//!
//! The server supports the versions up to 2025-11-25, which start with `initialize`, and the stateless version 2026-07-28. No message of
//! the protocol changes the session that an agent plays.

mod failure;
mod http;
mod lifecycle;
mod seat;
mod stdio;
mod tools;

use serde_json::{Map, Value as Json, json};

use crate::session::lock;
use failure::{Failure, INVALID_PARAMS, INVALID_REQUEST, UNSUPPORTED_VERSION};

pub(crate) use http::is_of_agent;
pub(crate) use http::router;
pub(crate) use seat::Seat;
pub use stdio::{AgentEpisode, AgentResult, run as run_stdio};
pub(crate) use tools::Tools;

/// The protocol versions in which each message is independent of the others.
const STATELESS: [&str; 1] = ["2026-07-28"];
/// The protocol versions that start with `initialize`, from the oldest to the newest.
const WITH_HANDSHAKE: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

/// Answers a message; returns `None` for a notification, which gets no response.
pub(crate) fn answer(message: &Json, seat: Seat<'_>) -> Option<Json> {
    let Some(object) = message.as_object() else {
        let failure =
            Failure::new(INVALID_REQUEST, "a message must be one JSON object; lists of messages are not supported");
        return Some(error(Json::Null, failure));
    };
    let id = object.get("id").cloned();
    let method = object.get("method").and_then(Json::as_str);
    let is_valid = object.get("jsonrpc").and_then(Json::as_str) == Some("2.0");
    let (Some(method), true) = (method, is_valid) else {
        let failure = Failure::new(INVALID_REQUEST, "expected `\"jsonrpc\": \"2.0\"`, `id` and `method`");
        return Some(error(id.unwrap_or(Json::Null), failure));
    };
    let id = match id {
        None => return None,
        Some(id) if id.is_string() || id.is_i64() || id.is_u64() => id,
        Some(_) => {
            return Some(error(Json::Null, Failure::new(INVALID_REQUEST, "`id` must be a string or an integer")));
        }
    };
    let none = Map::new();
    let parameters = match object.get("params") {
        None | Some(Json::Null) => &none,
        Some(Json::Object(parameters)) => parameters,
        Some(_) => return Some(error(id, Failure::new(INVALID_PARAMS, "`params` must be an object"))),
    };
    Some(match result(method, parameters, seat) {
        Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
        Err(failure) => error(id, failure),
    })
}

fn error(id: Json, failure: Failure) -> Json {
    let mut error = json!({ "code": failure.code, "message": failure.message });
    if let Some(data) = failure.data {
        error["data"] = data;
    }
    json!({ "jsonrpc": "2.0", "id": id, "error": error })
}

/// The result of calling a method.
fn result(method: &str, parameters: &Map<String, Json>, seat: Seat<'_>) -> Result<Json, Failure> {
    const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";
    let version = parameters.get("_meta").and_then(|meta| meta.get(VERSION_KEY)).and_then(Json::as_str);
    if let Some(version) = version.filter(|version| !STATELESS.contains(version)) {
        let data = json!({ "supported": supported(), "requested": version });
        let message = format!("protocol version `{version}` is not supported");
        return Err(Failure { code: UNSUPPORTED_VERSION, message, data: Some(data) });
    }
    match method {
        "server/discover" => Ok(json!({
            "resultType": "complete", "ttlMs": 0, "cacheScope": "private",
            "supportedVersions": supported(), "capabilities": { "tools": {} },
            "instructions": INSTRUCTIONS,
            "_meta": { "io.modelcontextprotocol/serverInfo": server_info() },
        })),
        "initialize" => {
            let wanted = parameters.get("protocolVersion").and_then(Json::as_str).unwrap_or_default();
            let newest = WITH_HANDSHAKE[WITH_HANDSHAKE.len() - 1];
            let version = WITH_HANDSHAKE.into_iter().find(|version| *version == wanted).unwrap_or(newest);
            Ok(json!({
                "protocolVersion": version, "capabilities": { "tools": {} },
                "serverInfo": server_info(), "instructions": INSTRUCTIONS,
            }))
        }
        "ping" => Ok(if version.is_some() { json!({ "resultType": "complete" }) } else { json!({}) }),
        "tools/list" => {
            let tools = match seat {
                // A list starts no episode.
                Seat::Named(served, start, _) if !parameters.contains_key("session_id") => {
                    Tools::new(&served.game, start).list()
                }
                _ => {
                    let held = seat.session(parameters)?;
                    let session = lock(&held);
                    Tools::new(&session.served.game, session.start()).list()
                }
            };
            Ok(json!({ "resultType": "complete", "ttlMs": 0, "cacheScope": "private", "tools": tools }))
        }
        "tools/call" => {
            let name = parameters.get("name").and_then(Json::as_str);
            let name = name.ok_or_else(|| Failure::new(INVALID_PARAMS, "`name` of the tool is missing"))?;
            let none = Map::new();
            let arguments = match parameters.get("arguments") {
                None | Some(Json::Null) => &none,
                Some(Json::Object(arguments)) => arguments,
                Some(_) => return Err(Failure::new(INVALID_PARAMS, "`arguments` must be an object")),
            };
            let held = seat.session(parameters)?;
            let mut session = lock(&held);
            let (game, start) = (session.served.game.clone(), session.start());
            Tools::new(&game, start).call(&mut session, name, arguments)
        }
        method if method.starts_with(lifecycle::PREFIX) => lifecycle::result(method, parameters, seat),
        other => Err(Failure::unknown(other)),
    }
}

fn supported() -> Vec<&'static str> {
    WITH_HANDSHAKE.into_iter().chain(STATELESS).collect()
}

fn server_info() -> Json {
    json!({ "name": "farm", "version": env!("CARGO_PKG_VERSION") })
}

/// Instructions for an agent, in addition to the texts that `look` returns.
const INSTRUCTIONS: &str = "A game. Call `look` first. It returns the instructions and the observation. Each action is a tool that takes a step. Steps can't be \
    undone, and nothing restarts the game. Every answer contains a `handle`. If you pass the newest handle, the call counts only once.";
