//! Scores: what is worth what, and what it costs.

mod basic_score;
mod event_score;
mod meter_score;

pub use basic_score::BasicScore;
pub use event_score::EventScore;
pub use meter_score::MeterScore;
