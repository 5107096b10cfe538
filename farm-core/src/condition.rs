//! Conditions on the state: stopping conditions of the rules, triggers of policies.
//!
//! A formula is a list (OR) of lists (AND) of conditions `{state_variable, function, operator, ref_value}`.

use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use serde_yaml::Value;

use crate::config::{ParameterKind, ParameterValue, Path, Problem, Problems, show};
use crate::declare::ValueKind;
use crate::reference::{Names, Quantity, Reference, Source};
use crate::state::{Cells, Reader};

/// How several values become one.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Function {
    /// The single value, or in a per-plot formula the value at the plot.
    Value,
    Sum,
    Mean,
    Min,
    Max,
    /// How many values are among these.
    Count(Vec<f64>),
    /// Which share of the values is among these.
    Fraction(Vec<f64>),
}

impl Function {
    /// What the function makes of all values of a source; of `value` the first.
    pub(crate) fn reduce(&self, source: Source, reader: &Reader<'_>) -> f64 {
        let values = || source.values(reader);
        match self {
            Self::Value => source.get(reader, 0),
            Self::Sum => values().sum(),
            Self::Mean => values().sum::<f64>() / source.len() as f64,
            Self::Min => values().fold(f64::INFINITY, f64::min),
            Self::Max => values().fold(f64::NEG_INFINITY, f64::max),
            Self::Count(of) => values().filter(|v| of.contains(v)).count() as f64,
            Self::Fraction(of) => values().filter(|v| of.contains(v)).count() as f64 / source.len() as f64,
        }
    }
}

const FUNCTIONS: [&str; 7] = ["value", "sum", "mean", "min", "max", "count", "fraction"];

/// How a value is compared.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Operator {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    In,
    NotIn,
    /// The values contain all of these; the only comparison that `value` makes with several values.
    Contains,
    ContainsNot,
}

const OPERATORS: [(&str, Operator); 10] = [
    ("==", Operator::Equal),
    ("!=", Operator::NotEqual),
    ("<", Operator::Less),
    ("<=", Operator::LessOrEqual),
    (">", Operator::Greater),
    (">=", Operator::GreaterOrEqual),
    ("in", Operator::In),
    ("ni", Operator::Contains),
    ("not in", Operator::NotIn),
    ("not ni", Operator::ContainsNot),
];

impl Operator {
    /// Whether no value of a closed range compares so with the references.
    fn never_holds(self, references: &[f64], (low, high): (f64, f64)) -> bool {
        let outside = |reference: &f64| *reference < low || *reference > high;
        let reference = references[0];
        match self {
            Self::Equal | Self::In => references.iter().all(outside),
            Self::Contains => references.iter().any(outside),
            Self::ContainsNot => low == high && references.iter().all(|r| *r == low),
            Self::NotEqual | Self::NotIn => low == high && references.contains(&low),
            Self::Less => low >= reference,
            Self::LessOrEqual => low > reference,
            Self::Greater => high <= reference,
            Self::GreaterOrEqual => high < reference,
        }
    }
}

/// What conditions look like.
const EXAMPLE: &str = "- [{state_variable: [field, entity, name, path], operator: '>=', ref_value: 1}]";

const KEYS: [&str; 5] = ["state_variable", "function", "of", "operator", "ref_value"];

/// Conditions as a parameter holds them, before there is a game to look up their names in.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Conditions(pub Value);

impl ParameterValue for Conditions {
    fn kind() -> ParameterKind {
        ParameterKind::Conditions
    }
}

/// The JSON Schema of conditions, as far as their form goes.
pub(crate) fn schema() -> Json {
    let words = OPERATORS.map(|(word, _)| word);
    let of_each_key = [
        json!({
            "type": ["array", "string"],
            "description": "[field, entity, variable, path], or `step` or `remaining`.",
        }),
        json!({"enum": FUNCTIONS, "default": "value", "description": "How several values become one."}),
        json!({"description": "The values that `count` and `fraction` look for."}),
        json!({"enum": words, "description": "How the value is compared."}),
        json!({"description": "What it is compared with; perhaps a list of values with `in` and `ni`."}),
    ];
    let properties: serde_json::Map<String, Json> = KEYS.map(str::to_owned).into_iter().zip(of_each_key).collect();
    let condition = json!({
        "type": "object",
        "properties": properties,
        "required": ["state_variable", "operator", "ref_value"],
        "additionalProperties": false,
    });
    json!({"type": ["array", "null"], "items": {"type": "array", "items": condition}})
}

/// One comparison.
#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    source: Input,
    function: Function,
    operator: Operator,
    /// What the value is compared with; the first of `references`.
    reference: f64,
    references: Vec<f64>,
    /// What is looked at.
    pub variable: Reference,
    text: String,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Input {
    /// One value as it is: the usual case, kept short.
    One(Source),
    State {
        source: Source,
        per_plot: bool,
    },
    Step,
    Remaining,
}

/// OR of ANDs.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Formula(pub Vec<Vec<Condition>>);

impl Formula {
    /// Parses a list of lists of conditions. A formula that is evaluated plot by plot may compare per-plot variables
    /// with `value`; otherwise `value` needs a single value.
    pub fn parse(value: &Value, names: Names<'_>, plot_by_plot: bool, path: &Path, problems: &mut Problems) -> Self {
        let Some(clauses) = value.as_sequence() else {
            problems.push(
                Problem::new(path.clone(), "conditions are a list (or) of lists (and)")
                    .value(show(value))
                    .expected(EXAMPLE),
            );
            return Self::default();
        };
        let parse_clause = |(i, clause): (usize, &Value)| {
            let path = path.child(i);
            match clause.as_sequence() {
                Some(conditions) => conditions
                    .iter()
                    .enumerate()
                    .filter_map(|(j, c)| Condition::parse(c, names, plot_by_plot, &path.child(j), problems))
                    .collect(),
                None => {
                    problems.push(
                        Problem::new(path, "each entry is a list of conditions that must hold together")
                            .value(show(clause))
                            .expected(EXAMPLE),
                    );
                    Vec::new()
                }
            }
        };
        Self(clauses.iter().enumerate().map(parse_clause).collect())
    }

    /// The first clause that holds, by index.
    #[inline]
    pub fn holds(&self, reader: &Reader<'_>, max_steps: u32, plot: Option<usize>) -> Option<usize> {
        self.0.iter().position(|clause| clause.iter().all(|c| c.holds(reader, max_steps, plot)))
    }

    /// Whether all its conditions look at one value each, which needs nothing but the state.
    pub(crate) fn is_of_values(&self) -> bool {
        self.0.iter().flatten().all(|c| matches!(c.source, Input::One(_)))
    }

    /// [`Formula::holds`] of one whose conditions are all of values, while parts still write.
    #[inline]
    pub(crate) fn holds_in(&self, cells: &Cells<'_>) -> Option<usize> {
        let holds = |c: &Condition| matches!(c.source, Input::One(source) if c.compares(source.get_in(cells, 0)));
        self.0.iter().position(|clause| clause.iter().all(holds))
    }

    /// Whether a clause holds of which every condition is `seen`: what is not shown now decides nothing.
    pub fn holds_as_seen(
        &self,
        reader: &Reader<'_>,
        max_steps: u32,
        plot: Option<usize>,
        seen: impl Fn(&Condition) -> bool,
    ) -> bool {
        self.0.iter().any(|clause| clause.iter().all(|c| seen(c) && c.holds(reader, max_steps, plot)))
    }
}

impl Condition {
    fn parse(
        value: &Value,
        names: Names<'_>,
        plot_by_plot: bool,
        path: &Path,
        problems: &mut Problems,
    ) -> Option<Self> {
        let mut meant = Vec::new();
        for key in value.as_mapping().into_iter().flatten().filter_map(|(k, _)| k.as_str()) {
            if !KEYS.contains(&key) {
                let problem = Problem::new(path.child(key), format!("unknown key `{key}` in a condition"));
                let problem = problem.value(key).about_name().among(key, KEYS);
                meant.extend(problem.nearest.clone());
                problems.push(problem);
            }
        }
        // What is misspelt has been reported, and is not missing besides.
        let is_meant = |key: &str| value.get(key).is_none() && meant.iter().any(|name| name == key);
        let Some(variable) = value.get("state_variable") else {
            if is_meant("state_variable") {
                return None;
            }
            problems.push(Problem::new(path.clone(), "`state_variable` is missing").value(show(value)).expected(
                "{state_variable: [field, entity, name, path], function: value, operator: '>=', ref_value: 1}",
            ));
            return None;
        };
        let before = problems.0.len();
        let references = names.resolve(variable, &path.child("state_variable"), problems);
        let [reference] = references.as_slice() else {
            if problems.0.len() == before {
                let found: Vec<&str> = references.iter().map(|r| r.name.as_str()).collect();
                problems.push(
                    Problem::new(path.child("state_variable"), "a condition looks at one variable")
                        .value(found.join(", ")),
                );
            }
            return None;
        };
        let (kind, _) = names.kind_and_shape(reference);
        let source = match reference.quantity {
            Quantity::Step => Input::Step,
            Quantity::Remaining => Input::Remaining,
            Quantity::Observable(_) => {
                problems.push(
                    Problem::new(
                        path.child("state_variable"),
                        format!("`{}` is computed only when it is observed", reference.name),
                    )
                    .expected("a variable of the state"),
                );
                return None;
            }
            Quantity::Variable(i) => Input::State {
                source: Source::of(reference, names.parts)?,
                per_plot: reference.element.is_none() && names.parts[reference.part].variables[i].per_plot,
            },
        };
        let numbers = |key: &str, problems: &mut Problems| -> Option<Vec<f64>> {
            let Some(found) = value.get(key) else {
                if !is_meant(key) {
                    let problem = Problem::new(path.clone(), format!("`{key}` is missing")).value(show(value));
                    problems.push(problem.expected(format!("`{key}: VALUE`, or a list of values")));
                }
                return None;
            };
            let list = found.as_sequence().map_or_else(|| vec![found], |items| items.iter().collect());
            if list.is_empty() {
                let problem = Problem::new(path.child(key), "the list is empty, so the condition says nothing");
                problems.push(problem.value("[]").expected("at least one value"));
                return None;
            }
            let place = |i: usize| if found.is_sequence() { path.child(key).child(i) } else { path.child(key) };
            let numbers: Vec<Option<f64>> =
                list.into_iter().enumerate().map(|(i, v)| number(v, &kind, &place(i), problems)).collect();
            numbers.into_iter().collect()
        };
        let contains = matches!(value.get("operator").and_then(Value::as_str), Some("ni" | "not ni"));
        let name = value.get("function").map_or(Some("value"), Value::as_str).unwrap_or("?");
        let single =
            matches!(source, Input::State { source, per_plot } if !(per_plot && plot_by_plot) && source.len() != 1);
        let function = match name {
            "value" if single && is_meant("function") => None,
            // Several values can contain something; otherwise they must become one first.
            "value" if single && !contains => {
                problems.push(
                    Problem::new(
                        path.child("function"),
                        format!("`{}` has several values, and `value` compares one", reference.name),
                    )
                    .value(reference.name.as_str())
                    .expected("a path to one value, or `function:` with one of sum, mean, min, max, count, fraction"),
                );
                None
            }
            "value" => Some(Function::Value),
            "sum" => Some(Function::Sum),
            "mean" => Some(Function::Mean),
            "min" => Some(Function::Min),
            "max" => Some(Function::Max),
            "count" => numbers("of", problems).map(Function::Count),
            "fraction" => numbers("of", problems).map(Function::Fraction),
            other => {
                problems.push(
                    Problem::new(path.child("function"), format!("unknown function `{other}`"))
                        .value(other)
                        .among(other, FUNCTIONS),
                );
                None
            }
        };
        let word = value.get("operator").and_then(Value::as_str).unwrap_or_default();
        let operator = OPERATORS.iter().find(|(name, _)| *name == word).map(|(_, operator)| operator);
        let names_of_operators = OPERATORS.iter().map(|(name, _)| *name);
        match value.get("operator") {
            None if is_meant("operator") => {}
            None => {
                let problem = Problem::new(path.clone(), "`operator` is missing").value(show(value));
                problems.push(Problem { nearest: None, ..problem.among("", names_of_operators) });
            }
            Some(found) if operator.is_none() => problems.push(
                Problem::new(path.child("operator"), format!("unknown operator `{}`", show(found)))
                    .value(show(found))
                    .among(word, names_of_operators),
            ),
            Some(_) => {}
        }
        // Without a function it is unknown what kind of value is compared.
        let (Some(function), operator) = (function, operator) else { return None };
        // What `count` and `fraction` yield is a number, whatever the variable is.
        let reference_value = if matches!(function, Function::Count(_) | Function::Fraction(_)) {
            let plain = ValueKind::Real { low: f64::MIN, high: f64::MAX };
            match value.get("ref_value") {
                Some(found) => vec![number(found, &plain, &path.child("ref_value"), problems)?],
                None => numbers("ref_value", problems)?,
            }
        } else {
            numbers("ref_value", problems)?
        };
        let operator = operator?;
        if reference_value.len() != 1 && !contains && !matches!(operator, Operator::In | Operator::NotIn) {
            problems.push(
                Problem::new(path.child("ref_value"), format!("`{word}` compares with one value"))
                    .value(value.get("ref_value").map(show).unwrap_or_default())
                    .expected("one value, or the operator `in`"),
            );
            return None;
        }
        let range = match (&function, source) {
            (_, Input::Step | Input::Remaining) => (0.0, f64::INFINITY),
            (Function::Count(_), Input::State { source, .. }) => (0.0, source.len() as f64),
            (Function::Fraction(_), _) => (0.0, 1.0),
            (Function::Sum, Input::State { source, .. }) => {
                let (low, high) = kind.range();
                (low * source.len() as f64, high * source.len() as f64)
            }
            _ => kind.range(),
        };
        if operator.never_holds(&reference_value, range) {
            let (low, high) = range;
            problems.push(
                Problem::new(path.child("ref_value"), "this condition can never hold")
                    .value(value.get("ref_value").map(show).unwrap_or_default())
                    .expected(format!("something that values from {low} to {high} can meet"))
                    .help("change the reference value, or leave the condition out")
                    .warning(),
            );
        }
        let compared = value.get("ref_value").map(show).unwrap_or_default();
        let text = match (&function, value.get("of")) {
            (Function::Value, _) => format!("{} {word} {compared}", reference.name),
            (_, Some(of)) => format!("{name} of {} in {} {word} {compared}", show(of), reference.name),
            (_, None) => format!("{name} of {} {word} {compared}", reference.name),
        };
        let source = match source {
            Input::State { source, per_plot: false } if function == Function::Value && source.len() == 1 => {
                Input::One(source)
            }
            other => other,
        };
        Some(Self {
            source,
            function,
            operator: *operator,
            reference: reference_value[0],
            references: reference_value,
            variable: reference.clone(),
            text,
        })
    }

    /// Whether it compares the value at the plot that a formula is evaluated for.
    pub fn is_per_plot(&self) -> bool {
        self.function == Function::Value && matches!(self.source, Input::State { per_plot: true, .. })
    }

    /// The condition in words.
    pub fn text(&self) -> &str {
        &self.text
    }

    #[inline]
    fn holds(&self, reader: &Reader<'_>, max_steps: u32, plot: Option<usize>) -> bool {
        let value = match self.source {
            Input::One(source) => source.get(reader, 0),
            Input::Step => f64::from(reader.step),
            Input::Remaining => f64::from(max_steps.saturating_sub(reader.step)),
            Input::State { source, per_plot } => self.reduce(source, per_plot, reader, plot),
        };
        match self.operator {
            Operator::Contains => self.contains(value, reader, plot),
            Operator::ContainsNot => !self.contains(value, reader, plot),
            _ => self.compares(value),
        }
    }

    /// Whether a value compares so with the reference.
    #[inline(always)]
    fn compares(&self, value: f64) -> bool {
        let reference = self.reference;
        match self.operator {
            Operator::Equal => value == reference,
            Operator::NotEqual => value != reference,
            Operator::Less => value < reference,
            Operator::LessOrEqual => value <= reference,
            Operator::Greater => value > reference,
            Operator::GreaterOrEqual => value >= reference,
            Operator::In => self.references.contains(&value),
            Operator::NotIn => !self.references.contains(&value),
            Operator::Contains => self.is_all(value),
            Operator::ContainsNot => !self.is_all(value),
        }
    }

    /// Whether all references are among the values looked at, or are the one value that a function makes of them.
    #[inline(never)]
    fn contains(&self, value: f64, reader: &Reader<'_>, plot: Option<usize>) -> bool {
        match (&self.function, self.source) {
            (Function::Value, Input::State { source, per_plot }) if !(per_plot && plot.is_some()) => {
                self.references.iter().all(|reference| source.values(reader).any(|value| value == *reference))
            }
            _ => self.is_all(value),
        }
    }

    /// Whether one value is all that the references ask for.
    fn is_all(&self, value: f64) -> bool {
        self.references.iter().all(|reference| *reference == value)
    }

    #[inline(never)]
    fn reduce(&self, source: Source, per_plot: bool, reader: &Reader<'_>, plot: Option<usize>) -> f64 {
        match &self.function {
            Function::Value => source.get(reader, plot.filter(|_| per_plot).unwrap_or(0)),
            function => function.reduce(source, reader),
        }
    }
}

/// The number that a YAML value means for a variable of this kind: names of categories, flags, plain numbers.
pub(crate) fn number(value: &Value, kind: &ValueKind, path: &Path, problems: &mut Problems) -> Option<f64> {
    let found = match (kind, value) {
        (ValueKind::Category(lists), Value::String(name)) => {
            let found = lists.first().and_then(|labels| labels.index(name));
            if found.is_none() {
                let names: Vec<String> =
                    lists.first().map_or(Vec::new(), |l| (0..l.len()).map(|i| l.name(i)).collect());
                problems.push(
                    Problem::new(path.clone(), format!("`{name}` is not a value of this variable"))
                        .value(name)
                        .among(name, names.iter().map(String::as_str)),
                );
                return None;
            }
            found.map(|i| i as f64)
        }
        (ValueKind::Flag, Value::Bool(flag)) => Some(f64::from(u8::from(*flag))),
        (ValueKind::Category(lists), Value::Number(n)) => {
            n.as_u64().filter(|i| lists.iter().all(|l| (*i as usize) < l.len())).map(|i| i as f64)
        }
        (_, Value::Number(n)) => n.as_f64().filter(|v| v.is_finite()),
        _ => None,
    };
    if found.is_none() {
        let expected = match kind {
            ValueKind::Real { .. } => "a finite number",
            ValueKind::Count { .. } => "a whole number",
            ValueKind::Category(_) => "one of the variable's values",
            ValueKind::Flag => "`true` or `false`",
        };
        problems
            .push(Problem::new(path.clone(), "this is no value of the variable").value(show(value)).expected(expected));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::Operator;

    /// Against trying every whole number of the range.
    #[test]
    fn a_condition_never_holds_exactly_when_no_value_of_the_range_meets_it() {
        let operators = [
            (Operator::Equal, (|v, r| v == r) as fn(f64, f64) -> bool),
            (Operator::NotEqual, |v, r| v != r),
            (Operator::Less, |v, r| v < r),
            (Operator::LessOrEqual, |v, r| v <= r),
            (Operator::Greater, |v, r| v > r),
            (Operator::GreaterOrEqual, |v, r| v >= r),
            (Operator::In, |v, r| v == r),
            (Operator::NotIn, |v, r| v != r),
            (Operator::Contains, |v, r| v == r),
            (Operator::ContainsNot, |v, r| v != r),
        ];
        for (low, high) in [(0, 0), (0, 3), (-2, 1)] {
            for reference in -4..6 {
                for (operator, holds) in operators {
                    let ever = (low..=high).any(|value| holds(f64::from(value), f64::from(reference)));
                    let never = operator.never_holds(&[f64::from(reference)], (f64::from(low), f64::from(high)));
                    assert_eq!(never, !ever, "{operator:?} {reference} in {low}..{high}");
                }
            }
        }
    }
}
