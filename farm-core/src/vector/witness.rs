//! Who wants to see the states in between: those that a step leads to and overwrites with the start of the next episode.

use crate::game::Game;
use crate::state::State;
use crate::step::{Outcome, StepRecord};

/// Who sees what becomes of one environment of a batch, on the thread that steps it.
pub trait Witness: Send {
    /// An episode has begun by itself.
    fn began(&mut self, game: &Game, state: &State);

    /// A step has been taken and has led to this state, which is the last one of the episode where that is over.
    fn stepped(&mut self, game: &Game, state: &State, record: &StepRecord, outcome: &Outcome);
}

/// Nobody: there is no value of it, so that a batch that nobody watches is stepped by code in which no witness occurs.
#[derive(Debug, Clone, Copy)]
pub(super) enum Nobody {}

impl Witness for Nobody {
    fn began(&mut self, _: &Game, _: &State) {
        match *self {}
    }

    fn stepped(&mut self, _: &Game, _: &State, _: &StepRecord, _: &Outcome) {
        match *self {}
    }
}
