//! A rule's initial conditions, in words.

use crate::Game;
use crate::config::to_inline_yaml;
use crate::declare::VariableInfo;
use crate::format::{alternatives, thousands, unit};
use crate::text::subject::subject_of;
use serde_yaml::Value;

/// One sentence for each variable that the rule sets when an episode starts.
pub(super) fn in_words(game: &Game) -> Vec<String> {
    let rule = serde_yaml::to_value(&game.spec).ok().and_then(|game| game.get("rules").cloned());
    let keys = rule.as_ref().and_then(Value::as_mapping).into_iter().flat_map(|rule| rule.values());
    let mut sentences = Vec::new();
    keys.filter_map(|keys| keys.get("initial_conditions"))
        .for_each(|value| write(game, value, &mut Vec::new(), &mut sentences));
    sentences
}

fn write(game: &Game, value: &Value, path: &mut Vec<String>, sentences: &mut Vec<String>) {
    if let Value::Mapping(entries) = value {
        for (key, value) in entries {
            path.push(key.as_str().map_or_else(|| to_inline_yaml(key), str::to_owned));
            write(game, value, path, sentences);
            path.pop();
        }
        return;
    }
    if path.is_empty() || value.is_null() {
        return;
    }
    let path = path.join(".");
    let mut parts = game.parts.iter().flat_map(|part| part.variables.iter().map(move |variable| (part, variable)));
    let set = parts.find(|(part, variable)| path == format!("{}.{}", part.path, variable.name));
    let is_several = set.is_some_and(|(_, variable)| variable.per_plot && variable.len() > 1);
    let subject = set.and_then(|(part, variable)| subject_of(game, part, &variable.name, &variable.doc));
    let subject = subject.map(|subject| if is_several { subject.replace("the plot", "each plot") } else { subject });
    let subject = subject.unwrap_or_else(|| format!("`{path}`"));
    let amount = |text: &str| in_numbers(text, set.map(|(_, variable)| variable));
    let unit = set.map(|(_, variable)| unit(&variable.name)).filter(|unit| !unit.is_empty());
    let unit = unit.map_or_else(String::new, |unit| format!(" {unit}"));
    let each = if is_several { ". The values of different plots are independent" } else { "" };
    let start = match value {
        Value::Sequence(values) if values.len() > 1 => {
            let words: Vec<String> = values.iter().map(|value| amount(&to_inline_yaml(value))).collect();
            format!("{}{unit}, with equal probability{each}", alternatives(&words))
        }
        Value::Sequence(values) => {
            format!("{}{unit}", amount(&values.first().map(to_inline_yaml).unwrap_or_default()))
        }
        Value::String(range) if range.starts_with('(') => {
            let ends = range.trim_matches(['(', ')']);
            let (low, high) = ends.split_once(',').unwrap_or((ends, ends));
            let (low, high) = (amount(low.trim()), amount(high.trim()));
            format!("between {low} and {high}{unit}, with all values equally likely{each}")
        }
        value => format!("{}{unit}", amount(&to_inline_yaml(value))),
    };
    sentences.push(format!("At the start, {subject} is {start}."));
}

/// A value of a variable: a number with commas between thousands, or a quoted name.
fn in_numbers(text: &str, variable: Option<&VariableInfo>) -> String {
    match variable.and_then(|variable| variable.kind.labels(0)) {
        Some(_) => format!("`{text}`"),
        None => thousands(text),
    }
}
