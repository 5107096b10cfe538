//! Policies that are Python classes, and Python players for any policy.

use std::sync::{Mutex, MutexGuard, PoisonError};

use farm_core::action::Call;
use farm_core::config::Problems;
use farm_core::{Agent as EnginePlayer, Game as EngineGame, Policy, State};
use farm_games::python::{CLASS, SOURCE};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyBool, PyDict, PyInt, PyString};
use serde_json::Value as Json;

use super::PythonPolicy;
use super::facts::game_facts;
use super::source::{module, problem};
use crate::convert::{to_json, to_python};
use crate::errors::{self, PartCall};
use crate::observation::ObservationMaker;

#[farm_core::register(name = "python", source = SOURCE, open = CLASS)]
impl Policy for PythonPolicy {
    fn build(&self, game: &EngineGame) -> Result<Box<dyn EnginePlayer>, Problems> {
        Python::attach(|py| {
            let directory = game.spec().directory();
            let Some(object) = self.0.object(py, "policy", directory).map_err(|p| Problems(vec![*p]))? else {
                return Err(Problems(vec![super::of_class("there is no class".to_owned())]));
            };
            let prepare = || -> PyResult<ObservationMaker> {
                let facts = to_python(py, &game_facts(game))?;
                module(py)?.call_method1("prepare", (&*object.part, facts))?;
                ObservationMaker::new(py, game.observation())
            };
            let maker = prepare().map_err(|error| Problems(vec![*problem(py, &error)]))?;
            Ok(Box::new(PythonPlayer {
                part: object.part.clone_ref(py),
                class: self.0.class().unwrap_or_default().to_owned(),
                maker,
                record: vec![0; game.observation().size()],
                mask: vec![0; game.catalogue().discrete_len()],
            }) as Box<dyn EnginePlayer>)
        })
    }
}

struct PythonPlayer {
    part: Py<PyAny>,
    /// Its import path.
    class: String,
    maker: ObservationMaker,
    record: Vec<u8>,
    mask: Vec<u8>,
}

impl PythonPlayer {
    /// Calls a method. An exception becomes a panic.
    fn call<R>(&self, method: &str, at: Option<(u64, u32)>, body: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<R>) -> R {
        let call = PartCall { part: &self.class, method, at, remedy: "" };
        let called = Python::attach(|py| body(self.part.bind(py)).map_err(|error| errors::part(py, error, &call)));
        called.unwrap_or_else(|error| errors::throw(error))
    }
}

impl EnginePlayer for PythonPlayer {
    fn start(&mut self, seed: u64) {
        self.call("start", None, |part| part.call_method1("start", (seed,)).map(drop));
    }

    fn choose(&mut self, game: &EngineGame, state: &State, schedule: &mut Vec<Call>) {
        game.observe_into(state, &mut self.record);
        game.action_mask(state, &mut self.mask);
        let chosen = self.call("choose", Some((state.seed(), state.step())), |part| {
            let py = part.py();
            let observation = self.maker.make(py, &self.record)?;
            let info = PyDict::new(py);
            let mask: Vec<i8> = self.mask.iter().map(|bit| *bit as i8).collect();
            info.set_item("action_mask", PyArray1::from_vec(py, mask))?;
            info.set_item("expects", game.expects(state).name())?;
            info.set_item("step", state.step())?;
            calls(game, &part.call_method1("choose", (observation, info))?)
        });
        schedule.extend(chosen);
    }
}

/// Converts a policy's choice to calls. The choice is nothing, flat-list ids, a line, or actions in the paper's form.
fn calls(game: &EngineGame, chosen: &Bound<'_, PyAny>) -> PyResult<Vec<Call>> {
    let catalogue = game.catalogue();
    let by_id = |id: i64| {
        let found = usize::try_from(id).ok().and_then(|id| catalogue.discrete(id));
        let last = catalogue.discrete_len() - 1;
        let absent = || errors::ActionError::new_err(format!("there is no action {id}: ids go from 0 to {last}"));
        found.map(<[Call]>::to_vec).ok_or_else(absent)
    };
    if chosen.is_none() {
        return Ok(Vec::new());
    }
    if let Ok(line) = chosen.cast::<PyString>() {
        return catalogue.parse_line(&line.to_string_lossy()).map_err(|problem| errors::action(&problem));
    }
    if chosen.is_instance_of::<PyInt>() && !chosen.is_instance_of::<PyBool>() {
        return by_id(chosen.extract()?);
    }
    match to_json(chosen)? {
        Json::Number(id) if id.is_i64() => by_id(id.as_i64().unwrap_or(-1)),
        Json::Array(ids) if ids.iter().all(Json::is_i64) => {
            let calls = ids.iter().map(|id| by_id(id.as_i64().unwrap_or(-1))).collect::<PyResult<Vec<_>>>();
            calls.map(|calls| calls.concat())
        }
        actions => catalogue.parse(&actions).map_err(|problem| errors::action(&problem)),
    }
}

/// A player for a game's policy.
#[pyclass(module = "farm_gym._native", name = "Player")]
pub struct Agent {
    engine: Mutex<Box<dyn EnginePlayer>>,
}

#[pymethods]
impl Agent {
    /// Starts a new episode.
    fn start(&self, py: Python<'_>, seed: u64) -> PyResult<()> {
        errors::guarded(|| self.lock(py).start(seed))
    }
}

impl Agent {
    /// Locks the player. A policy written in Python keeps the lock while it plays, and other threads may run in the meantime. A thread that
    /// waits for the lock must release the interpreter; otherwise, both threads would wait for ever.
    fn lock(&self, py: Python<'_>) -> MutexGuard<'_, Box<dyn EnginePlayer>> {
        self.engine.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
    }

    /// Creates a player for a policy.
    ///
    /// # Errors
    /// The same as for the game's own `player`.
    pub fn new(game: &EngineGame, policy: &str) -> PyResult<Self> {
        let player = errors::guarded(|| game.player(policy))?.map_err(|problems| errors::config(&problems))?;
        Ok(Self { engine: Mutex::new(player) })
    }

    /// The next actions: a list of `[farmer, field, entity, name, parameters]`.
    ///
    /// # Errors
    /// The policy raised an exception.
    pub fn choose<'py>(&self, py: Python<'py>, game: &EngineGame, state: &State) -> PyResult<Bound<'py, PyAny>> {
        let mut schedule = Vec::new();
        errors::guarded(|| {
            self.lock(py).choose(game, state, &mut schedule);
        })?;
        let actions: Json = schedule.iter().map(|call| game.catalogue().to_json(call)).collect();
        to_python(py, &actions)
    }
}
