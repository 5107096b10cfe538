//! Counts and records episodes, over whatever wire they are played.

use std::sync::Arc;

use crate::metrics::Metrics;
use crate::record::Recorder;

/// Counts episodes and steps, and records them if the server does.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    /// The server's counters.
    pub(crate) metrics: Arc<Metrics>,
    /// Records episodes, if enabled.
    pub(crate) recorder: Option<Recorder>,
}
