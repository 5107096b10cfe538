//! `farm agents mcp`: a game as Model Context Protocol tools on standard input and output.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use farm_serve::mcp::{AgentEpisode, AgentResult};

use crate::arguments::{Rules, SeededGame};
use crate::converse::Text;

const EXAMPLES: &str = "\
Examples:
  farm agents mcp GAME --seed 7
  farm agents mcp GAME --seed test/7 --text compact --rules shown

Messages are lines of JSON-RPC. MCP clients start this program and send them:
  {\"mcpServers\": {\"farm\": {\"command\": \"farm\", \"args\": [\"mcp\", \"GAME\", \"--seed\", \"7\"]}}}

The program plays one episode, which no message restarts. The tool `look` shows the instructions and the observation. Each action is a tool
that takes a step. With --branches, the tool `branch` returns to an earlier turn for the price of a step. `farm serve` does the same over
HTTP.";

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
    /// Let the agent return to earlier turns; each return costs a step
    #[arg(long)]
    branches: bool,
    /// Write the episode, with its score, to a file of JSON lines
    #[arg(long, value_name = "FOLDER")]
    record: Option<PathBuf>,
}

/// Answers messages until the input ends.
///
/// # Errors
/// Fails if the game has errors, or if reading or writing fails.
pub(crate) fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let (game, seed) = arguments.world.open()?;
    let game = Arc::new(game);
    let episode = AgentEpisode {
        seed,
        form: arguments.text.into(),
        rules: arguments.rules.into(),
        branches: arguments.branches,
        record: arguments.record.clone(),
    };
    // JSON contains no control characters for a terminal, and a client reads each line as it arrives.
    let (name, input, output) = (&arguments.world.game.game, io::stdin().lock(), io::stdout().lock());
    let AgentResult { steps, total, is_over } = farm_serve::mcp::run_stdio(name, game, episode, input, output)?;
    let state = if is_over { "is over" } else { "is not over" };
    crate::output::note(format!("the episode {state}: return {total} in {steps} steps"));
    Ok(ExitCode::SUCCESS)
}
