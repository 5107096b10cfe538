//! `farm agents package`: writes a game as a folder for a language-model trainer or an environment hub.
//!
//! Each format has its own module and a variant of [`Format`]. `tasks.rs` creates a package's worlds, by split.

mod arguments;
mod nemo_gym;
mod openenv;
mod tasks;
mod verifiers;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};

use crate::arguments::GameArguments;
use crate::output;
use arguments::PackageArguments;

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
