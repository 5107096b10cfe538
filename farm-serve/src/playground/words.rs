//! Problems in the words of the page. A tool is an element of the page, or otherwise a program command for players who run the program
//! locally.

use farm_core::config::{CommandLine, FrontEnd, Problem, Problems, Severity, Tool};
use serde::Serialize;

/// The name that messages use for an edited game file.
pub(super) const EDITED: &str = "game.yaml";

/// The page as a front end.
struct OnPage;

impl FrontEnd for OnPage {
    fn words(&self, tool: &Tool) -> String {
        match tool {
            Tool::List(plural) if plural == "games" => "the list of games above".to_owned(),
            Tool::Describe(name) if name == "GAME" => "the tab \u{201c}Game file\u{201d}".to_owned(),
            Tool::GameText => "the tab \u{201c}Game file\u{201d}".to_owned(),
            Tool::List(_) | Tool::Describe(_) => "the completion of the editor (Ctrl Space)".to_owned(),
            Tool::AllowOutsideFiles | Tool::AllowPlugin(_) => {
                "play it with the program on your own machine; games on this page read no files and run no code"
                    .to_owned()
            }
            Tool::SetQuoted => "\"text\"".to_owned(),
            Tool::Preset(name) => format!("the preset {name}"),
            Tool::Change { path, .. } => format!("the change to {path}"),
            tool => format!("{}, in the program,", CommandLine("farm").words(tool)),
        }
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_names_what_it_has() {
        assert_eq!(Tool::list("games").and(" shows all").told_by(&OnPage), "the list of games above shows all");
        for tool in [Tool::list("entities"), Tool::describe("Soil"), Tool::describe("GAME"), Tool::GameText] {
            let told = tool.and(" shows it").told_by(&OnPage);
            assert!(!told.contains('`') && !told.contains("farm "), "{told}");
        }
        for tool in [Tool::AllowOutsideFiles, Tool::AllowPlugin("a.so".to_owned()), Tool::SetQuoted] {
            assert!(!tool.and("").told_by(&OnPage).contains("--"));
        }
    }
}
