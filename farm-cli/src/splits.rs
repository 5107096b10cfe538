//! `farm eval --split`: policies on the levels that come with a game, against the best plan and against waiting.

use std::io::Write;
use std::process::ExitCode;

use farm_core::config::{Path, Problem, Problems};
use farm_core::{Game, Outcome};
use farm_games::level::{self, Split};
use farm_games::oracle::Planner;
use farm_games::{Options, open};
use serde_json::json;

use crate::arguments::GameArguments;
use crate::episode::{Buffers, play};
use crate::output::{self, Table, number};
use crate::policy::Choice;
use crate::summary::Summary;

/// What is to be compared.
pub struct Request<'a> {
    pub game: &'a GameArguments,
    pub split: Split,
    /// The policies; all that the game names if there is none.
    pub policies: &'a [String],
    /// Episodes on each level, and the seed of the first one.
    pub episodes: u32,
    pub seed: u64,
    pub json: bool,
}

/// What a policy earned on all levels.
struct Row {
    policy: String,
    returns: Summary,
    /// The return as a share of the best one.
    share: Summary,
    /// The same of what does not fall to anybody who waits.
    earned: Summary,
}

/// A level with what the two extremes earn on it.
struct World {
    game: Game,
    waiting: f64,
    best: f64,
}

/// Plays all levels with all policies and prints what they earned.
///
/// # Errors
/// A game without levels or planner; problems of a policy.
pub fn execute(request: &Request<'_>) -> anyhow::Result<ExitCode> {
    let levels = level::of_split(&request.game.game, request.split);
    if levels.is_empty() {
        let message = format!("`{}` comes without levels", request.game.game);
        let problem = Problem::new(Path::default(), message).value(request.split.name());
        return Err(Problems(vec![problem.help("without `--split` the worlds are drawn from seeds")]).into());
    }
    let mut worlds = Vec::new();
    for level in levels {
        let options = Options { level: Some(level), ..request.game.options()? };
        worlds.push(World::of(open(&request.game.game, &options)?)?);
    }
    let named: Vec<String> = worlds.iter().take(1).flat_map(|world| world.game.spec.policies.keys().cloned()).collect();
    let wanted = if request.policies.is_empty() { &named[..] } else { request.policies };
    let rows = wanted.iter().map(|policy| row(request, &worlds, policy)).collect::<anyhow::Result<Vec<_>>>()?;
    print(request, &worlds, &rows)?;
    Ok(ExitCode::SUCCESS)
}

impl World {
    fn of(game: Game) -> anyhow::Result<Self> {
        let planner = Planner::of(&game)?;
        let (mut state, mut record) = (game.new_state(), game.new_record());
        game.reset(&mut state, 0, &mut record);
        let best = planner.plan(&game, &state).value;
        let mut waiting = 0.0;
        loop {
            let outcome: Outcome = game.step(&mut state, game.catalogue.waiting(), &mut record)?;
            waiting += outcome.reward;
            if outcome.over() {
                return Ok(Self { game, waiting, best });
            }
        }
    }
}

fn row(request: &Request<'_>, worlds: &[World], policy: &str) -> anyhow::Result<Row> {
    let [mut returns, mut share, mut earned] = [Summary::new(); 3];
    for world in worlds {
        let choice = Choice::of(&world.game, Some(policy))?;
        let mut player = choice.player(&world.game)?;
        let mut buffers = Buffers::new(&world.game);
        for i in 0..request.episodes {
            let seed = request.seed.wrapping_add(u64::from(i));
            let total = play(&world.game, player.as_mut(), seed, &mut buffers, false, &mut |_| {})?.total;
            returns.add(total);
            // Where nothing can be earned there is no share of it.
            if world.best > 0.0 {
                share.add(total / world.best);
            }
            if world.best > world.waiting {
                earned.add((total - world.waiting) / (world.best - world.waiting));
            }
        }
    }
    Ok(Row { policy: policy.to_owned(), returns, share, earned })
}

fn print(request: &Request<'_>, worlds: &[World], rows: &[Row]) -> std::io::Result<()> {
    let mut out = output::stdout();
    let mean = |all: &mut dyn Iterator<Item = f64>| all.sum::<f64>() / worlds.len() as f64;
    let best = mean(&mut worlds.iter().map(|world| world.best));
    let waiting = mean(&mut worlds.iter().map(|world| world.waiting));
    let known = |summary: &Summary| (summary.n > 0).then_some(summary.mean);
    if request.json {
        let shown = |row: &Row| {
            json!({
                "policy": row.policy,
                "return": {"mean": row.returns.mean, "sd": row.returns.sd(), "min": row.returns.min, "max": row.returns.max},
                "of_best": known(&row.share),
                "of_best_beyond_waiting": known(&row.earned),
            })
        };
        let shown = json!({
            "game": request.game.game,
            "preset": request.game.preset,
            "split": request.split.name(),
            "levels": worlds.len(),
            "episodes": request.episodes,
            "seed": request.seed,
            "best": best,
            "waiting": waiting,
            "policies": rows.iter().map(shown).collect::<Vec<_>>(),
        });
        output::write_json(&mut out, &shown)?;
    } else {
        let preset = request.game.preset.as_ref().map_or(String::new(), |preset| format!(" ({preset})"));
        let (game, split) = (&request.game.game, request.split.name());
        writeln!(out, "{game}{preset}: {} {split} levels, {} episodes on each", worlds.len(), request.episodes)?;
        writeln!(out, "best plan {}, waiting {} on average", number(best), number(waiting))?;
        let header = ["policy", "return mean ± sd", "R / R_best", "(R − R_wait) / (R_best − R_wait)"];
        let mut table = Table::new(&header).right_aligned(1..header.len());
        let percent =
            |summary: &Summary| known(summary).map_or("–".to_owned(), |share| format!("{} %", number(100.0 * share)));
        for row in rows {
            let sd = row.returns.sd().map_or("–".to_owned(), number);
            let returns = format!("{} ± {sd}", number(row.returns.mean));
            table.row(vec![row.policy.clone(), returns, percent(&row.share), percent(&row.earned)]);
        }
        table.write(&mut out, "")?;
    }
    out.flush()
}
