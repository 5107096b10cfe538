//! Episodes in which one part sees another seed than all other parts.
//!
//! Every difference from the same episode under a single seed comes from the draws of that part, because everything that the part
//! reads is the same.

use crate::action::Call;
use crate::game::{Game, Seeds};
use crate::part::Context;
use crate::state::State;
use crate::step::{Outcome, StepError, StepRecord};

/// A part with its own seed.
#[derive(Debug, Clone, Copy)]
pub struct OtherSeed {
    /// Index of the part among [`Game::parts`].
    pub part: usize,
    /// The seed that it sees.
    pub seed: u64,
}

impl Seeds for OtherSeed {
    fn show(self, part: usize, episode: u64, context: &mut Context<'_>) {
        context.show_seed(self.seed_of(part, episode));
    }
}

impl OtherSeed {
    fn seed_of(self, part: usize, episode: u64) -> u64 {
        if part == self.part { self.seed } else { episode }
    }

    /// Starts an episode like [`Game::reset`], with another seed for the part.
    pub fn reset(self, game: &Game, state: &mut State, seed: u64, record: &mut StepRecord) {
        game.reset_with(state, seed, record, self);
    }

    /// Simulates a day like a step, with another seed for the part: the interventions, without asking their farmers, then the phases, the
    /// score and the end of the episode. Also works in a state that is over.
    ///
    /// # Errors
    /// A part computes a number that is not finite, or reports more events than it declares.
    pub fn pass_day(
        self,
        game: &Game,
        state: &mut State,
        schedule: &[Call],
        record: &mut StepRecord,
    ) -> Result<Outcome, StepError> {
        record.clear();
        game.pass_day(state, schedule, record, self)
    }

    /// Observes a state; only the part's own entries are written under its other seed.
    ///
    /// # Panics
    /// If `out` is shorter than the record of an observation.
    pub fn observe_into(self, game: &Game, state: &State, out: &mut [u8]) {
        let reader = game.reader(state);
        game.observation.write(&reader, out, |part, observable, reader, slot| {
            let mut reader = *reader;
            reader.seed = self.seed_of(part, reader.seed);
            game.behaviours[part].any().observe(observable, &reader, slot);
        });
    }
}
