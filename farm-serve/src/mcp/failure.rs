//! Errors in messages, with the codes of JSON-RPC and of the protocol.

use serde_json::Value as Json;

use crate::episode::Untaken;

pub(super) const PARSE_ERROR: i64 = -32700;
pub(super) const INVALID_REQUEST: i64 = -32600;
pub(super) const METHOD_NOT_FOUND: i64 = -32601;
pub(super) const INVALID_PARAMS: i64 = -32602;
pub(super) const SERVER_ERROR: i64 = -32000;
pub(super) const UNSUPPORTED_VERSION: i64 = -32022;

/// An error response: its code, its message, and data for programs.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(super) code: i64,
    pub(super) message: String,
    pub(super) data: Option<Json>,
}

impl Failure {
    pub(super) fn new(code: i64, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), data: None }
    }

    pub(super) fn unknown(method: &str) -> Self {
        Self::new(METHOD_NOT_FOUND, format!("unknown method `{}`", method.chars().take(100).collect::<String>()))
    }
}

impl From<Untaken> for Failure {
    fn from(untaken: Untaken) -> Self {
        let code = match untaken {
            Untaken::Invalid(_) => INVALID_PARAMS,
            _ => SERVER_ERROR,
        };
        Self::new(code, untaken.to_string())
    }
}
