//! A farmer with a place on a grid: walks, looks, waits, and sees a window of the map.
//!
//! | reads | role |
//! |---|---|
//! | the map | `grid_tiles` |
//!
//! | writes | unit |
//! |---|---|
//! | `position` (role `agent_position`) | tile |
//! | `facing` (role `agent_facing`) | N, E, S, W |
//! | `view` (computed when observed): the window around the farmer, north up | terrain and status |
//!
//! Source: Backwards Valley B7, actions 0–4, observation. A blocked move still turns the farmer.

use farm_core::action::CallArguments;
use farm_core::config::{Path, Problem};
use farm_core::declare::{Labels, ValueKind, category};
use farm_core::observation::Slot;
use farm_core::rng::Purpose;
use farm_core::{Behaviour, Builder, Column, Context, Farmer, FarmerBehaviour, Reader};
use farm_entities::grid::{TileFrame, terrain};
use farm_entities::roles::{AGENT_FACING, AGENT_POSITION, GRID_TILES};

farm_core::parameters! {
    /// A farmer with a place on a grid.
    pub struct GridFarmer {
        /// Tiles in a row of the window it sees; odd, with itself in the middle.
        pub view: u32 = 5, "view#tile", [1, 21];
        /// Names of the moves to north, south, east and west.
        pub moves: Vec<String> = ["MoveN", "MoveS", "MoveE", "MoveW"].map(String::from).to_vec();
        /// Name of the action that lets time pass.
        pub wait: String = "Wait".into();
        /// Terrains that cannot be entered.
        pub blocked_by: Vec<String> = ["fence", "outside"].map(String::from).to_vec();
        /// The terrain of the tiles it may start on, one of them drawn uniformly.
        pub starts_on: String = "ground".into();
    }
}

farm_core::register!(
    Farmer,
    GridFarmer,
    "Walks on a grid, looks in a direction and sees a window of the map.",
    "Backwards Valley B7 and its observation"
);

/// North, south, east, west as facings (0 north, then clockwise), in the order of the moves.
const FACING_OF_MOVE: [u8; 4] = [0, 2, 1, 3];

#[farm_core::typetag::serde]
impl Farmer for GridFarmer {
    fn build(&self, b: &mut Builder<'_>) -> Box<dyn FarmerBehaviour> {
        let tiles = b.one(GRID_TILES);
        let (length, width) = (b.field().length, b.field().width);
        let numbers = |n: usize| Labels::Numbered(n.min(256) as u32);
        let position = category(
            "position",
            ValueKind::Category(vec![numbers(length), numbers(width)]),
            "Where the farmer stands, x and y.",
        );
        let position = b.declare(position.shape(&[2]).role(AGENT_POSITION));
        let facing =
            category("facing", ValueKind::named(&["N", "E", "S", "W"]), "Where the farmer looks.").role(AGENT_FACING);
        let facing = b.declare(facing);
        let problem = |key: &str, message: String| Problem::new(Path::default().child(key), message);
        if self.moves.len() != 4 {
            b.problem(
                problem("moves", "there are four moves".into())
                    .value(self.moves.join(", "))
                    .expected("four names, for N, S, E and W"),
            );
        }
        if self.view.is_multiple_of(2) {
            b.problem(
                problem("view#tile", "the window has no middle".into()).value(self.view).expected("an odd number"),
            );
        }
        if length > 256 || width > 256 {
            b.problem(
                problem("", "the map of a grid farmer has at most 256 × 256 tiles".into())
                    .value(format!("{length} × {width}")),
            );
        }
        for (name, words) in self.moves.iter().zip(["north", "south", "east", "west"]) {
            b.action(name, Vec::new(), &format!("Turns to the {words} and goes one tile there unless it is blocked."));
        }
        let wait = b.waiting_action(&self.wait, "Lets a step pass.");

        let map = b.declaration(GRID_TILES);
        let frame = map.as_ref().map_or(TileFrame::default(), |m| TileFrame::of(m, length, width));
        let half = self.view as usize / 2;
        if map.is_some() && half > frame.margin {
            let found = format!("a window of {} on a map with a margin of {}", self.view, frame.margin);
            b.problem(
                problem("view#tile", "the window reaches beyond the map's margin".into())
                    .value(found)
                    .help("raise `margin#tile` of the TileMap"),
            );
        }
        let kind = map.as_ref().map_or(ValueKind::named(&["ground"]), |m| m.kind.clone());
        let view = self.view as usize;
        b.observable(
            "view",
            kind,
            &[view, view, 2],
            "The window around the farmer, north up: terrain and status of each tile.",
        );
        let names = match map.as_ref().and_then(|m| m.kind.labels(0)) {
            Some(Labels::Named(names)) => names.clone(),
            _ => Vec::new(),
        };
        let mut code = |name: &String, key: &str| match names.iter().position(|n| n == name) {
            Some(code) => Some(code as u8),
            None if names.is_empty() => None,
            None => {
                let unknown = problem(key, format!("the map has no terrain `{name}`")).value(name);
                b.problem(unknown.among(name, names.iter().map(String::as_str)));
                None
            }
        };
        let mut blocked = [false; 256];
        for code in self.blocked_by.iter().filter_map(|name| code(name, "blocked_by")) {
            blocked[usize::from(code)] = true;
        }
        let ground = code(&self.starts_on, "starts_on").unwrap_or_default();
        Box::new(Walker { key: b.stream_key(), frame, view, half, ground, blocked, wait, tiles, position, facing })
    }
}

struct Walker {
    key: u64,
    frame: TileFrame,
    view: usize,
    half: usize,
    ground: u8,
    /// Whether a terrain cannot be entered, by its code.
    blocked: [bool; 256],
    wait: usize,
    tiles: Column<u8>,
    position: Column<u8>,
    facing: Column<u8>,
}

const START: Purpose = Purpose::named("start");
/// Draws of a start before a search takes over, which only a nearly full map ever needs.
const MOST_DRAWS: usize = 1000;

impl Behaviour for Walker {
    fn reset(&self, c: &mut Context<'_>) {
        let mut stream = c.stream(self.key, START);
        let tiles = c.get(self.tiles);
        let (length, width) = (self.frame.length, self.frame.width);
        let is_free = |tile: usize| terrain(tiles, self.frame.cell(tile % length, tile / length)).get() == self.ground;
        let drawn = (0..MOST_DRAWS).map(|_| stream.index((length * width) as u32) as usize).find(|tile| is_free(*tile));
        let tile = drawn.or_else(|| (0..length * width).find(|tile| is_free(*tile))).unwrap_or(0);
        let position = c.get(self.position);
        position[0].set((tile % length) as u8);
        position[1].set((tile / length) as u8);
        c.get(self.facing)[0].set(stream.index(4) as u8);
    }

    #[inline]
    fn act(&self, action: usize, _: CallArguments<'_>, c: &mut Context<'_>) {
        if action == self.wait {
            return;
        }
        let facing = FACING_OF_MOVE[action & 3];
        c.get(self.facing)[0].set(facing);
        let position = c.get(self.position);
        let (x, y) = (position[0].get(), position[1].get());
        let ahead = terrain(c.get(self.tiles), self.frame.ahead(x, y, facing)).get();
        // A blocked move is a move by nothing: no branch to mispredict.
        let go = u8::from(!self.blocked[usize::from(ahead)]);
        let (east, south) = [(0, 255), (1, 0), (0, 1), (255, 0)][usize::from(facing)];
        position[0].set(x.wrapping_add(go.wrapping_mul(east)));
        position[1].set(y.wrapping_add(go.wrapping_mul(south)));
    }

    fn has_effect(&self, action: usize, _: CallArguments<'_>, reader: &Reader<'_>) -> bool {
        if action == self.wait {
            return true;
        }
        let (facing, position) = (FACING_OF_MOVE[action & 3], reader.get(self.position));
        let ahead = reader.get(self.tiles)[2 * self.frame.ahead(position[0], position[1], facing)];
        facing != reader.get(self.facing)[0] || !self.blocked[usize::from(ahead)]
    }

    #[inline]
    fn observe(&self, _: usize, reader: &Reader<'_>, out: &mut Slot<'_>) {
        let position = reader.get(self.position);
        let centre = self.frame.cell(usize::from(position[0]), usize::from(position[1]));
        let corner = centre - self.half * self.frame.columns - self.half;
        let tiles = &reader.get(self.tiles)[2 * corner..];
        match self.view {
            // The usual size is copied with a length that the compiler knows.
            5 => copy_window_of_five(tiles, 2 * self.frame.columns, out.bytes),
            view => {
                for (to, from) in out.bytes.chunks_exact_mut(2 * view).zip(tiles.chunks(2 * self.frame.columns)) {
                    to.copy_from_slice(&from[..2 * view]);
                }
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

impl FarmerBehaviour for Walker {}
