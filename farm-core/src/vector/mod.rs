//! Many environments for one game, stepped together into buffers provided by the caller.
//!
//! The results in an environment depend only on its seeds and actions. They do not depend on the number of environments, the environment's
//! index, or the number of threads.
//!
//! Source of the autoreset modes: Gymnasium 1.1, `gymnasium.vector.AutoresetMode`.
//!
//! ```
//! use farm_core::vector::episode_seed;
//!
//! // The first episode has the seed of the reset, and those that follow it have seeds of their own.
//! assert_eq!(episode_seed(7, 0), 7);
//! assert_ne!(episode_seed(7, 1), episode_seed(7, 2));
//! ```

mod chunk;
mod parallel_tuner;
mod pool;
mod sub_env;

use std::error::Error;
use std::sync::Arc;
use std::time::Instant;

use crate::episode::PlayError;
use crate::failure;
use crate::game::Game;
use crate::observer::{Observer, ObserverError};
use crate::rng::mix;
use crate::seeds::SeedSplit;
use crate::state::{RestoreError, State};
use crate::step::StepError;
use chunk::{Chunk, StepBuffers, step_parallel};
use parallel_tuner::ParallelTuner;
use pool::Pool;
use sub_env::SubEnv;
pub use sub_env::{DrawGame, have_same_spaces};

/// When an environment starts a new episode after one has ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Autoreset {
    /// In the following step. That step's action is ignored, its reward is 0, and its observation is the first in the new episode.
    #[default]
    NextStep,
    /// In the step that ends the episode. That step returns the new episode's first observation, and keeps the old episode's last
    /// observation separately.
    SameStep,
    /// Never. Any further step is an error until the caller resets the environment.
    Disabled,
}

/// What each environment does in a step.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Actions<'a> {
    /// One id from the flat list for each environment.
    Discrete(&'a [i64]),
    /// For each environment in turn, as many flat-list ids as fit in a schedule. Unused places contain the id of the action that does
    /// nothing.
    MultiDiscrete(&'a [i64]),
}

/// A step's results. All slices belong to the caller and have one value for each environment. Observations have one record of
/// `game.observation().size()` bytes per environment.
#[derive(Debug)]
pub struct Outputs<'a> {
    /// The observations.
    pub observations: &'a mut [u8],
    /// The rewards, after costs.
    pub rewards: &'a mut [f64],
    /// Whether the game terminated.
    pub terminations: &'a mut [bool],
    /// Whether the step limit ended the episode.
    pub truncations: &'a mut [bool],
    /// The last observations from episodes that ended in this step, for [`Autoreset::SameStep`]. The records for other environments
    /// are unchanged. Empty in the other modes.
    pub final_observations: &'a mut [u8],
    /// The costs of the interventions executed.
    pub intervention_costs: &'a mut [f64],
    /// The costs of the observations requested.
    pub observation_costs: &'a mut [f64],
    /// The step's weighted costs over the game's constraints.
    pub constraint_costs: &'a mut [f64],
    /// The number of actions that were not executed.
    pub rejections: &'a mut [i32],
}

/// Why a batch could not be stepped, reset or restored.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum VectorError {
    /// A slice has the wrong length.
    #[error("{what} have {found} values, but {expected} are needed")]
    Length {
        /// The name of the slice.
        what: &'static str,
        /// The slice's length.
        found: usize,
        /// The expected length.
        expected: usize,
    },
    /// An id is not in the flat list of actions. No environment was stepped.
    #[error("environment {environment}: there is no action {id}: ids go from 0 to {last}")]
    NoSuchAction {
        /// The index of the environment.
        environment: usize,
        /// The id passed in.
        id: i64,
        /// The largest id.
        last: usize,
    },
    /// A step failed. With [`StepError::Over`], no environment was stepped; otherwise, all others were stepped.
    #[error("environment {environment}: {error}")]
    Step {
        /// The index of the environment.
        environment: usize,
        /// The reason.
        error: StepError,
    },
    /// An observer failed, which ended the episode that it observed. All other environments were stepped.
    #[error("environment {environment}: {message}")]
    Observer {
        /// The index of the environment.
        environment: usize,
        /// The observer's message, with all causes.
        message: String,
    },
    /// An environment cannot be changed to this game.
    #[error("`{name}` does not match the other environments: {what} differ")]
    OtherGame {
        /// The game's name.
        name: String,
        /// What is different.
        what: &'static str,
    },
    /// There is no environment with this index.
    #[error("there is no environment {environment}: environments are numbered from 0 to {last}")]
    NoSuchEnvironment {
        /// The index passed in.
        environment: usize,
        /// The largest index.
        last: usize,
    },
}

/// The maximum number of threads used.
pub const MAX_THREADS: usize = 64;

/// Many environments that play one game.
///
/// ```
/// use farm_core::vector::{Actions, Autoreset, Outputs, VectorEnvironment};
/// # mod farm { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/documentation/farm.rs")); }
/// # let game = farm::game("Tanks: {}");
///
/// const N: usize = 8;
/// let mut batch = VectorEnvironment::new(game.clone(), N, 1, Autoreset::NextStep).unwrap();
/// (0..N).for_each(|i| batch.reset(i, 1000 + i as u64).unwrap());
/// let mut observations = vec![0; N * game.observation().size()];
/// let (mut rewards, mut costs, mut ends, mut rejections) = ([0.0; N], [[0.0; N]; 3], [[false; N]; 2], [0; N]);
/// let ([terminations, truncations], [interventions, looks, constraints]) = (&mut ends, &mut costs);
/// let mut outputs = Outputs {
///     observations: &mut observations, rewards: &mut rewards, terminations, truncations, final_observations: &mut [],
///     intervention_costs: interventions, observation_costs: looks, constraint_costs: constraints, rejections: &mut rejections,
/// };
/// batch.step(Actions::Discrete(&[0; N]), &mut outputs).unwrap();
/// assert_eq!(rewards, [1.0; N]);
/// ```
#[derive(Debug)]
pub struct VectorEnvironment {
    game: Arc<Game>,
    sub_envs: Vec<SubEnv>,
    /// The buffers for stepping, one for each thread.
    step_buffers: Vec<StepBuffers>,
    pool: Pool,
    autoreset: Autoreset,
    tuner: ParallelTuner,
}

/// Checks that there is enough memory for this number of environments before allocating any. Without this check, the process would abort if
/// memory ran out.
fn check_memory(game: &Game, environments: usize) -> std::io::Result<()> {
    let each = size_of::<SubEnv>() + game.new_state().size_in_bytes() + game.observation().size();
    let bytes = environments.saturating_mul(each);
    Vec::<u8>::new().try_reserve_exact(bytes).map_err(|_| {
        let (name, gigabytes) = (game.spec().name(), bytes as f64 / 1e9);
        let message = format!(
            "out of memory: {environments} environments of `{name}` need {gigabytes:.1} GB ({each} bytes each), which could not be \
             allocated; use fewer environments or fewer plots"
        );
        std::io::Error::new(std::io::ErrorKind::OutOfMemory, message)
    })
}

impl VectorEnvironment {
    /// Creates `environments` environments for a game, reset with the seeds 0, 1, …, and stepped by `threads` threads, at
    /// most [`MAX_THREADS`].
    ///
    /// # Errors
    /// The system cannot start any more threads, or there is not enough memory for the environments (with the kind `OutOfMemory`).
    pub fn new(game: Arc<Game>, environments: usize, threads: usize, autoreset: Autoreset) -> std::io::Result<Self> {
        check_memory(&game, environments)?;
        let pool = Pool::new(threads.min(MAX_THREADS))?;
        let step_buffer =
            || StepBuffers { record: game.new_record(), schedule: Vec::with_capacity(game.catalogue.max_schedule) };
        let step_buffers = (0..pool.threads()).map(|_| step_buffer()).collect();
        let sub_env =
            SubEnv { game: game.clone(), state: game.new_state(), seed: 0, episodes: 0, split: None, draws: None };
        let sub_envs = vec![sub_env; environments];
        let mut vector = Self { game, sub_envs, step_buffers, pool, autoreset, tuner: ParallelTuner::default() };
        for i in 0..environments {
            // A failed environment is over. Its failure is reported when the environment is reset or stepped.
            drop(vector.begin(i, i as u64));
        }
        Ok(vector)
    }

    /// The game.
    pub fn game(&self) -> &Arc<Game> {
        &self.game
    }

    /// The number of environments.
    pub fn len(&self) -> usize {
        self.sub_envs.len()
    }

    /// Whether there are no environments.
    pub fn is_empty(&self) -> bool {
        self.sub_envs.is_empty()
    }

    /// The number of threads, including the caller's. In a forked child, the threads start with the first parallel step.
    pub fn threads(&self) -> usize {
        self.pool.threads()
    }

    /// The game that an environment plays.
    ///
    /// # Errors
    /// The environment does not exist.
    pub fn game_of(&self, environment: usize) -> Result<&Arc<Game>, VectorError> {
        self.sub_envs.get(environment).map(|sub_env| &sub_env.game).ok_or_else(|| self.no_such(environment))
    }

    /// An environment's state.
    ///
    /// # Errors
    /// The environment does not exist.
    pub fn state(&self, environment: usize) -> Result<&State, VectorError> {
        self.sub_envs.get(environment).map(|sub_env| &sub_env.state).ok_or_else(|| self.no_such(environment))
    }

    /// Restores an environment's state from a snapshot. The seeds for later episodes are derived from the snapshot's seed. If the snapshot
    /// is rejected, the environment is unchanged.
    ///
    /// # Errors
    /// The environment does not exist, or the bytes are not a snapshot of this game.
    pub fn restore(&mut self, environment: usize, bytes: &[u8]) -> Result<Result<(), RestoreError>, VectorError> {
        let absent = self.no_such(environment);
        let sub_env = self.sub_envs.get_mut(environment).ok_or(absent)?;
        let restored = sub_env.game.restore(&mut sub_env.state, bytes);
        if restored.is_ok() {
            (sub_env.seed, sub_env.episodes) = (sub_env.state.seed, 1);
        }
        Ok(restored)
    }

    /// Whether a game has the same observations, actions and constraints as these environments.
    ///
    /// # Errors
    /// What is different.
    pub fn fits(&self, game: &Game) -> Result<(), VectorError> {
        let (ours, theirs) = (&self.game.catalogue, &game.catalogue);
        let what = if self.game.observation.space() != game.observation.space() {
            "the observations"
        } else if (ours.discrete_len(), ours.max_schedule) != (theirs.discrete_len(), theirs.max_schedule) {
            "the actions"
        } else if self.game.constraints.len() != game.constraints.len() {
            "the constraints"
        } else {
            return Ok(());
        };
        Err(VectorError::OtherGame { name: game.spec.name.clone(), what })
    }

    /// Changes one environment's game to the same game on another level, or with different parameters. You must then reset the environment.
    /// Observations and actions must be the same as in the other environments.
    ///
    /// # Errors
    /// The environment does not exist, or the game does not fit. In that case, the environment is unchanged.
    pub fn change(&mut self, environment: usize, game: &Arc<Game>) -> Result<(), VectorError> {
        self.fits(game)?;
        let absent = self.no_such(environment);
        let sub_env = self.sub_envs.get_mut(environment).ok_or(absent)?;
        if Arc::ptr_eq(&sub_env.game, game) {
            return Ok(());
        }
        (sub_env.game, sub_env.state) = (game.clone(), game.new_state());
        // Every step buffer is used for all environments.
        for step_buffer in &mut self.step_buffers {
            step_buffer.record.make_room_for(&game.new_record());
        }
        Ok(())
    }

    /// Draws a game for each later episode in all environments, instead of playing one game.
    pub fn draw_games(&mut self, draws: &Arc<dyn DrawGame>) {
        self.sub_envs.iter_mut().for_each(|sub_env| sub_env.draws = Some(draws.clone()));
    }

    /// Starts an episode of a game in one environment. Its later episodes stay in the seed's split. If games are drawn, the next episode
    /// draws another game.
    ///
    /// # Errors
    /// The environment does not exist, or the game has other spaces. In that case, no episode starts.
    pub fn reset_in_game(&mut self, environment: usize, game: &Arc<Game>, seed: u64) -> Result<(), VectorError> {
        if !have_same_spaces(&self.game, game) {
            return Err(VectorError::OtherGame { name: game.spec.name.clone(), what: "the spaces" });
        }
        let absent = self.no_such(environment);
        let sub_env = self.sub_envs.get_mut(environment).ok_or(absent)?;
        let record = &mut self.step_buffers[0].record;
        sub_env.play(game.clone(), record);
        (sub_env.seed, sub_env.episodes, sub_env.split) = (seed, 0, SeedSplit::of(seed));
        let draws = sub_env.draws.take();
        let begun = sub_env.begin_next(record);
        sub_env.draws = draws;
        begun.map_err(|error| VectorError::Step { environment, error })
    }

    /// Starts an episode with this seed in one environment. The seeds for its later, automatic episodes are derived from this seed
    /// ([`episode_seed`]).
    ///
    /// # Errors
    /// The environment does not exist, or the seed is reserved for a split.
    pub fn reset(&mut self, environment: usize, seed: u64) -> Result<(), VectorError> {
        self.reset_in_split(environment, seed, None)
    }

    /// Starts an episode with a seed from a split. Later episodes use seeds from the same split.
    ///
    /// # Errors
    /// The environment does not exist, or the seed belongs to another split or to no split. In that case, no episode starts.
    pub fn reset_in_split(
        &mut self,
        environment: usize,
        seed: u64,
        split: Option<SeedSplit>,
    ) -> Result<(), VectorError> {
        let absent = self.no_such(environment);
        let sub_env = self.sub_envs.get_mut(environment).ok_or(absent)?;
        SeedSplit::check(split, seed).map_err(|error| VectorError::Step { environment, error: error.into() })?;
        sub_env.split = split;
        self.begin(environment, seed)
    }

    /// Starts the next episode in one environment, with the next seed.
    ///
    /// # Errors
    /// The environment does not exist.
    pub fn reset_next(&mut self, environment: usize) -> Result<(), VectorError> {
        let absent = self.no_such(environment);
        let sub_env = self.sub_envs.get_mut(environment).ok_or(absent)?;
        sub_env.begin_next(&mut self.step_buffers[0].record).map_err(|error| VectorError::Step { environment, error })
    }

    fn begin(&mut self, environment: usize, seed: u64) -> Result<(), VectorError> {
        let sub_env = &mut self.sub_envs[environment];
        (sub_env.seed, sub_env.episodes) = (seed, 0);
        sub_env.begin_next(&mut self.step_buffers[0].record).map_err(|error| VectorError::Step { environment, error })
    }

    fn no_such(&self, environment: usize) -> VectorError {
        VectorError::NoSuchEnvironment { environment, last: self.sub_envs.len().saturating_sub(1) }
    }

    /// Writes all environments' observations, record by record.
    ///
    /// # Errors
    /// The buffer has the wrong length, or a plugin's part panics.
    pub fn observe_into(&self, observations: &mut [u8]) -> Result<(), VectorError> {
        let size = self.game.observation.size;
        check_length("observations", observations.len(), self.len() * size)?;
        for (i, (sub_env, record)) in self.sub_envs.iter().zip(observations.chunks_exact_mut(size.max(1))).enumerate() {
            sub_env.game.observe_into(&sub_env.state, record);
            tell(i)?;
        }
        Ok(())
    }

    /// Marks, for each environment, the actions in the flat list that would be executed now, row by row.
    ///
    /// # Errors
    /// The buffer has the wrong length, or a plugin's part panics.
    pub fn action_masks(&self, masks: &mut [u8]) -> Result<(), VectorError> {
        let n = self.game.catalogue.discrete_len();
        check_length("masks", masks.len(), self.len() * n)?;
        for (i, (sub_env, mask)) in self.sub_envs.iter().zip(masks.chunks_exact_mut(n)).enumerate() {
            sub_env.game.action_mask(&sub_env.state, mask);
            tell(i)?;
        }
        Ok(())
    }

    /// Steps all environments.
    ///
    /// # Errors
    /// No environment is stepped if a slice has the wrong length, an id is unknown, or (without autoreset) an episode is over. If a part
    /// computes a number that is not finite, that episode is over, and the other environments are still stepped.
    pub fn step(&mut self, actions: Actions<'_>, outputs: &mut Outputs<'_>) -> Result<(), VectorError> {
        self.step_all::<Unobserved>(actions, outputs, &mut [])
    }

    /// Steps all environments with observers. Pass one observer for each environment, or none. Each observer is called on the thread that
    /// steps its environment, even for states that are overwritten in the same step when the next episode starts. Observers are not called
    /// for operations between steps, such as [`Self::reset`].
    ///
    /// # Errors
    /// The same errors as [`Self::step`]. A failed observer ends its environment's episode; the other environments are still stepped.
    pub fn step_observed<O: Observer + Send>(
        &mut self,
        actions: Actions<'_>,
        outputs: &mut Outputs<'_>,
        observers: &mut [Option<O>],
    ) -> Result<(), VectorError> {
        check_length("observers", observers.len(), self.len())?;
        self.step_all(actions, outputs, observers)
    }

    fn step_all<O: Observer + Send>(
        &mut self,
        actions: Actions<'_>,
        outputs: &mut Outputs<'_>,
        observers: &mut [Option<O>],
    ) -> Result<(), VectorError> {
        self.check(&actions, outputs)?;
        let has_choice = self.pool.threads() > 1 && self.len() > 1;
        let mut is_parallel = has_choice && self.tuner.is_parallel();
        if is_parallel {
            // This check is only here, because getting the process id takes 0.2 µs, and such a step takes 60 µs or more.
            self.pool.follow_fork();
            is_parallel = self.pool.threads() > 1;
        }
        // If there is no choice, no clock is needed, and some targets have no clock.
        let begin = has_choice.then(Instant::now);
        let whole = Chunk { first: 0, sub_envs: &mut self.sub_envs, actions, outputs: outputs.reborrow(), observers };
        let failed = if is_parallel {
            step_parallel(whole, self.autoreset, &mut self.step_buffers, &mut self.pool)
        } else {
            whole.step(self.autoreset, &mut self.step_buffers[0])
        };
        if let Some(begin) = begin {
            self.tuner.measured(is_parallel, begin.elapsed().as_nanos() as f64);
        }
        match failed {
            Some((environment, PlayError::Step(error))) => Err(VectorError::Step { environment, error }),
            Some((environment, PlayError::Observer(error))) => {
                Err(VectorError::Observer { environment, message: with_causes(&error) })
            }
            None => Ok(()),
        }
    }

    fn check(&self, actions: &Actions<'_>, outputs: &Outputs<'_>) -> Result<(), VectorError> {
        let n = self.len();
        let slots = match actions {
            Actions::Discrete(_) => 1,
            Actions::MultiDiscrete(_) => self.game.catalogue.max_schedule,
        };
        let (Actions::Discrete(ids) | Actions::MultiDiscrete(ids)) = actions;
        check_length("actions", ids.len(), n * slots)?;
        let records = n * self.game.observation.size;
        check_length("observations", outputs.observations.len(), records)?;
        if self.autoreset == Autoreset::SameStep {
            check_length("final observations", outputs.final_observations.len(), records)?;
        }
        check_length("rewards", outputs.rewards.len(), n)?;
        check_length("terminations", outputs.terminations.len(), n)?;
        check_length("truncations", outputs.truncations.len(), n)?;
        check_length("intervention costs", outputs.intervention_costs.len(), n)?;
        check_length("observation costs", outputs.observation_costs.len(), n)?;
        check_length("constraint costs", outputs.constraint_costs.len(), n)?;
        check_length("rejections", outputs.rejections.len(), n)?;
        let last = self.game.catalogue.discrete_len() - 1;
        if let Some(at) = ids.iter().position(|id| usize::try_from(*id).map_or(true, |id| id > last)) {
            return Err(VectorError::NoSuchAction { environment: at / slots.max(1), id: ids[at], last });
        }
        if self.autoreset == Autoreset::Disabled
            && let Some(environment) = self.sub_envs.iter().position(|sub_env| sub_env.state.over)
        {
            let error = StepError::Over { steps: self.sub_envs[environment].state.step };
            return Err(VectorError::Step { environment, error });
        }
        Ok(())
    }
}

/// An observer type that has no values, so that a batch without observers compiles to code without observers.
enum Unobserved {}

impl Observer for Unobserved {}

/// An observer error's message, with its causes.
fn with_causes(error: &ObserverError) -> String {
    let first: &dyn Error = &**error;
    let causes = std::iter::successors(Some(first), |error| Error::source(*error));
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

/// The seed for one of an environment's episodes. The first episode uses the given seed. Later episodes use a hash of that seed and the
/// episode's index.
pub fn episode_seed(seed: u64, episode: u64) -> u64 {
    if episode == 0 { seed } else { mix(seed, episode) }
}

/// Returns a failure in a plugin's part as an error in the current environment.
#[inline]
fn tell(environment: usize) -> Result<(), VectorError> {
    failure::take().map_or(Ok(()), |failure| Err(VectorError::Step { environment, error: failure.into() }))
}

fn check_length(what: &'static str, found: usize, expected: usize) -> Result<(), VectorError> {
    if found == expected { Ok(()) } else { Err(VectorError::Length { what, found, expected }) }
}
