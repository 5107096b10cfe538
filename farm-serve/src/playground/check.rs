//! What is wrong with a game that is being edited, for the marks of the editor.

use farm_core::config::{Problem, Problems, Severity};
use serde::Serialize;

use super::choice::{Choice, EDITED, options, source};
use super::words::OnPage;
use crate::Games;

/// A problem, at its place.
#[derive(Debug, Serialize)]
pub(super) struct ToldProblem {
    code: String,
    severity: &'static str,
    /// What is wrong, what was found and expected, and the way out.
    text: String,
    /// The line and the column, where they are known, from 1 on.
    line: Option<usize>,
    column: Option<usize>,
}

/// A problem as the page shows it.
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

/// All of them.
pub(super) fn told_all(problems: &Problems) -> Vec<ToldProblem> {
    problems.0.iter().map(told).collect()
}

/// Everything that is wrong with a game, with its policies, and with each of its presets; and what was understood of it, in lines.
pub(super) fn check(games: &Games, choice: &Choice) -> (Problems, Vec<String>) {
    match source(games, choice).and_then(|source| Ok((source, options(choice)?))) {
        Ok((source, options)) => {
            let (game, problems) = source.check(&options);
            (problems, game.map(|game| source.read_back(&game)).unwrap_or_default())
        }
        Err(problems) => (problems, Vec::new()),
    }
}
