//! `farm verify`: plays the recorded replies of a run again, bit by bit.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use farm_agents::{Run, shown, visible};
use serde_json::json;

use super::{TimeLimit, access};
use crate::arguments::cores;
use crate::output;

const EXAMPLES: &str = "\
EXAMPLES:
  farm verify runs/name                    exit code 0 if each line is what comes of the recorded replies
  farm verify runs/name --allow-files      for a run that you trust, of a game or level in a file

Rewards, states, texts and all that was done are computed again, and what the run says of its worlds and rules is compared with what was
played. Tokens, seconds and who wrote the replies can't be.";

/// Plays the recorded replies of a run again, and refuses it if anything else comes of them
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The folder of the run
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// Opens files that the run names as its game or levels
    #[arg(long)]
    allow_files: bool,
    #[command(flatten)]
    time: TimeLimit,
    /// Prints JSON
    #[arg(long)]
    json: bool,
}

/// Verifies the run.
///
/// # Errors
/// The first line of each episode that is not what comes of its replies, with file, line, field, what was found and what was expected.
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
