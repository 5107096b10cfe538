//! The state that OpenEnv's requests share.

use std::ops::Deref;
use std::sync::Arc;

use axum::extract::FromRef;
use tokio::sync::{Semaphore, watch};

use crate::games::Games;
use crate::limits::Limits;
use crate::metrics::Metrics;
use crate::record::Recorder;

/// The state that OpenEnv's requests share.
#[derive(Debug, Clone)]
pub(crate) struct Shared(Arc<OpenEnv>);

/// What OpenEnv's requests use.
#[derive(Debug)]
pub(crate) struct OpenEnv {
    /// The games.
    pub(crate) games: Arc<Games>,
    /// Limits for clients.
    pub(crate) limits: Limits,
    /// Permits for sessions.
    pub(crate) sessions: Arc<Semaphore>,
    /// The server's counters.
    pub(crate) metrics: Arc<Metrics>,
    /// Records episodes, if enabled.
    pub(crate) recorder: Option<Recorder>,
    /// Whether the server must stop.
    pub(crate) stopping: watch::Receiver<bool>,
}

impl Shared {
    pub(super) fn new(state: OpenEnv) -> Self {
        Self(Arc::new(state))
    }
}

impl Deref for Shared {
    type Target = OpenEnv;

    fn deref(&self) -> &OpenEnv {
        &self.0
    }
}

impl FromRef<Shared> for Arc<Games> {
    fn from_ref(shared: &Shared) -> Self {
        shared.games.clone()
    }
}
