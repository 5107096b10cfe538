//! Trials: plans played from copies of a state, on several threads.

use farm_core::action::Call;
use farm_core::serde_yaml::Value;
use farm_core::{Agent, Future, Game, RolloutError, State, mix, rollout_agents};
use farm_games::policies::policy_from_value;

use super::{Foresight, Move, Plan, future};
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
        self.played += plans.len() * futures;
        let (game, foresight) = (self.game, self.foresight);
        let pairs = plans.iter().flat_map(|plan| seeds.iter().map(move |seed| (plan, future(foresight, *seed))));
        let rollouts = pairs.map(|(plan, future)| Ok((Follower::new(plan, base)?, future)));
        let is_over = is_over_limit(game, state);
        let end = |total, last: &State| Trial { total, breaks_limit: !is_over && is_over_limit(game, last) };
        let rollouts = rollouts.collect::<Result<Vec<_>, SearchError>>()?;
        let played = rollout_agents(game, state, rollouts, self.horizon, self.threads, end);
        let played = played.map_err(|error| failed(error, "a plan", |row| seeds[row % futures]))?;
        Ok(played.chunks(futures).map(<[Trial]>::to_vec).collect())
    }
}

/// The error of a rollout.
fn failed(error: RolloutError, policy: &str, seed: impl Fn(usize) -> u64) -> SearchError {
    match error {
        RolloutError::Step { row, error, .. } => {
            SearchError::Step { error, seed: seed(row), policy: policy.to_owned() }
        }
        other => SearchError::Request(other.to_string()),
    }
}

/// An agent that follows a plan. After the last move, the base policy plays.
struct Follower<'p> {
    plan: &'p [Move],
    base: Box<dyn Agent>,
    step: usize,
}

impl<'p> Follower<'p> {
    /// Continues with a copy of the base policy.
    fn new(plan: &'p [Move], base: &dyn Agent) -> Result<Self, SearchError> {
        Ok(Self { plan, base: copy_of(base)?, step: 0 })
    }
}

impl Agent for Follower<'_> {
    fn start(&mut self, seed: u64) {
        self.step = 0;
        self.base.start(seed);
    }

    fn choose(&mut self, game: &Game, state: &State, schedule: &mut Vec<Call>) {
        match self.plan.get(self.step) {
            Some(own) => own.choose(game, state, self.base.as_mut(), schedule),
            None => self.base.choose(game, state, schedule),
        }
        self.step += 1;
    }
}

/// A copy of a policy in the middle of an episode.
pub(super) fn copy_of(policy: &dyn Agent) -> Result<Box<dyn Agent>, SearchError> {
    policy.fork().ok_or_else(|| {
        let message =
            "the base policy can't be copied in the middle of an episode: plan with another one, such as `wait`";
        SearchError::Request(message.to_owned())
    })
}

/// Plays a policy from a state in each future, to the end of the episode or for `horizon` steps. Returns each rollout's sum of rewards. The
/// policy starts at this state, and does not remember earlier actions.
///
/// # Errors
/// The policy does not fit the game or can't be copied, or the game fails in a step.
pub fn rollout_policy(
    game: &Game,
    state: &State,
    policy: &Value,
    futures: &[Future],
    horizon: Option<u32>,
    threads: usize,
) -> Result<Vec<f64>, SearchError> {
    let mut agent = policy_from_value(game, policy)?;
    agent.start(state.seed());
    let rollouts = futures.iter().map(|future| Ok((Follower::new(&[], agent.as_ref())?, *future)));
    let rollouts = rollouts.collect::<Result<Vec<_>, SearchError>>()?;
    let played = rollout_agents(game, state, rollouts, horizon.unwrap_or(MAX_STEPS), threads, |total, _| total);
    played.map_err(|error| failed(error, "the policy", |_| state.seed()))
}
