//! A server: its address, its routes, and its end.

use std::future::Future;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;

use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::{Router, middleware};
use tokio::sync::{Semaphore, mpsc, watch};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::limit::RequestBodyLimitLayer;
use tower_http::timeout::{RequestBodyDeadlineLayer, TimeoutLayer};

use crate::errors::ServeError;
use crate::exam::{self, Exam};
use crate::games::Games;
use crate::guard::{Guard, MIN_TOKEN_LENGTH};
use crate::limits::Limits;
use crate::metrics::{self, Metrics};
use crate::playground::Playground;
use crate::record::Recorder;
use crate::shared::{self, Shared};
use crate::{guard, health, listener, mcp, openenv, playground};

/// What is served, where, and to whom.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The address to listen on; one that other machines reach needs a token.
    pub host: IpAddr,
    /// The port; 0 takes one that is free.
    pub port: u16,
    /// The names by which clients call the server, besides those of this machine and the address.
    pub allowed_hosts: Vec<String>,
    /// What clients must send.
    pub token: Option<String>,
    /// The folder in which what is played is recorded.
    pub record: Option<PathBuf>,
    /// How much clients may take.
    pub limits: Limits,
}

impl Default for Settings {
    fn default() -> Self {
        let host = IpAddr::V4(Ipv4Addr::LOCALHOST);
        Self { host, port: 0, allowed_hosts: Vec::new(), token: None, record: None, limits: Limits::default() }
    }
}

/// A server that listens, and does not answer before [`Server::run`].
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    shared: Shared,
    routes: Router<Shared>,
    stop: watch::Sender<bool>,
}

impl Server {
    /// Begins to listen, to serve games.
    ///
    /// # Errors
    /// An address that is taken or not of this machine; one that others reach, without a token; a token that is too short.
    pub fn bind(games: Games, settings: Settings) -> Result<Self, ServeError> {
        let routes = metrics::router().merge(mcp::router()).merge(openenv::router()).merge(playground::router());
        Self::listen(games, routes, settings)
    }

    /// Begins to listen, to serve the page of an exam and nothing else. Returns the address of the page, with a token that is drawn for it and
    /// without which nothing is answered.
    ///
    /// # Errors
    /// As for [`Server::bind`]; a system that gives no random numbers.
    pub fn bind_exam(exam: &Exam, settings: Settings) -> Result<(Self, String), ServeError> {
        let token = playground::drawn().map_err(std::io::Error::other)?;
        let settings = Settings { token: Some(token.clone()), ..settings };
        let server = Self::listen(Games::default(), exam::router(exam.clone()), settings)?;
        let page = format!("http://{}/#token={token}", server.address());
        Ok((server, page))
    }

    fn listen(games: Games, routes: Router<Shared>, settings: Settings) -> Result<Self, ServeError> {
        let Settings { host, port, mut allowed_hosts, token, record, limits } = settings;
        let address = SocketAddr::new(host, port);
        match &token {
            None if !host.is_loopback() => return Err(ServeError::TokenMissing(address)),
            Some(token) if token.chars().count() < MIN_TOKEN_LENGTH => {
                return Err(ServeError::TokenTooShort(token.chars().count()));
            }
            _ => {}
        }
        if !host.is_unspecified() {
            allowed_hosts.push(if host.is_ipv6() { format!("[{host}]") } else { host.to_string() });
        }
        let listener = TcpListener::bind(address).map_err(|error| ServeError::Bind { address, error })?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let (stop, stopping) = watch::channel(false);
        let guard = Guard::new(allowed_hosts, token, limits.max_requests_per_second);
        let recorder = record.map(Recorder::new).transpose()?;
        let sessions = Arc::new(Semaphore::new(limits.max_sessions));
        let metrics = Metrics::default();
        let shared = Shared::new(shared::Server {
            games,
            limits,
            guard,
            sessions,
            metrics,
            playground: Playground::default(),
            recorder,
            stopping,
        });
        Ok(Self { listener, address, shared, routes, stop })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers on so many threads until `until` is there, then ends: no more is accepted, sessions end after the message in flight, and what
    /// they recorded is written.
    ///
    /// Each thread has connections of its own, which it serves in turn. A scheduler that moves tasks between threads keeps a short queue for each
    /// thread and serves what does not fit there late: of thousands of sessions that all play, some then wait for seconds.
    ///
    /// # Errors
    /// When the system gives no threads.
    pub fn run(self, threads: usize, until: impl Future<Output = ()>) -> Result<(), ServeError> {
        let Self { listener, shared, routes, stop, .. } = self;
        let (limits, stopping) = (shared.limits, shared.stopping.clone());
        let router = guarded(routes, shared.clone());
        let room = Arc::new(Semaphore::new(limits.max_connections));
        std::thread::scope(|scope| {
            let mut workers = Vec::new();
            for _ in 0..threads.max(1) {
                let (worker, accepted) = mpsc::unbounded_channel();
                let runtime = runtime()?;
                let serving = listener::serve_all(accepted, router.clone(), limits, stopping.clone(), room.clone());
                std::thread::Builder::new()
                    .name("serve".to_owned())
                    .spawn_scoped(scope, move || runtime.block_on(serving))?;
                workers.push(worker);
            }
            runtime()?.block_on(async {
                let listener = tokio::net::TcpListener::from_std(listener)?;
                tracing::info!(address = %listener.local_addr()?, games = shared.games.names().count(), "the server listens");
                tokio::select! {
                    () = until => {}
                    () = listener::accept(listener, workers, room) => {}
                }
                tracing::info!("the server stops");
                // Whoever listens for it is on the threads that serve.
                let _ = stop.send(true);
                Ok(())
            })
        })
    }
}

/// What runs on one thread, each task in its turn.
fn runtime() -> std::io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()
}

/// Routes, and whether the server is there, behind what every request passes.
fn guarded(routes: Router<Shared>, shared: Shared) -> Router {
    let limits = shared.limits;
    routes
        .merge(health::router())
        .layer(CatchPanicLayer::new())
        .layer(TimeoutLayer::with_status_code(StatusCode::REQUEST_TIMEOUT, limits.request * 3))
        .layer(DefaultBodyLimit::disable())
        // Within the deadline's wrapping, so that handlers tell a body that is too long from one that broke.
        .layer(RequestBodyLimitLayer::new(limits.max_body_bytes))
        .layer(middleware::from_fn_with_state(shared.clone(), guard::refuse_long))
        .layer(RequestBodyDeadlineLayer::new(limits.request))
        .layer(middleware::from_fn_with_state(shared.clone(), guard::check))
        .with_state(shared)
}

/// Waits for the signal that ends a server: INT (Ctrl-C); where there are these, TERM and, unless `ignores_hangup`, HUP.
pub async fn signal(ignores_hangup: bool) {
    let interrupt = async {
        if tokio::signal::ctrl_c().await.is_err() {
            // A system without signals ends the program by itself.
            std::future::pending::<()>().await;
        }
    };
    #[cfg(unix)]
    let others = async {
        use tokio::signal::unix::SignalKind;
        let hangup = async {
            if ignores_hangup {
                std::future::pending::<()>().await;
            }
            one(SignalKind::hangup()).await;
        };
        tokio::select! {
            () = one(SignalKind::terminate()) => {}
            () = hangup => {}
        }
    };
    #[cfg(not(unix))]
    let others = async {
        let _ = ignores_hangup;
        std::future::pending::<()>().await;
    };
    tokio::select! {
        () = interrupt => {}
        () = others => {}
    }
}

/// Waits for a signal of one kind.
#[cfg(unix)]
async fn one(kind: tokio::signal::unix::SignalKind) {
    match tokio::signal::unix::signal(kind) {
        Ok(mut signals) => {
            signals.recv().await;
        }
        Err(_) => std::future::pending().await,
    }
}
