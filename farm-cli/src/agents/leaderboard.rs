//! `farm agents leaderboard`: verifies all runs in a folder and builds a table.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use farm_agents::Leaderboard;
use farm_core::config::{Location, Problem, Problems};

use super::limits::{TimeLimit, access};
use crate::arguments::cores;
use crate::output;
use crate::targets::Format;

const EXAMPLES: &str = "\
Examples:
  farm agents leaderboard runs                    all runs below a folder, as a Markdown table
  farm agents leaderboard runs --out table.md

Each run is verified first: its replies are replayed. A run that does not verify is listed below the tables with the reason, and the
exit code is 1. A table is one protocol: game, worlds, rules, texts, history
and budgets. Who played, tokens and seconds are the run's own claims.";

const PAGE: Format = Format { option: "--out", sentence: "tables are written as Markdown", endings: &["md"] };

/// Verify all runs of a folder and build a table of games and agents
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Folder that contains the runs
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Write the table to a file
    #[arg(long, value_name = "FILE.md")]
    out: Option<PathBuf>,
    /// Open game and level files that runs name
    #[arg(long)]
    allow_files: bool,
    #[command(flatten)]
    time: TimeLimit,
}

/// Writes the table.
///
/// # Errors
/// Fails if the folder has no runs or the file can't be written. If runs do not verify, the table is written and their problems are
/// returned.
pub(crate) fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    if let Some(path) = &arguments.out {
        PAGE.check(path)?;
        farm_output::check_target(path)?;
    }
    let board = Leaderboard::of(&arguments.folder, access(arguments.allow_files), cores(), arguments.time.duration())?;
    let page = board.page();
    let mut out = output::stdout();
    match &arguments.out {
        Some(path) => {
            farm_output::save(path, page.as_bytes())?;
            writeln!(out, "{} runs in {}, {} rejected", board.entries.len(), path.display(), board.refused.len())?;
        }
        None => out.write_all(page.as_bytes())?,
    }
    out.flush()?;
    let located = |folder: &PathBuf, problem: &Problem| {
        let source = folder.display().to_string();
        let location = problem.location.clone().or(Some(Location::new(source, None)));
        Problem { location, ..problem.clone() }
    };
    let refused = board
        .refused
        .iter()
        .flat_map(|(folder, problems)| problems.0.iter().map(move |problem| located(folder, problem)));
    let refused: Vec<Problem> = refused.collect();
    if refused.is_empty() { Ok(ExitCode::SUCCESS) } else { Err(Problems(refused).into()) }
}
