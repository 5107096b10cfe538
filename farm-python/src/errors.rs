//! Errors of the engine as Python exceptions, with the same words.

use std::any::Any;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path as FilePath;

use farm_core::config::{Path, Problem, Problems};
use farm_core::plugin::LoadError;
use farm_core::vector::VectorError;
use farm_core::{GymStepError, RestoreError, StepError};
use farm_monitor::MonitorError;
use farm_render::RenderError;
use pyo3::PyErr;

// The classes are written in Python, where each has two bases: our own root and the built-in that fits.
pyo3::import_exception!(farm_gym.errors, ConfigError);
pyo3::import_exception!(farm_gym.errors, ActionError);
pyo3::import_exception!(farm_gym.errors, StateError);
pyo3::import_exception!(farm_gym.errors, OutputError);

pub fn config(problems: &Problems) -> PyErr {
    ConfigError::new_err(problems.to_string())
}

pub fn action(problem: &Problem) -> PyErr {
    ActionError::new_err(problem.to_string())
}

pub fn step(error: &StepError) -> PyErr {
    match error {
        StepError::NoSuchAction { .. } => ActionError::new_err(error.to_string()),
        StepError::Over { .. } | StepError::NotFinite(_) | StepError::TooManyEvents(_) | StepError::Failed(_) => {
            StateError::new_err(error.to_string())
        }
    }
}

pub fn gym_step(error: &GymStepError) -> PyErr {
    match error {
        GymStepError::Action(error) => ActionError::new_err(error.to_string()),
        GymStepError::Step(error) => step(error),
    }
}

pub fn vector(error: &VectorError) -> PyErr {
    match error {
        VectorError::Length { .. } | VectorError::NoSuchAction { .. } => ActionError::new_err(error.to_string()),
        VectorError::OtherGame { .. } => ConfigError::new_err(error.to_string()),
        VectorError::Step { .. } | VectorError::NoSuchEnvironment { .. } => StateError::new_err(error.to_string()),
    }
}

pub fn plugin(error: &LoadError) -> PyErr {
    config(&Problems(vec![error.problem(Path::default())]))
}

/// What could not be drawn or filmed.
pub fn render(error: &RenderError) -> PyErr {
    match error {
        RenderError::Write { path, error: reason } => output(path, reason, &error.to_string()),
        _ => ConfigError::new_err(error.to_string()),
    }
}

/// What could not be monitored.
pub fn monitor(error: &MonitorError) -> PyErr {
    match error {
        MonitorError::Write { path, error: reason } => output(path, reason, &error.to_string()),
        MonitorError::Picture(error) => render(error),
        other => ConfigError::new_err(other.to_string()),
    }
}

/// A file that can't be written, with what Python's own errors of this kind know of it.
fn output(path: &FilePath, reason: &io::Error, message: &str) -> PyErr {
    match reason.raw_os_error() {
        Some(code) => {
            // The system's words without the code, which Python adds.
            let said = reason.to_string();
            let said = said.split(" (os error").next().unwrap_or_default().to_owned();
            OutputError::new_err((code, format!("can't be written: {said}"), path.display().to_string()))
        }
        None => OutputError::new_err(format!("{message}: {reason}")),
    }
}

pub fn restore(error: &RestoreError) -> PyErr {
    StateError::new_err(error.to_string())
}

/// Goes on as a panic that carries a Python exception: through the engine, which knows no Python, to [`guarded`].
pub fn throw(error: PyErr) -> ! {
    resume_unwind(Box::new(error))
}

/// Calls `body`. A Python exception that comes out of it by [`throw`] is returned as it is; another panic, which is a defect, becomes
/// an error that says so.
pub fn guarded<T>(body: impl FnOnce() -> T) -> Result<T, PyErr> {
    catch_unwind(AssertUnwindSafe(body)).map_err(|panic| {
        let panic = match panic.downcast::<PyErr>() {
            Ok(error) => return *error,
            Err(panic) => panic,
        };
        let said = message(panic.as_ref());
        StateError::new_err(format!(
            "a defect of the engine or of a part: {said}; reset before you go on, and please report it"
        ))
    })
}

fn message(panic: &(dyn Any + Send)) -> &str {
    let owned = panic.downcast_ref::<String>().map(String::as_str);
    owned.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message")
}
