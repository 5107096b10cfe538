//! What a registered kind declares, found by building it with its defaults in a field of its own; and what a part of a game does
//! with its seed, and with what others keep.

mod foreign_writes;
mod hidden;
mod other_seed;
mod sleep;

pub use foreign_writes::{ForeignWrite, foreign_writes};
pub use hidden::other_hidden_values;
pub use other_seed::OtherSeed;
pub use sleep::disturbed_sleeper;

pub use crate::spec::{declarations, declarations_with, pictures, providers_of};
