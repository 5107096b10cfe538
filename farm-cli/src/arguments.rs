//! What several subcommands are given: a game, and how it is changed before it is compiled.

use clap::Args;
use farm_core::Game;
use farm_core::config::Problems;
use farm_games::Options;

use crate::output;

/// A game and the changes to it.
#[derive(Debug, Args)]
pub struct GameArguments {
    /// A game of the catalogue (`farm list games`), or the path of a YAML file
    #[arg(value_name = "GAME|FILE.yaml")]
    pub game: String,
    /// A variant that the game names
    #[arg(long)]
    pub preset: Option<String>,
    /// A world to play in, instead of one drawn from the seed: a YAML file, also one of AutoEnv-36, or the name of a level that
    /// comes with the game, such as `test/03`
    #[arg(long, value_name = "FILE.yaml|NAME")]
    pub level: Option<String>,
    /// Changes a value of the game's YAML; may be given several times
    #[arg(long, value_name = "PATH=VALUE", value_parser = assignment)]
    pub set: Vec<(String, String)>,
}

impl GameArguments {
    /// The changes to the game.
    ///
    /// # Errors
    /// A level that can't be read.
    pub fn options(&self) -> Result<Options, Problems> {
        let level = self.level.as_deref().map(|level| farm_games::level::find(&self.game, level)).transpose()?;
        Ok(Options { preset: self.preset.clone(), level, set: self.set.clone() })
    }

    /// Compiles the game with its changes; its warnings go to standard error.
    ///
    /// # Errors
    /// Every problem of the game and of the changes.
    pub fn open(&self) -> Result<Game, Problems> {
        let game = farm_games::open(&self.game, &self.options()?)?;
        output::warn(&game.warnings);
        Ok(game)
    }
}

/// Splits `path=value` at the first `=`: values may hold more of them, paths hold none.
pub fn assignment(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((path, value)) if !path.trim().is_empty() => Ok((path.trim().to_owned(), value.to_owned())),
        _ => Err("expected PATH=VALUE, such as fields.Field-0.shape.length#nb=4".to_owned()),
    }
}
