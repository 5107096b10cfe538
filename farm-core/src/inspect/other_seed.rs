//! Episodes in which one part sees a different seed from all other parts.
//!
//! Compare such an episode with the same episode under a single seed. Any difference is due to that part's random draws, because everything
//! else that the part reads is the same.

use crate::action::Call;
use crate::game::{Game, Seeds};
use crate::part::Context;
use crate::state::State;
use crate::step::{Outcome, StepError, StepRecord};

/// A part with its own seed.
#[derive(Debug, Clone, Copy)]
pub struct OtherSeed {
    /// The index of the part in [`Game::parts`].
    pub part: usize,
    /// The seed that the part sees.
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

    /// Starts an episode like [`Game::reset`], but with a different seed for the part.
    pub fn reset(self, game: &Game, state: &mut State, seed: u64, record: &mut StepRecord) {
        game.reset_with(state, seed, record, self);
    }

    /// Simulates a day in the same way as a step, but with a different seed for the part. First executes the interventions, without asking
    /// the farmers. Then runs the phases, the score and the check for the end of the episode. Also works in a state that is over.
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

    /// Observes a state. Only the part's own entries are written under its different seed.
    ///
    /// # Panics
    /// If `out` is shorter than an observation record.
    pub fn observe_into(self, game: &Game, state: &State, out: &mut [u8]) {
        let reader = game.reader(state);
        game.observation.write(&reader, out, |part, observable, reader, slot| {
            let mut reader = *reader;
            reader.seed = self.seed_of(part, reader.seed);
            game.behaviour(part).observe(observable, &reader, slot);
        });
    }
}
