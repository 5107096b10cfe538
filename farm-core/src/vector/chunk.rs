//! Environments that stand side by side, stepped by one thread, and a batch cut into such pieces.

use std::sync::{Mutex, PoisonError};

use super::pool::Pool;
use super::sub_env::SubEnv;
use super::{Actions, Autoreset, MAX_THREADS, Outputs};
use crate::action::Call;
use crate::episode::{PlayError, tell_failure, tell_step};
use crate::failure;
use crate::observer::Observer;
use crate::step::{Outcome, StepError, StepRecord};

/// What surely stays in the cache of a core that steps the same environments again and again.
const CACHE_BYTES: usize = 1 << 18;
/// How many environments stand between the one that is stepped and the one whose state is fetched meanwhile: memory that other
/// programs keep busy answers later than one step of a small game takes.
const AHEAD: usize = 1;

/// What a thread needs to step.
#[derive(Debug)]
pub(super) struct StepBuffers {
    pub(super) record: StepRecord,
    pub(super) schedule: Vec<Call>,
}

/// Some environments that stand side by side, with what belongs to them.
pub(super) struct Chunk<'a, O> {
    /// The number of the first.
    pub(super) first: usize,
    pub(super) members: &'a mut [SubEnv],
    pub(super) actions: Actions<'a>,
    pub(super) outputs: Outputs<'a>,
    /// One for each environment; empty where nothing is observed.
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
    /// The first `count` environments, and the others.
    fn split(self, count: usize) -> (Self, Self) {
        let n = self.members.len().max(1);
        let o = self.outputs;
        let at = |len: usize| len / n * count;
        let (members, more_members) = self.members.split_at_mut(count);
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
            members: more_members,
            actions: more_actions,
            outputs: more_outputs,
            observers: more_observers,
        };
        (Self { first, members, actions, outputs, observers }, more)
    }

    /// Steps them; returns the first that failed, and why.
    pub(super) fn step(self, autoreset: Autoreset, desk: &mut StepBuffers) -> Option<(usize, PlayError)> {
        let StepBuffers { record, schedule } = desk;
        let first = self.members.first()?;
        let (size, slots) = (first.game.observation.size, first.game.catalogue.max_schedule);
        let (n, o) = (self.members.len(), self.outputs);
        // Cut to the same length, so that no index into them needs a check.
        let (rewards, rejections) = (&mut o.rewards[..n], &mut o.rejections[..n]);
        let (terminations, truncations) = (&mut o.terminations[..n], &mut o.truncations[..n]);
        let intervention_costs = &mut o.intervention_costs[..n];
        let (observation_costs, constraint_costs) = (&mut o.observation_costs[..n], &mut o.constraint_costs[..n]);
        let mut failed = None;
        // States that do not stay in the cache from step to step are fetched while those before are stepped.
        let fetches_ahead = n * first.state.size_in_bytes() > CACHE_BYTES;
        let mut rest = self.members;
        for i in 0..n {
            let Some((member, others)) = rest.split_first_mut() else { break };
            if let (true, Some(next)) = (fetches_ahead, others.get(AHEAD)) {
                next.state.prefetch();
            }
            rest = others;
            let mut observer = self.observers.get_mut(i).and_then(Option::as_mut);
            let seen = &mut o.observations[i * size..(i + 1) * size];
            let outcome = if member.state.over {
                // Only `NextStep` comes here with an episode that is over; `SameStep` does after a step that failed.
                match member.begin_observed(record, observer.as_deref_mut()) {
                    Ok(()) => Outcome { reward: 0.0, terminated: false, truncated: false },
                    Err(error) => cut_off(&mut failed, self.first + i, error),
                }
            } else {
                let game = &member.game;
                let stepped = match self.actions {
                    Actions::Discrete(ids) => game.step_discrete(&mut member.state, ids[i] as usize, record),
                    Actions::MultiDiscrete(ids) => {
                        schedule.clear();
                        let ids = ids[i * slots..(i + 1) * slots].iter().map(|id| *id as usize);
                        game.catalogue.extend_by_ids(ids, schedule);
                        game.step(&mut member.state, schedule, record)
                    }
                };
                match &mut observer {
                    Some(observer) => {
                        let schedule = match self.actions {
                            Actions::Discrete(ids) => game.catalogue.discrete(ids[i] as usize).unwrap_or_default(),
                            Actions::MultiDiscrete(_) => schedule,
                        };
                        let told = tell_step(observer, game, &mut member.state, schedule, record, stepped);
                        told.unwrap_or_else(|error| cut_off(&mut failed, self.first + i, error))
                    }
                    None => stepped.unwrap_or_else(|error| cut_off(&mut failed, self.first + i, error.into())),
                }
            };
            intervention_costs[i] = record.intervention_cost;
            observation_costs[i] = record.observation_cost;
            constraint_costs[i] = member.game.constraint_cost(record);
            rejections[i] = (record.rejected.len() + record.rejected_more) as i32;
            rewards[i] = outcome.reward;
            terminations[i] = outcome.terminated;
            truncations[i] = outcome.truncated;
            if autoreset == Autoreset::SameStep && outcome.over() {
                member.game.observe_into(&member.state, &mut o.final_observations[i * size..(i + 1) * size]);
                if let Err(error) = member.begin_observed(record, observer.as_deref_mut()) {
                    failed.get_or_insert((self.first + i, error));
                }
            }
            member.game.observe_into(&member.state, seen);
            if let Some(failure) = failure::take() {
                let mut error = PlayError::from(StepError::from(failure));
                if let (false, Some(observer)) = (member.state.over, &mut observer) {
                    error = tell_failure(observer, &member.game, &mut member.state, error);
                }
                (member.state.over, truncations[i]) = (true, true);
                failed.get_or_insert((self.first + i, error));
            }
        }
        failed
    }
}

/// The outcome of an environment that failed. Of several failures the first is kept.
#[cold]
fn cut_off(failed: &mut Option<(usize, PlayError)>, environment: usize, error: PlayError) -> Outcome {
    failed.get_or_insert((environment, error));
    Outcome { reward: 0.0, terminated: false, truncated: true }
}

/// Cuts a batch into a piece for each thread and steps them side by side. A thread has the same piece each time, whose
/// states may still be in its cache.
pub(super) fn step_parallel<O: Observer + Send>(
    whole: Chunk<'_, O>,
    autoreset: Autoreset,
    desks: &mut [StepBuffers],
    pool: &mut Pool,
) -> Option<(usize, PlayError)> {
    let threads = pool.threads();
    // As large as it can ever be, so that nothing is allocated for it.
    let mut pieces = [const { Mutex::new(None) }; MAX_THREADS];
    let mut rest = whole;
    for (number, desk) in desks.iter_mut().enumerate().take(threads) {
        let (piece, more) = {
            let count = rest.members.len() / (threads - number);
            rest.split(count)
        };
        rest = more;
        *pieces[number].get_mut().unwrap_or_else(PoisonError::into_inner) = Some((piece, desk));
    }
    let failed = Mutex::new(None);
    pool.run(&|number| {
        let piece = pieces[number].lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some((piece, desk)) = piece
            && let Some((environment, error)) = piece.step(autoreset, desk)
        {
            let mut failed = failed.lock().unwrap_or_else(PoisonError::into_inner);
            if failed.as_ref().is_none_or(|(first, _)| environment < *first) {
                *failed = Some((environment, error));
            }
        }
    });
    failed.into_inner().unwrap_or_else(PoisonError::into_inner)
}
