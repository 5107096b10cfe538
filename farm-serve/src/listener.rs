//! Accepts connections while capacity remains. Each connection has timeouts and small buffers.

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

/// The maximum size of a request's head, in bytes.
const MAX_HEAD_BYTES: usize = 16 * 1024;

/// The time that the listener waits when the system has no more sockets.
const BREATH: Duration = Duration::from_millis(50);

/// An accepted connection with its permit.
pub(crate) type Accepted = (std::net::TcpStream, SocketAddr, OwnedSemaphorePermit);

/// Accepts connections while capacity remains, and distributes them among the serving threads in turn.
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
        // A connection without room is closed: the client sees this at once, not after a timeout.
        let Ok(permit) = room.clone().try_acquire_owned() else { continue };
        // It belongs to its serving thread, and is closed if that thread has ended.
        if let Ok(stream) = stream.into_std() {
            let _ = worker.send((stream, address, permit));
        }
    }
}

/// Serves a thread's connections until no more arrive. Then waits until all connections have ended, but no longer than the stop limit.
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

/// Serves one connection. The connection keeps its permit even if it becomes a WebSocket.
async fn serve(
    stream: TcpStream,
    address: SocketAddr,
    router: Router,
    limits: Limits,
    mut stopping: watch::Receiver<bool>,
    permit: OwnedSemaphorePermit,
) {
    // Sends small responses without delay; a socket that does not support this is only slower.
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

/// Waits until the server must stop.
pub(crate) async fn stopped(stopping: &mut watch::Receiver<bool>) {
    // A dropped server has also stopped.
    let _ = stopping.wait_for(|stop| *stop).await;
}

/// A connection's permit. A WebSocket keeps it until it closes.
#[derive(Debug, Clone)]
pub(crate) struct ConnectionPermit(#[expect(dead_code, reason = "it counts by being there")] Arc<OwnedSemaphorePermit>);
