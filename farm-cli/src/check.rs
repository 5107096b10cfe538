//! `farm check`: every problem of a game, of its presets and of its policies.

use std::io::Write;
use std::process::ExitCode;

use clap::Args;
use farm_core::Game;
use farm_core::config::{Problem, Problems, Severity};
use farm_games::Options;
use serde_json::{Value as Json, json};

use crate::output;

const EXAMPLES: &str = "\
EXAMPLES:
  farm check my_game.yaml         prints what is wrong, and where
  farm check games/*.yaml         several files in one go
  farm check GAME                 a game of the catalogue
  farm check my_game.yaml --json  the same for a program

The exit code is 1 when there is any error.";

/// Every problem of a game: file, line, column, value, expectation and remedy
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// YAML files, or games of the catalogue
    #[arg(required = true, value_name = "FILE.yaml")]
    files: Vec<String>,
    /// Prints JSON
    #[arg(long)]
    json: bool,
}

/// What was found out about one file.
struct Report {
    file: String,
    problems: Problems,
    /// The compiled game, without a preset.
    game: Option<Game>,
}

/// Prints the problems.
///
/// # Errors
/// A writer that fails; problems of the files are printed, not returned.
pub fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let reports: Vec<Report> = arguments.files.iter().map(|file| check(file)).collect();
    let mut out = output::stdout();
    if arguments.json {
        output::write_json(&mut out, &reports.iter().map(report_json).collect())?;
    } else {
        for report in &reports {
            write_report(&mut out, report)?;
        }
    }
    out.flush()?;
    let fails = reports.iter().any(|report| report.problems.has_errors());
    Ok(if fails { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn check(file: &str) -> Report {
    let mut report = Report { file: file.to_owned(), problems: Problems::default(), game: None };
    match farm_games::open(file, &Options::default()) {
        Ok(game) => {
            add(&mut report, game.warnings.clone(), None);
            check_policies(&mut report, &game, None);
            let presets: Vec<String> = game.spec.presets.keys().cloned().collect();
            report.game = Some(game);
            for preset in presets {
                match farm_games::open(file, &Options { preset: Some(preset.clone()), set: Vec::new() }) {
                    Ok(game) => {
                        add(&mut report, game.warnings.clone(), Some(&preset));
                        check_policies(&mut report, &game, Some(&preset));
                    }
                    Err(problems) => add(&mut report, problems, Some(&preset)),
                }
            }
        }
        Err(problems) => add(&mut report, problems, None),
    }
    report
}

/// Policies are built when they are asked for, so that only a player shows whether they fit the game.
fn check_policies(report: &mut Report, game: &Game, preset: Option<&str>) {
    let Ok(document) = farm_games::document(&report.file) else { return };
    for policy in game.spec.policies.keys() {
        if let Err(problems) = game.player(policy) {
            add(report, document.locate(problems), preset);
        }
    }
}

/// Notes problems; those of a preset say so, unless the game without it has the same ones.
fn add(report: &mut Report, problems: Problems, preset: Option<&str>) {
    for mut problem in problems.0 {
        let is_known = |known: &Problem| known.message == problem.message && known.path == problem.path;
        if report.problems.0.iter().any(is_known) {
            continue;
        }
        if let Some(preset) = preset {
            problem.message = format!("{} (with preset `{preset}`)", problem.message);
        }
        report.problems.push(problem);
    }
}

fn count(report: &Report, severity: Severity) -> usize {
    report.problems.0.iter().filter(|problem| problem.severity == severity).count()
}

/// Entities, actions of the flat list, and entries of the observation.
fn sizes(game: &Game) -> [(usize, &'static str, &'static str); 3] {
    let entities = game.parts.iter().filter(|part| part.field.is_some()).count();
    let (actions, observations) = (game.catalogue.discrete_len(), game.observation.entries.len());
    [(entities, "entity", "entities"), (actions, "action", "actions"), (observations, "observation", "observations")]
}

fn write_report(out: &mut impl Write, report: &Report) -> std::io::Result<()> {
    for problem in &report.problems.0 {
        writeln!(out, "{problem}\n")?;
    }
    let (errors, warnings) = (count(report, Severity::Error), count(report, Severity::Warning));
    match &report.game {
        Some(game) if errors == 0 => {
            let sizes = sizes(game).map(|(n, one, several)| counted(n, one, several)).join(", ");
            let warned =
                if warnings > 0 { format!(" ({})", counted(warnings, "warning", "warnings")) } else { String::new() };
            writeln!(out, "ok: {}: {sizes}{warned}", game.spec.name)
        }
        _ => {
            let (errors, warnings) = (counted(errors, "error", "errors"), counted(warnings, "warning", "warnings"));
            writeln!(out, "{}: {errors}, {warnings}", report.file)
        }
    }
}

fn counted(n: usize, one: &str, several: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { several })
}

fn report_json(report: &Report) -> Json {
    let mut json = json!({
        "file": report.file,
        "ok": !report.problems.has_errors(),
        "problems": report.problems.0.iter().map(problem_json).collect::<Vec<_>>(),
    });
    if let Some(game) = &report.game {
        json["name"] = json!(game.spec.name);
        for (n, _, what) in sizes(game) {
            json[what] = json!(n);
        }
    }
    json
}

fn problem_json(problem: &Problem) -> Json {
    let position = problem.location.as_ref().and_then(|location| location.position);
    json!({
        "severity": if problem.severity == Severity::Error { "error" } else { "warning" },
        "message": problem.message,
        "source": problem.location.as_ref().map(|location| &location.source),
        "line": position.map(|(line, _)| line),
        "column": position.map(|(_, column)| column),
        "path": problem.path.to_string(),
        "value": problem.value,
        "expected": problem.expected,
        "nearest": problem.nearest,
        "help": problem.help,
    })
}
