#![doc = include_str!("../README.md")]
//!
//! # Details
//!
//! | file | contents |
//! |---|---|
//! | `file.rs` | a results file: writing it, and reading it with a location for every problem |
//! | `board.rs` | each game's results: checks that they are comparable, and their statistics |
//! | `comparison.rs` | policies over several games, on a common scale |
//! | `page.rs` | the page and its charts |
//! | `across.rs` | the part of the page that covers several games |
//!
//! `schemas/results.schema.json` describes the format.

#![forbid(unsafe_code)]
#![warn(clippy::unwrap_used)]

mod across;
mod board;
mod comparison;
mod errors;
mod file;
mod page;
mod picture;
#[cfg(test)]
mod tests;

pub use board::{Board, Column, Entry, GameBoard};
pub use comparison::{Comparison, Row};
pub use errors::ResultsError;
pub use file::{MadeBy, PolicyName, ResultsFile, SCHEMA, gather};
pub use picture::Picture;
