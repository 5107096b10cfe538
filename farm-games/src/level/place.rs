//! Writes a level's facts into a game's parameters.

use farm_entities::grid::GridError;
use std::collections::BTreeMap;

use farm_core::config::{Document, ParameterError, Path, Problem, Problems, TextPath, Tool, to_inline_yaml};
use farm_core::serde_yaml::{Mapping, Value};

use super::facts::{Group, LevelFacts, LevelThing, STAGED, Tile};
use super::root;
use crate::LevelError;

/// The kinds of the parts for the map and the farmer.
const MAP: &str = "TileMap";
const FARMER: &str = "GridFarmer";

/// The locations of the facts in a game.
struct Targets {
    field: Path,
    map: Path,
    farmer: Path,
    /// The entity for each group: its kind, its path and its parameters as written.
    groups: BTreeMap<Group, (String, Path, Value)>,
    /// A group that two entities share, so that a level cannot tell their things apart.
    twice: Option<Group>,
}

/// Writes the facts into the game. `text` is the index of the level among the document's texts.
pub(super) fn place(document: &mut Document, facts: &LevelFacts, text: usize, problems: &mut Problems) {
    let own = document.value().get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
    let targets = Targets::find(document);
    if let Some(game) = facts.game.as_ref().filter(|game| **game != own) {
        let problem = Problem::new(
            LevelError::LevelOfOtherGame,
            root("game"),
            format!("this is a level of `{game}`, not of `{own}`"),
        )
        .value(game);
        problems.push(match &targets {
            Some(_) => {
                problem.expected(format!("`{own}`")).help(Tool::WriteLevel { game: written(document).to_owned() })
            }
            None => problem.help(format!("`{own}` has no levels; play this level with `{game}`")),
        });
        return;
    }
    let Some(targets) = targets else {
        let problem = Problem::new(LevelError::NoLevels, Path::default(), format!("`{own}` is not a game with levels"))
            .value(&own);
        problems.push(problem.expected("a game with one field that has a TileMap, and a GridFarmer"));
        return;
    };
    if let Some(group) = targets.twice {
        let name = group.name();
        let message = format!("`{own}` has two kinds of {name}, which a level cannot distinguish");
        let problem = Problem::new(LevelError::WrongThings, root(name), message)
            .expected(format!("a game with only one kind of {name}"));
        problems.push(problem.help("without a level, the map is drawn from the seed"));
        return;
    }
    check_tiles(facts, &targets, problems);
    for thing in &facts.things {
        if !targets.groups.contains_key(&thing.group) {
            let name = thing.group.name();
            let path = Path(thing.path.0[..thing.path.0.len().saturating_sub(1)].to_vec());
            let problem = Problem::new(LevelError::WrongThings, path, format!("`{own}` has no {name}")).value(name);
            problems.push(problem.among(name, targets.groups.keys().map(|group| group.name())));
            return;
        }
    }
    let mut writer = LevelWriter { document, text };
    for (group, (kind, path, parameters)) in &targets.groups {
        let is_placed = facts.things.iter().any(|thing| thing.group == *group);
        if !is_placed && !facts.empty.contains(group) {
            let message = format!("the level places no {}", group.name());
            let problem = Problem::new(LevelError::WrongThings, root(group.name()), message);
            let problem = problem.expected("at least one, because a level lists all things");
            problems.push(match kind.as_str() {
                STAGED => problem.help(format!("write `{}: []` for none", group.name())),
                _ => problem,
            });
        } else if !is_placed && kind == STAGED {
            writer.put(&path.child("placed"), Value::Sequence(Vec::new()), &root(group.name()));
            writer.put(&path.child("area"), Value::Null, &root(group.name()));
            writer.put(&path.child("count#nb"), 0, &root(group.name()));
        }
        let things = facts.things.iter().filter(|thing| thing.group == *group);
        for (i, thing) in things.enumerate() {
            writer.thing(thing, i, kind, path, parameters, problems);
        }
    }
    writer.world(facts, &targets, problems);
}

/// A game as commands accept it: its name if it is in the catalogue, otherwise its file.
fn written(document: &Document) -> &str {
    let entry = crate::catalogue::all_versions().find(|entry| format!("{}.yaml", entry.name) == document.source());
    entry.map_or(document.source(), |entry| entry.name)
}

impl Targets {
    fn find(document: &Document) -> Option<Self> {
        let fields = document.value().get("fields")?.as_mapping()?;
        let mut fields = fields.iter();
        let (Some((name, field)), None) = (fields.next(), fields.next()) else { return None };
        let field_path = root("fields").child(name.as_str()?);
        let mut groups = BTreeMap::new();
        let (mut map, mut twice) = (None, None);
        let entities = field.get("entities")?.as_sequence()?;
        let found = Group::of_all(entities.iter().filter_map(tagged));
        let parts = entities.iter().enumerate().filter_map(|(i, entity)| Some((i, tagged(entity)?)));
        for ((i, (kind, parameters)), group) in parts.zip(found) {
            let path = field_path.child("entities").child(i).child(kind);
            if kind == MAP {
                map = Some(path);
            } else if let Some(group) = group {
                let other = groups.insert(group, (kind.to_owned(), path, parameters.clone()));
                twice = twice.or(other.map(|_| group));
            }
        }
        let farmers = document.value().get("farmers")?.as_sequence()?;
        let farmer = farmers.iter().position(|farmer| tagged(farmer).is_some_and(|(kind, _)| kind == FARMER))?;
        let farmer = root("farmers").child(farmer).child(FARMER);
        Some(Self { field: field_path, map: map?, farmer, groups, twice })
    }
}

/// The kind and the parameters of a part as written: `Kind`, or `Kind: parameters`.
fn tagged(part: &Value) -> Option<(&str, &Value)> {
    match part {
        Value::String(kind) => Some((kind, &Value::Null)),
        part => part.as_mapping()?.iter().next().and_then(|(kind, parameters)| Some((kind.as_str()?, parameters))),
    }
}

/// Checks that all things and the farmer are on the map and outside fences, and that no two things share a tile.
fn check_tiles(facts: &LevelFacts, targets: &Targets, problems: &mut Problems) {
    let mut taken: BTreeMap<Tile, &LevelThing> = BTreeMap::new();
    for thing in &facts.things {
        if !facts.check_on_map(&thing.at, problems) {
            continue;
        }
        let (tile, path) = &thing.at;
        let shown = format!("({}, {})", tile.0, tile.1);
        if let Some(other) = taken.insert(*tile, thing) {
            let problem = Problem::new(GridError::TileTaken, path.clone(), "two things are on the same tile");
            problems.push(problem.value(format!("{shown}, the tile of {}", other.path)).expected("a free tile"));
        }
        let parameters = targets.groups.get(&thing.group).map(|(_, _, parameters)| parameters);
        let allowed = parameters.and_then(|parameters| parameters.get("can_be_fenced")).and_then(Value::as_bool);
        if facts.is_fenced(*tile) && allowed != Some(true) {
            let problem = Problem::new(LevelError::StandsInFence, path.clone(), "this thing is on a fence tile");
            problems.push(problem.value(shown).expected("a tile that is `.` on the map"));
        }
    }
    if facts.check_on_map(&facts.agent, problems) && facts.is_strict && facts.is_fenced(facts.agent.0) {
        let problem = Problem::new(LevelError::StandsInFence, facts.agent.1.clone(), "the farmer is on a fence tile");
        let (x, y) = facts.agent.0;
        problems.push(problem.value(format!("({x}, {y})")).expected("a tile that is `.` on the map"));
    }
}

struct LevelWriter<'a> {
    document: &'a mut Document,
    text: usize,
}

impl LevelWriter<'_> {
    fn put(&mut self, path: &Path, value: impl Into<Value>, origin: &Path) {
        self.document.place(path, value.into(), TextPath { text: self.text, path: origin.clone() });
    }

    /// Writes the thing with this index in its entity.
    fn thing(
        &mut self,
        thing: &LevelThing,
        rank: usize,
        kind: &str,
        path: &Path,
        parameters: &Value,
        problems: &mut Problems,
    ) {
        if rank == 0 {
            self.put(&path.child("placed"), Value::Sequence(Vec::new()), &root(thing.group.name()));
            // The level replaces the area, which might not fit the map of the level.
            self.put(&path.child("area"), Value::Null, &root(thing.group.name()));
        }
        let place = path.child("placed").child(rank);
        self.put(&place, Value::Mapping(Mapping::new()), &thing.path);
        let ((x, y), at) = &thing.at;
        self.put(&place.child("x"), *x, at);
        self.put(&place.child("y"), *y, at);
        for (key, value, origin) in &thing.values {
            let known: &[&str] = match kind {
                STAGED if thing.group == Group::Villagers => &["mood", "base_value#point", "has_paid"],
                STAGED => &["stage", "base_value#point", "has_paid"],
                "CropTiles" => &["stage"],
                "AnimalTiles" => &["species", "sated_steps#step", "ticks#nb", "stock#nb"],
                "NeighbourTiles" => &["relationship#point"],
                _ => &[],
            };
            if !known.contains(key) {
                let message = format!("`{key}` has no meaning for the {} of this game", thing.group.name());
                let problem =
                    Problem::new(ParameterError::UnknownKey, origin.clone(), message).value(to_inline_yaml(value));
                problems.push(problem.among(key, known.iter().copied()));
                continue;
            }
            match *key {
                "species" => {
                    if let Some(terrain) = terrain_of_species(value, origin, parameters, problems) {
                        self.put(&place.child("terrain"), terrain, origin);
                    }
                }
                "mood" => self.put(&place.child("stage"), value.clone(), origin),
                key => self.put(&place.child(key), value.clone(), origin),
            }
        }
    }

    /// Writes the map, the farmer and the steps.
    fn world(&mut self, facts: &LevelFacts, targets: &Targets, problems: &mut Problems) {
        let (length, width) = facts.size();
        let shape = targets.field.child("shape");
        self.put(&shape.child("length#nb"), length, &facts.rows_path);
        self.put(&shape.child("width#nb"), width, &facts.rows_path);
        let map = &targets.map;
        self.put(&map.child("plan"), facts.rows.join("\n"), &facts.rows_path);
        self.put(&map.child("symmetries"), false, &facts.rows_path);
        self.put(&map.child("obstacles#nb"), 0, &facts.rows_path);
        self.put(&map.child("connected"), facts.is_strict, &facts.rows_path);
        let farmer = &targets.farmer;
        let ((x, y), at) = &facts.agent;
        self.put(&farmer.child("starts_at"), Value::Mapping(Mapping::new()), at);
        self.put(&farmer.child("starts_at").child("x"), *x, at);
        self.put(&farmer.child("starts_at").child("y"), *y, at);
        if let Some((facing, origin)) = &facts.facing {
            self.put(&farmer.child("starts_facing"), facing.as_str(), origin);
        }
        let carried = farmer.child("inventory#nb").value_in(self.document.value());
        let carried: Vec<String> =
            carried.and_then(Value::as_mapping).into_iter().flatten().map(|(item, _)| to_inline_yaml(item)).collect();
        for (item, amount, origin) in &facts.inventory {
            if carried.contains(item) {
                self.put(&farmer.child("inventory#nb").child(item), amount.clone(), origin);
            } else {
                let problem = Problem::new(
                    GridError::NotCarried,
                    origin.clone(),
                    format!("the farmer carries no `{item}` in this game"),
                );
                problems.push(problem.value(to_inline_yaml(amount)).among(item, carried.iter().map(String::as_str)));
            }
        }
        if let Some((steps, origin)) = &facts.steps {
            self.put(&root("rules").child("BasicRule").child("max_steps"), *steps, origin);
        }
    }
}

/// A barn's terrain, whose name ends with the barn's species.
fn terrain_of_species(value: &Value, path: &Path, parameters: &Value, problems: &mut Problems) -> Option<String> {
    let terrains = parameters.get("terrains").and_then(Value::as_sequence).into_iter().flatten();
    let terrains: Vec<&str> = terrains.filter_map(Value::as_str).collect();
    let wanted = value.as_str().unwrap_or_default();
    let found = terrains.iter().find(|terrain| species(terrain) == wanted);
    if found.is_none() {
        let problem = Problem::new(
            LevelError::WrongThings,
            path.clone(),
            format!("no barn of this game holds `{}`", to_inline_yaml(value)),
        );
        problems
            .push(problem.value(to_inline_yaml(value)).among(wanted, terrains.iter().map(|terrain| species(terrain))));
    }
    found.map(|terrain| (*terrain).to_owned())
}

/// The species that lives on tiles of a terrain: `cow` for `barn_cow`.
pub(super) fn species(terrain: &str) -> &str {
    terrain.rsplit('_').next().unwrap_or(terrain)
}
