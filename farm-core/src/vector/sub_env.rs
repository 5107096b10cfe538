//! One environment in a batch.

use std::sync::Arc;

use super::episode_seed;
use crate::episode::{PlayError, tell_reset};
use crate::failure;
use crate::game::Game;
use crate::observer::Observer;
use crate::seeds::SeedSplit;
use crate::state::State;
use crate::step::{StepError, StepRecord};

/// An environment in a batch.
#[derive(Debug, Clone)]
pub(super) struct SubEnv {
    /// The environment's game: the batch's game, or the same game on another level.
    pub(super) game: Arc<Game>,
    pub(super) state: State,
    /// The seed from which the environment's episode seeds are derived.
    pub(super) seed: u64,
    /// The number of episodes started since that seed was set.
    pub(super) episodes: u64,
    /// The split for the environment's episodes, if a split was selected with the seed.
    pub(super) split: Option<SeedSplit>,
}

impl SubEnv {
    /// Starts the next episode. The episode ends at once if a plugin's part fails.
    pub(super) fn begin_next(&mut self, record: &mut StepRecord) -> Result<(), StepError> {
        let seed = SeedSplit::nearest(self.split, episode_seed(self.seed, self.episodes));
        self.game.reset(&mut self.state, seed, record);
        self.episodes += 1;
        failure::take().map_or(Ok(()), |failure| Err(failure.into()))
    }

    /// Starts the next episode and calls an observer.
    #[inline]
    pub(super) fn begin_observed<O: Observer>(
        &mut self,
        record: &mut StepRecord,
        observer: Option<&mut O>,
    ) -> Result<(), PlayError> {
        self.begin_next(record)?;
        match observer {
            Some(observer) => tell_reset(observer, &self.game, &mut self.state),
            None => Ok(()),
        }
    }
}
