#![doc = include_str!("../README.md")]
//!
//! # Details
//!
//! A row contains the variables that a game's monitors read ([`farm_core::Monitor`]), the rewards, costs, executed actions and events. This
//! crate depends on no entity and no game. A [`Recorder`] makes a [`Row`] from a state. A [`RowObserver`] attaches the recorder to
//! episodes, and passes the rows to a [`Sink`]. A [`Recording`] stores the rows, and [`Csv`] and `Parquet` write them as tables with the
//! same columns ([`table`]). [`TensorBoard`] writes event files that a running TensorBoard displays while they grow.

#![forbid(unsafe_code)]
#![warn(clippy::unwrap_used)]

mod bits;
mod csv;
#[cfg(feature = "parquet")]
mod parquet;
mod recorder;
mod recording;
mod row_observer;
mod series;
pub mod table;
pub mod tensorboard;

pub use self::csv::Csv;
#[cfg(feature = "parquet")]
pub use self::parquet::Parquet;
pub use recorder::{Happening, Recorder, Row, Sink};
pub use recording::Recording;
pub use row_observer::RowObserver;
pub use series::Series;
pub use tensorboard::TensorBoard;
