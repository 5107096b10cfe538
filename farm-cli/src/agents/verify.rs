//! `farm agents verify`: replays a run's recorded replies and compares the results bit for bit.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use farm_agents::{Run, shown, visible};
use serde_json::json;

use super::limits::{TimeLimit, access};
use crate::arguments::cores;
use crate::output;

const EXAMPLES: &str = "\
Examples:
  farm agents verify runs/name                    exit code 0 if the replay matches every line
  farm agents verify runs/name --allow-files      for a trusted run with a game or level file

Rewards, states, texts and all actions are recomputed, and the worlds and rules of the header are compared with the replay. Tokens,
seconds and the author of the replies can't be verified.";

/// Replay a recorded run and fail on any difference
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Folder of the run
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// Open the game and level files that the run names
    #[arg(long)]
    allow_files: bool,
    #[command(flatten)]
    time: TimeLimit,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Verifies the run.
///
/// # Errors
/// For each episode, returns the first line that differs from the replay, with its file, line, field, found value and expected value.
pub(crate) fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let run = Run::open_within(&arguments.run, access(arguments.allow_files), arguments.time.duration())?;
    let (score, lines) = run.verify_and_score(cores())?;
    let episodes = run.header().episodes.len();
    let mut out = output::stdout();
    if arguments.json {
        let verified = json!({"verified": true, "episodes": episodes, "lines": lines, "score": score.json()});
        output::write_json(&mut out, "verify", verified)?;
    } else {
        let header = run.header();
        let (name, title) = (visible(&header.name), header.shown_title());
        writeln!(out, "verified: {name} plays {title}, {episodes} episodes, {lines} lines")?;
        writeln!(out, "worlds: {}; rules {}", header.worlds_in_words(), header.rules_in_words())?;
        writeln!(out, "score: {}", shown(score.score, farm_agents::percent))?;
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
