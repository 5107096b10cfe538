//! `farm oracle`: the best plan for a world, and its distance from the optimum.

use std::io::Write;
use std::path::{Path as FilePath, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Context;
use clap::Args;
use farm_core::Game;
use farm_core::action::Call;
use farm_oracle::{Plan, Planner, Step};
use farm_output::OutputError;
use serde_json::json;

use crate::arguments::SeededGame;
use crate::output::{self, format_number};
use crate::{check, targets};

const EXAMPLES: &str = "\
Examples:
  farm oracle GAME --seed 7                        the best plan for the world of a seed
  farm oracle GAME --level world.yaml              for a level file, or a level of the game such as test/03
  farm oracle GAME --level world.yaml --plan best.txt
  farm replay GAME --level world.yaml --actions best.txt

`value` is the return of the plan, `bound` the maximum return of any plan. If they are equal, the plan is proven optimal. The plan is
played in the game before it is printed. Rules that the planner does not support are rejected, with their location.";

/// Find the best plan of a world, with full knowledge
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    world: SeededGame,
    /// Write the actions to a file, one per line, for `farm replay`
    #[arg(long, value_name = "FILE")]
    plan: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Computes the plan and prints it.
///
/// # Errors
/// Fails if the game has errors or no planner supports it, or if the output can't be written.
pub(crate) fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    targets::check_distinct(&[arguments.world.game.file(), ("--plan", arguments.plan.clone())])?;
    let (game, seed) = arguments.world.open()?;
    let options = arguments.world.game.options()?;
    let located = |problems| farm_games::locate(&arguments.world.game.game, &options, problems);
    let planner = Planner::of(&game).map_err(located)?;
    if let Some(path) = &arguments.plan {
        farm_output::check_target(path)?;
    }
    let (mut state, mut record) = (game.new_state(), game.new_record());
    game.reset(&mut state, seed, &mut record);
    let start = Instant::now();
    let plan = planner.plan(&game, &state).map_err(located)?;
    let seconds = start.elapsed().as_secs_f64();
    let lines: Vec<String> = plan.actions.iter().map(|step| line(&game, planner.calls(*step))).collect();
    if let Some(path) = &arguments.plan {
        save(path, &lines).with_context(|| format!("the plan can't be written to {}", path.display()))?;
    }
    print(arguments, (&game, seed), &plan, &lines, seconds)?;
    Ok(ExitCode::SUCCESS)
}

/// A step in the form that `farm replay` reads.
pub(crate) fn line(game: &Game, calls: &[Call]) -> String {
    match calls {
        [call] => match game.catalogue().to_json(call) {
            serde_json::Value::String(name) => name,
            json => json.to_string(),
        },
        calls => calls.iter().map(|call| game.catalogue().to_json(call)).collect::<serde_json::Value>().to_string(),
    }
}

fn save(path: &FilePath, lines: &[String]) -> Result<(), OutputError> {
    farm_output::save(path, lines.iter().map(|line| format!("{line}\n")).collect::<String>().as_bytes())
}

fn print(
    arguments: &Arguments,
    (game, seed): (&Game, u64),
    plan: &Plan<Step>,
    lines: &[String],
    seconds: f64,
) -> std::io::Result<()> {
    let mut out = output::stdout();
    if arguments.json {
        let shown = json!({
            "game": game.spec().name(),
            "preset": arguments.world.game.preset(),
            "level": arguments.world.game.level,
            "seed": seed,
            "plan": lines,
            "value": plan.value,
            // An infinite bound (no bound known) becomes null.
            "bound": plan.bound,
            "gap": plan.gap(),
            "proven": plan.is_proven(),
            "seconds": seconds,
            "file": arguments.plan.as_ref().map(|file| file.display().to_string()),
            "warnings": check::warnings_json(game),
        });
        output::write_json(&mut out, "oracle", shown)?;
    } else {
        writeln!(out, "plan:  {}", lines.join(" "))?;
        writeln!(out, "value: {}", format_number(plan.value))?;
        writeln!(out, "bound: {}", format_number(plan.bound))?;
        let proven = if plan.is_proven() { " (proven optimal)" } else { "" };
        writeln!(out, "gap:   {}{proven}", format_number(plan.gap()))?;
        writeln!(out, "time:  {seconds:.3} s")?;
        if let Some(file) = &arguments.plan {
            writeln!(out, "file:  {}", file.display())?;
        }
    }
    out.flush()
}
