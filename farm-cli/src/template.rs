//! `farm template`: writes a game's start, actions and score to separate files, with every possible entry.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use farm_template::{TemplateRequest, template};

use crate::arguments::GameArguments;
use crate::output;

const EXAMPLES: &str = "\
Examples:
  farm template GAME                  writes GAME.yaml and the files of its parts into this folder
  farm template GAME --out my_game    into another folder
  farm template GAME --preset NAME    a variant of the game
  farm template my_game.yaml          the parts that your game lacks

Each file lists every possible entry with unit, range and meaning. Delete lines to restrict the game. Remove a # to extend it.";

/// Write every possible setting of a game to files
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// Folder to write into
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Overwrite existing files
    #[arg(long)]
    force: bool,
}

/// Writes the files.
///
/// # Errors
/// Fails if the game has errors, if files already exist, or if folders can't be written.
pub(crate) fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let game = &arguments.game;
    let options = game.options()?;
    let request =
        TemplateRequest { game: game.game.clone(), options, out: arguments.out.clone(), force: arguments.force };
    let made = template(&request)?;
    made.write()?;
    let mut out = output::stdout();
    write!(out, "{made}")?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
