//! Games, and episodes that players play.

use std::sync::Arc;

use farm_core::{Agent, Environment};
use farm_games::{LevelFile, Options, open};

pub(crate) fn environment(game: &str, preset: Option<&str>, set: &[(&str, &str)]) -> Environment {
    let set = set.iter().map(|(path, value)| ((*path).into(), (*value).into())).collect();
    let options = Options { preset: preset.map(String::from), set, ..Default::default() };
    Environment::new(Arc::new(open(game, &options).unwrap_or_else(|problems| panic!("{problems}"))))
}

pub(crate) fn on_level(game: &str, preset: Option<&str>, level: &LevelFile) -> Environment {
    let options = Options { preset: preset.map(String::from), level: Some(level.clone()), ..Default::default() };
    Environment::new(Arc::new(open(game, &options).unwrap_or_else(|problems| panic!("{problems}"))))
}

pub(crate) fn player(environment: &Environment, name: &str) -> Box<dyn Agent> {
    environment.game().player(name).unwrap_or_else(|problems| panic!("{problems}"))
}

/// Lets a player take a step; returns the reward, and whether the episode is over.
pub(crate) fn step(
    environment: &mut Environment,
    player: &mut dyn Agent,
    schedule: &mut Vec<farm_core::action::Call>,
) -> (f64, bool) {
    schedule.clear();
    player.choose(&environment.game().clone(), environment.state(), schedule);
    let outcome = environment.step(&*schedule).unwrap_or_else(|error| panic!("{error}"));
    (outcome.reward, outcome.over())
}

/// What the rest of an episode pays that a player plays.
pub(crate) fn play_on(environment: &mut Environment, player: &mut dyn Agent) -> f64 {
    let (mut schedule, mut total) = (Vec::new(), 0.0);
    loop {
        let (reward, is_over) = step(environment, player, &mut schedule);
        total += reward;
        if is_over {
            return total;
        }
    }
}

/// The return of an episode that a player plays.
pub(crate) fn play(environment: &mut Environment, player: &mut dyn Agent, seed: u64) -> f64 {
    environment.reset(seed);
    player.start(seed);
    play_on(environment, player)
}
