//! Replays lines of actions, as requests contain them.

use std::sync::Arc;

use farm_core::action::Call;
use farm_core::config::Problem;
use farm_core::{Agent, Environment, Game, SeedSplit};

use super::errors::PlaygroundError;

/// The maximum number of steps in an episode.
const MAX_STEPS: usize = 20_000;
/// For clients' games, the maximum product of the game's size in bytes and the number of steps. This limits the time and the size of the
/// log.
const MAX_BYTES_STEPPED: u64 = 8_000_000_000;

/// The maximum number of steps for a game.
pub(super) fn most_steps(game: &Game) -> usize {
    match game.spec().trust().budget().is_small() {
        true => ((MAX_BYTES_STEPPED / game.size_in_bytes().max(1)) as usize).min(MAX_STEPS),
        false => MAX_STEPS,
    }
}

/// The maximum number of days of a verdict, which plays an episode from each of them.
const MAX_DAYS: usize = 400;
/// For clients' games, the maximum number of bytes that a place steps to try out jobs.
const MAX_BYTES_TRIED: u64 = 100_000_000;
/// The maximum number of jobs that are tried for a day.
const MAX_TRIED: usize = 100;

/// The maximum number of days in a verdict of a game.
pub(super) fn most_days(game: &Game) -> usize {
    match game.spec().trust().budget().is_small() {
        true => ((8 * MAX_BYTES_STEPPED / game.size_in_bytes().max(1)).isqrt() as usize).min(MAX_DAYS),
        false => MAX_DAYS,
    }
}

/// The maximum number of jobs that are tried for a day.
pub(super) fn most_tried(game: &Game) -> usize {
    match game.spec().trust().budget().is_small() {
        true => ((MAX_BYTES_TRIED / game.size_in_bytes().max(1)) as usize).clamp(1, MAX_TRIED),
        false => MAX_TRIED,
    }
}

/// Creates an environment at the start of an episode. Seeds from all splits are allowed, because the people who play here are not learners.
pub(super) fn begun(game: &Arc<Game>, seed: u64) -> Environment {
    let mut environment = Environment::new(game.clone());
    environment.name_split(SeedSplit::of(seed));
    environment.reset(seed);
    environment
}

/// An episode that plays one line of actions after the other.
pub(crate) struct Steps(Environment);

impl Steps {
    /// The start of an episode.
    pub(crate) fn of(game: &Arc<Game>, seed: u64) -> Self {
        Self(begun(game, seed))
    }

    /// The episode now.
    pub(crate) fn environment(&self) -> &Environment {
        &self.0
    }

    /// Plays the line of a step, from 1. Returns false if the episode is over.
    ///
    /// # Errors
    /// The action can't be read (the error names its step), or a part fails.
    pub(crate) fn take(&mut self, line: &str, step: usize) -> Result<bool, PlaygroundError> {
        if self.0.state().over() {
            return Ok(false);
        }
        let schedule = read(self.0.game(), line).map_err(|problem| PlaygroundError::Unreadable { step, problem })?;
        self.0.step(schedule.as_slice()).map_err(|error| PlaygroundError::Failed(error.to_string()))?;
        Ok(true)
    }
}

/// Plays lines of actions until the episode is over, and returns those that were played, in canonical form.
///
/// # Errors
/// An action can't be read (the error names its step), a step fails, or there are too many steps.
pub(super) fn replayed(environment: &mut Environment, lines: &[String]) -> Result<Vec<String>, PlaygroundError> {
    let game = environment.game().clone();
    let most = most_steps(&game);
    if lines.len() > most {
        return Err(PlaygroundError::TooLong { given: lines.len(), most });
    }
    let mut actions = Vec::new();
    for (i, line) in lines.iter().enumerate() {
        if environment.state().over() {
            break;
        }
        let schedule = read(&game, line).map_err(|problem| PlaygroundError::Unreadable { step: i + 1, problem })?;
        environment.step(schedule.as_slice()).map_err(|error| PlaygroundError::Failed(error.to_string()))?;
        actions.push(game.text().write(&schedule));
    }
    Ok(actions)
}

/// Reads the schedule from a line; an empty line is an empty schedule.
pub(super) fn read(game: &Game, line: &str) -> Result<Vec<Call>, Box<Problem>> {
    if line.trim().is_empty() { Ok(Vec::new()) } else { game.text().parse(line) }
}

/// One of the game's policies. Plans of worlds that are reserved for a split are not given, because agents are measured there.
pub(super) fn adviser(game: &Arc<Game>, name: &str, seed: u64) -> Result<Box<dyn Agent>, PlaygroundError> {
    let policy = farm_games::policies::policy_by_name(game, name)?;
    // The name of a kind may be that of a planner.
    let is_blind = game.spec().policies().get(name).is_some_and(|policy| !policy.knows_hidden(game));
    match SeedSplit::of(seed) {
        Some(split) if !is_blind => Err(PlaygroundError::Reserved { policy: name.to_owned(), split: split.name() }),
        _ => Ok(policy),
    }
}
