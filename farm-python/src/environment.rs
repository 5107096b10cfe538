//! One environment.

use std::sync::OnceLock;

use farm_core::action::Call;
use farm_core::config::{NameError, Path, Problem, Problems};
use farm_core::vector::have_same_spaces;
use farm_core::{Action, ObservationLayout, Outcome, StepError, Transition};
use farm_games::baseline::ValueToGo;
use farm_render::{Frame, Image, Season};
use numpy::{PyArray1, PyArray3, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyTuple};

use crate::choices::rules_text;
use crate::convert::{to_json, to_python};
use crate::errors;
use crate::game::Game;
use crate::info::InfoMaker;
use crate::observation::ObservationMaker;
use crate::parts::Agent;
use crate::picture::{PictureOptions, Pictures, array};
use crate::planning::{self, PlanRequest};
use crate::splits;

/// An environment: a game being played.
#[pyclass(module = "farm_gym._native")]
pub struct Environment {
    pub(crate) environment: farm_core::Environment,
    maker: ObservationMaker,
    info: InfoMaker,
    mask: Vec<i8>,
    schedule: Vec<Call>,
    /// The layout of all variables, for access by name.
    state_layout: OnceLock<ObservationLayout>,
    /// The sum of this episode's rewards so far, and the last reward; for pictures.
    total: f64,
    last: Option<f64>,
    /// The last step's actions, if the engine does not know them because a snapshot was restored.
    told: Option<Vec<Call>>,
    /// The season so far, if pictures show it.
    season: Option<Season>,
    pictures: Pictures,
}

type Step<'py> = Bound<'py, PyTuple>;

#[pymethods]
impl Environment {
    /// Creates an environment of a game. With `full_info`, the info includes data that the game may conceal from a learner. With `season`,
    /// pictures can show the season so far. `shape` is a game with the same observations, whose names the observations have.
    #[new]
    #[pyo3(signature = (game, full_info=false, season=false, shape=None))]
    fn new(py: Python<'_>, game: &Game, full_info: bool, season: bool, shape: Option<&Game>) -> PyResult<Self> {
        if let Some(shape) = shape.filter(|shape| !have_same_spaces(&shape.game, &game.game)) {
            let (name, shape) = (game.game.spec().name(), shape.game.spec().name());
            return Err(errors::ConfigError::new_err(format!("`{name}` has other spaces than `{shape}`")));
        }
        let maker = ObservationMaker::new(py, shape.unwrap_or(game).game.observation())?;
        let game = game.game.clone();
        let info = InfoMaker::new(py, &game, full_info);
        let n = game.catalogue().discrete_len();
        let schedule = Vec::with_capacity(game.catalogue().max_schedule());
        let season = season.then(|| Season::new(&game));
        let environment = errors::guarded(|| farm_core::Environment::new(game))?;
        Ok(Self {
            environment,
            maker,
            info,
            mask: vec![0; n],
            schedule,
            state_layout: OnceLock::new(),
            total: 0.0,
            last: None,
            told: None,
            season,
            pictures: Pictures::default(),
        })
    }

    /// Starts an episode, and returns the observation and the info. A seed that belongs to a split requires the name of the split.
    #[pyo3(signature = (seed, split=None))]
    fn reset<'py>(
        &mut self,
        py: Python<'py>,
        seed: u64,
        split: Option<&str>,
    ) -> PyResult<(Bound<'py, PyDict>, Bound<'py, PyDict>)> {
        let split = splits::named(split)?;
        self.environment.name_split(split);
        if split.is_some() {
            farm_games::check_split(self.environment.game(), seed).map_err(|problems| errors::config(&problems))?;
        }
        (self.total, self.last, self.told) = (0.0, None, None);
        errors::guarded(|| self.environment.reset(seed))?;
        if let Some(refused) = self.environment.refused_seed() {
            return Err(errors::seed(refused));
        }
        self.check()?;
        self.note();
        Ok((self.maker.make(py, self.environment.observation())?, self.info(py)?))
    }

    /// Takes a step with an id in the flat list.
    fn step<'py>(&mut self, py: Python<'py>, action: i64) -> PyResult<Step<'py>> {
        let environment = &mut self.environment;
        let outcome = errors::guarded(|| match usize::try_from(action) {
            Ok(id) => environment.step(id).map_err(|error| errors::step(&error)),
            Err(_) => {
                let last = environment.game().catalogue().discrete_len() - 1;
                Err(errors::ActionError::new_err(format!("there is no action {action}: ids go from 0 to {last}")))
            }
        })??;
        self.taken(py, outcome)
    }

    /// Takes a step with a flat-list id in each slot of the schedule.
    fn step_multi<'py>(&mut self, py: Python<'py>, actions: Vec<usize>) -> PyResult<Step<'py>> {
        self.schedule.clear();
        let game = self.environment.game().clone();
        game.catalogue()
            .multi_discrete_to_calls(&actions, &mut self.schedule)
            .map_err(|error| errors::ActionError::new_err(error.to_string()))?;
        let outcome = errors::guarded(|| self.environment.step(&self.schedule))?;
        self.taken(py, outcome.map_err(|error| errors::step(&error))?)
    }

    /// Takes a step with the actions in the flat list whose bits are set.
    fn step_binary<'py>(&mut self, py: Python<'py>, bits: Vec<u8>) -> PyResult<Step<'py>> {
        self.schedule.clear();
        let game = self.environment.game().clone();
        game.catalogue()
            .multi_binary_to_calls(&bits, &mut self.schedule)
            .map_err(|error| errors::ActionError::new_err(error.to_string()))?;
        let outcome = errors::guarded(|| self.environment.step(&self.schedule))?;
        self.taken(py, outcome.map_err(|error| errors::step(&error))?)
    }

    /// Takes a step with an action in the paper's space: `[[index, value], …]`.
    fn gym_step<'py>(&mut self, action: &Bound<'py, PyAny>) -> PyResult<Step<'py>> {
        let action_json = to_json(action)?;
        let outcome = errors::guarded(|| self.environment.step(Action::Gym(&action_json)))?;
        self.taken(action.py(), outcome.map_err(|error| errors::step(&error))?)
    }

    /// Takes a step with a list of `[farmer, field, entity, name, parameters]`.
    fn farmgym_step<'py>(&mut self, actions: &Bound<'py, PyAny>) -> PyResult<Step<'py>> {
        let actions_json = to_json(actions)?;
        let outcome = errors::guarded(|| self.environment.step(&actions_json))?;
        self.taken(actions.py(), outcome.map_err(|error| errors::step(&error))?)
    }

    /// Marks the actions in the flat list that would be executed now.
    fn action_mask<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i8>>> {
        let mask = errors::guarded(|| self.environment.action_mask())?;
        self.signed(py, &mask)
    }

    /// Marks the actions in the flat list that would change something now.
    fn effect_mask<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i8>>> {
        let mask = errors::guarded(|| self.environment.effect_mask())?;
        self.signed(py, &mask)
    }

    /// The current observation.
    fn observation<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.maker.make(py, self.environment.observation())
    }

    /// The current info.
    fn info<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let mask = self.action_mask(py)?;
        self.info.make(&self.environment, mask.into_any())
    }

    /// The observation as text, with the results of the last step.
    fn text(&self) -> String {
        self.environment.text()
    }

    /// The instructions for a player before the first step, with or without the rules.
    fn instructions(&self, rules: &str) -> PyResult<String> {
        Ok(self.environment.game().text().instructions(rules_text(rules)?))
    }

    /// Takes a step with text from a person or a language model.
    fn text_step<'py>(&mut self, py: Python<'py>, text: &str) -> PyResult<Step<'py>> {
        let outcome = errors::guarded(|| self.environment.step(text))?;
        self.taken(py, outcome.map_err(|error| errors::step(&error))?)
    }

    /// The farm as a picture: rows of pixels, each with red, green and blue.
    fn picture<'py>(&mut self, py: Python<'py>, options: &PictureOptions) -> PyResult<Bound<'py, PyArray3<u8>>> {
        array(py, self.draw(options)?)
    }

    /// The farm as the bytes of a PNG file.
    fn picture_png<'py>(&mut self, py: Python<'py>, options: &PictureOptions) -> PyResult<Bound<'py, PyBytes>> {
        let png = self.draw(options)?.to_png().map_err(|error| errors::written(&error))?;
        Ok(PyBytes::new(py, &png))
    }

    /// The episode data that pictures show: the return so far, the last reward, and the actions of the last step.
    fn tally(&self) -> (f64, Option<f64>, String) {
        (self.total, self.last, self.done())
    }

    /// Sets the episode data that pictures show, for a copy of an environment.
    fn set_tally(&mut self, total: f64, last: Option<f64>, done: &str) -> PyResult<()> {
        let catalogue = self.environment.game().catalogue();
        let done = if done.is_empty() { Ok(Vec::new()) } else { catalogue.parse_line(done) };
        (self.total, self.last, self.told) = (total, last, Some(done.map_err(|problem| errors::action(&problem))?));
        Ok(())
    }

    /// The current observations: a list of `[field, entity, name, path, value]`.
    fn observations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.environment.game().learner_view().list(self.environment.observation()))
    }

    /// All variables, including hidden ones, keyed by full name.
    fn state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.environment.state_json())
    }

    /// All values of the variable with this full name, hidden or not, as nested lists.
    fn variable<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let game = self.environment.game();
        let layout = self.state_layout.get_or_init(|| game.state_layout());
        let Some(entry) = layout.entries().iter().find(|entry| entry.key() == name) else {
            let names: Vec<&str> = layout.entries().iter().map(|entry| entry.key()).collect();
            let problem =
                Problem::new(NameError::UnknownVariable, Path::default(), format!("there is no variable `{name}`"))
                    .among(name, names);
            return Err(errors::config(&Problems(vec![problem])));
        };
        let mut record = vec![0; layout.size()];
        layout.write_columns(&game.reader(self.environment.state()), &mut record);
        to_python(py, &entry.to_json(&record))
    }

    /// Creates a player for one of the game's named policies.
    fn player(&self, policy: &str) -> PyResult<Agent> {
        Agent::new(self.environment.game(), policy)
    }

    /// A player's next actions: a list of `[farmer, field, entity, name, parameters]`.
    fn choice<'py>(&self, py: Python<'py>, player: &Agent) -> PyResult<Bound<'py, PyAny>> {
        player.choose(py, self.environment.game(), self.environment.state())
    }

    /// The type of action that the next step expects: `observation` or `intervention`.
    #[getter]
    fn expects(&self) -> &'static str {
        self.environment.expects().name()
    }

    #[getter]
    fn steps(&self) -> u32 {
        self.environment.state().step()
    }

    #[getter]
    fn episode_seed(&self) -> u64 {
        self.environment.state().seed()
    }

    #[getter]
    fn is_over(&self) -> bool {
        self.environment.state().over()
    }

    /// The most that can be earned from here to the end of the episode, and whether this is proven.
    fn value_to_go(&self, py: Python<'_>) -> PyResult<(f64, bool)> {
        let environment = &self.environment;
        let found = py.detach(|| errors::guarded(|| ValueToGo::of(environment.game(), environment.state())))?;
        let found = found.map_err(|problems| errors::config(&problems))?;
        Ok((found.value, found.is_proven))
    }

    /// A hash over all bytes in the state.
    fn state_hash(&self) -> u64 {
        self.environment.state().hash()
    }

    fn snapshot<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.environment.snapshot())
    }

    fn restore(&mut self, bytes: &[u8]) -> PyResult<()> {
        (self.total, self.last, self.told) = (0.0, None, Some(Vec::new()));
        errors::guarded(|| self.environment.restore(bytes))?.map_err(|error| errors::restore(&error))?;
        let step = self.environment.state().step();
        self.season.iter_mut().for_each(|season| season.go_back(step));
        self.note();
        Ok(())
    }

    /// The return of each row of flat-list actions, played from the current state. All rows have the true future, or each row has a drawn
    /// one.
    fn rollout_many<'py>(
        &self,
        py: Python<'py>,
        actions: PyReadonlyArray2<'py, i64>,
        seeds: Option<Vec<u64>>,
        threads: usize,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let (game, state) = (self.environment.game(), self.environment.state());
        planning::rollouts(py, game, state, &actions, seeds.as_deref(), threads)
    }

    /// The return of a named policy from the current state in each drawn future, or in the true future.
    fn rollout_policy<'py>(
        &self,
        py: Python<'py>,
        policy: &str,
        seeds: Option<Vec<u64>>,
        horizon: Option<u32>,
        threads: usize,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let (game, state) = (self.environment.game(), self.environment.state());
        planning::policy_rollouts(py, game, state, policy, seeds.as_deref(), horizon, threads)
    }

    /// Plans the next actions by trials in copies of the episode.
    #[expect(clippy::too_many_arguments, reason = "the package around it gives them names")]
    fn plan<'py>(
        &self,
        py: Python<'py>,
        base: &str,
        budget: usize,
        method: &str,
        is_known: bool,
        horizon: Option<u32>,
        depth: usize,
        seed: u64,
        threads: usize,
    ) -> PyResult<Bound<'py, PyDict>> {
        if self.environment.state().over() {
            let steps = self.environment.state().step();
            return Err(errors::step(&StepError::Over { steps }));
        }
        let request = PlanRequest { base, budget, method, is_known, horizon, depth, seed, threads };
        planning::plan(py, self.environment.game(), self.environment.state(), &request)
    }

    fn __str__(&self) -> String {
        self.environment.to_string()
    }
}

impl Environment {
    /// The last step, for observers. It contains only the executed actions in the schedule, and sets `terminated` at any end of the
    /// episode.
    pub fn transition(&self, reward: f64) -> Transition<'_> {
        let (game, state, record) = (self.environment.game(), self.environment.state(), self.environment.record());
        let outcome = Outcome { reward, terminated: state.over(), truncated: false };
        Transition { game, state, schedule: record.executed(), record, outcome }
    }

    /// Draws the current state of the farm.
    fn draw(&mut self, options: &PictureOptions) -> PyResult<&Image> {
        if options.options.season && self.season.is_none() {
            let message = "the season is not recorded: make the environment with `render_options={\"season\": True}`";
            return Err(errors::ConfigError::new_err(message));
        }
        let renderer = self.pictures.of(self.environment.game(), options)?;
        let frame = frame(&self.environment, self.told.as_deref(), (self.total, self.last));
        Ok(renderer.render(&Frame { season: self.season.as_ref(), ..frame }))
    }

    /// The current state of the episode, for pictures.
    pub fn frame(&self) -> Frame<'_> {
        frame(&self.environment, self.told.as_deref(), (self.total, self.last))
    }

    /// Records the state for the season chart.
    fn note(&mut self) {
        if let Some(season) = &mut self.season {
            season.note(self.environment.game(), self.environment.state());
        }
    }

    /// The actions of the last step.
    fn done(&self) -> String {
        let write = |call: &Call| self.environment.game().catalogue().write(call);
        let executed = self.told.as_deref().unwrap_or_else(|| self.environment.record().executed());
        executed.iter().map(write).collect::<Vec<_>>().join("; ")
    }

    fn taken<'py>(&mut self, py: Python<'py>, outcome: Outcome) -> PyResult<Step<'py>> {
        self.total += outcome.reward;
        self.last = Some(outcome.reward);
        self.told = None;
        self.note();
        let observation = self.maker.make(py, self.environment.observation())?;
        let info = self.info(py)?;
        let flag = |flag: bool| PyBool::new(py, flag).to_owned();
        PyTuple::new(
            py,
            [
                observation.into_any(),
                PyFloat::new(py, outcome.reward).into_any(),
                flag(outcome.terminated).into_any(),
                flag(outcome.truncated).into_any(),
                info.into_any(),
            ],
        )
    }

    /// The mask just written, as an array, unless a part failed in the meantime.
    fn signed<'py>(&mut self, py: Python<'py>, mask: &[u8]) -> PyResult<Bound<'py, PyArray1<i8>>> {
        self.check()?;
        self.mask.iter_mut().zip(mask).for_each(|(slot, bit)| *slot = *bit as i8);
        Ok(PyArray1::from_slice(py, &self.mask))
    }

    /// Returns an error if a part failed.
    fn check(&self) -> PyResult<()> {
        self.environment.failed().map_or(Ok(()), |failure| Err(errors::step(&failure.clone().into())))
    }
}

/// The current state of an episode. If `told` is given, it holds the actions, and there are no events. Otherwise, the engine's record
/// provides both.
fn frame<'a>(
    environment: &'a farm_core::Environment,
    told: Option<&'a [Call]>,
    (total, reward): (f64, Option<f64>),
) -> Frame<'a> {
    let record = environment.record();
    let events = if told.is_some() { &[] } else { record.events() };
    Frame { total, reward, executed: told.unwrap_or(record.executed()), events, ..Frame::of(environment.state()) }
}
