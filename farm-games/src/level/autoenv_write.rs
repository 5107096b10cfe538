//! Writes a level as a file of AutoEnv-36: environments 18 (Valley Farm) and 19 (Backwards Valley).
//!
//! These files contain facts that our levels do not have. Crop types and species are derived from base values, as in the files that come
//! with AutoEnv-36. Each villager's tile gets a cottage.

use farm_core::config::{Path, Problem, Problems, to_inline_yaml};
use farm_core::serde_yaml::{self, Mapping, Value};
use farm_core::{Game, State};

use super::autoenv::{ITEMS, SATED_STEPS};
use super::{root, write};
use crate::LevelError;

/// The crop types of environment 19, by base value from 1.
const CROP_TYPES: [&str; 5] = ["wheat", "wheat", "corn", "rice", "pumpkin"];
const ANIMAL_TYPES: [&str; 3] = ["cow", "sheep", "pig"];

/// The stages of environment 19.
const STAGES: [&str; 10] =
    ["Seed", "Sprout", "Young", "HarvestReady", "Weak", "Okay", "Thriving", "Hostile", "Neutral", "Friendly"];

/// The relationship from which a villager of environment 18 is friendly.
const FRIENDLY: f64 = 20.0;

/// The world in a state at the start of an episode, as a file of AutoEnv-36. `heading` is its first comment.
///
/// # Errors
/// The game has no levels, or AutoEnv-36 can't represent this world; the problem shows the value that does not fit.
pub fn write_autoenv(game: &Game, state: &State, heading: &str) -> Result<String, Problems> {
    let text = write(game, state, heading)?;
    let level: Value = serde_yaml::from_str(&text).unwrap_or_default();
    let written = if level.get("markets").is_some() { valley_farm(&level) } else { backwards_valley(&level) };
    let mut world = written.map_err(|problem| Problems(vec![*problem]))?;
    let steps = game.most_steps().unwrap_or_default();
    let limit = if level.get("markets").is_some() { "termination" } else { "globals" };
    if let Some(Value::Mapping(limits)) = world.get_mut(limit) {
        limits.insert("max_steps".into(), steps.into());
    }
    let yaml = serde_yaml::to_string(&world).unwrap_or_default();
    Ok(format!("# {heading}\n{yaml}"))
}

/// A problem with a world that AutoEnv-36 can't represent.
type Unfit = Box<Problem>;

/// The problem to report for a value in a level that AutoEnv-36 files can't represent.
fn unfit(path: Path, message: &str, value: &Value, expected: &str) -> Unfit {
    let problem = Problem::new(LevelError::NotOfAutoEnv, path, message.to_owned());
    Box::new(problem.value(to_inline_yaml(value)).expected(expected.to_owned()))
}

fn mapping<const N: usize>(entries: [(&str, Value); N]) -> Value {
    Value::Mapping(entries.into_iter().map(|(key, value)| (key.into(), value)).collect())
}

/// The things in a group, each with its path in the level.
fn things<'l>(level: &'l Value, group: &str) -> Vec<(&'l Value, Path)> {
    let entries = level.get(group).and_then(Value::as_sequence).into_iter().flatten();
    entries.enumerate().map(|(i, entry)| (entry, root(group).child(i))).collect()
}

fn value(entry: &Value, key: &str) -> Value {
    entry.get(key).cloned().unwrap_or_default()
}

fn number(entry: &Value, key: &str) -> u64 {
    entry.get(key).and_then(Value::as_u64).unwrap_or_default()
}

/// The obstacle tiles, and the size of the map.
fn map(level: &Value) -> (Vec<Value>, Value) {
    let text = level.get("map").and_then(Value::as_str).unwrap_or_default();
    let rows: Vec<&str> = text.lines().map(str::trim).filter(|row| !row.is_empty()).collect();
    let mut fences = Vec::new();
    for (y, row) in rows.iter().enumerate() {
        let found = row.char_indices().filter(|(_, symbol)| *symbol == '#');
        fences.extend(found.map(|(x, _)| mapping([("pos", tile(x, y))])));
    }
    (fences, tile(rows.first().map_or(0, |row| row.len()), rows.len()))
}

fn tile(x: usize, y: usize) -> Value {
    Value::Sequence(vec![(x as u64).into(), (y as u64).into()])
}

fn tiles(size: Value) -> Value {
    mapping([("default_type", "grass".into()), ("size", size)])
}

/// A world of environment 19.
fn backwards_valley(level: &Value) -> Result<Mapping, Unfit> {
    let group = |group: &str, kind: &str, types: &[&str], stage: (&str, &str), paid: &str| {
        let thing = |(entry, path): (&Value, Path)| -> Result<Value, Unfit> {
            let (worth, found) = (number(entry, "base_value#point"), value(entry, stage.0));
            if !found.as_str().is_some_and(|found| STAGES.contains(&found)) {
                let expected = STAGES.join(", ");
                return Err(unfit(path.child(stage.0), "AutoEnv-36 has no such stage", &found, &expected));
            }
            let mut thing = Mapping::new();
            if let [first, .., last] = types {
                let name =
                    types.get((worth as usize).saturating_sub(1)).unwrap_or(if worth == 0 { first } else { last });
                thing.insert(kind.into(), (*name).into());
            }
            thing.insert("base_value".into(), worth.into());
            thing.insert(stage.1.into(), found);
            let has_paid = entry.get("has_paid").and_then(Value::as_bool) == Some(true);
            if paid == "harvested" && has_paid {
                return Err(unfit(
                    path.child("has_paid"),
                    "AutoEnv-36 has no harvested fields, only bare ground",
                    entry,
                    "no field on this tile",
                ));
            }
            thing.insert(paid.into(), has_paid.into());
            thing.insert("pos".into(), value(entry, "at"));
            Ok(thing.into())
        };
        things(level, group).into_iter().map(thing).collect::<Result<Vec<_>, _>>().map(Value::Sequence)
    };
    let (fences, size) = map(level);
    let agent = value(level, "agent");
    let objects = mapping([
        ("fences", fences.into()),
        ("fields", group("fields", "crop_type", &CROP_TYPES, ("stage", "stage"), "harvested")?),
        ("pens", group("pens", "animal_type", &ANIMAL_TYPES, ("stage", "health_state"), "thriving_achieved")?),
        ("villagers", group("villagers", "", &[], ("mood", "mood"), "friendly_achieved")?),
    ]);
    Ok(Mapping::from_iter([
        ("agent".into(), mapping([("facing", value(&agent, "facing")), ("pos", value(&agent, "at"))])),
        ("globals".into(), mapping([("farm_value", 0.into())])),
        ("objects".into(), objects),
        ("tiles".into(), tiles(size)),
    ]))
}

/// A world of environment 18.
fn valley_farm(level: &Value) -> Result<Mapping, Unfit> {
    let (fences, size) = map(level);
    if let Some(fence) = fences.first() {
        let message = "AutoEnv-36 has no obstacles in Valley Farm";
        return Err(unfit(root("map"), message, &value(fence, "pos"), "a map without `#`"));
    }
    let named =
        |i: usize, name: &str, entry: &Value| [("id", format!("{name}_{i}").into()), ("pos", value(entry, "at"))];
    let (mut fields, mut barns, mut cottages, mut villagers) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (i, (entry, _)) in things(level, "fields").into_iter().enumerate() {
        let stage = entry.get("stage").cloned().unwrap_or_else(|| "empty".into());
        let [id, at] = named(i, "field", entry);
        fields.push(mapping([("crop", mapping([("stage", stage), ("waterings", 0.into())])), id, at]));
    }
    for (i, (entry, path)) in things(level, "barns").into_iter().enumerate() {
        let (sated, ticks) = (number(entry, "sated_steps#step"), number(entry, "ticks#nb"));
        if sated > 0 && sated + ticks != SATED_STEPS {
            let message = "AutoEnv-36 counts only the steps since a feeding";
            let expected = format!("{}, the number of steps since the feeding", SATED_STEPS.saturating_sub(sated));
            return Err(unfit(path.child("ticks#nb"), message, entry, &expected));
        }
        let animal = mapping([
            ("hungry", (sated == 0).into()),
            ("product_count", number(entry, "stock#nb").into()),
            ("species", value(entry, "species")),
            ("timer", ticks.into()),
        ]);
        let [id, at] = named(i, "barn", entry);
        barns.push(mapping([("animal", animal), id, at]));
    }
    for (i, (entry, _)) in things(level, "villagers").into_iter().enumerate() {
        let relationship = value(entry, "relationship#point");
        let mood = if relationship.as_f64().unwrap_or_default() >= FRIENDLY { "friendly" } else { "neutral" };
        let [id, at] = named(i, "villager", entry);
        let home = value(entry, "at");
        villagers.push(mapping([("home_pos", home), id, ("mood", mood.into()), at, ("relationship", relationship)]));
        cottages.push(mapping(named(i, "cottage", entry)));
    }
    let markets = things(level, "markets");
    let [(market, _)] = markets.as_slice() else {
        let message = "AutoEnv-36 has one market";
        return Err(unfit(root("markets"), message, &(markets.len() as u64).into(), "one"));
    };
    let agent = value(level, "agent");
    let items = agent.get("inventory#nb").and_then(Value::as_mapping).into_iter().flatten();
    let items = items.map(|(item, amount)| {
        let ours = item.as_str().unwrap_or_default();
        let theirs = ITEMS.iter().find(|(_, name)| *name == ours).map_or(ours, |(name, _)| name);
        (theirs.into(), amount.clone())
    });
    let inventory = Value::Mapping(items.collect());
    let objects = mapping([
        ("barns", barns.into()),
        ("cottages", cottages.into()),
        ("crop_fields", fields.into()),
        ("market", value(market, "at")),
        ("villagers", villagers.into()),
    ]);
    Ok(Mapping::from_iter([
        ("agent".into(), mapping([("inventory", inventory), ("pos", value(&agent, "at"))])),
        ("globals".into(), mapping([("map_size", size.clone())])),
        ("objects".into(), objects),
        ("termination".into(), mapping([("conditions", Value::Sequence(Vec::new()))])),
        ("tiles".into(), tiles(size)),
    ]))
}
