//! One environment in a batch.

use std::fmt;
use std::sync::Arc;

use super::episode_seed;
use crate::episode::{PlayError, tell_reset};
use crate::failure;
use crate::game::Game;
use crate::observation::ObservationEntry;
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
    /// Draws the game of each episode; none if all episodes play the same game.
    pub(super) draws: Option<Arc<dyn DrawGame>>,
}

/// Draws a game for each episode, for batches whose episodes play different games.
pub trait DrawGame: fmt::Debug + Send + Sync {
    /// The game and the seed for an episode. `seed` is a seed in `split` or, without a split, a seed that no split reserves. The game must
    /// have the same spaces as the batch's game ([`have_same_spaces`]).
    ///
    /// # Errors
    /// Why there is no game, in words.
    fn draw(&self, split: Option<SeedSplit>, seed: u64) -> Result<(Arc<Game>, u64), String>;
}

/// Whether two games have the same observations and actions, apart from their names, and the same number of constraints.
pub fn have_same_spaces(one: &Game, other: &Game) -> bool {
    let sizes = |game: &Game| (game.catalogue.discrete_len(), game.catalogue.max_schedule, game.constraints.len());
    let (ours, theirs) = (&one.observation, &other.observation);
    let is_same = |(ours, theirs): (&ObservationEntry, &ObservationEntry)| {
        ours.offset() == theirs.offset() && ours.dtype() == theirs.dtype() && ours.space() == theirs.space()
    };
    sizes(one) == sizes(other)
        && ours.size == theirs.size
        && ours.entries.len() == theirs.entries.len()
        && ours.entries.iter().zip(&theirs.entries).all(is_same)
}

impl SubEnv {
    /// Starts the next episode. The episode ends at once if a plugin's part fails.
    pub(super) fn begin_next(&mut self, record: &mut StepRecord) -> Result<(), StepError> {
        let mut seed = SeedSplit::nearest(self.split, episode_seed(self.seed, self.episodes));
        if let Some(draws) = &self.draws {
            let drawn = draws.draw(self.split, seed).and_then(|(game, seed)| {
                if have_same_spaces(&self.game, &game) {
                    return Ok((game, seed));
                }
                Err(format!("`{}` has other observations or actions than the batch", game.spec().name()))
            });
            let game = match drawn {
                Ok((game, drawn)) => {
                    seed = drawn;
                    game
                }
                Err(reason) => {
                    self.state.over = true;
                    return Err(StepError::NoGame(reason.into()));
                }
            };
            self.play(game, record);
        }
        self.game.reset(&mut self.state, seed, record);
        self.episodes += 1;
        failure::take().map_or(Ok(()), |failure| Err(failure.into()))
    }

    /// Switches to a game. An episode must then start.
    pub(super) fn play(&mut self, game: Arc<Game>, record: &mut StepRecord) {
        if !Arc::ptr_eq(&self.game, &game) {
            record.make_room_for(&game.new_record());
            (self.state, self.game) = (game.new_state(), game);
        }
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
