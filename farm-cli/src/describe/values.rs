//! Values of variables, parameters and action parameters as JSON; parameters as table rows.

use std::io::IsTerminal;

use farm_core::config::{ParameterDoc, ParameterKind};
use farm_core::declare::{ActionInfo, ActionParameterKind, EventInfo, ObservableInfo, VariableInfo};
use farm_core::inspect::{range, yaml_text};
use farm_core::registry::ParameterSet;
use farm_core::serde_yaml::Value;
use serde_json::{Value as Json, json};

use crate::output::{TextTable, shorten};

/// In a table on a terminal, the maximum number of characters for a kind and for a default. Files and programs get the full text.
const KIND_WIDTH: usize = 60;
const DEFAULT_WIDTH: usize = 40;

/// A variable, as JSON.
pub(super) fn variable_json(v: &VariableInfo) -> Json {
    json!({
        "name": v.name(), "doc": v.doc(), "values": v.kind().to_json(), "shape": v.shape(), "per_plot": v.per_plot(),
        "visible": v.visible(), "default": v.default(), "roles": v.roles(),
    })
}

/// An observable, as JSON.
pub(super) fn observable_json(o: &ObservableInfo) -> Json {
    json!({"name": o.name(), "doc": o.doc(), "values": o.kind().to_json(), "shape": o.shape()})
}

/// An event, as JSON.
pub(super) fn event_json(e: &EventInfo) -> Json {
    json!({"name": e.name(), "doc": e.doc(), "per_step": e.per_step(), "labels": e.labels(), "lasting": e.lasting()})
}

/// A parameter set, as JSON.
pub(super) fn set_json(s: &ParameterSet) -> Json {
    json!({"name": s.name(), "doc": s.doc(), "source": s.source(), "parameters": yaml_json(s.parameters())})
}

/// An action with its parameters, as JSON.
pub(super) fn action_json(action: &ActionInfo) -> Json {
    let values = |kind: &ActionParameterKind| match kind {
        ActionParameterKind::Plot => json!({"type": "plot"}),
        ActionParameterKind::Real { low, high, offered } => {
            json!({"type": "real", "low": low, "high": high, "offered": offered})
        }
        ActionParameterKind::Choice(words) => json!({"type": "choice", "words": words}),
    };
    let parameters =
        action.parameters().iter().map(|p| json!({"name": p.name(), "doc": p.doc(), "values": values(p.kind())}));
    json!({"name": action.name(), "doc": action.doc(), "waits": action.waits(), "parameters": parameters.collect::<Vec<_>>()})
}

/// The rows of a parameter table. A group's parameters follow it, indented.
pub(super) fn parameter_rows(table: &mut TextTable, parameters: &[ParameterDoc], depth: usize) {
    let is_cut = std::io::stdout().is_terminal();
    let cut = |text: String, most: usize| if is_cut { shorten(&text, most) } else { text };
    for parameter in parameters {
        let group = parameter.kind().group();
        // The defaults of a group are those of its parameters.
        let default = if group.is_some() { String::new() } else { cut(default_text(parameter), DEFAULT_WIDTH) };
        table.row(vec![
            format!("{}{}", "  ".repeat(depth), parameter.name()),
            cut(parameter.kind().describe(), KIND_WIDTH),
            parameter.range().map_or(String::new(), |(low, high)| range(low, high)),
            default,
            parameter.doc().to_owned(),
        ]);
        parameter_rows(table, group.unwrap_or_default(), depth + 1);
    }
}

/// A parameter's default. Empty for required parameters, such as some keys of a game.
pub(super) fn default_text(parameter: &ParameterDoc) -> String {
    let may_be_null =
        matches!(parameter.kind(), ParameterKind::Optional(_) | ParameterKind::Any | ParameterKind::FreeForm(_));
    if parameter.default().is_null() && !may_be_null { String::new() } else { yaml_text(parameter.default()) }
}

/// A parameter table as JSON.
pub(super) fn parameters_json(parameters: &[ParameterDoc]) -> Json {
    let entry = |parameter: &ParameterDoc| {
        let mut json = json!({
            "name": parameter.name(),
            "doc": parameter.doc(),
            "kind": parameter.kind().describe(),
            "range": parameter.range().map(|(low, high)| [low, high]),
            "default": yaml_json(parameter.default()),
        });
        if let Some(group) = parameter.kind().group() {
            json["parameters"] = parameters_json(group);
        }
        json
    };
    parameters.iter().map(entry).collect()
}

/// A YAML value as JSON. Values that JSON can't represent become `null`.
pub(super) fn yaml_json(value: &Value) -> Json {
    serde_json::to_value(value).unwrap_or(Json::Null)
}
