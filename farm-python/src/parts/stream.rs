//! Random numbers for Python parts: the engine's own streams, bit-identical on every platform and with every version of NumPy.

use farm_core::Stream as Engine;
use numpy::{Element, IxDyn, PyArray, PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::{PyAttributeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyList;

/// Random numbers for one part and purpose in one step, independent of all others.
///
/// Numbers are drawn one by one, or as an array with a given shape. ``binomial`` and ``bernoulli`` also accept arrays, and return an array
/// of their common shape. Results are the same on every platform and with every version of NumPy, except those from ``generator``.
#[pyclass(module = "farm_gym")]
pub struct Stream {
    engine: Engine,
}

impl Stream {
    pub fn new(engine: Engine) -> Self {
        Self { engine }
    }
}

#[pymethods]
impl Stream {
    /// Uniform numbers in [low, high]: one, or an array with a given shape, as in ``uniform(shape=(2, 2))``.
    #[pyo3(signature = (low=None, high=None, shape=None))]
    #[pyo3(text_signature = "($self, low=0.0, high=1.0, shape=None)")]
    fn uniform<'py>(
        &mut self,
        py: Python<'py>,
        low: Option<&Bound<'py, PyAny>>,
        high: Option<&Bound<'py, PyAny>>,
        shape: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (low, high) = (number("uniform", "low", low, 0.0)?, number("uniform", "high", high, 1.0)?);
        if !(low <= high && (high - low).is_finite()) {
            return Err(PyValueError::new_err(format!("uniform from {low} to {high}: low ≤ high is needed")));
        }
        // The default range is half open, as in NumPy.
        let whole = low == 0.0 && high == 1.0;
        self.fill(py, shape, |engine| if whole { engine.uniform() } else { engine.uniform_in(low, high) })
    }

    /// Uniform integers from low to high, inclusive: one, or an array with a given shape, as in ``integers(1, 6, shape=(2, 2))``.
    #[pyo3(signature = (low, high, shape=None))]
    fn integers<'py>(
        &mut self,
        py: Python<'py>,
        low: i32,
        high: i32,
        shape: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if low > high {
            return Err(PyValueError::new_err(format!("integers from {low} to {high}: low ≤ high is needed")));
        }
        self.fill(py, shape, |engine| i64::from(engine.integer_in(low, high)))
    }

    /// Normally distributed numbers: one, or an array with a given shape, as in ``normal(shape=(2, 2))``.
    #[pyo3(signature = (mean=None, deviation=None, shape=None))]
    #[pyo3(text_signature = "($self, mean=0.0, deviation=1.0, shape=None)")]
    fn normal<'py>(
        &mut self,
        py: Python<'py>,
        mean: Option<&Bound<'py, PyAny>>,
        deviation: Option<&Bound<'py, PyAny>>,
        shape: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (mean, deviation) = (number("normal", "mean", mean, 0.0)?, number("normal", "deviation", deviation, 1.0)?);
        self.fill(py, shape, |engine| mean + deviation * engine.normal())
    }

    /// The number of successes in n trials with success probability p; n and p are numbers or arrays.
    fn binomial<'py>(&mut self, n: &Bound<'py, PyAny>, p: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = n.py();
        let (mut trials, mut chances) = (contiguous::<i64>(n, "int64")?, contiguous::<f64>(p, "float64")?);
        if trials.shape() != chances.shape() && trials.ndim() * chances.ndim() > 0 {
            let both = py.import("numpy")?.call_method1("broadcast_arrays", (&trials, &chances))?;
            trials = contiguous(&both.get_item(0)?, "int64")?;
            chances = contiguous(&both.get_item(1)?, "float64")?;
        }
        let larger = if trials.ndim() > 0 { trials.shape() } else { chances.shape() }.to_vec();
        let (trials, chances) = (trials.try_readonly()?, chances.try_readonly()?);
        let (trials, chances) = (trials.as_slice()?, chances.as_slice()?);
        if let Some(bad) = trials.iter().find(|n| u32::try_from(**n).is_err()) {
            return Err(PyValueError::new_err(format!("binomial of {bad} trials: 0 to {} are possible", u32::MAX)));
        }
        // Each now has the full length, or one number for all trials.
        let count: usize = larger.iter().product();
        let nth = |i: usize| Some((*trials.get(i).or(trials.first())?, *chances.get(i).or(chances.first())?));
        let engine = &mut self.engine;
        let draws = (0..count).filter_map(nth).map(|(n, p)| i64::from(engine.binomial(n as u32, p)));
        shaped(py, larger.clone(), draws.collect())
    }

    /// True with probability p, a number or an array.
    fn bernoulli<'py>(&mut self, p: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = p.py();
        let p = contiguous::<f64>(p, "float64")?;
        let shape = p.shape().to_vec();
        let p = p.try_readonly()?;
        let engine = &mut self.engine;
        let draws = p.as_slice()?.iter().map(|p| engine.bernoulli(*p));
        shaped(py, shape, draws.collect())
    }

    /// A NumPy generator, seeded with 256 bits of this stream, for all other distributions.
    fn generator<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let words = PyList::new(py, (0..4).map(|_| self.engine.bits()))?;
        py.import("numpy.random")?.call_method1("default_rng", (words,))
    }

    fn __getattr__(&self, name: &str) -> PyResult<Py<PyAny>> {
        Err(PyAttributeError::new_err(format!(
            "a Stream has no `{name}`: it has `uniform`, `integers`, `normal`, `binomial` and `bernoulli`; `generator()` returns a \
             `numpy.random.Generator` for other distributions"
        )))
    }
}

impl Stream {
    fn fill<'py, T>(
        &mut self,
        py: Python<'py>,
        shape: Option<&Bound<'py, PyAny>>,
        mut draw: impl FnMut(&mut Engine) -> T,
    ) -> PyResult<Bound<'py, PyAny>>
    where
        T: Element,
    {
        let axes: Vec<usize> = match shape {
            None => Vec::new(),
            Some(shape) => match shape.extract::<usize>() {
                Ok(length) => vec![length],
                Err(_) => shape.extract()?,
            },
        };
        let array = PyArray::<T, IxDyn>::zeros(py, axes, false);
        let mut values = array.try_readwrite()?;
        values.as_slice_mut()?.iter_mut().for_each(|slot| *slot = draw(&mut self.engine));
        drop(values);
        if shape.is_none() { array.call_method0("item") } else { Ok(array.into_any()) }
    }
}

/// Reads a number from one of the first arguments, in which NumPy users may pass a shape by mistake.
fn number(method: &str, name: &str, given: Option<&Bound<'_, PyAny>>, default: f64) -> PyResult<f64> {
    let Some(given) = given else { return Ok(default) };
    given.extract().map_err(|_| {
        let found = given.repr().map_or_else(|_| "another value".to_owned(), |text| text.to_string());
        PyTypeError::new_err(format!(
            "{method}: `{name}` is {found}, but a number is needed; pass a shape by name: `{method}(shape=(2, 2))`"
        ))
    })
}

/// Values as a contiguous array of the given type.
pub(super) fn contiguous<'py, T: Element>(
    values: &Bound<'py, PyAny>,
    dtype: &str,
) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
    let array =
        values.py().import("numpy")?.call_method1(pyo3::intern!(values.py(), "asarray"), (values, dtype, "C"))?;
    Ok(array.cast_into::<PyArrayDyn<T>>()?)
}

/// The drawn numbers as an array with a given shape, or a single one as a Python number.
fn shaped<T: Element>(py: Python<'_>, shape: Vec<usize>, draws: Vec<T>) -> PyResult<Bound<'_, PyAny>> {
    let array = PyArray::from_vec(py, draws);
    if shape.is_empty() { array.get_item(0)?.call_method0("item") } else { Ok(array.reshape(shape)?.into_any()) }
}
