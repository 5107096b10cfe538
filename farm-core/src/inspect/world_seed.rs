//! Episodes with a fixed outside world, in which all other random draws are resampled.
//!
//! Such episodes separate two sources of variance in the returns: the weather, and luck that no player can influence. To do so, compare
//! episodes that have the same world but different dice.

use crate::action::Call;
use crate::declare::PartInfo;
use crate::game::{Game, Seeds};
use crate::part::Context;
use crate::state::State;
use crate::step::{Outcome, StepError, StepRecord};

/// The dice seed. The episode's seed is the world seed.
///
/// The world consists of the parts that the caller selects, such as the weather with its forecasts, and the initial conditions that the
/// rules draw. The world uses the episode's seed, which is stored in [`State::seed`]. All other parts see the dice seed.
#[derive(Debug, Clone)]
pub struct WorldSeed {
    /// Whether each of the game's parts belongs to the world.
    is_world: Vec<bool>,
    /// The seed that all other parts see.
    dice: u64,
}

impl Seeds for &WorldSeed {
    fn show(self, part: usize, episode: u64, context: &mut Context<'_>) {
        let is_world = self.is_world.get(part).copied().unwrap_or_default();
        context.show_seed(if is_world { episode } else { self.dice });
    }
}

impl WorldSeed {
    /// Sets up episodes with this dice seed. The parts selected by `is_world` belong to the world.
    pub fn new(game: &Game, is_world: impl Fn(&PartInfo) -> bool, dice: u64) -> Self {
        Self { is_world: game.parts.iter().map(is_world).collect(), dice }
    }

    /// Changes the dice seed, from the next episode on.
    pub fn set_dice(&mut self, dice: u64) {
        self.dice = dice;
    }

    /// Starts an episode like [`Game::reset`]; `world` is the world seed.
    pub fn reset(&self, game: &Game, state: &mut State, world: u64, record: &mut StepRecord) {
        game.reset_with(state, world, record, self);
    }

    /// Takes a step like [`Game::step`].
    ///
    /// # Errors
    /// The episode is over, or a part computes a number that is not finite.
    pub fn step(
        &self,
        game: &Game,
        state: &mut State,
        schedule: &[Call],
        record: &mut StepRecord,
    ) -> Result<Outcome, StepError> {
        game.step_with(state, schedule, record, self)
    }
}
