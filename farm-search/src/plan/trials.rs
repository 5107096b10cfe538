//! Trials: plans played from copies of a state, on several threads.

use std::sync::Mutex;

use farm_core::{Agent, Game, Rollout, State, in_parallel, mix};

use super::{Foresight, Plan, future};
use crate::SearchError;
use crate::arena::is_over_limit;

/// Maximum number of steps in a trial, if the game has no limit.
const MAX_STEPS: u32 = 10_000;

/// The result of a trial.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Trial {
    /// The sum of its rewards.
    pub total: f64,
    /// Whether it exceeded one of the game's limits that had not been exceeded before.
    pub breaks_limit: bool,
}

/// The environment in which trials run.
#[derive(Debug)]
pub(super) struct Trials<'g> {
    game: &'g Game,
    horizon: u32,
    threads: usize,
    seed: u64,
    /// The step of the decision.
    step: u32,
    foresight: Foresight,
    /// Number of trials played for this decision.
    pub played: usize,
    /// Number of futures drawn for this decision.
    drawn: u64,
}

impl<'g> Trials<'g> {
    pub(super) fn new(game: &'g Game, horizon: Option<u32>, threads: usize, seed: u64) -> Self {
        let horizon = horizon.unwrap_or(MAX_STEPS);
        Self { game, horizon, threads, seed, step: 0, foresight: Foresight::Drawn, played: 0, drawn: 0 }
    }

    pub(super) fn game(&self) -> &'g Game {
        self.game
    }

    /// Starts the trials of a decision.
    pub(super) fn begin(&mut self, step: u32, foresight: Foresight) {
        (self.step, self.foresight, self.played, self.drawn) = (step, foresight, 0, 0);
    }

    /// A seed for this decision.
    pub(super) fn seed_of(&self, purpose: u64) -> u64 {
        mix(mix(self.seed, u64::from(self.step)), purpose)
    }

    /// The knowledge of the future.
    pub(super) fn foresight(&self) -> Foresight {
        self.foresight
    }

    /// Plays each plan on `futures` new futures, which are the same for all plans.
    pub(super) fn play(
        &mut self,
        base: &dyn Agent,
        state: &State,
        plans: &[Plan],
        futures: usize,
    ) -> Result<Vec<Vec<Trial>>, SearchError> {
        let seeds: Vec<u64> = (0..futures as u64).map(|i| self.seed_of(mix(self.drawn + i, 1))).collect();
        self.drawn += futures as u64;
        let n = plans.len() * futures;
        self.played += n;
        // An agent can move to another thread, but threads can't share it.
        let agents: Vec<Mutex<Option<Box<dyn Agent>>>> = (0..n).map(|_| Mutex::new(base.fork())).collect();
        let (game, horizon, foresight) = (self.game, self.horizon, self.foresight);
        let is_over = is_over_limit(game, state);
        let buffers = || (Rollout::new(game), Vec::new());
        let played = in_parallel(n, self.threads, buffers, |(rollout, schedule), i| {
            let agent = agents[i].lock().ok().and_then(|mut agent| agent.take());
            let Some(mut agent) = agent else { return Ok(Trial { total: 0.0, breaks_limit: false }) };
            let (plan, seed) = (&plans[i / futures], seeds[i % futures]);
            rollout.begin(state, future(foresight, seed));
            let mut total = 0.0;
            for step in 0..horizon as usize {
                if rollout.state().over() {
                    break;
                }
                schedule.clear();
                match plan.get(step) {
                    Some(own) => own.choose(game, rollout.state(), agent.as_mut(), schedule),
                    None => agent.choose(game, rollout.state(), schedule),
                }
                let outcome = rollout.step(schedule);
                total +=
                    outcome.map_err(|error| SearchError::Step { error, seed, policy: "a plan".to_owned() })?.reward;
            }
            Ok(Trial { total, breaks_limit: !is_over && is_over_limit(game, rollout.state()) })
        });
        let played: Vec<Trial> = played.into_iter().collect::<Result<_, SearchError>>()?;
        Ok(played.chunks(futures).map(<[Trial]>::to_vec).collect())
    }
}
