//! `farm explain`: explains an error code with an example.

use std::io::Write;
use std::process::ExitCode;

use clap::Args;
use farm_core::config::{Code, CodeArea, NameError, Path, Phrase, Problem, Problems, code, code_areas};
use farm_games::error_examples::{Example, Shown, example};
use serde_json::{Value as Json, json};

use crate::diagnostics::Look;
use crate::invocation;
use crate::output::{self, Escaped, TextTable};

const EXAMPLES: &str = "\
Examples:
  farm explain                    all codes, by area
  farm explain unknown-parameter  the error, its cause, a wrong and a right file
  farm explain --json             for programs

Errors are printed with their code: `error[unknown-parameter]: …`.";

/// Explain an error code with an example
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Code of an error [default: list all codes]
    code: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Prints the explanation.
///
/// # Errors
/// Fails if the code is unknown or the output can't be written.
pub(crate) fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let mut out = output::stdout();
    match &arguments.code {
        Some(name) => {
            let code = code(name.trim()).ok_or_else(|| unknown(name))?;
            match arguments.json {
                true => output::write_json(&mut out, "code", code_json(code))?,
                false => write_code(&mut out, code)?,
            }
        }
        None if arguments.json => output::write_json(
            &mut out,
            "codes",
            json!({"areas": code_areas().into_iter().map(area_json).collect::<Vec<_>>()}),
        )?,
        None => write_areas(&mut out)?,
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// The error for an undeclared code. It suggests the nearest code instead of listing all codes.
fn unknown(name: &str) -> Problems {
    let names: Vec<&str> = code_areas().iter().flat_map(|area| area.codes()).map(|info| info.name()).collect();
    let message = format!("unknown error code `{name}`");
    let problem = Problem::new(NameError::UnknownName, Path::default(), message).value(name);
    let problem = problem.among(name, names);
    Problems(vec![Problem {
        expected: Some(Phrase::from("a code from an error message, `error[CODE]: …`")),
        ..problem.help(format!("`{} explain` lists all codes", invocation::name()))
    }])
}

fn write_areas(out: &mut impl Write) -> std::io::Result<()> {
    for (i, area) in code_areas().into_iter().enumerate() {
        writeln!(out, "{}{}: {}", if i > 0 { "\n" } else { "" }, area.name(), area.doc().trim())?;
        let mut table = TextTable::new(&[]);
        for info in area.codes() {
            table.row(vec![info.name().to_owned(), info.sentence()]);
        }
        table.write(out, "  ")?;
    }
    Ok(())
}

fn write_code(out: &mut Escaped<impl Write>, code: Code) -> std::io::Result<()> {
    writeln!(out, "{code}\n\n{}", code.sentence())?;
    if !code.reason().is_empty() {
        writeln!(out, "{}", code.reason())?;
    }
    match example(code) {
        Some(Example::Shown(shown)) => {
            writeln!(out, "\nWrong, {}:\n\n{}", shown.form.name(), indented(&shown.wrong))?;
            if let Some(problem) = told(&shown, code, &Look::of_stdout()) {
                writeln!(out)?;
                out.styled_line(&problem)?;
            }
            writeln!(out, "\nRight:\n\n{}", indented(&shown.right))
        }
        Some(Example::None(reason)) => writeln!(out, "\nNo example: {}", lowered(&reason)),
        None => Ok(()),
    }
}

/// The error that the wrong example produces.
fn told(shown: &Shown, code: Code, look: &Look) -> Option<String> {
    let problem = shown.problems_of_wrong().0.into_iter().find(|problem| problem.is(code))?;
    Some(look.problem(&problem))
}

fn indented(text: &str) -> String {
    let lines = text.lines().map(|line| if line.is_empty() { String::new() } else { format!("    {line}") });
    lines.collect::<Vec<_>>().join("\n")
}

/// A sentence with its first letter in lower case, for use after a colon.
fn lowered(sentence: &str) -> String {
    let mut letters = sentence.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

fn area_json(area: &CodeArea) -> Json {
    let codes =
        area.codes().iter().map(|info| json!({"code": info.name(), "doc": info.sentence(), "reason": info.reason()}));
    json!({"area": area.name(), "doc": area.doc().trim(), "codes": codes.collect::<Vec<_>>()})
}

fn code_json(code: Code) -> Json {
    let mut json = json!({"code": code.name(), "doc": code.sentence(), "reason": code.reason()});
    match example(code) {
        Some(Example::Shown(shown)) => {
            json["example"] = json!({
                "form": shown.form.name(),
                "wrong": shown.wrong,
                "told": told(&shown, code, &Look::PLAIN),
                "right": shown.right,
            });
        }
        Some(Example::None(reason)) => json["no_example"] = json!(reason),
        None => {}
    }
    json
}
