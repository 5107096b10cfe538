//! Plays an episode. In a loop, the player chooses actions, the game takes a step, and the observer is called.

use crate::action::Call;
use crate::game::Game;
use crate::observer::{Observer, ObserverError, Transition};
use crate::part::Agent;
use crate::seeds::SeedSplit;
use crate::state::State;
use crate::step::{Outcome, StepError, StepRecord};

/// Why an episode stopped early.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlayError {
    /// A step could not be taken.
    #[error(transparent)]
    Step(#[from] StepError),
    /// An observer failed.
    #[error(transparent)]
    Observer(ObserverError),
}

/// A summary of an episode, or of its steps so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, farm_macros::Getters)]
pub struct Episode {
    /// The episode's seed.
    pub(crate) seed: u64,
    /// The episode's return, which is the sum of all rewards.
    pub(crate) total: f64,
    /// The number of steps. A day may have several steps; the state's `step` counts days.
    pub(crate) steps: u64,
    /// Whether the game terminated.
    pub(crate) terminated: bool,
    /// Whether the step limit ended the episode.
    pub(crate) truncated: bool,
}

/// Plays one episode from reset to end, watched by an observer.
///
/// To play many episodes with the same buffers, or to read the final state, use an [`EpisodeRunner`].
///
/// # Errors
/// A step failed, or an observer failed. The observer receives the error in `after_episode`.
pub fn play<P, O>(game: &Game, player: &mut P, seed: u64, observer: &mut O) -> Result<Episode, PlayError>
where
    P: Agent + ?Sized,
    O: Observer + ?Sized,
{
    EpisodeRunner::new(game).play(player, seed, observer)
}

/// Plays a game's episodes one after another. Each episode is played all at once or step by step.
#[derive(Debug)]
pub struct EpisodeRunner<'g> {
    game: &'g Game,
    state: State,
    record: StepRecord,
    schedule: Vec<Call>,
    episode: Episode,
    split: Option<SeedSplit>,
}

impl<'g> EpisodeRunner<'g> {
    /// Creates a runner that has not started an episode yet.
    pub fn new(game: &'g Game) -> Self {
        let mut state = game.new_state();
        state.over = true;
        Self::from_state(game, state)
    }

    /// Creates a runner that continues from one of the game's states.
    pub fn from_state(game: &'g Game, state: State) -> Self {
        let episode = Episode { seed: state.seed, ..Episode::default() };
        Self { game, state, record: game.new_record(), schedule: Vec::new(), episode, split: None }
    }

    /// Selects the split whose seeds can start episodes, from the next start on. With `None`, the seeds of all splits are rejected.
    pub fn name_split(&mut self, split: Option<SeedSplit>) {
        self.split = split;
    }

    /// The game.
    pub fn game(&self) -> &'g Game {
        self.game
    }

    /// The state.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// What happened in the last step.
    pub fn record(&self) -> &StepRecord {
        &self.record
    }

    /// The episode so far.
    pub fn episode(&self) -> Episode {
        self.episode
    }

    /// Plays one episode from reset to end.
    ///
    /// # Errors
    /// A step failed, or an observer failed. The observer receives the error in `after_episode`.
    #[inline]
    pub fn play<P, O>(&mut self, player: &mut P, seed: u64, observer: &mut O) -> Result<Episode, PlayError>
    where
        P: Agent + ?Sized,
        O: Observer + ?Sized,
    {
        self.start(player, seed, observer)?;
        while !self.advance(player, observer)?.over() {}
        Ok(self.episode)
    }

    /// Starts an episode.
    ///
    /// # Errors
    /// An observer failed, in which case the episode is over. The seed is reserved for a split that has not been selected
    /// ([`EpisodeRunner::name_split`]), in which case no episode has started.
    pub fn start<P, O>(&mut self, player: &mut P, seed: u64, observer: &mut O) -> Result<(), PlayError>
    where
        P: Agent + ?Sized,
        O: Observer + ?Sized,
    {
        SeedSplit::check(self.split, seed).map_err(StepError::Seed)?;
        self.game.reset(&mut self.state, seed, &mut self.record);
        self.episode = Episode { seed, ..Episode::default() };
        player.start(seed);
        tell_reset(observer, self.game, &mut self.state)
    }

    /// Takes one step with the actions that the player chooses.
    ///
    /// # Errors
    /// No episode has started, or the last one is over. The step fails. An observer fails, which ends the episode.
    #[inline]
    pub fn advance<P, O>(&mut self, player: &mut P, observer: &mut O) -> Result<Outcome, PlayError>
    where
        P: Agent + ?Sized,
        O: Observer + ?Sized,
    {
        let Self { game, state, record, schedule, episode, .. } = self;
        schedule.clear();
        player.choose(game, state, schedule);
        let stepped = game.step(state, schedule, record);
        if let Ok(outcome) = &stepped {
            episode.total += outcome.reward;
            episode.steps += 1;
            if outcome.over() {
                (episode.terminated, episode.truncated) = (outcome.terminated, outcome.truncated);
            }
        }
        tell_step(observer, game, state, schedule, record, stepped)
    }
}

/// Calls an observer at the start of an episode. If it fails, the episode ends.
#[inline]
pub(crate) fn tell_reset<O: Observer + ?Sized>(
    observer: &mut O,
    game: &Game,
    state: &mut State,
) -> Result<(), PlayError> {
    match observer.after_reset(game, state) {
        Ok(()) => Ok(()),
        Err(error) => Err(tell_failure(observer, game, state, PlayError::Observer(error))),
    }
}

/// Calls an observer after a step, and also when the episode ends, either normally or with an error. If the observer fails, the episode
/// ends.
#[inline]
pub(crate) fn tell_step<O: Observer + ?Sized>(
    observer: &mut O,
    game: &Game,
    state: &mut State,
    schedule: &[Call],
    record: &StepRecord,
    stepped: Result<Outcome, StepError>,
) -> Result<Outcome, PlayError> {
    let outcome = match stepped {
        Ok(outcome) => outcome,
        // The end of an episode that was already over has been reported.
        Err(error @ StepError::Over { .. }) => return Err(error.into()),
        Err(error) => return Err(tell_failure(observer, game, state, error.into())),
    };
    let transition = Transition { game, state, schedule, record, outcome };
    if let Err(error) = observer.after_step(&transition) {
        return Err(tell_failure(observer, game, state, PlayError::Observer(error)));
    }
    if outcome.over() {
        observer.after_episode(game, state, None).map_err(PlayError::Observer)?;
    }
    Ok(outcome)
}

/// Ends an episode with an error, passes the error to the observer, and returns it.
#[cold]
pub(crate) fn tell_failure<O: Observer + ?Sized>(
    observer: &mut O,
    game: &Game,
    state: &mut State,
    error: PlayError,
) -> PlayError {
    state.over = true;
    // The first error is more important than an error from the observer at the end.
    drop(observer.after_episode(game, state, Some(&error)));
    error
}
