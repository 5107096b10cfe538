//! The Model Context Protocol, without sessions: an agent passes an episode along as a handle.
//!
//! There is a tool for each kind of action, with its arguments, one that looks, and one that tells the rules where they are shown. None begins
//! anew: an agent that could reset would play until it likes what comes. `look` without a handle shows the beginning of the one episode that
//! the address or the command names, and gives its handle.
//!
//! Messages are answered in the forms of 2025-11-25 and before, which begin with `initialize`, and of 2026-07-28, where each message stands for
//! itself. The server remembers nothing of either.

mod http;
mod stdio;
mod tools;

use serde_json::{Map, Value as Json, json};

use crate::episode::Start;
use crate::openenv::Served;

pub(crate) use http::router;
pub use stdio::run as run_stdio;
pub(crate) use tools::Tools;

/// The versions of the protocol in which each message stands for itself.
const STATELESS: [&str; 1] = ["2026-07-28"];
/// Those that begin with `initialize`, the newest last.
const WITH_HANDSHAKE: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

const PARSE_ERROR: i64 = -32700;
const INVALID_REQUEST: i64 = -32600;
const METHOD_NOT_FOUND: i64 = -32601;
const INVALID_PARAMS: i64 = -32602;
const UNSUPPORTED_VERSION: i64 = -32022;

/// Why a message is answered by an error: its code, what is said, and what a program may read of it.
#[derive(Debug)]
struct Failure {
    code: i64,
    message: String,
    data: Option<Json>,
}

impl Failure {
    fn new(code: i64, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), data: None }
    }
}

/// Answers a message; none where it is a notification, which nobody answers.
pub(crate) async fn answer(message: &Json, served: &Served, start: Start) -> Option<Json> {
    let Some(object) = message.as_object() else {
        let failure = Failure::new(INVALID_REQUEST, "a message is one JSON object; lists of messages are not read");
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
        Some(_) => return Some(error(Json::Null, Failure::new(INVALID_REQUEST, "`id` is a text or a whole number"))),
    };
    let none = Map::new();
    let parameters = match object.get("params") {
        None | Some(Json::Null) => &none,
        Some(Json::Object(parameters)) => parameters,
        Some(_) => return Some(error(id, Failure::new(INVALID_PARAMS, "`params` is an object"))),
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

/// What a method returns.
async fn result(method: &str, parameters: &Map<String, Json>, served: &Served, start: Start) -> Result<Json, Failure> {
    const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";
    let version = parameters.get("_meta").and_then(|meta| meta.get(VERSION_KEY)).and_then(Json::as_str);
    if let Some(version) = version.filter(|version| !STATELESS.contains(version)) {
        let data = json!({ "supported": supported(), "requested": version });
        let message = format!("version `{version}` of the protocol is not spoken here");
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
                Some(_) => return Err(Failure::new(INVALID_PARAMS, "`arguments` is an object")),
            };
            Tools::new(&served.game, start.rules).call(name, arguments, start).await
        }
        other => Err(Failure::new(
            METHOD_NOT_FOUND,
            format!("there is no method `{}` here", other.chars().take(100).collect::<String>()),
        )),
    }
}

fn supported() -> Vec<&'static str> {
    WITH_HANDSHAKE.into_iter().chain(STATELESS).collect()
}

fn server_info() -> Json {
    json!({ "name": "farm", "version": env!("CARGO_PKG_VERSION") })
}

/// What an agent is told before it plays, besides what `look` shows.
const INSTRUCTIONS: &str = "A game. Call `look` first. It returns the instructions, the first observation and a `handle`, which identifies the state of the game. Every \
    other tool takes the newest handle and returns the next one. Pass a handle unchanged.";
