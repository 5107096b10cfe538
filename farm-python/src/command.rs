//! The package's command line, and remote players for its episodes.

use std::ffi::OsString;
use std::sync::Arc;

use farm_cli::BlockPlayer as Player;
use farm_core::{RemoteError, RemoteExecutor};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;

use crate::errors::{self, ConfigError};
use crate::parts::Consent;

/// Size of a number in bytes.
const WIDTH: usize = size_of::<f64>();

/// Runs the command line with arguments that exclude the program's name, and returns the exit code. `is_short` is true if the program was
/// called `farm`, like the one that cargo builds.
///
/// `elsewhere`, if given, plays the episodes of studies and tuning runs: the engine calls it with a list of blocks, as JSON strings. It
/// returns the result of `BlockPlayer.play` for each block. The command prints a `ConfigError` from it unchanged, and passes on any other
/// exception. An exception from a part written in Python is raised unchanged.
#[pyfunction]
#[pyo3(signature = (words, is_short, elsewhere=None))]
pub(crate) fn command(
    py: Python<'_>,
    words: Vec<OsString>,
    is_short: bool,
    elsewhere: Option<Py<PyAny>>,
) -> PyResult<u8> {
    let elsewhere = elsewhere.map(Elsewhere);
    let remote = elsewhere.as_ref().map(|elsewhere| elsewhere as &dyn RemoteExecutor);
    // Other Python threads continue, and parts written in Python acquire the interpreter on the thread where they play.
    let run = || {
        farm_cli::run_within(program(is_short), words, remote, |everything, command| {
            Arc::new(Consent { everything, classes: Vec::new() }).during_command(command)
        })
    };
    py.detach(|| errors::guarded(|| farm_cli::exit_number(run())))
}

fn program(is_short: bool) -> &'static str {
    if is_short { "farm" } else { "farm-gym" }
}

/// A callable that plays blocks.
#[derive(Debug)]
struct Elsewhere(Py<PyAny>);

impl RemoteExecutor for Elsewhere {
    fn play(&self, blocks: &[String]) -> Result<Vec<Vec<f64>>, RemoteError> {
        Python::attach(|py| {
            let played = self.0.call1(py, (blocks,)).and_then(|played| played.extract::<Vec<PyBackedBytes>>(py));
            match played {
                Ok(played) => played.iter().map(|bytes| numbers(bytes)).collect(),
                Err(error) if error.is_instance_of::<ConfigError>(py) => {
                    Err(RemoteError::Told(error.value(py).to_string()))
                }
                Err(error) => errors::throw(error),
            }
        })
    }
}

/// Decodes numbers from bytes: eight bytes each, in little-endian order.
fn numbers(bytes: &[u8]) -> Result<Vec<f64>, RemoteError> {
    let (whole, rest) = bytes.as_chunks::<WIDTH>();
    if rest.is_empty() {
        return Ok(whole.iter().copied().map(f64::from_le_bytes).collect());
    }
    Err(RemoteError::Told(format!(
        "error: {} bytes came back for a block, expected {WIDTH} for each episode",
        bytes.len()
    )))
}

/// Plays blocks of episodes for a `farm study` or `farm tune` command that runs on another machine. The study or the game stays open
/// between blocks.
#[pyclass(module = "farm_gym._native")]
pub(crate) struct BlockPlayer(Player);

#[pymethods]
impl BlockPlayer {
    /// Raises a `ConfigError` with the command's message if the arguments are wrong.
    #[new]
    fn new(words: Vec<OsString>, is_short: bool) -> PyResult<Self> {
        Player::new(program(is_short), words).map(Self).map_err(ConfigError::new_err)
    }

    /// The numbers of a block's episodes, eight bytes each, in little-endian order. Raises a `ConfigError` with the command's message.
    fn play<'py>(&mut self, py: Python<'py>, block: &str) -> PyResult<Bound<'py, PyBytes>> {
        let consent = Arc::new(Consent { everything: self.0.allows_plugins(), classes: Vec::new() });
        let play = || errors::guarded(|| consent.during_command(|| self.0.play(block)));
        let values = py.detach(play)?.map_err(ConfigError::new_err)?;
        let bytes: Vec<u8> = values.into_iter().flat_map(f64::to_le_bytes).collect();
        Ok(PyBytes::new(py, &bytes))
    }
}
