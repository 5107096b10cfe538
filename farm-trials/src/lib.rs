#![doc = include_str!("../README.md")]
//!
//! # Details
//!
//! | file | contents |
//! |---|---|
//! | `dssat/` | reading the files of the DSSAT crop models: Hoogenboom et al. (2019, 2024), and the comments in its files |
//! | `crops.rs` | the crops that games can play |
//! | `classes.rs` | the maturity classes of cultivars |
//! | `climate.rs`, `ground.rs` | a trial's weather and soil, as games read them |
//! | `plants.rs` | a user's own parameters of crops |
//! | `season.rs` | a treatment as a game |
//! | `play.rs` | playing it with the trial's calendar, with a record of each day |
//! | `measures.rs` | statistics of measured and simulated values |
//! | `compare.rs` | measured values beside simulated ones, per treatment, trial and crop |
//! | `report.rs` | the comparison as JSON, charts and a page |

#![forbid(unsafe_code)]
#![warn(clippy::unwrap_used)]

mod classes;
mod climate;
mod compare;
mod crops;
pub mod dssat;
mod errors;
mod ground;
mod measures;
mod plants;
mod play;
mod report;
mod season;

pub use classes::Class;
pub use compare::{Comparison, Group, Quantity, Selection, TreatmentResult, Trials};
pub use crops::{CROPS, Crop};
pub use errors::TrialError;
pub use measures::{Agreement, Pair, median, rank_correlation};
pub use play::{DayRecord, Played};
pub use report::Table;
pub use season::{ACTIONS, GAME, Season, WEATHER};
