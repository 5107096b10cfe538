//! `farm eval --split`: policies on the game's levels, compared with the best plan and with waiting.

use std::io::Write;
use std::process::ExitCode;

use farm_core::action::Call;
use farm_core::config::{Path, Problem, Problems};
use farm_core::{Agent, Game, NoObserver, Observer, ObserverError, State, Transition};
use farm_games::families::MemberName;
use farm_games::farm_scoring::risk::{Bootstrap, Criterion, Estimate};
use farm_games::level::{self, Split};
use farm_games::{LevelError, Options, open};
use farm_oracle::Planner;
use farm_plot::Drawing;
use serde_json::json;

use crate::arguments::GameArguments;
use crate::episode::{Buffers, play};
use crate::interrupts::Interrupts;
use crate::output::{self, TextTable, format_number};
use crate::plot::PlotFile;
use crate::policy::Choice;
use crate::return_chart;
use crate::summary::{Decimals, Summary};

/// The requested comparison.
pub(crate) struct SplitRequest<'a> {
    pub game: &'a GameArguments,
    pub split: Split,
    /// The policies. An empty list means all of the game's policies.
    pub policies: &'a [String],
    /// For a policy that uses random numbers, the number of episodes per level (`episodes`) and the offset for all seeds (`seed`).
    pub episodes: u32,
    pub seed: u64,
    pub json: bool,
    /// The output file for the chart.
    pub plot: Option<&'a PlotFile>,
}

/// The distance between the first seeds of consecutive levels. This distance keeps a policy that uses random numbers from repeating its
/// choices on each level.
pub(crate) const SEEDS_OF_A_LEVEL: u64 = 1_000_000_000;

/// The number of levels used to test whether a policy uses random numbers.
const LOOKED_AT: usize = 3;

/// A policy's result over all levels.
struct SplitRow {
    policy: String,
    /// Whether its choices depend on the seed; unknown if there is only one episode.
    draws: Option<bool>,
    /// The number of episodes per level.
    episodes: u32,
    returns: Summary,
    /// All returns, by episode and then by level.
    all: Vec<f64>,
    /// The interval of the mean return over all levels. It is based on how this mean varies between runs over all levels.
    interval: Option<Estimate>,
    /// The return as a share of the best return.
    share: Share,
    /// The gain over waiting, as a share of the best gain.
    earned: Share,
}

/// A share: the mean over all levels where something can be gained. `None` if there are no such levels.
struct Share {
    mean: Option<f64>,
    interval: Option<Estimate>,
}

/// A level, with the returns of the best plan and of waiting.
struct SplitWorld {
    game: Game,
    waiting: f64,
    best: f64,
    /// Whether the best plan is proven optimal.
    is_proven: bool,
}

/// Plays all levels with all policies, and prints their returns.
///
/// # Errors
/// Fails if the game has no levels or no planner, if playing a plan does not confirm the plan's return, or if a policy has errors.
pub(crate) fn execute(request: &SplitRequest<'_>) -> anyhow::Result<ExitCode> {
    let levels = level::of_split(&request.game.game, request.split);
    if levels.is_empty() {
        return Err(no_levels(&request.game.game, request.split).into());
    }
    let mut worlds = Vec::new();
    for level in levels {
        let options = Options { level: Some(level), ..request.game.options()? };
        let located = |problems| farm_games::locate(&request.game.game, &options, problems);
        worlds.push(SplitWorld::of(open(&request.game.game, &options)?, located)?);
    }
    let named: Vec<String> =
        worlds.iter().take(1).flat_map(|world| world.game.spec().policies().keys().cloned()).collect();
    let wanted = if request.policies.is_empty() { &named[..] } else { request.policies };
    let rows = wanted.iter().map(|policy| row(request, &worlds, policy)).collect::<anyhow::Result<Vec<_>>>()?;
    let drawn = request.plot.map(|plot| plot.save(&draw(request, &worlds, &rows))).transpose();
    print(request, &worlds, &rows, drawn.as_ref().ok().copied().flatten())?;
    drawn?;
    Ok(ExitCode::SUCCESS)
}

/// The chart for `--plot`.
fn draw(request: &SplitRequest<'_>, worlds: &[SplitWorld], rows: &[SplitRow]) -> Drawing {
    let title = format!("{}: returns on {} {} levels", request.game.game, worlds.len(), request.split.name());
    let rows = rows.iter().map(|row| {
        (row.policy.as_str(), row.all.as_slice(), Some(return_chart::shown(row.returns.mean, row.interval)))
    });
    return_chart::of_levels(title, request.game.changes(), rows)
}

/// The error for a game without levels.
pub(crate) fn no_levels(game: &str, split: Split) -> Problems {
    let problem = Problem::new(LevelError::NoLevels, Path::default(), format!("`{game}` has no levels"));
    let help = match MemberName::parse(game) {
        Ok(member) => {
            let (family, split) = (member.family, split.name());
            format!(
                "`farm agents play {family}@tiers=1-9 --split {split}` plays the worlds of tiers; `{family}@rules={split}-7 --seed {split}/7` is one of them"
            )
        }
        Err(_) => "without `--split` the worlds are drawn from seeds".to_owned(),
    };
    Problems(vec![problem.value(split.name()).help(help)])
}

impl SplitWorld {
    fn of(game: Game, located: impl Fn(Problems) -> Problems) -> anyhow::Result<Self> {
        let planner = Planner::of(&game).map_err(&located)?;
        let (mut state, mut record) = (game.new_state(), game.new_record());
        game.reset(&mut state, 0, &mut record);
        let plan = planner.plan(&game, &state).map_err(&located)?;
        let (best, is_proven) = (plan.value, plan.is_proven());
        let waiting = farm_core::play(&game, &mut Waiting, 0, &mut NoObserver)?.total();
        Ok(Self { game, waiting, best, is_proven })
    }
}

/// Waits at every step.
struct Waiting;

impl Agent for Waiting {
    fn start(&mut self, _: u64) {}

    fn choose(&mut self, game: &Game, _: &State, schedule: &mut Vec<Call>) {
        schedule.extend_from_slice(game.catalogue().waiting());
    }
}

/// The actions chosen in an episode.
#[derive(Default)]
struct Choices(Vec<Call>);

impl Observer for Choices {
    fn after_step(&mut self, transition: &Transition<'_>) -> Result<(), ObserverError> {
        self.0.extend_from_slice(transition.schedule);
        Ok(())
    }
}

fn row(request: &SplitRequest<'_>, worlds: &[SplitWorld], policy: &str) -> anyhow::Result<SplitRow> {
    let mut players = Vec::new();
    for world in worlds {
        let player = Choice::of(&world.game, Some(policy))?.player(&world.game)?;
        players.push((player, Buffers::new(&world.game, Interrupts::default())));
    }
    // The return on a level, and the chosen actions.
    let mut played = |level: usize, episode: u32| -> anyhow::Result<(f64, Vec<Call>)> {
        let (player, buffers) = &mut players[level];
        let seed = SEEDS_OF_A_LEVEL.wrapping_mul(level as u64 + 1).wrapping_add(request.seed);
        let mut choices = Choices::default();
        let seed = seed.wrapping_add(u64::from(episode));
        let total = play(buffers, player.as_mut(), seed, &mut choices, &mut |_| {})?.total;
        Ok((total, choices.0))
    };
    let firsts = (0..worlds.len()).map(|level| played(level, 0)).collect::<anyhow::Result<Vec<_>>>()?;
    let mut draws = (request.episodes > 1).then_some(false);
    for (level, first) in firsts.iter().enumerate().take(LOOKED_AT) {
        if draws == Some(false) && played(level, 1)? != *first {
            draws = Some(true);
        }
    }
    let episodes = if draws == Some(true) { request.episodes } else { 1 };
    // By episode, then by level: each row is a run over all levels.
    let mut runs = vec![firsts.into_iter().map(|(total, _)| total).collect::<Vec<f64>>()];
    for episode in 1..episodes {
        let run = (0..worlds.len()).map(|level| Ok(played(level, episode)?.0));
        runs.push(run.collect::<anyhow::Result<_>>()?);
    }
    let mut returns = Summary::new();
    let all: Vec<f64> = runs.concat();
    all.iter().for_each(|total| returns.add(*total));
    let above = |floor: fn(&SplitWorld) -> f64| {
        let share = |(world, total): (&SplitWorld, &f64)| {
            let most = world.best - floor(world);
            // Levels without anything to gain have no share.
            (most > 0.0).then(|| (total - floor(world)) / most)
        };
        let of_run = |run: &Vec<f64>| -> Option<f64> { mean(worlds.iter().zip(run).filter_map(share)) };
        let shares: Vec<f64> = runs.iter().filter_map(of_run).collect();
        Share { mean: mean(shares.iter().copied()), interval: interval(request, &shares) }
    };
    Ok(SplitRow {
        policy: policy.to_owned(),
        draws,
        episodes,
        interval: interval(request, &runs.iter().filter_map(|run| mean(run.iter().copied())).collect::<Vec<_>>()),
        share: above(|_| 0.0),
        earned: above(|world| world.waiting),
        returns,
        all,
    })
}

/// The interval of the mean over runs. `None` for a single run.
fn interval(request: &SplitRequest<'_>, runs: &[f64]) -> Option<Estimate> {
    Bootstrap { seed: request.seed, ..Bootstrap::default() }.estimate(&Criterion::Mean, runs)
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let mut summary = Summary::new();
    values.for_each(|value| summary.add(value));
    (summary.n > 0).then_some(summary.mean)
}

fn print(
    request: &SplitRequest<'_>,
    worlds: &[SplitWorld],
    rows: &[SplitRow],
    plot: Option<&std::path::Path>,
) -> std::io::Result<()> {
    let mut out = output::stdout();
    let best = mean(worlds.iter().map(|world| world.best)).unwrap_or_default();
    let waiting = mean(worlds.iter().map(|world| world.waiting)).unwrap_or_default();
    let proven = worlds.iter().filter(|world| world.is_proven).count();
    if request.json {
        let ends = |interval: &Option<Estimate>| interval.map(|estimate| [estimate.low, estimate.high]);
        let shown = |row: &SplitRow| {
            let no_interval = match row.draws {
                Some(true) => None,
                Some(false) => Some("the policy does not draw: its return on these levels is exact"),
                None => Some("1 episode; at least 2 needed for an interval"),
            };
            json!({
                "policy": row.policy,
                "draws": row.draws,
                "episodes": row.episodes,
                "return": {
                    "mean": row.returns.mean, "sd": row.returns.sd(), "min": row.returns.min, "max": row.returns.max,
                    "interval": ends(&row.interval),
                },
                "of_best": row.share.mean,
                "of_best_interval": ends(&row.share.interval),
                "of_best_beyond_waiting": row.earned.mean,
                "of_best_beyond_waiting_interval": ends(&row.earned.interval),
                "no_interval": no_interval,
            })
        };
        let shown = json!({
            "game": request.game.game,
            "preset": request.game.preset(),
            "split": request.split.name(),
            "levels": worlds.len(),
            "episodes": request.episodes,
            "seed": request.seed,
            "seeds_of_a_level": SEEDS_OF_A_LEVEL,
            "confidence": Bootstrap::default().confidence,
            "best": best,
            "proven": proven == worlds.len(),
            "waiting": waiting,
            "plot": plot.map(|file| file.display().to_string()),
            "policies": rows.iter().map(shown).collect::<Vec<_>>(),
        });
        output::write_json(&mut out, "splits", shown)?;
    } else {
        let preset = request.game.preset().as_ref().map_or(String::new(), |preset| format!(" ({preset})"));
        let (game, split) = (&request.game.game, request.split.name());
        writeln!(out, "{game}{preset}: {} {split} levels", worlds.len())?;
        let unproven = if proven == worlds.len() { String::new() } else { format!(" (proven on {proven} levels)") };
        let decimals = Decimals::of(rows.iter().filter_map(|row| row.returns.sd()));
        writeln!(out, "best plan {}{unproven}, waiting {} on average", decimals.write(best), decimals.write(waiting))?;
        let interval = format!("{} % interval", format_number(100.0 * Bootstrap::default().confidence));
        let shares = ["R / R_best", "(R − R_wait) / (R_best − R_wait)"];
        let header = ["policy", "episodes", "return mean ± sd", &interval, shares[0], &interval, shares[1], &interval];
        let mut table = TextTable::new(&header).right_aligned(1..header.len());
        let ends = |interval: &Option<Estimate>, written: &dyn Fn(f64) -> String| {
            interval.map_or("–".to_owned(), |e| format!("[{}, {}]", written(e.low), written(e.high)))
        };
        let percent = |share: &Share| {
            let written = |share: f64| format!("{:.1}", 100.0 * share);
            let mean = share.mean.map_or("–".to_owned(), |share| format!("{} %", written(share)));
            [mean, ends(&share.interval, &written)]
        };
        for row in rows {
            let written = |value: f64| decimals.write(value);
            let returns = decimals.mean_and_sd(&row.returns);
            let cells = [row.policy.clone(), row.episodes.to_string(), returns, ends(&row.interval, &written)];
            table.row(cells.into_iter().chain(percent(&row.share)).chain(percent(&row.earned)).collect());
        }
        table.write(&mut out, "")?;
        writeln!(out, "A policy that does not draw plays one episode per level and needs no interval.")?;
        if let Some(file) = plot {
            writeln!(out, "plot: {}", file.display())?;
        }
    }
    out.flush()
}
