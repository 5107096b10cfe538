//! Runs the `farm-testkit` checks, which every part and every game must pass, on parts written in Python.

use std::any::Any;
use std::sync::Arc;

use farm_testkit::{Defect, Kit, Report};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors;
use crate::game::Game;
use crate::parts::Consent;

/// Checks a part (`kind` is `entity`, `farmer` or `score`) as if it were in a game file. Returns all defects, and the farms in which the
/// part was played.
#[pyfunction]
#[pyo3(signature = (kind, config, host, seeds, steps, units, draws, parts, allow_plugins))]
#[expect(clippy::too_many_arguments, reason = "the one caller names them all")]
pub(crate) fn check_part<'py>(
    py: Python<'py>,
    kind: &str,
    config: &str,
    host: Option<&str>,
    seeds: u64,
    steps: u32,
    units: Vec<String>,
    draws: bool,
    parts: Vec<Py<PyAny>>,
    allow_plugins: bool,
) -> PyResult<(Vec<Bound<'py, PyDict>>, Vec<String>)> {
    let mut kit = kit(seeds, steps, &units);
    if let Some(host) = host {
        kit = kit.in_game(host);
    }
    if !draws {
        kit = kit.draws_nothing();
    }
    let check: fn(&Kit, &str) -> Result<(), Report> = match kind {
        "entity" => Kit::entity,
        "farmer" => Kit::farmer,
        "score" => Kit::score,
        other => return Err(PyValueError::new_err(format!("there is no check of a {other}"))),
    };
    let everything = allow_plugins || farm_core::plugin::is_allowed_by_environment();
    let consent = Arc::new(Consent { everything, classes: parts });
    // Parts acquire the interpreter on the thread where they play.
    let result = py.detach(|| errors::guarded(|| consent.during(|| check(&kit, config))))?;
    found(py, result)
}

/// Checks a game, and returns all defects.
#[pyfunction]
#[pyo3(signature = (game, seeds, steps, units))]
pub(crate) fn check_game<'py>(
    py: Python<'py>,
    game: &Game,
    seeds: u64,
    steps: u32,
    units: Vec<String>,
) -> PyResult<(Vec<Bound<'py, PyDict>>, Vec<String>)> {
    let (kit, consent, game) = (kit(seeds, steps, &units), game.consent(), game.game.clone());
    let result = py.detach(|| errors::guarded(|| consent.during(|| kit.compiled(game.spec().name(), &game))))?;
    found(py, result)
}

fn kit(seeds: u64, steps: u32, units: &[String]) -> Kit {
    let kit = Kit::default().seeds(seeds).steps(steps).any_role().words(exception);
    units.iter().fold(kit, |kit, unit| kit.unit(unit))
}

/// The text and traceback of a Python exception that passed through the engine as a panic.
fn exception(panic: &(dyn Any + Send)) -> Option<String> {
    let error = panic.downcast_ref::<PyErr>()?;
    Python::attach(|py| {
        let lines =
            py.import("traceback").and_then(|module| module.call_method1("format_exception", (error.value(py),)));
        let lines = lines.and_then(|lines| lines.extract::<Vec<String>>()).unwrap_or_default();
        Some(format!("\n{}", lines.concat().trim_end()))
    })
}

fn found<'py>(py: Python<'py>, result: Result<(), Report>) -> PyResult<(Vec<Bound<'py, PyDict>>, Vec<String>)> {
    let Err(report) = result else { return Ok((Vec::new(), Vec::new())) };
    let defects = report.defects.iter().map(|defect| as_dict(py, defect)).collect::<PyResult<_>>()?;
    Ok((defects, report.farms))
}

fn as_dict<'py>(py: Python<'py>, defect: &Defect) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("check", defect.check)?;
    dict.set_item("part", &defect.part)?;
    dict.set_item("variable", defect.variable.as_deref())?;
    dict.set_item("entry", defect.entry)?;
    dict.set_item("seed", defect.seed)?;
    dict.set_item("step", defect.step)?;
    dict.set_item("value", defect.value.as_deref())?;
    dict.set_item("message", &defect.message)?;
    dict.set_item("more", defect.more)?;
    dict.set_item("text", defect.to_string())?;
    Ok(dict)
}
