//! How the facts of a world are read out of a game that was loaded, by the names and roles that its parts declare.

use farm_core::action::Call;
use farm_core::config::{Path, Problem, Problems, Tool};
use farm_core::declare::{Labels, VariableInfo};
use farm_core::serde_yaml::{self, Value};
use farm_core::{Column, Element, Game, Reader, State};
use farm_entities::grid::TileFrame;
use farm_roles::{AGENT_FACING, AGENT_POSITION, GRID_TILES};

use super::{Action, Pose, Rules, StartInTop, Thing, World};
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
    /// The terrain of its tiles, and the status that each stage shows.
    terrain: u8,
    shown: Vec<u8>,
    last_stage: u8,
    start_in_top_pays: StartInTop,
    /// How many things there are at most.
    count: usize,
    /// What the score makes of a point that it pays.
    weight: u32,
    /// The meter it fills.
    fills: Fills,
}

/// What takes up the points that things pay.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Fills {
    /// Nothing: they count for nothing.
    Nothing,
    /// A meter: what it holds, and its maximum.
    Meter(Column<f64>, f64),
    /// A score without maximum.
    Score,
}

impl Fills {
    /// The most that it takes up.
    fn limit(self) -> f64 {
        match self {
            Self::Nothing => 0.0,
            Self::Meter(_, max) => max,
            Self::Score => f64::INFINITY,
        }
    }
}

/// Where the facts of a game stand.
#[derive(Debug, Clone)]
pub struct Reading {
    tiles: Column<u8>,
    frame: TileFrame,
    /// Whether a terrain cannot be entered, by its code.
    blocked: Vec<bool>,
    position: Column<u8>,
    facing: Column<u8>,
    /// Crops, animals, villagers.
    kinds: [Option<ThingKind>; 3],
    rules: Rules,
    /// The calls of the actions, by [`Action`].
    calls: Vec<Vec<Call>>,
    max_steps: u32,
}

/// The parameters of a part, if it is of a kind.
fn parameters(part: &impl serde::Serialize, kind: &str) -> Option<Value> {
    serde_yaml::to_value(part).ok()?.get(kind).cloned()
}

/// The variable with a role.
fn with_role<'g>(game: &'g Game, role: &str) -> Option<&'g VariableInfo> {
    game.parts().iter().flat_map(|part| part.variables()).find(|variable| variable.roles().contains(&role))
}

/// The column of a variable of a part, by its name without the unit.
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

/// A verb of a part that has an effect.
fn verb<'v>(parameters: &'v Value, effect: &str) -> Option<&'v str> {
    let verbs = parameters.get("verbs")?.as_mapping()?;
    verbs.iter().find(|(_, found)| found.as_str() == Some(effect)).and_then(|(name, _)| name.as_str())
}

impl Reading {
    /// Finds everything in a game.
    ///
    /// # Errors
    /// What keeps the game from being such a valley.
    pub fn of(game: &Game) -> Result<Self, Problems> {
        Self::find(game).map_err(|reason| {
            let problem = Problem::new(
                PlanError::NoPlan,
                Path::default(),
                format!("no plan can be made for this game: {reason}"),
            );
            let problem = problem.expected("a map with crops, animals and villagers, as in backwards_valley");
            Problems(vec![problem.help(Tool::describe("GAME").and(" names the policies of a game"))])
        })
    }

    fn find(game: &Game) -> Result<Self, String> {
        let variable = |role: &str| with_role(game, role).ok_or_else(|| format!("nobody has the role `{role}`"));
        let bytes = |v: &VariableInfo| v.column::<u8>().ok_or_else(|| format!("`{}` holds no bytes", v.name()));
        let map = variable(GRID_TILES.name())?;
        let (position, facing) = (bytes(variable(AGENT_POSITION.name())?)?, bytes(variable(AGENT_FACING.name())?)?);
        let [farmer] = game.spec().farmers() else { return Err("it has not exactly one farmer".into()) };
        let farmer = parameters(farmer, "GridFarmer").ok_or("its farmer does not walk on a grid")?;
        let Some(Labels::Named(terrains)) = map.kind().labels(0) else {
            return Err("its terrains have no names".into());
        };
        let walls = texts(&farmer, "blocked_by");
        let mut names = vec![String::new(); Action::ALL.len()];
        for (action, name) in
            [Action::MoveN, Action::MoveS, Action::MoveE, Action::MoveW].iter().zip(texts(&farmer, "moves"))
        {
            names[*action as usize] = name.into();
        }
        names[Action::Wait as usize] = text(&farmer, "wait").into();
        let [(name, field)] = game.spec().fields().iter().collect::<Vec<_>>()[..] else {
            return Err("it has not exactly one field".into());
        };
        let score = serde_yaml::to_value(game.spec().score()).unwrap_or_default();
        let mut kinds: [Option<ThingKind>; 3] = [None, None, None];
        let mut animals_fall_by = None;
        for (rank, things) in field.entities().iter().filter_map(|e| parameters(e, "StagedTiles")).enumerate() {
            let path = format!("{name}.StagedTiles-{rank}");
            let (place, verbs) = place(&things).ok_or_else(|| format!("the things of `{path}` follow other rules"))?;
            for (action, verb) in verbs {
                names[action as usize] = verb.into();
            }
            if place == ANIMALS {
                animals_fall_by = verb(&things, "down").map(|_| 1);
            }
            if kinds[place].replace(kind(game, &path, &things, &score)?).is_some() {
                return Err(format!("`{path}` is a second kind of things with the same rules"));
            }
        }
        let calls = names.iter().map(|name| match name.as_str() {
            // No thing, no verb.
            "" => Ok(game.catalogue().waiting().to_vec()),
            name => game.catalogue().parse_line(name).map_err(|problem| problem.to_string()),
        });
        let shape = game.fields().first().ok_or("it has no field")?;
        Ok(Self {
            tiles: bytes(map)?,
            frame: TileFrame::of(map, shape.length(), shape.width()),
            blocked: terrains.iter().map(|terrain| walls.contains(&terrain.as_str())).collect(),
            position,
            facing,
            rules: Rules { meter_of: meter_of(&kinds), animals_fall_by },
            kinds,
            calls: calls.collect::<Result<_, _>>()?,
            max_steps: ending::last_step(game).ok_or("its episodes have no end")?,
        })
    }

    /// The facts of an episode as it stands. What has paid is no longer part of them.
    pub fn world(&self, game: &Game, state: &State) -> World {
        let reader = game.reader(state);
        let (length, width) = (self.frame.length, self.frame.width);
        let tiles = reader.get(self.tiles);
        let is_blocked = |tile| self.is_blocked(tiles[2 * self.frame.cell(tile % length, tile / length)]);
        let things = |place: usize| self.kinds[place].as_ref().map_or(Vec::new(), |k| k.things(&reader, self.frame));
        World {
            grid: Grid { length, width, blocked: (0..length * width).map(is_blocked).collect() },
            agent: self.pose(&reader),
            crops: things(0),
            animals: things(1),
            villagers: things(2),
            meter_limits: [0, 1, 2].map(|place| self.kinds[place].as_ref().map_or(0, |kind| kind.room(&reader))),
            steps: self.max_steps.saturating_sub(state.step()),
            rules: self.rules,
        }
    }

    /// What a tile with this terrain and status holds: crop, animal or villager (0, 1, 2), its stage and the last one.
    pub fn thing_shown(&self, terrain: u8, status: u8) -> Option<(usize, u8, u8)> {
        let kinds = self.kinds.iter().enumerate();
        kinds.filter_map(|(place, kind)| Some((place, kind.as_ref()?))).find_map(|(place, kind)| {
            let stage = kind.shown.iter().position(|shown| *shown == status).filter(|_| kind.terrain == terrain)?;
            Some((place, stage as u8, kind.last_stage))
        })
    }

    /// Whether a terrain cannot be entered.
    pub fn is_blocked(&self, terrain: u8) -> bool {
        self.blocked.get(usize::from(terrain)).copied().unwrap_or(true)
    }

    /// What a thing that starts in its last stage pays, for crops, animals, villagers.
    pub fn start_in_top_pays(&self, place: usize) -> StartInTop {
        self.kinds[place].as_ref().map_or(StartInTop::Never, |kind| kind.start_in_top_pays)
    }

    /// Where the farmer stands and looks.
    pub fn pose(&self, reader: &Reader<'_>) -> Pose {
        let position = reader.get(self.position);
        let tile = usize::from(position[1]) * self.frame.length + usize::from(position[0]);
        Pose { tile, facing: usize::from(reader.get(self.facing)[0]) }
    }

    /// By how many tiers feeding sets an animal back; back to the first tier if nothing is said.
    pub fn animals_fall_by(&self) -> Option<u8> {
        self.rules.animals_fall_by
    }

    /// The most that all things of an episode pay together, and hence the most that the score counts.
    pub fn highest_return(&self, game: &Game) -> f64 {
        let paid = |meter: usize| -> f64 {
            let kinds = self.kinds.iter().zip(self.rules.meter_of).filter(|(_, of)| *of == meter);
            kinds.filter_map(|(kind, _)| kind.as_ref()).map(|kind| kind.highest(game)).sum()
        };
        let limits = self.kinds.iter().map(|kind| kind.as_ref().map_or(0.0, |kind| kind.fills.limit()));
        limits.enumerate().map(|(meter, limit)| paid(meter).min(limit)).sum()
    }

    /// Length and width of the map, and the steps of an episode.
    pub fn size(&self) -> (usize, usize, u32) {
        (self.frame.length, self.frame.width, self.max_steps)
    }

    /// How the game calls the actions, by [`Action`].
    pub fn all_calls(&self) -> &[Vec<Call>] {
        &self.calls
    }

    /// How the game calls an action.
    pub fn calls(&self, action: Action) -> &[Call] {
        &self.calls[action as usize]
    }
}

/// Where the animals stand among the kinds.
const ANIMALS: usize = 1;

/// The meter of each kind: its own, or that of an earlier kind that fills the same.
fn meter_of(kinds: &[Option<ThingKind>; 3]) -> [usize; 3] {
    let fills = |place: usize| match kinds[place].as_ref().map(|kind| kind.fills) {
        Some(Fills::Meter(column, _)) => Some(column),
        _ => None,
    };
    [0, 1, 2]
        .map(|place| (0..place).find(|other| fills(place).is_some() && fills(*other) == fills(place)).unwrap_or(place))
}

/// The first parameter with which things go on otherwise than the planners reckon: by laws of single stages, by verbs that act in some
/// stages only, or paying again and again.
pub(crate) fn unplanned_law(game: &Game) -> Option<Problem> {
    let is_given = |things: &Value, key: &str| match things.get(key) {
        Some(Value::Mapping(entries)) => !entries.is_empty(),
        Some(Value::String(pays)) => pays == "on_every_entry",
        _ => false,
    };
    game.spec().fields().iter().find_map(|(name, field)| {
        field.entities().iter().enumerate().find_map(|(i, entity)| {
            let things = parameters(entity, "StagedTiles")?;
            let key = ["laws", "verbs_in", "pays"].into_iter().find(|key| is_given(&things, key))?;
            let place = Path::default().child("fields").child(name).child("entities").child(i);
            let message = format!("{NO_PLAN}: these things have `{key}` of a kind that no planner counts with");
            let problem = Problem::new(PlanError::NoPlan, place.child("StagedTiles").child(key), message).from_root();
            let help = "without the policies `oracle` and `informed` the game can be played as it is";
            Some(problem.expected("things that go on as in backwards_valley").help(help))
        })
    })
}

/// Whether things with these parameters are crops, animals or villagers (0, 1, 2), and their verbs.
fn place(things: &Value) -> Option<(usize, Vec<(Action, &str)>)> {
    match (text(things, "untended"), text(things, "pays")) {
        ("advances", "when_stood_on") => Some((0, Vec::new())),
        // The verb that sets an animal back the least lets it come back the soonest.
        ("advances", "on_first_entry") => {
            Some((ANIMALS, vec![(Action::Feed, verb(things, "down").or_else(|| verb(things, "first"))?)]))
        }
        ("stays", "on_first_entry") => {
            Some((2, vec![(Action::Compliment, verb(things, "down")?), (Action::Insult, verb(things, "up")?)]))
        }
        _ => None,
    }
}

fn kind(game: &Game, path: &str, things: &Value, score: &Value) -> Result<ThingKind, String> {
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
        last_stage: shown.len().saturating_sub(1) as u8,
        shown,
        start_in_top_pays: match text(things, "start_in_top_pays") {
            "immediately" => StartInTop::Immediately,
            "never" => StartInTop::Never,
            _ => StartInTop::FirstEntry,
        },
        count: count(things),
        weight,
        fills,
    })
}

/// How many things there are at most: those of a level, or as many as are drawn.
fn count(things: &Value) -> usize {
    match things.get("placed").and_then(Value::as_sequence).map_or(0, Vec::len) {
        0 => things.get("count#nb").and_then(Value::as_u64).unwrap_or_default() as usize,
        placed => placed,
    }
}

/// The most that a point may be worth by an EventScore, so that no sum grows too large.
pub(super) const MAX_WEIGHT: f64 = 1000.0;

/// What the score makes of a point that an event pays, and what takes it up.
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
    /// The things that have not paid yet.
    fn things(&self, reader: &Reader<'_>, frame: TileFrame) -> Vec<Thing> {
        let columns = reader.get(self.stage).iter().zip(reader.get(self.paid));
        let columns = columns.zip(reader.get(self.cell).iter().zip(reader.get(self.base_value)));
        let open = columns.filter(|((stage, paid), _)| **stage <= self.last_stage && **paid == 0);
        let thing = |((stage, _), (cell, base_value)): ((&u8, &u8), (&i32, &i32))| {
            let cell = *cell as usize;
            let (x, y) = (cell % frame.columns - frame.margin, cell / frame.columns - frame.margin);
            Thing {
                tile: y * frame.length + x,
                stage: *stage,
                last_stage: self.last_stage,
                base_value: *base_value as u32 * self.weight,
                // Later, only a first entry is left: what paid or never pays is marked as paid.
                start_in_top_pays: if reader.step() == 0 { self.start_in_top_pays } else { StartInTop::FirstEntry },
            }
        };
        open.map(thing).collect()
    }

    /// What its meter still holds.
    fn room(&self, reader: &Reader<'_>) -> u32 {
        match self.fills {
            Fills::Nothing => 0,
            Fills::Meter(column, max) => (max - reader.get(column)[0]).max(0.0) as u32,
            Fills::Score => u32::MAX,
        }
    }

    /// The most that its things can pay together, by what is declared of them.
    fn highest(&self, game: &Game) -> f64 {
        let variables = game.parts().iter().flat_map(|part| part.variables());
        let mut of_kind = variables.filter(|variable| variable.column() == Some(self.base_value));
        let highest = of_kind.next().map_or(f64::INFINITY, |variable| variable.kind().range().1);
        f64::from(self.weight) * highest * self.count as f64
    }
}
