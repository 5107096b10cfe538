//! The state that the requests of trainers and agents share.

use std::ops::Deref;
use std::sync::Arc;

use axum::extract::FromRef;
use tokio::sync::watch;

use crate::games::Games;
use crate::limits::Limits;
use crate::sessions::Sessions;
use crate::tally::Tally;

/// The state that requests share.
#[derive(Debug, Clone)]
pub(crate) struct Shared(Arc<State>);

/// What requests use.
#[derive(Debug)]
pub(crate) struct State {
    /// The games.
    pub(crate) games: Arc<Games>,
    /// Limits for clients.
    pub(crate) limits: Limits,
    /// The sessions that a request can name.
    pub(crate) sessions: Arc<Sessions>,
    /// Counts and records episodes.
    pub(crate) tally: Arc<Tally>,
    /// Whether the server must stop.
    pub(crate) stopping: watch::Receiver<bool>,
}

impl Shared {
    pub(crate) fn new(state: State) -> Self {
        Self(Arc::new(state))
    }
}

impl Deref for Shared {
    type Target = State;

    fn deref(&self) -> &State {
        &self.0
    }
}

impl FromRef<Shared> for Arc<Games> {
    fn from_ref(shared: &Shared) -> Self {
        shared.games.clone()
    }
}
