//! Numbers in policies that a search may change: `{tune: [low, high], value: 3, step: 1}` instead of a number.
//!
//! A policy plays with `value` or, without a `value`, with the middle of the range. A search reads the ranges from the policy as written in
//! the game file ([`GameSpec::policy_as_written`](super::GameSpec::policy_as_written)).

use serde_json::{Map, Value as Json, json};
use serde_yaml::{Mapping, Value};

use crate::config::{ParameterError, Path, Problem, Problems, to_inline_yaml};

/// The key that marks a mapping as a tunable number.
const TUNE: &str = "tune";
/// All keys that a tunable number can have.
const KEYS: [&str; 3] = [TUNE, "value", "step"];
/// The expected form, for messages.
const FORM: &str = "`{tune: [low, high]}`, optionally with `value` and `step`";

/// A number that a search may change.
#[derive(Debug, Clone, Copy, PartialEq, farm_macros::Getters)]
pub struct Tunable {
    /// The lowest value.
    pub(crate) low: f64,
    /// The highest value.
    pub(crate) high: f64,
    /// The value used if the number is not tuned.
    pub(crate) value: f64,
    /// The distance between allowed values, starting at the lowest; `None` if all numbers in the range are allowed.
    pub(crate) step: Option<f64>,
}

impl Tunable {
    /// Whether a value is meant as a tunable number, even if it has errors. Such a value is a mapping with the key `tune`.
    pub fn is_one(value: &Value) -> bool {
        value.as_mapping().is_some_and(|mapping| mapping.contains_key(TUNE))
    }

    /// Reads a tunable number. The problems' paths start with `path`.
    ///
    /// # Errors
    /// The range is not two numbers in ascending order. The `value` is outside the range. The `step` is not above 0 or is wider than the
    /// range. A key is unknown.
    pub fn read(value: &Value, path: &Path) -> Result<Self, Problems> {
        let mut problems = Problems::default();
        let empty = Mapping::new();
        let mapping = value.as_mapping().unwrap_or(&empty);
        for key in mapping.keys() {
            let name = key.as_str().unwrap_or_default();
            if !KEYS.contains(&name) {
                let shown = to_inline_yaml(key);
                let message = format!("unknown key `{shown}` of a tunable number");
                let problem = Problem::new(ParameterError::UnknownParameter, path.child(shown.as_str()), message);
                problems.push(problem.value(&shown).about_name().among(&shown, KEYS));
            }
        }
        let range = Self::range(mapping.get(TUNE).unwrap_or(&Value::Null), &path.child(TUNE), &mut problems);
        let mut number = |key: &str| {
            let written = mapping.get(key)?;
            let found = written.as_f64().filter(|number| number.is_finite());
            if found.is_none() {
                let message = format!("`{key}` of a tunable number must be a finite number");
                let problem = Problem::new(ParameterError::WrongType, path.child(key), message);
                problems.push(problem.value(to_inline_yaml(written)).expected("a number"));
            }
            found
        };
        let (value, step) = (number("value"), number("step"));
        let Some((low, high, is_whole)) = range else { return Err(problems) };
        if let Some(value) = value.filter(|value| !(low..=high).contains(value)) {
            let message = "`value` is outside the range of `tune`";
            let problem = Problem::new(ParameterError::ValueOutOfRange, path.child("value"), message).value(value);
            problems.push(problem.expected(format!("a number from {low} to {high}")));
        }
        if let Some(step) = step.filter(|step| !(*step > 0.0 && *step <= high - low)) {
            let message = "`step` must be above 0 and at most the width of the range";
            let problem = Problem::new(ParameterError::ValueOutOfRange, path.child("step"), message).value(step);
            problems.push(problem.expected(format!("a number above 0, up to {}", high - low)));
        }
        if problems.has_errors() {
            return Err(problems);
        }
        let middle = f64::midpoint(low, high);
        let middle = match step {
            Some(step) => low + ((middle - low) / step).floor() * step,
            None if is_whole => middle.floor(),
            None => middle,
        };
        Ok(Self { low, high, value: value.unwrap_or(middle), step })
    }

    /// Both ends of a range, and whether both ends are integers.
    fn range(written: &Value, path: &Path, problems: &mut Problems) -> Option<(f64, f64, bool)> {
        let wrong = |message: &str| {
            let problem = Problem::new(ParameterError::WrongRange, path.clone(), message);
            problem.value(to_inline_yaml(written)).expected("two numbers [low, high] with low < high").help(FORM)
        };
        let pair = written.as_sequence().map_or(&[][..], Vec::as_slice);
        let [low, high] = pair else {
            problems.push(wrong("`tune` must be a list of two numbers"));
            return None;
        };
        let (Some(first), Some(last)) = (low.as_f64(), high.as_f64()) else {
            problems.push(wrong("the ends of a range must be numbers"));
            return None;
        };
        if !(first.is_finite() && last.is_finite() && (last - first).is_finite()) {
            problems.push(wrong("the ends of a range must be finite numbers"));
            return None;
        }
        if first >= last {
            problems.push(wrong("the first number of a range must be below the second"));
            return None;
        }
        let is_whole = |value: &Value| value.is_i64() || value.is_u64();
        Some((first, last, is_whole(low) && is_whole(high)))
    }
}

/// A number as written in YAML: integers without a decimal point.
pub fn yaml_number(value: f64) -> Value {
    // Above this limit, real numbers may not represent integers exactly.
    if value.fract() == 0.0 && value.abs() < 9e15 { Value::from(value as i64) } else { Value::from(value) }
}

/// Whether a value contains a tunable number.
pub(crate) fn is_tunable(value: &Value) -> bool {
    match value {
        Value::Sequence(items) => items.iter().any(is_tunable),
        Value::Mapping(entries) => Tunable::is_one(value) || entries.values().any(is_tunable),
        _ => false,
    }
}

/// The policy with each tunable number replaced by the value that the policy plays with.
pub(crate) fn settled(value: &Value, path: &Path, problems: &mut Problems) -> Value {
    match value {
        Value::Sequence(items) => {
            let settle = |(i, item)| settled(item, &path.child(i), problems);
            Value::Sequence(items.iter().enumerate().map(settle).collect())
        }
        Value::Mapping(_) if Tunable::is_one(value) => match Tunable::read(value, path) {
            Ok(tunable) => yaml_number(tunable.value),
            Err(found) => {
                problems.0.extend(found.0);
                Value::Null
            }
        },
        Value::Mapping(entries) => {
            let settle = |(key, entry): (&Value, &Value)| {
                let path = path.child(key.as_str().unwrap_or("?"));
                (key.clone(), settled(entry, &path, problems))
            };
            Value::Mapping(entries.iter().map(settle).collect())
        }
        other => other.clone(),
    }
}

/// The schema for a tunable number, derived from the schema for a number.
pub(crate) fn schema(number: &Json) -> Json {
    let mut value = number.clone();
    value["description"] = json!("The value that is played. Default: the middle of the range.");
    json!({
        "type": "object",
        "description": "A number that `farm tune` may change.",
        "properties": {
            "tune": {
                "type": "array",
                "items": number,
                "minItems": 2,
                "maxItems": 2,
                "description": "The lowest and the highest value.",
            },
            "value": value,
            "step": {
                "type": "number",
                "exclusiveMinimum": 0,
                "description": "The distance between values, counted from the lowest. Default: any number in the range.",
            },
        },
        "required": ["tune"],
        "additionalProperties": false,
    })
}

/// Makes every number in a policy's schema tunable.
pub(crate) fn let_numbers_be_tunable(schema: &mut Json) {
    match schema {
        Json::Array(items) => items.iter_mut().for_each(let_numbers_be_tunable),
        Json::Object(keys) if is_number(keys) => {
            let is_said_of_both = |key: &str| ["description", "default"].contains(&key);
            let (both, number): (Map<_, _>, Map<_, _>) =
                std::mem::take(keys).into_iter().partition(|(key, _)| is_said_of_both(key));
            *keys = both;
            keys.insert("anyOf".to_owned(), json!([number, {"$ref": "#/$defs/tunable"}]));
        }
        Json::Object(keys) => {
            for (key, value) in keys.iter_mut() {
                match (key.as_str(), value) {
                    ("properties", Json::Object(named)) => named.values_mut().for_each(let_numbers_be_tunable),
                    ("items" | "additionalProperties" | "anyOf", value) => let_numbers_be_tunable(value),
                    _ => {}
                }
            }
        }
        _ => {}
    }
}

/// Whether a schema describes a number, or a number or null.
fn is_number(schema: &Map<String, Json>) -> bool {
    let is = |name: &Json| name == "number" || name == "integer";
    match schema.get("type") {
        Some(Json::Array(names)) => names.iter().any(is),
        Some(name) => is(name),
        None => false,
    }
}
