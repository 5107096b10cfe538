//! `farm results`: builds the page that compares the results of policies.

use std::io::Write;
use std::path::{Path as FilePath, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;
use farm_core::config::{Location, Path, Problem, Problems, read_text};
use farm_output::{check_target, save};
use farm_results::{Board, gather};

use crate::errors::CommandError;
use crate::output;

const EXAMPLES: &str = "\
Examples:
  farm eval GAME --episodes 500 --results results    results of the game's policies
  farm results --summary                                  docs/baselines.md, from all files below results/
  farm results results mine/run.json --out board.md       another page, from these files
  farm results --summary --check                          checks that the page matches the results

A result file contains the returns of a policy, the seeds, the game with its fingerprint, and the command that made it.
`farm eval --results`, `python -m farm_gym.train` and `python -m farm_gym.clone` write such files. Results of one game with
different fingerprints are rejected, and so is a broken file. Pictures go to the folder pictures/ next to the page. The file notes.md
of a folder, if there is one, is copied to the top of the page. Equal files give an equal page.";

/// Build the comparison page from result files
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Result files, and folders that contain them
    #[arg(value_name = "PATH", default_value = "results")]
    paths: Vec<PathBuf>,
    /// Page to write
    #[arg(long, value_name = "FILE.md", default_value = "docs/baselines.md")]
    out: PathBuf,
    /// Leave out the sections of single games
    #[arg(long)]
    summary: bool,
    /// Write nothing, and check that page and pictures match the results
    #[arg(long)]
    check: bool,
}

/// Writes the page and its charts, or compares them with the existing ones.
///
/// # Errors
/// Returns all problems with the result files. With `--check`, also fails if a page or a picture differs. Without `--check`, also fails if
/// one can't be written.
pub(crate) fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    if !arguments.check {
        check_target(&arguments.out)?;
    }
    let files = gather(&arguments.paths)?;
    let count = files.len();
    let board = Board::new(files)?;
    let stem = arguments.out.file_stem().map_or_else(|| "results".into(), |stem| stem.to_string_lossy());
    let folder = format!("pictures/{stem}");
    let beside = arguments.out.parent().map_or_else(PathBuf::new, FilePath::to_path_buf);
    let (page, pictures) = board.page(&folder, &notes(&arguments.paths)?, arguments.summary);
    let pictures = pictures.into_iter().map(|picture| (beside.join(&folder).join(picture.name), picture.drawing.svg()));
    let mut texts = vec![(arguments.out.clone(), page)];
    texts.extend(pictures);
    let mut stale = Problems::default();
    for (path, text) in &texts {
        if arguments.check {
            compare(path, text, &mut stale);
        } else {
            if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
                std::fs::create_dir_all(folder).with_context(|| format!("{} can't be created", folder.display()))?;
            }
            save(path, text.as_bytes())?;
        }
    }
    if stale.has_errors() {
        return Err(stale.into());
    }
    let mut out = output::stdout();
    let (games, page) = (board.games.len(), arguments.out.display());
    let verb = if arguments.check { "matches them" } else { "written" };
    let [files, plural] = [count, games].map(|n| if n == 1 { "" } else { "s" });
    writeln!(out, "{count} file{files} of results, {games} game{plural}: {page} {verb}")?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// The notes in the folders, which are copied to the top of the page.
fn notes(paths: &[PathBuf]) -> anyhow::Result<String> {
    let files = paths.iter().map(|path| path.join("notes.md")).filter(|path| path.is_file());
    let texts = files.map(|path| read_text(&path).map_err(|problem| Problems(vec![*problem])));
    Ok(texts.collect::<Result<Vec<_>, _>>()?.join("\n"))
}

/// If a file differs from its expected text, adds a problem with the first line that differs.
fn compare(path: &FilePath, text: &str, stale: &mut Problems) {
    let found = std::fs::read_to_string(path).unwrap_or_default();
    if found == text {
        return;
    }
    let line = found.lines().zip(text.lines()).take_while(|(found, text)| found == text).count();
    let message = "the page does not match the results";
    let mut problem = Problem::new(CommandError::StalePage, Path::default(), message);
    problem.location = Some(Location::new(path.display().to_string(), Some((line + 1, 1))));
    let shown = |text: &str| text.lines().nth(line).map_or_else(String::new, |line| output::shorten(line, 80));
    stale.push(problem.value(shown(&found)).expected(shown(text)).help("farm results, with the same options"));
}
