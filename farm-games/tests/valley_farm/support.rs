//! What all tests share: the rules' vocabulary, a look at the hidden state, and levels.

use farm_core::{Column, Game, State, Stream};
use farm_games::Options;

use super::grid_play::{self, column};
pub(crate) use super::grid_play::{Known, assert_uniform};

pub(crate) type Tile = (i32, i32);

pub(crate) const SIZE: i32 = 15;
pub(crate) const CENTRE: Tile = (7, 7);

pub(crate) const NORTH: usize = 0;
pub(crate) const SOUTH: usize = 1;
pub(crate) const EAST: usize = 2;
pub(crate) const WEST: usize = 3;
pub(crate) const PLANT: usize = 4;
pub(crate) const WATER: usize = 5;
pub(crate) const HARVEST: usize = 6;
pub(crate) const FEED: usize = 7;
pub(crate) const COLLECT: usize = 8;
pub(crate) const GIFT: usize = 9;
pub(crate) const SELL: usize = 10;
pub(crate) const WAIT: usize = 11;
pub(crate) const NAMES: [&str; 12] = [
    "MoveNorth",
    "MoveSouth",
    "MoveEast",
    "MoveWest",
    "PlantSeed",
    "WaterCrop",
    "HarvestCrop",
    "FeedAnimal",
    "CollectProduct",
    "GiveGift",
    "SellAtMarket",
    "Wait",
];

pub(crate) const TERRAINS: [&str; 11] = [
    "grass",
    "soil_empty",
    "soil_seeded",
    "crop_growing",
    "crop_mature",
    "barn_cow",
    "barn_sheep",
    "barn_chicken",
    "villager",
    "market",
    "obstacle",
];
pub(crate) const OBSTACLE: u8 = 10;
pub(crate) const FLAGS: [&str; 8] = ["none", "seedling", "growing", "mature", "hungry", "sated", "neutral", "friendly"];

/// The items in the order in which they are seen.
pub(crate) const SEEDS: usize = 0;
pub(crate) const WATER_LEFT: usize = 1;
pub(crate) const CROPS: usize = 2;
pub(crate) const FEED_LEFT: usize = 3;
pub(crate) const PRODUCTS: usize = 4;
pub(crate) const COINS: usize = 5;
pub(crate) const GIFTS: usize = 6;
pub(crate) const ITEMS: [&str; 7] = ["seeds", "water", "crops", "feed", "products", "coins", "gifts"];

pub(crate) fn on_map((x, y): Tile) -> bool {
    (0..SIZE).contains(&x) && (0..SIZE).contains(&y)
}

/// An animal, as the hidden state has it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Animal {
    pub at: Tile,
    pub sated_steps: i32,
    pub ticks: i32,
    pub stock: i32,
}

/// A villager at home.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Villager {
    pub at: Tile,
    pub relationship: f64,
    pub friendly: bool,
}

/// All of the hidden state that the rules speak of.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct World {
    pub at: Tile,
    pub inventory: [f64; 7],
    /// Tile and stage, 0 for bare soil.
    pub fields: Vec<(Tile, u8)>,
    pub animals: Vec<Animal>,
    pub villagers: Vec<Villager>,
    pub markets: Vec<Tile>,
    /// Terrain codes, row by row.
    pub terrain: Vec<u8>,
    /// Crops and products sold, coins issued.
    pub ledger: [f64; 3],
    pub step: u32,
}

impl World {
    pub(crate) fn terrain(&self, (x, y): Tile) -> u8 {
        if on_map((x, y)) { self.terrain[(y * SIZE + x) as usize] } else { OBSTACLE }
    }

    /// Tiles of all things: fields, barns, homes, market.
    pub(crate) fn sites(&self) -> Vec<Tile> {
        let fields = self.fields.iter().map(|field| field.0);
        let animals = self.animals.iter().map(|animal| animal.at);
        fields.chain(animals).chain(self.villagers.iter().map(|v| v.at)).chain(self.markets.iter().copied()).collect()
    }
}

/// A game, with the columns of its hidden state.
pub(crate) struct Farm {
    pub game: Game,
    tiles: Column<u8>,
    position: Column<u8>,
    items: [Column<f64>; 7],
    stage: Column<u8>,
    cells: [Column<i32>; 4],
    animals: [Column<i32>; 3],
    relationship: Column<f64>,
    mood: Column<u8>,
    ledger: [Column<f64>; 3],
}

impl Known for Farm {
    const NAME: &'static str = "valley_farm";
    type World = World;

    fn of(game: Game) -> Self {
        let of = |kind: &str| format!("Field-0.{kind}-0");
        let kinds = ["CropTiles", "AnimalTiles", "NeighbourTiles", "MarketTiles"];
        Self {
            tiles: column(&game, &of("TileMap"), "tiles"),
            position: column(&game, "GridFarmer-0", "position"),
            items: ITEMS.map(|item| column(&game, "GridFarmer-0", item)),
            stage: column(&game, &of("CropTiles"), "stage"),
            cells: kinds.map(|kind| column(&game, &of(kind), "cell")),
            animals: ["sated_steps", "ticks", "stock"].map(|name| column(&game, &of("AnimalTiles"), name)),
            relationship: column(&game, &of("NeighbourTiles"), "relationship"),
            mood: column(&game, &of("NeighbourTiles"), "mood"),
            ledger: ["sold.crops", "sold.products", "issued"].map(|name| column(&game, &of("MarketTiles"), name)),
            game,
        }
    }

    fn game(&self) -> &Game {
        &self.game
    }

    fn world(&self, state: &State) -> World {
        let reader = self.game.reader(state);
        // The map has a margin of two tiles on each side.
        let row = SIZE + 4;
        let tile = |cell: &i32| (cell % row - 2, cell / row - 2);
        let [fields, barns, homes, markets] = self.cells.map(|cells| reader.get(cells).iter().map(tile));
        let [sated, ticks, stock] = self.animals.map(|column| reader.get(column));
        let animal = |(i, at)| Animal { at, sated_steps: sated[i], ticks: ticks[i], stock: stock[i] };
        let (relationship, mood) = (reader.get(self.relationship), reader.get(self.mood));
        let villager = |(i, at)| Villager { at, relationship: relationship[i], friendly: mood[i] == 1 };
        let tiles = reader.get(self.tiles);
        let cell = |x: i32, y: i32| ((y + 2) * row + x + 2) as usize;
        let position = reader.get(self.position);
        World {
            at: (i32::from(position[0]), i32::from(position[1])),
            inventory: self.items.map(|item| reader.get(item)[0]),
            fields: fields.zip(reader.get(self.stage).iter().copied()).collect(),
            animals: barns.enumerate().map(animal).collect(),
            villagers: homes.enumerate().map(villager).collect(),
            markets: markets.collect(),
            terrain: (0..SIZE).flat_map(|y| (0..SIZE).map(move |x| tiles[2 * cell(x, y)])).collect(),
            ledger: self.ledger.map(|column| reader.get(column)[0]),
            step: state.step(),
        }
    }
}

/// An episode.
pub(crate) type Play<'f> = grid_play::Play<'f, Farm>;

impl Play<'_> {
    /// Walks to a tile, first east or west, then north or south.
    pub(crate) fn walk(&mut self, (x, y): Tile) {
        while self.world().at.0 != x {
            let towards = if self.world().at.0 < x { EAST } else { WEST };
            self.step(towards);
        }
        while self.world().at.1 != y {
            let towards = if self.world().at.1 < y { SOUTH } else { NORTH };
            self.step(towards);
        }
    }

    /// One array of the observation.
    pub(crate) fn seen(&self, key: &str) -> Vec<f64> {
        let record = self.observation();
        let entry = self.game().observation().entries().iter().find(|entry| entry.key() == key).expect("a key");
        (0..entry.len()).map(|i| entry.number(&record, i)).collect()
    }

    /// The flag of the centre, by name.
    pub(crate) fn flag(&self) -> &'static str {
        FLAGS[self.seen("centre")[0] as usize]
    }

    pub(crate) fn item(&self, item: usize) -> f64 {
        self.world().inventory[item]
    }
}

/// Random actions: mostly on the way to some site, the market for who has something to sell late, and mostly something
/// that the site underfoot is for.
pub(crate) fn busy_action(stream: &mut Stream, world: &World, seed: u64) -> usize {
    let sites = world.sites();
    let here = sites.iter().position(|site| *site == world.at);
    let sells_soon = world.step > 25 && world.inventory[CROPS] + world.inventory[PRODUCTS] > 0.0;
    let leg = (seed.wrapping_mul(31) + u64::from(world.step) / 13) as usize;
    let (x, y) = if sells_soon { world.markets[0] } else { sites[leg % sites.len()] };
    let (dx, dy) = (x - world.at.0, y - world.at.1);
    if stream.index(8) == 0 {
        return stream.index(12) as usize;
    }
    // Sites on the way are used too, now and then.
    if (dx, dy) == (0, 0) || stream.index(3) == 0 {
        match here {
            Some(0..=3) => return [PLANT, WATER, WATER, HARVEST][stream.index(4) as usize],
            Some(4..=6) => return [FEED, COLLECT, COLLECT, WAIT][stream.index(4) as usize],
            Some(7..=9) => return GIFT,
            Some(_) => return SELL,
            None => {}
        }
    }
    if dx != 0 { [WEST, EAST][usize::from(dx > 0)] } else { [NORTH, SOUTH][usize::from(dy > 0)] }
}

/// A level: where everything is, and changes of the game.
#[derive(Clone)]
pub(crate) struct Level {
    pub preset: Option<&'static str>,
    pub fields: Vec<(Tile, Option<&'static str>)>,
    /// Tile, sated steps, ticks, stock.
    pub animals: Vec<(Tile, i32, i32, i32)>,
    pub villagers: Vec<(Tile, f64)>,
    pub market: Tile,
    pub set: Vec<(String, String)>,
}

impl Default for Level {
    /// Everything close to the centre: fields in the north, barns in the east, villagers in the west, the market south.
    fn default() -> Self {
        Self {
            preset: None,
            fields: [(7, 6), (6, 6), (8, 6), (7, 5)].map(|at| (at, None)).to_vec(),
            animals: [(9, 7), (10, 7), (11, 7)].map(|at| (at, 0, 0, 0)).to_vec(),
            villagers: vec![((4, 7), 0.0), ((3, 9), 10.0), ((2, 11), 40.0)],
            market: (7, 8),
            set: Vec::new(),
        }
    }
}

impl Level {
    pub(crate) fn set(mut self, path: &str, value: &str) -> Self {
        self.set.push((path.into(), value.into()));
        self
    }

    /// Changes an amount of the inventory.
    pub(crate) fn item(self, item: &str, amount: &str) -> Self {
        self.set(&format!("farmers.0.GridFarmer.inventory#nb.{item}"), amount)
    }

    pub(crate) fn starts_at(self, (x, y): Tile) -> Self {
        self.set("farmers.0.GridFarmer.starts_at", &format!("{{x: {x}, y: {y}}}"))
    }

    pub(crate) fn options(&self) -> Options {
        let list = |items: Vec<String>| format!("[{}]", items.join(", "));
        let fields = self.fields.iter().map(|((x, y), stage)| match stage {
            Some(stage) => format!("{{x: {x}, y: {y}, stage: {stage}}}"),
            None => format!("{{x: {x}, y: {y}}}"),
        });
        let animals = self.animals.iter().map(|((x, y), sated, ticks, stock)| {
            format!("{{x: {x}, y: {y}, sated_steps#step: {sated}, ticks#nb: {ticks}, stock#nb: {stock}}}")
        });
        let villagers = self.villagers.iter().map(|((x, y), r)| format!("{{x: {x}, y: {y}, relationship#point: {r}}}"));
        let market = format!("[{{x: {}, y: {}}}]", self.market.0, self.market.1);
        let mut set = vec![
            ("Field-0.CropTiles-0.placed".to_owned(), list(fields.collect())),
            ("Field-0.AnimalTiles-0.placed".to_owned(), list(animals.collect())),
            ("Field-0.NeighbourTiles-0.placed".to_owned(), list(villagers.collect())),
            ("Field-0.MarketTiles-0.placed".to_owned(), market),
        ];
        set.extend(self.set.iter().cloned());
        Options { preset: self.preset.map(str::to_owned), set, ..Default::default() }
    }

    pub(crate) fn build(&self) -> Farm {
        Farm::open(&self.options())
    }
}
