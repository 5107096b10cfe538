//! `farm check`: reports every problem with a game, its presets and its policies.

use std::io::Write;
use std::process::ExitCode;

use clap::Args;
use farm_core::Game;
use farm_core::config::{Problem, Problems, Severity};
use farm_games::{GameDocument, Options};
use farm_reference_format::{Fate, Note};
use serde_json::{Value as Json, json};

use crate::arguments::{are_outside_files_allowed, are_plugins_allowed, consent, preset_of};
use crate::diagnostics::Look;
use crate::invocation;
use crate::output::{self, Escaped, TextTable};

const EXAMPLES: &str = "\
Examples:
  farm check my_game.yaml         prints every mistake with its line
  farm check games/*.yaml         several files
  farm check GAME                 a game of the list
  farm check GAME --level w.yaml  the game with a level
  farm check my_game.yaml --json  for programs
  farm check --explain game.yaml  a game of the Farm-gym reference: how each name is read

Each policy of the game, a random policy and a waiting policy play 3 seasons, for at most 1 s. After `ok`, the program prints how it reads
the game. The exit code is 1 if there is an error. Warnings do not change it. `farm explain CODE` explains a code.";

/// Check game files and report every mistake
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// YAML files, or names from `farm list games`
    #[arg(required = true, value_name = "FILE.yaml")]
    files: Vec<String>,
    /// Check only this variant. Repeatable, applied in order
    #[arg(long = "preset", value_name = "PRESET")]
    presets: Vec<String>,
    /// Also check this level of the game
    #[arg(long, value_name = "FILE.yaml|NAME")]
    level: Option<String>,
    /// For files in the format of the Farm-gym reference: print how each name is read, and the default of each missing name
    #[arg(long)]
    explain: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The result for one file.
struct CheckReport {
    file: String,
    problems: Problems,
    /// The compiled game, without a preset.
    game: Option<Game>,
    /// How the program reads the game, one line per item.
    understood: Vec<String>,
    /// How the names in a translated file are read. `None` for files that are not translated.
    notes: Option<Vec<Note>>,
    /// Whether `--explain` has nothing to explain, because the file was not translated.
    needs_no_notes: bool,
}

/// Prints the problems.
///
/// # Errors
/// Fails if the output can't be written. Problems in the files are printed, not returned.
pub(crate) fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let reports: Vec<CheckReport> = arguments.files.iter().map(|file| check(file, arguments)).collect();
    let fails = reports.iter().any(|report| report.problems.has_errors());
    let mut out = output::stdout();
    if arguments.json {
        output::write_json(&mut out, "check", json!({"files": reports.iter().map(report_json).collect::<Vec<_>>()}))?;
    } else {
        for report in &reports {
            write_report(&mut out, report)?;
        }
        if fails {
            writeln!(out, "`{} explain CODE` explains a code in brackets", invocation::name())?;
        }
    }
    out.flush()?;
    Ok(if fails { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn check(file: &str, arguments: &Arguments) -> CheckReport {
    let mut report = CheckReport {
        file: file.to_owned(),
        problems: Problems::default(),
        game: None,
        understood: Vec::new(),
        notes: None,
        needs_no_notes: false,
    };
    let level = arguments.level.as_deref().map(|level| farm_games::level::find(file, level)).transpose();
    let level = level.unwrap_or_else(|problems| {
        report.problems = problems;
        None
    });
    // Read only once, because a pipe gives its text once.
    let document = match GameDocument::read(file, consent()) {
        Ok(document) => document,
        Err(problems) => {
            report.problems.0.extend(problems.0);
            return report;
        }
    };
    if arguments.explain {
        report.notes = document.notes();
        report.needs_no_notes = report.notes.is_none();
    }
    let (game, problems) = document.check(&Options {
        preset: preset_of(&arguments.presets),
        level,
        allow_plugins: are_plugins_allowed(),
        allow_outside_files: are_outside_files_allowed(),
        ..Default::default()
    });
    report.problems.0.extend(problems.0);
    report.understood = game.as_ref().map(|game| document.read_back(game)).unwrap_or_default();
    report.game = game;
    report
}

fn count(report: &CheckReport, severity: Severity) -> usize {
    report.problems.0.iter().filter(|problem| problem.severity == severity).count()
}

/// The numbers of entities, actions in the flat list, and entries in the observation.
fn sizes(game: &Game) -> [(usize, &'static str); 3] {
    let entities = game.parts().iter().filter(|part| part.field().is_some()).count();
    let (actions, observations) = (game.catalogue().discrete_len(), game.observation().entries().len());
    [(entities, "entity"), (actions, "action"), (observations, "observation")]
}

/// Writes how the names in a translated file are read.
fn write_notes(out: &mut impl Write, notes: &[Note]) -> std::io::Result<()> {
    let mut table = TextTable::new(&["written", "read as", "why", "where"]);
    for note in notes {
        let read_as = match note.fate {
            Fate::LeftOut => "(left out)".to_owned(),
            Fate::Defaulted => format!("{} (default)", note.to),
            Fate::Mapped | Fate::Replaced => output::shorten(&note.to, 60),
        };
        let more = if note.more > 0 { format!(" and {} more", note.more) } else { String::new() };
        let place = note.location.as_ref().map(|location| format!("{location}{more}")).unwrap_or_default();
        table.row(vec![output::shorten(&note.from, 60), read_as, note.why.clone(), place]);
    }
    table.write(out, "")?;
    writeln!(out)
}

fn note_json(note: &Note) -> Json {
    json!({
        "fate": match note.fate {
            Fate::Mapped => "mapped",
            Fate::Defaulted => "defaulted",
            Fate::LeftOut => "left out",
            Fate::Replaced => "replaced",
        },
        "written": note.from,
        "read_as": note.to,
        "why": note.why,
        "source": note.location.as_ref().map(|location| &location.source),
        "line": note.location.as_ref().and_then(|location| location.position).map(|(line, _)| line),
        "more_places": note.more,
    })
}

fn write_report(out: &mut Escaped<impl Write>, report: &CheckReport) -> std::io::Result<()> {
    if let Some(notes) = &report.notes {
        write_notes(out, notes)?;
    }
    if report.needs_no_notes {
        let file = &report.file;
        writeln!(
            out,
            "nothing to explain: {file} is not in the format of the Farm-gym reference, so no name is translated\n"
        )?;
    }
    let look = Look::of_stdout();
    for problem in &report.problems.0 {
        out.styled_line(&look.problem(problem))?;
        writeln!(out)?;
    }
    let (errors, warnings) = (count(report, Severity::Error), count(report, Severity::Warning));
    match &report.game {
        Some(game) if errors == 0 => {
            let sizes = sizes(game).map(|(n, what)| counted(n, what)).join(", ");
            let warned = if warnings > 0 { format!(" ({})", counted(warnings, "warning")) } else { String::new() };
            writeln!(out, "ok: {}: {sizes}{warned}", game.spec().name())?;
            report.understood.iter().try_for_each(|line| writeln!(out, "  {line}"))
        }
        _ => {
            let (errors, warnings) = (counted(errors, "error"), counted(warnings, "warning"));
            writeln!(out, "{}: {errors}, {warnings}", report.file)
        }
    }
}

fn counted(n: usize, what: &str) -> String {
    output::plural(n as u64, what)
}

fn report_json(report: &CheckReport) -> Json {
    let mut json = json!({
        "file": report.file,
        "ok": !report.problems.has_errors(),
        "problems": report.problems.0.iter().map(problem_json).collect::<Vec<_>>(),
    });
    if let Some(notes) = &report.notes {
        json["names"] = notes.iter().map(note_json).collect();
    }
    if report.needs_no_notes {
        json["names"] = json!([]);
    }
    if let Some(game) = &report.game {
        json["name"] = json!(game.spec().name());
        json["understood"] = json!(report.understood);
        json["read"] = game.notes().map(|(part, note)| json!({"part": part, "note": note})).collect();
        for (n, what) in sizes(game) {
            json[farm_core::inspect::plural(what)] = json!(n);
        }
    }
    json
}

/// A game's warnings, for programs that read the game's results.
pub(crate) fn warnings_json(game: &Game) -> Json {
    game.warnings().0.iter().map(problem_json).collect()
}

fn problem_json(problem: &Problem) -> Json {
    let position = problem.location.as_ref().and_then(|location| location.position);
    json!({
        "code": problem.code.name(),
        "severity": if problem.severity == Severity::Error { "error" } else { "warning" },
        "message": problem.message,
        "source": problem.location.as_ref().map(|location| &location.source),
        "line": position.map(|(line, _)| line),
        "column": position.map(|(_, column)| column),
        "path": problem.path.to_string(),
        "value": problem.value,
        "expected": problem.expected.as_ref().map(invocation::phrased),
        "nearest": problem.nearest,
        "help": problem.help.as_ref().map(invocation::phrased),
    })
}
