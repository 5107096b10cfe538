//! Plays policies as YAML values on many seeds, over threads.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use farm_core::action::Call;
use farm_core::config::Problems;
use farm_core::declare::PartInfo;
use farm_core::inspect::WorldSeed;
use farm_core::serde_yaml::Value;
use farm_core::{Agent, Game, State, StepError, StepRecord};
use farm_games::policies::policy_from_value;

/// The policy that does nothing, by its kind: all others are compared with it.
pub const WAIT: &str = "WaitPolicy";

/// After how many steps an episode of a game without a limit counts as endless.
const ENDLESS: u64 = 1_000_000;

/// Episodes that a thread takes at once: a policy is compiled anew for each such block.
const BLOCK: usize = 8;

/// Which numbers an episode draws.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Draw {
    /// Those of an episode seed, as `farm run --seed` plays it.
    Episode(u64),
    /// The weather and the start of one seed, all other dice of another.
    Split {
        /// Seed of the weather and of what the rules draw at the start.
        world: u64,
        /// Seed of all other dice.
        dice: u64,
    },
}

/// Why policies could not be played.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SearchError {
    /// A policy does not fit the game.
    #[error(transparent)]
    Policy(#[from] Problems),
    /// A game failed in a step: a defect of the game, which this policy shows.
    #[error("seed {seed}: {error}; the policy that shows it:\n{policy}")]
    Step {
        /// What failed.
        error: StepError,
        /// The seed of the episode, or of its dice.
        seed: u64,
        /// The policy, as YAML.
        policy: String,
    },
    /// A game without a limit of steps went on and on.
    #[error(
        "no end after {ENDLESS} steps: give the rules a limit of steps (`max_steps`), so that every policy comes to an end"
    )]
    Endless,
    /// A request that makes no sense.
    #[error("{0}")]
    Request(String),
}

/// A game with the threads that play it.
#[derive(Debug, Clone, Copy)]
pub struct Arena<'g> {
    game: &'g Game,
    threads: usize,
}

impl<'g> Arena<'g> {
    /// An arena with this number of threads; at least one.
    pub fn new(game: &'g Game, threads: usize) -> Self {
        Self { game, threads: threads.max(1) }
    }

    /// The game.
    pub fn game(&self) -> &'g Game {
        self.game
    }

    /// Whether a policy fits the game.
    pub fn fits(&self, policy: &Value) -> bool {
        policy_from_value(self.game, policy).is_ok()
    }

    /// The return of each policy with each of its draws, in order.
    ///
    /// # Errors
    /// A policy that does not fit the game; a step that fails; an episode that does not end. Of several the first in order.
    pub fn play(&self, jobs: &[(&Value, &[Draw])]) -> Result<Vec<Vec<f64>>, SearchError> {
        let blocks: Vec<(usize, &[Draw])> = jobs
            .iter()
            .enumerate()
            .flat_map(|(i, (_, draws))| draws.chunks(BLOCK).map(move |block| (i, block)))
            .collect();
        let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::with_capacity(blocks.len())));
        let work = || {
            let mut table = Table::new(self.game);
            let mut own = Vec::new();
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some((job, draws)) = blocks.get(index) else { break };
                let played = table.play(jobs[*job].0, draws);
                if played.is_err() {
                    // What comes later is of no interest: the first error in order is among the blocks that were begun.
                    next.store(blocks.len(), Ordering::Relaxed);
                }
                own.push((index, *job, played));
            }
            if let Ok(mut done) = done.lock() {
                done.append(&mut own);
            }
        };
        std::thread::scope(|scope| {
            (1..self.threads.min(blocks.len())).for_each(|_| drop(scope.spawn(work)));
            work();
        });
        let mut done = done.into_inner().unwrap_or_default();
        done.sort_by_key(|(index, ..)| *index);
        let mut returns: Vec<Vec<f64>> = jobs.iter().map(|(_, draws)| Vec::with_capacity(draws.len())).collect();
        for (_, job, played) in done {
            returns[job].extend(played?);
        }
        Ok(returns)
    }
}

/// Whether a part makes the weather: it says how warm it is, or how much it rains.
fn is_weather(part: &PartInfo) -> bool {
    let roles = [farm_roles::RAIN_AMOUNT.name(), farm_roles::AIR_TEMPERATURE_MEAN.name()];
    part.variables().iter().flat_map(|variable| variable.roles()).any(|role| roles.contains(role))
}

/// What a thread plays with.
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

    fn play(&mut self, policy: &Value, draws: &[Draw]) -> Result<Vec<f64>, SearchError> {
        let mut player = policy_from_value(self.game, policy)?;
        draws.iter().map(|draw| self.episode(player.as_mut(), *draw, policy)).collect()
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
                let policy = farm_core::serde_yaml::to_string(policy).unwrap_or_default();
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
