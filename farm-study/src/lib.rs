#![doc = include_str!("../README.md")]
//!
//! # Details
//!
//! | file | contents |
//! |---|---|
//! | `format.rs` | the file format, with a single declaration for both checks and the schema |
//! | `study.rs` | reading a study, with a location for every problem |
//! | `expression.rs` | expressions in braces |
//! | `point.rs` | a grid point as a game with a policy |
//! | `measure.rs` | the measured value of an episode |
//! | `run.rs` | playing all points in blocks of episodes, on several threads or other machines |
//! | `expectation.rs` | checking the expectations |
//! | `report.rs` | the results as a table, JSON and a chart |
//! | `shipped.rs` | the studies that come with the project |

#![forbid(unsafe_code)]
#![warn(clippy::unwrap_used)]

mod errors;
mod expectation;
mod expression;
mod format;
mod measure;
mod point;
mod report;
mod results;
mod run;
mod shipped;
mod study;
#[cfg(test)]
mod tests;

pub use errors::StudyError;
pub use expectation::{Finding, Verdict};
pub use format::{Over, Share, StudyFile, keys, schemas};
pub use results::{LineResults, PanelResults, PointResults};
pub use run::{OpenPoint, RunError, StudyResults};
pub use shipped::{SHIPPED, Shipped};
pub use study::Study;
