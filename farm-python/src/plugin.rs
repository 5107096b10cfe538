//! Plugins: third-party libraries, loaded into the module's engine.

use std::path::Path;

use farm_core::plugin;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::json;

use crate::convert::to_python;
use crate::errors;

fn told<'py>(py: Python<'py>, plugin: &plugin::Plugin) -> PyResult<Bound<'py, PyAny>> {
    let path = plugin.path().map(|path| path.display().to_string());
    to_python(py, &json!({"name": plugin.name(), "version": plugin.version(), "path": path, "kinds": plugin.kinds()}))
}

/// Loads a library and returns its description.
#[pyfunction]
pub(crate) fn load_plugin<'py>(py: Python<'py>, path: &str) -> PyResult<Bound<'py, PyAny>> {
    let loaded = py.detach(|| errors::guarded(|| plugin::load(Path::new(path))))?;
    told(py, &loaded.map_err(|refused| errors::plugin(&refused))?)
}

/// Loads the libraries named in the environment variable.
#[pyfunction]
pub(crate) fn load_plugins_of_environment(py: Python<'_>) -> PyResult<()> {
    let loaded = py.detach(|| errors::guarded(plugin::load_from_environment))?;
    loaded.map(drop).map_err(|refused| errors::plugin(&refused))
}

/// The loaded plugins, by name.
#[pyfunction]
pub(crate) fn plugins(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let plugins = PyDict::new(py);
    // Waits for a plugin that is being loaded.
    for plugin in py.detach(plugin::loaded) {
        plugins.set_item(plugin.name(), told(py, &plugin)?)?;
    }
    Ok(plugins)
}
