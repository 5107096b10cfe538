//! Checks what parts declare: descriptions, ranges, defaults and sizes. Also checks that names can be written and read back.
//!
//! Parts in every language use the same [`Declarations`](super::Declarations), so these checks apply to all of them.

use std::collections::HashSet;
use std::fmt::Display;

use super::errors::DeclarationError;
use super::{ActionParameter, ActionParameterKind, Labels, PartInfo, ValueKind};
use crate::config::{LimitError, Path, Problem, Problems};

/// The maximum number of values in one variable or observable.
pub const MAX_VALUES: usize = 100_000_000;
/// The maximum number of events per step that all parts combined may declare. A record has room for all of them.
pub const MAX_EVENTS_PER_STEP: usize = 50_000_000;
/// The maximum number of event kinds in a game. Each kind has a 16-bit number.
const MAX_EVENT_KINDS: usize = 1 << 16;
/// The maximum number of names in a category. Each value is stored as one byte.
pub const MAX_LABELS: usize = 256;
/// The maximum length of a name, in bytes.
const MAX_NAME_BYTES: usize = 200;
/// The characters that a name must not contain, because they have a meaning in paths, texts or actions. Control characters are not allowed
/// either. Spaces are allowed only in names that players do not write.
const NOT_IN_NAMES: &[char] =
    &['[', ']', '(', ')', '{', '}', '<', '>', '"', '\'', '`', ',', ';', ':', '=', '?', '*', '!', '\\'];
/// The required form of a name, in words.
const NAME: &str =
    "`name` or `name#unit`, one word of letters, digits, `_` and unit characters, without brackets or quotes";

/// The number of values in an array of this shape.
pub(crate) fn values_of(shape: &[usize]) -> usize {
    // With an empty axis there are no values, regardless of the other axes.
    if shape.contains(&0) { 0 } else { shape.iter().fold(1, |values, axis| values.saturating_mul(*axis)) }
}

/// Adds a problem for each error in a game's declarations.
pub(crate) fn check_declarations(parts: &[PartInfo], problems: &mut Problems) {
    for part in parts {
        let mut check = Check { part, problems };
        check.quantities();
        check.actions();
        check.events();
    }
    let fields = Path::default().child("fields");
    let kinds: usize = parts.iter().map(|part| part.events.len()).sum();
    if kinds > MAX_EVENT_KINDS {
        let problem = Problem::new(
            LimitError::GameTooLarge,
            fields.clone(),
            "the parts of this game declare too many kinds of events",
        );
        problems.push(problem.about_name().value(kinds).expected(format!("at most {MAX_EVENT_KINDS}")));
    }
    let all =
        parts.iter().flat_map(|part| &part.events).fold(0, |all: usize, event| all.saturating_add(event.per_step));
    let alone = parts.iter().flat_map(|part| &part.events).any(|event| event.per_step > MAX_EVENTS_PER_STEP);
    if all > MAX_EVENTS_PER_STEP && !alone {
        let problem = Problem::new(
            LimitError::GameTooLarge,
            fields,
            "the parts of this game declare too many events for one step",
        );
        let problem = problem.about_name().value(all).expected(format!("at most {MAX_EVENTS_PER_STEP} in total"));
        problems.push(problem.help("use fewer plots or fewer parts"));
    }
}

/// One part's declarations, and the problems found in them.
struct Check<'a> {
    part: &'a PartInfo,
    problems: &'a mut Problems,
}

impl Check<'_> {
    /// Reports a defect in a declaration. `what` is the type of declaration: `variable`, `action` …
    fn defect(&mut self, what: &str, name: &str, defect: impl Display) -> &mut Problem {
        let message = format!("{what} `{}` of `{}` {defect}", name.escape_debug(), self.part.path);
        self.problems.push(Problem::new(DeclarationError::WrongDeclaration, self.part.config.clone(), message));
        let last = self.problems.0.len() - 1;
        &mut self.problems.0[last]
    }

    /// Checks that the name can be written, has a description and is unique.
    fn name<'n>(&mut self, what: &str, name: &'n str, doc: &str, seen: &mut HashSet<&'n str>) {
        // A variable's name can come from the game file, as for a farmer's items, and users do not type it.
        let words = if what == "variable" { name.replace(' ', "_") } else { name.to_owned() };
        if !is_name(&words) || name.trim() != name {
            let problem = self.defect(what, name, "has an invalid name");
            (problem.value, problem.expected) = (Some(format!("\"{}\"", name.escape_debug())), Some(NAME.into()));
        }
        if doc.trim().is_empty() {
            self.defect(what, name, "has no description");
        }
        if !seen.insert(name) {
            self.defect(what, name, "is declared twice");
        }
    }

    fn quantities(&mut self) {
        let part = self.part;
        let mut seen = HashSet::new();
        for variable in &part.variables {
            self.name("variable", &variable.name, &variable.doc, &mut seen);
            self.values(&variable.name, &variable.kind, Some(variable.default), &variable.shape);
            if variable.slot.0 != variable.kind.region() {
                let kept = format!("is stored as {:?}, but its values are not", variable.slot.0).to_lowercase();
                self.defect("variable", &variable.name, kept).expected =
                    Some("`real`, `count`, `flag`, or `category` with names or numbers".into());
            }
        }
        for observable in &part.observables {
            self.name("variable", &observable.name, &observable.doc, &mut seen);
            self.values(&observable.name, &observable.kind, None, &observable.shape);
        }
    }

    /// Checks a variable's values: their number, their range and their default.
    fn values(&mut self, name: &str, kind: &ValueKind, default: Option<f64>, shape: &[usize]) {
        let values = values_of(shape);
        if values > MAX_VALUES {
            let shape: Vec<String> = shape.iter().map(usize::to_string).collect();
            let many = if values == usize::MAX { "more than 10¹⁹".to_owned() } else { values.to_string() };
            let problem = self.defect("variable", name, format_args!("has {many} values"));
            problem.value = Some(shape.join(" × "));
            problem.expected = Some(format!("at most {MAX_VALUES} values").into());
        }
        // If there are several lists, the default must be valid in each list.
        let (low, high) = kind.common_range();
        match kind.lists() {
            Some(lists) => self.labels(name, lists),
            None if !is_range(low, high) => return self.range("variable", name, low, high),
            None => {}
        }
        let is_whole = kind.is_whole();
        if let Some(default) = default
            && low <= high
            && (!(low..=high).contains(&default) || is_whole && default.fract() != 0.0)
        {
            let problem = self.defect("variable", name, "has a default that is not one of its values");
            problem.value = Some(default.to_string());
            let number = if is_whole { "an integer" } else { "a number" };
            problem.expected = Some(format!("{number} from {low} to {high}").into());
        }
    }

    fn range(&mut self, what: &str, name: &str, low: f64, high: f64) {
        let problem = self.defect(what, name, "has an invalid range");
        problem.value = Some(format!("{low} to {high}"));
        problem.expected = Some("two numbers, the first not above the second".into());
    }

    fn labels(&mut self, name: &str, lists: &[Labels]) {
        if lists.is_empty() || lists.iter().any(Labels::is_empty) {
            self.defect("variable", name, "is a category without values").expected = Some("at least one name".into());
        }
        for list in lists {
            if list.len() > MAX_LABELS {
                let problem = self.defect("variable", name, "is a category with too many values");
                (problem.value, problem.expected) =
                    (Some(list.len().to_string()), Some(format!("at most {MAX_LABELS}").into()));
            }
            if let Labels::Named(words) = list {
                self.words(name, words);
            }
        }
    }

    /// Checks the value names that appear in text observations.
    fn words(&mut self, name: &str, words: &[String]) {
        let mut seen = HashSet::new();
        for word in words {
            if word.is_empty() || word.contains(|c: char| c.is_whitespace() || c.is_control() || c == '/') {
                let message =
                    format!("`{}` can't be a value name in a category of `{}`", word.escape_debug(), self.part.path);
                let problem = Problem::new(DeclarationError::WrongDeclaration, self.part.config.clone(), message);
                self.problems.push(problem.expected("a word without spaces or slashes"));
            }
            if !seen.insert(word) {
                self.defect("variable", name, format_args!("has two values called `{}`", word.escape_debug()));
            }
        }
    }

    fn actions(&mut self) {
        let part = self.part;
        let mut seen = HashSet::new();
        for action in &part.actions {
            self.name("action", &action.name, &action.doc, &mut seen);
            let mut parameters = HashSet::new();
            for parameter in &action.parameters {
                let what = format!("action `{}`: parameter", action.name.escape_debug());
                self.name(&what, &parameter.name, &parameter.doc, &mut parameters);
                self.parameter(&what, parameter);
            }
        }
    }

    fn parameter(&mut self, what: &str, parameter: &ActionParameter) {
        let name = &parameter.name;
        match &parameter.kind {
            ActionParameterKind::Plot => {}
            ActionParameterKind::Real { low, high, .. } if !is_range(*low, *high) => {
                self.range(what, name, *low, *high)
            }
            ActionParameterKind::Real { low, high, offered } => {
                let outside = offered.iter().find(|value| !(low..=high).contains(value));
                if let Some(value) = outside {
                    let problem = self.defect(what, name, "offers a value that it does not allow");
                    problem.value = Some(value.to_string());
                    problem.expected = Some(format!("numbers from {low} to {high}").into());
                }
                if offered.is_empty() {
                    self.defect(what, name, "offers no value").expected =
                        Some(format!("numbers from {low} to {high}").into());
                }
            }
            ActionParameterKind::Choice(words) if words.is_empty() => {
                self.defect(what, name, "has no choices").expected = Some("at least one word".into());
            }
            ActionParameterKind::Choice(words) => {
                let mut seen = HashSet::new();
                if let Some(word) = words.iter().find(|word| !is_name(word) || !seen.insert(word.as_str())) {
                    let problem = self.defect(what, name, "has an invalid or duplicate word");
                    problem.value = Some(format!("\"{}\"", word.escape_debug()));
                    problem.expected = Some("different words without spaces, brackets or quotes".into());
                }
            }
        }
    }

    fn events(&mut self) {
        let part = self.part;
        let mut seen = HashSet::new();
        for event in &part.events {
            self.name("event", &event.name, &event.doc, &mut seen);
            if event.per_step == 0 || event.per_step > MAX_EVENTS_PER_STEP {
                let problem = self.defect("event", &event.name, "has an invalid maximum per step");
                problem.value = Some(event.per_step.to_string());
                problem.expected = Some(format!("a number from 1 to {MAX_EVENTS_PER_STEP}").into());
            }
        }
    }
}

/// Whether a name can be written in configurations, actions and texts.
fn is_name(name: &str) -> bool {
    // Invisible characters, including those that change the writing direction.
    let is_unseen =
        |c: char| matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
    let is_sign = |c: char| !c.is_whitespace() && !c.is_control() && !is_unseen(c) && !NOT_IN_NAMES.contains(&c);
    let stem = name.split('#').next().unwrap_or_default();
    !stem.is_empty() && name.len() <= MAX_NAME_BYTES && name.matches('#').count() <= 1 && name.chars().all(is_sign)
}

fn is_range(low: f64, high: f64) -> bool {
    low <= high
}
