//! Episodes in which the world outside is held fixed while all other dice are drawn anew.
//!
//! How much of what is earned is weather, and how much is luck that no player can act on? Episodes with equal worlds and different
//! dice separate the two.

use crate::action::Call;
use crate::declare::PartInfo;
use crate::game::{Game, Seeds};
use crate::part::Context;
use crate::state::State;
use crate::step::{Outcome, StepError, StepRecord};

/// The seed of the dice, where the seed of the episode is that of the world.
///
/// The world consists of the parts that the caller names, such as the weather with its forecasts, and of what the rules draw when an
/// episode begins. They see the seed of the episode, which [`State::seed`] keeps. All other parts see the seed of the dice.
#[derive(Debug, Clone)]
pub struct WorldSeed {
    /// Whether each part of the game belongs to the world.
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
    /// Episodes of a game in which the parts that `is_world` accepts belong to the world, with this seed of the dice.
    pub fn new(game: &Game, is_world: impl Fn(&PartInfo) -> bool, dice: u64) -> Self {
        Self { is_world: game.parts.iter().map(is_world).collect(), dice }
    }

    /// Changes the seed of the dice, for the next episode.
    pub fn set_dice(&mut self, dice: u64) {
        self.dice = dice;
    }

    /// Begins an episode as [`Game::reset`] does; `world` is the seed of the world.
    pub fn reset(&self, game: &Game, state: &mut State, world: u64, record: &mut StepRecord) {
        game.reset_with(state, world, record, self);
    }

    /// Takes a step as [`Game::step`] does.
    ///
    /// # Errors
    /// When the episode is over, or a part computes a number that is not finite.
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
