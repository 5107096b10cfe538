//! How much clients may take.

use std::time::Duration;

/// How much clients may take of a server. All of it is bounded, so that no client can take the server from the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The longest body of a request, and the longest message of a WebSocket, in bytes.
    pub max_body_bytes: usize,
    /// The most sessions at once.
    pub max_sessions: usize,
    /// The most connections at once, those included that have not said anything yet.
    pub max_connections: usize,
    /// The most requests that one address may begin in a second; a message of a session is not a request.
    pub max_requests_per_second: u32,
    /// After how long without a message a session ends.
    pub idle: Duration,
    /// How long the head of a request may take to arrive, its body, and the answer to it.
    pub request: Duration,
    /// How long sessions have to end once the server is asked to.
    pub stop: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_body_bytes: 256 * 1024,
            max_sessions: 16_384,
            max_connections: 20_000,
            max_requests_per_second: 20_000,
            idle: Duration::from_secs(30 * 60),
            request: Duration::from_secs(10),
            stop: Duration::from_secs(5),
        }
    }
}
