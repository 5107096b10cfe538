//! The levels of climate, soil and price in `contexts.yaml`, and the changes that a level makes to a game.

use farm_core::config::{Document, Problems};
use farm_core::serde_yaml::{self, Mapping, Value};
use farm_core::spec::load_document;
use indexmap::IndexMap;
use serde::Deserialize;

use super::split::ContextSplit;

/// The text of the levels.
const LEVELS: &str = include_str!("../../contexts.yaml");
/// The equations of the parts that contexts change.
const AGRONOMIC: &str = "agronomic";

/// A change: the path of a value, and the new value.
pub(super) type Change = (String, Value);

/// All levels.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Levels {
    pub climate: IndexMap<String, Level>,
    pub soil: IndexMap<String, Level>,
    pub price: IndexMap<String, Level>,
    /// The places of the parameter sets of weather, by the name of the set.
    places: IndexMap<String, Value>,
}

/// A level of climate, soil or price.
#[derive(Deserialize)]
pub(super) struct Level {
    pub split: ContextSplit,
    /// What the level is.
    pub doc: String,
    /// The parameter set that replaces the game's set of the weather, by the name of the game's set.
    #[serde(default)]
    place: IndexMap<String, String>,
    /// The changes of the parameters, by kind of part.
    #[serde(flatten)]
    parts: IndexMap<String, PartChanges>,
}

/// The changes of a part's parameters, with the names and the nesting of the parameters.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct PartChanges {
    set: Mapping,
    times: Mapping,
    towards: Mapping,
}

impl Levels {
    /// The levels that come with the program.
    pub(super) fn shipped() -> Result<Self, serde_yaml::Error> {
        serde_yaml::from_str(LEVELS)
    }

    /// The changes that a level makes to a game; `None` if the game has nothing that the level changes.
    pub(super) fn changes(&self, level: &Level, game: &Parts<'_>) -> Option<Vec<Change>> {
        let mut changes = Vec::new();
        for (path, kind, parameters) in &game.parts {
            if let Some(wanted) = level.parts.get(kind) {
                leaves(&Value::Mapping(wanted.set.clone()), &mut |at, value| {
                    changes.push((join(path, at), value.clone()));
                });
                leaves(&Value::Mapping(wanted.times.clone()), &mut |at, factor| {
                    let Some(found) = inside(parameters, at) else { return };
                    let mut scale = |below: &[&str], value: &Value| {
                        if let Some((value, factor)) = value.as_f64().zip(factor.as_f64()) {
                            changes.push((join(&join(path, at), below), rounded(value * factor).into()));
                        }
                    };
                    leaves(found, &mut scale);
                });
                leaves(&Value::Mapping(wanted.towards.clone()), &mut |at, share| {
                    let [above @ .., name, target] = at else { return };
                    let number = |name: &str| inside(parameters, above)?.get(name)?.as_f64();
                    if let (Some(from), Some(to), Some(share)) = (number(name), number(target), share.as_f64()) {
                        changes.push((join(path, &at[..at.len() - 1]), rounded(from + share * (to - from)).into()));
                    }
                });
            }
        }
        for (path, base) in &game.weather {
            let Some(set) = level.place.get(*base) else { continue };
            changes.push((format!("{path}.base"), set.clone().into()));
            for (field, place) in game.fields.iter().zip(self.places.get(set).into_iter().cycle()) {
                let above = format!("fields.{field}.localization");
                leaves(place, &mut |at, value| changes.push((join(&above, at), value.clone())));
            }
        }
        let is_home = level.parts.is_empty() && level.place.is_empty();
        (is_home || !changes.is_empty()).then_some(changes)
    }
}

/// The parts of a game that contexts can change.
pub(super) struct Parts<'d> {
    fields: Vec<&'d str>,
    /// The path and the parameter set of each part that is a weather with a set.
    weather: Vec<(String, &'d str)>,
    /// The path, the kind and all parameters of each part.
    parts: Vec<(String, String, Value)>,
}

impl<'d> Parts<'d> {
    /// The parts of a game.
    ///
    /// # Errors
    /// The problems of the game.
    pub(super) fn of(document: &'d Document) -> Result<Self, Problems> {
        let whole = serde_yaml::to_value(load_document(document)?).unwrap_or_default();
        let (mut fields, mut weather, mut parts) = (Vec::new(), Vec::new(), Vec::new());
        let mut add = |path: &str, part: &Value| {
            let Some((kind, parameters)) = only_entry(part) else { return false };
            let equations = parameters.get("equations").and_then(Value::as_str);
            let is_changed = equations.is_none_or(|equations| equations == AGRONOMIC);
            if is_changed {
                parts.push((format!("{path}.{kind}"), kind.to_owned(), parameters.clone()));
            }
            is_changed
        };
        for (field, written) in document.value().get("fields").and_then(Value::as_mapping).into_iter().flatten() {
            let Some(field) = field.as_str() else { continue };
            fields.push(field);
            for (i, entity) in written.get("entities").and_then(Value::as_sequence).into_iter().flatten().enumerate() {
                let path = format!("fields.{field}.entities.{i}");
                let is_changed = add(&path, &whole["fields"][field]["entities"][i]);
                if let Some(("Weather", set)) = only_entry(entity).filter(|_| is_changed) {
                    let base = set.as_str().or_else(|| set.get("base")?.as_str());
                    weather.extend(base.map(|base| (format!("{path}.Weather"), base)));
                }
            }
        }
        add("score", &whole["score"]);
        Ok(Self { fields, weather, parts })
    }
}

/// The entry of a mapping with one entry: the kind of a part, and its parameters.
fn only_entry(part: &Value) -> Option<(&str, &Value)> {
    let (kind, parameters) = part.as_mapping().filter(|part| part.len() == 1)?.iter().next()?;
    Some((kind.as_str()?, parameters))
}

/// Calls `each` with all values that are not mappings, and with the keys that lead to them.
fn leaves(value: &Value, each: &mut impl FnMut(&[&str], &Value)) {
    fn below<'v>(value: &'v Value, at: &mut Vec<&'v str>, each: &mut impl FnMut(&[&str], &Value)) {
        let Some(entries) = value.as_mapping() else { return each(at, value) };
        for (key, value) in entries {
            at.push(key.as_str().unwrap_or_default());
            below(value, at, each);
            at.pop();
        }
    }
    below(value, &mut Vec::new(), each);
}

/// The value that some keys lead to.
fn inside<'v>(value: &'v Value, at: &[&str]) -> Option<&'v Value> {
    at.iter().try_fold(value, |value, key| value.get(*key))
}

fn join(path: &str, at: &[&str]) -> String {
    at.iter().fold(path.to_owned(), |path, key| format!("{path}.{key}"))
}

/// A number without the errors of its last digits, for texts.
fn rounded(number: f64) -> f64 {
    (number * 1e9).round() / 1e9
}
