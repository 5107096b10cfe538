//! Weather files, for the package's class `WeatherFile`.

use std::path::PathBuf;

use farm_cli::Station;
use farm_output::save;
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::errors;

/// Weather from a file.
#[pyclass(frozen, module = "farm_gym._native")]
pub struct WeatherFile(Station);

#[pymethods]
impl WeatherFile {
    /// Reads a file for a field at a latitude, or at the location in the file if no latitude is given.
    #[new]
    #[pyo3(signature = (path, latitude=None, interpolate=false))]
    fn new(py: Python<'_>, path: PathBuf, latitude: Option<f64>, interpolate: bool) -> PyResult<Self> {
        let read = py.detach(|| errors::guarded(|| Station::open(&path, latitude, interpolate)))?;
        Ok(Self(read.map_err(|problems| errors::config(&problems))?))
    }

    #[getter]
    fn latitude(&self) -> f64 {
        self.0.latitude_degrees()
    }

    /// Warnings about implausible numbers.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        let findings = self.0.series().findings.iter();
        findings.map(|finding| format!("{}; it may come from {}", finding.message, finding.cause)).collect()
    }

    /// Describes the data read, the assumptions and the warnings, and summarises each month.
    fn text(&self) -> String {
        self.0.text()
    }

    /// The dates of the days; none for a table without dates.
    fn dates(&self) -> Option<Vec<String>> {
        let series = self.0.series();
        (0..series.days.len()).map(|day| series.date(day).map(|date| date.to_string())).collect()
    }

    /// The columns of the daily data, by header.
    fn columns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let columns = PyDict::new(py);
        for (header, values) in self.0.series().columns() {
            columns.set_item(header, PyArray1::from_vec(py, values))?;
        }
        Ok(columns)
    }

    /// Writes the daily data as a table with units.
    fn save_csv(&self, path: PathBuf) -> PyResult<()> {
        save(&path, self.0.series().to_csv().as_bytes()).map_err(|error| errors::written(&error))
    }

    /// Writes the picture of the monthly data as SVG.
    fn save_svg(&self, path: PathBuf) -> PyResult<()> {
        save(&path, self.0.svg().as_bytes()).map_err(|error| errors::written(&error))
    }

    /// Writes the picture of the monthly data as PNG.
    fn save_png(&self, path: PathBuf) -> PyResult<()> {
        save(&path, &self.drawn()?).map_err(|error| errors::written(&error))
    }

    /// The picture of the monthly data, as the bytes of a PNG file.
    fn png<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.drawn()?))
    }
}

impl WeatherFile {
    fn drawn(&self) -> PyResult<Vec<u8>> {
        self.0.png().map_err(|error| errors::ConfigError::new_err(error.to_string()))
    }
}
