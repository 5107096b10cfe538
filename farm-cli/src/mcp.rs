//! `farm agents mcp`: a game as Model Context Protocol tools on standard input and output.

use std::io;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;

use crate::arguments::{Rules, SeededGame};
use crate::converse::Text;

const EXAMPLES: &str = "\
Examples:
  farm agents mcp GAME --seed 7
  farm agents mcp GAME --seed test/7 --text compact --rules shown

Messages are lines of JSON-RPC. MCP clients start this program and send them:
  {\"mcpServers\": {\"farm\": {\"command\": \"farm\", \"args\": [\"mcp\", \"GAME\", \"--seed\", \"7\"]}}}

The tool `look` shows the start and returns a handle of the game so far. Each action is a tool that takes the newest handle and returns the
next one. `farm serve` does the same over HTTP.";

/// Serve one game as MCP tools on stdin and stdout
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    world: SeededGame,
    /// Whether the instructions contain the rules
    #[arg(long, value_enum, default_value_t = Rules::Hidden)]
    rules: Rules,
    /// Form of the observations
    #[arg(long = "text", value_enum, default_value_t = Text::Full)]
    text: Text,
}

/// Answers messages until the input ends.
///
/// # Errors
/// Fails if the game has errors, or if reading or writing fails.
pub(crate) fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let game = Arc::new(arguments.world.game.open()?);
    let start = (arguments.world.seed, arguments.text.into(), arguments.rules.into());
    // JSON contains no control characters for a terminal, and a client reads each line as it arrives.
    farm_serve::mcp::run_stdio(&arguments.world.game.game, game, start, io::stdin().lock(), io::stdout().lock())?;
    Ok(ExitCode::SUCCESS)
}
