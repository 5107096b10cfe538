//! Monitors. A monitor records a variable over time, and applies a function to it.
//!
//! A monitor is the tuple `(field, entity, variable, function, title, range)` from the Farm-gym paper (section *Monitoring*), with resolved
//! names. A monitor only reads. The caller stores the values, outside any step. In a game file,
//!
//! ```yaml
//! monitoring:
//!   - [Field-0, Soil-0, available_N#g, sum, Available nitrogen, range_auto]
//!   - {variable: [Field-0, Plant-0, size#cm, ['(0, 0)']], title: Size, range: [0, 200]}
//! ```

mod errors;

use serde_json::{Value as Json, json};
use serde_yaml::Value;

use crate::condition::{ConditionError, Function, number};
use crate::config::{NameError, ParameterError, Path, Problem, Problems, Segment, to_inline_yaml};
use crate::declare::{Labels, Names, Quantity, Reference, ValueKind, parse_range};
use crate::part::Context;
use crate::state::{Reader, StateSlice};

pub use errors::MonitorError;

/// The functions by name, with their names in the Farm-gym paper.
const FUNCTIONS: [(&str, &str); 8] = [
    ("value", "value"),
    ("sum", "sum_value"),
    ("mean", "mean_value"),
    ("min", "min_value"),
    ("max", "max_value"),
    ("count", "count_value"),
    ("fraction", "fraction_value"),
    ("matrix", "mat2d_value"),
];

const KEYS: [&str; 7] = ["field", "entity", "variable", "function", "of", "title", "range"];

/// How to write a monitor, for errors.
pub(crate) const FORM: &str = "`[field, entity, variable, function, title, range]`, for example `[Field-0, ENTITY-0, name#unit, sum, A title, \
                    range_auto]`, or `{variable: [field, entity, name, path], function: sum, title: …, range: [low, high]}`";

/// The words that let the chart choose the range.
const AUTOMATIC: [&str; 2] = ["auto", "range_auto"];

/// The functions for a variable whose values are words.
const OF_WORDS: &str = "`[count, [word]]` or `[fraction, [word]]` for the number or share of values with a word, or `matrix` for all values";

/// A monitored variable, with the values to read and how to display them.
///
/// ```
/// use farm_core::{Environment, Monitor};
/// # mod farm { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/documentation/farm.rs")); }
/// # let game = farm::game("Tanks: {}");
///
/// // A game names its monitors (`game.monitors()`). This is one for each variable; here, the mean over the plots.
/// let monitors = Monitor::every(&game);
/// let mut environment = Environment::new(game.clone());
/// environment.step("fill(plot=(0, 0))").unwrap();
/// let mut water = [0.0];
/// monitors[0].read(&game.reader(environment.state()), &mut water);
/// assert_eq!((monitors[0].function(), water), ("mean", [62.5]));
/// ```
#[derive(Debug, Clone, PartialEq, farm_macros::Getters)]
pub struct Monitor {
    /// The monitor's title. Titles in a list are unique.
    pub(crate) title: String,
    /// The unit of the numbers; empty if they have no unit.
    pub(crate) unit: String,
    /// The function's name: `value`, `sum`, `mean`, `min`, `max`, `count`, `fraction` or `matrix`.
    pub(crate) function: &'static str,
    /// The lowest and highest values shown in charts; `None` if the charts choose the range.
    pub(crate) range: Option<(f64, f64)>,
    /// The shape of the values. For `matrix`, this is the variable's shape: `[length, width]` for one value per plot, x-major. Empty for a
    /// single number.
    pub(crate) shape: Vec<usize>,
    /// The variable.
    pub(crate) variable: Reference,
    /// The kind of the variable's values.
    pub(crate) kind: ValueKind,
    input: MonitorInput,
    /// How values are reduced to one; `None` to read all values.
    reduction: Option<Function>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum MonitorInput {
    State(StateSlice),
    Step,
    /// The number of steps left until this limit.
    Remaining(u32),
}

impl Monitor {
    /// Reads a monitor from a configuration value, which is a list or a mapping, and reports its problems. `max_steps` is the step
    /// limit in the rules.
    pub fn new(
        value: &Value,
        path: &Path,
        names: Names<'_>,
        max_steps: Option<u32>,
        problems: &mut Problems,
    ) -> Option<Self> {
        let parts = match value {
            Value::Sequence(items) => WrittenMonitor::from_list(items, path, &names),
            Value::Mapping(_) => WrittenMonitor::from_mapping(value, path, problems),
            _ => None,
        };
        let Some(mut written) = parts else {
            problems.push(
                Problem::new(MonitorError::NotAMonitor, path.clone(), "this is not a valid monitor")
                    .value(to_inline_yaml(value))
                    .expected(FORM),
            );
            return None;
        };
        let before = problems.0.len();
        let (range, title) = (written.range(problems), written.title(problems));
        let function = written.function(problems);
        let reference = written.variable(&names, path, problems);
        if problems.0[before..].iter().any(|problem| problem.severity == crate::config::Severity::Error) {
            return None;
        }
        let (word, of) = function?;
        let reference = reference?;
        let (kind, shape) = names.kind_and_shape(&reference);
        let input = match reference.quantity {
            Quantity::Step => MonitorInput::Step,
            Quantity::Remaining => MonitorInput::Remaining(max_steps.unwrap_or(u32::MAX)),
            Quantity::Variable(_) => MonitorInput::State(StateSlice::of(&reference, names.parts)?),
            Quantity::Observable(_) => {
                let message = format!("`{}` is computed only when it is observed", reference.name);
                problems.push(
                    Problem::new(NameError::ComputedVariable, written.name_path(), message)
                        .expected("a state variable"),
                );
                return None;
            }
        };
        let values = match input {
            MonitorInput::State(source) => source.len(),
            MonitorInput::Step | MonitorInput::Remaining(_) => 1,
        };
        let misfit = match word {
            "value" if values != 1 => Some((
                "several values, but `value` shows only one",
                "a plot or an index, `[value, [0, 0]]`, or one of sum, mean, min, max, count, fraction, matrix",
            )),
            "matrix" if shape.is_empty() || reference.element.is_some() => {
                Some(("a single value, but `matrix` shows several", "`value`"))
            }
            "sum" if is_words(&kind) => Some(("words as values, which have no sum", OF_WORDS)),
            "mean" if is_words(&kind) => Some(("words as values, which have no mean", OF_WORDS)),
            _ => None,
        };
        if let Some((what, expected)) = misfit {
            problems.push(
                Problem::new(
                    ConditionError::WrongFunction,
                    written.function_path(),
                    format!("`{}` has {what}", reference.name),
                )
                .value(reference.name.as_str())
                .expected(expected),
            );
            return None;
        }
        let mut numbers = Vec::new();
        let form = names.value_form(&reference);
        for (value, path) in &of {
            numbers.push(number(value, &form, path, problems)?);
        }
        let of = of.iter().map(|(value, _)| to_inline_yaml(value)).collect::<Vec<_>>().join(", ");
        Some(Self::resolved(word, numbers, &of, (reference, kind, shape), input, title, range))
    }

    /// Creates a monitor from resolved names, and adds a title if there is none.
    pub(crate) fn resolved(
        word: &'static str,
        numbers: Vec<f64>,
        of: &str,
        (variable, kind, shape): (Reference, ValueKind, Vec<usize>),
        input: MonitorInput,
        title: Option<String>,
        range: Option<(f64, f64)>,
    ) -> Self {
        let reduction = match word {
            "sum" => Some(Function::Sum),
            "mean" => Some(Function::Mean),
            "min" => Some(Function::Min),
            "max" => Some(Function::Max),
            "count" => Some(Function::Count(numbers)),
            "fraction" => Some(Function::Fraction(numbers)),
            "matrix" => None,
            _ => Some(Function::Value),
        };
        let unit = match word {
            "count" => "nb",
            "fraction" => "",
            // Units such as `int365` only limit integers; they are not units of a quantity.
            _ => variable.name.split_once('#').map_or("", |(_, unit)| unit.split(['(', '[']).next().unwrap_or("")),
        };
        let unit = if unit.starts_with("int") { "" } else { unit };
        let title = title.unwrap_or_else(|| match word {
            "value" => variable.name.clone(),
            _ if of.is_empty() => format!("{} ({word})", variable.name),
            _ => format!("{} ({word} of {of})", variable.name),
        });
        let shape = if word == "matrix" { shape } else { Vec::new() };
        Self { title, unit: unit.to_owned(), function: word, range, shape, variable, kind, input, reduction }
    }

    /// The number of values that the monitor reads.
    pub fn len(&self) -> usize {
        self.shape.iter().product()
    }

    /// Whether the monitor reads no values, as for a matrix without plots.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Reads the numbers from a state into `out`, as far as they fit; categories and flags are read as numbers. Allocates
    /// nothing.
    pub fn read(&self, reader: &Reader<'_>, out: &mut [f64]) {
        match (self.input, &self.reduction) {
            (MonitorInput::State(source), None) => {
                out.iter_mut().zip(source.values(reader)).for_each(|(slot, value)| *slot = value);
            }
            (input, reduction) => {
                let value = match (input, reduction) {
                    (MonitorInput::Step, _) => f64::from(reader.step),
                    (MonitorInput::Remaining(limit), _) => f64::from(limit.saturating_sub(reader.step)),
                    (MonitorInput::State(source), Some(function)) if !source.is_empty() => {
                        function.reduce(source, reader)
                    }
                    (MonitorInput::State(_), _) => f64::NAN,
                };
                out.iter_mut().take(1).for_each(|slot| *slot = value);
            }
        }
    }

    /// Computes the monitor's number from a variable's current values, while parts can still write. Returns `None` if the monitor reads
    /// something else, or several numbers. Allocates nothing.
    #[inline]
    pub fn value_in(&self, c: &Context<'_>) -> Option<f64> {
        match (self.input, &self.reduction) {
            (MonitorInput::State(source), Some(function)) if !source.is_empty() => {
                Some(function.reduce_in(source, c.cells()))
            }
            _ => None,
        }
    }

    /// The lowest and highest numbers that [`Monitor::value_in`] can return, given the variable's range.
    pub fn bounds(&self) -> Option<(f64, f64)> {
        match (self.input, &self.reduction) {
            (MonitorInput::State(source), Some(function)) => Some(function.bounds(source.len(), self.kind.range())),
            _ => None,
        }
    }

    /// The words for the numbers at an index, if these numbers represent words.
    pub fn labels(&self, index: usize) -> Option<&Labels> {
        // If there are several lists of words, the minimum may come from any list.
        let is_one_kind = self.kind.lists().is_some_and(|lists| lists.len() == 1);
        let is_value =
            matches!(self.function, "value" | "matrix") || matches!(self.function, "min" | "max") && is_one_kind;
        let index = self.variable.element.unwrap_or(index);
        self.kind.labels(index).filter(|labels| is_value && matches!(labels, Labels::Named(_)))
    }
}

/// The monitors in a list, with unique titles. Also reports their problems.
pub fn list(values: &[Value], names: Names<'_>, max_steps: Option<u32>, problems: &mut Problems) -> Vec<Monitor> {
    let root = Path::default().child("monitoring");
    let mut monitors: Vec<Monitor> = Vec::new();
    for (i, value) in values.iter().enumerate() {
        let path = root.child(i);
        let Some(monitor) = Monitor::new(value, &path, names, max_steps, problems) else { continue };
        if monitors.iter().any(|other| other.title == monitor.title) {
            let message = format!("two monitors have the title `{}`", monitor.title);
            problems.push(
                Problem::new(MonitorError::WrongTitle, path, message)
                    .value(to_inline_yaml(value))
                    .expected("a different title for each of them"),
            );
        } else {
            monitors.push(monitor);
        }
    }
    monitors
}

/// A monitor as written in the game file, with the location of each piece.
struct WrittenMonitor<'v> {
    /// The field, entity and name, or the part and name, optionally followed by a path.
    variable: Vec<(Value, Path)>,
    function: Option<(&'v Value, Path)>,
    of: Option<(&'v Value, Path)>,
    title: Option<(&'v Value, Path)>,
    range: Option<(&'v Value, Path)>,
    path: Path,
}

impl<'v> WrittenMonitor<'v> {
    /// Reads the form used in the Farm-gym paper. The farm's own parts have no field or an empty field.
    fn from_list(items: &'v [Value], path: &Path, names: &Names<'_>) -> Option<Self> {
        let empty = usize::from(items.first().is_some_and(|first| first.is_null() || first.as_str() == Some("")));
        let word = |i: usize| items.get(empty + i).and_then(Value::as_str);
        let used = match word(0)? {
            "step" | "remaining" => 1,
            first => names.part(first, word(1)).map_or(3, |(_, used)| used + 1),
        };
        let place = |i: usize| items.get(i).map(|value| (value, path.child(i)));
        let named = (empty + used).min(items.len());
        let mut variable: Vec<(Value, Path)> =
            (empty..named).filter_map(place).map(|(value, path)| (value.clone(), path)).collect();
        // The public implementation has a path between the name and the function.
        let has_path = items.len() == named + 4;
        if has_path {
            variable.extend(place(named).map(|(value, path)| (value.clone(), path)));
        }
        let next = named + usize::from(has_path);
        (items.len() <= next + 3).then(|| Self {
            variable,
            function: place(next),
            of: None,
            title: place(next + 1),
            range: place(next + 2),
            path: path.clone(),
        })
    }

    fn from_mapping(value: &'v Value, path: &Path, problems: &mut Problems) -> Option<Self> {
        let mut meant = Vec::new();
        for key in value.as_mapping()?.keys().map(to_inline_yaml).filter(|key| !KEYS.contains(&key.as_str())) {
            let problem =
                Problem::new(ParameterError::UnknownKey, path.child(&key), format!("unknown key `{key}` in a monitor"));
            let problem = problem.value(&key).about_name().among(&key, KEYS);
            meant.extend(problem.nearest.clone());
            problems.push(problem);
        }
        let entry = |key: &str| value.get(key).map(|value| (value, path.child(key)));
        let mut variable = Vec::new();
        for key in ["field", "entity"] {
            let named = entry(key).filter(|(value, _)| !value.is_null() && value.as_str() != Some(""));
            variable.extend(named.map(|(value, path)| (value.clone(), path)));
        }
        match entry("variable") {
            Some((Value::Sequence(items), path)) => {
                variable.extend(items.iter().enumerate().map(|(i, item)| (item.clone(), path.child(i))));
            }
            Some((single, path)) => variable.push((single.clone(), path)),
            // A misspelt key has already been reported, so it is not also reported as missing.
            None if !meant.is_empty() => {}
            None => {
                let problem = Problem::new(ParameterError::MissingKey, path.clone(), "`variable` is missing")
                    .value(to_inline_yaml(value));
                problems.push(problem.expected(FORM));
                variable.clear();
            }
        }
        let [function, of, title, range] = ["function", "of", "title", "range"].map(entry);
        Some(Self { variable, function, of, title, range, path: path.clone() })
    }

    fn function_path(&self) -> Path {
        self.function.as_ref().map_or_else(|| self.path.clone(), |(_, path)| path.clone())
    }

    fn name_path(&self) -> Path {
        let names = self.variable.iter().rev().find(|(value, _)| value.is_string());
        names.map_or_else(|| self.path.clone(), |(_, path)| path.clone())
    }

    /// The function's canonical name, and the values that it counts. If the function contains a plot, the plot becomes part of the
    /// variable.
    fn function(&mut self, problems: &mut Problems) -> Option<(&'static str, Vec<(&'v Value, Path)>)> {
        let Some((value, path)) = self.function.clone().filter(|(value, _)| !value.is_null()) else {
            return Some(("value", Vec::new()));
        };
        let is_plot =
            |value: &Value| value.is_number() || value.as_str().is_some_and(|text| text.trim().starts_with('('));
        let (word, arguments): (&str, Vec<(&Value, Path)>) = match value {
            plot if is_plot(plot) => ("value", vec![(plot, path.clone())]),
            Value::String(word) => (word, Vec::new()),
            Value::Sequence(items) => {
                let placed = |from: usize| items.iter().enumerate().skip(from).map(|(i, item)| (item, path.child(i)));
                match items.first() {
                    // A path in the same form as in conditions: `['(0, 0)']`.
                    Some(text @ Value::String(_)) if is_plot(text) => ("value", placed(0).collect()),
                    Some(Value::String(word)) => (word, placed(1).collect()),
                    _ => ("value", vec![(value, path.clone())]),
                }
            }
            _ => ("", Vec::new()),
        };
        let Some((word, _)) = FUNCTIONS.iter().find(|(name, alias)| *name == word || *alias == word) else {
            let problem = Problem::new(
                ConditionError::WrongFunction,
                path,
                format!("unknown function `{}`", to_inline_yaml(value)),
            )
            .value(to_inline_yaml(value));
            let problem = problem.among(word, FUNCTIONS.map(|(name, _)| name));
            let is_code = word.contains("lambda") || word.contains("def ");
            let help = "pass your own functions in Python, to `env.add_monitoring`";
            problems.push(if is_code { problem.help(help) } else { problem });
            return None;
        };
        let mut of: Vec<(&Value, Path)> = self.of.clone().into_iter().collect();
        match *word {
            "value" => {
                let steps = arguments.iter().map(|(step, _)| (*step).clone()).collect::<Vec<_>>();
                if !steps.is_empty() {
                    self.variable.push((Value::Sequence(steps), path.clone()));
                }
            }
            "count" | "fraction" => of.extend(arguments),
            _ if !arguments.is_empty() => {
                let problem =
                    Problem::new(MonitorError::WrongValues, path.clone(), format!("`{word}` takes all values"))
                        .value(to_inline_yaml(value));
                problems.push(problem.expected(format!("`{word}`, or `[value, [0, 0]]` for the value of one plot")));
            }
            _ => {}
        }
        let counts = matches!(*word, "count" | "fraction");
        let of: Vec<(&Value, Path)> = of.into_iter().flat_map(|(value, path)| flat(value, &path)).collect();
        if counts && of.is_empty() {
            let problem = Problem::new(MonitorError::WrongValues, path, format!("`{word}` needs values to look for"))
                .value(to_inline_yaml(value));
            problems.push(
                problem.expected(format!("`[{word}, [value, …]]`, or `of: [value, …]` next to `function: {word}`")),
            );
            return None;
        }
        if let (false, Some((_, path))) = (counts, of.first()) {
            let problem =
                Problem::new(MonitorError::WrongValues, path.clone(), format!("`{word}` takes no values to look for"));
            problems
                .push(problem.value(of.iter().map(|(value, _)| to_inline_yaml(value)).collect::<Vec<_>>().join(", ")));
        }
        Some((word, of))
    }

    /// The variable that is monitored.
    fn variable(&self, names: &Names<'_>, path: &Path, problems: &mut Problems) -> Option<Reference> {
        if self.variable.is_empty() {
            return None;
        }
        let value = match self.variable.as_slice() {
            [(single, _)] => single.clone(),
            several => Value::Sequence(several.iter().map(|(value, _)| value.clone()).collect()),
        };
        let mut found = Problems::default();
        let references = names.resolve(&value, &Path::default(), &mut found);
        for mut problem in found.0 {
            problem.path = match problem.path.0.first() {
                Some(Segment::Index(i)) if *i < self.variable.len() => self.variable[*i].1.clone(),
                _ if self.variable.len() == 1 => self.variable[0].1.clone(),
                _ => path.clone(),
            };
            // A monitor's form differs from a plain variable's form.
            if problem.is(NameError::NotAVariable) {
                problem = problem.expected(FORM);
            }
            problems.push(problem);
        }
        match <[Reference; 1]>::try_from(references) {
            Ok([single]) => Some(single),
            Err(several) if several.is_empty() => None,
            Err(several) => {
                let names = several.iter().map(|reference| reference.name.as_str()).collect::<Vec<_>>().join(", ");
                let problem = Problem::new(
                    NameError::AmbiguousName,
                    self.name_path(),
                    "a monitor reads one variable, but this names several",
                )
                .value(names);
                problems.push(problem.expected("one of them"));
                None
            }
        }
    }

    fn title(&self, problems: &mut Problems) -> Option<String> {
        let (value, path) = self.title.as_ref().filter(|(value, _)| !value.is_null())?;
        let title = value.as_str().map(str::trim).filter(|title| !title.is_empty());
        if title.is_none() {
            let problem = Problem::new(MonitorError::WrongTitle, path.clone(), "this is not a valid title")
                .value(to_inline_yaml(value));
            problems.push(problem.expected("a non-empty string, or no key to use the name of the variable"));
        }
        title.map(str::to_owned)
    }

    fn range(&self, problems: &mut Problems) -> Option<(f64, f64)> {
        let (value, path) = self.range.as_ref().filter(|(value, _)| !value.is_null())?;
        if value.as_str().is_some_and(|word| AUTOMATIC.contains(&word.trim())) {
            return None;
        }
        let pair = match value.as_sequence().map(Vec::as_slice) {
            Some([low, high]) => low.as_f64().zip(high.as_f64()),
            Some(_) => None,
            None => parse_range(value),
        };
        let range = pair.filter(|(low, high)| low < high && low.is_finite() && high.is_finite());
        if range.is_none() {
            let problem = Problem::new(ParameterError::WrongRange, path.clone(), "this is not a valid range")
                .value(to_inline_yaml(value));
            problems.push(problem.expected("two numbers `[low, high]`, the lower one first, or `range_auto`"));
        }
        range
    }
}

/// Whether a variable's numbers represent words.
fn is_words(kind: &ValueKind) -> bool {
    kind.lists().into_iter().flatten().any(|labels| matches!(labels, Labels::Named(_)))
}

/// The elements of a list, or the value itself if it is not a list, each with its location.
fn flat<'v>(value: &'v Value, path: &Path) -> Vec<(&'v Value, Path)> {
    match value {
        Value::Sequence(items) => items.iter().enumerate().map(|(i, item)| (item, path.child(i))).collect(),
        single => vec![(single, path.clone())],
    }
}

/// The JSON Schema for a monitor's form.
pub(crate) fn schema() -> Json {
    let words = FUNCTIONS.iter().flat_map(|(word, alias)| [*word, *alias]).collect::<Vec<_>>();
    let range = json!({
        "anyOf": [
            {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2},
            {"enum": AUTOMATIC},
            {"type": ["string", "null"]},
        ],
        "default": AUTOMATIC[1],
        "description": "The lowest and the highest value on charts. With `range_auto`, each chart chooses its own range.",
    });
    let function = json!({
        "anyOf": [{"enum": words}, {"type": ["array", "integer", "string", "null"]}],
        "default": "value",
        "description": "The function of the values: one of them (`[value, [0, 0]]` for one of several), their sum, mean, min or max, the \
                        number or share that has certain values (`[count, [word]]`, `[fraction, [word]]`), or all (`matrix`).",
    });
    let text = |what: &str| json!({"type": ["string", "null"], "description": what});
    json!({
        "anyOf": [
            {"type": "array", "minItems": 2, "maxItems": 7},
            {
                "type": "object",
                "properties": {
                    "field": text("The field. Leave it out for a part of the farm."),
                    "entity": text("The part."),
                    "variable": {
                        "type": ["string", "array"],
                        "description": "The name next to `field` and `entity`, or `[field, entity, name, path]` without them.",
                    },
                    "function": function,
                    "of": {"description": "The values that `count` and `fraction` look for."},
                    "title": text("The title. Default: the name of the variable."),
                    "range": range,
                },
                "required": ["variable"],
                "additionalProperties": false,
            },
        ],
        "description": "`[field, entity, variable, function, title, range]`, or the same as a mapping.",
    })
}
