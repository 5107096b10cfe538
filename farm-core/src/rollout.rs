//! Rollouts, which play a state's possible futures on copies of the state.
//!
//! A [`State`] contains everything that a game needs to continue, so you can try things out on a copy. The copy's future is either the
//! actual future ([`Future::Known`]) or a sampled future ([`Future::Drawn`]). A sampled future redraws all remaining randomness, so the
//! forecast is the only information about future weather. Both start with the unchanged state, including hidden values.

use std::sync::{Mutex, PoisonError};

use crate::action::Call;
use crate::game::Game;
use crate::parallel::in_parallel;
use crate::part::{Agent, Context};
use crate::state::State;
use crate::step::{Outcome, StepError, StepRecord};

/// Which future a rollout plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Future {
    /// The episode's actual future. Planning with it gives a perfect-information bound, not a policy, because no agent can know it.
    Known,
    /// A possible future for the episode, drawn with a seed. The same seed always gives the same future.
    Drawn(u64),
}

/// Why rollouts could not be played.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RolloutError {
    /// The number of actions is not a multiple of the number of futures.
    #[error("{actions} actions can't be divided among {futures} rollouts: each has the same number of steps")]
    Shape {
        /// The number of actions.
        actions: usize,
        /// The number of futures.
        futures: usize,
    },
    /// A step could not be taken.
    #[error("rollout {row}, step {step}: {error}")]
    Step {
        /// The index of the rollout, from 0.
        row: usize,
        /// The index of the rollout's step, from 0.
        step: usize,
        /// The reason.
        error: StepError,
    },
}

impl Game {
    /// Uses a seed to redraw an episode's remaining randomness: the draws in future steps, and the values that parts have decided in
    /// advance ([`Behaviour::redraw_future`](crate::Behaviour::redraw_future)). Current values are unchanged.
    pub fn redraw_future(&self, state: &mut State, seed: u64) {
        let (before, step) = (state.seed(), state.step());
        state.set_seed(seed);
        let mut events = Vec::new();
        let cells = state.cells(self.regions);
        let mut context = Context::new(cells, seed, step, &mut events);
        for part in self.behaviours() {
            part.redraw_future(before, &mut context);
        }
    }
}

/// A copy of a state that is played repeatedly with the same buffers.
#[derive(Debug)]
pub struct Rollout<'g> {
    game: &'g Game,
    state: State,
    record: StepRecord,
}

impl<'g> Rollout<'g> {
    /// Creates a rollout that has not started yet. Its state does not belong to any episode.
    pub fn new(game: &'g Game) -> Self {
        let mut state = game.new_state();
        state.over = true;
        Self { game, state, record: game.new_record() }
    }

    /// Starts from one of the game's states, with one of its futures.
    pub fn begin(&mut self, state: &State, future: Future) {
        self.state.copy_from(state);
        if let Future::Drawn(seed) = future {
            self.game.redraw_future(&mut self.state, seed);
        }
    }

    /// The current state.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Takes a step.
    ///
    /// # Errors
    /// The same errors as [`Game::step`].
    #[inline]
    pub fn step(&mut self, schedule: &[Call]) -> Result<Outcome, StepError> {
        self.game.step(&mut self.state, schedule, &mut self.record)
    }

    /// The sum of the rewards for a list of flat actions, one per step, until the episode ends.
    fn play(&mut self, state: &State, future: Future, actions: &[usize]) -> Result<f64, (usize, StepError)> {
        self.begin(state, future);
        let mut total = 0.0;
        for (step, id) in actions.iter().enumerate() {
            if self.state.over {
                break;
            }
            let outcome = self.game.step_discrete(&mut self.state, *id, &mut self.record);
            total += outcome.map_err(|error| (step, error))?.reward;
        }
        Ok(total)
    }
}

/// Plays many rollouts from one state on several threads. Returns each rollout's sum of rewards until the episode ends.
///
/// `actions` contains flat-list ids row by row, with one row per future and one id per step. Equal rows with equal futures have equal
/// returns, on any number of threads. If the state's episode is over, the return is 0.
///
/// # Errors
/// The rows have different lengths, an id is not in the flat list, or a step fails. If there are several errors, the first in order is
/// returned.
pub fn rollout_many(
    game: &Game,
    state: &State,
    actions: &[usize],
    futures: &[Future],
    threads: usize,
) -> Result<Vec<f64>, RolloutError> {
    let shape = || RolloutError::Shape { actions: actions.len(), futures: futures.len() };
    if futures.is_empty() {
        return if actions.is_empty() { Ok(Vec::new()) } else { Err(shape()) };
    }
    if !actions.len().is_multiple_of(futures.len()) {
        return Err(shape());
    }
    let horizon = actions.len() / futures.len();
    let last = game.catalogue().discrete_len().saturating_sub(1);
    if let Some(at) = actions.iter().position(|id| *id > last) {
        let error = StepError::NoSuchAction { id: actions[at], last };
        return Err(RolloutError::Step { row: at / horizon, step: at % horizon, error });
    }
    let found = in_parallel(
        futures.len(),
        threads,
        || Rollout::new(game),
        |rollout, row| {
            let ids = &actions[row * horizon..(row + 1) * horizon];
            rollout.play(state, futures[row], ids).map_err(|(step, error)| RolloutError::Step { row, step, error })
        },
    );
    found.into_iter().collect()
}

/// Plays a rollout for each agent from one state on several threads, to the end of the episode or for `horizon` steps. Returns what `end` makes
/// of each rollout's sum of rewards and last state. Equal agents with equal futures have equal results, on any number of threads.
///
/// # Errors
/// A step fails. If there are several errors, the first in order is returned.
pub fn rollout_agents<A: Agent, T: Send>(
    game: &Game,
    state: &State,
    rollouts: Vec<(A, Future)>,
    horizon: u32,
    threads: usize,
    end: impl Fn(f64, &State) -> T + Sync,
) -> Result<Vec<T>, RolloutError> {
    // An agent can move to another thread, but threads can't share it.
    let rollouts: Vec<Mutex<(A, Future)>> = rollouts.into_iter().map(Mutex::new).collect();
    let buffers = || (Rollout::new(game), Vec::new());
    let played = in_parallel(rollouts.len(), threads, buffers, |(rollout, schedule), row| {
        let mut own = rollouts[row].lock().unwrap_or_else(PoisonError::into_inner);
        let (agent, future) = &mut *own;
        rollout.begin(state, *future);
        let mut total = 0.0;
        for step in 0..horizon as usize {
            if rollout.state.over {
                break;
            }
            schedule.clear();
            agent.choose(game, &rollout.state, schedule);
            let outcome = rollout.step(schedule).map_err(|error| RolloutError::Step { row, step, error })?;
            total += outcome.reward;
        }
        Ok(end(total, &rollout.state))
    });
    played.into_iter().collect()
}
