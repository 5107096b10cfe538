//! Many environments that step together and write to NumPy arrays.

use std::io::ErrorKind;
use std::sync::Arc;

use farm_core::vector::{Actions, Autoreset, DrawGame, Outputs, VectorEnvironment as Engine};
use farm_core::{Observer, ObserverError, State, Transition};
use farm_monitor::{Recorder, Row, RowObserver};
use farm_render::Frame;
use numpy::{PyArray1, PyArray3, PyArrayMethods, PyReadonlyArray1, PyUntypedArrayMethods};
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PySlice};

use crate::errors;
use crate::family::Family;
use crate::game::Game;
use crate::monitoring::Monitors;
use crate::observation::ObservationMaker;
use crate::picture::{PictureOptions, Pictures, array};
use crate::splits;

/// Many environments of one game. Each step overwrites the arrays of the previous step.
#[pyclass(module = "farm_gym._native")]
pub struct VectorEnvironment {
    pub(crate) engine: Engine,
    maker: ObservationMaker,
    arrays: Arrays,
    pictures: Pictures,
    /// The recorder of each environment, if it has one; empty if nothing is recorded.
    watches: Vec<Option<Watch>>,
    /// Whether each episode draws a member of a family.
    draws_games: bool,
}

/// The recorder for one environment: it collects rows of monitor values until the caller takes them.
struct Watch {
    rows: RowObserver<Vec<Row>>,
    /// Number of values stored from each row; the others are arguments for Python functions.
    kept: usize,
    /// The shapes of these arguments.
    inputs: Vec<Vec<usize>>,
}

impl Observer for Watch {
    fn after_reset(&mut self, game: &farm_core::Game, state: &State) -> Result<(), ObserverError> {
        self.rows.after_reset(game, state)
    }

    fn after_step(&mut self, transition: &Transition<'_>) -> Result<(), ObserverError> {
        if self.rows.recorder().episodes() == 0 {
            // An environment that was never reset also steps if another one was restored.
            self.rows.recorder_mut().go_on(1);
        }
        self.rows.after_step(transition)
    }
}

/// The arrays that each step writes. Results of one type share an array, because borrowing an array takes as long as a step of a small game.
struct Arrays {
    /// The records, then the final records.
    records: Py<PyArray1<u8>>,
    /// The arrays in [`NUMBERS`], one after another.
    numbers: Py<PyArray1<f64>>,
    /// The arrays in [`FLAGS`], one after another.
    flags: Py<PyArray1<bool>>,
    rejections: Py<PyArray1<i32>>,
}

const NUMBERS: [&str; 4] = ["rewards", "intervention_costs", "observation_costs", "constraint_costs"];
const FLAGS: [&str; 2] = ["terminations", "truncations"];

#[pymethods]
impl VectorEnvironment {
    #[new]
    fn new(py: Python<'_>, game: &Game, environments: usize, threads: usize, autoreset: &str) -> PyResult<Self> {
        let autoreset = match autoreset {
            "NextStep" => Autoreset::NextStep,
            "SameStep" => Autoreset::SameStep,
            "Disabled" => Autoreset::Disabled,
            other => {
                let message = format!("there is no autoreset mode `{other}`: NextStep, SameStep, Disabled");
                return Err(errors::ConfigError::new_err(message));
            }
        };
        let (n, size) = (environments, game.game.observation().size());
        let maker = ObservationMaker::new(py, game.game.observation())?;
        let finals = if autoreset == Autoreset::SameStep { n.saturating_mul(size) } else { 0 };
        let shared = game.game.clone();
        let engine = py.detach(|| errors::guarded(|| Engine::new(shared, n, threads, autoreset)))?;
        let engine = engine.map_err(|error| match error.kind() {
            ErrorKind::OutOfMemory => PyMemoryError::new_err(error.to_string()),
            _ => error.into(),
        })?;
        let arrays = Arrays {
            records: PyArray1::zeros(py, n * size + finals, false).unbind(),
            numbers: PyArray1::zeros(py, n * NUMBERS.len(), false).unbind(),
            flags: PyArray1::zeros(py, n * FLAGS.len(), false).unbind(),
            rejections: PyArray1::zeros(py, n, false).unbind(),
        };
        Ok(Self { engine, maker, arrays, pictures: Pictures::default(), watches: Vec::new(), draws_games: false })
    }

    /// The arrays that each step writes, by name.
    fn arrays<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let arrays = PyDict::new(py);
        let (n, records) = (self.engine.len(), self.records_len());
        let add = |name: &str, of: &Bound<'py, PyAny>, begin: usize, end: usize| {
            arrays.set_item(name, of.get_item(PySlice::new(py, begin as isize, end as isize, 1))?)
        };
        let all = self.arrays.records.bind(py);
        add("records", all, 0, records)?;
        add("final_records", all, records, all.len())?;
        for (i, name) in NUMBERS.into_iter().enumerate() {
            add(name, self.arrays.numbers.bind(py), i * n, (i + 1) * n)?;
        }
        for (i, name) in FLAGS.into_iter().enumerate() {
            add(name, self.arrays.flags.bind(py), i * n, (i + 1) * n)?;
        }
        add("rejections", self.arrays.rejections.bind(py), 0, n)?;
        Ok(arrays)
    }

    #[getter]
    fn threads(&self) -> usize {
        self.engine.threads()
    }

    /// Rejects a game whose observations, actions or constraints differ from those of these environments.
    fn check(&self, game: &Game) -> PyResult<()> {
        self.engine.fits(&game.game).map_err(|error| errors::vector(&error))
    }

    /// Switches one environment to another game, starting with its next reset.
    fn change(&mut self, environment: usize, game: &Game) -> PyResult<()> {
        self.engine.change(environment, &game.game).map_err(|error| errors::vector(&error))
    }

    /// Draws a member of a family for each later episode.
    fn draw_games(&mut self, family: &Family) {
        let draws: Arc<dyn DrawGame> = family.family.clone();
        self.engine.draw_games(&draws);
        self.draws_games = true;
    }

    /// Starts an episode of a member of a family, on the map of this seed.
    fn reset_in_game(&mut self, py: Python<'_>, environment: usize, game: &Game, seed: u64) -> PyResult<()> {
        let engine = &mut self.engine;
        py.detach(|| errors::guarded(|| engine.reset_in_game(environment, &game.game, seed)))?
            .map_err(|error| errors::vector(&error))?;
        self.observe(py)
    }

    /// The game that an environment plays, and the seed of its episode.
    fn playing(&self, environment: usize) -> PyResult<(Game, u64)> {
        let game = self.engine.game_of(environment).map_err(|error| errors::vector(&error))?;
        let state = self.engine.state(environment).map_err(|error| errors::vector(&error))?;
        Ok((Game::of_member(game.clone()), state.seed()))
    }

    /// Starts episodes. Each environment gets the seed at its index, or its next seed if that is `None`. With a mask, only marked
    /// environments are reset. Seeds that belong to a split require the name of the split.
    #[pyo3(signature = (seeds, mask, split=None))]
    fn reset(
        &mut self,
        py: Python<'_>,
        seeds: Vec<Option<u64>>,
        mask: Option<Vec<bool>>,
        split: Option<&str>,
    ) -> PyResult<()> {
        let split = splits::named(split)?;
        let n = self.engine.len();
        for (what, found) in [("seeds", seeds.len()), ("entries of the mask", mask.as_ref().map_or(n, Vec::len))] {
            if found != n {
                return Err(errors::ConfigError::new_err(format!("{found} {what} for {n} environments")));
            }
        }
        for (i, seed) in seeds.iter().enumerate().filter_map(|(i, seed)| Some((i, (*seed)?))) {
            let game = self.engine.game_of(i).map_err(|error| errors::vector(&error))?;
            // A family draws a game of the seed's split, and a seed without its split is rejected below.
            if split.is_some() && !self.draws_games {
                farm_games::check_split(game, seed).map_err(|problems| errors::config(&problems))?;
            }
        }
        let engine = &mut self.engine;
        let mut environment = 0;
        py.detach(|| {
            errors::guarded(|| {
                for (i, seed) in seeds.iter().enumerate().filter(|(i, _)| mask.as_ref().is_none_or(|mask| mask[*i])) {
                    environment = i;
                    match seed {
                        Some(seed) => engine.reset_in_split(i, *seed, split)?,
                        None => engine.reset_next(i)?,
                    }
                }
                Ok(())
            })
        })
        .map_err(|error| errors::in_environment(py, error, environment))?
        .map_err(|error| errors::vector(&error))?;
        for i in 0..n {
            if mask.as_ref().is_none_or(|mask| mask[i]) {
                self.began(i)?;
            }
        }
        self.observe(py)
    }

    /// Starts recording one environment with its game's monitors; `inputs` are the arguments of Python functions. Earlier rows stay, and
    /// episode numbers continue.
    fn watch(&mut self, environment: usize, monitors: &Monitors, inputs: Vec<PyRef<'_, Monitors>>) -> PyResult<()> {
        let game = self.engine.game_of(environment).map_err(|error| errors::vector(&error))?;
        let given = inputs.iter().flat_map(|inputs| inputs.all());
        let mut recorder = Recorder::new(game, monitors.all().iter().chain(given.clone()).cloned().collect());
        recorder.of_environment(environment);
        self.watches.resize_with(self.engine.len(), || None);
        match self.watches.get_mut(environment) {
            Some(Some(watch)) => watch.rows.recorder_mut().rebind(recorder),
            Some(empty) => {
                let kept = monitors.all().iter().map(farm_core::Monitor::len).sum();
                let inputs = given.map(|monitor| monitor.shape().to_vec()).collect();
                *empty = Some(Watch { rows: RowObserver::new(recorder, Vec::new()), kept, inputs });
            }
            None => {}
        }
        Ok(())
    }

    /// Stops all recording.
    fn unwatch(&mut self) {
        self.watches.clear();
    }

    /// Records the current state of the environments as the start of an episode.
    fn begin_watched(&mut self) -> PyResult<()> {
        (0..self.watches.len()).try_for_each(|i| self.began(i))
    }

    /// The arguments of Python functions, as arrays of all values, for each row not yet taken.
    fn pending<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let rows = PyList::empty(py);
        for watch in self.watches.iter().flatten() {
            for row in watch.rows.sink() {
                let arrays = PyList::empty(py);
                let mut rest = row.values.get(watch.kept..).unwrap_or_default();
                for shape in &watch.inputs {
                    let (values, more) = rest.split_at(shape.iter().product::<usize>().min(rest.len()));
                    arrays.append(PyArray1::from_slice(py, values).reshape(shape.clone())?)?;
                    rest = more;
                }
                rows.append(arrays)?;
            }
        }
        Ok(rows)
    }

    /// Discards the rows not yet taken.
    fn forget(&mut self) {
        self.take_rows();
    }

    /// Steps all environments, with one flat-list id for each environment, or for each slot of its schedule.
    fn step(&mut self, py: Python<'_>, actions: PyReadonlyArray1<'_, i64>, slots: bool) -> PyResult<()> {
        let ids = actions.as_slice()?;
        let n = self.engine.len();
        let mut records = self.arrays.records.bind(py).try_readwrite()?;
        let mut numbers = self.arrays.numbers.bind(py).try_readwrite()?;
        let mut flags = self.arrays.flags.bind(py).try_readwrite()?;
        let mut rejections = self.arrays.rejections.bind(py).try_readwrite()?;
        let (observations, final_observations) = records.as_slice_mut()?.split_at_mut(self.records_len());
        let (rewards, costs) = numbers.as_slice_mut()?.split_at_mut(n);
        let (intervention_costs, costs) = costs.split_at_mut(n);
        let (observation_costs, constraint_costs) = costs.split_at_mut(n);
        let (terminations, truncations) = flags.as_slice_mut()?.split_at_mut(n);
        let mut outputs = Outputs {
            observations,
            rewards,
            terminations,
            truncations,
            final_observations,
            intervention_costs,
            observation_costs,
            constraint_costs,
            rejections: rejections.as_slice_mut()?,
        };
        let engine = &mut self.engine;
        let actions = if slots { Actions::MultiDiscrete(ids) } else { Actions::Discrete(ids) };
        let watches = &mut self.watches;
        let stepped = py.detach(|| {
            errors::guarded(|| match watches.as_mut_slice() {
                [] => engine.step(actions, &mut outputs),
                watches => engine.step_observed(actions, &mut outputs, watches),
            })
        });
        stepped.map_err(|error| self.numbered(py, error))?.map_err(|error| errors::vector(&error))
    }

    /// Marks the actions in the flat list that would be executed now, row by row.
    fn action_masks(&self, py: Python<'_>, masks: &Bound<'_, PyArray1<u8>>) -> PyResult<()> {
        let mut masks = masks.try_readwrite()?;
        let masks = masks.as_slice_mut()?;
        py.detach(|| errors::guarded(|| self.engine.action_masks(masks)))
            .map_err(|error| self.numbered(py, error))?
            .map_err(|error| errors::vector(&error))
    }

    /// The final observations of environments whose episodes ended in the last step.
    fn final_observations<'py>(&self, py: Python<'py>, environments: Vec<usize>) -> PyResult<Bound<'py, PyList>> {
        let records = self.arrays.records.bind(py).try_readonly()?;
        let records = records.as_slice()?.get(self.records_len()..).unwrap_or_default();
        let size = self.engine.game().observation().size();
        let observations = PyList::empty(py);
        for i in environments {
            let record = records.get(i * size..(i + 1) * size);
            let record =
                record.ok_or_else(|| errors::StateError::new_err(format!("there is no final observation {i}")))?;
            observations.append(self.maker.make(py, record)?)?;
        }
        Ok(observations)
    }

    fn snapshot<'py>(&self, py: Python<'py>, environment: usize) -> PyResult<Bound<'py, PyBytes>> {
        let state = self.engine.state(environment).map_err(|error| errors::vector(&error))?;
        let game = self.engine.game_of(environment).map_err(|error| errors::vector(&error))?;
        Ok(PyBytes::new(py, &game.snapshot(state)))
    }

    fn restore(&mut self, py: Python<'_>, environment: usize, bytes: &[u8]) -> PyResult<()> {
        let restored = self.engine.restore(environment, bytes).map_err(|error| errors::vector(&error))?;
        restored.map_err(|error| errors::restore(&error))?;
        self.began(environment)?;
        self.observe(py)
    }

    /// The observation of an environment as text.
    fn text(&self, environment: usize) -> PyResult<String> {
        let state = self.engine.state(environment).map_err(|error| errors::vector(&error))?;
        let game = self.engine.game_of(environment).map_err(|error| errors::vector(&error))?;
        let mut record = vec![0; game.observation().size()];
        errors::guarded(|| game.observe_into(state, &mut record))?;
        Ok(game.observation().to_text(&record))
    }

    /// An environment as a picture. `total` and `reward` are its return so far and its last reward; `actions` has the flat-list ids of its
    /// last executed actions.
    fn picture<'py>(
        &mut self,
        py: Python<'py>,
        environment: usize,
        options: &PictureOptions,
        total: f64,
        reward: Option<f64>,
        actions: Vec<usize>,
    ) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let state = self.engine.state(environment).map_err(|error| errors::vector(&error))?;
        let game = self.engine.game_of(environment).map_err(|error| errors::vector(&error))?;
        let calls = actions.iter().filter_map(|id| game.catalogue().discrete(*id));
        let executed = calls.collect::<Vec<_>>().concat();
        let frame = Frame { total, reward, executed: &executed, ..Frame::of(state) };
        let renderer = self.pictures.of(game, options)?;
        array(py, renderer.render(&frame))
    }

    fn state_hash(&self, environment: usize) -> PyResult<u64> {
        self.engine.state(environment).map(State::hash).map_err(|error| errors::vector(&error))
    }
}

impl VectorEnvironment {
    /// Returns the rows not yet taken, environment by environment.
    pub fn take_rows(&mut self) -> Vec<Row> {
        let mut taken = Vec::new();
        for watch in self.watches.iter_mut().flatten() {
            let kept = watch.kept;
            taken.extend(watch.rows.sink_mut().drain(..).map(|mut row| {
                row.values.truncate(kept);
                row
            }));
        }
        taken
    }

    /// Records the start of an episode, if the environment is recorded.
    fn began(&mut self, environment: usize) -> PyResult<()> {
        let Some(Some(watch)) = self.watches.get_mut(environment) else { return Ok(()) };
        let state = self.engine.state(environment).map_err(|error| errors::vector(&error))?;
        let game = self.engine.game_of(environment).map_err(|error| errors::vector(&error))?;
        watch.after_reset(game, state).map_err(|error| errors::observer(&error))
    }

    /// The number of bytes in all observations.
    fn records_len(&self) -> usize {
        self.engine.len() * self.engine.game().observation().size()
    }

    fn observe(&mut self, py: Python<'_>) -> PyResult<()> {
        let mut records = self.arrays.records.bind(py).try_readwrite()?;
        let records = &mut records.as_slice_mut()?[..self.records_len()];
        py.detach(|| errors::guarded(|| self.engine.observe_into(records)))
            .map_err(|error| self.numbered(py, error))?
            .map_err(|error| errors::vector(&error))
    }

    /// Adds the environment's index to an error from a part. The environment is found by its episode's seed. Episodes that are over take
    /// priority, because a part that fails in a step ends the episode. If several environments play the same seed, the index is that of the
    /// first one.
    fn numbered(&self, py: Python<'_>, error: PyErr) -> PyErr {
        let seed = error.value(py).getattr("seed").and_then(|seed| seed.extract::<u64>());
        let Ok(seed) = seed else { return error };
        let states = (0..self.engine.len()).filter_map(|i| Some((i, self.engine.state(i).ok()?)));
        let playing: Vec<(usize, bool)> =
            states.filter(|(_, state)| state.seed() == seed).map(|(i, state)| (i, state.over())).collect();
        match playing.iter().find(|(_, over)| *over).or(playing.first()) {
            Some((environment, _)) => errors::in_environment(py, error, *environment),
            None => error,
        }
    }
}
