//! What happens in episodes, kept and written: the variables that monitors of a game read ([`farm_core::monitor`]), rewards, costs,
//! executed actions and events, row by row.
//!
//! It knows no entity and no game. A [`Recorder`] makes a [`Row`] of every state that it is shown; whoever wants rows is a
//! [`Sink`]: a [`Recording`] keeps them.

mod error;
mod recorder;
mod recording;
pub mod report;
mod series;

pub use error::MonitorError;
pub use recorder::{Happening, Recorder, Row, Sink};
pub use recording::Recording;
pub use series::Series;
