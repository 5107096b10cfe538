//! `farm eval`: compares policies on the same seeds according to a risk criterion.

mod arguments;
mod chart;
mod played;
mod records;

use std::collections::BTreeMap;
use std::io::Write;
use std::num::NonZero;
use std::path::{Path as FilePath, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use anyhow::bail;
use farm_core::config::{Location, NameError, Path, Problem, Problems};
use farm_core::{Agent, Game, NoObserver};
use farm_games::farm_scoring::ScoreError;
use farm_games::farm_scoring::risk::{Criterion, Estimate};
use farm_games::level::Split;
use serde_json::{Value as Json, json};

use crate::arguments::{GameArguments, check_seeds, cores};
use crate::csv_file::{Cell, CsvFile};
use crate::episode::{Buffers, Episode, Progress, play};
use crate::interrupts::{Interrupts, Stopped};
use crate::output::{self, TextTable, format_number};
use crate::plot::PlotFile;
use crate::policy::Choice;
use crate::results_files::{self, Evaluated, ProcessorTime, over_limit};
use crate::summary::{Decimals, Summary};
use crate::{check, memory, splits, targets};
pub(crate) use arguments::Arguments;
use played::Played;
use records::{PolicyRecord, policies, records};

/// Plays all policies and compares them.
///
/// # Errors
/// Fails if the game, a policy, the criterion or the results folder has errors, if a game never ends, or if its numbers are no longer
/// finite.
pub(crate) fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    if let Some(split) = &arguments.split {
        return splits::execute(&splits::SplitRequest {
            game: &arguments.game,
            split: split_of(split)?,
            policies: &arguments.policy,
            episodes: arguments.episodes,
            seed: arguments.seed,
            json: arguments.json,
            plot: arguments.plot.as_deref().map(PlotFile::open).transpose()?.as_ref(),
        });
    }
    check_seeds(arguments.seed, u64::from(arguments.episodes))?;
    let table = arguments.out.as_ref().map(|folder| folder.join("evaluation.csv"));
    targets::check_distinct(&[("--out", table), ("--plot", arguments.plot.clone())])?;
    let plot = arguments.plot.as_deref().map(PlotFile::open).transpose()?;
    let contexts = arguments.game.each_context()?;
    if contexts.len() > 1 && arguments.results.is_some() {
        bail!("`--results` needs a single game: name one context, such as `--context train/0`");
    }
    let games = contexts.iter().map(GameArguments::open).collect::<Result<Vec<_>, _>>()?;
    let Some(game) = games.first() else { bail!("there is no game") };
    let criterion = criterion(arguments)?;
    let policies = policies(game, arguments)?;
    // Before any file is started, so that none is left unfinished.
    let interrupts = Interrupts::note();
    let table = arguments.out.as_deref().map(|folder| CsvFile::create(folder, "evaluation.csv")).transpose()?;
    let spent: Vec<AtomicU64> = policies.all.iter().map(|_| AtomicU64::new(0)).collect();
    memory::note(
        &format!(
            "while {} episodes of `{}` were played and stored",
            policies.all.len() as u64 * u64::from(arguments.episodes),
            game.spec().name()
        ),
        "use fewer episodes or fewer policies",
    );
    let played = play_all(&games, arguments, &policies.all, &spent, &interrupts)?;
    let written =
        table.map(|table| write_episodes(table, game, &contexts, arguments, &policies.all, &played)).transpose();
    let jobs = policies.all.len() * arguments.episodes as usize;
    if let Some(signal) = interrupts.signal().filter(|_| played.count() < jobs) {
        if let Some(file) = written? {
            output::note(format!("incomplete: {}", file.display()));
        }
        return Ok(signal.tell(played.count() as u64, jobs as u64, "episodes, too few to compare"));
    }
    let records = records(arguments, &criterion, &policies, played);
    let spent: Vec<u64> = spent.iter().map(|spent| spent.load(Ordering::Relaxed)).collect();
    let evaluated = records.iter().zip(&spent).map(|(record, nanoseconds)| Evaluated {
        policy: &record.policy,
        kind: "named",
        returns: &record.returns,
        over_limit: over_limit(game, record.constraints.chunks(game.constraints().len().max(1))),
        nanoseconds: *nanoseconds,
    });
    let write = |folder| results_files::write(folder, game, &arguments.game, arguments.seed, evaluated);
    let results = arguments.results.as_deref().map(write).transpose();
    let chart = || chart::draw(arguments, game, &criterion, &records);
    let drawn = plot.as_ref().map(|plot| plot.save(&chart())).transpose();
    let files = EvalFiles {
        episodes: written.as_ref().ok().and_then(Option::as_deref),
        plot: drawn.as_ref().ok().copied().flatten(),
    };
    let printed = print(arguments, game, &contexts, &criterion, &records, files);
    written?;
    if let Some(written) = results? {
        output::note(format!("results: {}", written.join(", ")));
    }
    drawn?;
    // After a hangup of the terminal, no further output is expected.
    if interrupts.signal().is_none() {
        printed?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The files written in addition to the table.
#[derive(Clone, Copy)]
struct EvalFiles<'a> {
    episodes: Option<&'a FilePath>,
    plot: Option<&'a FilePath>,
}

/// The split with this name.
fn split_of(name: &str) -> Result<Split, Problems> {
    Split::ALL.into_iter().find(|split| split.name() == name).ok_or_else(|| {
        let mut problem =
            Problem::new(NameError::UnknownName, Path::default(), format!("unknown split `{name}`")).value(name);
        problem.location = Some(Location::new(format!("--split {name}"), None));
        Problems(vec![problem.among(name, Split::ALL.map(Split::name))])
    })
}

/// Returns the chosen criterion after checking that there are enough episodes for it.
fn criterion(arguments: &Arguments) -> Result<Criterion, Problems> {
    let option = |problem: Problem| {
        let location = Location::new(format!("--risk {}", arguments.risk), None);
        Problems(vec![Problem { location: Some(location), ..problem }])
    };
    let criterion: Criterion = arguments.risk.parse().map_err(|problem: Box<Problem>| option(*problem))?;
    let fewest = criterion.fewest();
    if (arguments.episodes as usize) < fewest {
        let message = format!("too few episodes to estimate `{criterion}`");
        let problem =
            Problem::new(ScoreError::WrongRisk, Path::default(), message).value(arguments.episodes.to_string());
        return Err(option(problem.expected(format!("{fewest} or more")).help(format!("--episodes {fewest}"))));
    }
    Ok(criterion)
}

/// The index of the game that a seed plays: the contexts of a split take turns.
fn turn(seed: u64, games: usize) -> usize {
    (seed % games.max(1) as u64) as usize
}

/// Plays the episodes of all policies on several threads, and adds the nanoseconds that each policy used to `spent`. After a signal, fewer
/// episodes are played.
fn play_all(
    games: &[Game],
    arguments: &Arguments,
    policies: &[Choice],
    spent: &[AtomicU64],
    interrupts: &Interrupts,
) -> anyhow::Result<Played> {
    let episodes = arguments.episodes as usize;
    let jobs = episodes * policies.len();
    let threads = arguments.threads.map_or_else(cores, NonZero::get);
    // Jobs are started in order, so the first failure is the same for any number of threads.
    let (next, first_failed) = (AtomicUsize::new(0), AtomicUsize::new(usize::MAX));
    let progress = Mutex::new(Progress::new(jobs as u64));
    let width = games.first().map_or(0, |game| game.constraints().len());
    let played = Mutex::new(Played::new(width, arguments.out.is_some()));
    let with_progress = |show: &mut dyn FnMut(&mut Progress)| {
        if let Ok(mut progress) = progress.lock() {
            show(&mut progress);
        }
    };
    let work = || {
        let mut seats: Vec<_> = games
            .iter()
            .map(|game| (Buffers::new(game, interrupts.clone()), None::<(usize, Box<dyn Agent>)>))
            .collect();
        loop {
            let job = next.fetch_add(1, Ordering::Relaxed);
            if job >= jobs || job > first_failed.load(Ordering::Relaxed) || interrupts.signal().is_some() {
                return None;
            }
            let policy = job / episodes;
            let seed = arguments.seed.wrapping_add((job % episodes) as u64);
            let turn = turn(seed, games.len());
            let (buffers, player) = &mut seats[turn];
            let episode = || -> anyhow::Result<Episode> {
                let player = match player {
                    Some((of, player)) if *of == policy => player,
                    other => &mut other.insert((policy, policies[policy].player(&games[turn])?)).1,
                };
                let mut watch = |steps| with_progress(&mut |progress| progress.long_episode(steps));
                play(buffers, player.as_mut(), seed, NoObserver, &mut watch)
            };
            let begun = ProcessorTime::now();
            let episode = episode();
            spent[policy].fetch_add(begun.nanoseconds(), Ordering::Relaxed);
            match episode {
                Ok(episode) => drop(played.lock().map(|mut played| played.add(job, episode))),
                Err(error) if error.is::<Stopped>() => return None,
                Err(error) => {
                    first_failed.fetch_min(job, Ordering::Relaxed);
                    return Some((job, error));
                }
            }
            with_progress(&mut Progress::episode_done);
        }
    };
    let failed = std::thread::scope(|scope| {
        // If the system starts no more threads, the existing ones play all episodes.
        let spawned = || std::thread::Builder::new().spawn_scoped(scope, work).ok();
        let workers: Vec<_> = (1..threads.min(jobs)).map_while(|_| spawned()).collect();
        let own = work();
        let join = |worker: std::thread::ScopedJoinHandle<'_, Option<_>>| {
            worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        own.into_iter().chain(workers.into_iter().filter_map(join)).min_by_key(|(job, _)| *job)
    });
    if let Ok(progress) = progress.into_inner() {
        progress.finish();
    }
    match failed {
        Some((job, error)) => {
            let seed = arguments.seed.wrapping_add((job % episodes) as u64);
            Err(error.context(format!("policy `{}`, seed {seed}", policies[job / episodes].name)))
        }
        None => Ok(played.into_inner().unwrap_or_else(PoisonError::into_inner)),
    }
}

/// Writes one line per episode.
fn write_episodes(
    mut table: CsvFile,
    game: &Game,
    contexts: &[GameArguments],
    arguments: &Arguments,
    policies: &[Choice],
    played: &Played,
) -> anyhow::Result<PathBuf> {
    let fixed = ["policy", "episode", "seed", "return", "steps", "terminated", "truncated", "stop", "state_hash"];
    let constraints = game.constraints().iter().map(|info| format!("constraint.{}", info.name));
    let names = fixed.iter().map(|name| (*name).to_owned()).chain(constraints).chain(["game".to_owned()]);
    table.row(names.map(Cell::Text));
    let words: Vec<String> = contexts.iter().map(GameArguments::words).collect();
    let episodes = arguments.episodes as usize;
    for (job, total, end, stop, constraints) in played.rows() {
        let policy = policies.get(job / episodes).map(|policy| policy.name.clone()).unwrap_or_default();
        let seed = arguments.seed.wrapping_add((job % episodes) as u64);
        let results = [(job % episodes).to_string(), seed.to_string(), total.to_string()];
        let ends = [end.steps.to_string(), end.terminated.to_string(), end.truncated.to_string()];
        let stop = [Cell::Text(stop.to_owned()), Cell::Plain(format!("{:016x}", end.state_hash))];
        let totals = constraints.iter().map(|total| Cell::Plain(total.to_string()));
        let numbers = results.into_iter().chain(ends).map(Cell::Plain);
        let of_game = Cell::Text(words[turn(seed, words.len())].clone());
        table.row(std::iter::once(Cell::Text(policy)).chain(numbers).chain(stop).chain(totals).chain([of_game]));
    }
    table.finish(played.count() == policies.len() * episodes)
}

/// A constraint's totals over a policy's episodes.
struct ConstraintTotals {
    totals: Summary,
    /// The share of episodes within the limit, if there is one.
    within: Option<f64>,
}

impl ConstraintTotals {
    fn of(record: &PolicyRecord, constraint: usize, limit: Option<f64>) -> Self {
        let mut totals = Summary::new();
        let width = record.constraints.len() / record.returns.len().max(1);
        let of_episodes = || record.constraints.iter().skip(constraint).step_by(width.max(1));
        of_episodes().for_each(|total| totals.add(*total));
        let within = limit.map(|limit| {
            let kept = of_episodes().filter(|total| **total <= limit).count();
            kept as f64 / record.returns.len() as f64
        });
        Self { totals, within }
    }
}

fn print(
    arguments: &Arguments,
    game: &Game,
    contexts: &[GameArguments],
    criterion: &Criterion,
    records: &[PolicyRecord],
    files: EvalFiles<'_>,
) -> std::io::Result<()> {
    let mut out = output::stdout();
    if arguments.json {
        output::write_json(&mut out, "eval", results_json(arguments, game, contexts, criterion, records, files))?;
    } else {
        write_table(&mut out, arguments, game, criterion, records)?;
        write_contexts(&mut out, arguments, contexts, records)?;
        if let Some(file) = files.episodes {
            writeln!(out, "episodes: {}", file.display())?;
        }
        if let Some(file) = files.plot {
            writeln!(out, "plot: {}", file.display())?;
        }
    }
    out.flush()
}

fn write_table(
    out: &mut impl Write,
    arguments: &Arguments,
    game: &Game,
    criterion: &Criterion,
    records: &[PolicyRecord],
) -> std::io::Result<()> {
    let changes = arguments.game.changes();
    let last = arguments.seed.wrapping_add(u64::from(arguments.episodes - 1));
    let (name, n, first) = (game.spec().name(), arguments.episodes, arguments.seed);
    writeln!(out, "{name}{changes}: {n} episodes of each policy, seeds {first} … {last}")?;
    let interval = format!("{} % interval", format_number(100.0 * arguments.confidence));
    let shown = criterion.to_string();
    let mut header = vec!["policy", "return mean ± sd", &shown, &interval];
    let against = arguments.paired_with.as_ref().map(|other| format!("Δ vs {other}"));
    if let Some(against) = &against {
        header.extend([against, &interval, "better", "equal", "worse"]);
    }
    let missing = criterion.no_interval(n as usize);
    // A single episode has no standard deviation, which needs no footnote.
    let sign = if n == 1 { "–" } else { "†" };
    let decimals = Decimals::of(records.iter().filter_map(|record| record.summary.sd()));
    let range = |estimate: &Option<Estimate>| {
        estimate.map_or(sign.to_owned(), |e| format!("[{}, {}]", decimals.write(e.low), decimals.write(e.high)))
    };
    let mut table = TextTable::new(&header).right_aligned(1..header.len());
    for record in records {
        let mut row = vec![
            record.policy.clone(),
            decimals.mean_and_sd(&record.summary),
            record.value.map_or("–".to_owned(), |value| decimals.write(value)),
            range(&record.interval),
        ];
        if let Some(paired) = &record.paired {
            row.extend([decimals.write(paired.difference), range(&paired.interval)]);
            row.extend([paired.better, paired.equal, paired.worse].map(|n| n.to_string()));
        }
        table.row(row);
    }
    table.write(out, "")?;
    if let Some(missing) = missing.filter(|_| n > 1) {
        let enough = criterion.fewest_for_interval().map_or(String::new(), |n| format!(": --episodes {n}"));
        writeln!(out, "† {missing}{enough}")?;
    }
    if !game.constraints().is_empty() {
        let mut table =
            TextTable::new(&["policy", "constraint", "total mean", "max", "limit", "within"]).right_aligned(2..6);
        for record in records {
            for (i, info) in game.constraints().iter().enumerate() {
                let ConstraintTotals { totals, within } = ConstraintTotals::of(record, i, info.limit);
                table.row(vec![
                    record.policy.clone(),
                    format!("{} [{}]", info.name, info.unit),
                    format_number(totals.mean),
                    format_number(totals.max),
                    info.limit.map_or("–".to_owned(), format_number),
                    within.map_or("–".to_owned(), |share| format!("{} %", format_number(100.0 * share))),
                ]);
            }
        }
        writeln!(out)?;
        table.write(out, "")?;
    }
    Ok(())
}

/// The mean return in each context, if there are several.
fn context_means(contexts: &[GameArguments], first_seed: u64, record: &PolicyRecord) -> Vec<(String, Option<f64>)> {
    let name = |context: &GameArguments| context.context.clone().unwrap_or_default();
    let mean = |(i, context): (usize, &GameArguments)| {
        let mut returns = Summary::new();
        let seeds = (0..).map(|i| first_seed.wrapping_add(i));
        let of_context = record.returns.iter().zip(seeds).filter(|(_, seed)| turn(*seed, contexts.len()) == i);
        of_context.for_each(|(total, _)| returns.add(*total));
        (name(context), (returns.n > 0).then_some(returns.mean))
    };
    contexts.iter().enumerate().filter(|_| contexts.len() > 1).map(mean).collect()
}

/// A row for each context, and a column for each policy.
fn write_contexts(
    out: &mut impl Write,
    arguments: &Arguments,
    contexts: &[GameArguments],
    records: &[PolicyRecord],
) -> std::io::Result<()> {
    if contexts.len() < 2 {
        return Ok(());
    }
    let header: Vec<&str> =
        std::iter::once("mean by context").chain(records.iter().map(|record| record.policy.as_str())).collect();
    let mut table = TextTable::new(&header).right_aligned(1..header.len());
    let means: Vec<_> = records.iter().map(|record| context_means(contexts, arguments.seed, record)).collect();
    let decimals = Decimals::of(records.iter().filter_map(|record| record.summary.sd()));
    for (i, context) in contexts.iter().enumerate() {
        let cells = means.iter().map(|means| means[i].1.map_or("–".to_owned(), |mean| decimals.write(mean)));
        table.row(context.context.iter().cloned().chain(cells).collect());
    }
    writeln!(out)?;
    table.write(out, "")
}

fn results_json(
    arguments: &Arguments,
    game: &Game,
    contexts: &[GameArguments],
    criterion: &Criterion,
    records: &[PolicyRecord],
    files: EvalFiles<'_>,
) -> Json {
    let missing = criterion.no_interval(arguments.episodes as usize);
    let estimate = |value: Option<f64>, interval: Option<Estimate>| {
        let (low, high) = (interval.map(|e| e.low), interval.map(|e| e.high));
        json!({"value": value, "low": low, "high": high, "no_interval": missing})
    };
    let shown = |record: &PolicyRecord| {
        let constraints: serde_json::Map<String, Json> = game
            .constraints()
            .iter()
            .enumerate()
            .map(|(i, info)| {
                let ConstraintTotals { totals, within } = ConstraintTotals::of(record, i, info.limit);
                let shown = json!({
                    "unit": info.unit, "mean": totals.mean, "max": totals.max, "limit": info.limit, "within": within,
                });
                (info.name.clone(), shown)
            })
            .collect();
        let Summary { mean, min, max, .. } = record.summary;
        json!({
            "policy": record.policy,
            "return": {"mean": mean, "sd": record.summary.sd(), "min": min, "max": max},
            "risk": estimate(record.value, record.interval),
            "difference": record.paired.map(|paired| estimate(Some(paired.difference), paired.interval)),
            "better": record.paired.map(|paired| paired.better),
            "equal": record.paired.map(|paired| paired.equal),
            "worse": record.paired.map(|paired| paired.worse),
            "constraints": constraints,
            "contexts": context_means(contexts, arguments.seed, record).into_iter().collect::<BTreeMap<_, _>>(),
        })
    };
    json!({
        "game": game.spec().name(),
        "preset": arguments.game.preset(),
        "level": arguments.game.level,
        "context": arguments.game.context,
        "set": arguments.game.set.iter().map(|(path, value)| format!("{path}={value}")).collect::<Vec<_>>(),
        "seed": arguments.seed,
        "episodes": arguments.episodes,
        "risk": criterion.to_string(),
        "confidence": arguments.confidence,
        "resamples": arguments.resamples,
        "paired_with": arguments.paired_with,
        "policies": records.iter().map(shown).collect::<Vec<_>>(),
        "file": files.episodes.map(|file| file.display().to_string()),
        "plot": files.plot.map(|file| file.display().to_string()),
        "warnings": check::warnings_json(game),
    })
}
