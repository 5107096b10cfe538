//! `farm agents package`: writes a game as a folder for a language-model trainer or an environment hub.
//!
//! Each format has its own module and a variant of [`Format`]. `tasks.rs` creates a package's worlds, by split.

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
Examples:
  farm agents package verifiers GAME --out DIR            a taskset for verifiers and prime-rl
  farm agents package verifiers FAMILY@tier=5 --out DIR   different rules in each world; test rules never occur in training
  farm agents package nemo-gym GAME --out DIR             a resources server for NeMo Gym
  farm agents package openenv GAME --out DIR              an environment for the OpenEnv hub, served by `farm serve`

Existing files are not overwritten. The worlds have the reserved seeds of the splits `train`, `validation` and `test`.";

/// Create a package for a language-model trainer
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    format: Format,
}

/// The format of a package.
#[derive(Debug, Subcommand)]
enum Format {
    /// Create a taskset for verifiers, with its environment
    Verifiers(PackageArguments),
    /// Create a resources server for NeMo Gym, with the configuration of its agent
    NemoGym(PackageArguments),
    /// Create an OpenEnv package: manifest with oracle and canaries, Dockerfile, client and server
    Openenv(OpenenvArguments),
}

/// The arguments of an OpenEnv package. Its server provides worlds and texts, so there are no options for them.
#[derive(Debug, Args)]
pub(crate) struct OpenenvArguments {
    #[command(flatten)]
    game: GameArguments,
    /// Folder to write; it must be empty or missing
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

/// The arguments of the other packages.
#[derive(Debug, Args)]
pub(crate) struct PackageArguments {
    #[command(flatten)]
    game: GameArguments,
    /// Folder of the package; created if missing
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Whether the instructions contain the rules
    #[arg(long, value_enum, default_value_t = Rules::Hidden)]
    rules: Rules,
    /// Form of the observations
    #[arg(long, value_enum, default_value_t = Text::Full)]
    text: Text,
    /// Worlds per split
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = at_least_one::<u32>)]
    tasks: u32,
}

/// Writes the package.
///
/// # Errors
/// Fails if the game has errors, or if the folder already contains such a package or can't be written.
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
    /// The package's tasks.
    ///
    /// # Errors
    /// Fails if the game has errors.
    fn tasks(&self) -> anyhow::Result<Tasks> {
        Tasks::of(&self.game, self.tasks)
    }

    /// An empty plan for the package's folder.
    fn plan(&self) -> ScaffoldPlan {
        ScaffoldPlan::new(&self.out)
    }

    /// The settings for its conversations, as JSON.
    fn settings(&self, tasks: &Tasks) -> String {
        let rules = if self.rules == Rules::Shown { "shown" } else { "hidden" };
        let form = farm_core::TextForm::from(self.text).name();
        let settings = serde_json::json!({"rules": rules, "form": form, "max_turns": tasks.max_turns});
        format!("{settings:#}\n")
    }
}

/// A name for packages, modules and servers, such as `farm_backwards_valley_tier_5`.
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
