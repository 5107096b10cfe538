//! Engine errors as Python exceptions, with the same messages.

use std::any::Any;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path as FilePath;

use farm_core::config::{LimitError, Path, Problem, Problems};
use farm_core::plugin::LoadError;
use farm_core::vector::VectorError;
use farm_core::{ObserverError, RestoreError, SeedError, StepError};
use farm_render::RenderError;
use pyo3::exceptions::{PyException, PyKeyError, PyMemoryError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::words::InPython;

// The classes are written in Python, and each has two bases: the package's base error and a built-in exception.
pyo3::import_exception!(farm_gym.errors, ConfigError);
pyo3::import_exception!(farm_gym.errors, ActionError);
pyo3::import_exception!(farm_gym.errors, StateError);
pyo3::import_exception!(farm_gym.errors, OutputError);
pyo3::import_exception!(farm_gym.errors, PartError);

pub(crate) fn config(problems: &Problems) -> PyErr {
    if problems.0.iter().any(|problem| problem.is(LimitError::OutOfMemory)) {
        return with_codes(PyMemoryError::new_err(problems.told_by(&InPython)), &problems.0);
    }
    with_codes(ConfigError::new_err(problems.told_by(&InPython)), &problems.0)
}

pub(crate) fn action(problem: &Problem) -> PyErr {
    with_codes(ActionError::new_err(problem.told_by(&InPython)), std::slice::from_ref(problem))
}

/// Adds the problems' codes to an error, so that programs can compare them.
fn with_codes(error: PyErr, problems: &[Problem]) -> PyErr {
    let codes: Vec<&str> = problems.iter().map(|problem| problem.code.name()).collect();
    // The codes are also in the message.
    Python::attach(|py| {
        let _ = PyTuple::new(py, codes).and_then(|codes| error.value(py).setattr("codes", codes));
    });
    error
}

/// The error for a seed that can't start an episode. If a split reserves the seed, the message shows the option that names this split.
pub(crate) fn seed(error: SeedError) -> PyErr {
    let remedy = match error {
        SeedError::Reserved { split, .. } => format!("; `options={{\"split\": \"{}\"}}` names it", split.name()),
        _ => String::new(),
    };
    ConfigError::new_err(format!("{error}{remedy}"))
}

pub(crate) fn step(error: &StepError) -> PyErr {
    match error {
        StepError::Seed(error) => seed(*error),
        StepError::NoSuchAction { .. } | StepError::NotInSpace(_) => ActionError::new_err(error.to_string()),
        _ => StateError::new_err(error.to_string()),
    }
}

pub(crate) fn vector(error: &VectorError) -> PyErr {
    match error {
        VectorError::Length { .. } | VectorError::NoSuchAction { .. } => ActionError::new_err(error.to_string()),
        VectorError::Step { environment, error: StepError::Seed(error) } => {
            ConfigError::new_err(format!("environment {environment}: {}", seed(*error)))
        }
        VectorError::OtherGame { .. } => ConfigError::new_err(error.to_string()),
        VectorError::Observer { .. } => OutputError::new_err(error.to_string()),
        _ => StateError::new_err(error.to_string()),
    }
}

pub(crate) fn plugin(error: &LoadError) -> PyErr {
    config(&Problems(vec![error.problem(Path::default())]))
}

/// The error for a picture or film that can't be drawn.
pub(crate) fn render(error: &RenderError) -> PyErr {
    match error {
        RenderError::Output(error) => written(error),
        _ => ConfigError::new_err(error.to_string()),
    }
}

/// The error for an observer of an episode that can't continue.
pub(crate) fn observer(error: &ObserverError) -> PyErr {
    match error.downcast_ref() {
        Some(error) => written(error),
        None => OutputError::new_err(error.to_string()),
    }
}

/// The error for a file that can't be written or encoded.
pub(crate) fn written(error: &farm_output::OutputError) -> PyErr {
    use farm_output::OutputError as Reason;

    match error {
        Reason::Write { path, error: reason } => output(path, reason, &error.to_string()),
        Reason::Encode { .. } | Reason::LeftOut { .. } => ConfigError::new_err(error.to_string()),
    }
}

/// The error for a file that can't be written, with the attributes of Python's own `OSError`.
fn output(path: &FilePath, reason: &io::Error, message: &str) -> PyErr {
    match reason.raw_os_error() {
        Some(code) => {
            // The system's message without the code, which Python adds.
            let said = reason.to_string();
            let said = said.split(" (os error").next().unwrap_or_default().to_owned();
            OutputError::new_err((code, format!("can't be written: {said}"), path.display().to_string()))
        }
        None => OutputError::new_err(format!("{message}: {reason}")),
    }
}

pub(crate) fn restore(error: &RestoreError) -> PyErr {
    StateError::new_err(error.to_string())
}

/// A call to a part written in Python, for error messages.
pub(crate) struct PartCall<'a> {
    /// The part's path, or the import path of a policy.
    pub part: &'a str,
    /// The method and its argument.
    pub method: &'a str,
    /// Seed of the episode and number of steps taken before; none while a game is compiled.
    pub at: Option<(u64, u32)>,
    /// The fix; empty if there is none.
    pub remedy: &'a str,
}

/// Wraps an exception from a call in the package's own error, with the original as its cause. Exceptions that do not derive from
/// `Exception`, such as an interrupt, are unchanged.
pub(crate) fn part(py: Python<'_>, raised: PyErr, call: &PartCall<'_>) -> PyErr {
    if !raised.is_instance_of::<PyException>(py) {
        return raised;
    }
    let PartCall { part, method, at, remedy } = call;
    let kind = raised.get_type(py).name().map_or_else(|_| "an exception".to_owned(), |name| name.to_string());
    let message = format!("`{part}` failed in `{method}`{}: {kind}: {}", when(*at), words(py, &raised));
    let message = if remedy.is_empty() { message } else { format!("{message}; {remedy}") };
    let error = PartError::new_err(message);
    let value = error.value(py);
    let (seed, step) = at.unzip();
    // The attributes only repeat information from the message.
    let _ = value.setattr("part", part).and_then(|()| value.setattr("method", method));
    let _ = value.setattr("seed", seed).and_then(|()| value.setattr("step", step));
    error.set_cause(py, Some(raised));
    error
}

/// Adds the index of the environment to an error, if it came from a part.
pub(crate) fn in_environment(py: Python<'_>, error: PyErr, environment: usize) -> PyErr {
    if error.is_instance_of::<PartError>(py) {
        // The index is only extra information.
        let _ = error.value(py).setattr("environment", environment);
    }
    error
}

fn when(at: Option<(u64, u32)>) -> String {
    at.map(|(seed, step)| format!(", step {step} of the episode with seed {seed}")).unwrap_or_default()
}

/// The message of an exception, without the quotation marks that a `KeyError` adds.
fn words(py: Python<'_>, error: &PyErr) -> String {
    let value = error.value(py);
    let first = || value.getattr("args").and_then(|args| args.get_item(0)).and_then(|first| first.extract::<String>());
    let text = if error.is_instance_of::<PyKeyError>(py) { first().ok() } else { None };
    text.or_else(|| value.str().ok().map(|text| text.to_string())).unwrap_or_default()
}

/// Panics with a Python exception. The panic passes through the engine, which has no Python code, to [`guarded`].
pub(crate) fn throw(error: PyErr) -> ! {
    resume_unwind(Box::new(error))
}

/// Calls `body`. Returns a Python exception that [`throw`] raised in it unchanged. Any other panic is a defect, and becomes an error that
/// reports the panic.
pub(crate) fn guarded<T>(body: impl FnOnce() -> T) -> Result<T, PyErr> {
    catch_unwind(AssertUnwindSafe(body)).map_err(|panic| {
        let panic = match panic.downcast::<PyErr>() {
            Ok(error) => return *error,
            Err(panic) => panic,
        };
        let said = message(panic.as_ref());
        StateError::new_err(format!(
            "a defect of the engine or of a part: {said}; call `reset` before the next step, and report the defect"
        ))
    })
}

fn message(panic: &(dyn Any + Send)) -> &str {
    let owned = panic.downcast_ref::<String>().map(String::as_str);
    owned.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message")
}
