//! Farm games for programs that can call C: batches of environments that step together and write to the caller's buffers.
//!
//! `include/farm.h` declares everything, and `docs/c.md` explains it. `interface.rs` has the functions and all unsafe code, `batch.rs` the
//! environments, and `error.rs` the error codes.

#![warn(clippy::unwrap_used)]

mod batch;
mod error;
mod interface;

pub use batch::{FarmAutoreset, FarmBatch, FarmSplit};
pub use error::FarmCode;
pub use interface::*;
