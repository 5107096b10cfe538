//! Scores: what is worth what, and what it costs.

mod basic_score;
mod meter_score;

pub use basic_score::BasicScore;
pub use meter_score::MeterScore;
