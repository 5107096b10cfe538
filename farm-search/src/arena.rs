//! Plays policies, given as YAML values, on many seeds, in several threads or on other machines.

use farm_core::action::Call;
use farm_core::config::Problems;
use farm_core::declare::PartInfo;
use farm_core::inspect::WorldSeed;
use farm_core::serde_yaml::{self, Value};
use farm_core::{Agent, Block, Column, Executor, Game, RemoteError, State, StepError, StepRecord};
use farm_games::policies::policy_from_value;
use serde::{Deserialize, Serialize, Serializer};

/// The kind of policy that only waits, the baseline in all comparisons.
pub const WAIT: &str = "WaitPolicy";

/// Number of steps after which an episode counts as endless, if its game has no limit.
const ENDLESS: u64 = 1_000_000;

/// Episodes per block. Each block compiles its policy again.
const BLOCK: usize = 8;

/// An episode's seeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Draw {
    /// One seed for everything, as in `farm run --seed`.
    Episode(u64),
    /// One seed for the weather and the start, and another one for all other random numbers.
    Split {
        /// Seed of the weather and of the rules' random start.
        world: u64,
        /// Seed of all other random numbers.
        dice: u64,
    },
}

/// Reasons why policies could not be played.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SearchError {
    /// A policy does not fit the game.
    #[error(transparent)]
    Policy(#[from] Problems),
    /// The game failed in a step. This is a defect in the game, and the policy reproduces it.
    #[error("seed {seed}: {error}; this policy reproduces it:\n{policy}")]
    Step {
        /// The error in the step.
        error: StepError,
        /// The seed of the episode, or of its random numbers.
        seed: u64,
        /// The policy, as YAML.
        policy: String,
    },
    /// An episode of a game without a step limit did not end.
    #[error("no end after {ENDLESS} steps: set a limit of steps (`max_steps`) in the rules")]
    Endless,
    /// A request that can't be fulfilled.
    #[error("{0}")]
    Request(String),
    /// Another machine failed.
    #[error(transparent)]
    Remote(#[from] RemoteError),
    /// A string that is not a block of episodes.
    #[error("this is not a block of episodes of a policy: {0}; update the program on all machines")]
    Block(String),
    /// The block belongs to another game.
    #[error(
        "the fingerprint of the game is {own:016x} here and {sent:016x} on the sending machine: give all machines the same version \
         of the program and of the game's files"
    )]
    OtherGame {
        /// The fingerprint that was sent.
        sent: u64,
        /// The fingerprint of the game.
        own: u64,
    },
}

/// The value of an episode.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Worth {
    /// Its return.
    #[default]
    Return,
    /// Its return, capped at 0 if the episode exceeds one of the game's limits.
    WithinLimits,
    /// 1 if the episode exceeds one of the game's limits, otherwise 0.
    BreaksLimit,
}

/// A game and its executor.
#[derive(Debug, Clone, Copy)]
pub struct Arena<'g> {
    game: &'g Game,
    executor: Executor<'g>,
    worth: Worth,
}

impl<'g> Arena<'g> {
    /// An arena with this number of threads, or with another executor.
    pub fn new(game: &'g Game, executor: impl Into<Executor<'g>>) -> Self {
        Self { game, executor: executor.into(), worth: Worth::Return }
    }

    /// The same arena, but with another way to value episodes.
    #[must_use]
    pub fn counting(self, worth: Worth) -> Self {
        Self { worth, ..self }
    }

    /// The game.
    pub fn game(&self) -> &'g Game {
        self.game
    }

    /// Whether a policy fits the game.
    pub fn fits(&self, policy: &Value) -> bool {
        policy_from_value(self.game, policy).is_ok()
    }

    /// The value of each policy's episodes, one per draw, in order. By default, the value is the return; see [`Arena::counting`].
    ///
    /// # Errors
    /// A policy does not fit the game, a step fails, an episode does not end, or another machine fails. If there are several errors, the
    /// first in order is returned.
    pub fn play(&self, jobs: &[(&Value, &[Draw])]) -> Result<Vec<Vec<f64>>, SearchError> {
        let fingerprint = self.game.fingerprint();
        let (mut owners, mut blocks) = (Vec::new(), Vec::new());
        for (owner, (policy, draws)) in jobs.iter().enumerate() {
            for draws in draws.chunks(BLOCK) {
                owners.push(owner);
                blocks.push(PolicyBlock { fingerprint, policy, draws, worth: self.worth });
            }
        }
        let table = || Table::new(self.game);
        let played =
            self.executor.play(&blocks, table, |table, block| table.play(block.policy, block.draws, block.worth))?;
        let mut returns: Vec<Vec<f64>> = jobs.iter().map(|(_, draws)| Vec::with_capacity(draws.len())).collect();
        for (owner, values) in owners.into_iter().zip(played) {
            returns[owner].extend(values);
        }
        Ok(returns)
    }

    /// Plays a block that another arena of the same game has sent as JSON, on the calling thread.
    ///
    /// # Errors
    /// The string is not a block, the block belongs to another game, its policy has errors, or a step fails.
    pub fn play_block(&self, block: &str) -> Result<Vec<f64>, SearchError> {
        let sent: SentBlock = serde_json::from_str(block).map_err(|error| SearchError::Block(error.to_string()))?;
        let own = self.game.fingerprint();
        if sent.fingerprint != own {
            return Err(SearchError::OtherGame { sent: sent.fingerprint, own });
        }
        let policy = serde_yaml::from_str(&sent.policy).map_err(|error| SearchError::Block(error.to_string()))?;
        Table::new(self.game).play(&policy, &sent.draws, sent.worth)
    }
}

/// Episodes of one policy. The policy is sent as YAML, which can represent every number in a policy.
#[derive(Debug, Serialize)]
struct PolicyBlock<'a> {
    fingerprint: u64,
    #[serde(serialize_with = "as_yaml")]
    policy: &'a Value,
    draws: &'a [Draw],
    worth: Worth,
}

impl Block for PolicyBlock<'_> {
    fn episodes(&self) -> usize {
        self.draws.len()
    }
}

/// A [`PolicyBlock`] as received.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SentBlock {
    fingerprint: u64,
    policy: String,
    draws: Vec<Draw>,
    worth: Worth,
}

fn as_yaml<S: Serializer>(policy: &Value, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&serde_yaml::to_string(policy).map_err(serde::ser::Error::custom)?)
}

/// Whether an episode in this state exceeds one of the game's limits.
pub(crate) fn is_over_limit(game: &Game, state: &State) -> bool {
    let reader = game.reader(state);
    let is_over = |total: Column<f64>, limit: f64| reader.get(total).iter().any(|total| *total > limit);
    game.constraints().iter().any(|info| info.limit.is_some_and(|limit| is_over(info.total, limit)))
}

/// Whether a part generates the weather, that is, provides the temperature or the rain.
fn is_weather(part: &PartInfo) -> bool {
    let roles = [farm_roles::RAIN_AMOUNT.name(), farm_roles::AIR_TEMPERATURE_MEAN.name()];
    part.variables().iter().flat_map(|variable| variable.roles()).any(|role| roles.contains(role))
}

/// A thread's buffers.
struct Table<'g> {
    game: &'g Game,
    state: State,
    record: StepRecord,
    schedule: Vec<Call>,
    world: WorldSeed,
}

impl<'g> Table<'g> {
    fn new(game: &'g Game) -> Self {
        let (state, record) = (game.new_state(), game.new_record());
        Self { game, state, record, schedule: Vec::new(), world: WorldSeed::new(game, is_weather, 0) }
    }

    fn play(&mut self, policy: &Value, draws: &[Draw], worth: Worth) -> Result<Vec<f64>, SearchError> {
        let mut player = policy_from_value(self.game, policy)?;
        let mut worth_of = |draw: &Draw| {
            let total = self.episode(player.as_mut(), *draw, policy)?;
            Ok(match worth {
                Worth::Return => total,
                Worth::WithinLimits if is_over_limit(self.game, &self.state) => total.min(0.0),
                Worth::WithinLimits => total,
                Worth::BreaksLimit => f64::from(u8::from(is_over_limit(self.game, &self.state))),
            })
        };
        draws.iter().map(&mut worth_of).collect()
    }

    fn episode(&mut self, player: &mut dyn Agent, draw: Draw, policy: &Value) -> Result<f64, SearchError> {
        let Self { game, state, record, schedule, world } = self;
        let seed = match draw {
            Draw::Episode(seed) => {
                game.reset(state, seed, record);
                seed
            }
            Draw::Split { world: seed, dice } => {
                world.set_dice(dice);
                world.reset(game, state, seed, record);
                dice
            }
        };
        player.start(seed);
        let mut total = 0.0;
        for _ in 0..ENDLESS {
            schedule.clear();
            player.choose(game, state, schedule);
            let stepped = match draw {
                Draw::Episode(_) => game.step(state, schedule, record),
                Draw::Split { .. } => world.step(game, state, schedule, record),
            };
            let outcome = stepped.map_err(|error| {
                let policy = serde_yaml::to_string(policy).unwrap_or_default();
                SearchError::Step { error, seed, policy }
            })?;
            total += outcome.reward;
            if outcome.over() {
                return Ok(total);
            }
        }
        Err(SearchError::Endless)
    }
}
