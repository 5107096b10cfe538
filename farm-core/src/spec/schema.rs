//! JSON Schemas (draft 2020-12) for game files and parameter sets. Editors use them for completion and checks.
//!
//! The schemas contain everything that is declared: keys, kinds, parameter sets, descriptions, units, ranges, choices and defaults. Only
//! `farm check` can check values that depend on the game, mainly the names of variables and actions.

use indexmap::IndexMap;
use serde_json::{Map, Value as Json, json};
use serde_yaml::Value;

use super::{REQUIRED, game_table, tunable};
use crate::config::{PLAIN_TEXTS, ParameterDoc, ParameterKind, PartKind, WITH_ENTRIES};
use crate::registry::{Kind, elsewhere, kinds};
use crate::{condition, monitor};

const DRAFT: &str = "https://json-schema.org/draft/2020-12/schema";
const PARTS: [PartKind; 5] = [PartKind::Entity, PartKind::Farmer, PartKind::Rule, PartKind::Score, PartKind::Policy];

/// A schema and the path of its file.
#[derive(Debug, Clone, PartialEq, farm_macros::Getters)]
pub struct SchemaFile {
    /// The path, relative to the folder with all schemas.
    pub(crate) path: String,
    /// The schema.
    pub(crate) schema: Json,
}

impl SchemaFile {
    /// A schema for the file at a path, relative to the folder with all schemas.
    pub fn new(path: String, schema: Json) -> Self {
        Self { path, schema }
    }

    /// Mutable access to the schema.
    pub fn schema_mut(&mut self) -> &mut Json {
        &mut self.schema
    }
}

/// The schemas for game files and for parameter sets. They cover all kinds linked into this program.
pub fn schemas() -> Vec<SchemaFile> {
    let game = SchemaFile { path: "game.schema.json".to_owned(), schema: game() };
    let sets = kinds().iter().filter(|kind| !kind.sets.is_empty()).map(|kind| SchemaFile {
        path: format!("parameter-sets/{}.schema.json", kind.name),
        schema: parameter_sets(kind),
    });
    std::iter::once(game).chain(sets).collect()
}

/// The schema for a file with a table's parameters at its root. Those in `required` must be present.
pub fn table_schema(title: &str, table: &[ParameterDoc], required: &[&str]) -> Json {
    let mut schema = json!({"$schema": DRAFT, "title": title});
    extend(&mut schema, object(table, &Value::Null));
    schema["required"] = json!(required);
    schema
}

/// The schema for a file that contains a part of this type, or a value in one of the `other` forms.
pub fn part_file_schema(title: &str, part: PartKind, other: &[Json]) -> Json {
    let mut forms = vec![reference(part)];
    forms.extend_from_slice(other);
    json!({"$schema": DRAFT, "title": title, "anyOf": forms, "$defs": definitions(part)})
}

/// The schema for this value, or for the path to a YAML file that contains the value.
pub fn file_or(mut schema: Json) -> Json {
    const ENDINGS: &str = r"\.ya?ml$";
    let mut types = match schema.get("type") {
        Some(Json::Array(names)) => names.clone(),
        Some(name) => vec![name.clone()],
        None => {
            let description = schema.as_object_mut().and_then(|schema| schema.shift_remove("description"));
            let file =
                json!({"type": "string", "pattern": ENDINGS, "description": "The path of a file with this content."});
            let mut either = json!({"anyOf": [schema, file]});
            if let Some(description) = description {
                either["description"] = description;
            }
            return either;
        }
    };
    // Both forms share one schema, so that an editor reports the error inside the value instead of rejecting both forms. If strings are
    // allowed, any path is already accepted.
    if !types.contains(&json!("string")) {
        types.push(json!("string"));
        schema["type"] = Json::Array(types);
        schema["pattern"] = json!(ENDINGS);
    }
    schema
}

/// The schema for a game file.
fn game() -> Json {
    let mut schema = json!({"$schema": DRAFT, "title": "A farm game"});
    extend(&mut schema, object(&game_table(), &Value::Null));
    schema["required"] = json!(REQUIRED);
    // The tables contain the types of values, but not their minimum number.
    schema["properties"]["fields"]["minProperties"] = json!(1);
    schema["properties"]["farmers"]["minItems"] = json!(1);
    let field = &mut schema["properties"]["fields"]["additionalProperties"];
    field["required"] = json!(["entities"]);
    field["properties"]["entities"]["minItems"] = json!(1);
    extend(&mut field["properties"]["entity_defaults"], entity_defaults());
    schema["properties"]["monitoring"]["items"] = monitor::schema();
    for parameter in game_table().iter().filter(|parameter| !PLAIN_TEXTS.contains(&parameter.name)) {
        let part = &mut schema["properties"][parameter.name];
        for entries in ["items", "additionalProperties"].iter().filter(|_| WITH_ENTRIES.contains(&parameter.name)) {
            if let Some(entry) = part.get_mut(entries) {
                *entry = file_or(entry.take());
            }
        }
        *part = file_or(part.take());
    }
    schema["$defs"] = PARTS.into_iter().flat_map(definitions).collect();
    schema
}

/// The definitions of all kinds for one type of part, and a definition of the choice between them.
fn definitions(part: PartKind) -> Map<String, Json> {
    let here = kinds().iter().copied();
    // An editor does not know which program reads the file, so kinds from other programs are also valid.
    let all = here.chain(elsewhere().into_iter().map(|other| &other.kind));
    let of_part: Vec<&Kind> = all.filter(|kind| kind.part == part).collect();
    let mut definitions = Map::new();
    definitions.insert(part.singular().to_owned(), tagged(&of_part));
    definitions.extend(of_part.into_iter().map(|kind| (name_of(kind), payload(kind))));
    if part == PartKind::Policy {
        definitions.insert("tunable".to_owned(), tunable::schema(&number("number", None)));
    }
    definitions
}

/// A reference to parts of this type.
fn reference(part: PartKind) -> Json {
    json!({"$ref": format!("#/$defs/{}", part.singular())})
}

/// The schema for the file with a kind's parameter sets.
fn parameter_sets(kind: &Kind) -> Json {
    let mut parameters = object(&kind.table(), &Value::Null);
    parameters["description"] = json!("The parameters that differ from the defaults.");
    json!({
        "$schema": DRAFT,
        "title": format!("Parameter sets of {}", kind.name),
        "description": kind.doc.trim(),
        "type": "object",
        "additionalProperties": {
            "type": "object",
            "properties": {
                "synonyms": {
                    "type": "array",
                    "items": {"type": "string", "minLength": 1},
                    "description": "Other words for it. Errors suggest the parameter set for these words.",
                },
                "doc": {"type": "string", "minLength": 1, "description": "A description in one sentence."},
                "base": {"type": "string", "minLength": 1, "description": "The parameter set that this one changes. It comes earlier."},
                "source": {"type": "string", "minLength": 1, "description": "The origin of the numbers."},
                "parameters": parameters,
            },
            "required": ["doc", "source"],
            "additionalProperties": false,
        },
    })
}

/// The name of a kind's definition. Two kinds may have the same name if they are different types of parts.
fn name_of(kind: &Kind) -> String {
    format!("{}-{}", kind.part.singular(), kind.name)
}

/// The schema for one of several kinds, written as its name or as a mapping with its name as the only key.
///
/// The names are properties of one object rather than alternative objects. An editor then suggests all names, and reports errors
/// only for the name that was written.
fn tagged(kinds: &[&Kind]) -> Json {
    let name = |kind: &&Kind| json!({"const": kind.name, "description": kind.doc.trim()});
    let property = |kind: &&Kind| (kind.name.to_owned(), json!({"$ref": format!("#/$defs/{}", name_of(kind))}));
    json!({
        "anyOf": [
            {
                "type": "object",
                "properties": kinds.iter().map(property).collect::<Map<_, _>>(),
                "additionalProperties": false,
                "minProperties": 1,
                "maxProperties": 1,
            },
            {"anyOf": kinds.iter().map(name).collect::<Vec<_>>()},
        ],
    })
}

/// The value after a kind's name: nothing, a parameter set, or parameters, optionally based on a set.
fn payload(kind: &Kind) -> Json {
    let mut parameters = object(&kind.table(), &Value::Null);
    let_mappings_be_empty(&mut parameters);
    if kind.part == PartKind::Policy {
        tunable::let_numbers_be_tunable(&mut parameters);
    }
    let mut forms = Vec::new();
    let sets = kind.parameter_sets().unwrap_or_default();
    if !sets.is_empty() {
        let names = sets.iter().map(|set| json!({"const": set.name, "description": set.doc.trim()}));
        let names = json!({"anyOf": names.collect::<Vec<_>>()});
        parameters["properties"]["base"] = names.clone();
        parameters["properties"]["base"]["description"] =
            json!("The parameter set to start from. The other keys replace its values.");
        forms.push(names);
    }
    if kind.open.is_some() {
        parameters["additionalProperties"] = json!(true);
        forms.push(json!({"type": "string"}));
    }
    forms.extend([parameters, json!({"type": "null"})]);
    json!({"description": kind.doc.trim(), "anyOf": forms})
}

/// Allows `null` for mappings wherever the reader allows it. Such keys have had all entries deleted or commented out, as in template files.
fn let_mappings_be_empty(schema: &mut Json) {
    let Some(keys) = schema.as_object_mut() else { return };
    let named = keys.get_mut("properties").and_then(Json::as_object_mut).into_iter().flat_map(|all| all.values_mut());
    named.for_each(let_mapping_be_empty);
    keys.get_mut("additionalProperties").into_iter().for_each(let_mapping_be_empty);
}

fn let_mapping_be_empty(schema: &mut Json) {
    if schema.get("type") == Some(&json!("object")) {
        schema["type"] = json!(["object", "null"]);
        let_mappings_be_empty(schema);
    }
}

/// The parameters of all entities, by name. If entities accept different values for a parameter, all of these values are allowed.
fn entity_defaults() -> Json {
    let mut forms: IndexMap<&str, Vec<Json>> = IndexMap::new();
    for parameter in kinds().iter().filter(|kind| kind.part == PartKind::Entity).flat_map(|kind| kind.table()) {
        let described = described(&parameter, &parameter.default);
        let known = forms.entry(parameter.name).or_default();
        if !known.contains(&described) {
            known.push(described);
        }
    }
    let property = |(name, forms): (&str, Vec<Json>)| match <[Json; 1]>::try_from(forms) {
        Ok([only]) => (name.to_owned(), only),
        Err(several) => (name.to_owned(), json!({"anyOf": several})),
    };
    json!({"properties": forms.into_iter().map(property).collect::<Map<_, _>>(), "additionalProperties": false})
}

/// A mapping with a table's parameters, all optional. `defaults` are the defaults of the group that contains the table.
fn object(table: &[ParameterDoc], defaults: &Value) -> Json {
    let property = |parameter: &ParameterDoc| {
        let default = defaults.get(parameter.name).unwrap_or(&parameter.default);
        (parameter.name.to_owned(), described(parameter, default))
    };
    json!({
        "type": "object",
        "properties": table.iter().map(property).collect::<Map<_, _>>(),
        "additionalProperties": false,
    })
}

/// The schema for a parameter, with its description, unit and default.
fn described(parameter: &ParameterDoc, default: &Value) -> Json {
    let unit = parameter.name.split_once('#').map(|(_, unit)| format!(" In {unit}.")).unwrap_or_default();
    let mut schema = json!({"description": format!("{}{unit}", parameter.doc)});
    extend(&mut schema, value(&parameter.kind, parameter.range, default));
    // The parameters of a group have their own defaults.
    let is_group = schema.get("properties").is_some();
    match serde_json::to_value(default) {
        Ok(default) if !default.is_null() && !is_group => schema["default"] = default,
        _ => {}
    }
    schema
}

/// The schema for a value.
fn value(kind: &ParameterKind, range: Option<(f64, f64)>, default: &Value) -> Json {
    match kind {
        ParameterKind::Real => number("number", range),
        // Integers have 32 bits.
        ParameterKind::Integer => number("integer", range.or(Some((f64::from(i32::MIN), f64::from(i32::MAX))))),
        ParameterKind::Flag => json!({"type": "boolean"}),
        ParameterKind::Text => json!({"type": "string"}),
        ParameterKind::Choice(words) => json!({"enum": words}),
        ParameterKind::Group(table) => object(table, default),
        ParameterKind::List(item) => json!({"type": "array", "items": value(item, range, &Value::Null)}),
        ParameterKind::Interval(item) => {
            json!({"type": "array", "items": value(item, range, &Value::Null), "minItems": 2, "maxItems": 2})
        }
        ParameterKind::Map(item) => {
            json!({"type": "object", "additionalProperties": value(item, range, &Value::Null)})
        }
        ParameterKind::Optional(inner) => or_null(value(inner, range, default)),
        ParameterKind::Part(part) => reference(*part),
        ParameterKind::Conditions => condition::schema(),
        ParameterKind::Any | ParameterKind::FreeForm(_) => json!({}),
    }
}

/// A number of this type (`number` or `integer`), limited to the range if there is one.
fn number(name: &str, range: Option<(f64, f64)>) -> Json {
    let mut schema = json!({"type": name});
    for (key, bound) in range.into_iter().flat_map(|(low, high)| [("minimum", low), ("maximum", high)]) {
        // Integer bounds are written as integers, as people write them. JSON has no infinite numbers.
        if bound.is_finite() {
            let whole = bound.fract() == 0.0 && bound.abs() < 1e15;
            schema[key] = if whole { json!(bound as i64) } else { json!(bound) };
        }
    }
    if name == "number" {
        // YAML has `.nan` and `.inf`, which can pass comparisons with bounds. For example, `.nan` is not at or below any number.
        schema["not"] = json!({"type": "number", "exclusiveMinimum": f64::MAX});
    }
    schema
}

/// The same schema, or `null`.
fn or_null(mut schema: Json) -> Json {
    let nullable = match (schema.get("enum"), schema.get("type")) {
        (Some(Json::Array(words)), _) => ("enum", Json::Array(words.iter().cloned().chain([Json::Null]).collect())),
        (_, Some(Json::String(name))) => ("type", json!([name, "null"])),
        // A schema without a type already accepts anything.
        (_, None) if schema.as_object().is_some_and(Map::is_empty) => return schema,
        (_, Some(Json::Array(_))) => return schema,
        _ => return json!({"anyOf": [schema, {"type": "null"}]}),
    };
    schema[nullable.0] = nullable.1;
    schema
}

/// Adds one object's entries to another object.
fn extend(schema: &mut Json, more: Json) {
    if let (Json::Object(schema), Json::Object(more)) = (schema, more) {
        schema.extend(more);
    }
}
