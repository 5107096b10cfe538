//! Random numbers for Python parts: the engine's own streams, bit-identical on every platform and with every version of NumPy.

use farm_core::rng::Stream as Engine;
use numpy::{Element, IxDyn, PyArray, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyList;

/// Random numbers for one purpose of one part in one step, independent of all others.
///
/// Numbers come one by one, or as an array of a shape; ``binomial`` and ``bernoulli`` also take arrays and return one of their
/// common shape. Results are the same on every platform and with every version of NumPy, but for those of ``generator``.
#[pyclass(module = "farm_gym._native")]
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
    /// Numbers uniform in [low, high].
    #[pyo3(signature = (low=0.0, high=1.0, shape=None))]
    fn uniform<'py>(
        &mut self,
        py: Python<'py>,
        low: f64,
        high: f64,
        shape: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if !(low <= high && (high - low).is_finite()) {
            return Err(PyValueError::new_err(format!("uniform from {low} to {high}: low ≤ high is needed")));
        }
        // The default range is half open, as that of NumPy.
        let whole = low == 0.0 && high == 1.0;
        self.fill(py, shape, |engine| if whole { engine.uniform() } else { engine.uniform_in(low, high) })
    }

    /// Whole numbers uniform from low to high, both included.
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

    /// Normal numbers.
    #[pyo3(signature = (mean=0.0, deviation=1.0, shape=None))]
    fn normal<'py>(
        &mut self,
        py: Python<'py>,
        mean: f64,
        deviation: f64,
        shape: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.fill(py, shape, |engine| mean + deviation * engine.normal())
    }

    /// Successes in n trials of probability p each; n and p are numbers or arrays.
    fn binomial<'py>(&mut self, n: &Bound<'py, PyAny>, p: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = n.py();
        let (n, p) = together(n, p)?;
        let (n, p) = (n.try_readonly()?, p.try_readonly()?);
        let (trials, chances) = (n.as_slice()?, p.as_slice()?);
        if let Some(bad) = trials.iter().find(|n| u32::try_from(**n).is_err()) {
            return Err(PyValueError::new_err(format!("binomial of {bad} trials: 0 to {} are possible", u32::MAX)));
        }
        let engine = &mut self.engine;
        let draws = trials.iter().zip(chances).map(|(n, p)| i64::from(engine.binomial(*n as u32, *p)));
        shaped(py, &n, draws.collect())
    }

    /// True with probability p, a number or an array.
    fn bernoulli<'py>(&mut self, p: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = p.py();
        let p = contiguous::<f64>(p, "float64")?;
        let p = p.try_readonly()?;
        let engine = &mut self.engine;
        let draws = p.as_slice()?.iter().map(|p| engine.bernoulli(*p));
        shaped(py, &p, draws.collect())
    }

    /// A NumPy generator that is seeded by 256 bits of this stream, for all other distributions.
    fn generator<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let words = PyList::new(py, (0..4).map(|_| self.engine.bits()))?;
        py.import("numpy.random")?.call_method1("default_rng", (words,))
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

/// An array of a type, its numbers side by side.
fn contiguous<'py, T: Element>(values: &Bound<'py, PyAny>, dtype: &str) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
    let numpy = values.py().import("numpy")?;
    // `require` keeps arrays without axes as they are, which `ascontiguousarray` does not.
    let array = numpy.call_method1("require", (values, dtype, "C"))?;
    Ok(array.cast_into::<PyArrayDyn<T>>()?)
}

/// Two arrays brought to their common shape.
#[expect(clippy::type_complexity, reason = "two arrays of different types")]
fn together<'py>(
    n: &Bound<'py, PyAny>,
    p: &Bound<'py, PyAny>,
) -> PyResult<(Bound<'py, PyArrayDyn<i64>>, Bound<'py, PyArrayDyn<f64>>)> {
    let both = n.py().import("numpy")?.call_method1("broadcast_arrays", (n, p))?;
    Ok((contiguous(&both.get_item(0)?, "int64")?, contiguous(&both.get_item(1)?, "float64")?))
}

/// Draws in the shape of what they were drawn for; a single one as a Python number.
fn shaped<'py, T: Element, U: Element>(
    py: Python<'py>,
    like: &PyReadonlyArrayDyn<'py, U>,
    draws: Vec<T>,
) -> PyResult<Bound<'py, PyAny>> {
    let shape = like.as_array().shape().to_vec();
    let array = PyArray::from_vec(py, draws).into_any();
    let array = array.call_method1("reshape", (shape.clone(),))?;
    if shape.is_empty() { array.call_method0("item") } else { Ok(array) }
}
