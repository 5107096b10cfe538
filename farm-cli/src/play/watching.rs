//! The playback of a file of moves.

use std::time::{Duration, Instant};

/// The playback of a file of moves.
pub(super) struct Watch {
    /// The last move in the file.
    pub last: usize,
    /// Whether it plays automatically.
    pub is_playing: bool,
    /// Steps per second.
    pub fps: f64,
    /// The time of the next step.
    pub next: Instant,
}

impl Watch {
    /// Starts the playback now.
    pub(super) fn new(last: usize, fps: f64) -> Self {
        Self { last, is_playing: true, fps, next: Instant::now() + Duration::from_secs_f64(1.0 / fps) }
    }
}
