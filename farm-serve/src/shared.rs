//! State that all requests share.

use std::ops::Deref;
use std::sync::Arc;

use tokio::sync::{Semaphore, watch};

use crate::games::Games;
use crate::guard::Guard;
use crate::limits::Limits;
use crate::metrics::Metrics;
use crate::playground::Playground;
use crate::record::Recorder;

/// The shared state of every router.
#[derive(Debug, Clone)]
pub(crate) struct Shared(Arc<Server>);

/// The state of the server for requests.
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
    /// Counters of the server.
    pub(crate) metrics: Metrics,
    /// Compiled games of the playground.
    pub(crate) playground: Playground,
    /// Records episodes, if enabled.
    pub(crate) recorder: Option<Recorder>,
    /// Whether the server has to stop.
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

/// Waits until the server has to stop.
pub(crate) async fn stopped(stopping: &mut watch::Receiver<bool>) {
    // A dropped server has also stopped.
    let _ = stopping.wait_for(|stop| *stop).await;
}
