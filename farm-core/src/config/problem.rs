//! What is wrong in a configuration: where, which value, what was expected, and the way out.
//!
//! Problems are collected, never thrown at the first one: a reader of `farm check` repairs a file in one go.

use std::fmt;

use serde_yaml::Value;

use super::code::Code;
use super::errors::LimitError;
use super::excerpt::Excerpt;
use super::phrase::{CommandLine, FrontEnd, Phrase, Tool};
use crate::format::{MAX_EXPECTED, escape_controls, escape_line, join_truncated};

/// One step of a path into a configuration. There will be no third: it can be matched without a `_`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Segment {
    /// A key of a mapping. Keys such as `speed#km.h-1` contain dots, so a path is never split at dots.
    Key(String),
    /// An index of a list.
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

/// The place of a value inside a configuration.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Path(pub Vec<Segment>);

impl Path {
    /// The path of a child of this place.
    pub fn child(&self, segment: impl Into<Segment>) -> Self {
        let mut path = self.clone();
        path.0.push(segment.into());
        path
    }

    /// The value at this place; none where the path leads nowhere.
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

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// The game cannot be built.
    Error,
    /// The game can be built; the reader should know.
    Warning,
}

/// Where a problem stands in its file. Lines and columns count from 1, columns in characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Location {
    /// The file, or the command-line option, that holds the value.
    pub source: String,
    /// Line and column, where the source is a file.
    pub position: Option<(usize, usize)>,
    excerpt: Option<Excerpt>,
    /// What a game was opened with, which each front end has its own option for.
    option: Option<Tool>,
}

impl Location {
    /// A place in a file, or the command-line option that holds the value.
    pub fn new(source: impl Into<String>, position: Option<(usize, usize)>) -> Self {
        Self { source: source.into(), position, excerpt: None, option: None }
    }

    /// An option that every front end has, and each writes in its own way.
    pub fn of_option(option: Tool) -> Self {
        Self { option: Some(option.clone()), ..Self::new(shortened(CommandLine("farm").words(&option)), None) }
    }

    /// The place in the words of a front end.
    pub fn told_by(&self, front_end: &dyn FrontEnd) -> String {
        match (&self.option, self.position) {
            (Some(option), _) => shortened(front_end.words(option)),
            (None, Some((line, column))) => format!("{}:{line}:{column}", self.source),
            (None, None) => self.source.clone(),
        }
    }

    /// With the line that stands there. Texts whose values may not be shown have none.
    pub fn with_excerpt(mut self, excerpt: Option<Excerpt>) -> Self {
        self.excerpt = excerpt;
        self
    }

    /// The line that stands there, where the text is known and may be shown.
    pub fn excerpt(&self) -> Option<&Excerpt> {
        self.excerpt.as_ref()
    }
}

/// The most characters of an option that messages show as a place.
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

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    /// The kind of mistake: what tells problems apart whose words may change.
    pub code: Code,
    /// Error or warning.
    pub severity: Severity,
    /// The headline, a sentence without its full stop.
    pub message: String,
    /// The place in the configuration.
    pub path: Path,
    /// Whether the path starts at the configuration's root, whichever part found the problem.
    pub is_from_root: bool,
    /// Whether it is about the name at the end of the path, and not about the value there.
    pub is_about_name: bool,
    /// The value found there, shortened.
    pub value: Option<String>,
    /// What would have been right.
    pub expected: Option<Phrase>,
    /// The valid name closest to the one found.
    pub nearest: Option<String>,
    /// What to do next, usually a command.
    pub help: Option<Phrase>,
    /// File, line and column; filled in by [`super::Document::locate`].
    pub location: Option<Location>,
}

impl Problem {
    /// An error at a place.
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

    /// Whether it is a mistake of this kind.
    pub fn is(&self, code: impl Into<Code>) -> bool {
        self.code == code.into()
    }

    /// The value that was found.
    pub fn value(mut self, value: impl fmt::Display) -> Self {
        let text = value.to_string();
        let mut shown: String = text.chars().take(80).collect();
        if shown.len() < text.len() {
            shown.push('…');
        }
        self.value = Some(shown);
        self
    }

    /// Makes its path one that starts at the configuration's root: what does not fit stands in another part than finds it.
    pub fn from_root(mut self) -> Self {
        self.is_from_root = true;
        self
    }

    /// Makes it one about the name at the end of the path: that is shown, and not the value beside it.
    pub fn about_name(mut self) -> Self {
        self.is_about_name = true;
        self
    }

    /// What would have been right.
    pub fn expected(mut self, expected: impl Into<Phrase>) -> Self {
        self.expected = Some(expected.into());
        self
    }

    /// Looks for the valid name closest to `found` and lists the valid ones as what was expected.
    pub fn among<'n>(mut self, found: &str, names: impl IntoIterator<Item = &'n str>) -> Self {
        let mut seen = std::collections::BTreeSet::new();
        let names: Vec<&str> = names.into_iter().filter(|name| seen.insert(*name)).collect();
        self.nearest = nearest(found, &names).map(str::to_owned);
        let shown = join_truncated(names.iter(), MAX_EXPECTED, |name| format!("`{name}`")).join(", ");
        self.expected = Some(match names.len() {
            0 => "no name: there is nothing to choose from".into(),
            1 => shown.into(),
            _ => format!("one of {shown}").into(),
        });
        self
    }

    /// Where `found` is another word for a name, that name is meant, whatever looks alike; `synonyms` are pairs of a word and a name.
    pub fn with_synonyms<'n>(mut self, found: &str, synonyms: impl IntoIterator<Item = (&'n str, &'n str)>) -> Self {
        let meant = synonyms.into_iter().find(|(word, _)| word.to_lowercase() == found.to_lowercase());
        self.nearest = meant.map(|(_, name)| name.to_owned()).or(self.nearest);
        self
    }

    /// What to do next.
    pub fn help(mut self, help: impl Into<Phrase>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Makes it a warning.
    pub fn warning(mut self) -> Self {
        self.severity = Severity::Warning;
        self
    }
}

/// As the command line says it. The texts of a game file are written out so that a terminal shows them and obeys none of them.
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.told_by(&CommandLine("farm")))
    }
}

impl std::error::Error for Problem {}

impl Problem {
    /// The problem in the words of a front end, over several lines: its code and what is wrong, where, and what to do.
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

    /// The problem in one line, for places that have no room for more.
    pub fn sentence(&self) -> String {
        // Of one possible name nothing is said twice.
        let is_nearest =
            |expected: &Phrase| self.nearest.as_ref().is_some_and(|near| **expected == format!("`{near}`"));
        let expected = self.expected.iter().filter(|expected| !is_nearest(expected));
        let expected = expected.map(|expected| format!("; expected {expected}"));
        let nearest = self.nearest.iter().map(|nearest| format!("; did you mean `{nearest}`?"));
        let sentence: String = std::iter::once(self.message.clone()).chain(expected).chain(nearest).collect();
        escape_controls(&sentence).into_owned()
    }
}

/// The most problems of a file that are shown.
pub const MAX_PROBLEMS: usize = 100;
/// As many are collected at the most where each line of a file may have one.
const MAX_COLLECTED: usize = 10 * MAX_PROBLEMS;

/// All that is wrong, in the order found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Problems(pub Vec<Problem>);

impl Problems {
    /// Notes a problem.
    pub fn push(&mut self, problem: Problem) {
        self.0.push(problem);
    }

    /// Whether so many are known, with an error among them, that further ones are of no use.
    pub(crate) fn is_full(&self) -> bool {
        self.0.len() >= MAX_COLLECTED && self.has_errors()
    }

    /// The problems in the words of a front end, with an empty line between them.
    pub fn told_by(&self, front_end: &dyn FrontEnd) -> String {
        self.0.iter().map(|problem| problem.told_by(front_end)).collect::<Vec<_>>().join("\n\n")
    }

    /// Whether any of them is an error.
    pub fn has_errors(&self) -> bool {
        self.0.iter().any(|p| p.severity == Severity::Error)
    }
}

/// Leaves out what is more than is shown, warnings before errors, and returns a problem that says how many they were.
pub(super) fn shorten<T>(problems: &mut Vec<T>, severity: impl Fn(&T) -> Severity) -> Option<Problem> {
    let more = problems.len().checked_sub(MAX_PROBLEMS).filter(|more| *more > 0)?;
    let least = if problems.len() >= MAX_COLLECTED { "at least " } else { "" };
    let is_error = |problem: &T| severity(problem) == Severity::Error;
    // The sort is stable: the order in which they were found stays.
    problems.sort_by_key(|problem| !is_error(problem));
    let has_errors = problems.split_off(MAX_PROBLEMS).iter().any(is_error);
    let message = match more {
        1 => format!("{least}1 more problem is not shown"),
        more => format!("{least}{more} more problems are not shown"),
    };
    let problem = Problem::new(LimitError::MoreProblems, Path::default(), message)
        .help("mend these first: others often follow from them");
    Some(if has_errors { problem } else { problem.warning() })
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.told_by(&CommandLine("farm")))
    }
}

impl std::error::Error for Problems {}

/// The longest text that is compared with names, in bytes.
const LONGEST_COMPARED: usize = 512;

/// The name most similar to `found`, if any is similar enough to be meant.
pub fn nearest<'n>(found: &str, names: &[&'n str]) -> Option<&'n str> {
    // No name is that long, and comparing takes the product of both lengths.
    if found.len() > LONGEST_COMPARED {
        return None;
    }
    let lower = found.to_lowercase();
    // A right name with a wrong or missing unit is the likeliest slip of all.
    let stem = |name: &str| name.split('#').next().unwrap_or(name).to_lowercase();
    if let Some(name) = names.iter().find(|name| stem(name) == stem(found)) {
        return Some(name);
    }
    let are_letters = names.iter().all(|name| name.chars().count() == 1);
    names
        .iter()
        .map(|name| {
            let name_lower = name.to_lowercase();
            // In a short word one slip changes much of it, so one slip alone is always near.
            let slips = strsim::osa_distance(&lower, &name_lower);
            let longer = lower.chars().count().max(name_lower.chars().count());
            let one_slip = slips <= 1 && longer > 1;
            let is_shuffled = letters(&lower) == letters(&name_lower);
            // Words that only begin alike, or share their ending, are different words: `a` does not mean `agent`.
            let shorter = lower.chars().count().min(name_lower.chars().count());
            let is_begin = shorter >= 3 && (name_lower.starts_with(&lower) || lower.starts_with(&name_lower));
            // Where all names are single letters, a word means that of its initial: `East` means `E`.
            let is_initial = are_letters && lower.starts_with(&name_lower);
            let is_far = 2 * slips > longer && !is_begin && !is_initial && !is_shuffled;
            let alike = if is_far { 0.0 } else { strsim::jaro_winkler(&lower, &name_lower) };
            (alike.max(if one_slip { 0.9 } else { 0.0 }), is_shuffled, alike, *name)
        })
        .filter(|(similarity, ..)| *similarity > 0.75)
        // Of two that are one slip away, the one of the same letters is meant, or else the one that begins alike.
        .max_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)).then(a.2.total_cmp(&b.2)))
        .map(|(.., name)| name)
}

/// The letters of a word, sorted.
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
