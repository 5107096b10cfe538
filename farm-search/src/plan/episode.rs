//! Plays complete episodes by planning.

use farm_core::action::Call;
use farm_core::serde_yaml::Value;
use farm_core::{Game, in_parallel};

use super::{PlanSettings, Planner};
use crate::SearchError;

/// Number of steps after which an episode counts as endless, if its game has no limit.
const ENDLESS: u32 = 10_000;

/// A planned episode.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedEpisode {
    /// Its seed.
    pub seed: u64,
    /// Its return.
    pub total: f64,
    /// The total of each of the game's constraints.
    pub constraints: Vec<f64>,
    /// The schedule of each step.
    pub schedules: Vec<Vec<Call>>,
    /// Number of plans, and number of plans that differ from the base policy.
    pub plans: (usize, usize),
    /// Number of trials played.
    pub trials: usize,
}

/// Plays one episode per seed by planning, on several threads. Each episode uses one thread, but a single episode uses all threads.
/// `goes_on` is called before each episode. If it returns `false`, that episode is not played and its result is `None`.
///
/// # Errors
/// [`Planner::new`] returns an error, or the game fails in a step or does not end. If there are several errors, the first is returned.
pub fn play_planned(
    game: &Game,
    base: &Value,
    settings: &PlanSettings,
    seeds: &[u64],
    goes_on: &(dyn Fn() -> bool + Sync),
    report: &(dyn Fn(&PlannedEpisode) + Sync),
) -> Result<Vec<Option<PlannedEpisode>>, SearchError> {
    let (threads, of_each) = if seeds.len() == 1 { (1, settings.threads) } else { (settings.threads, 1) };
    let settings = PlanSettings { threads: of_each, ..settings.clone() };
    let played = in_parallel(
        seeds.len(),
        threads,
        || (),
        |(), i| {
            if !goes_on() {
                return Ok(None);
            }
            let episode = episode(game, base, &settings, seeds[i])?;
            report(&episode);
            Ok(Some(episode))
        },
    );
    played.into_iter().collect()
}

fn episode(game: &Game, base: &Value, settings: &PlanSettings, seed: u64) -> Result<PlannedEpisode, SearchError> {
    let mut planner = Planner::new(game, base, settings.clone(), seed)?;
    let (mut state, mut record) = (game.new_state(), game.new_record());
    game.reset(&mut state, seed, &mut record);
    let mut episode =
        PlannedEpisode { seed, total: 0.0, constraints: Vec::new(), schedules: Vec::new(), plans: (0, 0), trials: 0 };
    let mut schedule = Vec::new();
    for _ in 0..ENDLESS {
        schedule.clear();
        if let Some(decision) = planner.choose(&state, &mut schedule)? {
            episode.plans.0 += 1;
            episode.plans.1 += usize::from(!decision.plan.is_empty());
            episode.trials += decision.trials;
        }
        let stepped = game.step(&mut state, &schedule, &mut record);
        let outcome = stepped.map_err(|error| SearchError::Step { error, seed, policy: "a plan".to_owned() })?;
        episode.total += outcome.reward;
        episode.schedules.push(schedule.clone());
        if outcome.over() {
            let reader = game.reader(&state);
            episode.constraints = game.constraints().iter().flat_map(|info| reader.get(info.total)).copied().collect();
            return Ok(episode);
        }
    }
    Err(SearchError::Endless)
}
