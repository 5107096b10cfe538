//! `farm mcp`: a game as tools of the Model Context Protocol, on standard input and output.

use std::io;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;

use crate::arguments::{GameArguments, Rules, seed};
use crate::converse::Text;

const EXAMPLES: &str = "\
EXAMPLES:
  farm mcp GAME --seed 7
  farm mcp GAME --seed test/7 --text compact --rules shown

Messages are lines of JSON-RPC, as clients of the protocol send them to a program that they start:
  {\"mcpServers\": {\"farm\": {\"command\": \"farm\", \"args\": [\"mcp\", \"GAME\", \"--seed\", \"7\"]}}}

The tool `look` shows the beginning and gives a handle, which stands for the game so far; each action is a tool that takes the newest handle
and gives the next one. `farm serve` has the same over HTTP.";

/// Serves a game as tools to an agent that starts this program
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// Seed of the episode, or a world of a split, such as `test/7`
    #[arg(long, default_value_t = 0, value_parser = seed, allow_negative_numbers = true)]
    seed: u64,
    /// Whether the instructions tell the rules
    #[arg(long, value_enum, default_value_t = Rules::Hidden)]
    rules: Rules,
    /// How observations are written
    #[arg(long = "text", value_enum, default_value_t = Text::Full)]
    text: Text,
}

/// Answers messages until the input ends.
///
/// # Errors
/// Problems of the game; input or output that fails.
pub(crate) fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let game = Arc::new(arguments.game.open()?);
    let start = (arguments.seed, arguments.text.into(), arguments.rules.into());
    // JSON has no control characters that a terminal would obey, and a client reads each line as it comes.
    farm_serve::mcp::run_stdio(&arguments.game.game, game, start, io::stdin().lock(), io::stdout().lock())?;
    Ok(ExitCode::SUCCESS)
}
