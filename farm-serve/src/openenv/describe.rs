//! `/metadata` and `/schema`: a game's description, and the schemas of its messages.

use axum::Json as JsonBody;
use farm_core::ObservationEntry;
use farm_core::inspect::RulesText;
use farm_core::space::{Dtype, Space};
use serde_json::{Map, Value as Json, json};

use crate::game::Served;

pub(super) async fn metadata(served: Served) -> JsonBody<Json> {
    let game = &served.game;
    JsonBody(json!({
        "name": served.name,
        "description": game.spec().doc().trim(),
        "readme_content": game.text().instructions(RulesText::Hidden),
        "version": env!("CARGO_PKG_VERSION"),
        "author": null,
        "documentation_url": null,
    }))
}

pub(super) async fn schema(served: Served) -> JsonBody<Json> {
    JsonBody(schemas(&served))
}

/// The JSON Schemas of a game's actions, observations and states.
pub(super) fn schemas(served: &Served) -> Json {
    let game = &served.game;
    let last = game.catalogue().discrete_len().saturating_sub(1);
    let tools: Vec<Json> = game
        .text()
        .tool_schemas(RulesText::Hidden)
        .iter()
        .map(|tool| json!({ "action": tool.action(), "params": tool.arguments() }))
        .collect();
    let action = json!({
        "title": "GameAction", "type": "object", "required": ["action"],
        "properties": {
            "action": { "description": "A string such as `wait`, or an id of the flat list. Other JSON is read as text.", "anyOf": [
                { "type": "string" }, { "type": "integer", "minimum": 0, "maximum": last }, { "type": ["array", "object"] } ] },
            "params": { "type": ["object", "null"], "description": "Parameters of an action by name." },
            "metadata": { "type": "object", "description": "Ignored." },
        },
        "x-actions": tools,
    });
    let entries = game.observation().entries();
    let values: Map<String, Json> = entries.iter().map(|entry| (entry.key().to_owned(), entry_schema(entry))).collect();
    let text = json!({ "type": "string", "description": "The observation as text." });
    let values = json!({ "type": "object", "properties": values, "additionalProperties": false });
    let observation = json!({
        "title": "Observation", "type": "object", "additionalProperties": false,
        "properties": { "text": text, "values": values },
    });
    let mut first = observation.clone();
    first["title"] = json!("ResetObservation");
    first["properties"]["instructions"] = json!({ "type": "string", "description": "The instructions of the game." });
    let (string, whole) = (json!({ "type": "string" }), json!({ "type": ["integer", "null"], "minimum": 0 }));
    let state = json!({
        "title": "State", "type": "object", "properties": {
            "episode_id": { "type": ["string", "null"] }, "step_count": { "type": "integer", "minimum": 0 },
            "game": string, "fingerprint": string, "seed": { "type": "integer", "minimum": 0 },
            "split": { "type": ["string", "null"] }, "index": whole, "return": { "type": "number" },
            "branches": { "type": "boolean" }, "done": { "type": "boolean" }, "state_hash": string,
        },
    });
    json!({ "action": action, "observation": observation, "reset_observation": first, "state": state })
}

/// The schema of an entry: numbers in nested lists, one level per dimension.
fn entry_schema(entry: &ObservationEntry) -> Json {
    let number = match entry.space() {
        Space::Discrete { n } => json!({ "type": "integer", "minimum": 0, "maximum": n.saturating_sub(1) }),
        Space::Box { low, high, dtype, .. } => {
            let kind = if dtype == Dtype::Float32 { "number" } else { "integer" };
            let mut number = json!({ "type": kind });
            // Only a range that all values share is listed; separate ranges would be longer than the values.
            if let ([low], [high]) = (&low[..], &high[..]) {
                for (key, bound) in [("minimum", low), ("maximum", high)] {
                    if bound.is_finite() {
                        number[key] = json!(bound);
                    }
                }
            }
            number
        }
        _ => json!({ "type": "number" }),
    };
    let mut schema = entry.shape().iter().rev().fold(
        number,
        |items, length| json!({ "type": "array", "items": items, "minItems": length, "maxItems": length }),
    );
    schema["description"] = json!(entry.doc());
    schema
}
