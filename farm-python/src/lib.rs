//! The Python module `farm_gym._native`: games, environments and vector environments as Python classes. Users import the package `farm_gym`
//! around it, which turns them into Gymnasium environments. This crate contains no game dynamics.

#![warn(clippy::unwrap_used)]

mod chart;
mod choices;
mod command;
mod conformance;
mod conversation;
mod convert;
mod environment;
mod errors;
mod family;
mod film;
mod game;
mod info;
mod monitoring;
mod observation;
mod parts;
mod picture;
mod planning;
mod plugin;
mod report;
mod splits;
mod trials;
mod vector;
mod weather;
mod words;

use pyo3::prelude::*;

/// The engine.
/// It works without the global interpreter lock: everything shared between threads is immutable, or protected by a lock or a checked
/// borrow.
#[pymodule(gil_used = false)]
mod _native {
    #[pymodule_export]
    use crate::chart::save_chart;
    #[pymodule_export]
    use crate::command::{BlockPlayer, command};
    #[pymodule_export]
    use crate::conformance::{check_game, check_part};
    #[pymodule_export]
    use crate::conversation::Conversation;
    #[pymodule_export]
    use crate::environment::Environment;
    #[pymodule_export]
    use crate::family::{Family, family_names, is_family};
    #[pymodule_export]
    use crate::film::{Film, save_film};
    #[pymodule_export]
    use crate::game::{Game, catalogue, catalogue_names, game_and_version};
    #[pymodule_export]
    use crate::monitoring::{Monitors, Recording};
    #[pymodule_export]
    use crate::parts::{Agent, Context, Stream};
    #[pymodule_export]
    use crate::picture::PictureOptions;
    #[pymodule_export]
    use crate::plugin::{load_plugin, load_plugins_of_environment, plugins};
    #[pymodule_export]
    use crate::report::Report;
    #[pymodule_export]
    use crate::splits::{drawn_seed, split_seeds};
    #[pymodule_export]
    use crate::trials::trials;
    #[pymodule_export]
    use crate::vector::VectorEnvironment;
    #[pymodule_export]
    use crate::weather::WeatherFile;

    #[pymodule_init]
    fn init(module: &super::Bound<'_, super::PyModule>) -> super::PyResult<()> {
        use super::PyModuleMethods as _;
        use farm_core::declare::{MAX_EVENTS_PER_STEP, MAX_LABELS, MAX_VALUES, Phase};

        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("MAX_ARGUMENTS", farm_core::action::MAX_ARGUMENTS)?;
        module.add("MAX_EVENTS_PER_STEP", MAX_EVENTS_PER_STEP)?;
        module.add("MAX_LABELS", MAX_LABELS)?;
        module.add("MAX_VALUES", MAX_VALUES)?;
        module.add("PHASES", pyo3::types::PyTuple::new(module.py(), Phase::ALL.map(Phase::name))?)
    }
}
