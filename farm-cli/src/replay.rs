//! `farm replay`: plays a written list of actions and traces every step.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path as FilePath, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context;
use clap::Args;
use farm_core::action::Call;
use farm_core::config::{FileError, Location, MAX_FILE_BYTES, Path, Problem, Problems, Tool, read_limited};
use farm_core::{Environment, Game, Outcome, SeedSplit};
use farm_output::OutputFile;
use serde_json::{Value as Json, json};

use crate::arguments::{GameArguments, seed};
use crate::errors::CommandError;
use crate::interrupts::Interrupts;
use crate::output::{self, format_number};
use crate::{play, targets};

const EXAMPLES: &str = "\
EXAMPLES:
  farm replay GAME --seed 7 --actions moves.txt
  farm replay GAME --seed 1 --actions days.txt --trace trace.jsonl
  farm replay GAME --seed 7 --actions moves.txt --watch --fps 2    on the screen, to be paused and stepped through
  printf 'wait\\nwait\\n' | farm replay GAME --seed 1 --actions -

Each line of the file is one step: an action as `farm describe GAME --instructions hidden` says it is written, several of them
separated by semicolons, or JSON (an action or a list of actions). Case and spacing do not matter. Empty lines and lines that
start with `#` are skipped. Where the game's rules say `unreadable: wait`,
a line of which nothing can be read counts as waiting; `info.rejected` of its step says what was not read.";

/// The most problems that are reported; a file of the wrong kind has one in every line.
const MAX_PROBLEMS: usize = 20;

/// Plays the actions of a file; one JSON object per step
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// Seed of the episode; needed unless a level is given
    #[arg(long, required_unless_present = "level", value_parser = seed, allow_negative_numbers = true)]
    seed: Option<u64>,
    /// File with one step per line, of at most 8 MB; `-` is standard input
    #[arg(long, value_name = "FILE")]
    actions: PathBuf,
    /// Writes the steps to a file instead of standard output
    #[arg(long, value_name = "OUT.jsonl")]
    trace: Option<PathBuf>,
    /// Shows the steps on the screen of `farm play` instead: pause, step on and back, faster and slower by keys
    #[arg(long, conflicts_with = "trace")]
    watch: bool,
    /// Steps a second when watching
    #[arg(long, default_value_t = 4.0, value_parser = steps_per_second, value_name = "NUMBER", requires = "watch")]
    fps: f64,
    /// Shows all there is when watching, not only what the learner is shown
    #[arg(long, requires = "watch")]
    omniscient: bool,
    /// Draws with plain letters alone when watching
    #[arg(long, requires = "watch")]
    ascii: bool,
}

fn steps_per_second(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if (0.1..=60.0).contains(&number) => Ok(number),
        _ => Err("expected a number from 0.1 to 60".to_owned()),
    }
}

/// One line of the file.
pub(crate) struct ReplayStep {
    /// Its number.
    pub line: usize,
    /// What it says.
    pub text: String,
    /// What that means.
    pub schedule: Vec<Call>,
}

/// Plays the episode.
///
/// # Errors
/// Problems of the game, of the actions or of the files; actions after the end of the episode.
pub(crate) fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    // Game and actions are read before, but are not to be lost.
    let actions = Some(arguments.actions.clone());
    targets::check_distinct(&[arguments.game.file(), ("--actions", actions), ("--trace", arguments.trace.clone())])?;
    let game = arguments.game.open()?;
    let (source, steps) = steps_of(&game, &arguments.actions)?;
    let seed = arguments.seed.unwrap_or_default();
    if arguments.watch {
        let options =
            play::WatchOptions { fps: arguments.fps, omniscient: arguments.omniscient, ascii: arguments.ascii };
        return play::watch(&arguments.game, game, seed, (&source, &steps), &options);
    }
    match &arguments.trace {
        None => trace_steps(game, seed, &source, &steps, &mut output::stdout()),
        Some(path) => {
            let place = || format!("the trace can't be written to {}", path.display());
            let mut file = OutputFile::create(path).with_context(place)?;
            let traced = trace_steps(game, seed, &source, &steps, &mut file);
            // The steps before one that can't be taken are written, too.
            file.finish().with_context(place)?;
            traced
        }
    }
}

/// What a file of actions is called, and its steps.
///
/// # Errors
/// A file that can't be read; every line that can't.
pub(crate) fn steps_of(game: &Game, path: &FilePath) -> anyhow::Result<(String, Vec<ReplayStep>)> {
    let source = if path == FilePath::new("-") { "standard input".to_owned() } else { path.display().to_string() };
    let bytes = read(path, &source)?;
    let steps = parse(game, &source, &bytes)?;
    Ok((source, steps))
}

/// The bytes of a file of actions or of standard input.
///
/// # Errors
/// A file that can't be read, is larger than any file that is read, or is a device or a pipe, which may never end.
fn read(path: &FilePath, source: &str) -> anyhow::Result<Vec<u8>> {
    let unreadable = || format!("the actions can't be read from {source}");
    let refused = |problem: Problem| {
        let location = Some(Location { source: source.to_owned(), position: None });
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
            let help = "write `--actions -` and give the actions on standard input";
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

/// Reads all lines before anything is played, so that a slip in the last line costs no time.
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
                let problem = Problem::new(FileError::NotUtf8, Path::default(), "this is not text in UTF-8");
                Err(Box::new(problem.expected("the name of an action, or JSON")))
            }
        };
        match parsed {
            Ok(schedule) => steps.push(ReplayStep { line: i + 1, text: text.to_owned(), schedule }),
            Err(problem) if problems.0.len() < MAX_PROBLEMS => {
                let location = Location { source: source.to_owned(), position: Some((i + 1, 1)) };
                let problem = problem.value(text);
                let help = problem.help.clone().unwrap_or_else(|| Tool::describe("GAME").and(" lists the actions"));
                problems.push(Problem { location: Some(location), help: Some(help), ..problem });
            }
            Err(_) => break,
        }
    }
    if problems.has_errors() { Err(problems) } else { Ok(steps) }
}

/// The schedule of a line, as the game's rules read it.
///
/// # Errors
/// What cannot be read, with the nearest name.
fn read_line(game: &Game, text: &str) -> Result<Vec<Call>, Box<Problem>> {
    game.read_reply(text).played()
}

fn trace_steps(
    game: Game,
    seed: u64,
    source: &str,
    steps: &[ReplayStep],
    out: &mut impl Write,
) -> anyhow::Result<ExitCode> {
    let interrupts = Interrupts::note();
    let mut environment = Environment::new(Arc::new(game));
    environment.name_split(SeedSplit::of(seed));
    environment.reset(seed);
    let (mut total, mut end) = (0.0, None);
    for (i, step) in steps.iter().enumerate() {
        if let Some(signal) = interrupts.signal() {
            out.flush()?;
            return Ok(signal.tell(i as u64, steps.len() as u64, "steps"));
        }
        if let Some(last_line) = end {
            out.flush()?;
            let reason =
                environment.record().stop().map(|stop| environment.game().stop_reason(stop)).unwrap_or_default();
            let problem = left_over(source, (last_line, &reason), step.line, steps.len() - i);
            return Err(Problems(vec![problem]).into());
        }
        let outcome = match environment.step(&step.text) {
            Ok(outcome) => outcome,
            Err(error) => {
                out.flush()?;
                return Err(anyhow::Error::new(error).context(format!("{source}:{}", step.line)));
            }
        };
        total += outcome.reward;
        writeln!(out, "{}", trace(&environment, i + 1, &step.schedule, outcome))?;
        end = outcome.over().then_some(step.line);
    }
    out.flush()?;
    let stop = environment.record().stop().map(|stop| environment.game().stop_reason(stop));
    let ending = stop.map_or("the episode goes on".to_owned(), |reason| format!("ended: {reason}"));
    let hash = environment.state().hash();
    output::note(format!("{} steps, return {}, {ending}, final state {hash:016x}", steps.len(), format_number(total)));
    Ok(ExitCode::SUCCESS)
}

fn trace(environment: &Environment, t: usize, schedule: &[Call], outcome: Outcome) -> Json {
    let catalogue = environment.game().catalogue();
    let action = match schedule {
        [single] => catalogue.to_json(single),
        several => several.iter().map(|call| catalogue.to_json(call)).collect(),
    };
    json!({
        "t": t,
        "action": action,
        "reward": outcome.reward,
        "terminated": outcome.terminated,
        "truncated": outcome.truncated,
        "observation": environment.observation_json(),
        "info": environment.info().to_json(),
        "state_hash": format!("{:016x}", environment.state().hash()),
    })
}

/// The problem of a file that goes on after the end of the episode: its last line, why that was the end, and the lines after it.
pub(crate) fn left_over(source: &str, (last_line, reason): (usize, &str), line: usize, rest: usize) -> Problem {
    let actions =
        if rest == 1 { "1 line of actions follows".to_owned() } else { format!("{rest} lines of actions follow") };
    let message = format!("the episode ended at line {last_line} ({reason}), and {actions}");
    let mut problem = Problem::new(CommandError::WrongActions, Path::default(), message)
        .help(format!("remove what stands from line {line} on"));
    problem.location = Some(Location { source: source.to_owned(), position: Some((line, 1)) });
    problem
}
