//! Blocks of episodes from a study or a tuning, which another machine plays for the same command.

use anyhow::bail;
use farm_core::Game;
use farm_search::Arena;
use farm_study::{OpenPoint, Study};

use crate::diagnostics::Look;
use crate::{arguments, output, study, tune};

/// Plays blocks of episodes for one command: `farm study` or `farm tune` with the same arguments. The study or the game stays open between
/// blocks.
#[derive(Debug)]
pub struct BlockPlayer {
    of: Source,
    open: Option<Open>,
}

/// The command that the blocks belong to.
#[derive(Debug)]
pub(crate) enum Source {
    Study(study::Arguments),
    Tuning(tune::Arguments),
    /// A command that plays no blocks; each block is rejected.
    Other,
}

/// The study or game that the blocks belong to.
#[derive(Debug)]
enum Open {
    /// The study, and the game for the point that was played last.
    Study(Box<(Study, Option<OpenPoint>)>),
    Game(Box<Game>),
}

impl BlockPlayer {
    /// A player for this command.
    pub(crate) fn of(source: Source) -> Self {
        Self { of: source, open: None }
    }

    /// Whether game files may run their own code.
    pub fn allows_plugins(&self) -> bool {
        arguments::are_plugins_allowed()
    }

    /// Plays a block that the command sent as JSON, and returns its numbers.
    ///
    /// # Errors
    /// Returns the error that the command would print about the study, the game, the policy, the block or a failed episode.
    pub fn play(&mut self, block: &str) -> Result<Vec<f64>, String> {
        self.played(block).map_err(|error| output::told(&error, &Look::PLAIN))
    }

    fn played(&mut self, block: &str) -> anyhow::Result<Vec<f64>> {
        if self.open.is_none() {
            self.open = Some(match &self.of {
                Source::Study(arguments) => Open::Study(Box::new((arguments.open()?, None))),
                Source::Tuning(arguments) => Open::Game(Box::new(arguments.open()?)),
                Source::Other => bail!("only `study` and `tune` can be played in blocks"),
            });
        }
        match &mut self.open {
            Some(Open::Study(study)) => {
                let (study, open) = study.as_mut();
                Ok(study.play_block(open, block)?)
            }
            Some(Open::Game(game)) => Ok(Arena::new(game, 1).play_block(block)?),
            None => Ok(Vec::new()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use super::*;

    fn said(words: &[&str], block: &str) -> String {
        let player = BlockPlayer::new("farm", words.iter().map(OsString::from));
        player.and_then(|mut player| player.play(block)).expect_err("something is wrong")
    }

    #[test]
    fn what_is_wrong_is_told_as_the_command_tells_it() {
        assert!(said(&["study", "nitrgen"], "{}").starts_with("error[unknown-study]"));
        assert!(
            said(&["tune", "clay_baen", "--policy", "expert", "--budget", "9"], "{}")
                .contains("did you mean `clay_bean`?")
        );
        assert!(said(&["study", "nitrogen"], "{}").contains("other-block"));
        assert!(
            said(&["tune", "farm0", "--policy", "expert", "--budget", "9"], "{}")
                .starts_with("error: this is not a block")
        );
        assert!(said(&["study"], "{}").contains("no study is named"));
        assert!(said(&["list"], "{}").contains("only `study` and `tune`"));
        assert!(said(&["tune", "--bugdet"], "{}").contains("--bugdet"));
    }
}
