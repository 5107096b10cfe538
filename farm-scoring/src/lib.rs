#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![warn(clippy::unwrap_used)]

mod basic_score;
mod constraints;
mod costs;
mod counted;
mod errors;
mod event_score;
mod meter_score;
mod priced;
mod profit_score;
pub mod risk;
mod variable_score;

pub use basic_score::BasicScore;
pub use constraints::{Constraint, Constraints, LeachedShares};
pub use costs::CostTable;
pub use errors::ScoreError;
pub use event_score::EventScore;
pub use meter_score::MeterScore;
pub use profit_score::ProfitScore;
pub use variable_score::{TermFunction, VariableScore, VariableTerm};
