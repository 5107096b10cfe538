//! Rollouts: what follows from a state, played on copies of it.
//!
//! A [`State`] is all that a game needs to go on, so that a copy of it is a world to try things in. Its future may be the one that
//! will be ([`Future::Known`]), or one that might be ([`Future::Drawn`]): all that chance has still to decide is then drawn anew, and
//! of the weather to come nothing is known but what the forecast says. Both begin with the state as it is, hidden values included.

use crate::action::Call;
use crate::game::Game;
use crate::parallel::in_parallel;
use crate::part::Context;
use crate::state::State;
use crate::step::{Outcome, StepError, StepRecord};

/// Which future a rollout has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Future {
    /// The one that the episode will have. What is planned with it is a bound and no policy: nobody can know it.
    Known,
    /// One that the episode might have, drawn with a seed: equal seeds give equal futures.
    Drawn(u64),
}

/// Why many rollouts were not played.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RolloutError {
    /// The actions are not as many for each future.
    #[error("{actions} actions can't be divided among {futures} rollouts: each has the same number of steps")]
    Shape {
        /// How many actions there are.
        actions: usize,
        /// How many futures there are.
        futures: usize,
    },
    /// A step was not taken.
    #[error("rollout {row}, step {step}: {error}")]
    Step {
        /// Which rollout, from 0.
        row: usize,
        /// Which of its steps, from 0.
        step: usize,
        /// Why not.
        error: StepError,
    },
}

impl Game {
    /// Draws anew, with a seed, all that chance has still to decide of an episode: the draws of the steps to come, and what parts have
    /// decided ahead ([`Behaviour::redraw_future`](crate::Behaviour::redraw_future)). What is stays as it is.
    pub fn redraw_future(&self, state: &mut State, seed: u64) {
        let (before, step) = (state.seed(), state.step());
        state.set_seed(seed);
        let mut events = Vec::new();
        let cells = state.cells(self.regions);
        let mut context = Context::new(cells, seed, step, &mut events);
        for part in &self.behaviours {
            part.any().redraw_future(before, &mut context);
        }
    }
}

/// A copy of a state that is played on, again and again, with the same buffers.
#[derive(Debug)]
pub struct Rollout<'g> {
    game: &'g Game,
    state: State,
    record: StepRecord,
}

impl<'g> Rollout<'g> {
    /// A rollout that has not begun: its state is that of no episode yet.
    pub fn new(game: &'g Game) -> Self {
        let mut state = game.new_state();
        state.over = true;
        Self { game, state, record: game.new_record() }
    }

    /// Goes back to a state of the game, with one of its futures.
    pub fn begin(&mut self, state: &State, future: Future) {
        self.state.copy_from(state);
        if let Future::Drawn(seed) = future {
            self.game.redraw_future(&mut self.state, seed);
        }
    }

    /// Where it stands.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Takes a step.
    ///
    /// # Errors
    /// As [`Game::step`].
    #[inline]
    pub fn step(&mut self, schedule: &[Call]) -> Result<Outcome, StepError> {
        self.game.step(&mut self.state, schedule, &mut self.record)
    }

    /// The sum of the rewards of a list of flat actions, one a step, as far as the episode lasts.
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

/// The return of each of many rollouts of a state over threads: the sum of its rewards, as far as the episode lasts.
///
/// `actions` has the ids of the flat list row by row, one row for each future, one id a step. Equal rows with equal futures have equal
/// returns, on any number of threads. A state that is over has the return 0.
///
/// # Errors
/// Rows of different lengths; an id that is not in the list; a step that fails. Of several the first in order.
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
