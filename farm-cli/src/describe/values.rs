//! Kinds of values as JSON, of variables, of parameters and of actions' parameters; parameters as rows.

use farm_core::config::ParameterDoc;
use farm_core::declare::{ActionInfo, ActionParameterKind, Labels, ValueKind};
use farm_core::serde_yaml::Value;
use farm_core::words::{range, yaml_text};
use serde_json::{Value as Json, json};

use crate::output::{Table, shorten};

/// The most characters of a kind and of a default in a table.
const KIND_WIDTH: usize = 60;
const DEFAULT_WIDTH: usize = 40;

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
        let group = parameter.kind.group();
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
        if let Some(group) = parameter.kind.group() {
            json["parameters"] = parameters_json(group);
        }
        json
    };
    parameters.iter().map(entry).collect()
}

/// A YAML value as JSON; what JSON cannot say becomes `null`.
pub fn yaml_json(value: &Value) -> Json {
    serde_json::to_value(value).unwrap_or(Json::Null)
}
