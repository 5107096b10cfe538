//! The initial conditions of a rule in words.

use crate::config::to_inline_yaml;
use crate::spec::GameSpec;
use serde_yaml::Value;

/// A sentence for each variable that the rule sets when an episode begins.
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
    let drawn = match value {
        Value::Sequence(values) if values.len() > 1 => {
            format!("one of {}, each as likely", values.iter().map(to_inline_yaml).collect::<Vec<_>>().join(", "))
        }
        Value::Sequence(values) => values.first().map(to_inline_yaml).unwrap_or_default(),
        Value::String(range) if range.starts_with('(') => format!("drawn evenly from the range {range}"),
        value => to_inline_yaml(value),
    };
    if path.is_empty() || value.is_null() {
        return;
    }
    sentences.push(format!("{}: {drawn} at the start.", path.join(", ")));
}
