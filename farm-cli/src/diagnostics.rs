//! Formats problems for people. Each problem shows the message, the line in the file with the value marked, and the fix.

use std::io::{self, IsTerminal};
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Message, Origin, Renderer, Snippet, Title};
use anstream::{AutoStream, ColorChoice};
use farm_core::config::{Excerpt, Location, Problem, Problems, Severity};
use farm_core::inspect::{escape_controls, escape_line};

use crate::invocation;
use crate::wrapping::{terminal_columns, wrapped};

/// The maximum length of a printed line, in bytes. A longer line is a table or a file without line breaks.
const LONGEST_LINE: usize = 64 * 1024;

/// The colours and the width for printing problems.
pub(crate) struct Look {
    renderer: Renderer,
    /// The width for line breaks. `None` if a program reads the output.
    columns: Option<usize>,
}

impl Look {
    /// For text that is stored or sent.
    pub(crate) const PLAIN: Self = Self { renderer: Renderer::plain(), columns: None };

    /// For standard error.
    pub(crate) fn of_stderr() -> Self {
        let stream = io::stderr();
        Self::of(AutoStream::choice(&stream), stream.is_terminal())
    }

    /// For standard output.
    pub(crate) fn of_stdout() -> Self {
        let stream = io::stdout();
        Self::of(AutoStream::choice(&stream), stream.is_terminal())
    }

    fn of(choice: ColorChoice, is_terminal: bool) -> Self {
        let renderer = if choice == ColorChoice::Never { Renderer::plain() } else { Renderer::styled() };
        match terminal_columns().filter(|_| is_terminal) {
            Some(columns) => Self { renderer: renderer.term_width(columns), columns: Some(columns) },
            None => Self { renderer, ..Self::PLAIN },
        }
    }

    /// Formats problems, with an empty line between them.
    pub(crate) fn problems(&self, problems: &Problems) -> String {
        problems.0.iter().map(|problem| self.problem(problem)).collect::<Vec<_>>().join("\n\n")
    }

    /// Formats a problem: its code and message, the location, and the fix.
    pub(crate) fn problem(&self, problem: &Problem) -> String {
        let level = match problem.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        // The level and the code precede the message.
        let before = "warning[]: ".len() + problem.code.name().len();
        let title = level.primary_title(self.divided(&problem.message, before)).id(problem.code.name());
        let excerpt =
            problem.location.as_ref().and_then(Location::excerpt).filter(|it| it.line().len() <= LONGEST_LINE);
        let group = placed(title, problem.location.as_ref(), excerpt);
        self.renderer.render(&[group.elements(self.notes(problem, excerpt))])
    }

    /// Formats an error without a code.
    pub(crate) fn error(&self, message: &str) -> String {
        let title = Level::ERROR.primary_title(self.divided(message, "error: ".len()));
        self.renderer.render(&[Group::with_title(title)])
    }

    /// The notes below the line: the path in the configuration, the found value, the expected value and the fix.
    fn notes<'p>(&self, problem: &'p Problem, excerpt: Option<&Excerpt>) -> Vec<Message<'p>> {
        let note = |name: &'static str, text: &str| {
            let before = "12345 = : ".len() + name.len();
            Level::NOTE.with_name(Some(name)).message(self.divided(text, before))
        };
        let path = (!problem.path.0.is_empty()).then(|| note("at", &escape_line(&problem.path.to_string())));
        // The marked value need not be repeated.
        let is_marked = |value: &&String| excerpt.is_some_and(|excerpt| excerpt.marked_text() == **value);
        let found = problem.value.as_ref().filter(|value| !is_marked(value));
        let found = found.map(|value| note("found", &escape_line(value)));
        let expected = problem.expected.as_ref().map(|expected| note("expected", &invocation::phrased(expected)));
        let nearest = problem.nearest.as_ref();
        let nearest =
            nearest.map(|name| Level::NOTE.no_name().message(format!("did you mean `{}`?", escape_line(name))));
        let help = problem
            .help
            .as_ref()
            .map(|help| Level::HELP.message(self.divided(&invocation::phrased(help), "12345 = help: ".len())));
        [path, found, expected, nearest, help].into_iter().flatten().collect()
    }

    /// Breaks text into lines that fit after `before` characters, and makes control characters visible.
    fn divided(&self, text: &str, before: usize) -> String {
        let text = escape_controls(text);
        let most = self.columns.map_or(usize::MAX, |columns| columns.saturating_sub(before).max(NARROWEST));
        text.lines().flat_map(|line| wrapped(line, most)).collect::<Vec<_>>().join("\n")
    }
}

/// The minimum width of a sentence, in characters.
const NARROWEST: usize = 30;

/// The title, with its location and the line at that location.
fn placed<'p>(title: Title<'p>, location: Option<&'p Location>, excerpt: Option<&'p Excerpt>) -> Group<'p> {
    let Some(location) = location else { return Group::with_title(title) };
    let source = escape_line(&location.source);
    match (location.position, excerpt) {
        (Some((line, _)), Some(excerpt)) => {
            let (line_text, marked) = visible(excerpt);
            let marked = AnnotationKind::Primary.span(marked);
            title.element(Snippet::source(line_text).line_start(line).path(source).annotation(marked))
        }
        (Some((line, column)), None) => title.element(Origin::path(source).line(line).char_column(column)),
        (None, _) => title.element(Origin::path(source)),
    }
}

/// The line with visible control characters, and the byte range to mark in it.
fn visible(excerpt: &Excerpt) -> (String, Range<usize>) {
    let (line, marked) = (excerpt.line(), excerpt.marked());
    let [before, piece, behind] =
        [&line[..marked.start], excerpt.marked_text(), &line[marked.end..]].map(escape_controls);
    let span = before.len()..before.len() + piece.len();
    (format!("{before}{piece}{behind}"), span)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use farm_core::config::{NameError, Path};

    use super::*;

    const NARROW: Look = Look { renderer: Renderer::plain().term_width(60), columns: Some(60) };

    /// A problem that is located at the text between `«` and `»`.
    fn problem(text: &str, value: &str) -> Problem {
        let (line, column) = (1, text.chars().take_while(|c| *c != '«').count() + 1);
        let length = text.chars().skip_while(|c| *c != '«').skip(1).take_while(|c| *c != '»').count();
        let text: Arc<str> = text.replace(['«', '»'], "").into();
        let excerpt = Excerpt::new(&text, (line, column), Some((line, column + length)), "");
        let problem = Problem::new(NameError::UnknownName, Path::default().child("a").child(2), "this is wrong");
        let location = Location::new("a.yaml", Some((line, column))).with_excerpt(excerpt);
        Problem { location: Some(location), ..problem.value(value).among(value, ["bean", "corn"]).help("look it up") }
    }

    #[test]
    fn the_value_is_marked_below_the_line() {
        let said = "\
error[unknown-name]: this is wrong
 --> a.yaml:1:4
  |
1 | a: baen
  |    ^^^^
  |
  = at: a[2]
  = expected: one of `bean`, `corn`
  = did you mean `bean`?
  = help: look it up";
        assert_eq!(Look::PLAIN.problem(&problem("a: «baen»", "baen")), said);
        // What is found is said where it is not what is marked.
        let said = Look::PLAIN.problem(&problem("a: «{b: baen}»", "baen"));
        assert!(said.contains("^^^^^^^^^\n") && said.contains("= found: baen\n"), "{said}");
    }

    #[test]
    fn tabs_wide_characters_and_control_characters_keep_the_mark_in_its_place() {
        let said = Look::PLAIN.problem(&problem("\ta: 豆豆 \u{1b}[31m«豆»", "豆"));
        let lines: Vec<&str> = said.lines().skip(3).take(2).collect();
        assert_eq!(lines, ["1 |     a: 豆豆 \\u001b[31m豆", "  |                       ^^"]);
    }

    #[test]
    fn a_long_line_is_cut_around_the_value() {
        let said = NARROW.problem(&problem(&format!("{}«baen»{}", "x".repeat(500), "y".repeat(500)), "baen"));
        assert!(said.contains("a.yaml:1:501\n"), "{said}");
        let lines: Vec<&str> = said.lines().skip(3).take(2).collect();
        assert!(lines[0].chars().count() <= 60, "{said}");
        let at = lines[0].find("baen").expect("the value is shown");
        assert_eq!(lines[1].find("^^^^"), Some(at), "{said}");
        // A file without lines is not shown at all.
        let said = NARROW.problem(&problem(&format!("{}«baen»", "x".repeat(100_000)), "baen"));
        assert!(said.contains("a.yaml:1:100001\n") && !said.contains("xxx") && said.contains("found: baen"), "{said}");
    }

    #[test]
    fn sentences_are_divided_on_a_terminal() {
        let mut problem = problem("a: «baen»", "baen");
        problem.help = Some("word ".repeat(20).trim().into());
        let said = NARROW.problem(&problem);
        assert!(said.lines().all(|line| line.chars().count() <= 60), "{said}");
        assert!(Look::PLAIN.problem(&problem).contains(&"word ".repeat(19)));
    }

    #[test]
    fn colours_change_no_word() {
        let styled = Look { renderer: Renderer::styled(), columns: None };
        let problem = problem("a: «baen»", "baen");
        let said = styled.problem(&problem);
        assert!(said.contains("\u{1b}["));
        assert_eq!(anstream::adapter::strip_str(&said).to_string(), Look::PLAIN.problem(&problem));
        assert_eq!(Look::PLAIN.error("it can't be"), "error: it can't be");
    }

    #[test]
    fn a_problem_of_an_option_or_of_nothing_shows_what_there_is() {
        let mut problem = problem("a: «baen»", "baen");
        problem.location = Some(Location::new("--set a=baen", None));
        let said = Look::PLAIN.problem(&problem);
        assert!(said.contains("--> --set a=baen\n") && said.contains("found: baen"), "{said}");
        problem.location = None;
        assert!(!Look::PLAIN.problem(&problem).contains("-->"));
    }
}
