//! Rollouts and plans for one environment, on copies of its state.

use farm_core::action::Call;
use farm_core::{Future, Game, State, rollout_many};
use farm_games::policies::policy_from_value;
use farm_search::plan::{Foresight, Method, PlanSettings, Planner, rollout_policy};
use farm_search::{SearchError, policy_of};
use numpy::{PyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::Value as Json;

use crate::convert::to_python;
use crate::errors;

/// The arguments of a plan.
pub(crate) struct PlanRequest<'a> {
    pub base: &'a str,
    pub budget: usize,
    pub method: &'a str,
    pub is_known: bool,
    pub horizon: Option<u32>,
    pub depth: usize,
    pub seed: u64,
    pub threads: usize,
}

/// The return of each row of actions. With seeds, each row has a drawn future; without seeds, all rows have the true future.
pub(crate) fn rollouts<'py>(
    py: Python<'py>,
    game: &Game,
    state: &State,
    actions: &PyReadonlyArray2<'_, i64>,
    seeds: Option<&[u64]>,
    threads: usize,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let rows = actions.shape()[0];
    let last = game.catalogue().discrete_len() - 1;
    let id = |id: &i64| {
        usize::try_from(*id)
            .map_err(|_| errors::ActionError::new_err(format!("there is no action {id}: ids go from 0 to {last}")))
    };
    let ids: Vec<usize> = actions.as_array().iter().map(id).collect::<PyResult<_>>()?;
    let futures = match seeds {
        Some(seeds) => seeds.iter().map(|seed| Future::Drawn(*seed)).collect(),
        None => vec![Future::Known; rows],
    };
    let played = py.detach(|| errors::guarded(|| rollout_many(game, state, &ids, &futures, threads)))?;
    let returns = played.map_err(|error| errors::ActionError::new_err(error.to_string()))?;
    Ok(PyArray1::from_vec(py, returns))
}

/// The return of a policy in each future. With seeds, each rollout has a drawn future; otherwise, there is one with the true future.
pub(crate) fn policy_rollouts<'py>(
    py: Python<'py>,
    game: &Game,
    state: &State,
    policy: &str,
    seeds: Option<&[u64]>,
    horizon: Option<u32>,
    threads: usize,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let futures: Vec<Future> = match seeds {
        Some(seeds) => seeds.iter().map(|seed| Future::Drawn(*seed)).collect(),
        None => vec![Future::Known],
    };
    let played = py.detach(|| {
        errors::guarded(|| rollout_policy(game, state, &policy_of(game, policy)?, &futures, horizon, threads))
    })?;
    Ok(PyArray1::from_vec(py, played.map_err(search_error)?))
}

fn search_error(error: SearchError) -> PyErr {
    match error {
        SearchError::Policy(problems) => errors::config(&problems),
        SearchError::Step { error, .. } => errors::step(&error),
        other => errors::ConfigError::new_err(other.to_string()),
    }
}

/// The next actions as calls `[farmer, field, entity, name, parameters]`, and the plan's expected return.
pub(crate) fn plan<'py>(
    py: Python<'py>,
    game: &Game,
    state: &State,
    request: &PlanRequest<'_>,
) -> PyResult<Bound<'py, PyDict>> {
    let settings = PlanSettings {
        method: if request.method == "mcts" { Method::Tree } else { Method::CrossEntropy },
        foresight: if request.is_known { Foresight::Known } else { Foresight::Drawn },
        budget: request.budget,
        horizon: request.horizon,
        depth: request.depth,
        every: 1,
        seed: request.seed,
        threads: request.threads,
    };
    let planned = py.detach(|| {
        errors::guarded(|| -> Result<_, SearchError> {
            let base = policy_of(game, request.base)?;
            policy_from_value(game, &base)?;
            let mut planner = Planner::new(game, &base, settings, state.seed())?;
            let mut schedule: Vec<Call> = Vec::new();
            let decision = planner.choose(state, &mut schedule)?;
            Ok((schedule, decision))
        })
    })?;
    let (schedule, decision) = planned.map_err(search_error)?;
    let calls: Json = schedule.iter().map(|call| game.catalogue().to_json(call)).collect();
    let found = PyDict::new(py);
    found.set_item("calls", to_python(py, &calls)?)?;
    if let Some(decision) = decision {
        found.set_item("expected_return", decision.expected)?;
        found.set_item("base_return", decision.base)?;
        found.set_item("standard_error", decision.error)?;
        found.set_item("trials", decision.trials)?;
        found.set_item("is_base", decision.plan.is_empty())?;
    }
    Ok(found)
}
