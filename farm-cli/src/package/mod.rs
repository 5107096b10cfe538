//! `farm package`: a game in the layout that a hub of environments takes.

mod openenv;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};

use crate::arguments::GameArguments;

/// Writes a game as a package for a hub of environments
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    format: Format,
}

#[derive(Debug, Subcommand)]
enum Format {
    /// A package of OpenEnv: its manifest with oracle and canaries, a Dockerfile, a client, and how it is served
    Openenv(PackageArguments),
}

/// What is packaged, and where to.
#[derive(Debug, Args)]
struct PackageArguments {
    #[command(flatten)]
    game: GameArguments,
    /// The folder to write; it must not exist, or be empty
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
}

/// Writes the package.
///
/// # Errors
/// Problems of the game; a folder that has something in it; a game of which no better play than waiting is known.
pub(crate) fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    match &arguments.format {
        Format::Openenv(arguments) => openenv::write(&arguments.game, &arguments.out),
    }
}
