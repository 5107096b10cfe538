//! `farm run`: plays episodes with a policy and prints a summary.

use std::io::Write;
use std::path::{Path as FilePath, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use farm_core::Game;
use farm_core::config::Problems;
use farm_output::is_incomplete;
use farm_report::Report;
use serde_json::{Value as Json, json};

use crate::arguments::{GameArguments, at_least_one, check_seeds, seed};
use crate::check;
use crate::csv_file::{Cell, CsvFile};
use crate::episode::{Buffers, Episode, Progress, play};
use crate::explain::EpisodeHistory;
use crate::film::{FilmArguments, FilmObserver, caption};
use crate::interrupts::{Interrupts, Stopped};
use crate::monitoring::{Monitoring, MonitoringArguments};
use crate::output::{self, TextTable, format_number};
use crate::policy::Choice;
use crate::report::{self, ReportFile};
use crate::summary::{Decimals, Summary};
use crate::targets;

const EXAMPLES: &str = "\
Examples:
  farm run GAME                                  10 episodes of the random policy
  farm run GAME --policy expert --episodes 100
  farm run GAME --policy my_policy.yaml          a policy, or a list of policies that decide together
  farm run GAME --policy 'expert + random'       a list of policies, without a file
  farm run my_game.yaml --seed 42 --out results  also writes results/episodes.csv
  farm run GAME --episodes 1 --gif season.gif --mp4 season.mp4 --png frames
  farm run GAME --report season.html             a page about the first episode: charts, events, water and nutrients, pictures
  farm run GAME --csv season.csv --tensorboard runs
  farm run GAME --episodes 1 --explain           causes of death and growth limits
  farm run GAME --set fields.Field-0.shape.length#nb=4 --json

Seeds: S, S+1, S+2, …; equal seeds give equal episodes.
Columns: `return mean ± sd` has the standard deviation of the sample. `mean steps` and `mean days` are per episode. `steps/s` includes the
policy, resets, films and monitoring. Films and pictures show the first episode, with hidden values unless
`--learner-view` is given.
JSON: the schema is `farm/run/1`, with mean, standard deviation and extremes of the returns, and under `per_episode` the seed, return and
steps of each episode.

Output files are opened before the first episode, and get their final names when they are complete. Ctrl-C (SIGINT), SIGTERM, or SIGHUP of
a closing terminal stops after the current episode; a second signal stops within it. Finished results are written to names such as
`episodes.incomplete.csv`; an earlier `episodes.csv` is unchanged. The exit code is 130, 143 or 129.";

/// Run a policy and print its returns
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// A policy of the game, a kind (`farm list policies`), a YAML file with a policy or a list of them, such YAML itself, or several
    /// joined by `+` [default: random, else the first]
    #[arg(long, value_name = "POLICY|FILE.yaml")]
    policy: Option<String>,
    /// Number of episodes
    #[arg(long, default_value_t = 10, value_parser = at_least_one::<u64>, allow_negative_numbers = true)]
    episodes: u64,
    /// Seed of the first episode
    #[arg(long, default_value_t = 0, value_parser = seed, allow_negative_numbers = true)]
    seed: u64,
    /// Print the events of each episode: causes of death and growth limits
    #[arg(long)]
    explain: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Write one line per episode to DIR/episodes.csv; DIR is created if missing
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write a self-contained page about the first episode
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,
    #[command(flatten)]
    film: FilmArguments,
    #[command(flatten)]
    monitoring: MonitoringArguments,
}

/// A run's results.
struct Results<'a> {
    game: &'a str,
    policy: &'a str,
    preset: Option<&'a str>,
    seed: u64,
    returns: Summary,
    /// The seed, return and number of steps of each episode.
    episodes: Vec<(u64, f64, u64)>,
    steps: u64,
    days: u64,
    seconds: f64,
}

/// The files that were written, in addition to the table.
#[derive(Clone, Copy)]
struct RunFiles<'a> {
    episodes: Option<&'a FilePath>,
    films: &'a [PathBuf],
    report: Option<&'a FilePath>,
    monitoring: &'a [PathBuf],
}

/// Plays the episodes.
///
/// # Errors
/// Fails if the game, the policy or the results folder has errors, if the game never ends, or if its numbers are no longer finite.
pub(crate) fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    check_targets(arguments)?;
    check_seeds(arguments.seed, arguments.episodes)?;
    let game = Arc::new(arguments.game.open()?);
    farm_games::check_split(&game, arguments.seed)?;
    for (part, note) in game.notes() {
        output::note(format!("{part}: {note}"));
    }
    let policy = Choice::of(&game, arguments.policy.as_deref())?;
    let mut player = policy.player(&game)?;
    let preset = arguments.game.preset();
    let mut results = Results {
        game: game.spec().name(),
        policy: &policy.name,
        preset: preset.as_deref(),
        seed: arguments.seed,
        returns: Summary::new(),
        episodes: Vec::new(),
        steps: 0,
        days: 0,
        seconds: 0.0,
    };
    let mut histories = Vec::new();
    let mut failure = None;
    // Before any file is started, so that none is left unfinished.
    let interrupts = Interrupts::note();
    let mut table = arguments.out.as_deref().map(|folder| CsvFile::create(folder, "episodes.csv")).transpose()?;
    if let Some(table) = &mut table {
        table.row(columns(&game).into_iter().map(Cell::Text));
    }
    let caption = caption(arguments.game.preset().as_deref(), Some(policy.name.as_str()));
    let mut film = FilmObserver::open(&arguments.film, &game)?.map(|film| film.with_caption(caption));
    let page = arguments.report.as_deref().map(ReportFile::open).transpose()?;
    let report = || Report::new(game.clone(), report::run(&arguments.game, &policy.name));
    let mut report = page.as_ref().map(|_| report()).transpose()?;
    let mut monitoring = Monitoring::open(&arguments.monitoring, &game)?;
    let mut history = arguments.explain.then(EpisodeHistory::default);
    let mut filmed = Ok(Vec::new());
    let mut first_report = None;
    let mut lines = Vec::new();
    let mut progress = Progress::new(arguments.episodes);
    let mut buffers = Buffers::new(&game, interrupts.clone());
    for i in 0..arguments.episodes {
        if interrupts.signal().is_some() {
            break;
        }
        let seed = arguments.seed.wrapping_add(i);
        let mut watch = |steps| progress.long_episode(steps);
        let observers = (&mut film, &mut report, &mut monitoring, &mut history);
        match play(&mut buffers, player.as_mut(), seed, observers, &mut watch) {
            Ok(episode) => {
                results.returns.add(episode.total);
                if arguments.json {
                    results.episodes.push((episode.seed, episode.total, episode.steps));
                }
                results.steps += episode.steps;
                results.days += episode.days;
                if page.is_some() {
                    lines.push(report::line(&episode));
                }
                if let Some(table) = &mut table {
                    table.row(cells(i, &episode));
                }
                histories.extend(history.as_mut().map(|history| (episode.seed, std::mem::take(history))));
            }
            Err(error) if error.is::<Stopped>() => break,
            Err(error) => {
                failure = Some(error.context(format!("episode {i} (seed {seed})")));
                break;
            }
        }
        if let Some(film) = film.take() {
            filmed = film.finish(true);
        }
        first_report = first_report.or(report.take());
        progress.episode_done();
    }
    results.seconds = progress.finish();
    let is_whole = results.returns.n == arguments.episodes;
    // Written before anything is printed, so that results survive a reader that closes the pipe.
    let written = table.filter(|_| results.returns.n > 0).map(|table| table.finish(is_whole)).transpose();
    // Frames before a failure are kept too.
    if let Some(film) = film.take() {
        filmed = film.finish(false);
    }
    // So is the report of a failed episode.
    let reported =
        page.as_ref().zip(first_report.or(report.take())).map(|(page, report)| page.save(report, &lines, is_whole));
    let reported = reported.transpose();
    let monitored = monitoring.map_or(Ok(Vec::new()), |monitoring| monitoring.finish(is_whole));
    if results.returns.n > 0 {
        let files = RunFiles {
            episodes: written.as_ref().ok().and_then(Option::as_deref),
            films: filmed.as_deref().unwrap_or_default(),
            report: reported.as_ref().ok().and_then(Option::as_deref),
            monitoring: monitored.as_deref().unwrap_or_default(),
        };
        let printed = print(arguments, &game, &results, &histories, files);
        let all_written = written.is_ok() && filmed.is_ok() && reported.is_ok() && monitored.is_ok();
        // After a hangup of the terminal, no further output is expected.
        if failure.is_none() && all_written && interrupts.signal().is_none() {
            printed?;
        }
    }
    let (episodes, films, page, monitored) = (written?, filmed?, reported?, monitored?);
    let signal = interrupts.signal().filter(|_| !is_whole && failure.is_none());
    let code =
        signal.map_or(ExitCode::SUCCESS, |signal| signal.tell(results.returns.n, arguments.episodes, "episodes"));
    if !is_whole {
        tell_incomplete(episodes.iter().chain(&films).chain(&page).chain(&monitored));
    }
    failure.map_or(Ok(code), Err)
}

/// Prints the names of incomplete files.
fn tell_incomplete<'a>(written: impl Iterator<Item = &'a PathBuf>) {
    let names: Vec<String> =
        written.filter(|path| is_incomplete(path)).map(|path| path.display().to_string()).collect();
    if !names.is_empty() {
        output::note(format!("incomplete: {}", names.join(", ")));
    }
}

/// Rejects two options that would write to the same file.
fn check_targets(arguments: &Arguments) -> Result<(), Problems> {
    let Arguments { out, report, film, monitoring, .. } = arguments;
    targets::check_distinct(&[
        ("--out", out.as_ref().map(|folder| folder.join("episodes.csv"))),
        ("--report", report.clone()),
        ("--gif", film.gif.clone()),
        ("--mp4", film.mp4.clone()),
        ("--csv", monitoring.csv.clone()),
        ("--parquet", monitoring.parquet.clone()),
    ])
}

/// The columns in the episode table.
fn columns(game: &Game) -> Vec<String> {
    let fixed = ["episode", "seed", "return", "steps", "terminated", "truncated", "stop", "state_hash"];
    fixed.iter().map(|name| (*name).to_owned()).chain(event_columns(game, &fixed)).collect()
}

/// An episode's cells.
fn cells(i: u64, episode: &Episode) -> impl Iterator<Item = Cell> {
    let Episode { seed, total, steps, terminated, truncated, state_hash, .. } = episode;
    let results = [i.to_string(), seed.to_string(), total.to_string(), steps.to_string()];
    let ends = [terminated.to_string(), truncated.to_string()];
    let stop = [Cell::Text(episode.stop.clone()), Cell::Plain(format!("{state_hash:016x}"))];
    let events = episode.events.iter().flatten().map(|value| Cell::Plain(value.to_string()));
    results.into_iter().chain(ends).map(Cell::Plain).chain(stop).chain(events)
}

/// The names of the event kinds. A name that several parts share starts with the part's name.
fn event_columns(game: &Game, taken: &[&str]) -> Vec<String> {
    let shared = |name: &str| game.events().iter().filter(|(_, event)| event.name() == name).count() > 1;
    let columns = |(part, event): &(usize, farm_core::declare::EventInfo)| {
        let name = match game.parts().get(*part) {
            Some(part) if shared(event.name()) || taken.contains(&event.name()) => {
                format!("{}.{}", part.path(), event.name())
            }
            _ => event.name().to_owned(),
        };
        match event.labels() {
            [] => vec![name],
            labels => labels.iter().map(|label| format!("{name}.{label}")).collect(),
        }
    };
    game.events().iter().flat_map(columns).collect()
}

fn print(
    arguments: &Arguments,
    game: &Game,
    results: &Results<'_>,
    histories: &[(u64, EpisodeHistory)],
    files: RunFiles<'_>,
) -> std::io::Result<()> {
    let mut out = output::stdout();
    if arguments.json {
        let mut shown = results_json(results, files);
        shown["warnings"] = check::warnings_json(game);
        if arguments.explain {
            shown["stories"] = histories.iter().map(|(seed, history)| history.json(game, *seed)).collect();
        }
        output::write_json(&mut out, "run", shown)?;
    } else {
        for (seed, history) in histories {
            history.write(&mut out, game, *seed)?;
        }
        write_table(&mut out, results)?;
        if let Some(file) = files.episodes {
            writeln!(out, "episodes: {}", file.display())?;
        }
        for film in files.films {
            writeln!(out, "film: {}", film.display())?;
        }
        if let Some(report) = files.report {
            writeln!(out, "report: {}", report.display())?;
        }
        for recorded in files.monitoring {
            writeln!(out, "monitoring: {}", recorded.display())?;
        }
    }
    out.flush()
}

fn write_table(out: &mut impl Write, results: &Results<'_>) -> std::io::Result<()> {
    let returns = &results.returns;
    let decimals = Decimals::of(returns.sd());
    let header = ["game", "policy", "episodes", "return mean ± sd", "min", "max", "mean steps", "mean days", "steps/s"];
    let mut table = TextTable::new(&header).right_aligned(2..header.len());
    let game = results.preset.map_or(results.game.to_owned(), |preset| format!("{} ({preset})", results.game));
    table.row(vec![
        game,
        results.policy.to_owned(),
        returns.n.to_string(),
        decimals.mean_and_sd(returns),
        decimals.write(returns.min),
        decimals.write(returns.max),
        format_number(results.steps as f64 / returns.n as f64),
        format_number(results.days as f64 / returns.n as f64),
        output::with_prefix(results.steps as f64 / results.seconds),
    ]);
    table.write(out, "")
}

fn results_json(results: &Results<'_>, files: RunFiles<'_>) -> Json {
    let returns = &results.returns;
    let episodes: Vec<Json> = results
        .episodes
        .iter()
        .map(|(seed, total, steps)| json!({"seed": seed, "return": total, "steps": steps}))
        .collect();
    json!({
        "game": results.game,
        "policy": results.policy,
        "preset": results.preset,
        "seed": results.seed,
        "episodes": returns.n,
        "return": {"mean": returns.mean, "sd": returns.sd(), "min": returns.min, "max": returns.max},
        "per_episode": episodes,
        "mean_steps": results.steps as f64 / returns.n as f64,
        "mean_days": results.days as f64 / returns.n as f64,
        "seconds": results.seconds,
        "steps_per_second": results.steps as f64 / results.seconds,
        "file": files.episodes.map(|file| file.display().to_string()),
        "films": files.films.iter().map(|film| film.display().to_string()).collect::<Vec<_>>(),
        "report": files.report.map(|file| file.display().to_string()),
        "monitoring": files.monitoring.iter().map(|file| file.display().to_string()).collect::<Vec<_>>(),
    })
}
