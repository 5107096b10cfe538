//! Facts from the level files of AutoEnv-36: environments 18 (Valley Farm) and 19 (Backwards Valley).
//!
//! Crop types and cottages in these files are ignored: crop types are never visible, and villagers stay at home.

use farm_core::config::{ParameterError, Path, Problem, Problems, to_inline_yaml};
use farm_core::serde_yaml::Value;
use farm_entities::grid::GridError;

use super::facts::{Group, LevelFacts, LevelThing, Tile, tile};
use super::root;
use crate::LevelError;

/// The number of steps for which an animal of environment 18 is sated after a feeding; its timer counts up to this number.
pub(super) const SATED_STEPS: u64 = 10;

/// Items whose names in environment 18 differ from ours: the name there, then our name.
pub(super) const ITEMS: [(&str, &str); 2] = [("animal_feed", "feed"), ("animal_products", "products")];

/// Whether a file is such a level: it lists things in `objects`, and names no game.
pub(super) fn is_level(value: &Value) -> bool {
    value.get("game").is_none() && value.get("objects").is_some_and(Value::is_mapping)
}

/// The level's facts; none if the file has problems.
pub(super) fn read(value: &Value, problems: &mut Problems) -> Option<LevelFacts> {
    let agent = root("agent");
    let agent_at = tile(at(value, &["agent", "pos"]), &agent.child("pos"), problems)?;
    let facing = at(value, &["agent", "facing"]).and_then(Value::as_str);
    let items = at(value, &["agent", "inventory"]).and_then(Value::as_mapping).into_iter().flatten();
    let inventory = items.filter_map(|(item, amount)| {
        let theirs = item.as_str()?;
        let ours = ITEMS.iter().find(|(name, _)| *name == theirs).map_or(theirs, |(_, ours)| ours);
        Some((ours.to_owned(), amount.clone(), agent.child("inventory").child(theirs)))
    });
    let inventory = inventory.collect();
    let limits = [["termination", "max_steps"], ["globals", "max_steps"]];
    let steps = limits.iter().find_map(|[above, key]| {
        let steps = at(value, &[above, key])?.as_u64().and_then(|steps| u32::try_from(steps).ok())?;
        Some((steps, root(above).child(*key)))
    });
    let size = tile(at(value, &["tiles", "size"]), &root("tiles").child("size"), problems)?;
    let (rows, rows_path) = rows(value, size.0, problems);
    let mut things = Vec::new();
    for (group, name) in [
        (Group::Fields, "fields"),
        (Group::Fields, "crop_fields"),
        (Group::Pens, "pens"),
        (Group::Barns, "barns"),
        (Group::Villagers, "villagers"),
    ] {
        let entries = at(value, &["objects", name]).and_then(Value::as_sequence).into_iter().flatten();
        for (i, entry) in entries.enumerate() {
            let path = root("objects").child(name).child(i);
            // A harvested field is ground.
            if entry.get("harvested").and_then(Value::as_bool) == Some(true) {
                continue;
            }
            let Some(at) = tile(entry.get("pos"), &path.child("pos"), problems) else { continue };
            let values = values(entry, &path, problems);
            things.push(LevelThing { group, at, values, path });
        }
    }
    if let Some(market) = at(value, &["objects", "market"]) {
        let path = root("objects").child("market");
        if let Some(at) = tile(Some(market), &path, problems) {
            things.push(LevelThing { group: Group::Markets, at, values: Vec::new(), path });
        }
    }
    Some(LevelFacts {
        game: None,
        steps,
        rows,
        rows_path,
        is_strict: false,
        agent: agent_at,
        facing: facing.map(|facing| (facing.to_owned(), agent.child("facing"))),
        inventory,
        things,
        empty: Vec::new(),
    })
}

fn at<'v>(value: &'v Value, keys: &[&str]) -> Option<&'v Value> {
    keys.iter().try_fold(value, |value, key| value.get(*key))
}

/// The map as a picture.
fn rows(value: &Value, (length, width): Tile, problems: &mut Problems) -> (Vec<String>, Path) {
    const LARGEST: u32 = 256;
    if length == 0 || width == 0 || length > LARGEST || width > LARGEST {
        let problem = Problem::new(LevelError::WrongMap, root("tiles").child("size"), "no map has this size");
        problems.push(problem.value(format!("{length} × {width}")).expected("1 to 256 tiles in each direction"));
        return (Vec::new(), root("tiles"));
    }
    let mut rows = vec![vec![b'.'; length as usize]; width as usize];
    let path = root("objects").child("fences");
    let fences = at(value, &["objects", "fences"]).and_then(Value::as_sequence).into_iter().flatten();
    for (i, fence) in fences.enumerate() {
        let path = path.child(i).child("pos");
        let Some(((x, y), path)) = tile(fence.get("pos"), &path, problems) else { continue };
        match rows.get_mut(y as usize).and_then(|row| row.get_mut(x as usize)) {
            Some(symbol) => *symbol = b'#',
            None => {
                let problem = Problem::new(GridError::BeyondMap, path, "this tile lies beyond the map")
                    .value(format!("({x}, {y})"));
                problems.push(problem.expected(format!("x from 0 to {}, y from 0 to {}", length - 1, width - 1)));
            }
        }
    }
    (rows.iter().map(|row| String::from_utf8_lossy(row).into_owned()).collect(), path)
}

/// A thing's known values, under our keys.
fn values(entry: &Value, path: &Path, problems: &mut Problems) -> Vec<(&'static str, Value, Path)> {
    let mut values = Vec::new();
    for (theirs, ours) in [
        ("stage", "stage"),
        ("health_state", "stage"),
        ("base_value", "base_value#point"),
        ("thriving_achieved", "has_paid"),
        ("friendly_achieved", "has_paid"),
        ("relationship", "relationship#point"),
    ] {
        values.extend(entry.get(theirs).map(|value| (ours, value.clone(), path.child(theirs))));
    }
    if entry.get("relationship").is_none() {
        values.extend(entry.get("mood").map(|mood| ("mood", mood.clone(), path.child("mood"))));
    }
    if let Some(stage) = at(entry, &["crop", "stage"]).filter(|stage| stage.as_str() != Some("empty")) {
        values.push(("stage", stage.clone(), path.child("crop").child("stage")));
    }
    let animal = path.child("animal");
    let mut number = |key: &str| -> u64 {
        match at(entry, &["animal", key]) {
            None => 0,
            Some(number) => number.as_u64().unwrap_or_else(|| {
                let problem = Problem::new(ParameterError::WrongType, animal.child(key), "this is not a valid count")
                    .value(to_inline_yaml(number));
                problems.push(problem.expected("an integer ≥ 0"));
                0
            }),
        }
    };
    if entry.get("animal").is_some() {
        let (timer, stock) = (number("timer"), number("product_count"));
        let is_sated = at(entry, &["animal", "hungry"]).and_then(Value::as_bool) == Some(false);
        // With the timer's last tick ends the last sated step.
        let sated_steps = if is_sated { SATED_STEPS.saturating_sub(timer) } else { 0 };
        values.push(("sated_steps#step", sated_steps.into(), animal.child("timer")));
        values.push(("ticks#nb", timer.into(), animal.child("timer")));
        values.push(("stock#nb", stock.into(), animal.child("product_count")));
        let species = at(entry, &["animal", "species"]);
        values.extend(species.map(|species| ("species", species.clone(), animal.child("species"))));
    }
    values
}
