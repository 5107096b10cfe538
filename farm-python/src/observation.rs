//! Observation records as dictionaries of NumPy arrays.

use std::borrow::Cow;

use bytemuck::AnyBitPattern;
use farm_core::space::{Dtype, Space};
use farm_core::{ObservationEntry, ObservationLayout};
use numpy::ndarray::{ArrayView, Dimension, Ix0};
use numpy::{Element, Ix2, IxDyn, PyArray1, ToPyArray};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

/// Builds the observation of one environment: an array for each entry, or a Python `int` for a `Discrete` one.
pub(crate) struct ObservationMaker {
    entries: Vec<Entry>,
    /// A dictionary with all keys: a copy of it does not grow while it is filled.
    keys: Py<PyDict>,
}

/// The Python form of an entry.
#[derive(Clone, Copy)]
enum EntryForm {
    /// An `int`.
    Index,
    /// An array of `int8`, the type that Gymnasium uses for bits.
    Bits,
    /// An array of the unchanged numbers.
    Numbers,
}

struct Entry {
    key: Py<PyString>,
    offset: usize,
    shape: Vec<usize>,
    dtype: Dtype,
    form: EntryForm,
}

impl ObservationMaker {
    pub(crate) fn new(py: Python<'_>, layout: &ObservationLayout) -> PyResult<Self> {
        let entry = |entry: &ObservationEntry| Entry {
            key: PyString::intern(py, entry.key()).unbind(),
            offset: entry.offset(),
            shape: entry.shape().to_vec(),
            dtype: entry.dtype(),
            form: match entry.space() {
                Space::Discrete { .. } => EntryForm::Index,
                Space::MultiBinary { .. } => EntryForm::Bits,
                _ => EntryForm::Numbers,
            },
        };
        let entries: Vec<Entry> = layout.entries().iter().map(entry).collect();
        let keys = PyDict::new(py);
        entries.iter().try_for_each(|entry| keys.set_item(&entry.key, py.None()))?;
        Ok(Self { entries, keys: keys.unbind() })
    }

    pub(crate) fn make<'py>(&self, py: Python<'py>, record: &[u8]) -> PyResult<Bound<'py, PyDict>> {
        let observation = self.keys.bind(py).copy()?;
        for entry in &self.entries {
            let bytes = &record[entry.offset..];
            let key = entry.key.bind(py);
            match (entry.form, entry.dtype) {
                (EntryForm::Index, Dtype::Uint8) => observation.set_item(key, bytes[0])?,
                (EntryForm::Index, _) => observation.set_item(key, i32::from_le_bytes(word(bytes)))?,
                (EntryForm::Bits, _) => {
                    observation.set_item(key, array(py, &entry.shape, bytes, |b: &[u8; 1]| b[0] as i8)?)?
                }
                (_, Dtype::Uint8) => observation.set_item(key, array(py, &entry.shape, bytes, |b: &[u8; 1]| b[0])?)?,
                (_, Dtype::Int32) => {
                    observation.set_item(key, array(py, &entry.shape, bytes, |b| i32::from_le_bytes(*b))?)?;
                }
                (_, Dtype::Float32) => {
                    observation.set_item(key, array(py, &entry.shape, bytes, |b| f32::from_le_bytes(*b))?)?;
                }
            }
        }
        Ok(observation)
    }
}

fn word(bytes: &[u8]) -> [u8; 4] {
    bytes.first_chunk().copied().unwrap_or_default()
}

/// A new array of numbers with `N` bytes each. For common numbers of axes, lengths and strides are not allocated on the heap.
fn array<'py, T: Element + AnyBitPattern, const N: usize>(
    py: Python<'py>,
    shape: &[usize],
    bytes: &[u8],
    number: impl Fn(&[u8; N]) -> T,
) -> PyResult<Bound<'py, PyAny>> {
    let bytes = &bytes[..shape.iter().product::<usize>() * N];
    // If the record is aligned, the numbers are copied in one piece; otherwise, they are copied one by one.
    let numbers: Cow<'_, [T]> = match bytemuck::try_cast_slice(bytes) {
        Ok(numbers) if cfg!(target_endian = "little") => Cow::Borrowed(numbers),
        _ => bytes.as_chunks::<N>().0.iter().map(number).collect(),
    };
    match *shape {
        [] => shaped(py, Ix0(), &numbers),
        [_] => Ok(PyArray1::from_slice(py, &numbers).into_any()),
        [rows, columns] => shaped(py, Ix2(rows, columns), &numbers),
        _ => shaped(py, IxDyn(shape), &numbers),
    }
}

fn shaped<'py, T: Element, D: Dimension>(py: Python<'py>, shape: D, numbers: &[T]) -> PyResult<Bound<'py, PyAny>> {
    let view = ArrayView::from_shape(shape, numbers).map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
    Ok(view.to_pyarray(py).into_any())
}
