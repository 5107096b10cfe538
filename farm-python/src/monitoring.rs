//! Monitors and what they record, beneath the class `Monitor` of the package, which adds functions written in Python.

use farm_core::config::{Path, Problems};
use farm_core::monitor;
use farm_monitor::table::Column;
use farm_monitor::{Csv, MonitorError, Parquet, Recorder, Row, Series, Sink, TensorBoard};
use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray3, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};
use serde_json::json;

use crate::convert::{to_json, to_python};
use crate::environment::Environment;
use crate::errors;
use crate::game::Game;

/// Monitors of a game: those of a list, those that the game names, or one for every variable.
#[pyclass(frozen, module = "farm_gym._native")]
pub struct Monitors {
    monitors: Vec<monitor::Monitor>,
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
                let monitors = monitor::list(&values, game.names(), game.max_steps(), &mut problems);
                if problems.has_errors() {
                    // Nobody has a file at hand: the value tells which entry is meant.
                    problems.0.iter_mut().for_each(|problem| problem.path = Path::default());
                    return Err(errors::config(&problems));
                }
                Recorder::new(game, monitors)
            }
        };
        Ok(Self { monitors: recorder.monitors().to_vec(), series: recorder.series().to_vec() })
    }

    /// What each of them is.
    fn series<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.series.iter().map(described).collect())
    }

    /// What each of them reads now: an array of its shape.
    fn read<'py>(&self, py: Python<'py>, environment: &Environment) -> PyResult<Bound<'py, PyList>> {
        let game = environment.environment.game();
        let reader = game.reader(environment.environment.state());
        let arrays = PyList::empty(py);
        for monitor in &self.monitors {
            let mut out = vec![0.0; monitor.len()];
            monitor.read(&reader, &mut out);
            arrays.append(PyArray1::from_vec(py, out).reshape(monitor.shape.clone())?)?;
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

/// Rows of what monitors read, and of numbers that somebody else has computed; kept, and written where they are wanted.
#[pyclass(module = "farm_gym._native")]
pub struct Recording {
    game: Py<Game>,
    recorder: Recorder,
    /// What the numbers of others are.
    others: Vec<Series>,
    kept: farm_monitor::Recording,
    keep: bool,
    board: Option<TensorBoard>,
}

/// A picture with its title.
type Picture<'py> = (String, PyReadonlyArray3<'py, u8>);

#[pymethods]
impl Recording {
    /// `others` are titles, parts, variables and shapes of the numbers of others.
    #[new]
    fn new(
        game: &Bound<'_, Game>,
        monitors: &Monitors,
        others: Vec<(String, String, String, Vec<usize>)>,
        keep: bool,
    ) -> PyResult<Self> {
        let other = |(title, part, variable, shape)| Series { title, part, variable, shape, ..Series::default() };
        let others: Vec<Series> = others.into_iter().map(other).collect();
        let all: Vec<Series> = monitors.series.iter().chain(&others).cloned().collect();
        if let Some(series) = all.iter().enumerate().find(|(i, s)| all[..*i].iter().any(|o| o.title == s.title)) {
            let message = format!("two monitors have the title `{}`: give each a title of its own", series.1.title);
            return Err(errors::ConfigError::new_err(message));
        }
        let recorder = Recorder::new(&game.get().game, monitors.monitors.clone());
        Ok(Self {
            game: game.clone().unbind(),
            recorder,
            others,
            kept: farm_monitor::Recording::new(&all),
            keep,
            board: None,
        })
    }

    /// Goes on with another game, whose monitors must be the same.
    fn rebind(&mut self, game: &Bound<'_, Game>, monitors: &Monitors) -> PyResult<()> {
        if self.recorder.series() != monitors.series.as_slice() {
            return Err(errors::ConfigError::new_err(
                "these options change what is monitored: make a new environment with them, or monitor something else",
            ));
        }
        self.recorder.rebind(Recorder::new(&game.get().game, monitors.monitors.clone()));
        self.game = game.clone().unbind();
        Ok(())
    }

    /// Records the start of an episode, or a state that play goes on from.
    fn start(
        &mut self,
        environment: &Environment,
        numbers: PyReadonlyArray1<'_, f64>,
        pictures: Vec<Picture<'_>>,
    ) -> PyResult<()> {
        let environment = &environment.environment;
        let row = self.recorder.start(environment.game(), environment.state()).clone();
        self.add(row, &numbers, &pictures)
    }

    /// Records a step.
    fn step(
        &mut self,
        environment: &Environment,
        reward: f64,
        numbers: PyReadonlyArray1<'_, f64>,
        pictures: Vec<Picture<'_>>,
    ) -> PyResult<()> {
        let environment = &environment.environment;
        let (state, record) = (environment.state(), environment.record());
        let outcome = farm_core::Outcome { reward, terminated: state.over, truncated: false };
        let row = self.recorder.step(environment.game(), state, record, &outcome).clone();
        self.add(row, &numbers, &pictures)
    }

    /// Begins to write for TensorBoard; returns the folder.
    fn open_board(&mut self, folder: &str) -> PyResult<String> {
        let board =
            TensorBoard::create(folder.as_ref(), self.kept.series()).map_err(|error| errors::monitor(&error))?;
        let folder = board.folder().display().to_string();
        self.board = Some(board);
        Ok(folder)
    }

    /// Writes no more for TensorBoard.
    fn close_board(&mut self) {
        self.board = None;
    }

    /// Writes a row that is kept for TensorBoard.
    fn replay(&mut self, row: usize, pictures: Vec<Picture<'_>>) -> PyResult<()> {
        match (&mut self.board, self.kept.rows().get(row)) {
            (Some(board), Some(row)) => show(board, row, &pictures),
            _ => Ok(()),
        }
    }

    fn __len__(&self) -> usize {
        self.kept.rows().len()
    }

    /// Number, seed and day of each row.
    fn places(&self) -> (Vec<usize>, Vec<u64>, Vec<u32>) {
        let rows = self.kept.rows();
        let (mut episodes, mut seeds, mut steps) = (Vec::new(), Vec::new(), Vec::new());
        for row in rows {
            episodes.push(row.episode);
            seeds.push(row.seed);
            steps.push(row.step);
        }
        (episodes, seeds, steps)
    }

    /// The entries of a series, by its rank, with the rows as the first axis.
    fn entries<'py>(&self, py: Python<'py>, series: usize) -> PyResult<Bound<'py, PyAny>> {
        let rows = self.kept.rows();
        let numbers: Vec<f64> = rows.iter().flat_map(|row| self.kept.entry(row, series)).copied().collect();
        let own = self.kept.series().get(series).map_or(&[][..], |series| series.shape.as_slice());
        let shape: Vec<usize> = std::iter::once(rows.len()).chain(own.iter().copied()).collect();
        Ok(PyArray1::from_vec(py, numbers).reshape(shape)?.into_any())
    }

    /// What happened, row by row: a list for each.
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
        table.set_item("episode", whole(&|row| row.episode as i64))?;
        table.set_item("seed", PyArray1::from_iter(py, rows.iter().map(|row| row.seed)))?;
        table.set_item("step", whole(&|row| i64::from(row.step)))?;
        let rewards = rows.iter().map(|row| row.reward.unwrap_or(f64::NAN));
        table.set_item("reward", PyArray1::from_iter(py, rewards))?;
        table.set_item("actions", rows.iter().map(|row| row.actions.join("; ")).collect::<Vec<_>>())?;
        for (i, column) in Column::of(self.kept.series()).iter().enumerate() {
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
        self.write(|series| Ok(Box::new(Csv::create(path.as_ref(), series)?)))
    }

    fn to_parquet(&self, path: &str) -> PyResult<()> {
        self.write(|series| Ok(Box::new(Parquet::create(path.as_ref(), series)?)))
    }

    /// What is kept, as bytes.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.kept.to_bytes().map_err(|error| errors::monitor(&error))?))
    }

    /// Goes on with `episodes` episodes and what another one has kept.
    fn go_on(&mut self, bytes: &[u8], episodes: usize) -> PyResult<()> {
        let kept = farm_monitor::Recording::from_bytes(bytes).map_err(|error| errors::monitor(&error))?;
        if kept.series() != self.kept.series() {
            return Err(errors::ConfigError::new_err("the recording is one of other monitors"));
        }
        self.kept = kept;
        self.recorder.go_on(episodes);
        Ok(())
    }

    /// The game that is played.
    #[getter]
    fn game(&self, py: Python<'_>) -> Py<Game> {
        self.game.clone_ref(py)
    }

    /// How many episodes have begun.
    #[getter]
    fn episodes(&self) -> usize {
        self.recorder.episodes()
    }
}

impl Recording {
    fn add(&mut self, mut row: Row, numbers: &PyReadonlyArray1<'_, f64>, pictures: &[Picture<'_>]) -> PyResult<()> {
        let wanted: usize = self.others.iter().map(Series::len).sum();
        if numbers.len() != wanted {
            let message = format!("{} numbers where {wanted} belong", numbers.len());
            return Err(errors::ConfigError::new_err(message));
        }
        row.values.extend(numbers.as_array());
        let shown = match &mut self.board {
            Some(board) => show(board, &row, pictures),
            None => Ok(()),
        };
        if self.keep {
            self.kept.row(&row).map_err(|error| errors::monitor(&error))?;
        }
        shown
    }

    fn write(&self, create: impl FnOnce(&[Series]) -> Result<Box<dyn Sink>, MonitorError>) -> PyResult<()> {
        let write = || {
            let mut sink = create(self.kept.series())?;
            self.kept.rows().iter().try_for_each(|row| sink.row(row))?;
            sink.finish()
        };
        write().map_err(|error| errors::monitor(&error))
    }
}

/// Shows a row on a board.
fn show(board: &mut TensorBoard, row: &Row, pictures: &[Picture<'_>]) -> PyResult<()> {
    let mut drawn = Vec::with_capacity(pictures.len());
    for (title, pixels) in pictures {
        let [height, width, _] = pixels.shape() else { continue };
        drawn.push((title.as_str(), *width, *height, pixels.as_slice()?));
    }
    board.row_with(row, &drawn).map_err(|error| errors::monitor(&error))
}
