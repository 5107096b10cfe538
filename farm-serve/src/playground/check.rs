//! Problems in an edited game, shown as marks in the editor.

use farm_core::config::{Problem, Problems, Severity};
use serde::Serialize;

use super::choice::{Choice, EDITED, options, source};
use super::words::OnPage;
use crate::Games;

/// A problem with its location.
#[derive(Debug, Serialize)]
pub(super) struct ToldProblem {
    code: String,
    severity: &'static str,
    /// The message, the found and expected values, and the fix.
    text: String,
    /// The line and the column, from 1, if known.
    line: Option<usize>,
    column: Option<usize>,
}

/// Converts a problem for the page.
pub(super) fn told(problem: &Problem) -> ToldProblem {
    let mut text = problem.message.clone();
    if let Some(value) = &problem.value {
        text += &format!("\nfound: {value}");
    }
    if let Some(expected) = &problem.expected {
        text += &format!("\nexpected: {}", expected.told_by(&OnPage));
    }
    if let Some(nearest) = &problem.nearest {
        text += &format!("\ndid you mean `{nearest}`?");
    }
    if let Some(help) = &problem.help {
        text += &format!("\nhelp: {}", help.told_by(&OnPage));
    }
    let own = problem.location.as_ref().filter(|location| location.source == EDITED);
    let position = own.and_then(|location| location.position);
    if let (None, Some(location)) = (own, &problem.location) {
        text += &format!("\nin {}", location.told_by(&OnPage));
    }
    ToldProblem {
        code: problem.code.name().to_owned(),
        severity: if problem.severity == Severity::Error { "error" } else { "warning" },
        text,
        line: position.map(|(line, _)| line),
        column: position.map(|(_, column)| column),
    }
}

/// Converts all problems for the page.
pub(super) fn told_all(problems: &Problems) -> Vec<ToldProblem> {
    problems.0.iter().map(told).collect()
}

/// Checks a game, its policies and each of its presets. Returns the problems, and lines that describe the parsed game.
pub(super) fn check(games: &Games, choice: &Choice) -> (Problems, Vec<String>) {
    match source(games, choice).and_then(|source| Ok((source, options(choice)?))) {
        Ok((source, options)) => {
            let (game, problems) = source.check(&options);
            (problems, game.map(|game| source.read_back(&game)).unwrap_or_default())
        }
        Err(problems) => (problems, Vec::new()),
    }
}
