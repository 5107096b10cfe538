//! Field trials, for the package's function `trials`.

use std::path::PathBuf;

use farm_trials::{Selection, Trials};
use pyo3::prelude::*;

use crate::errors;

/// Plays the selected treatments, and returns the comparison as JSON.
#[pyfunction]
pub(crate) fn trials(
    py: Python<'_>,
    folder: PathBuf,
    crops: Vec<String>,
    treatments: Vec<String>,
    threads: usize,
) -> PyResult<String> {
    let play = || Trials::open(&folder)?.play(&Selection { crops, treatments }, threads);
    let played = py.detach(|| errors::guarded(play))?;
    Ok(played.map_err(|problems| errors::config(&problems))?.json().to_string())
}
