//! Kinds of values in words and as JSON: of variables, of parameters and of actions' parameters.

use farm_core::config::{ParameterDoc, ParameterKind, show};
use farm_core::declare::{ActionInfo, ActionParameterKind, Labels, ValueKind};
use farm_core::serde_yaml::Value;
use serde_json::{Value as Json, json};

use crate::output::{Table, number, range, shorten};

/// The most characters of a kind and of a default in a table.
const KIND_WIDTH: usize = 60;
const DEFAULT_WIDTH: usize = 40;

/// What values a variable takes, in words.
pub fn kind_text(kind: &ValueKind) -> String {
    match kind {
        ValueKind::Real { low, high } => range(*low, *high),
        ValueKind::Count { low, high } => {
            let bound = |n: i32| if n == i32::MAX { "∞".to_owned() } else { n.to_string() };
            format!("whole, {low} … {}", bound(*high))
        }
        ValueKind::Category(lists) => lists.iter().map(labels_text).collect::<Vec<_>>().join(" / "),
        ValueKind::Flag => "yes or no".to_owned(),
    }
}

fn labels_text(labels: &Labels) -> String {
    match labels {
        Labels::Named(names) => names.join(", "),
        Labels::Numbered(n) => format!("0 … {}", n.saturating_sub(1)),
    }
}

/// What the numbers of a category mean, a line for each list of names: `0 none, 1 seed, 2 grow`.
pub fn label_rows(kind: &ValueKind) -> Vec<String> {
    let ValueKind::Category(lists) = kind else { return Vec::new() };
    let row = |labels: &Labels| match labels {
        Labels::Named(names) => {
            Some(names.iter().enumerate().map(|(i, name)| format!("{i} {name}")).collect::<Vec<_>>().join(", "))
        }
        Labels::Numbered(_) => None,
    };
    lists.iter().filter_map(row).collect()
}

/// What values a variable takes, as JSON.
pub fn kind_json(kind: &ValueKind) -> Json {
    match kind {
        ValueKind::Real { low, high } => json!({"type": "real", "low": low, "high": high}),
        ValueKind::Count { low, high } => json!({"type": "count", "low": low, "high": high}),
        ValueKind::Category(lists) => {
            let labels = |list: &Labels| match list {
                Labels::Named(names) => json!(names),
                Labels::Numbered(n) => json!(n),
            };
            json!({"type": "category", "labels": lists.iter().map(labels).collect::<Vec<_>>()})
        }
        ValueKind::Flag => json!({"type": "flag"}),
    }
}

/// A shape in words: `one`, `per plot`, `5 × 5 × 2`.
pub fn shape_text(shape: &[usize], per_plot: bool) -> String {
    match shape {
        _ if per_plot => "per plot".to_owned(),
        [] => "one".to_owned(),
        sizes => sizes.iter().map(usize::to_string).collect::<Vec<_>>().join(" × "),
    }
}

/// What values a parameter of an action takes, in words.
pub fn parameter_text(kind: &ActionParameterKind) -> String {
    match kind {
        ActionParameterKind::Plot => "a plot (x, y)".to_owned(),
        ActionParameterKind::Real { low, high, offered } => {
            let offered: Vec<String> = offered.iter().copied().map(number).collect();
            format!("{}; offered: {}", range(*low, *high), offered.join(", "))
        }
        ActionParameterKind::Choice(words) => words.join(", "),
    }
}

/// An action with its parameters, as JSON.
pub fn action_json(action: &ActionInfo) -> Json {
    let values = |kind: &ActionParameterKind| match kind {
        ActionParameterKind::Plot => json!({"type": "plot"}),
        ActionParameterKind::Real { low, high, offered } => {
            json!({"type": "real", "low": low, "high": high, "offered": offered})
        }
        ActionParameterKind::Choice(words) => json!({"type": "choice", "words": words}),
    };
    let parameters = action.parameters.iter().map(|p| json!({"name": p.name, "doc": p.doc, "values": values(&p.kind)}));
    json!({"name": action.name, "doc": action.doc, "waits": action.waits, "parameters": parameters.collect::<Vec<_>>()})
}

/// The rows of a parameter table; the parameters of a group follow it, indented.
pub fn parameter_rows(table: &mut Table, parameters: &[ParameterDoc], depth: usize) {
    for parameter in parameters {
        let group = group_of(&parameter.kind);
        // A group's defaults stand with its own parameters.
        let default =
            if group.is_some() { String::new() } else { shorten(&yaml_text(&parameter.default), DEFAULT_WIDTH) };
        table.row(vec![
            format!("{}{}", "  ".repeat(depth), parameter.name),
            shorten(&parameter.kind.describe(), KIND_WIDTH),
            parameter.range.map_or(String::new(), |(low, high)| range(low, high)),
            default,
            parameter.doc.clone(),
        ]);
        parameter_rows(table, group.unwrap_or_default(), depth + 1);
    }
}

/// A parameter table as JSON.
pub fn parameters_json(parameters: &[ParameterDoc]) -> Json {
    let entry = |parameter: &ParameterDoc| {
        let mut json = json!({
            "name": parameter.name,
            "doc": parameter.doc,
            "kind": parameter.kind.describe(),
            "range": parameter.range.map(|(low, high)| [low, high]),
            "default": yaml_json(&parameter.default),
        });
        if let Some(group) = group_of(&parameter.kind) {
            json["parameters"] = parameters_json(group);
        }
        json
    };
    parameters.iter().map(entry).collect()
}

/// The parameters inside a parameter, if it is made of groups.
fn group_of(kind: &ParameterKind) -> Option<&[ParameterDoc]> {
    match kind {
        ParameterKind::Group(table) => Some(table),
        ParameterKind::List(inner)
        | ParameterKind::Interval(inner)
        | ParameterKind::Map(inner)
        | ParameterKind::Optional(inner) => group_of(inner),
        _ => None,
    }
}

/// A YAML value on one line, its real numbers short.
pub fn yaml_text(value: &Value) -> String {
    match value {
        Value::Number(n) => match n.as_f64() {
            Some(real) if n.is_f64() => number(real),
            _ => n.to_string(),
        },
        other => show(other),
    }
}

/// A YAML value as JSON; what JSON cannot say becomes `null`.
pub fn yaml_json(value: &Value) -> Json {
    serde_json::to_value(value).unwrap_or(Json::Null)
}
