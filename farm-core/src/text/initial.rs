//! A rule's initial conditions, in words.

use crate::config::to_inline_yaml;
use crate::format::alternatives;
use crate::spec::GameSpec;
use serde_yaml::Value;

/// One sentence for each variable that the rule sets when an episode starts.
pub(super) fn in_words(spec: &GameSpec) -> Vec<String> {
    let rule = serde_yaml::to_value(spec).ok().and_then(|game| game.get("rules").cloned());
    let keys = rule.as_ref().and_then(Value::as_mapping).into_iter().flat_map(|rule| rule.values());
    let mut sentences = Vec::new();
    keys.filter_map(|keys| keys.get("initial_conditions"))
        .for_each(|value| write(value, &mut Vec::new(), &mut sentences));
    sentences
}

fn write(value: &Value, path: &mut Vec<String>, sentences: &mut Vec<String>) {
    if let Value::Mapping(entries) = value {
        for (key, value) in entries {
            path.push(key.as_str().map_or_else(|| to_inline_yaml(key), str::to_owned));
            write(value, path, sentences);
            path.pop();
        }
        return;
    }
    if path.is_empty() || value.is_null() {
        return;
    }
    let start = match value {
        Value::Sequence(values) if values.len() > 1 => {
            let words: Vec<String> = values.iter().map(to_inline_yaml).collect();
            format!("starts {} {}, with equal probability", preposition(&words[0]), alternatives(&words))
        }
        Value::Sequence(values) => starts(&values.first().map(to_inline_yaml).unwrap_or_default()),
        Value::String(range) if range.starts_with('(') => {
            let ends = range.trim_matches(['(', ')']);
            let (low, high) = ends.split_once(',').unwrap_or((ends, ends));
            format!("starts between {} and {}, with all values equally likely", low.trim(), high.trim())
        }
        value => starts(&to_inline_yaml(value)),
    };
    sentences.push(format!("`{}` {start}.", path.join(".")));
}

/// The start of a variable with one value, in words.
fn starts(value: &str) -> String {
    format!("starts {} {value}", preposition(value))
}

/// Numbers start *at* a value, names start *as* a value.
fn preposition(value: &str) -> &'static str {
    if value.parse::<f64>().is_ok() { "at" } else { "as" }
}
