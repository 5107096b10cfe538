//! The command line, as the package brings it along.

use std::ffi::OsString;
use std::sync::Arc;

use pyo3::prelude::*;

use crate::errors;
use crate::parts::Consent;

/// Runs the command line with its arguments, without the program's name; returns the exit code. `is_short` is whether it goes by the name
/// `farm`, as the program does that cargo builds.
///
/// What a part written in Python raises comes out as it is.
#[pyfunction]
pub(crate) fn command(py: Python<'_>, words: Vec<OsString>, is_short: bool) -> PyResult<u8> {
    let program = if is_short { "farm" } else { "farm-gym" };
    // Other threads of Python go on, and parts written in Python take the interpreter for themselves, on whatever thread they play.
    let run = || {
        farm_cli::run_within(program, words, |everything, command| {
            Arc::new(Consent { everything, classes: Vec::new() }).during_command(command)
        })
    };
    py.detach(|| errors::guarded(|| farm_cli::exit_number(run())))
}
