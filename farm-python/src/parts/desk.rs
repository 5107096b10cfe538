//! The arrays of a call: filled from the state before it, written back after it.
//!
//! An array is a copy, not a view of the state. The engine moves and reuses the state, but Python may keep an array for any length of time.
//! Copying a few hundred numbers takes less time than calling a Python method.

use std::sync::Arc;

use farm_core::declare::{PartInfo, VariableInfo};
use farm_core::{Column, Context as EngineContext, Element, Reader};
use numpy::{IxDyn, PyArray, PyArrayDyn, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use super::context::{Context, Mode, Shared};

/// The columns that a part sees, and their names.
#[derive(Debug, Default)]
pub(super) struct ColumnPlan {
    pub slots: Vec<Slot>,
    pub entries: Vec<(String, Entry)>,
}

/// A column that a part sees.
#[derive(Debug)]
pub(super) struct Slot {
    pub handle: Handle,
    pub shape: Vec<usize>,
    /// Lowest and highest value.
    pub range: (f64, f64),
    /// Whether the part may change it.
    pub writes: bool,
    /// The full name of the variable.
    pub name: String,
}

/// A column with one of the three types.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Handle {
    Real(Column<f64>),
    Count(Column<i32>),
    Byte(Column<u8>),
}

impl Handle {
    /// The column of a declared variable, if it has one.
    fn of(variable: &VariableInfo) -> Option<Self> {
        let count = || variable.column().map(Self::Count);
        let byte = || variable.column().map(Self::Byte);
        variable.column().map(Self::Real).or_else(count).or_else(byte)
    }
}

/// The value that a name has in the context.
#[derive(Debug)]
pub(super) enum Entry {
    /// One array.
    One(usize),
    /// A tuple of arrays.
    Several(Vec<usize>),
    /// None.
    Nothing,
}

impl ColumnPlan {
    /// The index of the slot for a variable. All names of a variable share one slot, so that a value written under one name can be read
    /// under the others. None if the variable has no column.
    pub(super) fn slot(&mut self, part: &PartInfo, variable: &VariableInfo, writes: bool) -> Option<usize> {
        let handle = Handle::of(variable)?;
        if let Some(index) = self.slots.iter().position(|known| known.handle == handle) {
            self.slots[index].writes |= writes;
            return Some(index);
        }
        let name = format!("{}.{}", part.path(), variable.name());
        self.slots.push(Slot {
            handle,
            shape: variable.shape().to_vec(),
            range: variable.kind().range(),
            writes,
            name,
        });
        Some(self.slots.len() - 1)
    }
}

/// A call's access to the state.
pub(super) enum Access<'a, 'c> {
    Write(&'a mut EngineContext<'c>),
    Read(&'a Reader<'c>),
}

/// The arrays and the context of one call at a time.
pub(super) struct StepBuffers {
    arrays: Vec<Array>,
    pub context: Py<Context>,
}

enum Array {
    Real(Py<PyArrayDyn<f64>>),
    Count(Py<PyArrayDyn<i32>>),
    Byte(Py<PyArrayDyn<u8>>),
}

impl StepBuffers {
    pub(super) fn new(py: Python<'_>, plan: &ColumnPlan, shared: Arc<Shared>) -> PyResult<Self> {
        let arrays = plan.slots.iter().map(|slot| match slot.handle {
            Handle::Real(_) => Array::Real(zeros(py, &slot.shape)),
            Handle::Count(_) => Array::Count(zeros(py, &slot.shape)),
            Handle::Byte(_) => Array::Byte(zeros(py, &slot.shape)),
        });
        let arrays: Vec<Array> = arrays.collect();
        let locked = arrays.iter().map(|array| read_only(array.any(py))).collect::<PyResult<Vec<_>>>()?;
        let (write, read) = (PyDict::new(py), PyDict::new(py));
        for (name, entry) in &plan.entries {
            let writable = |slot: usize| match plan.slots[slot].writes {
                true => arrays[slot].any(py).clone(),
                false => locked[slot].clone(),
            };
            match entry {
                Entry::One(slot) => {
                    write.set_item(name, writable(*slot))?;
                    read.set_item(name, &locked[*slot])?;
                }
                Entry::Several(slots) => {
                    write.set_item(name, PyTuple::new(py, slots.iter().map(|slot| writable(*slot)))?)?;
                    read.set_item(name, PyTuple::new(py, slots.iter().map(|slot| &locked[*slot]))?)?;
                }
                Entry::Nothing => {
                    write.set_item(name, py.None())?;
                    read.set_item(name, py.None())?;
                }
            }
        }
        let context = Context {
            shared,
            write: write.unbind(),
            read: read.unbind(),
            mode: Mode::Over,
            seed: 0,
            step: 0,
            happened: Vec::new(),
            told: Vec::new(),
        };
        Ok(Self { arrays, context: Py::new(py, context)? })
    }

    /// Fills the arrays from the state.
    pub(super) fn fill(&self, py: Python<'_>, plan: &ColumnPlan, access: &Access<'_, '_>) -> PyResult<()> {
        for (slot, array) in plan.slots.iter().zip(&self.arrays) {
            match (slot.handle, array) {
                (Handle::Real(column), Array::Real(array)) => fill(array.bind(py), column, access)?,
                (Handle::Count(column), Array::Count(array)) => fill(array.bind(py), column, access)?,
                (Handle::Byte(column), Array::Byte(array)) => fill(array.bind(py), column, access)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// Writes back the arrays that the part may change.
    pub(super) fn write_back(&self, py: Python<'_>, plan: &ColumnPlan, context: &EngineContext<'_>) -> PyResult<()> {
        for (slot, array) in plan.slots.iter().zip(&self.arrays).filter(|(slot, _)| slot.writes) {
            match (slot.handle, array) {
                (Handle::Real(column), Array::Real(array)) => {
                    write_back(array.bind(py), column, slot, context, |value, (low, high)| {
                        // A value that exceeds a bound only by rounding becomes the bound.
                        let rounding = (high - low) * 1e-12;
                        (value >= low - rounding && value <= high + rounding).then(|| value.clamp(low, high))
                    })?;
                }
                (Handle::Count(column), Array::Count(array)) => {
                    write_back(array.bind(py), column, slot, context, within)?;
                }
                (Handle::Byte(column), Array::Byte(array)) => {
                    write_back(array.bind(py), column, slot, context, within)?;
                }
                _ => {}
            }
        }
        Ok(())
    }
}

fn within<T: Copy + Into<f64>>(value: T, (low, high): (f64, f64)) -> Option<T> {
    (low..=high).contains(&value.into()).then_some(value)
}

impl Array {
    fn any<'s, 'py>(&'s self, py: Python<'py>) -> &'s Bound<'py, PyAny> {
        match self {
            Self::Real(array) => array.bind(py).as_any(),
            Self::Count(array) => array.bind(py).as_any(),
            Self::Byte(array) => array.bind(py).as_any(),
        }
    }
}

fn zeros<T: numpy::Element>(py: Python<'_>, shape: &[usize]) -> Py<PyArrayDyn<T>> {
    PyArray::<T, IxDyn>::zeros(py, shape, false).unbind()
}

/// A read-only view.
fn read_only<'py>(array: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let view = array.call_method0("view")?;
    view.getattr("flags")?.setattr("writeable", false)?;
    Ok(view)
}

fn fill<T: Element + numpy::Element>(
    array: &Bound<'_, PyArrayDyn<T>>,
    column: Column<T>,
    access: &Access<'_, '_>,
) -> PyResult<()> {
    let mut values = array.try_readwrite()?;
    let values = values.as_slice_mut()?.iter_mut();
    match access {
        Access::Write(context) => values.zip(context.get(column)).for_each(|(value, cell)| *value = cell.get()),
        Access::Read(reader) => values.zip(reader.get(column)).for_each(|(value, kept)| *value = *kept),
    }
    Ok(())
}

fn write_back<T: Element + numpy::Element + std::fmt::Display>(
    array: &Bound<'_, PyArrayDyn<T>>,
    column: Column<T>,
    slot: &Slot,
    context: &EngineContext<'_>,
    admit: impl Fn(T, (f64, f64)) -> Option<T>,
) -> PyResult<()> {
    let values = array.try_readonly()?;
    for (index, (value, cell)) in values.as_slice()?.iter().zip(context.get(column)).enumerate() {
        if cell.get() == *value {
            continue;
        }
        match admit(*value, slot.range) {
            Some(value) => cell.set(value),
            None => {
                let (low, high) = slot.range;
                let place = entry(index, &slot.shape);
                let message = format!("`{}`{place} became {value}, but it goes from {low} to {high}", slot.name);
                return Err(PyValueError::new_err(message));
            }
        }
    }
    Ok(())
}

/// The index of an entry, as Python writes it.
fn entry(mut index: usize, shape: &[usize]) -> String {
    if shape.is_empty() {
        return String::new();
    }
    let mut indices = Vec::new();
    for length in shape.iter().rev() {
        indices.push((index % length).to_string());
        index /= length;
    }
    indices.reverse();
    format!("[{}]", indices.join(", "))
}
