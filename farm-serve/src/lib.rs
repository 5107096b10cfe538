#![doc = include_str!("../README.md")]
//!
//! # Details
//!
//! A [`Server`] listens on a port and plays the games of [`Games`] within [`Limits`]. A session consists of a game's state and a few
//! fields. It has no thread of its own: its steps take microseconds and run on the thread that reads its messages.

#![forbid(unsafe_code)]
#![warn(clippy::unwrap_used)]

mod branches;
mod class;
mod episode;
mod errors;
mod exam;
mod fields;
mod forks;
mod game;
mod games;
mod guard;
mod health;
mod keys;
mod lesson;
mod limits;
mod listener;
mod log;
pub mod mcp;
mod metrics;
mod observe;
mod openenv;
mod playground;
mod playing;
mod record;
mod score;
mod served;
mod server;
mod session;
mod sessions;
mod shared;
mod tally;

pub use class::{ClassAddress, ClassSettings};
pub use errors::ServeError;
pub use exam::{Exam, ExamAgent};
pub use games::Games;
pub use lesson::Lesson;
pub use limits::Limits;
pub use log::{LogForm, log_to_stderr};
pub use server::{Server, Settings, signal};
