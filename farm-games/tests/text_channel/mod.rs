//! The text channel: actions as people and language models write them, and what they are told before they play.

mod conversations;
mod corpus;
mod farmers;
mod grammar;
mod instructions;
mod quiz;
mod replies;
mod round_trip;
mod schedules;
mod secrets;

use std::sync::Arc;

use farm_core::{Environment, Game};
use farm_games::{LevelFile, Options, open};

/// A game of the catalogue with changes.
fn game(name: &str, preset: Option<&str>, set: &[(&str, &str)]) -> Game {
    let set = set.iter().map(|(path, value)| ((*path).to_owned(), (*value).to_owned())).collect();
    open(name, &Options { preset: preset.map(str::to_owned), set, ..Options::default() })
        .unwrap_or_else(|problems| panic!("{problems}"))
}

/// A game of the catalogue on a level.
fn game_on(name: &str, preset: Option<&str>, level: LevelFile) -> Game {
    let options = Options { preset: preset.map(str::to_owned), level: Some(level), ..Options::default() };
    open(name, &options).unwrap_or_else(|problems| panic!("{problems}"))
}

fn environment(name: &str, preset: Option<&str>, set: &[(&str, &str)]) -> Environment {
    let mut environment = Environment::new(Arc::new(game(name, preset, set)));
    environment.reset(3);
    environment
}
