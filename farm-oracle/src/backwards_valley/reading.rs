//! Reads a world's facts from a loaded game, by the names and roles that its parts declare.

use farm_core::action::Call;
use farm_core::config::{Path, Problem, Problems, Tool};
use farm_core::declare::{Labels, VariableInfo};
use farm_core::serde_yaml::{self, Value};
use farm_core::{Column, Element, Game, Reader, State};
use farm_entities::grid::TileFrame;
use farm_roles::{AGENT_FACING, AGENT_POSITION, GRID_TILES};

use super::{Action, Effect, Kind, MAX_KINDS, Pays, Pose, StartInTop, Thing, Untended, Verb, World};
use crate::grid::Grid;
use crate::parameters::NO_PLAN;
use crate::{PlanError, ending};

/// Things of one kind: their columns and rules.
#[derive(Debug, Clone)]
struct ThingKind {
    stage: Column<u8>,
    paid: Column<u8>,
    cell: Column<i32>,
    base_value: Column<i32>,
    /// The number of steps that each thing has gone without care, if it is counted.
    waited: Option<Column<i32>>,
    /// The terrain of its tiles, and the status that each stage shows.
    terrain: u8,
    shown: Vec<u8>,
    /// Its rules, without things.
    rules: Kind,
    /// The maximum number of things.
    count: usize,
    /// The value in the score of one point from these things.
    weight: u32,
    /// The meter it fills.
    fills: Fills,
}

/// The destination of a thing's points.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Fills {
    /// Nowhere: they do not count.
    Nothing,
    /// A meter: its value, and its maximum.
    Meter(Column<f64>, f64),
    /// A score without a maximum.
    Score,
}

impl Fills {
    /// Whether both are the same meter.
    fn is_of(self, other: Self) -> bool {
        matches!((self, other), (Self::Meter(one, _), Self::Meter(two, _)) if one == two)
    }

    /// Its maximum.
    fn limit(self) -> f64 {
        match self {
            Self::Nothing => 0.0,
            Self::Meter(_, max) => max,
            Self::Score => f64::INFINITY,
        }
    }
}

/// The locations of the facts in a game.
#[derive(Debug, Clone)]
pub struct Reading {
    tiles: Column<u8>,
    frame: TileFrame,
    /// Whether a terrain cannot be entered, by its code.
    blocked: Vec<bool>,
    position: Column<u8>,
    facing: Column<u8>,
    /// The kinds of things, in the file's order.
    kinds: Vec<ThingKind>,
    /// The calls for each action, by [`Action::number`].
    calls: Vec<Vec<Call>>,
    max_steps: u32,
}

/// The parameters of a part, if it is of this kind.
fn parameters(part: &impl serde::Serialize, kind: &str) -> Option<Value> {
    serde_yaml::to_value(part).ok()?.get(kind).cloned()
}

/// The variable with this role.
fn with_role<'g>(game: &'g Game, role: &str) -> Option<&'g VariableInfo> {
    game.parts().iter().flat_map(|part| part.variables()).find(|variable| variable.roles().contains(&role))
}

/// The column of a part's variable, by its name without the unit.
fn column<T: Element>(game: &Game, part: &str, name: &str) -> Option<Column<T>> {
    let part = game.parts().iter().find(|p| p.path() == part)?;
    part.variables().iter().find(|v| v.name().split('#').next() == Some(name))?.column()
}

fn text<'v>(parameters: &'v Value, key: &str) -> &'v str {
    parameters.get(key).and_then(Value::as_str).unwrap_or_default()
}

fn texts<'v>(parameters: &'v Value, key: &str) -> Vec<&'v str> {
    parameters.get(key).and_then(Value::as_sequence).into_iter().flatten().filter_map(Value::as_str).collect()
}

impl Reading {
    /// Finds the facts in a game.
    ///
    /// # Errors
    /// The reason why the game is not such a valley.
    pub fn of(game: &Game) -> Result<Self, Problems> {
        Self::find(game).map_err(|reason| {
            let problem = Problem::new(
                PlanError::NoPlan,
                Path::default(),
                format!("no plan can be made for this game: {reason}"),
            );
            let problem = problem.expected("a map with crops, animals and villagers, as in backwards_valley");
            Problems(vec![problem.help(Tool::describe("GAME").and(" lists the policies of a game"))])
        })
    }

    fn find(game: &Game) -> Result<Self, String> {
        let variable = |role: &str| with_role(game, role).ok_or_else(|| format!("no part has the role `{role}`"));
        let bytes = |v: &VariableInfo| v.column::<u8>().ok_or_else(|| format!("`{}` is not stored as bytes", v.name()));
        let map = variable(GRID_TILES.name())?;
        let (position, facing) = (bytes(variable(AGENT_POSITION.name())?)?, bytes(variable(AGENT_FACING.name())?)?);
        let [farmer] = game.spec().farmers() else { return Err("it does not have exactly one farmer".into()) };
        let farmer = parameters(farmer, "GridFarmer").ok_or("its farmer does not walk on a grid")?;
        let Some(Labels::Named(terrains)) = map.kind().labels(0) else {
            return Err("its terrains have no names".into());
        };
        let walls = texts(&farmer, "blocked_by");
        let call = |name: &str| game.catalogue().parse_line(name).map_err(|problem| problem.to_string());
        let [north, south, east, west] = texts(&farmer, "moves")[..] else {
            return Err("it does not have four moves".into());
        };
        let mut calls = Vec::new();
        // In the order of their numbers.
        for name in [north, east, south, west, text(&farmer, "wait")] {
            calls.push(call(name)?);
        }
        let [(name, field)] = game.spec().fields().iter().collect::<Vec<_>>()[..] else {
            return Err("it does not have exactly one field".into());
        };
        let score = serde_yaml::to_value(game.spec().score()).unwrap_or_default();
        let mut kinds: Vec<ThingKind> = Vec::new();
        for (rank, things) in field.entities().iter().filter_map(|e| parameters(e, "StagedTiles")).enumerate() {
            let mut verbs = Vec::new();
            for (name, effect) in effects(&things) {
                // Only actions that the rules allow are verbs.
                if allows(game, name) {
                    verbs.push(Verb { number: calls.len() as u8 - Action::FIRST_VERB, effect });
                    calls.push(call(name)?);
                }
            }
            let found = kind(game, &format!("{name}.StagedTiles-{rank}"), &things, &score, verbs, kinds.len())?;
            // Kinds that fill the same meter share its room.
            let same = kinds.iter().find(|other| other.fills.is_of(found.fills));
            let meter = same.map_or(kinds.len(), |other| other.rules.meter);
            kinds.push(ThingKind { rules: Kind { meter, ..found.rules }, ..found });
            if kinds.len() > MAX_KINDS || calls.len() > MAX_CALLS {
                return Err(format!("it has more than {MAX_KINDS} kinds of things, or {MAX_CALLS} actions"));
            }
        }
        if kinds.is_empty() {
            return Err("it has no things with stages".into());
        }
        let shape = game.fields().first().ok_or("it has no field")?;
        Ok(Self {
            tiles: bytes(map)?,
            frame: TileFrame::of(map, shape.length(), shape.width()),
            blocked: terrains.iter().map(|terrain| walls.contains(&terrain.as_str())).collect(),
            position,
            facing,
            kinds,
            calls,
            max_steps: ending::last_step(game).ok_or("its episodes have no end")?,
        })
    }

    /// The current facts about an episode, without things that have already paid.
    pub fn world(&self, game: &Game, state: &State) -> World {
        let reader = game.reader(state);
        let (length, width) = (self.frame.length, self.frame.width);
        let tiles = reader.get(self.tiles);
        let is_blocked = |tile| self.is_blocked(tiles[2 * self.frame.cell(tile % length, tile / length)]);
        World {
            grid: Grid { length, width, blocked: (0..length * width).map(is_blocked).collect() },
            agent: self.pose(&reader),
            kinds: self.kinds.iter().map(|kind| kind.with_things(&reader, self.frame)).collect(),
            meter_limits: std::array::from_fn(|meter| self.kinds.get(meter).map_or(0, |kind| kind.room(&reader))),
            steps: self.max_steps.saturating_sub(state.step()),
        }
    }

    /// For a tile with this terrain and status, the index of the thing's kind, and the thing's stage.
    pub fn thing_shown(&self, terrain: u8, status: u8) -> Option<(usize, u8)> {
        self.kinds.iter().enumerate().find_map(|(number, kind)| {
            let stage = kind.shown.iter().position(|shown| *shown == status).filter(|_| kind.terrain == terrain)?;
            Some((number, stage as u8))
        })
    }

    /// The rules of all kinds, without things.
    pub fn kinds(&self) -> impl Iterator<Item = &Kind> {
        self.kinds.iter().map(|kind| &kind.rules)
    }

    /// Whether a terrain cannot be entered.
    pub fn is_blocked(&self, terrain: u8) -> bool {
        self.blocked.get(usize::from(terrain)).copied().unwrap_or(true)
    }

    /// The farmer's tile and direction.
    pub fn pose(&self, reader: &Reader<'_>) -> Pose {
        let position = reader.get(self.position);
        let tile = usize::from(position[1]) * self.frame.length + usize::from(position[0]);
        Pose { tile, facing: usize::from(reader.get(self.facing)[0]) }
    }

    /// The maximum total payment from all things in an episode, which is also the maximum score.
    pub fn highest_return(&self, game: &Game) -> f64 {
        let paid = |meter: usize| -> f64 {
            self.kinds.iter().filter(|kind| kind.rules.meter == meter).map(|kind| kind.highest(game)).sum()
        };
        self.kinds.iter().enumerate().map(|(meter, kind)| paid(meter).min(kind.fills.limit())).sum()
    }

    /// Length and width of the map, and the number of steps in an episode.
    pub fn size(&self) -> (usize, usize, u32) {
        (self.frame.length, self.frame.width, self.max_steps)
    }

    /// The calls for all actions, by [`Action::number`].
    pub fn all_calls(&self) -> &[Vec<Call>] {
        &self.calls
    }

    /// The calls for an action.
    pub fn calls(&self, action: Action) -> &[Call] {
        &self.calls[usize::from(action.number())]
    }
}

/// The maximum number of actions, because an action's index is a byte.
const MAX_CALLS: usize = 200;

/// Whether the rules allow an action with this name.
fn allows(game: &Game, name: &str) -> bool {
    game.catalogue().base_actions().iter().any(|base| base.name(game.parts()) == name)
}

/// A part's verbs that have an effect, each with its effect.
fn effects(things: &Value) -> Vec<(&str, Effect)> {
    let verbs = things.get("verbs").and_then(Value::as_mapping);
    let verbs = verbs.into_iter().flatten().filter_map(|(name, effect)| {
        let effect = match effect.as_str()? {
            "first" => Effect::First,
            "down" => Effect::Down,
            "up" => Effect::Up,
            "last" => Effect::Last,
            _ => return None,
        };
        Some((name.as_str()?, effect))
    });
    verbs.collect()
}

/// The first parameter with a rule that no planner supports.
///
/// These rules are: rules for single stages, verbs that act only in some stages, repeated payments, and things to stand on that go back a
/// stage.
pub(crate) fn unplanned_law(game: &Game) -> Option<Problem> {
    let is_given = |things: &Value, key: &str| match things.get(key) {
        Some(Value::Mapping(entries)) => !entries.is_empty(),
        Some(Value::String(pays)) => pays == "on_every_entry",
        _ => false,
    };
    game.spec().fields().iter().find_map(|(name, field)| {
        field.entities().iter().enumerate().find_map(|(i, entity)| {
            let things = parameters(entity, "StagedTiles")?;
            let falls = text(&things, "untended") == "regresses" && text(&things, "pays") == "when_stood_on";
            let laws = ["laws", "verbs_in", "pays"].into_iter().find(|key| is_given(&things, key));
            let key = laws.or_else(|| falls.then_some("untended"))?;
            let place = Path::default().child("fields").child(name).child("entities").child(i);
            let message = format!("{NO_PLAN}: no planner supports this `{key}` of things");
            let problem = Problem::new(PlanError::NoPlan, place.child("StagedTiles").child(key), message).from_root();
            let help = "remove the policies `oracle` and `informed` to play the game";
            Some(problem.expected("rules as in backwards_valley").help(help))
        })
    })
}

fn kind(
    game: &Game,
    path: &str,
    things: &Value,
    score: &Value,
    verbs: Vec<Verb>,
    meter: usize,
) -> Result<ThingKind, String> {
    let missing = |name: &str| format!("`{path}` has no `{name}`");
    let (weight, fills) = worth(game, text(things, "event"), score);
    let map = with_role(game, GRID_TILES.name()).ok_or("there is no map")?;
    let code = |axis: usize, name: &str| {
        let code = map.kind().labels(axis).and_then(|labels| labels.index(name));
        code.map(|code| code as u8).ok_or_else(|| format!("the map does not show `{name}`"))
    };
    let shown = texts(things, "stages").into_iter().map(|stage| code(1, stage)).collect::<Result<Vec<u8>, _>>()?;
    Ok(ThingKind {
        stage: column(game, path, "stage").ok_or_else(|| missing("stage"))?,
        paid: column(game, path, "paid").ok_or_else(|| missing("paid"))?,
        cell: column(game, path, "cell").ok_or_else(|| missing("cell"))?,
        base_value: column(game, path, "base_value").ok_or_else(|| missing("base_value"))?,
        terrain: code(0, text(things, "terrain"))?,
        waited: column(game, path, "waited"),
        rules: Kind {
            things: Vec::new(),
            untended: match text(things, "untended") {
                "advances" => Untended::Advances,
                "regresses" => Untended::Regresses,
                _ => Untended::Stays,
            },
            every: things.get("untended_every#step").and_then(Value::as_u64).unwrap_or(1) as u32,
            verbs,
            pays: if text(things, "pays") == "when_stood_on" { Pays::WhenStoodOn } else { Pays::OnFirstEntry },
            last_stage: shown.len().saturating_sub(1) as u8,
            start_in_top_pays: match text(things, "start_in_top_pays") {
                "immediately" => StartInTop::Immediately,
                "never" => StartInTop::Never,
                _ => StartInTop::FirstEntry,
            },
            meter,
        },
        shown,
        count: count(things),
        weight,
        fills,
    })
}

/// The maximum number of things: the number of things in a level, or the number of random things.
fn count(things: &Value) -> usize {
    match things.get("placed").and_then(Value::as_sequence).map_or(0, Vec::len) {
        0 => things.get("count#nb").and_then(Value::as_u64).unwrap_or_default() as usize,
        placed => placed,
    }
}

/// The maximum value of a point in an EventScore, so that no sum becomes too large.
pub(super) const MAX_WEIGHT: f64 = 1000.0;

/// The value of one point of an event in the score, and the destination of its points.
fn worth(game: &Game, event: &str, score: &Value) -> (u32, Fills) {
    if let Some(weights) = score.get("EventScore").and_then(|score| score.get("weights#point")) {
        let weight = weights.get(event).and_then(Value::as_f64).unwrap_or_default();
        return (weight.clamp(0.0, MAX_WEIGHT) as u32, Fills::Score);
    }
    let meters = score.get("MeterScore").and_then(|score| score.get("meters")).and_then(Value::as_mapping);
    // Of several meters that name an event, the last one counts it.
    let meter = meters.into_iter().flatten().filter(|(_, meter)| texts(meter, "events").contains(&event)).last();
    let filled = meter.and_then(|(name, meter)| {
        let part = game.parts().last()?;
        Some(Fills::Meter(column(game, part.path(), name.as_str()?)?, meter.get("max#point")?.as_f64()?))
    });
    (1, filled.unwrap_or(Fills::Nothing))
}

impl ThingKind {
    /// The kind with the things that have not paid yet.
    fn with_things(&self, reader: &Reader<'_>, frame: TileFrame) -> Kind {
        let (stages, paid) = (reader.get(self.stage), reader.get(self.paid));
        let (cells, base_values) = (reader.get(self.cell), reader.get(self.base_value));
        let open = (0..stages.len()).filter(|&i| stages[i] <= self.rules.last_stage && paid[i] == 0);
        let thing = |i: usize| {
            let (x, y) = frame.tile(cells[i] as usize);
            Thing {
                tile: y * frame.length + x,
                stage: stages[i],
                waited: self.waited.map_or(0, |waited| reader.get(waited)[i].max(0) as u32),
                base_value: base_values[i] as u32 * self.weight,
            }
        };
        // After the first step only first entries remain, because things that paid or never pay are marked as paid.
        let start_in_top_pays = if reader.step() == 0 { self.rules.start_in_top_pays } else { StartInTop::FirstEntry };
        Kind { things: open.map(thing).collect(), start_in_top_pays, ..self.rules.clone() }
    }

    /// The room left in its meter.
    fn room(&self, reader: &Reader<'_>) -> u32 {
        match self.fills {
            Fills::Nothing => 0,
            Fills::Meter(column, max) => (max - reader.get(column)[0]).max(0.0) as u32,
            Fills::Score => u32::MAX,
        }
    }

    /// The maximum total payment from its things, as declared.
    fn highest(&self, game: &Game) -> f64 {
        let variables = game.parts().iter().flat_map(|part| part.variables());
        let mut of_kind = variables.filter(|variable| variable.column() == Some(self.base_value));
        let highest = of_kind.next().map_or(f64::INFINITY, |variable| variable.kind().range().1);
        f64::from(self.weight) * highest * self.count as f64
    }
}
