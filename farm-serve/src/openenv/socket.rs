//! `/ws`: a session for each WebSocket.

use std::time::Instant;

use axum::Extension;
use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::http::StatusCode;
use axum::response::Response;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::timeout;

use super::session::Session;
use super::shared::Shared;
use crate::listener::{ConnectionPermit, stopped};
use crate::served::{Served, refusal};

/// The size of the read buffer, in bytes. It is small because each session has its own buffer.
const BUFFER_BYTES: usize = 1024;

/// Opens a session if there is capacity for one.
pub(super) async fn open(
    State(shared): State<Shared>,
    served: Served,
    Extension(connection): Extension<ConnectionPermit>,
    upgrade: WebSocketUpgrade,
) -> Response {
    let Ok(room) = shared.sessions.clone().try_acquire_owned() else {
        shared.metrics.count_refused_session();
        return refusal(
            StatusCode::SERVICE_UNAVAILABLE,
            "the server has no room for another session; `--max-sessions` of `farm serve` sets the maximum",
        );
    };
    let limits = shared.limits;
    upgrade
        .read_buffer_size(BUFFER_BYTES)
        .write_buffer_size(0)
        .max_write_buffer_size(limits.max_body_bytes.max(1 << 20) * 4)
        .max_message_size(limits.max_body_bytes)
        .max_frame_size(limits.max_body_bytes)
        .on_upgrade(move |socket| play(socket, served, shared, room, connection))
}

/// Answers messages until the client closes the connection, the client is idle for too long, or the server stops.
async fn play(
    mut socket: WebSocket,
    served: Served,
    shared: Shared,
    _room: OwnedSemaphorePermit,
    _connection: ConnectionPermit,
) {
    let mut session = Session::new(served);
    let limits = shared.limits;
    let mut stopping = shared.stopping.clone();
    let _open = shared.metrics.session();
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
        let answer = session.answer(&text, &shared).await;
        shared.metrics.count_message(begun.elapsed());
        if answer.is_last {
            break Some((close_code::NORMAL, ""));
        }
        // A client that does not read its messages must not take memory.
        match timeout(limits.request, socket.send(Message::Text(answer.text.into()))).await {
            Ok(Ok(())) => {}
            Ok(Err(_)) | Err(_) => break None,
        }
    };
    // The error is logged; the client is gone.
    let _ = session.end_record();
    if let Some((code, reason)) = end {
        let close = Message::Close(Some(CloseFrame { code, reason: reason.into() }));
        let _ = timeout(limits.stop, socket.send(close)).await;
    }
}
