//! A farmer with a position on a grid. It walks, turns, waits, carries things, and sees a window of the map.
//!
//! | reads | role |
//! |---|---|
//! | the map | `grid_tiles` |
//!
//! | writes | unit |
//! |---|---|
//! | `position` (role `agent_position`) | tile |
//! | `facing` (role `agent_facing`), if the farmer faces a direction | N, E, S, W |
//! | `start` (role `agent_start`, hidden), only with a start that is the same in every episode | tile |
//! | one variable for each carried item, only with items (role `agent_item`) | unit in its name |
//! | `view` (computed when observed): the window around the farmer, north up | terrain, status |
//! | `centre` (computed when observed), if the window shows only terrain: the status of the farmer's tile | status |
//! | `inventory` (computed when observed): all items in order | units in their names |
//!
//! Source: Backwards Valley B7, actions 0–4, observation; Valley Farm V1, V3, V6, moves, observation. A blocked move still
//! turns a farmer that faces a direction.

use farm_core::Slot;
use farm_core::action::CallArguments;
use farm_core::config::{Path, Problem};
use farm_core::declare::{ActionInfo, Labels, ObservableInfo, Own, Picture, Shown, ValueKind, category, count, real};
use farm_core::inspect::{alternatives, counted, listed};
use farm_core::{Behaviour, Bind, Column, Context, Declarations, Farmer, FarmerBehaviour, Purpose, Reader, Stream};
use farm_entities::grid::{GridError, Tile, TileFrame, terrain};
use farm_roles::{AGENT_FACING, AGENT_ITEM, AGENT_START, GRID_TILES};
use indexmap::IndexMap;

use super::walking::{
    FACING_OF_MOVE, FARMER, FARMER_TURNED, adjacent, carried, check, declare_moves, declare_position, problem,
    usual_moves,
};
use crate::FarmerError;

/// Where the farmer starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
pub enum Start {
    /// On a random tile of the terrain `starts_on`.
    Random,
    /// In the middle of the map; this tile stays free.
    Centre,
}

/// The contents of each tile of the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
pub enum Shows {
    /// Terrain and status.
    TerrainAndStatus,
    /// Only the terrain. The status is visible only for the farmer's tile, as `centre`.
    Terrain,
}

/// The direction that a farmer faces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
pub enum Direction {
    /// North.
    #[choice("N")]
    North,
    /// East.
    #[choice("E")]
    East,
    /// South.
    #[choice("S")]
    South,
    /// West.
    #[choice("W")]
    West,
}

/// Walks on a grid, faces a direction, carries things and sees a window of the map.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct GridFarmer {
    /// Tiles in a row of its window; odd, because the farmer is in the middle.
    #[parameter(unit = "tile", default = 5, range = 1..=21)]
    pub view: u32,
    /// Names of the moves to north, south, east and west.
    #[parameter(default = usual_moves())]
    pub moves: Vec<String>,
    /// Name of the action that lets time pass.
    #[parameter(default = "Wait".into())]
    pub wait: String,
    /// Terrains that the farmer cannot enter. It can never cross the border of the map.
    #[parameter(default = ["fence", "outside"].map(String::from).to_vec())]
    pub blocked_by: Vec<String>,
    /// The terrain on which it starts, on a random tile.
    #[parameter(default = "ground".into())]
    pub starts_on: String,
    /// Where it starts.
    #[parameter(default = Start::Random)]
    pub start: Start,
    /// The tile where it starts, set by a level. It replaces `start` and `starts_on`.
    pub starts_at: Option<Tile>,
    /// Whether it faces a direction. Moves change the direction.
    #[parameter(default = true)]
    pub looks: bool,
    /// The direction that it faces at the start; default: a random one.
    pub starts_facing: Option<Direction>,
    /// The contents of each tile of the window.
    #[parameter(default = Shows::TerrainAndStatus)]
    pub shows: Shows,
    /// The amount of each item that it carries at the start. The observation keeps this order.
    #[parameter(unit = "nb", range = 0.0..=1e6)]
    pub inventory: IndexMap<String, f64>,
}

#[farm_core::register(source = "Backwards Valley B7 and its observation; Valley Farm V1, V3, V6 and its observation")]
impl Farmer for GridFarmer {
    fn declare(&self, _: &mut Declarations<'_>) -> Bind<'_, dyn FarmerBehaviour> {
        Bind::after(move |d, known| {
            let tiles = d.one(GRID_TILES);
            let (length, width) = (d.field().length(), d.field().width());
            let position = declare_position(d, length, width);
            let facing = self.looks.then(|| {
                let names = ValueKind::named(&["N", "E", "S", "W"]);
                d.variable(category("facing", names, "The direction you face.").role(AGENT_FACING))
            });
            let start = self.start_tile(d).map(|tile| {
                let start = count("start#tile", 0, 65_535, "Where the farmer starts, counted row by row.");
                d.variable(start.default(f64::from(tile)).hidden().role(AGENT_START))
            });
            let items = self.inventory.iter().map(|(name, amount)| {
                let item = real(&format!("{name}#nb"), 0.0, MAX_CARRIED, "The amount that you are carrying.");
                d.variable(item.default(*amount).role(AGENT_ITEM))
            });
            let items = Own::joined(&items.collect::<Vec<_>>());
            for name in self.inventory.keys() {
                d.picture(carried(name, &format!("{name}#nb")));
            }
            self.tell(d);
            check(d, &self.moves, self.view, "view#tile");
            let turns = if self.looks { "Turns you to face {}, then moves" } else { "Moves" };
            let unless = match &self.blocked_by[..] {
                [] => String::new(),
                terrains => {
                    let quoted: Vec<String> = terrains.iter().map(|terrain| format!("`{terrain}`")).collect();
                    format!(" unless that tile is {}", alternatives(&quoted))
                }
            };
            declare_moves(d, &self.moves, &format!("{turns} you one tile {{}}{unless}."));
            let wait = d.action_with(ActionInfo::new(&self.wait, "Lets one step pass.", Vec::new()).waiting());

            let map = known.declaration(GRID_TILES);
            let frame = map.map_or(TileFrame::default(), |m| TileFrame::of(m, length, width));
            let half = self.view as usize / 2;
            if map.is_some() && half > frame.margin {
                let found = format!("a window of {} on a map with a margin of {}", self.view, frame.margin);
                d.problem(
                    problem(FarmerError::WrongWindow, "view#tile", "the window reaches beyond the map's margin")
                        .value(found)
                        .help("raise `margin#tile` of the TileMap"),
                );
            }
            let kind = map.map_or(ValueKind::named(&["ground"]), |m| m.kind().clone());
            let view = self.view as usize;
            let mut layers = vec![("view".to_owned(), Shown::Names)];
            if self.shows == Shows::TerrainAndStatus {
                let doc = "The tiles around you.";
                d.observable_with(ObservableInfo::new("view", kind, &[view, view, 2], doc).centred());
            } else {
                let labels = |axis: usize| kind.of_entry(axis);
                let doc = "The terrain of the tiles around you.";
                d.observable_with(ObservableInfo::new("view", labels(0), &[view, view], doc).centred());
                d.observable("centre", labels(1), &[], "The status of your own tile.");
                layers.push(("centre".to_owned(), Shown::OwnNames));
            }
            let picture = Picture::at_position("Farmer", 60, "position").sees(view, layers);
            let picture = if self.looks { facing_sprites(picture) } else { picture };
            d.picture(picture.otherwise(if self.looks { "" } else { "farmer" }, FARMER));
            if !self.inventory.is_empty() {
                let names: Vec<&str> = self.inventory.keys().map(String::as_str).collect();
                let doc = format!("The amounts that you carry: {}, in this order.", listed(&names, "and"));
                let amounts = ValueKind::Real { low: 0.0, high: MAX_CARRIED };
                let inventory = ObservableInfo::new("inventory", amounts, &[names.len()], &doc).copying(items);
                d.observable_with(inventory.with_elements(self.inventory.keys().cloned().collect()));
            }
            let names = match map.and_then(|m| m.kind().labels(0)) {
                Some(Labels::Named(names)) => names.clone(),
                _ => Vec::new(),
            };
            let mut code = |name: &String, key: &str| match names.iter().position(|n| n == name) {
                Some(code) => Some(code as u8),
                None if names.is_empty() => None,
                None => {
                    let unknown =
                        problem(GridError::UnknownTerrain, key, format!("the map has no terrain `{name}`")).value(name);
                    d.problem(unknown.among(name, names.iter().map(String::as_str)));
                    None
                }
            };
            let mut blocked = [false; 256];
            for code in self.blocked_by.iter().filter_map(|name| code(name, "blocked_by")) {
                blocked[usize::from(code)] = true;
            }
            let ground = code(&self.starts_on, "starts_on").unwrap_or_default();
            let key = d.stream_key();
            Bind::new(move |found| Walker {
                key,
                frame,
                view,
                half,
                shows: self.shows,
                ground,
                blocked,
                wait,
                starts_facing: self.starts_facing.map(|direction| direction as u8),
                tiles: found.get(tiles),
                position: found.get(position),
                facing: found.get(facing),
                start: found.get(start),
            })
        })
    }
}

/// The farmer, with an arrow towards the tile in front of it.
fn facing_sprites(picture: Picture) -> Picture {
    // The legend shows one of the four sprites.
    let name = |facing: &str| if facing == "S" { "farmer" } else { "" };
    let sprites = ["N", "E", "S", "W"].into_iter().zip(FARMER_TURNED);
    sprites.fold(picture, |picture, (facing, svg)| picture.label("facing", facing, name(facing), svg))
}

impl GridFarmer {
    /// The start of an episode, in words.
    fn tell(&self, d: &mut Declarations<'_>) {
        let place = match self.start {
            Start::Random => format!("on a random `{}` tile", self.starts_on),
            Start::Centre => "on the tile in the middle of the map, where nothing else is placed".to_owned(),
        };
        let looking = if self.looks { " and face a random direction" } else { "" };
        let held = self.inventory.iter().filter(|(_, amount)| **amount > 0.0);
        let carried: Vec<String> = held.map(|(item, amount)| counted(amount, item)).collect();
        let carrying = match (self.inventory.is_empty(), carried.is_empty()) {
            (true, _) => String::new(),
            (false, true) => ". You carry nothing".to_owned(),
            (false, false) => format!(". You carry {}, and nothing else", listed(&carried, "and")),
        };
        d.world_text(format!("You start {place}{looking}{carrying}."));
    }

    /// The tile where every episode starts, counted row by row.
    fn start_tile(&self, d: &mut Declarations<'_>) -> Option<u32> {
        let (length, width) = (d.field().length() as u32, d.field().width() as u32);
        let (x, y) = match (&self.starts_at, self.start) {
            (Some(tile), _) => (tile.x, tile.y),
            (None, Start::Centre) => (length / 2, width / 2),
            (None, Start::Random) => return None,
        };
        if x < length && y < width {
            return Some(y * length + x);
        }
        let problem =
            Problem::new(GridError::BeyondMap, Path::default().child("starts_at"), "this tile lies beyond the map");
        let expected = format!("x from 0 to {}, y from 0 to {}", length - 1, width - 1);
        d.problem(problem.value(format!("({x}, {y})")).expected(expected));
        None
    }
}

/// The maximum amount of an item in the observation space.
const MAX_CARRIED: f64 = 1e9;

struct Walker {
    key: u64,
    frame: TileFrame,
    view: usize,
    half: usize,
    shows: Shows,
    ground: u8,
    /// Whether the farmer cannot enter a terrain, by the terrain's code.
    blocked: [bool; 256],
    wait: usize,
    starts_facing: Option<u8>,
    tiles: Column<u8>,
    position: Column<u8>,
    facing: Option<Column<u8>>,
    start: Option<Column<i32>>,
}

const START: Purpose = Purpose::named("start");
/// The maximum number of random draws for a start tile. After that, a search finds a free tile. Only nearly full maps need it.
const MAX_DRAWS: usize = 1000;

impl Behaviour for Walker {
    fn reset(&self, c: &mut Context<'_>) {
        let mut stream = c.stream(self.key, START);
        let tiles = c.get(self.tiles);
        let (length, width) = (self.frame.length, self.frame.width);
        let is_free = |tile: usize| terrain(tiles, self.frame.cell(tile % length, tile / length)).get() == self.ground;
        let drawn = |stream: &mut Stream| {
            let tile =
                (0..MAX_DRAWS).map(|_| stream.index((length * width) as u32) as usize).find(|tile| is_free(*tile));
            tile.or_else(|| (0..length * width).find(|tile| is_free(*tile))).unwrap_or(0)
        };
        let tile = match self.start {
            Some(start) => c.value(start).max(0) as usize,
            None => drawn(&mut stream),
        };
        let position = c.get(self.position);
        position[0].set((tile % length) as u8);
        position[1].set((tile / length) as u8);
        if let Some(facing) = self.facing {
            c.get(facing)[0].set(self.starts_facing.unwrap_or_else(|| stream.index(4) as u8));
        }
    }

    #[inline]
    fn act(&self, action: usize, _: CallArguments<'_>, c: &mut Context<'_>) {
        if action == self.wait {
            return;
        }
        let towards = FACING_OF_MOVE[action & 3];
        if let Some(facing) = self.facing {
            c.get(facing)[0].set(towards);
        }
        let position = c.get(self.position);
        let (x, y) = (position[0].get(), position[1].get());
        let ahead = terrain(c.get(self.tiles), self.frame.ahead(x, y, towards)).get();
        // A blocked move is a move by nothing: no branch to mispredict.
        let go = u8::from(self.can_go(x, y, towards, ahead));
        let (to_x, to_y) = adjacent(x, y, towards);
        position[0].set(x.wrapping_add(go.wrapping_mul(to_x.wrapping_sub(x))));
        position[1].set(y.wrapping_add(go.wrapping_mul(to_y.wrapping_sub(y))));
    }

    fn has_effect(&self, action: usize, _: CallArguments<'_>, reader: &Reader<'_>) -> bool {
        if action == self.wait {
            return true;
        }
        let (towards, position) = (FACING_OF_MOVE[action & 3], reader.get(self.position));
        let ahead = reader.get(self.tiles)[2 * self.frame.ahead(position[0], position[1], towards)];
        let turns = self.facing.is_some_and(|facing| towards != reader.get(facing)[0]);
        turns || self.can_go(position[0], position[1], towards, ahead)
    }

    #[inline]
    fn observe(&self, observable: usize, reader: &Reader<'_>, out: &mut Slot<'_>) {
        // By the order of declaration.
        match (observable, self.shows) {
            (0, Shows::TerrainAndStatus) => self.observe_window(reader, out),
            (0, Shows::Terrain) => self.observe_terrain(reader, out),
            // The inventory is a copy of the items.
            _ => out.bytes()[0] = reader.get(self.tiles)[2 * self.centre(reader) + 1],
        }
    }
}

impl Walker {
    /// Whether the farmer can step from (x, y) onto the terrain `ahead`.
    #[inline]
    fn can_go(&self, x: u8, y: u8, towards: u8, ahead: u8) -> bool {
        // Not a short circuit: which of the two blocks is as unpredictable as the moves.
        self.frame.has_tile_ahead(x, y, towards) & !self.blocked[usize::from(ahead)]
    }

    /// The farmer's cell.
    #[inline]
    fn centre(&self, reader: &Reader<'_>) -> usize {
        let position = reader.get(self.position);
        self.frame.cell(usize::from(position[0]), usize::from(position[1]))
    }

    /// Terrain and status of all tiles from the first tile of the window onwards.
    #[inline(always)]
    fn window_tiles<'r>(&self, reader: &Reader<'r>) -> &'r [u8] {
        let corner = self.centre(reader) - self.half * self.frame.columns - self.half;
        &reader.get(self.tiles)[2 * corner..]
    }

    #[inline]
    fn observe_window(&self, reader: &Reader<'_>, out: &mut Slot<'_>) {
        let tiles = self.window_tiles(reader);
        match self.view {
            // The usual size is copied with a length that the compiler knows.
            5 => copy_window_of_five(tiles, 2 * self.frame.columns, out.bytes()),
            view => {
                for (to, from) in out.bytes().chunks_exact_mut(2 * view).zip(tiles.chunks(2 * self.frame.columns)) {
                    to.copy_from_slice(&from[..2 * view]);
                }
            }
        }
    }

    #[inline]
    fn observe_terrain(&self, reader: &Reader<'_>, out: &mut Slot<'_>) {
        let tiles = self.window_tiles(reader);
        match self.view {
            5 => copy_terrain_of_five(tiles, 2 * self.frame.columns, out.bytes()),
            view => {
                for (to, from) in out.bytes().chunks_exact_mut(view).zip(tiles.chunks(2 * self.frame.columns)) {
                    to.iter_mut().zip(from.iter().step_by(2)).for_each(|(to, from)| *to = *from);
                }
            }
        }
    }
}

/// Copies the terrains of a window of five by five tiles out of rows that begin `stride` bytes apart.
#[inline]
fn copy_terrain_of_five(tiles: &[u8], stride: usize, out: &mut [u8]) {
    let (rows, _) = out.as_chunks_mut::<5>();
    if let ([a, b, c, d, e, ..], Some(window)) = (rows, tiles.get(..4 * stride + 10)) {
        for (i, row) in [a, b, c, d, e].into_iter().enumerate() {
            if let Some(from) = window[i * stride..].first_chunk::<10>() {
                *row = std::array::from_fn(|k| from[2 * k]);
            }
        }
    }
}

/// Copies a window of five by five tiles out of rows that begin `stride` bytes apart.
#[inline]
fn copy_window_of_five(tiles: &[u8], stride: usize, out: &mut [u8]) {
    let (rows, _) = out.as_chunks_mut::<10>();
    if let ([a, b, c, d, e, ..], Some(window)) = (rows, tiles.get(..4 * stride + 10)) {
        for (i, row) in [a, b, c, d, e].into_iter().enumerate() {
            if let Some(from) = window[i * stride..].first_chunk::<10>() {
                *row = *from;
            }
        }
    }
}

impl FarmerBehaviour for Walker {
    fn has_hooks(&self) -> bool {
        false
    }
}
