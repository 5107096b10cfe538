//! State shared by all requests.

use std::ops::Deref;
use std::sync::Arc;

use tokio::sync::{Semaphore, watch};

use crate::games::Games;
use crate::guard::Guard;
use crate::limits::Limits;
use crate::metrics::Metrics;
use crate::playground::Playground;
use crate::record::Recorder;

/// The state shared by all routers.
#[derive(Debug, Clone)]
pub(crate) struct Shared(Arc<Server>);

/// The server state that requests use.
#[derive(Debug)]
pub(crate) struct Server {
    /// The games.
    pub(crate) games: Games,
    /// Limits for clients.
    pub(crate) limits: Limits,
    /// The access control.
    pub(crate) guard: Guard,
    /// Permits for sessions.
    pub(crate) sessions: Arc<Semaphore>,
    /// The server's counters.
    pub(crate) metrics: Metrics,
    /// The playground's compiled games.
    pub(crate) playground: Playground,
    /// Records episodes, if enabled.
    pub(crate) recorder: Option<Recorder>,
    /// Whether the server must stop.
    pub(crate) stopping: watch::Receiver<bool>,
}

impl Shared {
    pub(crate) fn new(server: Server) -> Self {
        Self(Arc::new(server))
    }
}

impl Deref for Shared {
    type Target = Server;

    fn deref(&self) -> &Server {
        &self.0
    }
}

/// Waits until the server must stop.
pub(crate) async fn stopped(stopping: &mut watch::Receiver<bool>) {
    // A dropped server has also stopped.
    let _ = stopping.wait_for(|stop| *stop).await;
}
