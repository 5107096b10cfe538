//! Problems in an edited game, shown as marks in the editor.

use farm_core::config::Problems;

use super::choice::{Choice, document, options};
use crate::games::Games;

/// Checks a game, its policies and each of its presets. Returns the problems, and lines that describe the parsed game.
pub(super) fn check(games: &Games, choice: &Choice) -> (Problems, Vec<String>) {
    match document(games, choice).and_then(|document| Ok((document, options(choice)?))) {
        Ok((document, options)) => {
            let (game, problems) = document.check(&options);
            (problems, game.map(|game| document.read_back(&game)).unwrap_or_default())
        }
        Err(problems) => (problems, Vec::new()),
    }
}
