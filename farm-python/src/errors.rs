//! Errors of the engine as Python exceptions, with the same words.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use farm_core::config::{Path, Problem, Problems};
use farm_core::plugin::LoadError;
use farm_core::vector::VectorError;
use farm_core::{GymStepError, RestoreError, StepError};
use farm_monitor::MonitorError;
use pyo3::PyErr;
use pyo3::exceptions::PyOSError;

// The classes are written in Python, where each has two bases: our own root and the built-in that fits.
pyo3::import_exception!(farm_gym.errors, ConfigError);
pyo3::import_exception!(farm_gym.errors, ActionError);
pyo3::import_exception!(farm_gym.errors, StateError);

pub fn config(problems: &Problems) -> PyErr {
    ConfigError::new_err(problems.to_string())
}

pub fn action(problem: &Problem) -> PyErr {
    ActionError::new_err(problem.to_string())
}

pub fn step(error: &StepError) -> PyErr {
    match error {
        StepError::NoSuchAction { .. } => ActionError::new_err(error.to_string()),
        StepError::Over { .. } | StepError::NotFinite(_) | StepError::Failed(_) => {
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

/// A file that can't be written is an `OSError` as Python's own functions raise it.
pub fn monitor(error: &MonitorError) -> PyErr {
    let (path, system) = match error {
        MonitorError::Write { path, error } => (path, error),
        MonitorError::Picture(farm_render::RenderError::Write { path, error }) => (path, error),
        other => return ConfigError::new_err(other.to_string()),
    };
    match system.raw_os_error() {
        Some(code) => {
            // The system's words without the code, which Python adds.
            let said = system.to_string();
            let said = said.split(" (os error").next().unwrap_or_default().to_owned();
            PyOSError::new_err((code, said, path.display().to_string()))
        }
        None => PyOSError::new_err(format!("{error}: {system}")),
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
