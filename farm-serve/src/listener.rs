//! Connections: accepted while there is room, each with time-outs and small buffers.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tower::ServiceExt;

use crate::limits::Limits;
use crate::shared::stopped;

/// The largest head of a request, in bytes.
const MAX_HEAD_BYTES: usize = 16 * 1024;

/// How long the listener waits when the system has no more sockets to give.
const BREATH: Duration = Duration::from_millis(50);

/// A connection that was accepted, with its place.
pub(crate) type Accepted = (std::net::TcpStream, SocketAddr, OwnedSemaphorePermit);

/// Accepts connections while there is room, and hands them to the threads that serve, one after the other.
pub(crate) async fn accept(listener: TcpListener, workers: Vec<UnboundedSender<Accepted>>, room: Arc<Semaphore>) {
    for worker in workers.iter().cycle() {
        let (stream, address) = loop {
            match listener.accept().await {
                Ok(accepted) => break accepted,
                Err(error) => {
                    tracing::warn!(%error, "a connection can't be accepted");
                    tokio::time::sleep(BREATH).await;
                }
            }
        };
        // A connection for which there is no room is closed: a client sees that at once, and not after a time-out.
        let Ok(permit) = room.clone().try_acquire_owned() else { continue };
        // It belongs to the thread that serves it, and is closed where that has ended.
        if let Ok(stream) = stream.into_std() {
            let _ = worker.send((stream, address, permit));
        }
    }
}

/// Serves the connections that a thread is given until it gets no more, then waits for the last of all to end, for as long as the limits say.
pub(crate) async fn serve_all(
    mut accepted: UnboundedReceiver<Accepted>,
    router: Router,
    limits: Limits,
    stopping: watch::Receiver<bool>,
    room: Arc<Semaphore>,
) {
    while let Some((stream, address, permit)) = accepted.recv().await {
        match TcpStream::from_std(stream) {
            Ok(stream) => {
                tokio::spawn(serve(stream, address, router.clone(), limits, stopping.clone(), permit));
            }
            Err(error) => tracing::warn!(%error, "a connection can't be served"),
        }
    }
    let all = u32::try_from(limits.max_connections).unwrap_or(u32::MAX);
    let _ = tokio::time::timeout(limits.stop, room.acquire_many(all)).await;
}

/// Serves one connection, whose permit stays with it also where it becomes a WebSocket.
async fn serve(
    stream: TcpStream,
    address: SocketAddr,
    router: Router,
    limits: Limits,
    mut stopping: watch::Receiver<bool>,
    permit: OwnedSemaphorePermit,
) {
    // Small answers are not held back for larger ones; a socket that can't do it is only slower.
    let _ = stream.set_nodelay(true);
    let permit = Arc::new(permit);
    let service = service_fn(move |request: Request<Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(address));
        request.extensions_mut().insert(ConnectionPermit(permit.clone()));
        let answer = router.clone().oneshot(request);
        async move { Ok::<_, Infallible>(answer.await.unwrap_or_else(|never| match never {})) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.request)
        .max_buf_size(MAX_HEAD_BYTES)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    let mut connection = std::pin::pin!(connection);
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = stopped(&mut stopping) => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%address, %error, "a connection broke");
    }
}

/// The place of a connection among those that a server has room for. A WebSocket keeps it until it ends.
#[derive(Debug, Clone)]
pub(crate) struct ConnectionPermit(#[expect(dead_code, reason = "it counts by being there")] Arc<OwnedSemaphorePermit>);
