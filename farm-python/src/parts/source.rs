//! The class in the YAML, and the object made from it.

use std::path::Path as File;
use std::sync::Arc;

use farm_core::config::{Path, Problem};
use farm_core::serde_yaml::{Mapping, Value};
use farm_games::python::CLASS;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use serde::{Deserialize, Serialize};

use super::Consent;
use crate::convert::to_python;

/// The path of the class, relative to the part.
pub(super) fn class_path() -> Path {
    Path::default().child(CLASS)
}

/// A part's parameters: its class, and the constructor's arguments.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Source {
    parameters: Mapping,
    /// The permission that applied when the part was read.
    #[serde(skip, default = "Consent::current")]
    consent: Arc<Consent>,
}

/// An instance of a class.
#[derive(Debug, Clone)]
pub(super) struct Object {
    pub part: Arc<Py<PyAny>>,
    /// The methods that the class overrides; the base class's own methods need not be called.
    pub own: Vec<String>,
}

impl Object {
    /// Whether the class overrides a method.
    pub(super) fn has(&self, method: &str) -> bool {
        self.own.iter().any(|own| own == method)
    }
}

impl Source {
    /// `module:Class`.
    pub(super) fn class(&self) -> Option<&str> {
        self.parameters.get(CLASS).and_then(Value::as_str)
    }

    /// `Class`; none if there is no class at all, for example when declarations are probed with defaults.
    pub(super) fn class_name(&self) -> Option<&str> {
        self.class()?.rsplit([':', '.']).next().filter(|name| !name.is_empty())
    }

    /// Creates an object of the class. None if there is no class, which the checks have reported.
    ///
    /// # Errors
    /// The class can't be used; the path is relative to the part.
    pub(super) fn object(
        &self,
        py: Python<'_>,
        kind: &str,
        folder: Option<&File>,
    ) -> Result<Option<Object>, Box<Problem>> {
        let Some(class) = self.class().filter(|class| !class.is_empty()) else { return Ok(None) };
        let make = || -> PyResult<Object> {
            let arguments = PyDict::new(py);
            for (name, value) in self.parameters.iter().filter(|(name, _)| name.as_str() != Some(CLASS)) {
                let json = serde_json::to_value(value).unwrap_or_default();
                arguments.set_item(name.as_str().unwrap_or_default(), to_python(py, &json)?)?;
            }
            let folder = folder.map(|folder| folder.to_string_lossy().into_owned());
            let handed_over = PyList::new(py, &self.consent.classes)?;
            let allowed = (self.consent.everything, handed_over);
            let made = module(py)?.call_method1("make", (kind, class, arguments, folder, allowed))?;
            let (part, own): (Py<PyAny>, Vec<String>) = made.extract()?;
            Ok(Object { part: Arc::new(part), own })
        };
        make().map(Some).map_err(|error| problem(py, &error))
    }
}

/// The Python module with the functions for parts.
pub(super) fn module(py: Python<'_>) -> PyResult<Bound<'_, PyModule>> {
    py.import("farm_gym.parts.loading")
}

/// Converts a `PartProblem`, or any other exception with its own message, to a problem. Its path leads to the class, relative to the part.
pub(super) fn problem(py: Python<'_>, error: &PyErr) -> Box<Problem> {
    let value = error.value(py);
    let text = |name: &str| value.getattr(name).and_then(|text| text.extract::<String>()).unwrap_or_default();
    let message = text("message");
    if message.is_empty() {
        return Box::new(super::of_class(error.to_string()));
    }
    let mut problem = super::of_class(message);
    let found = text("found");
    if !found.is_empty() {
        problem = problem.value(&found);
    }
    let names: Vec<String> = value.getattr("names").and_then(|names| names.extract()).unwrap_or_default();
    if !names.is_empty() {
        problem = problem.among(&found, names.iter().map(String::as_str));
    }
    let (expected, remedy) = (text("expected"), text("remedy"));
    if !expected.is_empty() {
        problem = problem.expected(expected);
    }
    Box::new(if remedy.is_empty() { problem } else { problem.help(remedy) })
}
