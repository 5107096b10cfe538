//! Problems in a configuration. Each has a location, the value found, what was expected, and a fix.
//!
//! Problems are collected, so that `farm check` reports all errors in a file at once.

use std::fmt;

use serde_yaml::Value;

use super::code::Code;
use super::errors::LimitError;
use super::excerpt::Excerpt;
use super::phrase::{CommandLine, FrontEnd, Phrase, Tool};
use crate::format::{MAX_EXPECTED, escape_controls, escape_line, join_truncated};

/// One step in a path into a configuration. No third variant will be added, so you can match it without a `_` arm.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Segment {
    /// A key in a mapping. Keys such as `speed#km.h-1` contain dots, so a path is never split at dots.
    Key(String),
    /// An index into a list.
    Index(usize),
}

impl From<&str> for Segment {
    fn from(key: &str) -> Self {
        Self::Key(key.to_owned())
    }
}

impl From<&String> for Segment {
    fn from(key: &String) -> Self {
        Self::Key(key.clone())
    }
}

impl From<usize> for Segment {
    fn from(index: usize) -> Self {
        Self::Index(index)
    }
}

/// The path to a value inside a configuration.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Path(pub Vec<Segment>);

impl Path {
    /// The path to a child.
    pub fn child(&self, segment: impl Into<Segment>) -> Self {
        let mut path = self.clone();
        path.0.push(segment.into());
        path
    }

    /// The value at this path; `None` if the path does not exist.
    pub fn value_in<'v>(&self, root: &'v Value) -> Option<&'v Value> {
        self.0.iter().try_fold(root, |place, segment| match segment {
            Segment::Key(key) => place.get(key.as_str()),
            Segment::Index(index) => place.get(*index),
        })
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, segment) in self.0.iter().enumerate() {
            match segment {
                Segment::Key(key) if i == 0 => write!(f, "{key}")?,
                Segment::Key(key) => write!(f, ".{key}")?,
                Segment::Index(index) => write!(f, "[{index}]")?,
            }
        }
        Ok(())
    }
}

/// How severe a problem is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// The game cannot be built.
    Error,
    /// The game can be built, but the reader should know about the problem.
    Warning,
}

/// A problem's location in its file. Lines and columns count from 1, columns in characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Location {
    /// The file or the command-line option that contains the value.
    pub source: String,
    /// The line and column, if the source is a file.
    pub position: Option<(usize, usize)>,
    excerpt: Option<Excerpt>,
    /// The option with which the game was opened. Each front end has its own name for this option.
    option: Option<Tool>,
}

impl Location {
    /// A location in a file, or the command-line option that contains the value.
    pub fn new(source: impl Into<String>, position: Option<(usize, usize)>) -> Self {
        Self { source: source.into(), position, excerpt: None, option: None }
    }

    /// The location in an option that each front end calls by its own name.
    pub fn of_option(option: Tool) -> Self {
        Self { option: Some(option.clone()), ..Self::new(shortened(CommandLine("farm").words(&option)), None) }
    }

    /// The location in a front end's terms.
    pub fn told_by(&self, front_end: &dyn FrontEnd) -> String {
        match (&self.option, self.position) {
            (Some(option), _) => shortened(front_end.words(option)),
            (None, Some((line, column))) => format!("{}:{line}:{column}", self.source),
            (None, None) => self.source.clone(),
        }
    }

    /// Adds the line at this location. If a text's values must not be shown, it has no excerpt.
    pub fn with_excerpt(mut self, excerpt: Option<Excerpt>) -> Self {
        self.excerpt = excerpt;
        self
    }

    /// The line at this location, if the text is known and may be shown.
    pub fn excerpt(&self) -> Option<&Excerpt> {
        self.excerpt.as_ref()
    }
}

/// The maximum number of characters shown from an option in a message.
const LONGEST_OPTION: usize = 100;

fn shortened(mut words: String) -> String {
    if let Some((end, _)) = words.char_indices().nth(LONGEST_OPTION) {
        words.replace_range(end.., "…");
    }
    words
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.told_by(&CommandLine("farm")))
    }
}

/// One problem.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    /// The kind of error. The code identifies the problem even if the message changes.
    pub code: Code,
    /// Error or warning.
    pub severity: Severity,
    /// The headline: a sentence without a full stop.
    pub message: String,
    /// The path in the configuration.
    pub path: Path,
    /// Whether the path starts at the root of the configuration rather than at the part that found the problem.
    pub is_from_root: bool,
    /// Whether the problem is about the key at the end of the path rather than its value.
    pub is_about_name: bool,
    /// The value found at the path, shortened.
    pub value: Option<String>,
    /// What was expected instead.
    pub expected: Option<Phrase>,
    /// The valid name closest to the one found.
    pub nearest: Option<String>,
    /// The next step, usually a command.
    pub help: Option<Phrase>,
    /// The file, line and column, which [`super::Document::locate`] fills in.
    pub location: Option<Location>,
}

impl Problem {
    /// The problem with its path below another path.
    pub fn below(mut self, above: &Path) -> Self {
        self.path = Path(above.0.iter().chain(&self.path.0).cloned().collect());
        self
    }

    /// An error at a path.
    pub fn new(code: impl Into<Code>, path: Path, message: impl Into<String>) -> Self {
        Self {
            code: code.into(),
            severity: Severity::Error,
            message: message.into(),
            path,
            is_from_root: false,
            is_about_name: false,
            value: None,
            expected: None,
            nearest: None,
            help: None,
            location: None,
        }
    }

    /// Whether this error is of this kind.
    pub fn is(&self, code: impl Into<Code>) -> bool {
        self.code == code.into()
    }

    /// Sets the value that was found.
    pub fn value(mut self, value: impl fmt::Display) -> Self {
        let text = value.to_string();
        let mut shown: String = text.chars().take(80).collect();
        if shown.len() < text.len() {
            shown.push('…');
        }
        self.value = Some(shown);
        self
    }

    /// Marks the path as starting at the root of the configuration, because the error is not in the part that found it.
    pub fn from_root(mut self) -> Self {
        self.is_from_root = true;
        self
    }

    /// Marks the problem as being about the key at the end of the path. Messages show the key instead of its value.
    pub fn about_name(mut self) -> Self {
        self.is_about_name = true;
        self
    }

    /// Sets what was expected.
    pub fn expected(mut self, expected: impl Into<Phrase>) -> Self {
        self.expected = Some(expected.into());
        self
    }

    /// Sets the valid names as the expected values, and the name closest to `found` as the nearest name.
    pub fn among<'n>(mut self, found: &str, names: impl IntoIterator<Item = &'n str>) -> Self {
        let mut seen = std::collections::BTreeSet::new();
        let names: Vec<&str> = names.into_iter().filter(|name| seen.insert(*name)).collect();
        self.nearest = nearest(found, &names).map(str::to_owned);
        let shown = join_truncated(names.iter(), MAX_EXPECTED, |name| format!("`{name}`")).join(", ");
        self.expected = Some(match names.len() {
            0 => "nothing: there are no names to choose from".into(),
            1 => shown.into(),
            _ => format!("one of {shown}").into(),
        });
        self
    }

    /// If `found` is a synonym, sets the name that it means as the nearest name, regardless of the spelling. `synonyms` are pairs of a
    /// synonym and a name.
    pub fn with_synonyms<'n>(mut self, found: &str, synonyms: impl IntoIterator<Item = (&'n str, &'n str)>) -> Self {
        let meant = synonyms.into_iter().find(|(word, _)| word.to_lowercase() == found.to_lowercase());
        self.nearest = meant.map(|(_, name)| name.to_owned()).or(self.nearest);
        self
    }

    /// Sets the next step.
    pub fn help(mut self, help: impl Into<Phrase>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Turns the problem into a warning.
    pub fn warning(mut self) -> Self {
        self.severity = Severity::Warning;
        self
    }
}

/// Writes the problem in command-line terms. Control characters from a game file are escaped, so that a terminal does not execute them.
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.told_by(&CommandLine("farm")))
    }
}

impl std::error::Error for Problem {}

impl Problem {
    /// The problem in a front end's terms, on several lines: code, message, location and fix.
    pub fn told_by(&self, front_end: &dyn FrontEnd) -> String {
        let label = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let mut told = format!("{label}[{}]: {}", self.code, escape_controls(&self.message));
        let location = self.location.as_ref().map(|location| escape_line(&location.told_by(front_end)).into_owned());
        let path = (!self.path.0.is_empty()).then(|| escape_line(&self.path.to_string()).into_owned());
        match (location, path) {
            (Some(location), Some(path)) => told += &format!("\n  --> {location}, at {path}"),
            (Some(location), None) => told += &format!("\n  --> {location}"),
            (None, Some(path)) => told += &format!("\n  --> at {path}"),
            (None, None) => {}
        }
        if let Some(value) = &self.value {
            told += &format!("\n      found: {}", escape_line(value));
        }
        if let Some(expected) = &self.expected {
            told += &format!("\n      expected: {}", escape_controls(&expected.told_by(front_end)));
        }
        if let Some(nearest) = &self.nearest {
            told += &format!("\n      did you mean `{}`?", escape_line(nearest));
        }
        if let Some(help) = &self.help {
            told += &format!("\n      help: {}", escape_controls(&help.told_by(front_end)));
        }
        told
    }

    /// The problem as one sentence, for output on a single line.
    pub fn sentence(&self) -> String {
        // If only one name is possible, it is not repeated.
        let is_nearest =
            |expected: &Phrase| self.nearest.as_ref().is_some_and(|near| **expected == format!("`{near}`"));
        let expected = self.expected.iter().filter(|expected| !is_nearest(expected));
        let expected = expected.map(|expected| format!("; expected {expected}"));
        let nearest = self.nearest.iter().map(|nearest| format!("; did you mean `{nearest}`?"));
        let sentence: String = std::iter::once(self.message.clone()).chain(expected).chain(nearest).collect();
        escape_controls(&sentence).into_owned()
    }
}

/// The maximum number of problems shown for one file.
pub const MAX_PROBLEMS: usize = 100;
/// The maximum number of problems collected when any line in a file may have one.
const MAX_COLLECTED: usize = 10 * MAX_PROBLEMS;

/// All problems, in the order in which they were found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Problems(pub Vec<Problem>);

impl Problems {
    /// Adds a problem.
    pub fn push(&mut self, problem: Problem) {
        self.0.push(problem);
    }

    /// Whether enough problems have been collected, including at least one error. Collecting more would not help.
    pub(crate) fn is_full(&self) -> bool {
        self.0.len() >= MAX_COLLECTED && self.has_errors()
    }

    /// The problems in a front end's terms, separated by empty lines.
    pub fn told_by(&self, front_end: &dyn FrontEnd) -> String {
        self.0.iter().map(|problem| problem.told_by(front_end)).collect::<Vec<_>>().join("\n\n")
    }

    /// Whether any of the problems is an error.
    pub fn has_errors(&self) -> bool {
        self.0.iter().any(|p| p.severity == Severity::Error)
    }
}

/// Removes the problems beyond the maximum, warnings first, and returns a problem that reports how many were removed.
pub(super) fn shorten<T>(problems: &mut Vec<T>, severity: impl Fn(&T) -> Severity) -> Option<Problem> {
    let more = problems.len().checked_sub(MAX_PROBLEMS).filter(|more| *more > 0)?;
    let least = if problems.len() >= MAX_COLLECTED { "at least " } else { "" };
    let is_error = |problem: &T| severity(problem) == Severity::Error;
    // The sort is stable, so problems stay in the order found.
    problems.sort_by_key(|problem| !is_error(problem));
    let has_errors = problems.split_off(MAX_PROBLEMS).iter().any(is_error);
    let message = match more {
        1 => format!("{least}1 more problem is not shown"),
        more => format!("{least}{more} more problems are not shown"),
    };
    let problem = Problem::new(LimitError::MoreProblems, Path::default(), message)
        .help("fix these first: the others often have the same cause");
    Some(if has_errors { problem } else { problem.warning() })
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.told_by(&CommandLine("farm")))
    }
}

impl std::error::Error for Problems {}

/// The maximum length of text to compare with names, in bytes.
const LONGEST_COMPARED: usize = 512;

/// The name most similar to `found`, if any is similar enough.
pub fn nearest<'n>(found: &str, names: &[&'n str]) -> Option<&'n str> {
    // No name is this long, and the time for a comparison is proportional to the product of both lengths.
    if found.len() > LONGEST_COMPARED {
        return None;
    }
    let lower = found.to_lowercase();
    // A correct name with a wrong or missing unit is the most likely error.
    let stem = |name: &str| name.split('#').next().unwrap_or(name).to_lowercase();
    if let Some(name) = names.iter().find(|name| stem(name) == stem(found)) {
        return Some(name);
    }
    let are_letters = names.iter().all(|name| name.chars().count() == 1);
    names
        .iter()
        .map(|name| {
            let name_lower = name.to_lowercase();
            // In a short word, one typo changes a large share of the letters. A name that is a single typo away therefore always counts as
            // near.
            let slips = strsim::osa_distance(&lower, &name_lower);
            let longer = lower.chars().count().max(name_lower.chars().count());
            let one_slip = slips <= 1 && longer > 1;
            let is_shuffled = letters(&lower) == letters(&name_lower);
            // Words that share only their beginning or ending are different words: `a` does not mean `agent`.
            let shorter = lower.chars().count().min(name_lower.chars().count());
            let is_begin = shorter >= 3 && (name_lower.starts_with(&lower) || lower.starts_with(&name_lower));
            // If all names are single letters, a word means its initial: `East` means `E`.
            let is_initial = are_letters && lower.starts_with(&name_lower);
            let is_far = 2 * slips > longer && !is_begin && !is_initial && !is_shuffled;
            let alike = if is_far { 0.0 } else { strsim::jaro_winkler(&lower, &name_lower) };
            (alike.max(if one_slip { 0.9 } else { 0.0 }), is_shuffled, alike, *name)
        })
        .filter(|(similarity, ..)| *similarity > 0.75)
        // Among names that are one typo away, a name with the same letters has priority, then a name with the same beginning.
        .max_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)).then(a.2.total_cmp(&b.2)))
        .map(|(.., name)| name)
}

/// A word's letters, sorted.
fn letters(word: &str) -> Vec<char> {
    let mut letters: Vec<char> = word.chars().collect();
    letters.sort_unstable();
    letters
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::ParameterError;

    #[test]
    fn of_one_possible_name_nothing_is_said_twice() {
        let of = |names: &[&str]| {
            Problem::new(ParameterError::UnknownParameter, Path::default(), "no `x#l`")
                .among("x#l", names.iter().copied())
                .sentence()
        };
        assert_eq!(of(&["x#L"]), "no `x#l`; did you mean `x#L`?");
        assert_eq!(of(&["x#L", "salt"]), "no `x#l`; expected one of `x#L`, `salt`; did you mean `x#L`?");
        assert_eq!(of(&["salt"]), "no `x#l`; expected `salt`");
    }

    #[test]
    fn the_nearest_name_forgives_typing_and_units() {
        let names = ["Birds", "Soil", "depth#m"];
        assert_eq!(nearest("Brids", &names), Some("Birds"));
        assert_eq!(nearest("soil", &names), Some("Soil"));
        assert_eq!(nearest("depth#cm", &names), Some("depth#m"));
        assert_eq!(nearest("xyzzy", &names), None);
        assert_eq!(nearest("a", &["agent", "b"]), None);
        assert_eq!(nearest("max", &["max_steps"]), Some("max_steps"));
    }

    #[test]
    fn an_option_is_written_as_each_front_end_has_it_and_shown_in_short() {
        struct InPython;
        impl FrontEnd for InPython {
            fn words(&self, tool: &Tool) -> String {
                match tool {
                    Tool::Change { path, value } => format!("{path}={value}"),
                    tool => format!("{tool:?}"),
                }
            }
        }
        let mut problem = Problem::new(ParameterError::UnknownParameter, Path::default(), "it is wrong");
        let change = |value: &str| Tool::Change { path: "score".to_owned(), value: value.to_owned() };
        problem.location = Some(Location::of_option(change("x")));
        assert!(problem.to_string().ends_with("\n  --> --set score=x"), "{problem}");
        assert!(problem.told_by(&InPython).ends_with("\n  --> score=x"));
        let long = Location::of_option(change(&"ü".repeat(1_000))).told_by(&InPython);
        assert!(long.ends_with("ü…") && long.chars().count() == LONGEST_OPTION + 1, "{long}");
    }

    #[test]
    fn a_problem_prints_place_value_expectation_and_way_out() {
        let mut problem = Problem::new(
            ParameterError::UnknownParameter,
            Path::default().child("fields").child(0),
            "unknown entity `Brids`",
        )
        .value("Brids")
        .among("Brids", ["Birds", "Soil"])
        .help(Tool::list("entities").and(" shows all"));
        problem.location = Some(Location::new("a.yaml", Some((3, 7))));
        assert_eq!(
            problem.to_string(),
            "error[unknown-parameter]: unknown entity `Brids`\n  --> a.yaml:3:7, at fields[0]\n      found: Brids\n      expected: one of \
             `Birds`, `Soil`\n      did you mean `Birds`?\n      help: `farm list entities` shows all"
        );
    }
}
