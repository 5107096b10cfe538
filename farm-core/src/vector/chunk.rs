//! Consecutive environments that are stepped by one thread, and how a batch is divided into such chunks.

use std::sync::{Mutex, PoisonError};

use super::pool::Pool;
use super::sub_env::SubEnv;
use super::{Actions, Autoreset, MAX_THREADS, Outputs};
use crate::action::Call;
use crate::episode::{PlayError, tell_failure, tell_step};
use crate::failure;
use crate::observer::Observer;
use crate::part::ConstraintInfo;
use crate::step::{Outcome, StepError, StepRecord};

/// Data up to this size stays in the cache of a core that repeatedly steps the same environments.
const CACHE_BYTES: usize = 1 << 18;
/// How many environments ahead to prefetch states. If other programs keep the memory busy, one access can take longer than a step in a
/// small game.
const AHEAD: usize = 1;

/// The buffers that a thread needs for stepping.
#[derive(Debug)]
pub(super) struct StepBuffers {
    pub(super) record: StepRecord,
    pub(super) schedule: Vec<Call>,
}

/// Consecutive environments, with their inputs and outputs.
pub(super) struct Chunk<'a, O> {
    /// The index of the first environment.
    pub(super) first: usize,
    pub(super) sub_envs: &'a mut [SubEnv],
    pub(super) actions: Actions<'a>,
    pub(super) outputs: Outputs<'a>,
    /// One for each environment; empty if there are no observers.
    pub(super) observers: &'a mut [Option<O>],
}

impl Outputs<'_> {
    pub(super) fn reborrow(&mut self) -> Outputs<'_> {
        Outputs {
            observations: self.observations,
            rewards: self.rewards,
            terminations: self.terminations,
            truncations: self.truncations,
            final_observations: self.final_observations,
            intervention_costs: self.intervention_costs,
            observation_costs: self.observation_costs,
            constraint_costs: self.constraint_costs,
            rejections: self.rejections,
        }
    }
}

impl<O: Observer + Send> Chunk<'_, O> {
    /// The first `count` environments, and the rest.
    fn split(self, count: usize) -> (Self, Self) {
        let n = self.sub_envs.len().max(1);
        let o = self.outputs;
        let at = |len: usize| len / n * count;
        let (sub_envs, more_sub_envs) = self.sub_envs.split_at_mut(count);
        let (actions, more_actions) = match self.actions {
            Actions::Discrete(ids) => {
                let (ids, more) = ids.split_at(count);
                (Actions::Discrete(ids), Actions::Discrete(more))
            }
            Actions::MultiDiscrete(ids) => {
                let (ids, more) = ids.split_at(at(ids.len()));
                (Actions::MultiDiscrete(ids), Actions::MultiDiscrete(more))
            }
        };
        let records = at(o.observations.len());
        let finals = at(o.final_observations.len());
        let observations = o.observations.split_at_mut(records);
        let final_observations = o.final_observations.split_at_mut(finals);
        let rewards = o.rewards.split_at_mut(count);
        let terminations = o.terminations.split_at_mut(count);
        let truncations = o.truncations.split_at_mut(count);
        let intervention_costs = o.intervention_costs.split_at_mut(count);
        let observation_costs = o.observation_costs.split_at_mut(count);
        let constraint_costs = o.constraint_costs.split_at_mut(count);
        let rejections = o.rejections.split_at_mut(count);
        let outputs = Outputs {
            observations: observations.0,
            rewards: rewards.0,
            terminations: terminations.0,
            truncations: truncations.0,
            final_observations: final_observations.0,
            intervention_costs: intervention_costs.0,
            observation_costs: observation_costs.0,
            constraint_costs: constraint_costs.0,
            rejections: rejections.0,
        };
        let more_outputs = Outputs {
            observations: observations.1,
            rewards: rewards.1,
            terminations: terminations.1,
            truncations: truncations.1,
            final_observations: final_observations.1,
            intervention_costs: intervention_costs.1,
            observation_costs: observation_costs.1,
            constraint_costs: constraint_costs.1,
            rejections: rejections.1,
        };
        let first = self.first;
        let (observers, more_observers) = self.observers.split_at_mut(count.min(self.observers.len()));
        let more = Self {
            first: first + count,
            sub_envs: more_sub_envs,
            actions: more_actions,
            outputs: more_outputs,
            observers: more_observers,
        };
        (Self { first, sub_envs, actions, outputs, observers }, more)
    }

    /// Steps the environments. Returns the first failed environment, with its error.
    pub(super) fn step(self, autoreset: Autoreset, step_buffer: &mut StepBuffers) -> Option<(usize, PlayError)> {
        let StepBuffers { record, schedule } = step_buffer;
        let first = self.sub_envs.first()?;
        let (size, slots) = (first.game.observation.size, first.game.catalogue.max_schedule);
        let (n, o) = (self.sub_envs.len(), self.outputs);
        // The slices are cut to the same length, so that indexing needs no bounds checks.
        let (rewards, rejections) = (&mut o.rewards[..n], &mut o.rejections[..n]);
        let (terminations, truncations) = (&mut o.terminations[..n], &mut o.truncations[..n]);
        let intervention_costs = &mut o.intervention_costs[..n];
        let (observation_costs, constraint_costs) = (&mut o.observation_costs[..n], &mut o.constraint_costs[..n]);
        let mut failed = None;
        // States that do not stay in the cache between steps are prefetched while earlier environments are stepped.
        let fetches_ahead = n * first.state.size_in_bytes() > CACHE_BYTES;
        let mut rest = self.sub_envs;
        for i in 0..n {
            let Some((sub_env, others)) = rest.split_first_mut() else { break };
            if let (true, Some(next)) = (fetches_ahead, others.get(AHEAD)) {
                next.state.prefetch();
            }
            rest = others;
            let mut observer = self.observers.get_mut(i).and_then(Option::as_mut);
            let seen = &mut o.observations[i * size..(i + 1) * size];
            let outcome = if sub_env.state.over {
                // Only two modes get here with a finished episode: `NextStep`, and `SameStep` after a failed step.
                match sub_env.begin_observed(record, observer.as_deref_mut()) {
                    Ok(()) => Outcome { reward: 0.0, terminated: false, truncated: false },
                    Err(error) => cut_off(&mut failed, self.first + i, error),
                }
            } else {
                let game = &sub_env.game;
                let stepped = match self.actions {
                    Actions::Discrete(ids) => game.step_discrete(&mut sub_env.state, ids[i] as usize, record),
                    Actions::MultiDiscrete(ids) => {
                        schedule.clear();
                        let ids = ids[i * slots..(i + 1) * slots].iter().map(|id| *id as usize);
                        game.catalogue.extend_by_ids(ids, schedule);
                        game.step(&mut sub_env.state, schedule, record)
                    }
                };
                match &mut observer {
                    Some(observer) => {
                        let schedule = match self.actions {
                            Actions::Discrete(ids) => game.catalogue.discrete(ids[i] as usize).unwrap_or_default(),
                            Actions::MultiDiscrete(_) => schedule,
                        };
                        let told = tell_step(observer, game, &mut sub_env.state, schedule, record, stepped);
                        told.unwrap_or_else(|error| cut_off(&mut failed, self.first + i, error))
                    }
                    None => stepped.unwrap_or_else(|error| cut_off(&mut failed, self.first + i, error.into())),
                }
            };
            intervention_costs[i] = record.intervention_cost;
            observation_costs[i] = record.observation_cost;
            constraint_costs[i] = ConstraintInfo::total_cost(&sub_env.game.constraints, &record.constraint_costs);
            rejections[i] = (record.rejected.len() + record.rejected_more) as i32;
            rewards[i] = outcome.reward;
            terminations[i] = outcome.terminated;
            truncations[i] = outcome.truncated;
            if autoreset == Autoreset::SameStep && outcome.over() {
                sub_env.game.observe_into(&sub_env.state, &mut o.final_observations[i * size..(i + 1) * size]);
                if let Err(error) = sub_env.begin_observed(record, observer.as_deref_mut()) {
                    failed.get_or_insert((self.first + i, error));
                }
            }
            sub_env.game.observe_into(&sub_env.state, seen);
            if let Some(failure) = failure::take() {
                let mut error = PlayError::from(StepError::from(failure));
                if let (false, Some(observer)) = (sub_env.state.over, &mut observer) {
                    error = tell_failure(observer, &sub_env.game, &mut sub_env.state, error);
                }
                (sub_env.state.over, truncations[i]) = (true, true);
                failed.get_or_insert((self.first + i, error));
            }
        }
        failed
    }
}

/// The outcome for a failed environment. If there are several failures, the first is kept.
#[cold]
fn cut_off(failed: &mut Option<(usize, PlayError)>, environment: usize, error: PlayError) -> Outcome {
    failed.get_or_insert((environment, error));
    Outcome { reward: 0.0, terminated: false, truncated: true }
}

/// Divides a batch into one chunk per thread and steps the chunks in parallel. A thread gets the same chunk each time, so the chunk's
/// states may still be in its cache.
pub(super) fn step_parallel<O: Observer + Send>(
    whole: Chunk<'_, O>,
    autoreset: Autoreset,
    step_buffers: &mut [StepBuffers],
    pool: &mut Pool,
) -> Option<(usize, PlayError)> {
    let threads = pool.threads();
    // The array has the maximum size, so that nothing is allocated.
    let mut chunks = [const { Mutex::new(None) }; MAX_THREADS];
    let mut rest = whole;
    for (number, step_buffer) in step_buffers.iter_mut().enumerate().take(threads) {
        let (chunk, more) = {
            let count = rest.sub_envs.len() / (threads - number);
            rest.split(count)
        };
        rest = more;
        *chunks[number].get_mut().unwrap_or_else(PoisonError::into_inner) = Some((chunk, step_buffer));
    }
    let failed = Mutex::new(None);
    pool.run(&|number| {
        let chunk = chunks[number].lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some((chunk, step_buffer)) = chunk
            && let Some((environment, error)) = chunk.step(autoreset, step_buffer)
        {
            let mut failed = failed.lock().unwrap_or_else(PoisonError::into_inner);
            if failed.as_ref().is_none_or(|(first, _)| environment < *first) {
                *failed = Some((environment, error));
            }
        }
    });
    failed.into_inner().unwrap_or_else(PoisonError::into_inner)
}
