//! Parses conditions and checks them against a game's names.

use serde_json::{Value as Json, json};
use serde_yaml::Value;

use super::errors::ConditionError;
use super::observed::Observed;
use super::{Condition, ConditionInput, FUNCTIONS, Formula, Function, OPERATORS, Operator, REASON, Reading};
use crate::config::{NameError, ParameterError, Path, Problem, Problems, to_inline_yaml};
use crate::declare::{Names, Quantity, Reference, ValueForm, ValueKind};
use crate::format::alternatives;
use crate::state::StateSlice;

/// Determines which values conditions can read.
#[derive(Debug, Clone, Copy)]
enum Asker {
    /// The game's rules, which know the state.
    Rules,
    /// A player, which knows the observations.
    Player,
}

/// An example of conditions, for error messages.
const EXAMPLE: &str = "- [{state_variable: [field, entity, name, path], operator: '>=', ref_value: 1}]";

const KEYS: [&str; 6] = ["state_variable", "function", "of", "operator", "ref_value", REASON];

/// The JSON Schema for conditions. It covers only their form.
pub(crate) fn schema() -> Json {
    let words = OPERATORS.map(|(word, _)| word);
    let of_each_key = [
        json!({
            "type": ["array", "string"],
            "description": "[field, entity, variable, path], or `step` or `remaining`.",
        }),
        json!({"enum": FUNCTIONS, "default": "value", "description": "How to reduce several values to one."}),
        json!({"description": "The values that `count` and `fraction` look for."}),
        json!({"enum": words, "description": "How the value is compared."}),
        json!({"description": "The reference value of the comparison. `in` and `ni` also accept a list of values."}),
        json!({
            "type": "string",
            "description": "For a stopping condition: why the episode ends, such as `the season is over`. It has no effect on the game.",
        }),
    ];
    let properties: serde_json::Map<String, Json> = KEYS.map(str::to_owned).into_iter().zip(of_each_key).collect();
    let mut condition = json!({
        "type": "object",
        "properties": properties,
        "required": ["operator", "ref_value"],
        "anyOf": [{"required": ["state_variable"]}, {"required": ["memory"]}],
        "additionalProperties": false,
    });
    condition["properties"]["memory"] =
        json!({"type": "string", "description": "In a policy, a number in its `memory`, instead of `state_variable`."});
    json!({"type": ["array", "null"], "items": {"type": "array", "items": condition}})
}

impl Formula {
    /// Parses a list of lists of conditions.
    /// In a formula evaluated plot by plot, `value` may compare per-plot variables. Otherwise, `value` requires a single value.
    pub fn parse(value: &Value, names: Names<'_>, plot_by_plot: bool, path: &Path, problems: &mut Problems) -> Self {
        Self::parse_for(Asker::Rules, value, names, plot_by_plot, path, problems)
    }

    /// Parses a player's conditions, for [`LearnerView::holds`](crate::LearnerView::holds). These conditions may also read values that
    /// parts compute when they are observed, such as forecasts.
    pub fn parse_for_player(
        value: &Value,
        names: Names<'_>,
        plot_by_plot: bool,
        path: &Path,
        problems: &mut Problems,
    ) -> Self {
        Self::parse_for(Asker::Player, value, names, plot_by_plot, path, problems)
    }

    fn parse_for(
        asker: Asker,
        value: &Value,
        names: Names<'_>,
        plot_by_plot: bool,
        path: &Path,
        problems: &mut Problems,
    ) -> Self {
        let Some(clauses) = value.as_sequence() else {
            problems.push(
                Problem::new(ConditionError::NotConditions, path.clone(), "conditions are a list (or) of lists (and)")
                    .value(to_inline_yaml(value))
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
                    .filter_map(|(j, c)| Condition::parse(c, asker, names, plot_by_plot, &path.child(j), problems))
                    .collect(),
                None => {
                    problems.push(
                        Problem::new(
                            ConditionError::NotConditions,
                            path,
                            "each entry is a list of conditions that must hold together",
                        )
                        .value(to_inline_yaml(clause))
                        .expected(EXAMPLE),
                    );
                    Vec::new()
                }
            }
        };
        Self(clauses.iter().enumerate().map(parse_clause).collect())
    }
}

impl ConditionInput {
    /// Whether there are several values, and no plot selects one of them.
    fn is_several(self, plot_by_plot: bool) -> bool {
        match self {
            Self::State { source, per_plot } => !(per_plot && plot_by_plot) && source.len() != 1,
            Self::Observed(observed) => observed.len() != 1,
            Self::One(_) | Self::Step | Self::Remaining => false,
        }
    }
}

impl Reading {
    /// Parses the keys `state_variable`, `function` and `of`. The caller checks the other keys.
    /// If the player reads plot by plot, `value` may read per-plot variables.
    pub fn parse(
        value: &Value,
        names: Names<'_>,
        plot_by_plot: bool,
        path: &Path,
        problems: &mut Problems,
    ) -> Option<Self> {
        let written = WrittenCondition { value, path, meant: Vec::new() };
        let variable = written.variable(names, problems)?;
        let source = written.input(&variable, Asker::Player, names, problems)?;
        let form = names.value_form(&variable);
        let function = written.function(source.is_several(plot_by_plot), &variable, &form, problems)?;
        Some(Self { source, function, variable })
    }
}

impl Condition {
    fn parse(
        value: &Value,
        asker: Asker,
        names: Names<'_>,
        plot_by_plot: bool,
        path: &Path,
        problems: &mut Problems,
    ) -> Option<Self> {
        let written = WrittenCondition::new(value, path, problems);
        let variable = written.variable(names, problems)?;
        let form = names.value_form(&variable);
        let input = written.input(&variable, asker, names, problems)?;
        let is_several = input.is_several(plot_by_plot);
        let function = written.function(is_several, &variable, &form, problems);
        let operator = written.operator(problems);
        // Without a function, the kind of the compared value is unknown.
        let function = function?;
        let references = written.references(&function, &form, problems)?;
        let operator = operator?;
        if references.len() != 1 && !written.contains() && !matches!(operator, Operator::In | Operator::NotIn) {
            problems.push(
                Problem::new(
                    ConditionError::WrongOperator,
                    path.child("ref_value"),
                    format!("`{}` compares with one value", written.word()),
                )
                .value(written.compared())
                .expected("one value, or the operator `in`"),
            );
            return None;
        }
        let (low, high) = range(&function, input, &form.kind);
        if operator.never_holds(&references, (low, high)) {
            problems.push(
                Problem::new(ConditionError::NeverHolds, path.child("ref_value"), "this condition can never hold")
                    .value(written.compared())
                    .expected(format!("a condition that values from {low} to {high} can meet"))
                    .help("change the reference value, or remove the condition")
                    .warning(),
            );
        }
        let per_plot = matches!(input, ConditionInput::State { per_plot: true, .. });
        let words = written.words(&function, is_several, per_plot);
        let reason = written.reason(problems);
        let source = match input {
            ConditionInput::State { source, per_plot: false } if function == Function::Value && source.len() == 1 => {
                ConditionInput::One(source)
            }
            other => other,
        };
        let reading = Reading { source, function, variable };
        Some(Self { reading, operator, reference: references[0], references, words, reason })
    }
}

/// The lowest and highest results that the function can have for a condition's input.
fn range(function: &Function, input: ConditionInput, kind: &ValueKind) -> (f64, f64) {
    match (function, input) {
        (_, ConditionInput::Step | ConditionInput::Remaining) => (0.0, f64::INFINITY),
        (Function::Count(_), ConditionInput::State { source, .. }) => (0.0, source.len() as f64),
        (Function::Count(_), ConditionInput::Observed(observed)) => (0.0, observed.len() as f64),
        (Function::Fraction(_), _) => (0.0, 1.0),
        (Function::Sum, ConditionInput::State { source, .. }) => {
            let (low, high) = kind.range();
            (low * source.len() as f64, high * source.len() as f64)
        }
        (Function::Sum, ConditionInput::Observed(observed)) => function.bounds(observed.len(), kind.range()),
        _ => kind.range(),
    }
}

/// A condition, as written.
struct WrittenCondition<'a> {
    value: &'a Value,
    path: &'a Path,
    /// The correct spellings of misspelt keys.
    meant: Vec<String>,
}

impl<'a> WrittenCondition<'a> {
    /// Reports unknown keys.
    fn new(value: &'a Value, path: &'a Path, problems: &mut Problems) -> Self {
        let mut meant = Vec::new();
        for key in value.as_mapping().into_iter().flatten().filter_map(|(k, _)| k.as_str()) {
            if !KEYS.contains(&key) {
                let problem = Problem::new(
                    ParameterError::UnknownKey,
                    path.child(key),
                    format!("unknown key `{key}` in a condition"),
                );
                let problem = problem.value(key).about_name().among(key, KEYS);
                meant.extend(problem.nearest.clone());
                problems.push(problem);
            }
        }
        Self { value, path, meant }
    }

    /// Whether a key is present but misspelt. That error has already been reported, so the key does not count as missing.
    fn is_meant(&self, key: &str) -> bool {
        self.value.get(key).is_none() && self.meant.iter().any(|name| name == key)
    }

    /// The one variable that the condition reads.
    fn variable(&self, names: Names<'_>, problems: &mut Problems) -> Option<Reference> {
        let Some(variable) = self.value.get("state_variable") else {
            if !self.is_meant("state_variable") {
                let problem =
                    Problem::new(ParameterError::MissingKey, self.path.clone(), "`state_variable` is missing")
                        .value(to_inline_yaml(self.value));
                problems.push(problem.expected(
                    "{state_variable: [field, entity, name, path], function: value, operator: '>=', ref_value: 1}",
                ));
            }
            return None;
        };
        let path = self.path.child("state_variable");
        let before = problems.0.len();
        let mut references = names.resolve(variable, &path, problems);
        if references.len() != 1 {
            if problems.0.len() == before {
                let found: Vec<&str> = references.iter().map(|r| r.name.as_str()).collect();
                problems.push(
                    Problem::new(NameError::AmbiguousName, path, "a condition reads only one variable")
                        .value(found.join(", ")),
                );
            }
            return None;
        }
        references.pop()
    }

    /// The location of the variable's values.
    fn input(
        &self,
        variable: &Reference,
        asker: Asker,
        names: Names<'_>,
        problems: &mut Problems,
    ) -> Option<ConditionInput> {
        let observed = |i: usize| match asker {
            Asker::Player if !self.contains() => Observed::of(variable, i, &names.parts[variable.part].observables[i]),
            _ => None,
        };
        Some(match variable.quantity {
            Quantity::Step => ConditionInput::Step,
            Quantity::Remaining => ConditionInput::Remaining,
            Quantity::Observable(i) => {
                if let Some(observed) = observed(i) {
                    return Some(ConditionInput::Observed(observed));
                }
                let message = format!("`{}` is computed only when it is observed", variable.name);
                let problem = Problem::new(NameError::ComputedVariable, self.path.child("state_variable"), message);
                problems.push(problem.expected("a state variable"));
                return None;
            }
            Quantity::Variable(i) => ConditionInput::State {
                source: StateSlice::of(variable, names.parts)?,
                per_plot: variable.element.is_none() && names.parts[variable.part].variables[i].per_plot,
            },
        })
    }

    /// The function that reduces several values to one. `is_several` is true if there are several values and they are not evaluated plot by
    /// plot.
    fn function(
        &self,
        is_several: bool,
        variable: &Reference,
        form: &ValueForm,
        problems: &mut Problems,
    ) -> Option<Function> {
        match self.name_of_function() {
            "value" if is_several && self.is_meant("function") => None,
            // Several values can contain a value. Every other operator needs one value.
            "value" if is_several && !self.contains() => {
                let message = format!("`{}` has several values, but `value` compares only one", variable.name);
                problems.push(
                    Problem::new(ConditionError::WrongFunction, self.path.child("function"), message)
                        .value(variable.name.as_str())
                        .expected(
                            "a path to one value, or `function:` with one of sum, mean, min, max, count, fraction",
                        ),
                );
                None
            }
            "value" => Some(Function::Value),
            "sum" => Some(Function::Sum),
            "mean" => Some(Function::Mean),
            "min" => Some(Function::Min),
            "max" => Some(Function::Max),
            "count" => self.numbers("of", form, problems).map(Function::Count),
            "fraction" => self.numbers("of", form, problems).map(Function::Fraction),
            other => {
                problems.push(
                    Problem::new(
                        ConditionError::WrongFunction,
                        self.path.child("function"),
                        format!("unknown function `{other}`"),
                    )
                    .value(other)
                    .among(other, FUNCTIONS),
                );
                None
            }
        }
    }

    fn name_of_function(&self) -> &'a str {
        self.value.get("function").map_or(Some("value"), Value::as_str).unwrap_or("?")
    }

    /// The comparison operator.
    fn operator(&self, problems: &mut Problems) -> Option<Operator> {
        let word = self.word();
        let operator = OPERATORS.iter().find(|(name, _)| *name == word).map(|(_, operator)| *operator);
        let words = OPERATORS.iter().map(|(name, _)| *name);
        match self.value.get("operator") {
            None if self.is_meant("operator") => {}
            None => {
                let problem = Problem::new(ParameterError::MissingKey, self.path.clone(), "`operator` is missing")
                    .value(to_inline_yaml(self.value));
                problems.push(Problem { nearest: None, ..problem.among("", words) });
            }
            Some(found) if operator.is_none() => {
                let problem = Problem::new(
                    ConditionError::WrongOperator,
                    self.path.child("operator"),
                    format!("unknown operator `{}`", to_inline_yaml(found)),
                );
                let problem = problem.value(to_inline_yaml(found)).among(word, words);
                problems.push(match found.as_str() {
                    // In YAML, a `>` at the end of a line starts text with several lines.
                    Some("") => problem.help("quote it: '>'"),
                    _ => problem,
                });
            }
            Some(_) => {}
        }
        operator
    }

    fn word(&self) -> &'a str {
        self.value.get("operator").and_then(Value::as_str).unwrap_or_default()
    }

    /// Whether the operator tests if a list of values includes a value.
    fn contains(&self) -> bool {
        matches!(self.word(), "ni" | "not ni")
    }

    /// The reference values used in the comparison.
    fn references(&self, function: &Function, form: &ValueForm, problems: &mut Problems) -> Option<Vec<f64>> {
        // `count` and `fraction` return a number for any variable.
        let (low, high) = match function {
            Function::Count(_) => (f64::MIN, f64::MAX),
            Function::Fraction(_) => (0.0, 1.0),
            _ => return self.numbers("ref_value", form, problems),
        };
        match self.value.get("ref_value") {
            Some(found) => {
                let plain = ValueForm::plain(ValueKind::Real { low, high });
                Some(vec![number(found, &plain, &self.path.child("ref_value"), problems)?])
            }
            None => self.numbers("ref_value", form, problems),
        }
    }

    /// The numbers under a key: a single number or a list.
    fn numbers(&self, key: &str, form: &ValueForm, problems: &mut Problems) -> Option<Vec<f64>> {
        let Some(found) = self.value.get(key) else {
            if !self.is_meant(key) {
                let problem =
                    Problem::new(ParameterError::MissingKey, self.path.clone(), format!("`{key}` is missing"))
                        .value(to_inline_yaml(self.value));
                problems.push(problem.expected(format!("`{key}: VALUE`, or a list of values")));
            }
            return None;
        };
        let path = self.path.child(key);
        let list = found.as_sequence().map_or_else(|| vec![found], |items| items.iter().collect());
        if list.is_empty() {
            let problem = Problem::new(ParameterError::EmptyList, path, "the list is empty");
            problems.push(problem.value("[]").expected("at least one value"));
            return None;
        }
        let place = |i: usize| if found.is_sequence() { path.child(i) } else { path.clone() };
        let numbers: Vec<Option<f64>> =
            list.into_iter().enumerate().map(|(i, v)| number(v, form, &place(i), problems)).collect();
        numbers.into_iter().collect()
    }

    /// The condition's reason, in words; empty if it has no reason.
    fn reason(&self, problems: &mut Problems) -> String {
        match self.value.get(REASON) {
            None | Some(Value::Null) => String::new(),
            Some(Value::String(text)) => text.trim().to_owned(),
            Some(other) => {
                let message = "`reason` must be a string";
                let problem = Problem::new(ParameterError::WrongType, self.path.child(REASON), message);
                problems.push(problem.value(to_inline_yaml(other)).expected("words, such as `the season is over`"));
                String::new()
            }
        }
    }

    fn compared(&self) -> String {
        self.value.get("ref_value").map(to_inline_yaml).unwrap_or_default()
    }

    /// The words that surround the variable's name in a sentence.
    /// `is_several` and `per_plot` describe the variable's values.
    fn words(&self, function: &Function, is_several: bool, per_plot: bool) -> [String; 2] {
        let (compared, of) = (self.compared_in_words(), self.value.get("of").map(either).unwrap_or_default());
        let (before, after) = match function {
            Function::Value => ("", compared),
            Function::Sum => ("the sum of ", compared),
            Function::Mean => ("the mean of ", compared),
            Function::Min => ("the lowest ", compared),
            Function::Max => ("the highest ", compared),
            Function::Fraction(_) if self.is_all() => (
                "",
                match (is_several, per_plot) {
                    (true, true) => format!("is {of} on every plot"),
                    (true, false) => format!("is {of} in all its values"),
                    (false, _) => format!("is {of}"),
                },
            ),
            Function::Count(_) if per_plot => ("the number of plots where ", format!("is {of} {compared}")),
            Function::Count(_) => ("the number of values of ", format!("that are {of} {compared}")),
            Function::Fraction(_) if per_plot => ("the share of plots where ", format!("is {of} {compared}")),
            Function::Fraction(_) => ("the share of values of ", format!("that are {of} {compared}")),
        };
        [before.to_owned(), after]
    }

    /// Whether the condition requires the full share (1).
    fn is_all(&self) -> bool {
        matches!(self.word(), ">=" | "==") && self.value.get("ref_value").and_then(Value::as_f64) == Some(1.0)
    }

    /// The comparison in words.
    fn compared_in_words(&self) -> String {
        let words = match self.word() {
            "!=" | "not in" => "is not",
            "<" => "is below",
            "<=" => "is at most",
            ">" => "is above",
            ">=" => "reaches",
            "ni" => "contains",
            "not ni" => "does not contain",
            _ => "is",
        };
        format!("{words} {}", self.value.get("ref_value").map(either).unwrap_or_default())
    }
}

/// A value, or several values joined by `or`. Names are quoted; numbers and dates are not.
fn either(value: &Value) -> String {
    match value {
        Value::Sequence(items) => alternatives(&items.iter().map(either).collect::<Vec<_>>()),
        Value::String(name) if !name.starts_with(|c: char| c.is_ascii_digit()) => format!("`{name}`"),
        value => to_inline_yaml(value),
    }
}

/// Converts a YAML value into a number. The variable's form determines how: category names, flags, dates or plain numbers.
pub(crate) fn number(value: &Value, form: &ValueForm, path: &Path, problems: &mut Problems) -> Option<f64> {
    let found = form.read(value);
    if found.is_none() {
        problems.push(match (form.kind.labels(0), value) {
            (Some(labels), Value::String(name)) => {
                let message = format!("`{name}` is not a value of this variable");
                let names = labels.names();
                Problem::new(NameError::WrongValue, path.clone(), message)
                    .value(name)
                    .among(name, names.iter().map(String::as_str))
                    .with_synonyms(name, form.synonyms.iter().copied())
            }
            _ => {
                let problem = Problem::new(NameError::WrongValue, path.clone(), "this is not a value of the variable")
                    .value(to_inline_yaml(value));
                // YAML can also contain numbers that are not finite.
                let is_any = !form.kind.is_whole() && !form.is_share();
                let problem = problem.expected(if is_any { "a finite number".to_owned() } else { form.noun() });
                match value.as_str().filter(|_| !form.kind.is_flag()) {
                    Some(text) => problem.or_number(text, form.is_share()),
                    None => problem,
                }
            }
        });
    }
    found
}
