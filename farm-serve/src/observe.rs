//! The contents of observations, which a trainer chooses.

use serde_json::{Map, Value as Json};

use crate::fields::{self, Invalid};

/// The contents of an observation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Observe {
    /// The observation as text.
    pub(crate) text: bool,
    /// The values by name, as numbers.
    pub(crate) values: bool,
    /// Details about the step, in `metadata`.
    pub(crate) info: bool,
}

impl Default for Observe {
    fn default() -> Self {
        Self { text: true, values: true, info: false }
    }
}

impl Observe {
    /// Reads the contents listed in `observe`.
    ///
    /// # Errors
    /// The value is not a list of known names.
    pub(crate) fn read(object: &Map<String, Json>) -> Result<Self, Invalid> {
        let Some(names) = object.get("observe").filter(|names| !names.is_null()) else { return Ok(Self::default()) };
        let expected =
            || Invalid(format!("`observe` is {}; expected a list of `text`, `values`, `info`", fields::short(names)));
        let mut observe = Self { text: false, values: false, info: false };
        for name in names.as_array().ok_or_else(expected)? {
            match name.as_str().ok_or_else(expected)? {
                "text" => observe.text = true,
                "values" => observe.values = true,
                "info" => observe.info = true,
                other => {
                    return Err(Invalid(fields::unknown("entry of `observe`", other, &["text", "values", "info"])));
                }
            }
        }
        Ok(observe)
    }
}
