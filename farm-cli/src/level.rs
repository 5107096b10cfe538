//! `farm level`: writes the world of a seed as a level.

use std::io::Write;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use farm_games::level::{self, LevelFormat};

use crate::arguments::{GameArguments, seed};
use crate::output;

const EXAMPLES: &str = "\
EXAMPLES:
  farm level GAME --seed 7 > world.yaml       the world of a seed, to look at or to change
  farm run GAME --level world.yaml            plays in it
  farm level GAME --level other.yaml          a level in another format, written in ours
  farm level GAME --level test/01 --format autoenv   one of ours as AutoEnv-36 reads it

An episode on a level starts in the very world that was written, whatever its seed; what a level does not say is drawn.";

/// Writes the world of a seed as a level, which `--level` of other commands takes
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// The seed of the world
    #[arg(long, default_value_t = 0, value_parser = seed, allow_negative_numbers = true)]
    seed: u64,
    /// The format in which it is written
    #[arg(long, value_enum, default_value_t = Format::Native)]
    format: Format,
}

/// Formats of levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Ours
    Native,
    /// That of AutoEnv-36, environments 18 (Valley Farm) and 19 (Backwards Valley)
    Autoenv,
}

/// Writes the level.
///
/// # Errors
/// Problems of the game, or one that has no levels; a writer that fails.
pub(crate) fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let game = arguments.game.open()?;
    let format = match arguments.format {
        Format::Native => LevelFormat::Native,
        Format::Autoenv => LevelFormat::AutoEnv,
    };
    let text = level::of_seed_in(&game, arguments.game.preset().as_deref(), arguments.seed, format)?;
    let mut out = output::stdout();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
