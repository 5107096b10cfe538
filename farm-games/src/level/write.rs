//! Writes a state as a level: the reverse of placing a level's facts in a game.

use std::fmt::Write as _;

use farm_core::config::{Path, Problem, Problems};
use farm_core::declare::{Labels, PartInfo, VariableInfo};
use farm_core::serde_yaml::{self, Value};
use farm_core::{Element, Game, Reader, State};
use farm_entities::grid::{TileFrame, terrain_code};
use farm_roles::{AGENT_FACING, AGENT_ITEM, AGENT_POSITION, GRID_TILES};

use super::facts::{Group, STAGED};
use super::place::species;
use crate::LevelError;

/// The world in a state at the start of an episode, as a level in YAML. `heading` is its first comment.
///
/// # Errors
/// The game has no map, or no farmer on it.
pub fn write(game: &Game, state: &State, heading: &str) -> Result<String, Problems> {
    LevelWorld::of(game, state).and_then(|world| world.write(heading)).ok_or_else(|| {
        let problem = Problem::new(
            LevelError::NoLevels,
            Path::default(),
            format!("`{}` is not a game with levels", game.spec().name()),
        );
        Problems(vec![problem.expected("a game with one field that has a TileMap, and a GridFarmer")])
    })
}

/// A state, and the places of things in it.
struct LevelWorld<'g> {
    game: &'g Game,
    reader: Reader<'g>,
    tiles: &'g VariableInfo,
    frame: TileFrame,
    /// The names of all terrains.
    terrains: &'g [String],
}

impl<'g> LevelWorld<'g> {
    fn of(game: &'g Game, state: &'g State) -> Option<Self> {
        let [field] = game.fields() else { return None };
        let tiles = with_role(game, GRID_TILES.name())?;
        let Some(Labels::Named(terrains)) = tiles.kind().labels(0) else { return None };
        let frame = TileFrame::of(tiles, field.length(), field.width());
        Some(Self { game, reader: game.reader(state), tiles, frame, terrains })
    }

    fn write(&self, heading: &str) -> Option<String> {
        let mut out = String::new();
        let name = self.game.spec().name();
        // Nothing can go wrong when writing into a text.
        let _ = write!(out, "# {heading}\ngame: {name}\nagent: {}\nmap: |\n", self.agent()?);
        let tiles = self.bytes(self.tiles)?;
        let fence = self.fence()?;
        for y in 0..self.frame.width {
            let symbol = |x| if terrain_code(tiles, self.frame.cell(x, y)) == fence { '#' } else { '.' };
            let _ = writeln!(out, "  {}", (0..self.frame.length).map(symbol).collect::<String>());
        }
        let (_, field) = self.game.spec().fields().iter().next()?;
        let mut groups: Vec<(Group, String)> = Vec::new();
        let entities: Vec<Value> = field.entities().iter().map(serde_yaml::to_value).collect::<Result<_, _>>().ok()?;
        let tagged = entities.iter().map(|entity| {
            let (kind, parameters) = entity.as_mapping()?.iter().next()?;
            Some((kind.as_str()?, parameters))
        });
        let tagged: Vec<(&str, &Value)> = tagged.collect::<Option<_>>()?;
        let found = Group::of_all(tagged.iter().copied());
        for (rank, ((kind, parameters), group)) in tagged.into_iter().zip(found).enumerate() {
            let Some(group) = group else { continue };
            let config = |part: &&PartInfo| part.field() == Some(0) && part.kind() == kind;
            let same = field.entities()[..rank].iter().filter(|other| other.typetag_name() == kind).count();
            let part = self.game.parts().iter().filter(config).nth(same)?;
            groups.push((group, self.things(part, kind, parameters, group)?));
        }
        groups.sort_by_key(|(group, _)| *group);
        for (group, things) in groups {
            let things = if things.is_empty() { " []\n".to_owned() } else { format!("\n{things}") };
            let _ = write!(out, "{}:{things}", group.name());
        }
        Some(out)
    }

    fn bytes(&self, variable: &VariableInfo) -> Option<&'g [u8]> {
        Some(self.reader.get(variable.column()?))
    }

    /// The values of a part's variable, found by name.
    fn values<T: Element>(&self, part: &PartInfo, name: &str) -> Option<&'g [T]> {
        Some(self.reader.get(part.variables().iter().find(|variable| variable.name() == name)?.column()?))
    }

    fn agent(&self) -> Option<String> {
        let at = self.bytes(with_role(self.game, AGENT_POSITION.name())?)?;
        let mut text = format!("{{at: [{}, {}]", at[0], at[1]);
        if let Some(facing) = with_role(self.game, AGENT_FACING.name()) {
            let code = usize::from(*self.bytes(facing)?.first()?);
            let _ = write!(text, ", facing: {}", facing.kind().labels(0)?.name(code));
        }
        let items = self.game.parts().iter().flat_map(|part| part.variables());
        let items = items.filter(|variable| variable.roles().contains(&AGENT_ITEM.name()));
        let items = items.filter_map(|item| {
            let amount: f64 = *self.reader.get(item.column()?).first()?;
            Some(format!("{}: {amount}", item.name().split('#').next().unwrap_or_default()))
        });
        let items: Vec<String> = items.collect();
        if !items.is_empty() {
            let _ = write!(text, ", inventory#nb: {{{}}}", items.join(", "));
        }
        Some(text + "}")
    }

    /// The terrain code for fences and obstacles.
    fn fence(&self) -> Option<u8> {
        let (_, field) = self.game.spec().fields().iter().next()?;
        let entities = field.entities().iter().filter_map(|entity| serde_yaml::to_value(entity).ok());
        let map = entities.filter_map(|entity| entity.get("TileMap").cloned()).next()?;
        let fence = map.get("fence")?.as_str()?;
        self.terrains.iter().position(|terrain| terrain == fence).map(|code| code as u8)
    }

    /// A line for each thing that is on the map.
    fn things(&self, part: &PartInfo, kind: &str, parameters: &Value, group: Group) -> Option<String> {
        let mut lines = String::new();
        for (i, cell) in self.values::<i32>(part, "cell#tile")?.iter().enumerate() {
            // The corner of the margin stands for nowhere.
            if *cell <= 0 {
                continue;
            }
            let (x, y) = self.frame.tile(*cell as usize);
            let facts = match kind {
                STAGED => self.staged(part, i, parameters, group)?,
                "CropTiles" => self.crop(part, i, parameters)?,
                "AnimalTiles" => self.animal(part, i, *cell as usize, parameters)?,
                "NeighbourTiles" => {
                    format!(", relationship#point: {}", self.values::<f64>(part, "relationship#point")?[i])
                }
                _ => String::new(),
            };
            let _ = writeln!(lines, "  - {{at: [{x}, {y}]{facts}}}");
        }
        Some(lines)
    }

    fn staged(&self, part: &PartInfo, i: usize, parameters: &Value, group: Group) -> Option<String> {
        let stages = parameters.get("stages")?.as_sequence()?;
        let stage = stages.get(usize::from(self.values::<u8>(part, "stage")?[i]))?.as_str()?;
        let key = if group == Group::Villagers { "mood" } else { "stage" };
        let has_paid = self.values::<u8>(part, "paid")?[i] != 0;
        // What starts in its last stage has paid where it never pays, which the rules say and not the level.
        let by_rule = parameters.get("start_in_top_pays").and_then(Value::as_str) == Some("never");
        let has_paid = if has_paid && !by_rule { ", has_paid: true" } else { "" };
        let worth = self.values::<i32>(part, "base_value#point")?[i];
        Some(format!(", {key}: {stage}, base_value#point: {worth}{has_paid}"))
    }

    fn crop(&self, part: &PartInfo, i: usize, parameters: &Value) -> Option<String> {
        let stages = parameters.get("stages")?.as_sequence()?;
        // 0 is bare soil.
        let stage = usize::from(self.values::<u8>(part, "stage")?[i]).checked_sub(1);
        let stage = stage.and_then(|stage| stages.get(stage)).and_then(Value::as_str);
        Some(stage.map_or(String::new(), |stage| format!(", stage: {stage}")))
    }

    fn animal(&self, part: &PartInfo, i: usize, cell: usize, parameters: &Value) -> Option<String> {
        let of = |name: &str| Some(self.values::<i32>(part, name)?[i]);
        let (sated, mut ticks, mut stock) = (of("sated_steps#step")?, of("ticks#nb")?, of("stock#nb")?);
        let each = parameters.get("ticks_per_deposit#nb")?.as_i64()? as i32;
        if sated > 0 && parameters.get("feeding_step_ticks").and_then(Value::as_bool) == Some(false) {
            // The tick before the first step is part of the state, but comes anew when the level is started.
            if ticks == 0 || ticks == each {
                stock -= parameters.get("products_per_deposit#nb")?.as_i64()? as i32;
            }
            ticks = if ticks == 0 { each - 1 } else { ticks - 1 };
        }
        let terrain = terrain_code(self.bytes(self.tiles)?, cell);
        let mut text = format!(", species: {}", species(self.terrains.get(usize::from(terrain))?));
        for (key, value) in [("sated_steps#step", sated), ("ticks#nb", ticks), ("stock#nb", stock)] {
            if value != 0 {
                let _ = write!(text, ", {key}: {value}");
            }
        }
        Some(text)
    }
}

/// The variable with this role.
fn with_role<'g>(game: &'g Game, role: &str) -> Option<&'g VariableInfo> {
    game.parts().iter().flat_map(|part| part.variables()).find(|variable| variable.roles().contains(&role))
}
