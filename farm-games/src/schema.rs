//! JSON Schemas for every file that the platform reads: games, parts in separate files, levels, policies and parameter sets.
//!
//! The engine provides a game's keys. This module adds the keys of the paper's layout, which `farm template` writes: `init`,
//! `actions`, and a score with `reward-mix`. They come from the parameter tables of the rule and the score.

use farm_core::config::{ParameterDoc, ParameterKind, PartKind};
use farm_core::registry::kind;
use farm_core::serde_yaml::Value;
use farm_core::spec::{SchemaFile, extension_table, file_or, game_table, part_file_schema, schemas, table_schema};
use farm_reference_format::{RULE, SCORE};
use serde_json::{Value as Json, json};

use crate::level;

/// The ending of schema file names.
pub const ENDING: &str = ".schema.json";

/// The schemas of all files, starting with games. They contain all kinds that are linked or loaded.
pub fn all() -> Vec<SchemaFile> {
    let mut files = schemas();
    if let Some(game) = files.first_mut() {
        with_layout(game.schema_mut());
        with_extension(game.schema_mut());
    }
    let file = |name: &str, schema: Json| SchemaFile::new(format!("{name}{ENDING}"), schema);
    let own = [
        file("level", level::schema()),
        file("init", table_schema("Start and end of a farm game", &init_table(), &[])),
        file("actions", table_schema("Observations and actions of a farm game", &actions_table(), &[])),
        file("score", part_file_schema("The score of a farm game", PartKind::Score, &[score_layout()])),
        file("policy", part_file_schema("A policy of a farm game", PartKind::Policy, &policy_forms())),
    ];
    // After the game, and before the parameter sets.
    let at = files.len().min(1);
    files.splice(at..at, own);
    files
}

/// The keys of a game file, including the keys of the paper's layout.
pub fn game_keys() -> Vec<ParameterDoc> {
    let group = |name: &'static str, doc: &str, table: Vec<ParameterDoc>| {
        let kind = ParameterKind::Optional(Box::new(ParameterKind::Group(table)));
        ParameterDoc::new(name, doc, kind, None, Value::Null)
    };
    let own = [
        group(
            "init",
            "Start and end in the layout of the paper; they replace the entries in `rules`. Usually a file.",
            init_table(),
        ),
        group(
            "actions",
            "Observations and actions in the layout of the paper; they replace the entries in `rules`. Usually a file.",
            actions_table(),
        ),
    ];
    let mut keys = game_table();
    keys.splice(1..1, extension_table());
    let at = keys.iter().position(|key| key.name() == "rules").map_or(keys.len(), |at| at + 1);
    keys.splice(at..at, own);
    keys
}

/// Adds the keys for games with `extends` to the game schema. Such a game needs only a name.
fn with_extension(schema: &mut Json) {
    let keys = within(&extension_table());
    if let (Some(all), Some(keys)) = (schema["properties"].as_object_mut(), keys["properties"].as_object()) {
        all.extend(keys.clone());
    }
    if let Some(forms) = schema["properties"]["policies"]["additionalProperties"]["anyOf"].as_array_mut() {
        forms.push(json!({"type": "null", "description": "Removes the policy of the game in `extends`."}));
    }
    let all = schema["required"].as_array().into_iter().flatten();
    let needed: Vec<Json> = all.filter(|key| *key != "name").cloned().collect();
    let alone = json!({"required": needed, "anyOf": schema["anyOf"].take()});
    schema["required"] = json!(["name"]);
    schema["anyOf"] = json!([{"required": ["extends"]}, alone]);
}

/// Adds the keys and forms of the paper's layout to the game schema.
fn with_layout(schema: &mut Json) {
    for key in game_keys() {
        if let Some(table) = key.kind().group().filter(|_| schema["properties"].get(key.name()).is_none()) {
            let mut part = within(table);
            part["description"] = json!(key.doc());
            // The lines below a key may all be comments.
            part["type"] = json!(["object", "null"]);
            schema["properties"][key.name()] = file_or(part);
        }
    }
    if let Some(forms) = schema["properties"]["score"]["anyOf"].as_array_mut() {
        forms.push(score_layout());
    }
    // A game with `init` or `actions` needs no `rules`.
    let all = schema["required"].as_array().into_iter().flatten();
    schema["required"] = all.filter(|key| *key != "rules").cloned().collect();
    schema["anyOf"] = ["rules", "init", "actions"].iter().map(|key| json!({"required": [key]})).collect();
}

/// A parameter of a kind, as a key in another table.
fn parameter(part: PartKind, of: &str, name: &str, key: &'static str) -> Option<ParameterDoc> {
    let table = kind(part, of).map(|kind| kind.table()).unwrap_or_default();
    let found = table.into_iter().find(|parameter| parameter.name() == name)?;
    // The lines below a key may all be comments.
    let kind = match found.kind().clone() {
        table @ (ParameterKind::Map(_) | ParameterKind::Group(_)) => ParameterKind::Optional(Box::new(table)),
        other => other,
    };
    Some(ParameterDoc::new(key, found.doc(), kind, found.range(), Value::Null))
}

/// The keys of a file for the start and the end of episodes.
fn init_table() -> Vec<ParameterDoc> {
    let keys = [("initial_conditions", "Initial"), ("stopping_conditions", "Terminal")];
    keys.into_iter().filter_map(|(name, key)| parameter(PartKind::Rule, RULE, name, key)).collect()
}

/// The keys of a file for actions.
fn actions_table() -> Vec<ParameterDoc> {
    let table = kind(PartKind::Rule, RULE).map(|kind| kind.table()).unwrap_or_default();
    let is_tree = |kind: &ParameterKind| matches!(kind, ParameterKind::FreeForm(_) | ParameterKind::Conditions);
    let params = table.into_iter().filter(|parameter| !is_tree(parameter.kind())).collect();
    let entry = |name: &'static str, doc: &str, kind: ParameterKind| {
        ParameterDoc::new(name, doc, ParameterKind::Optional(Box::new(kind)), None, Value::Null)
    };
    let observations = "Free observations below `Free`, and the observations that `aomdp` offers at a price: fields, or a farmer with \
                        fields, each with its entities and their variables.";
    [
        Some(entry(
            "params",
            "The other parameters of the rule, such as the number of actions and steps.",
            ParameterKind::Group(params),
        )),
        Some(entry("observations", observations, ParameterKind::Map(Box::new(ParameterKind::Any)))),
        parameter(PartKind::Rule, RULE, "actions", "interventions"),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// A score in the layout of the paper.
fn score_layout() -> Json {
    let weights = || ParameterKind::Map(Box::new(ParameterKind::Optional(Box::new(ParameterKind::Real))));
    let costs = |name, key| parameter(PartKind::Score, SCORE, name, key);
    let mixes = |name, key| {
        parameter(PartKind::Score, SCORE, name, key).map(|mix| {
            // The weights also accept the names of the reference.
            ParameterDoc::new(key, mix.doc(), ParameterKind::Optional(Box::new(weights())), None, Value::Null)
        })
    };
    let table = [
        costs("observation_cost", "observation-cost"),
        costs("intervention_cost", "intervention-cost"),
        mixes("reward_mix", "reward-mix"),
        mixes("final_reward_mix", "final-reward-mix"),
    ];
    within(&table.into_iter().flatten().collect::<Vec<_>>())
}

/// The schema of a table within another schema.
fn within(table: &[ParameterDoc]) -> Json {
    let mut schema = table_schema("", table, &[]);
    if let Some(keys) = schema.as_object_mut() {
        keys.retain(|key, _| !["$schema", "title", "required"].contains(&key.as_str()));
    }
    schema
}

/// The other forms of a policy file: the name of a policy, or a list of policies that decide together.
fn policy_forms() -> [Json; 2] {
    let name = json!({"type": "string", "description": "The name of one of the game's policies."});
    let list = json!({
        "type": "array",
        "items": {"$ref": "#"},
        "description": "Policies that decide together, starting with the most important one.",
    });
    [name, list]
}
