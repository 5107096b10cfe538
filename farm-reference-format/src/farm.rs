//! The key `Farm:`, with fields, their entities and farmers, and the interaction modes.

use farm_core::config::{Document, ParameterDoc, PartKind, Path, Problem, TextPath, nearest, to_inline_yaml};
use farm_core::registry::{kind, kinds};
use farm_core::serde_yaml::Value;
use farm_core::spec::GameError;

use crate::names::{Named, normal};
use crate::notes::Remarks;
use crate::vocabulary::{Word, find};

/// The number of interventions per day that means "no limit".
const UNLIMITED: u32 = 1_000_000;
/// The kind of farmer that the reference calls `basic`.
const FARMER: &str = "BasicFarmer";
/// The entity parameter that selects the equations, and its value for reference games.
const EQUATIONS: &str = "equations";
const CORRECTED: &str = "corrected";

/// Reads the farm into a document: `fields` and `farmers`.
pub(crate) fn read(farm: &Value, document: &mut Document, remarks: &mut Remarks) {
    let root = Path::default().child("Farm");
    let entries: Vec<(String, &Value)> =
        farm.as_mapping().into_iter().flatten().map(|(key, value)| (to_inline_yaml(key), value)).collect();
    let at = |key: &str| TextPath { text: 0, path: root.child(key) };
    let is = |what: &'static str| move |(key, _): &&(String, &Value)| key.to_lowercase().starts_with(what);
    // All keys start with `field` or `farmer`.
    for (rank, (key, field)) in entries.iter().filter(is("field")).enumerate() {
        let name = format!("Field-{rank}");
        if *key != name {
            remarks.mapped(&at(key), key, &name, "fields are named in the order of the file");
        }
        read_field(field, &at(key), &Path::default().child("fields").child(&name), document, remarks);
    }
    for (rank, (key, farmer)) in entries.iter().filter(is("farmer")).enumerate() {
        let name = format!("{FARMER}-{rank}");
        remarks.mapped(&at(key), key, &name, "farmers are named by kind, in the order of the file");
        read_farmer(farmer, &at(key), &Path::default().child("farmers").child(rank), document, remarks);
    }
    if !entries.iter().any(|entry| is("farmer")(&entry)) {
        let origin = TextPath { text: 0, path: root.clone() };
        remarks.defaulted(&origin, "Farmer-0", FARMER, "a farm needs a farmer");
        document.place(&Path::default().child("farmers").child(0), Value::from(FARMER), origin);
    }
    for (key, _) in &entries {
        let key_lower = key.to_lowercase();
        if !key_lower.starts_with("field") && !key_lower.starts_with("farmer") {
            remarks.left_out(&at(key), key, format!("`{key}` is neither a field nor a farmer"));
        }
    }
}

fn read_field(field: &Value, origin: &TextPath, place: &Path, document: &mut Document, remarks: &mut Remarks) {
    document.place(place, Value::Mapping(Default::default()), origin.clone());
    for (key, value) in field.as_mapping().into_iter().flatten() {
        let key = to_inline_yaml(key);
        let at = TextPath { text: origin.text, path: origin.path.child(&key) };
        match key.as_str() {
            "localization" | "localisation" => {
                let names = ["latitude#°", "longitude#°", "altitude#m"];
                read_numbers(value, &at, &place.child("localization"), &names, document, remarks);
            }
            "shape" => {
                let names = ["length#nb", "width#nb", "scale#m"];
                read_numbers(value, &at, &place.child("shape"), &names, document, remarks);
            }
            "entities" => read_entities(value, &at, place, document, remarks),
            _ => remarks.left_out(&at, &key, format!("a field has no `{key}`")),
        }
    }
}

fn read_numbers(
    group: &Value,
    origin: &TextPath,
    place: &Path,
    names: &[&str],
    document: &mut Document,
    remarks: &mut Remarks,
) {
    // The first letters are enough: `lat` is the latitude.
    let short = |key: &str| names.iter().copied().find(|name| key.len() >= 3 && normal(name).starts_with(&normal(key)));
    for (key, value) in group.as_mapping().into_iter().flatten() {
        let key = to_inline_yaml(key);
        let at = TextPath { text: origin.text, path: origin.path.child(&key) };
        let name = match (find(Named::Variable, "", &key, names), short(&key)) {
            (Word::Known(name), _) => name,
            (Word::Mapped(name, why), _) => {
                remarks.mapped(&at, &key, &name, why);
                name
            }
            (Word::Unknown(_), Some(name)) => {
                remarks.mapped(&at, &key, name, "a short form");
                name.to_owned()
            }
            (Word::Unknown(known), None) => {
                remarks.unknown(&at, &key, format!("`{key}` is not a key of a field"), known);
                continue;
            }
        };
        // Numbers of plots are integers, but may be written 3.0.
        let whole = value.as_f64().filter(|v| name.ends_with("#nb") && v.fract() == 0.0 && v.abs() < 1e9);
        document.place(&place.child(&name), whole.map_or_else(|| value.clone(), |v| Value::from(v as i64)), at);
    }
}

fn read_entities(list: &Value, origin: &TextPath, field: &Path, document: &mut Document, remarks: &mut Remarks) {
    let mut entities: Vec<(String, &Value, TextPath)> = Vec::new();
    let below = |segments: &[farm_core::config::Segment]| {
        let mut path = origin.path.clone();
        path.0.extend_from_slice(segments);
        TextPath { text: origin.text, path }
    };
    match list {
        Value::Sequence(items) => {
            for (i, item) in items.iter().enumerate() {
                match item {
                    Value::String(name) => entities.push((name.clone(), &Value::Null, below(&[i.into()]))),
                    Value::Mapping(mapping) => {
                        let named = mapping.iter().map(|(key, set)| {
                            let key = to_inline_yaml(key);
                            let at = below(&[i.into(), key.as_str().into()]);
                            (key, set, at)
                        });
                        entities.extend(named);
                    }
                    other => {
                        remarks.left_out(&below(&[i.into()]), &to_inline_yaml(other), "this is not a valid entity")
                    }
                }
            }
        }
        other => {
            let named = other.as_mapping().into_iter().flatten().map(|(key, set)| {
                let key = to_inline_yaml(key);
                let at = below(&[key.as_str().into()]);
                (key, set, at)
            });
            entities.extend(named);
        }
    }
    let known: Vec<&str> = kinds().iter().filter(|k| k.part() == PartKind::Entity).map(|k| k.name()).collect();
    let mut rank = 0;
    let mut has_equations = false;
    for (name, set, at) in entities {
        let kind_name = match find(Named::Kind, "", &name, &known) {
            Word::Known(kind) => kind,
            Word::Mapped(kind, why) => {
                remarks.mapped(&at, &name, &kind, why);
                kind
            }
            Word::Unknown(known) => {
                remarks.unknown(&at, &name, format!("there is no entity `{name}`"), known);
                continue;
            }
        };
        let set = read_set(&kind_name, set, &at, remarks);
        has_equations |= kind(PartKind::Entity, &kind_name).is_some_and(|kind| kind.table().iter().any(is_equations));
        let place = field.child("entities").child(rank);
        let entity = Value::Mapping([(Value::from(kind_name.as_str()), set)].into_iter().collect());
        let path = Path(at.path.0[..at.path.0.len().saturating_sub(1)].to_vec());
        document.place(&place, entity.clone(), TextPath { text: at.text, path });
        document.place(&place.child(&kind_name), entity[kind_name.as_str()].clone(), at);
        rank += 1;
    }
    if has_equations {
        remarks.defaulted(origin, EQUATIONS, CORRECTED, "the games of the reference use the paper's equations");
        let equations = [(Value::from(EQUATIONS), Value::from(CORRECTED))].into_iter().collect();
        document.place(&field.child("entity_defaults"), Value::Mapping(equations), origin.clone());
    }
}

fn is_equations(parameter: &ParameterDoc) -> bool {
    parameter.name() == EQUATIONS
}

/// The parameter set of a kind that a value names. If no set has this name, the set with the most similar name, or the first set.
fn read_set(kind_name: &str, set: &Value, at: &TextPath, remarks: &mut Remarks) -> Value {
    let sets = kind(PartKind::Entity, kind_name).and_then(|kind| kind.parameter_sets().ok()).unwrap_or_default();
    let names: Vec<&str> = sets.iter().map(|set| set.name()).collect();
    let (name, first) = match (set, names.first()) {
        (Value::Mapping(_), _) | (_, None) => return set.clone(),
        (Value::Null, Some(first)) => ("", *first),
        (other, Some(first)) => (other.as_str().unwrap_or(""), *first),
    };
    match find(Named::Set, kind_name, name, &names) {
        Word::Known(name) => Value::from(name),
        Word::Mapped(to, why) => {
            remarks.mapped(at, name, &to, why);
            Value::from(to)
        }
        Word::Unknown(_) => {
            let instead = nearest(name, &names).unwrap_or(first);
            let written = to_inline_yaml(set);
            remarks.replaced(at, &written, instead, format!("`{kind_name}` has no parameter set `{written}`"));
            Value::from(instead)
        }
    }
}

fn read_farmer(farmer: &Value, origin: &TextPath, place: &Path, document: &mut Document, remarks: &mut Remarks) {
    let table = kind(PartKind::Farmer, FARMER).map(|kind| kind.table()).unwrap_or_default();
    let names: Vec<&str> = table.iter().map(|parameter| parameter.name()).collect();
    let place = place.child(FARMER);
    document.place(&place, Value::Mapping(Default::default()), origin.clone());
    for (key, value) in farmer.as_mapping().into_iter().flatten() {
        let key = to_inline_yaml(key);
        let at = TextPath { text: origin.text, path: origin.path.child(&key) };
        match key.as_str() {
            "type" if value.as_str().is_some_and(|kind| ["basic", "basicfarmer"].contains(&normal(kind).as_str())) => {}
            "type" => remarks.replaced(
                &at,
                &to_inline_yaml(value),
                FARMER,
                format!("there is no type of farmer `{}`", to_inline_yaml(value)),
            ),
            "parameters" => {
                for (name, value) in value.as_mapping().into_iter().flatten() {
                    let name = to_inline_yaml(name);
                    let at = TextPath { text: at.text, path: at.path.child(&name) };
                    match find(Named::Variable, "", &name, &names) {
                        Word::Known(name) | Word::Mapped(name, _) => {
                            document.place(&place.child(&name), limit(value, &at, remarks), at);
                        }
                        Word::Unknown(known) => {
                            remarks.unknown(&at, &name, format!("a farmer has no parameter `{name}`"), known);
                        }
                    }
                }
            }
            _ => remarks.left_out(&at, &key, format!("a farmer has no `{key}`")),
        }
    }
}

/// The limit on actions per day. The reference writes infinity for "no limit".
fn limit(value: &Value, at: &TextPath, remarks: &mut Remarks) -> Value {
    let endless = match value {
        Value::Null => true,
        Value::Number(number) => number.as_f64().is_some_and(f64::is_infinite),
        Value::String(word) => {
            ["inf", "infinity", "npinf", "npinfty", "mathinf", "none"].contains(&normal(word).as_str())
        }
        _ => false,
    };
    if endless {
        remarks.mapped(at, &to_inline_yaml(value), &UNLIMITED.to_string(), "no limit");
        return Value::from(UNLIMITED);
    }
    let whole = value.as_f64().filter(|v| v.fract() == 0.0 && (0.0..=f64::from(UNLIMITED)).contains(v));
    whole.map_or_else(|| value.clone(), |v| Value::from(v as i64))
}

/// The interaction mode.
pub(crate) fn mode(value: Option<&Value>, modes: &[&str], remarks: &mut Remarks) -> String {
    let origin = TextPath { text: 0, path: Path::default().child("interaction_mode") };
    let Some(value) = value else {
        let origin = TextPath { text: 0, path: Path::default() };
        let mode = if modes.contains(&"aomdp") { "aomdp" } else { "pomdp" };
        remarks.defaulted(&origin, "interaction_mode", mode, "as in the reference");
        return mode.to_owned();
    };
    let written = to_inline_yaml(value);
    let mode = written.to_lowercase().replace(['-', '_', ' '], "");
    if modes.contains(&mode.as_str()) {
        return mode;
    }
    let why = format!("there is no interaction mode `{written}`");
    remarks.replaced(&origin, &written, "pomdp", why);
    "pomdp".to_owned()
}

/// The problem with a file whose `Farm:` is not a farm.
pub(crate) fn no_farm(farm: &Value) -> Option<Problem> {
    let is_field = |key: &Value| key.as_str().is_some_and(|key| key.to_lowercase().starts_with("field"));
    let fields = farm.as_mapping().map(|mapping| mapping.keys().filter(|key| is_field(key)).count());
    (fields.unwrap_or(0) == 0).then(|| {
        Problem::new(GameError::NoField, Path::default().child("Farm"), "the farm has no field")
            .value(to_inline_yaml(farm))
            .expected("`Field-0:` with `localization:`, `shape:` and `entities:`, and `Farmer-0:` with `type: basic`")
    })
}
