//! What all requests share.

use std::ops::Deref;
use std::sync::Arc;

use tokio::sync::{Semaphore, watch};

use crate::games::Games;
use crate::guard::Guard;
use crate::limits::Limits;
use crate::metrics::Metrics;
use crate::playground::Playground;
use crate::record::Recorder;

/// What all requests share: the state of every router.
#[derive(Debug, Clone)]
pub(crate) struct Shared(Arc<Server>);

/// The server as requests see it.
#[derive(Debug)]
pub(crate) struct Server {
    /// The games that are played.
    pub(crate) games: Games,
    /// How much clients may take.
    pub(crate) limits: Limits,
    /// Who may ask for anything.
    pub(crate) guard: Guard,
    /// Room for sessions.
    pub(crate) sessions: Arc<Semaphore>,
    /// What the server has done.
    pub(crate) metrics: Metrics,
    /// The games that the page in the browser has compiled.
    pub(crate) playground: Playground,
    /// Where episodes are recorded.
    pub(crate) recorder: Option<Recorder>,
    /// Whether the server was asked to stop.
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

/// Waits until the server is asked to stop.
pub(crate) async fn stopped(stopping: &mut watch::Receiver<bool>) {
    // A server that is gone has stopped, too.
    let _ = stopping.wait_for(|stop| *stop).await;
}
