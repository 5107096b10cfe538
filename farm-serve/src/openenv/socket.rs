//! `/ws`: a session for each WebSocket.

use std::sync::{Arc, Mutex};
use std::time::Instant;

use axum::Extension;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::timeout;

use super::messages;
use crate::episode::Untaken;
use crate::fields::Invalid;
use crate::game::Served;
use crate::listener::{ConnectionPermit, stopped};
use crate::served::refusal;
use crate::session::{Held, Session, lock};
use crate::shared::Shared;

/// The size of the read buffer, in bytes. It is small because each session has its own buffer.
const BUFFER_BYTES: usize = 1024;

/// The query: the session to join, instead of a new one.
#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Join {
    session_id: Option<String>,
}

/// A connection's session.
struct Seated {
    held: Held,
    /// The place of the connection's own session; none if the connection joined one.
    own: Option<OwnedSemaphorePermit>,
}

/// Opens a session if there is capacity for one, or joins one.
pub(super) async fn open(
    State(shared): State<Shared>,
    served: Served,
    query: Query<Join>,
    Extension(connection): Extension<ConnectionPermit>,
    upgrade: WebSocketUpgrade,
) -> Response {
    let seated = match query.0.session_id {
        Some(key) => match shared.sessions.of_trainer(&key) {
            Ok(held) => Seated { held, own: None },
            Err(Invalid(problem)) => return refusal(StatusCode::NOT_FOUND, &problem),
        },
        None => match shared.sessions.place() {
            Some(place) => {
                let held = Arc::new(Mutex::new(Session::new(served, shared.tally.clone())));
                Seated { held, own: Some(place) }
            }
            None => {
                shared.tally.metrics.count_refused_session();
                return refusal(StatusCode::SERVICE_UNAVAILABLE, &Untaken::Full.to_string());
            }
        },
    };
    let limits = shared.limits;
    upgrade
        .read_buffer_size(BUFFER_BYTES)
        .write_buffer_size(0)
        .max_write_buffer_size(limits.max_body_bytes.max(1 << 20) * 4)
        .max_message_size(limits.max_body_bytes)
        .max_frame_size(limits.max_body_bytes)
        .on_upgrade(move |socket| play(socket, seated, shared, connection))
}

/// Answers messages until the client closes the connection, the client is idle for too long, or the server stops.
async fn play(mut socket: WebSocket, seated: Seated, shared: Shared, _connection: ConnectionPermit) {
    let limits = shared.limits;
    let mut stopping = shared.stopping.clone();
    let Seated { held, own } = seated;
    let _open = own.is_some().then(|| shared.tally.metrics.session());
    let end = loop {
        let received = tokio::select! {
            // Messages come first, so that messages from before the end are answered.
            biased;
            received = timeout(limits.idle, socket.recv()) => received,
            () = stopped(&mut stopping) => break Some((close_code::AWAY, "the server stops")),
        };
        let message = match received {
            Err(_) => break Some((close_code::AWAY, "no message within the time limit")),
            Ok(None) => break None,
            // The library has already closed the connection because of an invalid frame or an overlong message.
            Ok(Some(Err(error))) => {
                tracing::debug!(%error, "a session broke");
                break None;
            }
            Ok(Some(Ok(message))) => message,
        };
        let text = match message {
            Message::Text(text) => text,
            Message::Ping(_) | Message::Pong(_) => continue,
            Message::Close(_) => break None,
            Message::Binary(_) => break Some((close_code::UNSUPPORTED, "messages must be JSON text")),
        };
        let begun = Instant::now();
        let answer = messages::answer(&text, &held, &shared);
        shared.tally.metrics.count_message(begun.elapsed());
        if answer.is_last {
            break Some((close_code::NORMAL, ""));
        }
        // A client that does not read its messages must not take memory.
        match timeout(limits.request, socket.send(Message::Text(answer.text.into()))).await {
            Ok(Ok(())) => {}
            Ok(Err(_)) | Err(_) => break None,
        }
    };
    if own.is_some() {
        let mut session = lock(&held);
        // The error is logged; the client is gone.
        let _ = session.end_record();
        let keys = session.keys.take();
        drop(session);
        keys.map(|keys| shared.sessions.close(&keys.trainer));
    }
    if let Some((code, reason)) = end {
        let close = Message::Close(Some(CloseFrame { code, reason: reason.into() }));
        let _ = timeout(limits.stop, socket.send(close)).await;
    }
}
