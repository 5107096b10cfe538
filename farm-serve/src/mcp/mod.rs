//! The Model Context Protocol without sessions. An agent passes an episode from call to call as a handle.
//!
//! Each kind of action has a tool that accepts the action's arguments. `look` returns the observation, and if the rules are shown, `rules`
//! returns them. No tool restarts the episode, because an agent could restart it until it likes the result. There is only one episode,
//! which the URL or the command defines. Without a handle, `look` shows its start and returns its handle.
//!
//! The server supports the versions up to 2025-11-25, which start with `initialize`, and the stateless version 2026-07-28. It stores
//! nothing in any version.

mod failure;
mod http;
mod stdio;
mod tools;

use serde_json::{Map, Value as Json, json};

use crate::episode::Start;
use crate::served::Served;
use failure::{Failure, INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND, UNSUPPORTED_VERSION};

pub(crate) use http::router;
pub use stdio::run as run_stdio;
pub(crate) use tools::Tools;

/// The protocol versions in which each message is independent of the others.
const STATELESS: [&str; 1] = ["2026-07-28"];
/// The protocol versions that start with `initialize`, from the oldest to the newest.
const WITH_HANDSHAKE: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

/// Answers a message; returns `None` for a notification, which gets no response.
pub(crate) async fn answer(message: &Json, served: &Served, start: Start) -> Option<Json> {
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
    Some(match result(method, parameters, served, start).await {
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
async fn result(method: &str, parameters: &Map<String, Json>, served: &Served, start: Start) -> Result<Json, Failure> {
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
        "tools/list" => Ok(json!({
            "resultType": "complete", "ttlMs": 0, "cacheScope": "private", "tools": Tools::new(&served.game, start.rules).list(),
        })),
        "tools/call" => {
            let name = parameters.get("name").and_then(Json::as_str);
            let name = name.ok_or_else(|| Failure::new(INVALID_PARAMS, "`name` of the tool is missing"))?;
            let none = Map::new();
            let arguments = match parameters.get("arguments") {
                None | Some(Json::Null) => &none,
                Some(Json::Object(arguments)) => arguments,
                Some(_) => return Err(Failure::new(INVALID_PARAMS, "`arguments` must be an object")),
            };
            Tools::new(&served.game, start.rules).call(name, arguments, start).await
        }
        other => Err(Failure::new(
            METHOD_NOT_FOUND,
            format!("unknown method `{}`", other.chars().take(100).collect::<String>()),
        )),
    }
}

fn supported() -> Vec<&'static str> {
    WITH_HANDSHAKE.into_iter().chain(STATELESS).collect()
}

fn server_info() -> Json {
    json!({ "name": "farm", "version": env!("CARGO_PKG_VERSION") })
}

/// Instructions for an agent, in addition to the texts that `look` returns.
const INSTRUCTIONS: &str = "A game. Call `look` first. It returns the instructions, the first observation and a `handle`, which identifies the state of the game. Every \
    other tool takes the newest handle and returns the next one. Pass a handle unchanged.";
