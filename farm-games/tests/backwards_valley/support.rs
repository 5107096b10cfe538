//! What all tests share: the rules' vocabulary, a look at the hidden state, and pictures that become games.

use farm_core::{Column, Game, State, Stream};
use farm_games::Options;

use super::grid_play::{self, column};
pub(crate) use super::grid_play::{Known, assert_fits, assert_uniform};

pub(crate) type Tile = (i32, i32);

pub(crate) const SIZE: i32 = 10;

pub(crate) const MOVE_N: usize = 0;
pub(crate) const MOVE_S: usize = 1;
pub(crate) const MOVE_E: usize = 2;
pub(crate) const MOVE_W: usize = 3;
pub(crate) const WAIT: usize = 4;
pub(crate) const WATER: usize = 5;
pub(crate) const FERTILIZE: usize = 6;
pub(crate) const FEED: usize = 7;
pub(crate) const CLEAN: usize = 8;
pub(crate) const COMPLIMENT: usize = 9;
pub(crate) const INSULT: usize = 10;
pub(crate) const NAMES: [&str; 11] = [
    "MoveN",
    "MoveS",
    "MoveE",
    "MoveW",
    "Wait",
    "UseWateringCan",
    "SpreadFertilizer",
    "Feed",
    "CleanPen",
    "Compliment",
    "Insult",
];
pub(crate) const VERBS: [usize; 6] = [WATER, FERTILIZE, FEED, CLEAN, COMPLIMENT, INSULT];

pub(crate) const NORTH: u8 = 0;
pub(crate) const EAST: u8 = 1;
pub(crate) const SOUTH: u8 = 2;
pub(crate) const WEST: u8 = 3;
/// The step of one tile in each direction looked at.
pub(crate) const AHEAD: [Tile; 4] = [(0, -1), (1, 0), (0, 1), (-1, 0)];
/// The move that goes in each direction looked at.
pub(crate) const MOVE_TO: [usize; 4] = [MOVE_N, MOVE_E, MOVE_S, MOVE_W];

pub(crate) const TERRAINS: [&str; 6] = ["ground", "field", "pen", "house", "fence", "outside"];
pub(crate) const GROUND: u8 = 0;
pub(crate) const FENCE: u8 = 4;
pub(crate) const OUTSIDE: u8 = 5;
pub(crate) const STATUSES: [&str; 11] =
    ["none", "Seed", "Sprout", "Young", "HarvestReady", "Weak", "Okay", "Thriving", "Hostile", "Neutral", "Friendly"];

pub(crate) const CROP: usize = 0;
pub(crate) const PEN: usize = 1;
pub(crate) const VILLAGER: usize = 2;
pub(crate) const KINDS: [usize; 3] = [CROP, PEN, VILLAGER];
/// How many there are of each kind.
pub(crate) const COUNTS: [usize; 3] = [12, 4, 6];
/// The stages of each kind, from first to last.
pub(crate) const STAGES: [&[&str]; 3] =
    [&["Seed", "Sprout", "Young", "HarvestReady"], &["Weak", "Okay", "Thriving"], &["Hostile", "Neutral", "Friendly"]];
/// Lowest and highest base value of each kind.
pub(crate) const WORTH: [(i32, i32); 3] = [(2, 5), (1, 3), (3, 6)];

/// The last stage of a kind.
pub(crate) fn top(kind: usize) -> u8 {
    STAGES[kind].len() as u8 - 1
}

/// What a tile with a thing of this kind in this stage shows.
pub(crate) fn shown(kind: usize, stage: u8) -> u8 {
    STATUSES.iter().position(|s| *s == STAGES[kind][usize::from(stage)]).unwrap() as u8
}

pub(crate) fn adjacent((x, y): Tile, facing: u8) -> Tile {
    let (dx, dy) = AHEAD[usize::from(facing)];
    (x + dx, y + dy)
}

pub(crate) fn on_map((x, y): Tile) -> bool {
    (0..SIZE).contains(&x) && (0..SIZE).contains(&y)
}

/// All tiles of the map, row by row.
pub(crate) fn all_tiles() -> impl Iterator<Item = Tile> {
    (0..SIZE).flat_map(|y| (0..SIZE).map(move |x| (x, y)))
}

/// A crop, an animal in its pen or a villager, as the hidden state has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Thing {
    pub kind: usize,
    pub at: Tile,
    /// None once it was harvested.
    pub stage: Option<u8>,
    pub base: i32,
}

/// All of the hidden state that the rules speak of.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct World {
    /// Row by row.
    pub terrain: Vec<u8>,
    pub status: Vec<u8>,
    pub things: Vec<Thing>,
    pub at: Tile,
    pub facing: u8,
    /// Crop Yield, Animal Health, Social Affinity.
    pub meters: [f64; 3],
    pub farm_value: f64,
    pub step: u32,
}

impl World {
    pub(crate) fn terrain(&self, (x, y): Tile) -> u8 {
        if on_map((x, y)) { self.terrain[(y * SIZE + x) as usize] } else { OUTSIDE }
    }

    pub(crate) fn status(&self, (x, y): Tile) -> u8 {
        if on_map((x, y)) { self.status[(y * SIZE + x) as usize] } else { 0 }
    }

    pub(crate) fn of(&self, kind: usize) -> impl Iterator<Item = &Thing> {
        self.things.iter().filter(move |thing| thing.kind == kind)
    }

    /// The only thing of a kind, in scenes that have one of each.
    pub(crate) fn the(&self, kind: usize) -> Thing {
        let all: Vec<_> = self.of(kind).collect();
        assert_eq!(all.len(), 1, "a scene with one thing of kind {kind}");
        *all[0]
    }

    pub(crate) fn thing_at(&self, at: Tile) -> Option<&Thing> {
        self.things.iter().find(|thing| thing.at == at && thing.stage.is_some())
    }
}

struct KindColumns {
    stage: Column<u8>,
    cell: Column<i32>,
    base: Column<i32>,
}

/// A game, with the columns of its hidden state.
pub(crate) struct Valley {
    pub game: Game,
    tiles: Column<u8>,
    /// Tiles in a row of the column, margin included.
    row: i32,
    margin: i32,
    position: Column<u8>,
    facing: Column<u8>,
    kinds: [KindColumns; 3],
    meters: [Column<f64>; 3],
    farm_value: Column<f64>,
}

impl Known for Valley {
    const NAME: &'static str = "backwards_valley";
    type World = World;

    fn of(game: Game) -> Self {
        let map = game.parts().iter().find(|p| p.path() == "Field-0.TileMap-0").expect("a map");
        let row = map.variables().iter().find(|v| v.name() == "tiles").expect("tiles").shape()[1] as i32;
        let kind = |rank: usize| {
            let part = format!("Field-0.StagedTiles-{rank}");
            KindColumns {
                stage: column(&game, &part, "stage"),
                cell: column(&game, &part, "cell"),
                base: column(&game, &part, "base_value"),
            }
        };
        Self {
            tiles: column(&game, "Field-0.TileMap-0", "tiles"),
            row,
            margin: (row - SIZE) / 2,
            position: column(&game, "GridFarmer-0", "position"),
            facing: column(&game, "GridFarmer-0", "facing"),
            kinds: KINDS.map(kind),
            meters: ["crop_yield", "animal_health", "social_affinity"].map(|m| column(&game, "MeterScore-0", m)),
            farm_value: column(&game, "MeterScore-0", "farm_value"),
            game,
        }
    }

    fn game(&self) -> &Game {
        &self.game
    }

    fn world(&self, state: &State) -> World {
        let reader = self.game.reader(state);
        let tiles = reader.get(self.tiles);
        let cell = |(x, y): Tile| ((y + self.margin) * self.row + x + self.margin) as usize;
        let tile = |cell: i32| (cell % self.row - self.margin, cell / self.row - self.margin);
        let mut things = Vec::new();
        for kind in KINDS {
            let columns = &self.kinds[kind];
            let all = reader.get(columns.stage).iter().zip(reader.get(columns.cell)).zip(reader.get(columns.base));
            // Places of the column that hold nothing have no tile.
            for ((stage, cell), base) in all.filter(|((_, cell), _)| **cell != 0) {
                let stage = Some(*stage).filter(|stage| *stage <= top(kind));
                things.push(Thing { kind, at: tile(*cell), stage, base: *base });
            }
        }
        let position = reader.get(self.position);
        World {
            terrain: all_tiles().map(|at| tiles[2 * cell(at)]).collect(),
            status: all_tiles().map(|at| tiles[2 * cell(at) + 1]).collect(),
            things,
            at: (i32::from(position[0]), i32::from(position[1])),
            facing: reader.get(self.facing)[0],
            meters: self.meters.map(|meter| reader.get(meter)[0]),
            farm_value: reader.get(self.farm_value)[0],
            step: state.step(),
        }
    }
}

impl Valley {
    /// The first episode that starts at a tile, looking in a direction.
    pub(crate) fn start(&self, at: Tile, facing: u8) -> Play<'_> {
        let mut play = self.play(0);
        for seed in 0..10_000 {
            self.game.reset(&mut play.state, seed, &mut play.record);
            let reader = self.game.reader(&play.state);
            let position = reader.get(self.position);
            if (i32::from(position[0]), i32::from(position[1])) == at && reader.get(self.facing)[0] == facing {
                return play;
            }
        }
        panic!("no seed starts at {at:?} with facing {facing}");
    }
}

/// An episode.
pub(crate) type Play<'v> = grid_play::Play<'v, Valley>;

/// Random actions: of all eleven, but more often a verb for what stands in front and, at times, a few steps straight on,
/// so that episodes see care, harvests and visits.
pub(crate) fn busy_action(stream: &mut Stream, world: &World) -> usize {
    let ahead = world.thing_at(adjacent(world.at, world.facing)).map(|thing| thing.kind);
    match (stream.index(4), ahead) {
        (0, Some(kind)) => VERBS[2 * kind + stream.index(2) as usize],
        (1, _) => MOVE_TO[usize::from(world.facing)],
        _ => stream.index(11) as usize,
    }
}

/// A game made of a picture: `#` fence, `.` ground, `c` crop, `p` pen, `v` villager; fence all around.
///
/// Its map lies as it is drawn. The tiles of each letter form a rectangle.
pub(crate) struct Scene(Vec<(String, String)>);

impl Scene {
    /// A picture whose first symbol lies at `corner`.
    pub(crate) fn new(corner: Tile, rows: &[&str]) -> Self {
        let symbol = |(x, y): Tile| {
            let row = usize::try_from(y - corner.1).ok().and_then(|y| rows.get(y));
            row.and_then(|row| row.chars().nth(usize::try_from(x - corner.0).ok()?)).unwrap_or('#')
        };
        let lines: Vec<String> =
            (0..SIZE).map(|y| (0..SIZE).map(|x| if symbol((x, y)) == '#' { '#' } else { '.' }).collect()).collect();
        let mut scene = Self(Vec::new());
        scene.set("fields.Field-0.entities.0.TileMap.plan", &format!("\"{}\"", lines.join("\\n")));
        scene.set("fields.Field-0.entities.0.TileMap.symmetries", "false");
        for (kind, letter) in KINDS.into_iter().zip(['c', 'p', 'v']) {
            let tiles: Vec<Tile> = all_tiles().filter(|at| symbol(*at) == letter).collect();
            let (first, last) = (tiles[0], tiles[tiles.len() - 1]);
            let (length, width) = (last.0 - first.0 + 1, last.1 - first.1 + 1);
            assert_eq!(tiles.len() as i32, length * width, "the tiles of `{letter}` form a rectangle");
            let area = format!("{{x: {}, y: {}, length#tile: {length}, width#tile: {width}}}", first.0, first.1);
            scene.set_kind(kind, "area", &area);
            scene.set_kind(kind, "count#nb", &tiles.len().to_string());
        }
        scene
    }

    fn set(&mut self, path: &str, value: &str) {
        self.0.push((path.into(), value.into()));
    }

    fn set_kind(&mut self, kind: usize, key: &str, value: &str) {
        self.set(&format!("fields.Field-0.entities.{}.StagedTiles.{key}", kind + 1), value);
    }

    /// The stages that crop, pen and villager start in.
    pub(crate) fn stages(mut self, stages: [&str; 3]) -> Self {
        for (kind, stage) in stages.into_iter().enumerate() {
            self.set_kind(kind, "initial_stages", &format!("[{stage}]"));
        }
        self
    }

    /// The base values of crop, pen and villager.
    pub(crate) fn worth(mut self, values: [u32; 3]) -> Self {
        for (kind, value) in values.into_iter().enumerate() {
            self.set_kind(kind, "base_value#point", &format!("[{value}, {value}]"));
        }
        self
    }

    /// What animals and villagers pay that start in their last stage.
    pub(crate) fn start_in_top_pays(mut self, choice: &str) -> Self {
        self.set_kind(PEN, "start_in_top_pays", choice);
        self.set_kind(VILLAGER, "start_in_top_pays", choice);
        self
    }

    /// A parameter of a kind, such as what it does when it is left alone.
    pub(crate) fn law(mut self, kind: usize, key: &str, value: &str) -> Self {
        self.set_kind(kind, key, value);
        self
    }

    pub(crate) fn build(self) -> Valley {
        Valley::open(&Options { set: self.0, ..Options::default() })
    }
}
