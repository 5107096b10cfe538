//! Charts of numbers from Python, such as training returns.

use std::path::PathBuf;

use farm_output::save;
use farm_plot::{Lines, Series};
use pyo3::prelude::*;

use crate::errors;

/// Width and height of the plot area, in pixels.
const SIZE: (f64, f64) = (720.0, 320.0);
/// Picture pixels per chart pixel.
const SCALE: f32 = 2.0;

/// Draws a line chart as a PNG file, from a title, the labels of both axes, and the points of each named line.
#[pyfunction]
pub(crate) fn save_chart(
    path: PathBuf,
    title: String,
    x: String,
    y: String,
    series: Vec<(String, Vec<(f64, f64)>)>,
) -> PyResult<()> {
    let series = series
        .into_iter()
        .enumerate()
        .map(|(color, (name, points))| Series { name, points, color, ..Series::default() })
        .collect();
    let lines = Lines { title, x, y, series, is_named: true, width: SIZE.0, height: SIZE.1, ..Lines::default() };
    let png = lines.draw().png(SCALE).map_err(|error| errors::ConfigError::new_err(error.to_string()))?;
    save(&path, &png).map_err(|error| errors::written(&error))
}
