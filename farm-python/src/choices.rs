//! Arguments that accept one of a few names.

use farm_core::config::{ParameterError, Path, Problem, Problems};
use farm_core::inspect::RulesText;
use pyo3::prelude::*;

use crate::errors;

/// Reads an argument that sets whether instructions explain the rules.
pub(crate) fn rules_text(rules: &str) -> PyResult<RulesText> {
    match rules {
        "hidden" => Ok(RulesText::Hidden),
        "shown" => Ok(RulesText::Shown),
        other => Err(unknown("the rules are either hidden or shown", other, &["hidden", "shown"])),
    }
}

/// The error for a name that is not among the accepted ones.
pub(crate) fn unknown(message: &str, found: &str, names: &[&str]) -> PyErr {
    let problem = Problem::new(ParameterError::UnknownChoice, Path::default(), message).value(found);
    errors::config(&Problems(vec![problem.among(found, names.iter().copied())]))
}
