//! `farm package`: a game as a folder that a trainer of language models, or a hub of environments, takes as it is.
//!
//! Each format is a file of its own with a variant of [`Format`]. `tasks.rs` makes the worlds that a package has, split by split.

mod nemo_gym;
mod openenv;
mod tasks;
mod verifiers;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use farm_scaffold::ScaffoldPlan;

use crate::arguments::{GameArguments, Rules, at_least_one};
use crate::converse::Text;
use crate::output;
use tasks::Tasks;

const EXAMPLES: &str = "\
EXAMPLES:
  farm package verifiers GAME --out DIR            a taskset for verifiers, as prime-rl trains on it
  farm package verifiers FAMILY@tier=5 --out DIR   one whose rules differ from world to world, those to test on never met in training
  farm package nemo-gym GAME --out DIR             a resources server for NeMo Gym
  farm package openenv GAME --out DIR              an environment for the hub of OpenEnv, served by `farm serve`

Nothing is overwritten. The worlds are those of the reserved seeds of the splits `train`, `validation` and `test`.";

/// Writes a game as a package for a trainer of language models
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    format: Format,
}

/// Whom a package is for.
#[derive(Debug, Subcommand)]
enum Format {
    /// A taskset with its environment for verifiers
    Verifiers(PackageArguments),
    /// A resources server for NeMo Gym, with its agent's configuration
    NemoGym(PackageArguments),
    /// A package of OpenEnv: its manifest with oracle and canaries, a Dockerfile, a client, and how it is served
    Openenv(OpenenvArguments),
}

/// What a package of OpenEnv is made of: whose worlds and texts the server that it starts has.
#[derive(Debug, Args)]
pub(crate) struct OpenenvArguments {
    #[command(flatten)]
    game: GameArguments,
    /// The folder to write; it must not exist, or be empty
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

/// What every package is made of.
#[derive(Debug, Args)]
pub(crate) struct PackageArguments {
    #[command(flatten)]
    game: GameArguments,
    /// The folder of the package, which is made
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Whether players are told the rules
    #[arg(long, value_enum, default_value_t = Rules::Hidden)]
    rules: Rules,
    /// How observations are written
    #[arg(long, value_enum, default_value_t = Text::Full)]
    text: Text,
    /// Worlds of each split
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = at_least_one::<u32>)]
    tasks: u32,
}

/// Writes the package.
///
/// # Errors
/// Problems of the game; a folder that holds such a package already, or can't be written.
pub(crate) fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let plan = match &arguments.format {
        Format::Verifiers(package) => verifiers::plan(package)?,
        Format::NemoGym(package) => nemo_gym::plan(package)?,
        Format::Openenv(package) => return openenv::write(&package.game, &package.out),
    };
    plan.write()?;
    let mut out = output::stdout();
    write!(out, "{plan}")?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

impl PackageArguments {
    /// The tasks of the package.
    ///
    /// # Errors
    /// Problems of the game.
    fn tasks(&self) -> anyhow::Result<Tasks> {
        Tasks::of(&self.game, self.tasks)
    }

    /// A plan for the package's folder.
    fn plan(&self) -> ScaffoldPlan {
        ScaffoldPlan::new(&self.out)
    }

    /// How its conversations are held, as JSON.
    fn settings(&self, tasks: &Tasks) -> String {
        let rules = if self.rules == Rules::Shown { "shown" } else { "hidden" };
        let form = farm_core::TextForm::from(self.text).name();
        let settings = serde_json::json!({"rules": rules, "form": form, "max_turns": tasks.max_turns});
        format!("{settings:#}\n")
    }
}

/// A name for packages, modules and servers: `farm_backwards_valley_tier_5`.
fn module_name(game: &str) -> String {
    let stem = std::path::Path::new(game).file_stem().map_or(game.into(), |stem| stem.to_string_lossy());
    let words = stem.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let name = words.map(str::to_ascii_lowercase).collect::<Vec<_>>().join("_");
    format!("farm_{name}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_of_a_module() {
        assert_eq!(module_name("backwards_valley@tier=5"), "farm_backwards_valley_tier_5");
        assert_eq!(module_name("games/My Farm.yaml"), "farm_my_farm");
    }
}
