//! A server: its address, its routes, and its shutdown.

use std::future::Future;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;

use axum::extract::DefaultBodyLimit;
use axum::http::{StatusCode, Uri};
use axum::{Router, middleware};
use tokio::sync::{Semaphore, mpsc, watch};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::limit::RequestBodyLimitLayer;
use tower_http::timeout::{RequestBodyDeadlineLayer, TimeoutLayer};

use crate::class::{ClassAddress, ClassSettings, Room, Tables};
use crate::errors::ServeError;
use crate::exam::{self, Exam};
use crate::games::Games;
use crate::guard::{Guard, MIN_TOKEN_LENGTH};
use crate::lesson::{Lesson, Lessons};
use crate::limits::Limits;
use crate::metrics::Metrics;
use crate::playground::Playground;
use crate::record::Recorder;
use crate::sessions::Sessions;
use crate::shared::{Shared, State};
use crate::tally::Tally;
use crate::{class, guard, health, keys, lesson, listener, mcp, metrics, openenv, playground};

/// A server's settings.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The address to listen on. An address that other machines can reach is valid only with a token.
    pub host: IpAddr,
    /// The port; 0 selects a free port.
    pub port: u16,
    /// Host names that clients may use, in addition to the local names and the address.
    pub allowed_hosts: Vec<String>,
    /// The token that clients must send, if any.
    pub token: Option<String>,
    /// The folder for recorded episodes, if any.
    pub record: Option<PathBuf>,
    /// Limits for clients.
    pub limits: Limits,
    /// Whether to serve the page for browsers. Its requests answer with hidden rules and with plans, so agents must not reach it.
    pub playground: bool,
    /// Lessons of the user, in addition to those of the project. A lesson is served if all its games are.
    pub lessons: Vec<Lesson>,
}

impl Default for Settings {
    fn default() -> Self {
        let host = IpAddr::V4(Ipv4Addr::LOCALHOST);
        Self {
            host,
            port: 0,
            allowed_hosts: Vec::new(),
            token: None,
            record: None,
            limits: Limits::default(),
            playground: true,
            lessons: Vec::new(),
        }
    }
}

/// A server that is listening, but answers only after [`Server::run`] is called.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    limits: Limits,
    guard: Arc<Guard>,
    metrics: Arc<Metrics>,
    recorder: Option<Recorder>,
    /// The number of games.
    games: usize,
    routes: Router,
    /// The sessions that requests can name, if there are any.
    sessions: Option<Arc<Sessions>>,
    /// The class, if the server is for one.
    class: Option<Arc<Room>>,
    stop: watch::Sender<bool>,
}

impl Server {
    /// Starts listening for clients that play games.
    ///
    /// # Errors
    /// The address is in use or not local, it is reachable from other machines although there is no token, or the token is too short.
    pub fn bind(games: Games, settings: Settings) -> Result<Self, ServeError> {
        let games = Arc::new(games);
        let (has_playground, lessons) = (settings.playground, settings.lessons.clone());
        let server = Self::listen(games.names().count(), settings)?;
        let sessions = Arc::new(Sessions::new(server.limits.max_sessions, server.limits.idle));
        let shared = Shared::new(State {
            games: games.clone(),
            limits: server.limits,
            sessions: sessions.clone(),
            tally: Arc::new(Tally { metrics: server.metrics.clone(), recorder: server.recorder.clone() }),
            stopping: server.stop.subscribe(),
        });
        let mut routes = metrics::router(server.metrics.clone())
            .merge(mcp::router(shared.clone()))
            .merge(openenv::router(shared, server.health()));
        if has_playground {
            let lessons = Lessons::of(&lessons, &games);
            let shared = Playground::new(games);
            routes = routes.merge(playground::router(shared.clone())).merge(lesson::router(lessons, shared));
        }
        Ok(Self { routes, sessions: Some(sessions), ..server })
    }

    /// Starts listening for an exam's page only. Returns the page's URL with a random token; requests without the token are rejected.
    ///
    /// # Errors
    /// As for [`Server::bind`], or the system provides no random numbers.
    pub fn bind_exam(exam: &Exam, settings: Settings) -> Result<(Self, String), ServeError> {
        let token = keys::drawn().map_err(std::io::Error::other)?;
        let server = Self::listen(0, Settings { token: Some(token.clone()), ..settings })?;
        let routes = exam::router(exam, server.limits.request);
        let page = format!("http://{}/#token={token}", server.address());
        Ok((Self { routes, ..server }, page))
    }

    /// Starts listening for a class: its pupils and its teacher. Returns their addresses. A new class starts with the first game that has plots.
    ///
    /// # Errors
    /// As for [`Server::bind`], or the class can't be opened: its file can't be read or written, its name is not valid, or
    /// no game has plots.
    pub fn bind_class(
        games: Games,
        class: &ClassSettings,
        settings: Settings,
    ) -> Result<(Self, ClassAddress), ServeError> {
        let games = Arc::new(games);
        let sessions = Arc::new(Sessions::new(settings.limits.max_sessions, settings.limits.idle));
        let (metrics, recorder) = (Arc::<Metrics>::default(), settings.record.clone().map(Recorder::new).transpose()?);
        let tally = Arc::new(Tally { metrics: metrics.clone(), recorder: recorder.clone() });
        let tables = Tables { playground: Playground::new(games.clone()), sessions: sessions.clone(), tally };
        let room = Arc::new(Room::open(class, tables)?);
        let name = settings.allowed_hosts.first().cloned();
        let settings = Settings { token: Some(room.secret()), record: None, ..settings };
        let server = Self::listen_for(games.names().count(), settings, class::is_public, metrics)?;
        let address = server.address();
        let host = name.map_or_else(|| address.to_string(), |name| format!("{name}:{}", address.port()));
        let shown = room.listens_on(&host);
        let routes = class::router(room.clone());
        Ok((Self { routes, recorder, sessions: Some(sessions), class: Some(room), ..server }, shown))
    }

    /// Starts listening, without routes.
    fn listen(games: usize, settings: Settings) -> Result<Self, ServeError> {
        Self::listen_for(games, settings, is_public, Arc::default())
    }

    /// As [`Self::listen`]; `is_public` lists the URLs that need no token.
    fn listen_for(
        games: usize,
        settings: Settings,
        is_public: fn(&Uri) -> bool,
        metrics: Arc<Metrics>,
    ) -> Result<Self, ServeError> {
        let Settings { host, port, mut allowed_hosts, token, record, limits, playground: _, lessons: _ } = settings;
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
        let guard = Guard::new(allowed_hosts, (token, is_public), limits.max_requests_per_second, metrics.clone());
        let recorder = record.map(Recorder::new).transpose()?;
        let (guard, routes, stop) = (Arc::new(guard), Router::new(), watch::Sender::new(false));
        Ok(Self {
            listener,
            address,
            limits,
            guard,
            metrics,
            recorder,
            games,
            routes,
            sessions: None,
            class: None,
            stop,
        })
    }

    /// The route `/health`.
    fn health(&self) -> Router {
        health::router(self.games, self.recorder.clone())
    }

    /// The address that the server listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves on `threads` threads until `until` completes. Then it accepts no more connections, sessions end after the message in
    /// progress, and all records are written.
    ///
    /// Each thread serves its own connections in turn. A scheduler that moves tasks between threads has only a short queue per thread, and
    /// serves tasks beyond this queue late. With thousands of busy sessions, some would wait for seconds.
    ///
    /// # Errors
    /// The system provides no threads.
    pub fn run(self, threads: usize, until: impl Future<Output = ()>) -> Result<(), ServeError> {
        let router = self.guarded();
        let Self { listener, limits, games, stop, sessions, class, .. } = self;
        let room = Arc::new(Semaphore::new(limits.max_connections));
        let kept = class.clone();
        let served = std::thread::scope(|scope| {
            let mut workers = Vec::new();
            for _ in 0..threads.max(1) {
                let (worker, accepted) = mpsc::unbounded_channel();
                let runtime = runtime()?;
                let serving = listener::serve_all(accepted, router.clone(), limits, stop.subscribe(), room.clone());
                std::thread::Builder::new()
                    .name("serve".to_owned())
                    .spawn_scoped(scope, move || runtime.block_on(serving))?;
                workers.push(worker);
            }
            runtime()?.block_on(async {
                let listener = tokio::net::TcpListener::from_std(listener)?;
                tracing::info!(address = %listener.local_addr()?, games, "the server listens");
                tokio::select! {
                    () = until => {}
                    () = listener::accept(listener, workers, room) => {}
                    () = sweep(sessions) => {}
                    () = save(class) => {}
                }
                tracing::info!("the server stops");
                // The receivers are on the serving threads.
                let _ = stop.send(true);
                Ok(())
            })
        });
        if let Some(Err(reason)) = kept.map(|class| class.save()) {
            return Err(ServeError::Io(std::io::Error::other(format!("the class can't be saved: {reason}"))));
        }
        served
    }

    /// Adds `/health` to the routes, and the checks that every request must pass.
    fn guarded(&self) -> Router {
        let limits = self.limits;
        let routes = self.routes.clone().merge(self.health());
        routes
            .layer(CatchPanicLayer::new())
            .layer(TimeoutLayer::with_status_code(StatusCode::REQUEST_TIMEOUT, limits.request * 3))
            .layer(DefaultBodyLimit::disable())
            // Inside the deadline layer, so that handlers can distinguish an overlong body from a broken one.
            .layer(RequestBodyLimitLayer::new(limits.max_body_bytes))
            .layer(middleware::from_fn_with_state(limits.max_body_bytes, guard::refuse_long))
            .layer(RequestBodyDeadlineLayer::new(limits.request))
            .layer(middleware::from_fn_with_state(self.guard.clone(), guard::check))
    }
}

/// Ends idle sessions for as long as the server runs.
async fn sweep(sessions: Option<Arc<Sessions>>) {
    match sessions {
        Some(sessions) => sessions.sweep_on().await,
        None => std::future::pending().await,
    }
}

/// Saves the class for as long as the server runs.
async fn save(class: Option<Arc<Room>>) {
    match class {
        Some(class) => class.save_on().await,
        None => std::future::pending().await,
    }
}

/// A single-threaded runtime that runs tasks in turn.
fn runtime() -> std::io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()
}

/// Whether a URL needs no token: the server's health, the files of the pages, which a browser loads without a token, and an agent's session,
/// whose key can't be guessed.
fn is_public(uri: &Uri) -> bool {
    let path = uri.path();
    mcp::is_of_agent(uri) || path == "/health" || playground::is_public(path) || exam::is_public(path)
}

/// Waits for a signal that stops a server: INT (Ctrl-C); on Unix also TERM and, unless `ignores_hangup`, HUP.
pub async fn signal(ignores_hangup: bool) {
    let interrupt = async {
        if tokio::signal::ctrl_c().await.is_err() {
            // A system without signals ends the program in its own way.
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
