//! Results of policies: files with the returns of a policy and the command that reproduces them, and the page that compares them.
//!
//! | file | content |
//! |---|---|
//! | `file.rs` | a results file: writing, and reading with the location of every problem |
//! | `board.rs` | the results of each game: checks that they are comparable, and their statistics |
//! | `comparison.rs` | policies over several games, on a common scale |
//! | `page.rs` | the page and its charts |
//! | `across.rs` | the part of the page on several games |
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
#[cfg(test)]
mod tests;

pub use board::{Board, Column, Entry, GameBoard};
pub use comparison::{Comparison, Row};
pub use errors::ResultsError;
pub use file::{MadeBy, PolicyName, ResultsFile, SCHEMA, gather};
pub use page::Picture;
