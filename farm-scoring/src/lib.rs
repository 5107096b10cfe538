//! Scores.
