//! `farm plan`: plans every step of episodes, and compares these episodes with waiting and with the base policy.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::{Args, ValueEnum};
use farm_core::Game;
use farm_core::serde_yaml::Value;
use farm_games::farm_scoring::risk::{Bootstrap, Criterion, Estimate, Paired};
use farm_search::plan::{Foresight, Method, PlanSettings, PlannedEpisode, play_planned};
use farm_search::{Arena, Draw, WAIT, policy_of};
use serde_json::json;

use crate::arguments::{GameArguments, at_least_one, cores, seed};
use crate::check;
use crate::interrupts::Interrupts;
use crate::oracle::line;
use crate::output::{self, TextTable, format_number};
use crate::results_files::{self, Evaluated};
use crate::summary::{Decimals, Summary};

const EXAMPLES: &str = "\
Examples:
  farm plan GAME --budget 64                                64 trials before each step
  farm plan GAME --budget 200 --method mcts --episodes 20
  farm plan GAME --budget 200 --future known                with the future known
  farm plan GAME --budget 64 --every 5 --episodes 500 --seed 1000000 --results results
  farm plan GAME --budget 64 --episodes 1 --seed 7 --record plans
  farm replay GAME --seed 7 --actions plans/7.txt

Before each step, plans are tried in copies of the episode, and the best one is started. For a few steps, a plan plays its own actions,
alone or before the actions of the base policy; then the base policy continues. With `--future drawn`, each trial has its own future: the
planner knows the weather forecast, and the whole farm including hidden values. With `--future known`, trials use the real future: the
result is the value of hindsight, which no policy has.

All policies play the same seeds. Equal arguments give equal results for any number of threads. Ctrl-C (SIGINT) stops after the running
episodes; their recordings stay.";

/// The names of methods on the command line.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum MethodName {
    /// The cross-entropy method over lists of moves
    Cem,
    /// A tree over moves, with upper confidence bounds
    Mcts,
}

/// The names of what is known of the future.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FutureName {
    /// Only the forecast
    Drawn,
    /// The real future: the result is the value of hindsight, which no policy has
    Known,
}

/// Plan every step in copies of the episode
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// Number of trials before each plan, at least 24
    #[arg(long, value_name = "TRIALS", value_parser = at_least_one::<u32>, allow_negative_numbers = true)]
    budget: u32,
    /// Planning method
    #[arg(long, value_enum, default_value = "cem")]
    method: MethodName,
    /// Knowledge of the future
    #[arg(long, value_enum, default_value = "drawn")]
    future: FutureName,
    /// Base policy, which starts and continues each plan [default: expert, else informed, else wait]
    #[arg(long, value_name = "POLICY")]
    base: Option<String>,
    /// Maximum steps of a trial [default: to the end of the episode]
    #[arg(long, value_name = "STEPS", value_parser = at_least_one::<u32>, allow_negative_numbers = true)]
    horizon: Option<u32>,
    /// Number of steps for which a plan plays its own actions
    #[arg(long, value_name = "STEPS", default_value_t = 8, value_parser = at_least_one::<u32>, allow_negative_numbers = true)]
    depth: u32,
    /// Number of steps before the next plan
    #[arg(long, value_name = "STEPS", default_value_t = 1, value_parser = at_least_one::<u32>, allow_negative_numbers = true)]
    every: u32,
    /// Number of episodes
    #[arg(long, default_value_t = 10, value_parser = at_least_one::<u32>, allow_negative_numbers = true)]
    episodes: u32,
    /// Seed of the first episode
    #[arg(long, default_value_t = 0, value_parser = seed, allow_negative_numbers = true)]
    seed: u64,
    /// Number of threads [default: all cores; the result does not depend on it]
    #[arg(long, value_parser = at_least_one::<u32>, allow_negative_numbers = true)]
    threads: Option<u32>,
    /// Write the actions of each episode to DIR/SEED.txt, for `farm replay`
    #[arg(long, value_name = "DIR")]
    record: Option<PathBuf>,
    /// Write a result file to DIR/GAME/plan.json or plan_known_future.json, for `farm results`; DIR is created if missing
    #[arg(long, value_name = "DIR")]
    results: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Arguments {
    fn settings(&self) -> PlanSettings {
        PlanSettings {
            method: match self.method {
                MethodName::Cem => Method::CrossEntropy,
                MethodName::Mcts => Method::Tree,
            },
            foresight: match self.future {
                FutureName::Drawn => Foresight::Drawn,
                FutureName::Known => Foresight::Known,
            },
            budget: self.budget as usize,
            horizon: self.horizon,
            depth: self.depth as usize,
            every: self.every as usize,
            seed: 0,
            threads: self.threads.map_or_else(cores, |threads| threads as usize),
        }
    }

    /// The name of the base policy.
    fn base_of(&self, game: &Game) -> String {
        let named = |name: &&str| game.spec().policies().contains_key(*name);
        let usual = || ["expert", "informed", "wait"].into_iter().find(named).unwrap_or(WAIT).to_owned();
        self.base.clone().unwrap_or_else(usual)
    }

    /// The name for the planned episodes.
    fn name(&self) -> &'static str {
        match self.future {
            FutureName::Drawn => "plan",
            FutureName::Known => "plan, future known",
        }
    }
}

/// Plans the episodes and prints their returns.
///
/// # Errors
/// Fails if the game or the base policy has problems, the budget is too small, the folder can't be written to, or the game fails in a step.
pub(crate) fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let game = arguments.game.open()?;
    let base_name = arguments.base_of(&game);
    // Errors in the policy are reported as for any other command.
    farm_games::policy(&game, &base_name)?;
    let base = policy_of(&game, &base_name)?;
    for folder in arguments.record.iter().chain(&arguments.results) {
        std::fs::create_dir_all(folder)
            .map_err(|error| anyhow::anyhow!("the folder {} can't be created: {error}", folder.display()))?;
    }
    let settings = arguments.settings();
    let seeds: Vec<u64> = (0..u64::from(arguments.episodes)).map(|i| arguments.seed.wrapping_add(i)).collect();
    let interrupts = Interrupts::note();
    let goes_on = || interrupts.signal().is_none();
    let report = |episode: &PlannedEpisode| {
        output::note(format!(
            "seed {}: {} in {} steps",
            episode.seed,
            format_number(episode.total),
            episode.schedules.len()
        ));
    };
    let begun = (results_files::taken_by_process(), Instant::now());
    let planned = play_planned(&game, &base, &settings, &seeds, &goes_on, &report)?;
    let taken = results_files::taken_by_process().zip(begun.0).map(|(after, before)| after.saturating_sub(before));
    let spent = taken.unwrap_or_else(|| u64::try_from(begun.1.elapsed().as_nanos()).unwrap_or(u64::MAX));
    let planned: Vec<PlannedEpisode> = planned.into_iter().flatten().collect();
    for episode in &planned {
        record(arguments, &game, episode)?;
    }
    if let Some(signal) = interrupts.signal().filter(|_| planned.len() < seeds.len()) {
        return Ok(signal.tell(planned.len() as u64, seeds.len() as u64, "episodes, which are not compared"));
    }
    let draws: Vec<Draw> = seeds.iter().map(|seed| Draw::Episode(*seed)).collect();
    let wait = Value::from(WAIT);
    let arena = Arena::new(&game, settings.threads);
    let mut others = arena.play(&[(&wait, &draws), (&base, &draws)])?.into_iter();
    let (of_wait, of_base) = (others.next().unwrap_or_default(), others.next().unwrap_or_default());
    let returns: Vec<f64> = planned.iter().map(|episode| episode.total).collect();
    let rows = [
        Row::new("wait", &of_wait, &of_base),
        Row::new(&base_name, &of_base, &of_base),
        Row::new(arguments.name(), &returns, &of_base),
    ];
    if let Some(folder) = &arguments.results {
        let (policy, kind) = match arguments.future {
            FutureName::Drawn => ("plan", "planned"),
            FutureName::Known => ("plan_known_future", "hindsight"),
        };
        let totals = planned.iter().map(|episode| episode.constraints.as_slice());
        let over_limit = results_files::over_limit(&game, totals);
        let evaluated = Evaluated { policy, kind, returns: &returns, over_limit, nanoseconds: spent };
        let written = results_files::write(folder, &game, &arguments.game, arguments.seed, [evaluated])?;
        output::note(format!("results: {}", written.join(", ")));
    }
    print(arguments, &game, &base_name, &planned, &rows)?;
    Ok(ExitCode::SUCCESS)
}

/// Writes an episode's actions.
fn record(arguments: &Arguments, game: &Game, episode: &PlannedEpisode) -> anyhow::Result<()> {
    let Some(folder) = &arguments.record else { return Ok(()) };
    let path = folder.join(format!("{}.txt", episode.seed));
    let known = if arguments.future == FutureName::Known { "# Planned with the future known.\n" } else { "" };
    let command =
        format!("# farm replay {} --seed {} --actions {}\n", arguments.game.words(), episode.seed, path.display());
    let lines = episode.schedules.iter().map(|schedule| line(game, schedule) + "\n");
    let text: String = [known.to_owned(), command].into_iter().chain(lines).collect();
    Ok(farm_output::save(&path, text.as_bytes())?)
}

/// A line in the table.
struct Row {
    name: String,
    mean: f64,
    sd: Option<f64>,
    interval: Option<Estimate>,
    paired: Option<Paired>,
}

impl Row {
    fn new(name: &str, returns: &[f64], base: &[f64]) -> Self {
        let bootstrap = Bootstrap::default();
        let mut summary = Summary::new();
        returns.iter().for_each(|total| summary.add(*total));
        Self {
            name: name.to_owned(),
            sd: summary.sd(),
            mean: Criterion::Mean.value(returns).unwrap_or_default(),
            interval: bootstrap.estimate(&Criterion::Mean, returns),
            paired: bootstrap.paired(&Criterion::Mean, returns, base),
        }
    }
}

fn print(
    arguments: &Arguments,
    game: &Game,
    base: &str,
    planned: &[PlannedEpisode],
    rows: &[Row],
) -> std::io::Result<()> {
    let mut out = output::stdout();
    let plans: usize = planned.iter().map(|episode| episode.plans.0).sum();
    let own: usize = planned.iter().map(|episode| episode.plans.1).sum();
    let trials: usize = planned.iter().map(|episode| episode.trials).sum();
    if arguments.json {
        let row = |row: &Row| {
            json!({
                "policy": row.name,
                "mean": row.mean,
                "low": row.interval.map(|interval| interval.low),
                "high": row.interval.map(|interval| interval.high),
                "difference": row.paired.map(|paired| paired.difference),
                "difference_low": row.paired.and_then(|paired| paired.interval).map(|interval| interval.low),
                "difference_high": row.paired.and_then(|paired| paired.interval).map(|interval| interval.high),
            })
        };
        let episode = |episode: &PlannedEpisode| json!({"seed": episode.seed, "return": episode.total, "steps": episode.schedules.len(), "trials": episode.trials});
        let shown = json!({
            "game": game.spec().name(),
            "fingerprint": format!("{:016x}", game.fingerprint()),
            "preset": arguments.game.preset(),
            "method": match arguments.method { MethodName::Cem => "cem", MethodName::Mcts => "mcts" },
            "future": match arguments.future { FutureName::Drawn => "drawn", FutureName::Known => "known" },
            "base": base,
            "budget": arguments.budget,
            "horizon": arguments.horizon,
            "depth": arguments.depth,
            "every": arguments.every,
            "seed": arguments.seed,
            "episodes": planned.iter().map(episode).collect::<Vec<_>>(),
            "plans": plans,
            "plans_other_than_base": own,
            "trials": trials,
            "policies": rows.iter().map(row).collect::<Vec<_>>(),
            "warnings": check::warnings_json(game),
        });
        output::write_json(&mut out, "plan", shown)?;
        return out.flush();
    }
    let last = arguments.seed.wrapping_add(u64::from(arguments.episodes - 1));
    writeln!(
        out,
        "{}{}: {} episodes, seeds {} … {last}",
        game.spec().name(),
        arguments.game.changes(),
        arguments.episodes,
        arguments.seed
    )?;
    let less = format!("Δ vs {base}");
    let mut table =
        TextTable::new(&["policy", "return mean", "95 % interval", &less, "95 % interval"]).right_aligned(1..5);
    let decimals = Decimals::of(rows.iter().filter_map(|row| row.sd));
    let range = |interval: Option<Estimate>| {
        interval.map_or("–".to_owned(), |e| format!("[{}, {}]", decimals.write(e.low), decimals.write(e.high)))
    };
    for row in rows {
        let paired = row.paired.filter(|_| row.name != base);
        table.row(vec![
            row.name.clone(),
            decimals.write(row.mean),
            range(row.interval),
            paired.map_or("–".to_owned(), |paired| decimals.write(paired.difference)),
            range(paired.and_then(|paired| paired.interval)),
        ]);
    }
    table.write(&mut out, "")?;
    writeln!(out, "{own} of {plans} plans differ from {base}; {trials} trials")?;
    if let Some(folder) = &arguments.record {
        writeln!(out, "actions: {}", folder.display())?;
    }
    out.flush()
}
