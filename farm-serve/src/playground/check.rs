//! Problems in an edited game, shown as marks in the editor.

use farm_core::config::Problems;

use super::choice::{Choice, options, source};
use crate::games::Games;

/// Checks a game, its policies and each of its presets. Returns the problems, and lines that describe the parsed game.
pub(super) fn check(games: &Games, choice: &Choice) -> (Problems, Vec<String>) {
    match source(games, choice).and_then(|source| Ok((source, options(choice)?))) {
        Ok((source, options)) => {
            let (game, problems) = source.check(&options);
            (problems, game.map(|game| source.read_back(&game)).unwrap_or_default())
        }
        Err(problems) => (problems, Vec::new()),
    }
}
