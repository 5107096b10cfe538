//! Files of actions: one step per line.

use std::fs::File;
use std::io;
use std::path::Path as FilePath;
use std::sync::Arc;

use anyhow::Context;
use farm_core::Game;
use farm_core::action::Call;
use farm_core::config::{Excerpt, FileError, Location, MAX_FILE_BYTES, Path, Problem, Problems, Tool, read_limited};

use crate::errors::CommandError;

/// The maximum number of reported problems. A file of the wrong type has a problem on every line.
const MAX_PROBLEMS: usize = 20;

/// A line in the file.
pub(crate) struct ReplayStep {
    /// The line number.
    pub line: usize,
    /// The line's text.
    pub text: String,
    /// The line's actions.
    pub schedule: Vec<Call>,
}

/// The name of an action file, and the steps in it.
///
/// # Errors
/// Fails if the file or any of its lines can't be read.
pub(crate) fn steps_of(game: &Game, path: &FilePath) -> anyhow::Result<(String, Vec<ReplayStep>)> {
    let source = if path == FilePath::new("-") { "standard input".to_owned() } else { path.display().to_string() };
    let bytes = read(path, &source)?;
    let steps = parse(game, &source, &bytes)?;
    Ok((source, steps))
}

/// The bytes from an action file or from standard input.
///
/// # Errors
/// Fails if the file can't be read or is too large, or if it is a device or a pipe, which might never end.
pub(crate) fn read(path: &FilePath, source: &str) -> anyhow::Result<Vec<u8>> {
    let unreadable = || format!("the actions can't be read from {source}");
    let refused = |problem: Problem| {
        let location = Some(Location::new(source, None));
        Problems(vec![Problem { location, ..problem }])
    };
    let read = if path == FilePath::new("-") {
        read_limited(io::stdin().lock(), MAX_FILE_BYTES)
    } else {
        let kind = std::fs::metadata(path).with_context(unreadable)?;
        if !kind.is_file() && !kind.is_dir() {
            let problem = Problem::new(
                FileError::FileUnreadable,
                Path::default(),
                "the actions can't be read: this is a device or a pipe",
            );
            let help = "write `--actions -` and pass the actions on standard input";
            return Err(refused(problem.expected("a regular file").help(help)).into());
        }
        File::open(path).and_then(|file| read_limited(file, MAX_FILE_BYTES))
    };
    read.with_context(unreadable)?.ok_or_else(|| {
        let message = format!("the actions are larger than {} MB", MAX_FILE_BYTES / (1024 * 1024));
        refused(
            Problem::new(FileError::FileTooLarge, Path::default(), message)
                .help("check that this is a file of actions, one step per line"),
        )
        .into()
    })
}

/// Parses all lines before anything is played, so that an error on the last line is reported immediately.
fn parse(game: &Game, source: &str, bytes: &[u8]) -> Result<Vec<ReplayStep>, Problems> {
    let (mut steps, mut problems) = (Vec::new(), Problems::default());
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    for (i, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
        let text = String::from_utf8_lossy(line);
        let text = text.trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        let parsed = match std::str::from_utf8(line) {
            Ok(_) => read_line(game, text),
            Err(_) => {
                let problem = Problem::new(FileError::NotUtf8, Path::default(), "this line is not UTF-8");
                Err(Box::new(problem.expected("the name of an action, or JSON")))
            }
        };
        match parsed {
            Ok(schedule) => steps.push(ReplayStep { line: i + 1, text: text.to_owned(), schedule }),
            Err(problem) if problems.0.len() < MAX_PROBLEMS => {
                let problem = problem.value(text);
                let line: Arc<str> = String::from_utf8_lossy(line).into();
                // The error marks the whole line.
                let indent = line.len() - line.trim_start().len();
                let excerpt = Excerpt::new(&line, (1, indent + 1), Some((2, 1)), "");
                let location = Location::new(source, Some((i + 1, indent + 1))).with_excerpt(excerpt);
                let help = problem.help.clone().unwrap_or_else(|| Tool::describe("GAME").and(" lists the actions"));
                problems.push(Problem { location: Some(location), help: Some(help), ..problem });
            }
            Err(_) => break,
        }
    }
    if problems.has_errors() { Err(problems) } else { Ok(steps) }
}

/// The schedule on a line, read according to the game's rules.
///
/// # Errors
/// Returns the unreadable part, with the nearest name.
fn read_line(game: &Game, text: &str) -> Result<Vec<Call>, Box<Problem>> {
    game.text().read(text).played()
}

/// The error for actions after the end of the episode. It contains the last line played, the reason why the episode ended, and the number
/// of remaining lines.
pub(crate) fn left_over(source: &str, (last_line, reason): (usize, &str), line: usize, rest: usize) -> Problem {
    let actions =
        if rest == 1 { "1 line of actions follows".to_owned() } else { format!("{rest} lines of actions follow") };
    let message = format!("the episode ended at line {last_line} ({reason}), but {actions}");
    let mut problem = Problem::new(CommandError::WrongActions, Path::default(), message)
        .help(format!("remove the actions from line {line} on"));
    problem.location = Some(Location::new(source, Some((line, 1))));
    problem
}
