//! Monitors and their recordings, for the package's `Monitor` and `VectorMonitor` classes, which add functions written in Python.

use std::collections::BTreeMap;
use std::path::Path as FilePath;

use farm_core::config::{Path, Problems};
use farm_core::inspect::monitors_of;
use farm_core::{Monitor, Observer, State};
use farm_monitor::table::Column;
use farm_monitor::{Csv, Parquet, Recorder, Row, RowObserver, Series, Sink, TensorBoard};
use farm_output::OutputError;
use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray3, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};
use serde_json::json;

use crate::convert::{to_json, to_python};
use crate::environment::Environment;
use crate::errors;
use crate::game::Game;
use crate::vector::VectorEnvironment;

/// A game's monitors: those in a list, those that the game names, or one for every variable.
#[pyclass(frozen, module = "farm_gym._native")]
pub struct Monitors {
    monitors: Vec<Monitor>,
    series: Vec<Series>,
}

#[pymethods]
impl Monitors {
    #[new]
    #[pyo3(signature = (game, entries=None))]
    fn new(game: &Game, entries: Option<Vec<Bound<'_, PyAny>>>) -> PyResult<Self> {
        let game = &game.game;
        let recorder = match entries {
            None => Recorder::of(game),
            Some(entries) => {
                let mut values = Vec::with_capacity(entries.len());
                for entry in &entries {
                    let value = serde_yaml::to_value(to_json(entry)?);
                    values.push(value.map_err(|error| errors::ConfigError::new_err(error.to_string()))?);
                }
                let mut problems = Problems::default();
                let monitors = monitors_of(&values, game.names(), game.rules().max_steps, &mut problems);
                if problems.has_errors() {
                    // There is no file to point at, so the value identifies the entry.
                    problems.0.iter_mut().for_each(|problem| problem.path = Path::default());
                    return Err(errors::config(&problems));
                }
                Recorder::new(game, monitors)
            }
        };
        Ok(Self { monitors: recorder.monitors().to_vec(), series: recorder.series().to_vec() })
    }

    /// The description of each monitor.
    fn series<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.series.iter().map(described).collect())
    }

    /// The current values of each monitor, as an array with the monitor's shape.
    fn read<'py>(&self, py: Python<'py>, environment: &Environment) -> PyResult<Bound<'py, PyList>> {
        self.arrays(py, environment.environment.game(), environment.environment.state())
    }

    /// The current values of each monitor in one environment of a batch.
    fn read_of<'py>(
        &self,
        py: Python<'py>,
        environments: &VectorEnvironment,
        environment: usize,
    ) -> PyResult<Bound<'py, PyList>> {
        let state = environments.engine.state(environment).map_err(|error| errors::vector(&error))?;
        let game = environments.engine.game_of(environment).map_err(|error| errors::vector(&error))?;
        self.arrays(py, game, state)
    }
}

impl Monitors {
    /// The monitors, with the game's names resolved.
    pub fn all(&self) -> &[Monitor] {
        &self.monitors
    }

    fn arrays<'py>(&self, py: Python<'py>, game: &farm_core::Game, state: &State) -> PyResult<Bound<'py, PyList>> {
        let reader = game.reader(state);
        let arrays = PyList::empty(py);
        for monitor in &self.monitors {
            let mut out = vec![0.0; monitor.len()];
            monitor.read(&reader, &mut out);
            arrays.append(PyArray1::from_vec(py, out).reshape(monitor.shape().to_vec())?)?;
        }
        Ok(arrays)
    }
}

fn described(series: &Series) -> serde_json::Value {
    json!({
        "title": series.title,
        "part": series.part,
        "variable": series.variable,
        "function": series.function,
        "unit": series.unit,
        "range": series.range.map(|(low, high)| [low, high]),
        "shape": series.shape,
        "words": series.words,
    })
}

/// Rows of monitor values and of numbers from Python functions. The rows are stored, and written to the requested outputs.
#[pyclass(module = "farm_gym._native")]
pub struct Recording {
    game: Py<Game>,
    /// The rows of a single environment, until the numbers from Python functions are added to them.
    rows: RowObserver<Vec<Row>>,
    /// The descriptions of the numbers from Python functions.
    others: Vec<Series>,
    kept: farm_monitor::Recording,
    keep: bool,
    /// The recorded environments of a batch; none for a single environment.
    batch: Option<Vec<usize>>,
    /// The boards, by environment.
    boards: BTreeMap<usize, TensorBoard>,
}

/// A picture with its title.
type Picture<'py> = (String, PyReadonlyArray3<'py, u8>);

#[pymethods]
impl Recording {
    /// `others` has the title, part, variable and shape of each number from a Python function; `batch` lists the recorded environments of a
    /// batch.
    #[new]
    #[pyo3(signature = (game, monitors, others, keep, batch=None))]
    fn new(
        game: &Bound<'_, Game>,
        monitors: &Monitors,
        others: Vec<(String, String, String, Vec<usize>)>,
        keep: bool,
        batch: Option<Vec<usize>>,
    ) -> PyResult<Self> {
        let other = |(title, part, variable, shape)| Series { title, part, variable, shape, ..Series::default() };
        let others: Vec<Series> = others.into_iter().map(other).collect();
        let all: Vec<Series> = monitors.series.iter().chain(&others).cloned().collect();
        if let Some(series) = all.iter().enumerate().find(|(i, s)| all[..*i].iter().any(|o| o.title == s.title)) {
            let message = format!("two monitors have the title `{}`: give each its own title", series.1.title);
            return Err(errors::ConfigError::new_err(message));
        }
        let recorder = Recorder::new(&game.get().game, monitors.monitors.clone());
        Ok(Self {
            game: game.clone().unbind(),
            rows: RowObserver::new(recorder, Vec::new()),
            others,
            kept: farm_monitor::Recording::new(&all),
            keep,
            batch,
            boards: BTreeMap::new(),
        })
    }

    /// Rejects another game's monitors if they differ from these.
    fn check(&self, monitors: &Monitors) -> PyResult<()> {
        if self.rows.recorder().series() != monitors.series.as_slice() {
            return Err(errors::ConfigError::new_err(
                "these options change what is monitored: make a new environment with them, or monitor something else",
            ));
        }
        Ok(())
    }

    /// Switches to another game, whose monitors must be the same.
    fn rebind(&mut self, game: &Bound<'_, Game>, monitors: &Monitors) -> PyResult<()> {
        self.check(monitors)?;
        self.rows.recorder_mut().rebind(Recorder::new(&game.get().game, monitors.monitors.clone()));
        self.game = game.clone().unbind();
        Ok(())
    }

    /// Records the start of an episode, or a restored state.
    fn start(
        &mut self,
        environment: &Environment,
        numbers: PyReadonlyArray1<'_, f64>,
        pictures: Vec<Picture<'_>>,
    ) -> PyResult<()> {
        let environment = &environment.environment;
        let seen = self.rows.after_reset(environment.game(), environment.state());
        seen.map_err(|error| errors::observer(&error))?;
        self.add_seen(&numbers, &pictures)
    }

    /// Records a step.
    fn step(
        &mut self,
        environment: &Environment,
        reward: f64,
        numbers: PyReadonlyArray1<'_, f64>,
        pictures: Vec<Picture<'_>>,
    ) -> PyResult<()> {
        self.rows.after_step(&environment.transition(reward)).map_err(|error| errors::observer(&error))?;
        self.add_seen(&numbers, &pictures)
    }

    /// Records a batch's new rows, each with the numbers and pictures that Python functions made from it.
    fn take(
        &mut self,
        environments: &mut VectorEnvironment,
        numbers: Vec<PyReadonlyArray1<'_, f64>>,
        pictures: Vec<Vec<Picture<'_>>>,
    ) -> PyResult<()> {
        let mut failure = Ok(());
        let (mut numbers, mut pictures) = (numbers.into_iter(), pictures.into_iter());
        for row in environments.take_rows() {
            let added = self.add(row, numbers.next().as_ref(), &pictures.next().unwrap_or_default());
            // All rows are stored, even if a folder was removed.
            failure = failure.and(added);
        }
        failure
    }

    /// Starts writing for TensorBoard, and returns the folder. Each environment in a batch has its own subfolder.
    fn open_board(&mut self, folder: &str) -> PyResult<String> {
        let create = |folder: &FilePath| {
            TensorBoard::create(folder, self.kept.series()).map_err(|error| errors::written(&error))
        };
        let Some(batch) = &self.batch else {
            let board = create(folder.as_ref())?;
            let folder = board.folder().display().to_string();
            self.boards = BTreeMap::from([(0, board)]);
            return Ok(folder);
        };
        let of_environment = |i: &usize| {
            let own = FilePath::new(folder).join(format!("environment_{i:04}"));
            create(&own).map(|board| (*i, board))
        };
        self.boards = batch.iter().map(of_environment).collect::<PyResult<_>>()?;
        Ok(folder.to_owned())
    }

    /// Stops writing for TensorBoard.
    fn close_board(&mut self) {
        self.boards.clear();
    }

    /// Writes a stored row for TensorBoard.
    fn replay(&mut self, row: usize, pictures: Vec<Picture<'_>>) -> PyResult<()> {
        let Some(row) = self.kept.rows().get(row) else { return Ok(()) };
        self.boards.get_mut(&row.environment).map_or(Ok(()), |board| show(board, row, &pictures))
    }

    fn __len__(&self) -> usize {
        self.kept.rows().len()
    }

    /// The environment index, episode index, seed and day of each row.
    fn places(&self) -> (Vec<usize>, Vec<usize>, Vec<u64>, Vec<u32>) {
        let rows = self.kept.rows();
        let (mut environments, mut episodes) = (Vec::new(), Vec::new());
        let (mut seeds, mut steps) = (Vec::new(), Vec::new());
        for row in rows {
            environments.push(row.environment);
            episodes.push(row.episode);
            seeds.push(row.seed);
            steps.push(row.step);
        }
        (environments, episodes, seeds, steps)
    }

    /// The entries of the series with an index. The first axis is the rows.
    fn entries<'py>(&self, py: Python<'py>, series: usize) -> PyResult<Bound<'py, PyAny>> {
        let rows = self.kept.rows();
        let numbers: Vec<f64> = rows.iter().flat_map(|row| self.kept.entry(row, series)).copied().collect();
        let own = self.kept.series().get(series).map_or(&[][..], |series| series.shape.as_slice());
        let shape: Vec<usize> = std::iter::once(rows.len()).chain(own.iter().copied()).collect();
        Ok(PyArray1::from_vec(py, numbers).reshape(shape)?.into_any())
    }

    /// The events in each row: a list of lists.
    fn events<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let row = |row: &Row| {
            let events = row.events.iter();
            let shown = events.map(|event| {
                let mut shown =
                    json!({"kind": event.name, "source": event.part, "plot": event.plot, "value": event.value});
                if let Some(label) = &event.label {
                    shown["label"] = json!(label);
                }
                shown
            });
            shown.collect::<serde_json::Value>()
        };
        to_python(py, &self.kept.rows().iter().map(row).collect())
    }

    /// The columns of the table, by name.
    fn table<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let rows = self.kept.rows();
        let table = PyDict::new(py);
        let whole = |number: &dyn Fn(&Row) -> i64| PyArray1::from_iter(py, rows.iter().map(number));
        if self.batch.is_some() {
            table.set_item("environment", whole(&|row| row.environment as i64))?;
        }
        table.set_item("episode", whole(&|row| row.episode as i64))?;
        table.set_item("seed", PyArray1::from_iter(py, rows.iter().map(|row| row.seed)))?;
        table.set_item("step", whole(&|row| i64::from(row.step)))?;
        let rewards = rows.iter().map(|row| row.reward.unwrap_or(f64::NAN));
        table.set_item("reward", PyArray1::from_iter(py, rewards))?;
        table.set_item("actions", rows.iter().map(|row| row.actions.join("; ")).collect::<Vec<_>>())?;
        for (i, column) in Column::of(self.kept.series(), self.batch.is_some()).iter().enumerate() {
            let numbers = || rows.iter().map(|row| row.values.get(i).copied().unwrap_or(f64::NAN));
            if !column.words.is_empty() {
                let words: Vec<Option<&str>> = numbers().map(|number| column.word(number)).collect();
                table.set_item(&column.name, words)?;
            } else if column.is_whole && numbers().all(|number| !number.is_nan()) {
                table.set_item(&column.name, PyArray1::from_iter(py, numbers().map(|number| number as i64)))?;
            } else {
                table.set_item(&column.name, PyArray1::from_iter(py, numbers()))?;
            }
        }
        Ok(table)
    }

    fn to_csv(&self, path: &str) -> PyResult<()> {
        let create = if self.batch.is_some() { Csv::of_batch } else { Csv::create };
        self.write(|series| Ok(Box::new(create(path.as_ref(), series)?)))
    }

    fn to_parquet(&self, path: &str) -> PyResult<()> {
        let create = if self.batch.is_some() { Parquet::of_batch } else { Parquet::create };
        self.write(|series| Ok(Box::new(create(path.as_ref(), series)?)))
    }

    /// The recording as bytes.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.kept.to_bytes().map_err(|error| errors::written(&error))?))
    }

    /// Continues another recording, which has `episodes` episodes.
    fn go_on(&mut self, bytes: &[u8], episodes: usize) -> PyResult<()> {
        let kept = farm_monitor::Recording::from_bytes(bytes).map_err(|error| errors::written(&error))?;
        if kept.series() != self.kept.series() {
            return Err(errors::ConfigError::new_err("the recording has other monitors"));
        }
        self.kept = kept;
        self.rows.recorder_mut().go_on(episodes);
        Ok(())
    }

    /// The game being played.
    #[getter]
    fn game(&self, py: Python<'_>) -> Py<Game> {
        self.game.clone_ref(py)
    }

    /// Number of episodes that have started.
    #[getter]
    fn episodes(&self) -> usize {
        self.rows.recorder().episodes()
    }
}

impl Recording {
    /// Adds the last row.
    fn add_seen(&mut self, numbers: &PyReadonlyArray1<'_, f64>, pictures: &[Picture<'_>]) -> PyResult<()> {
        let row = self.rows.sink_mut().pop();
        row.map_or(Ok(()), |row| self.add(row, Some(numbers), pictures))
    }

    fn add(
        &mut self,
        mut row: Row,
        numbers: Option<&PyReadonlyArray1<'_, f64>>,
        pictures: &[Picture<'_>],
    ) -> PyResult<()> {
        let wanted: usize = self.others.iter().map(Series::len).sum();
        let given = numbers.map_or(0, |numbers| numbers.len());
        if given != wanted {
            return Err(errors::ConfigError::new_err(format!("{given} numbers, but {wanted} are needed")));
        }
        row.values.extend(numbers.iter().flat_map(|numbers| numbers.as_array().to_vec()));
        let board = self.boards.get_mut(&row.environment);
        let shown = board.map_or(Ok(()), |board| show(board, &row, pictures));
        if self.keep {
            self.kept.row(&row).map_err(|error| errors::written(&error))?;
        }
        shown
    }

    fn write(&self, create: impl FnOnce(&[Series]) -> Result<Box<dyn Sink>, OutputError>) -> PyResult<()> {
        let write = || {
            let mut sink = create(self.kept.series())?;
            self.kept.rows().iter().try_for_each(|row| sink.row(row))?;
            sink.finish()
        };
        write().map_err(|error| errors::written(&error))
    }
}

/// Writes a row to a board.
fn show(board: &mut TensorBoard, row: &Row, pictures: &[Picture<'_>]) -> PyResult<()> {
    let mut drawn = Vec::with_capacity(pictures.len());
    for (title, pixels) in pictures {
        let [height, width, _] = pixels.shape() else { continue };
        drawn.push((title.as_str(), *width, *height, pixels.as_slice()?));
    }
    board.row_with(row, &drawn).map_err(|error| errors::written(&error))
}
