//! Episodes in which one part sees another seed than all the others.
//!
//! Whatever differs from the same episode under one seed, that part has made of its seed: it is what the part draws. Everything it
//! reads is the same, so that nothing else can be taken for it.

use crate::action::{ActionTarget, Call};
use crate::game::{Behaviours, Game};
use crate::part::Context;
use crate::state::State;
use crate::step::StepRecord;

/// A part that sees a seed of its own.
#[derive(Debug, Clone, Copy)]
pub struct OtherSeed {
    /// Index of the part among [`Game::parts`].
    pub part: usize,
    /// The seed that it sees.
    pub seed: u64,
}

impl OtherSeed {
    fn seed_of(self, part: usize, seed: u64) -> u64 {
        if part == self.part { self.seed } else { seed }
    }

    /// Begins an episode as [`Game::reset`] does, with another seed for the part.
    pub fn reset(self, game: &Game, state: &mut State, seed: u64, record: &mut StepRecord) {
        state.copy_from(&game.prototype);
        state.seed = seed;
        record.clear();
        let cells = state.cells(game.regions);
        for (i, part) in game.behaviours.iter().enumerate() {
            part.any().reset(&mut Context::new(cells, self.seed_of(i, seed), 0, &mut record.events));
        }
        for initial in &game.rules.initial {
            initial.apply(&cells, seed);
        }
        for (i, part) in game.behaviours.iter().enumerate() {
            part.any().after_initial_conditions(&mut Context::new(cells, self.seed_of(i, seed), 0, &mut record.events));
        }
    }

    /// The dynamics of a day with another seed for the part: the interventions, whoever may do them, then all phases in order.
    /// Returns the reward before costs. Nothing is checked, and no episode ends.
    pub fn pass_day(self, game: &Game, state: &mut State, schedule: &[Call], record: &mut StepRecord) -> f64 {
        record.clear();
        let (seed, step) = (state.seed, state.step);
        let cells = state.cells(game.regions);
        for call in schedule {
            let base = &game.catalogue.base_actions[call.base()];
            if let ActionTarget::Intervention(action) = base.target {
                let mut context = Context::new(cells, self.seed_of(base.part, seed), step, &mut record.events);
                game.behaviours[base.part].any().act(action, call.arguments(), &mut context);
            }
        }
        for tick in &game.ticks {
            let mut context = Context::new(cells, self.seed_of(tick.part, seed), step, &mut record.events);
            tick.call(&game.behaviours, &mut context);
        }
        let last = game.behaviours.len().saturating_sub(1);
        let reward = match game.behaviours.last() {
            Some(Behaviours::Score(score)) => {
                let mut context = Context::new(cells, self.seed_of(last, seed), step, &mut record.events);
                score.reward(&mut context)
            }
            _ => 0.0,
        };
        state.step += 1;
        reward
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
