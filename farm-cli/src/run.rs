//! `farm run`: plays episodes with a policy and sums them up.

use std::io::{IsTerminal, Write};
use std::path::{Path as FilePath, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::Args;
use farm_core::action::Call;
use farm_core::config::{Path, Problem, Problems};
use farm_core::{Game, Player, State, StepRecord};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value as Json, json};

use crate::arguments::GameArguments;
use crate::explain::Story;
use crate::output::{self, Table, number};

const EXAMPLES: &str = "\
EXAMPLES:
  farm run GAME                                  ten episodes of the random policy
  farm run GAME --policy expert --episodes 100
  farm run GAME --policy my_policy.yaml          a policy, or a list of policies that decide together
  farm run GAME --policy 'expert + random'       the same without a file
  farm run my_game.yaml --seed 42 --out results  also writes results/episodes.csv
  farm run GAME --episodes 1 --explain           who died of what, and what hindered growth
  farm run GAME --set fields.Field-0.shape.length#nb=4 --json

Episodes have the seeds S, S+1, S+2 …; equal seeds give equal episodes. `return mean ± sd` has the standard deviation of
the sample; `steps` is the mean length of an episode, `days` counts the steps of all episodes; `steps/s` includes the policy
and the resets.";

/// How long a run may take before its progress is shown.
const PATIENCE: Duration = Duration::from_secs(1);

/// After how many steps an episode of a game without a limit is said never to end: some 2700 years of days.
const ENDLESS: u64 = 1_000_000;

/// Plays episodes and shows their returns
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// A policy of the game, a kind (`farm list policies`), a YAML file with a policy or a list of them, such YAML itself, or
    /// several joined by `+`; `random` if the game names it, otherwise its first
    #[arg(long, value_name = "POLICY|FILE.yaml")]
    policy: Option<String>,
    /// Number of episodes
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    episodes: u64,
    /// Seed of the first episode
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Also tells what happened in each episode: who died of what, what hindered growth
    #[arg(long)]
    explain: bool,
    /// Prints JSON
    #[arg(long)]
    json: bool,
    /// Writes a line per episode to DIR/episodes.csv; DIR is made if it is not there
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// What remains of an episode.
struct Episode {
    seed: u64,
    total: f64,
    steps: u64,
    terminated: bool,
    truncated: bool,
    stop: String,
    state_hash: u64,
    /// The summed values of each event kind, or of each label of one how often it came.
    events: Vec<Vec<f64>>,
    story: Story,
}

/// Mean, spread and extremes of what was added so far (Welford's method: one pass, no cancellation).
#[derive(Debug, Clone, Copy)]
struct Summary {
    n: u64,
    mean: f64,
    squares: f64,
    min: f64,
    max: f64,
}

impl Summary {
    fn new() -> Self {
        Self { n: 0, mean: 0.0, squares: 0.0, min: f64::INFINITY, max: f64::NEG_INFINITY }
    }

    fn add(&mut self, value: f64) {
        self.n += 1;
        let before = value - self.mean;
        self.mean += before / self.n as f64;
        self.squares += before * (value - self.mean);
        self.min = self.min.min(value);
        self.max = self.max.max(value);
    }

    /// The standard deviation of the sample; one episode alone has none.
    fn sd(&self) -> Option<f64> {
        (self.n > 1).then(|| (self.squares / (self.n - 1) as f64).sqrt())
    }
}

/// What a run showed.
struct Results<'a> {
    game: &'a str,
    policy: &'a str,
    preset: Option<&'a str>,
    seed: u64,
    returns: Summary,
    steps: u64,
    seconds: f64,
}

/// Plays the episodes.
///
/// # Errors
/// Problems of the game, of the policy or of the results' folder; a game that never ends or whose numbers are no longer
/// finite.
pub fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let game = arguments.game.open()?;
    let policy = policy_name(&game, arguments.policy.as_deref())?;
    let mut player = farm_games::policy(&game, policy)?;
    let mut results = Results {
        game: &game.spec.name,
        policy,
        preset: arguments.game.preset.as_deref(),
        seed: arguments.seed,
        returns: Summary::new(),
        steps: 0,
        seconds: 0.0,
    };
    let mut table = Vec::new();
    let mut failure = None;
    let mut buffers = Buffers { state: game.new_state(), record: game.new_record(), schedule: Vec::new() };
    let mut progress = Progress::new(arguments.episodes);
    for i in 0..arguments.episodes {
        let seed = arguments.seed.wrapping_add(i);
        match play(&game, player.as_mut(), seed, &mut buffers, arguments.explain, &mut progress) {
            Ok(episode) => {
                results.returns.add(episode.total);
                results.steps += episode.steps;
                if arguments.out.is_some() || arguments.explain {
                    table.push(episode);
                }
            }
            Err(error) => {
                failure = Some(error.context(format!("episode {i} (seed {seed})")));
                break;
            }
        }
        progress.episode_done();
    }
    results.seconds = progress.finish();
    // Written before anything is printed, so that a reader who has gone away takes no results with him.
    let written = match &arguments.out {
        Some(directory) if results.returns.n > 0 => save(directory, &game, &table).map(Some),
        _ => Ok(None),
    };
    if results.returns.n > 0 {
        let stories: Vec<(u64, &Story)> =
            table.iter().filter(|_| arguments.explain).map(|episode| (episode.seed, &episode.story)).collect();
        let printed = print(arguments, &game, &results, &stories, written.as_ref().ok().and_then(Option::as_deref));
        if failure.is_none() && written.is_ok() {
            printed?;
        }
    }
    written?;
    failure.map_or(Ok(ExitCode::SUCCESS), Err)
}

/// The policy asked for; otherwise `random`; otherwise the first one.
fn policy_name<'a>(game: &'a Game, wanted: Option<&'a str>) -> Result<&'a str, Problems> {
    let mut names = game.spec.policies.keys().map(String::as_str);
    let default = names.clone().find(|name| *name == "random").or_else(|| names.next());
    wanted.or(default).ok_or_else(|| {
        let message = format!("`{}` has no policy to play with", game.spec.name);
        let problem = Problem::new(Path::default().child("policies"), message).expected("at least one policy");
        Problems(vec![problem.help("add one under `policies:`; `farm list policies` shows all kinds")])
    })
}

/// What episodes are played with, one after the other.
struct Buffers {
    state: State,
    record: StepRecord,
    schedule: Vec<Call>,
}

fn play(
    game: &Game,
    player: &mut dyn Player,
    seed: u64,
    buffers: &mut Buffers,
    explain: bool,
    progress: &mut Progress,
) -> anyhow::Result<Episode> {
    let Buffers { state, record, schedule } = buffers;
    let mut story = Story::default();
    game.reset(state, seed, record);
    player.start(seed);
    let (mut total, mut steps) = (0.0, 0);
    let mut events: Vec<Vec<f64>> = game.events.iter().map(|(_, info)| vec![0.0; info.labels.len().max(1)]).collect();
    loop {
        schedule.clear();
        player.choose(game, state, schedule);
        let outcome = game.step(state, schedule, record)?;
        total += outcome.reward;
        steps += 1;
        for event in &record.events {
            match events.get_mut(event.id.index()).map(Vec::as_mut_slice) {
                Some([sum]) => *sum += event.value,
                Some(labels) => labels.iter_mut().skip(event.value as usize).take(1).for_each(|n| *n += 1.0),
                None => {}
            }
        }
        if explain {
            story.note(game, steps, record);
        }
        if outcome.over() {
            let stop = record.stop.map(|stop| game.stop_reason(stop)).unwrap_or_default();
            let (terminated, truncated) = (outcome.terminated, outcome.truncated);
            return Ok(Episode {
                seed,
                total,
                steps,
                terminated,
                truncated,
                stop,
                state_hash: state.hash(),
                events,
                story,
            });
        }
        if steps >= ENDLESS && game.max_steps().is_none() {
            let rule = game.spec.rules.typetag_name();
            bail!("no end after {steps} steps: give `{rule}` a limit of steps, `farm describe {rule}` says how");
        }
        if steps % 4096 == 0 {
            progress.long_episode(steps);
        }
    }
}

/// A bar on standard error, for runs that take a while and are watched.
struct Progress {
    start: Instant,
    episodes: u64,
    done: u64,
    watched: bool,
    bar: Option<ProgressBar>,
}

impl Progress {
    fn new(episodes: u64) -> Self {
        let watched = std::io::stderr().is_terminal();
        Self { start: Instant::now(), episodes, done: 0, watched, bar: None }
    }

    fn bar(&mut self) -> Option<&ProgressBar> {
        if self.bar.is_none() && self.watched && self.start.elapsed() > PATIENCE {
            let template = "{bar:30} {human_pos}/{human_len} episodes after {elapsed} {msg}";
            let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
            self.bar = Some(ProgressBar::new(self.episodes).with_elapsed(self.start.elapsed()).with_style(style));
        }
        self.bar.as_ref()
    }

    fn episode_done(&mut self) {
        self.done += 1;
        let done = self.done;
        if let Some(bar) = self.bar() {
            bar.set_position(done);
        }
    }

    /// Shows that something happens in an episode that does not end soon.
    fn long_episode(&mut self, steps: u64) {
        if let Some(bar) = self.bar() {
            bar.set_message(format!("(step {steps} of this one)"));
        }
    }

    /// Takes the bar away and tells how many seconds the run took.
    fn finish(self) -> f64 {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        self.start.elapsed().as_secs_f64().max(1e-9)
    }
}

/// Writes `episodes.csv` under another name first, so that a full disk leaves no half of it.
fn save(directory: &FilePath, game: &Game, episodes: &[Episode]) -> anyhow::Result<PathBuf> {
    let target = directory.join("episodes.csv");
    let unfinished = directory.join(format!(".episodes.csv.{}", std::process::id()));
    let write = || -> anyhow::Result<()> {
        std::fs::create_dir_all(directory)?;
        let mut writer = csv::Writer::from_path(&unfinished)?;
        let fixed = ["episode", "seed", "return", "steps", "terminated", "truncated", "stop", "state_hash"];
        writer.write_record(fixed.iter().map(|name| (*name).to_owned()).chain(event_columns(game, &fixed)))?;
        for (i, episode) in episodes.iter().enumerate() {
            let Episode { seed, total, steps, terminated, truncated, stop, state_hash, events, .. } = episode;
            let hash = format!("{state_hash:016x}");
            let cells = [i.to_string(), seed.to_string(), total.to_string(), steps.to_string(), terminated.to_string()];
            let cells = cells.into_iter().chain([truncated.to_string(), stop.clone(), hash]);
            writer.write_record(cells.chain(events.iter().flatten().map(f64::to_string)))?;
        }
        writer.flush()?;
        drop(writer);
        std::fs::rename(&unfinished, &target)?;
        Ok(())
    };
    write().inspect_err(|_| drop(std::fs::remove_file(&unfinished))).with_context(|| {
        format!("the episodes can't be written to {}; the table holds all that is left of them", target.display())
    })?;
    Ok(target)
}

/// The names of the event kinds; those that several parts share begin with the part.
fn event_columns(game: &Game, taken: &[&str]) -> Vec<String> {
    let shared = |name: &str| game.events.iter().filter(|(_, event)| event.name == name).count() > 1;
    let columns = |(part, event): &(usize, farm_core::declare::EventInfo)| {
        let name = match game.parts.get(*part) {
            Some(part) if shared(&event.name) || taken.contains(&event.name.as_str()) => {
                format!("{}.{}", part.path, event.name)
            }
            _ => event.name.clone(),
        };
        match event.labels.as_slice() {
            [] => vec![name],
            labels => labels.iter().map(|label| format!("{name}.{label}")).collect(),
        }
    };
    game.events.iter().flat_map(columns).collect()
}

fn print(
    arguments: &Arguments,
    game: &Game,
    results: &Results<'_>,
    stories: &[(u64, &Story)],
    file: Option<&FilePath>,
) -> std::io::Result<()> {
    let mut out = output::stdout();
    if arguments.json {
        let mut shown = results_json(results, file);
        if arguments.explain {
            shown["stories"] = stories.iter().map(|(seed, story)| story.json(game, *seed)).collect();
        }
        output::write_json(&mut out, &shown)?;
    } else {
        for (seed, story) in stories {
            story.write(&mut out, game, *seed)?;
        }
        write_table(&mut out, results)?;
        if let Some(file) = file {
            writeln!(out, "episodes: {}", file.display())?;
        }
    }
    out.flush()
}

fn write_table(out: &mut impl Write, results: &Results<'_>) -> std::io::Result<()> {
    let returns = &results.returns;
    let header = ["game", "policy", "episodes", "return mean ± sd", "min", "max", "steps", "days", "steps/s"];
    let mut table = Table::new(&header).right_aligned(2..header.len());
    let game = results.preset.map_or(results.game.to_owned(), |preset| format!("{} ({preset})", results.game));
    table.row(vec![
        game,
        results.policy.to_owned(),
        returns.n.to_string(),
        format!("{} ± {}", number(returns.mean), returns.sd().map_or("–".to_owned(), number)),
        number(returns.min),
        number(returns.max),
        number(results.steps as f64 / returns.n as f64),
        results.steps.to_string(),
        format!("{:.0}", results.steps as f64 / results.seconds),
    ]);
    table.write(out, "")
}

fn results_json(results: &Results<'_>, file: Option<&FilePath>) -> Json {
    let returns = &results.returns;
    json!({
        "game": results.game,
        "policy": results.policy,
        "preset": results.preset,
        "seed": results.seed,
        "episodes": returns.n,
        "return": {"mean": returns.mean, "sd": returns.sd(), "min": returns.min, "max": returns.max},
        "steps": results.steps as f64 / returns.n as f64,
        "days": results.steps,
        "seconds": results.seconds,
        "steps_per_second": results.steps as f64 / results.seconds,
        "file": file.map(|file| file.display().to_string()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mean_and_deviation_are_those_of_the_sample() {
        let mut summary = Summary::new();
        [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0].into_iter().for_each(|value| summary.add(value));
        assert!((summary.mean - 5.0).abs() < 1e-12);
        // 32 / 7 is the sample variance of this textbook series.
        assert!((summary.sd().unwrap() - (32.0_f64 / 7.0).sqrt()).abs() < 1e-12);
        assert_eq!((summary.min, summary.max), (2.0, 9.0));
    }

    #[test]
    fn one_episode_has_no_deviation() {
        let mut summary = Summary::new();
        assert!(summary.sd().is_none());
        summary.add(3.0);
        assert!(summary.sd().is_none());
    }
}
