//! Episodes in which one part sees another seed than all the others.
//!
//! Whatever differs from the same episode under one seed, that part has made of its seed: it is what the part draws. Everything it
//! reads is the same, so that nothing else can be taken for it.

use crate::action::Call;
use crate::game::{Game, Seeds};
use crate::part::Context;
use crate::state::State;
use crate::step::{Outcome, StepError, StepRecord};

/// A part that sees a seed of its own.
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

    /// Begins an episode as [`Game::reset`] does, with another seed for the part.
    pub fn reset(self, game: &Game, state: &mut State, seed: u64, record: &mut StepRecord) {
        game.reset_with(state, seed, record, self);
    }

    /// A day as a step lets it pass, with another seed for the part: the interventions, whoever may do them, then the phases, the score
    /// and what ends an episode. A state that is over is played on.
    ///
    /// # Errors
    /// When a part computes a number that is not finite, or reports more events than it declares.
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

    /// The observation of a state in which only the part's own entries are written under its other seed.
    ///
    /// # Panics
    /// When `out` is shorter than the record of an observation.
    pub fn observe_into(self, game: &Game, state: &State, out: &mut [u8]) {
        let reader = game.reader(state);
        game.observation.write(&reader, out, |part, observable, reader, slot| {
            let mut reader = *reader;
            reader.seed = self.seed_of(part, reader.seed);
            game.behaviours[part].any().observe(observable, &reader, slot);
        });
    }
}
