//! `farm template`: start, actions and score of a game in files of their own, with every entry that the game could have.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use farm_template::{TemplateRequest, template};

use crate::arguments::GameArguments;
use crate::output;

const EXAMPLES: &str = "\
EXAMPLES:
  farm template GAME                  writes GAME.yaml and the files of its parts into this folder
  farm template GAME --out my_game    into another folder
  farm template GAME --preset NAME    a variant of it
  farm template my_game.yaml          the parts that your game does not have yet

Each file names everything that the game could have, with unit, range and meaning. Delete lines to restrict the game; take a
# away to extend it.";

/// Writes start, actions and score of a game as files of their own, with every possible entry
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// The folder to write into
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Writes over files that are there
    #[arg(long)]
    force: bool,
}

/// Writes the files.
///
/// # Errors
/// Every problem of the game, files that are there already, folders that can't be written to.
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
