//! `farm agents`: the commands for measuring agents that play by text.

use std::process::ExitCode;

use clap::{Args, Subcommand};

use crate::agents::{self, leaderboard, score, verify};
use crate::{commit, converse, family, mcp, package};

/// Let a model, program, policy or person play by text, and score the runs
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Play(Box<agents::Arguments>),
    Score(score::Arguments),
    Verify(verify::Arguments),
    Leaderboard(leaderboard::Arguments),
    Converse(converse::Arguments),
    Mcp(mcp::Arguments),
    Package(package::Arguments),
    Family(family::Arguments),
    Commit(commit::CommitArguments),
    Reveal(commit::RevealArguments),
}

/// Runs the command.
///
/// # Errors
/// Returns the error of the command.
pub(crate) fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    match &arguments.command {
        Command::Play(arguments) => agents::execute(arguments),
        Command::Score(arguments) => score::execute(arguments),
        Command::Verify(arguments) => verify::execute(arguments),
        Command::Leaderboard(arguments) => leaderboard::execute(arguments),
        Command::Converse(arguments) => converse::execute(arguments),
        Command::Mcp(arguments) => mcp::execute(arguments),
        Command::Package(arguments) => package::execute(arguments),
        Command::Family(arguments) => family::execute(arguments),
        Command::Commit(arguments) => commit::commit(arguments),
        Command::Reveal(arguments) => commit::reveal(arguments),
    }
}
