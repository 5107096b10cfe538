//! The context that a Python part receives in a call.

use std::sync::Arc;

use farm_core::{Event, Purpose, Stream as Engine};
use numpy::PyUntypedArray;
use pyo3::exceptions::{PyKeyError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};

use super::stream::Stream;
use farm_core::declare::DeclarationError;

/// The data that a part reads and writes in a call. It contains, by name, the arrays of the part's variables and of the roles that the part
/// looks up.
///
/// ``context["population#nb"]`` is the array itself: ``+=``, ``[...] =`` and similar operations write the state.
/// ``context["population#nb"] = 3`` fills it. A variable with one value has an array without axes: ``float(context["day"])``. Roles of
/// other parts are read-only unless they were looked up with ``writes=True``. A context and its arrays are valid only during the call that
/// receives them.
#[pyclass(module = "farm_gym")]
pub struct Context {
    pub(super) shared: Arc<Shared>,
    /// The values by name, for calls that may write: arrays, tuples of arrays, or None.
    pub(super) write: Py<PyDict>,
    /// The same values with read-only arrays.
    pub(super) read: Py<PyDict>,
    pub(super) mode: Mode,
    pub(super) seed: u64,
    pub(super) step: u32,
    /// The events in this step before the call.
    pub(super) happened: Vec<Event>,
    /// The events that the part emits: index, plot, value.
    pub(super) told: Vec<(usize, usize, f64)>,
}

/// The data that all calls to a part share.
pub(super) struct Shared {
    /// The key of its random streams.
    pub key: u64,
    /// Number of plots in its field from west to east, and from north to south.
    pub length: usize,
    pub width: usize,
    /// The events that it declares: names, and maximum number in a step.
    pub own_events: Vec<(String, usize)>,
    /// All of the game's events by index: kind, and path of the source.
    pub all_events: Vec<(String, String)>,
}

/// What a call may do.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Over,
    Read,
    Write,
}

#[pymethods]
impl Context {
    fn __getitem__<'py>(&self, name: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyAny>> {
        let py = name.py();
        let found = self.find(name)?;
        match found.cast::<PyTuple>() {
            Ok(several) => {
                let views = several.iter().map(|array| view(&array)).collect::<PyResult<Vec<_>>>()?;
                Ok(PyTuple::new(py, views)?.into_any())
            }
            Err(_) => view(&found),
        }
    }

    fn __setitem__<'py>(&self, name: &Bound<'py, PyString>, value: &Bound<'py, PyAny>) -> PyResult<()> {
        let found = self.find(name)?;
        if found.cast::<PyUntypedArray>().is_err() {
            return Err(PyTypeError::new_err(format!("`{name}` is not a single array: fill its arrays instead")));
        }
        found.set_item(name.py().Ellipsis(), value)
    }

    fn __contains__(&self, name: &Bound<'_, PyString>) -> PyResult<bool> {
        self.arrays(name.py())?.contains(name)
    }

    /// The names of all arrays.
    fn keys<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        Ok(self.arrays(py)?.keys())
    }

    /// Number of steps taken before this one.
    #[getter]
    fn step(&self) -> u32 {
        self.step
    }

    /// Seed of the episode.
    #[getter]
    fn seed(&self) -> u64 {
        self.seed
    }

    /// The events in this step so far: a list of dictionaries, as in ``info["events"]``, with ``kind``, ``source``, ``plot`` (its flat
    /// index, ``x · width + y``) and ``value``.
    #[getter]
    fn events<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let events = PyList::empty(py);
        let add = |kind: &str, source: &str, plot: usize, value: f64| {
            let event = PyDict::new(py);
            event.set_item("kind", kind)?;
            event.set_item("source", source)?;
            event.set_item("plot", plot)?;
            event.set_item("value", value)?;
            events.append(event)
        };
        for event in &self.happened {
            if let Some((kind, source)) = self.shared.all_events.get(event.id.index()) {
                add(kind, source, event.plot as usize, event.value)?;
            }
        }
        Ok(events)
    }

    /// Random numbers for a purpose, such as ``"arrival"``. Each purpose has different numbers in each step, and for each plot (or other
    /// index) if you pass one. A second call for the same purpose in the same step repeats the same numbers, so keep the first stream.
    #[pyo3(signature = (purpose, index=None))]
    fn random(&self, purpose: &str, index: Option<usize>) -> Stream {
        let purpose = Purpose::named(purpose);
        let purpose = index.map_or(purpose, |index| purpose.at(index));
        Stream::new(Engine::keyed(self.seed, self.shared.key, self.step, purpose))
    }

    /// Emits an event that the part has declared, with a value and, optionally, a plot as (x, y).
    #[pyo3(signature = (event, value=1.0, plot=None))]
    fn emit(&mut self, event: &str, value: f64, plot: Option<(usize, usize)>) -> PyResult<()> {
        if self.mode != Mode::Write {
            return Err(self.closed());
        }
        let Some(index) = self.shared.own_events.iter().position(|(name, _)| name == event) else {
            let names = self.shared.own_events.iter().map(|(name, _)| name.as_str());
            return Err(PyKeyError::new_err(unknown("event", event, names)));
        };
        let most = self.shared.own_events[index].1;
        let told = self.told.iter().filter(|(other, ..)| *other == index).count();
        if told >= most {
            let message = format!("`{event}` was declared to happen at most {most} times in a step");
            return Err(PyValueError::new_err(message));
        }
        let plot = match plot {
            Some((x, y)) if x < self.shared.length && y < self.shared.width => x * self.shared.width + y,
            Some(plot) => return Err(PyValueError::new_err(format!("there is no plot {plot:?}"))),
            None => 0,
        };
        self.told.push((index, plot, value));
        Ok(())
    }
}

impl Context {
    fn arrays<'py>(&self, py: Python<'py>) -> PyResult<&Bound<'py, PyDict>> {
        match self.mode {
            Mode::Write => Ok(self.write.bind(py)),
            Mode::Read => Ok(self.read.bind(py)),
            Mode::Over => Err(self.closed()),
        }
    }

    fn find<'py>(&self, name: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyAny>> {
        let arrays = self.arrays(name.py())?;
        match arrays.get_item(name)? {
            Some(found) => Ok(found),
            None => {
                let names: Vec<String> = arrays.keys().iter().map(|key| key.to_string()).collect();
                let message = unknown("variable or role", &name.to_string(), names.iter().map(String::as_str));
                Err(PyKeyError::new_err(message))
            }
        }
    }

    fn closed(&self) -> PyErr {
        PyRuntimeError::new_err(match self.mode {
            Mode::Over => "a context is valid only in the call that it was passed to",
            _ => "this call only reads: it must not change anything",
        })
    }
}

/// Another view of an array, so that the stored array keeps its shape.
fn view<'py>(array: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    if array.is_none() { Ok(array.clone()) } else { array.call_method0(pyo3::intern!(array.py(), "view")) }
}

/// The message for a name that was not declared.
fn unknown<'n>(what: &str, name: &str, names: impl Iterator<Item = &'n str>) -> String {
    let message = format!("no {what} `{name}` was declared");
    farm_core::config::Problem::new(DeclarationError::PartProblem, Default::default(), message)
        .among(name, names)
        .sentence()
}
