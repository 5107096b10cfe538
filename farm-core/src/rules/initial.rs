//! Initial conditions: the values that the rules set at the start of an episode.

use serde_yaml::Value;

use super::{RuleBuilder, RuleError};
use crate::condition::number;
use crate::config::{NameError, ParameterError, Path, Problem, to_inline_yaml};
use crate::declare::{UsualStart, ValueForm, VariableInfo, parse_range};
use crate::rng::{Purpose, Stream, hash_name};
use crate::state::{Cells, Column, Region, StateSlice};

/// An initial condition.
#[derive(Debug, Clone)]
pub struct Initial {
    source: StateSlice,
    purpose: Purpose,
    values: InitialValues,
    whole: bool,
}

#[derive(Debug, Clone)]
enum InitialValues {
    /// One of these values, drawn for each entry if there are several.
    Among(Vec<f64>),
    /// Uniform in a closed range, drawn separately for each entry.
    Between(f64, f64),
}

impl Initial {
    /// The lowest and highest values, if this condition sets all values in the column.
    pub(crate) fn range_of(&self, column: Column<i32>) -> Option<(i32, i32)> {
        if self.source.region() != Region::Counts || self.source.column::<i32>() != column {
            return None;
        }
        Some(match &self.values {
            InitialValues::Among(values) => {
                let ends = values.iter().fold((f64::MAX, f64::MIN), |(low, high), v| (low.min(*v), high.max(*v)));
                (ends.0 as i32, ends.1 as i32)
            }
            InitialValues::Between(low, high) => (*low as i32, *high as i32),
        })
    }

    /// Whether this condition sets the variable, or at least some of the variable's values.
    pub(crate) fn is_of(&self, variable: &VariableInfo) -> bool {
        let (region, start, len) = variable.slot;
        self.source.index_within(StateSlice::new(region, start, len), 0).is_some()
    }

    pub(crate) fn apply(&self, cells: &Cells<'_>, seed: u64) {
        let mut stream = Stream::keyed(seed, const { hash_name("rules") }, 0, self.purpose);
        for i in 0..self.source.len() {
            let value = match &self.values {
                InitialValues::Among(values) => values[stream.index(values.len() as u32) as usize],
                InitialValues::Between(low, high) if self.whole => {
                    f64::from(stream.integer_in(*low as i32, *high as i32))
                }
                InitialValues::Between(low, high) => stream.uniform_in(*low, *high),
            };
            match self.source.region() {
                Region::Reals => cells.get(self.source.column::<f64>())[i].set(value),
                Region::Counts => cells.get(self.source.column::<i32>())[i].set(value as i32),
                Region::Bytes => cells.get(self.source.column::<u8>())[i].set(value as u8),
            }
        }
    }
}

impl RuleBuilder<'_> {
    /// Initial conditions `{field: {entity: {variable: value | [choices] | "(low, high)"}}}`; farm-level parts have no field.
    /// A single value applies to every entry of a variable; `{'(2, 3)': value}` sets one plot.
    pub fn initial_conditions(&mut self, value: &Value, key: &str) -> Vec<Initial> {
        let mut initial = Vec::new();
        self.visit_parts(value, &self.path.child(key), &mut |this, part, variables, path| {
            for (name, value) in variables {
                let name = name.as_str().unwrap_or("?");
                this.initial_value((part, name), &[], value, &path.child(name), &mut initial);
            }
        });
        initial
    }

    fn initial_value(
        &mut self,
        (part, name): (usize, &str),
        steps: &[&Value],
        value: &Value,
        path: &Path,
        initial: &mut Vec<Initial>,
    ) {
        if let Value::Mapping(keys) = value {
            for (key, value) in keys {
                let word = key.as_str().map_or_else(|| to_inline_yaml(key), str::to_owned);
                let path = path.child(&word);
                // A plot or an index selects one value; other keys are the names of a group.
                if word == "*" {
                    self.initial_value((part, name), steps, value, &path, initial);
                } else if key.is_number() || word.starts_with('(') {
                    let longer: Vec<&Value> = steps.iter().copied().chain([key]).collect();
                    self.initial_value((part, name), &longer, value, &path, initial);
                } else {
                    self.initial_value((part, &format!("{name}.{word}")), steps, value, &path, initial);
                }
            }
            return;
        }
        let before = self.problems.0.len();
        let references = self.names.resolve_in(part, name, steps, path, self.problems);
        self.problems.0[before..].iter_mut().for_each(|problem| problem.is_about_name = true);
        for reference in references {
            let form = self.names.value_form(&reference);
            let Some(source) = StateSlice::of(&reference, self.names.parts) else {
                self.problems.push(
                    Problem::new(
                        NameError::ComputedVariable,
                        path.clone(),
                        format!("`{}` is computed and can't be set", reference.name),
                    )
                    .value(&reference.name)
                    .about_name()
                    .help("set the variables that it is computed from"),
                );
                continue;
            };
            let range = parse_range(value).or_else(|| range_of_days(value, &form));
            if let Some(problem) = not_a_form(value, &form, path).filter(|_| range.is_none()) {
                self.problems.push(problem);
                continue;
            }
            let values = match (range, value) {
                (Some((low, high)), _) => Some(InitialValues::Between(low, high)),
                (None, Value::Sequence(items)) if !items.is_empty() => {
                    let numbers =
                        items.iter().enumerate().map(|(i, v)| number(v, &form, &path.child(i), self.problems));
                    numbers.collect::<Option<Vec<f64>>>().map(InitialValues::Among)
                }
                (None, single) => number(single, &form, path, self.problems).map(|n| InitialValues::Among(vec![n])),
            };
            let Some(values) = values else { continue };
            let extremes = match &values {
                InitialValues::Among(values) => values.clone(),
                InitialValues::Between(low, high) => vec![*low, *high],
            };
            let whole = form.kind.is_whole();
            if whole && extremes.iter().any(|v| v.fract() != 0.0) {
                let problem = Problem::new(NameError::WrongValue, path.clone(), "this is not a value of the variable")
                    .value(to_inline_yaml(value));
                self.problems.push(problem.expected("an integer"));
                continue;
            }
            let (low, high) = form.kind.common_range();
            if let Some(at) = extremes.iter().position(|v| *v < low || *v > high) {
                let item = value.as_sequence().and_then(|items| items.get(at));
                let place = if item.is_some() { path.child(at) } else { path.clone() };
                self.problems.push(
                    Problem::new(ParameterError::ValueOutOfRange, place, "the value is out of range")
                        .value(to_inline_yaml(item.unwrap_or(value)))
                        .expected(format!("a number from {low} to {high}")),
                );
                continue;
            }
            let is_outside = |usual: &&UsualStart| {
                let (low, high) = (usual.low, usual.high);
                extremes.iter().all(|v| *v < low && *v != 0.0) || extremes.iter().all(|v| *v > high)
            };
            if let Some(usual) = self.names.usual_start(&reference).filter(is_outside) {
                let problem = Problem::new(RuleError::ImplausibleStart, path.clone(), &usual.message);
                self.problems.push(problem.value(to_inline_yaml(value)).expected(&usual.usual).warning());
            }
            initial.push(Initial { source, purpose: Purpose::named(&reference.name), values, whole });
        }
    }
}

/// A range of days of the year in which one or both ends are dates.
fn range_of_days(value: &Value, form: &ValueForm) -> Option<(f64, f64)> {
    let inner = value.as_str()?.trim().strip_prefix('(')?.strip_suffix(')')?;
    // A date may contain a comma before its year.
    let mut ends = inner.match_indices(',').map(|(i, _)| (form.read_end(&inner[..i]), form.read_end(&inner[i + 1..])));
    let (low, high) = ends.find_map(|(low, high)| low.zip(high))?;
    (low <= high).then_some((low, high))
}

/// The problem to report for a value that has no valid form. Words are not checked, because they may be values of the variable.
fn not_a_form(value: &Value, form: &ValueForm, path: &Path) -> Option<Problem> {
    let forms = format!("{}, a list `[a, b]` to draw from, or a range `(low, high)`", form.noun());
    let problem = |code: ParameterError, message: &str| {
        Problem::new(code, path.clone(), message).value(to_inline_yaml(value)).expected(&forms)
    };
    let text = match value {
        Value::Sequence(items) if items.is_empty() => {
            return Some(problem(ParameterError::EmptyList, "the list is empty, so there is nothing to draw from"));
        }
        Value::String(text) => text.trim(),
        _ => return None,
    };
    let pair = |text: &str, sign: char| -> Option<(f64, f64)> {
        let (low, high) = text.split_once(sign)?;
        Some((form.read_end(low)?, form.read_end(high)?))
    };
    if let Some(inner) = text.strip_prefix('(').map(|rest| rest.trim_end_matches(')')) {
        return Some(match pair(inner, ',') {
            Some((low, high)) if low > high => {
                let problem = problem(ParameterError::WrongRange, "the range starts above its end");
                problem.help(format!("write the lower number first, `({high}, {low})`"))
            }
            _ => problem(ParameterError::WrongRange, "this is not a range")
                .help("a range has two numbers, `(0, 9)`, and is quoted within `{…}`"),
        });
    }
    let (low, high) = pair(text, '-').or_else(|| pair(&text.replacen("..", "-", 1), '-'))?;
    (low <= high)
        .then(|| problem(ParameterError::WrongRange, "this is not a range").help(format!("write `({low}, {high})`")))
}
