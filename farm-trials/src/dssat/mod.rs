//! Files of the DSSAT crop models.
//!
//! | file | content | read by |
//! |---|---|---|
//! | `XXXXYYNN.CCX` | the treatments of a trial | [`Experiment::read`] |
//! | `XXXXYYNN.CCA` | what was measured once for each treatment | [`Measured::read`] |
//! | `XXXXYYNN.CCT` | what was measured over time | [`Measured::read`] |
//! | `SOIL.SOL` and other `*.SOL` | soil profiles | [`SoilProfile::read_all`] |
//! | `XXXXYYNN.WTH` | daily weather, which the entity `Weather` reads | [`weather_files`] |
//!
//! `CC` is the code of the crop, such as `MZ` for maize. A value of -99 means not measured.

mod error;
mod experiment;
mod measured;
mod soil;
mod table;
mod trial;

pub use error::{ReadError, Warning};
pub use experiment::{
    Application, Change, Cultivar, EnvironmentChange, Experiment, Field, Harvest, InitialLayer, InitialState,
    Irrigation, Operation, Planting, Residue, Treatment,
};
pub use measured::{Measured, Reading};
pub use soil::{SoilLayer, SoilProfile};
pub use trial::{Trial, find_trials, soil_files, weather_files};
