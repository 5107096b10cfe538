//! `farm replay`: replays a list of recorded actions and traces every step.

use std::io::{self, Write};
use std::path::{Path as FilePath, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, bail};
use clap::{ArgGroup, Args};
use farm_core::action::Call;
use farm_core::config::Problems;
use farm_core::{Environment, Game, Outcome, SeedSplit};
use farm_output::OutputFile;
use serde_json::{Value as Json, json};

use crate::action_file::{ReplayStep, left_over, read, steps_of};
use crate::arguments::{GameArguments, seed};
use crate::film::FilmArguments;
use crate::interrupts::Interrupts;
use crate::output::{self, format_number, plural};
use crate::recorded::{self, Header, not_a_recording};
use crate::{play, targets};

const EXAMPLES: &str = "\
Examples:
  farm replay moves.txt                    a recording of `farm play --record`, with the game and the seed in it
  farm replay moves.txt --gif film.gif --report page.html
  farm replay GAME --seed 7 --actions moves.txt
  farm replay GAME --seed 1 --actions days.txt --trace trace.jsonl
  farm replay GAME --seed 7 --actions moves.txt --watch --fps 2    on the screen, with pause and single steps
  printf 'wait\\nwait\\n' | farm replay GAME --seed 1 --actions -

Each line of the file is one step: an action in the format of `farm describe GAME --instructions hidden`, several actions separated by
semicolons, or JSON (an action or a list of actions). Case and spacing do not matter. Empty lines and lines that start with `#` are
skipped. In games with the rule `unreadable: wait`, an unreadable line is a wait, and `info.rejected` of its step lists the rejected
parts.";

/// The default speed for `--watch`, in steps per second.
const WATCHED_FPS: f64 = 4.0;

/// Replay recorded actions
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, group(ArgGroup::new("world").args(["seed", "level"]).multiple(true)))]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// Seed of the episode; required unless a level or a recording is given
    #[arg(long, requires = "actions", value_parser = seed, allow_negative_numbers = true)]
    seed: Option<u64>,
    /// File with one step per line, at most 8 MB; `-` is standard input. Without it, GAME is a recording of `farm play --record`, which
    /// names its game
    #[arg(long, value_name = "FILE", requires = "world")]
    actions: Option<PathBuf>,
    /// Write the steps to a file instead of standard output
    #[arg(long, value_name = "OUT.jsonl")]
    trace: Option<PathBuf>,
    /// Show the steps on the screen of `farm play` instead, with keys for pause, steps and speed
    #[arg(long, conflicts_with_all = ["trace", "gif", "mp4", "png"])]
    watch: bool,
    /// With --watch: show everything, also values that a learner does not observe
    #[arg(long, requires = "watch")]
    omniscient: bool,
    /// With --watch: use ASCII characters only
    #[arg(long, requires = "watch")]
    ascii: bool,
    /// Write a self-contained page about the episode
    #[arg(long, value_name = "FILE.html", conflicts_with = "watch")]
    report: Option<PathBuf>,
    #[command(flatten)]
    film: FilmArguments,
}

/// Plays the episode.
///
/// # Errors
/// Fails if the game, the actions or the files have errors, or if actions follow the end of the episode.
pub(crate) fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    check_targets(arguments)?;
    let recorded = arguments.actions.is_none().then(|| header_of(&arguments.game)).transpose()?;
    let (described, file, seed) = match (&recorded, &arguments.actions) {
        (Some(header), _) => (&header.game, FilePath::new(&arguments.game.game), header.seed),
        (None, Some(actions)) => (&arguments.game, actions.as_path(), arguments.seed.unwrap_or_default()),
        (None, None) => (&arguments.game, FilePath::new("-"), arguments.seed.unwrap_or_default()),
    };
    let game = described.open()?;
    let (source, steps) = steps_of(&game, file)?;
    let film = &arguments.film;
    if arguments.watch {
        let fps = film.fps.unwrap_or(WATCHED_FPS);
        let options = play::WatchOptions { fps, omniscient: arguments.omniscient, ascii: arguments.ascii };
        return play::watch(described, game, seed, (&source, &steps), &options);
    }
    let has_files = film.is_wanted() || arguments.report.is_some();
    let (game, episode) = (Arc::new(game), (seed, source.as_str(), steps.as_slice()));
    let traced = match &arguments.trace {
        // With a film or a report, the steps are not printed.
        None if has_files => trace_steps(&game, episode, &mut io::sink())?,
        None => trace_steps(&game, episode, &mut output::stdout())?,
        Some(path) => {
            let place = || format!("the trace can't be written to {}", path.display());
            let mut file = OutputFile::create(path).with_context(place)?;
            let traced = trace_steps(&game, episode, &mut file);
            // Written even if a later step fails.
            if matches!(traced, Ok(Traced::Stopped(_))) {
                let written = file.finish_incomplete().with_context(place)?;
                output::note(format!("incomplete: {}", written.display()));
            } else {
                file.finish().with_context(place)?;
            }
            traced?
        }
    };
    let state_hash = match traced {
        Traced::Ended(state_hash) => state_hash,
        Traced::Stopped(code) => return Ok(code),
    };
    if let Some(header) = recorded.as_ref().filter(|header| header.state != state_hash) {
        bail!(
            "{source}: these moves end in the state {state_hash}, but the recording ended in {}: the game or the program has changed \
             since, or the file was edited",
            header.state
        );
    }
    let moves: Vec<Vec<Call>> = steps.iter().map(|step| step.schedule.clone()).collect();
    let written = recorded::write(&game, (described, seed), &moves, film, arguments.report.as_deref())?;
    written.into_iter().for_each(output::note);
    Ok(ExitCode::SUCCESS)
}

/// Rejects options that name the same file, so that no output replaces another output or the input.
fn check_targets(arguments: &Arguments) -> Result<(), Problems> {
    let Arguments { game, actions, trace, film, report, .. } = arguments;
    targets::check_distinct(&[
        game.file(),
        ("--actions", actions.clone()),
        ("--trace", trace.clone()),
        ("--gif", film.gif.clone()),
        ("--mp4", film.mp4.clone()),
        ("--report", report.clone()),
    ])
}

/// The header of a recording that is given instead of a game.
///
/// # Errors
/// Fails if the file can't be read or is not a recording, or if options change the recorded game.
fn header_of(arguments: &GameArguments) -> anyhow::Result<Header> {
    let file = arguments.game.as_str();
    if !FilePath::new(file).is_file() {
        return Err(not_a_recording(file, "the file does not exist").into());
    }
    if !arguments.changes().is_empty() {
        let changes = arguments.changes();
        return Err(not_a_recording(
            file,
            &format!("a recording contains its own changes, so `{}` is not allowed", changes.trim()),
        )
        .into());
    }
    let bytes = read(FilePath::new(file), file)?;
    let header =
        Header::read(&String::from_utf8_lossy(&bytes)).ok_or_else(|| not_a_recording(file, "it has no header line"))?;
    header.map_err(|why| not_a_recording(file, &why).into())
}

/// How the replay ended.
enum Traced {
    /// All steps were played. Contains the last state's hash.
    Ended(String),
    /// A signal ended it.
    Stopped(ExitCode),
}

fn trace_steps(
    game: &Arc<Game>,
    (seed, source, steps): (u64, &str, &[ReplayStep]),
    out: &mut impl Write,
) -> anyhow::Result<Traced> {
    let interrupts = Interrupts::note();
    let mut environment = Environment::new(game.clone());
    environment.name_split(SeedSplit::of(seed));
    environment.reset(seed);
    let (mut total, mut end) = (0.0, None);
    for (i, step) in steps.iter().enumerate() {
        if let Some(signal) = interrupts.signal() {
            out.flush()?;
            return Ok(Traced::Stopped(signal.tell(i as u64, steps.len() as u64, "steps")));
        }
        if let Some(last_line) = end {
            out.flush()?;
            let reason =
                environment.record().stop().map(|stop| environment.game().text().stop_reason(stop)).unwrap_or_default();
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
    let stop = environment.record().stop().map(|stop| environment.game().text().stop_reason(stop));
    let ending = stop.map_or("the episode continues".to_owned(), |reason| format!("ended: {reason}"));
    let hash = format!("{:016x}", environment.state().hash());
    let length = plural(steps.len() as u64, "step");
    output::note(format!("{length}, return {}, {ending}, final state {hash}", format_number(total)));
    Ok(Traced::Ended(hash))
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
