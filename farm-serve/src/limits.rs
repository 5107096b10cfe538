//! Limits for clients.

use std::time::Duration;

/// Limits for a server's clients. Every resource is limited, so that no client can block the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The maximum length of a request body or WebSocket message, in bytes.
    pub max_body_bytes: usize,
    /// The maximum number of concurrent sessions.
    pub max_sessions: usize,
    /// The maximum number of concurrent connections, including those that have not yet sent a request.
    pub max_connections: usize,
    /// The maximum number of requests per second from one address. Messages in a session do not count as requests.
    pub max_requests_per_second: u32,
    /// A session ends after this time without messages.
    pub idle: Duration,
    /// The maximum time for receiving a request's head, for receiving its body, and for responding.
    pub request: Duration,
    /// The maximum time for sessions to end after the server is asked to stop.
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
