//! `farm level`: writes a seed's world as a level file.

use std::io::Write;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use farm_games::level::{self, LevelFormat};

use crate::arguments::SeededGame;
use crate::output;

const EXAMPLES: &str = "\
Examples:
  farm level GAME --seed 7 > world.yaml       the world of a seed, to view or change
  farm run GAME --level world.yaml            plays in it
  farm level GAME --level other.yaml          converts a level from another format
  farm level GAME --level test/01 --format autoenv   converts a level to the format of AutoEnv-36

An episode on a level starts in exactly this world, for every seed. Values that the level leaves out are drawn.";

/// Write the world of a seed as a level file
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    world: SeededGame,
    /// Format of the level
    #[arg(long, value_enum, default_value_t = Format::Native)]
    format: Format,
}

/// Formats of levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// The format of this program
    Native,
    /// The format of AutoEnv-36, environments 18 (Valley Farm) and 19 (Backwards Valley)
    Autoenv,
}

/// Writes the level.
///
/// # Errors
/// Fails if the game has errors or no levels, or if the output can't be written.
pub(crate) fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let (game, seed) = arguments.world.open()?;
    let format = match arguments.format {
        Format::Native => LevelFormat::Native,
        Format::Autoenv => LevelFormat::AutoEnv,
    };
    let text = level::of_seed_in(&game, arguments.world.game.preset().as_deref(), seed, format)?;
    let mut out = output::stdout();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
