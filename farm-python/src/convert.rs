//! Converts Python values to JSON and back: for actions, spaces, levels and other values outside the fast path.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use serde_json::{Map, Value as Json};

/// Maximum nesting depth. Deeper values are rejected, because they may contain themselves.
const DEEPEST: usize = 64;

/// A Python value as JSON: numbers, strings, lists, tuples, dictionaries with string keys, and objects with `tolist()`, such as NumPy
/// arrays and scalars.
pub(crate) fn to_json(value: &Bound<'_, PyAny>) -> PyResult<Json> {
    nested(value, DEEPEST)
}

fn nested(value: &Bound<'_, PyAny>, depth: usize) -> PyResult<Json> {
    if depth == 0 {
        return Err(PyTypeError::new_err(format!("the value is nested more than {DEEPEST} deep")));
    }
    let items = |items: &mut dyn Iterator<Item = Bound<'_, PyAny>>| {
        items.map(|item| nested(&item, depth - 1)).collect::<PyResult<Vec<_>>>().map(Json::Array)
    };
    if value.is_none() {
        Ok(Json::Null)
    } else if let Ok(flag) = value.cast::<PyBool>() {
        Ok(Json::Bool(flag.is_true()))
    } else if let Ok(number) = value.cast::<PyInt>() {
        match number.extract::<i64>() {
            Ok(number) => Ok(Json::from(number)),
            Err(_) => Ok(Json::from(number.extract::<u64>()?)),
        }
    } else if let Ok(number) = value.cast::<PyFloat>() {
        let number = number.extract::<f64>()?;
        let finite = || PyTypeError::new_err(format!("{number} is not a finite number"));
        serde_json::Number::from_f64(number).map(Json::Number).ok_or_else(finite)
    } else if let Ok(text) = value.cast::<PyString>() {
        Ok(Json::String(text.extract()?))
    } else if let Ok(list) = value.cast::<PyList>() {
        items(&mut list.iter())
    } else if let Ok(tuple) = value.cast::<PyTuple>() {
        items(&mut tuple.iter())
    } else if let Ok(dictionary) = value.cast::<PyDict>() {
        let mut object = Map::new();
        for (key, value) in dictionary.iter() {
            object.insert(key.extract()?, nested(&value, depth - 1)?);
        }
        Ok(Json::Object(object))
    } else if value.hasattr("tolist")? {
        nested(&value.call_method0("tolist")?, depth - 1)
    } else {
        Err(PyTypeError::new_err(format!(
            "{} can't be written as numbers, strings, lists and dictionaries",
            value.repr()?
        )))
    }
}

/// JSON as a Python value.
pub(crate) fn to_python<'py>(py: Python<'py>, value: &Json) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Json::Null => py.None().into_bound(py),
        Json::Bool(flag) => PyBool::new(py, *flag).to_owned().into_any(),
        Json::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(number), _) => number.into_pyobject(py)?.into_any(),
            (None, Some(number)) => number.into_pyobject(py)?.into_any(),
            _ => PyFloat::new(py, number.as_f64().unwrap_or(f64::NAN)).into_any(),
        },
        Json::String(text) => PyString::new(py, text).into_any(),
        Json::Array(items) => {
            let list = PyList::empty(py);
            for item in items {
                list.append(to_python(py, item)?)?;
            }
            list.into_any()
        }
        Json::Object(entries) => {
            let dictionary = PyDict::new(py);
            for (key, value) in entries {
                dictionary.set_item(key, to_python(py, value)?)?;
            }
            dictionary.into_any()
        }
    })
}
