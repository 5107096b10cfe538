//! Reads a world's facts from a loaded game, by the names and roles that its parts declare.

mod rules;

use farm_core::action::Call;
use farm_core::config::{Problem, Problems};
use farm_core::declare::{Labels, VariableInfo};
use farm_core::{Column, Element, Game, Reader, State};
use farm_entities::grid::{TileFrame, terrain_code};
use farm_roles::{AGENT_POSITION, GRID_TILES};

use super::{Action, AnimalClock, Barn, Field, Inventory, Rules, Villager, World};
use crate::ending;
use crate::grid::Grid;
use crate::parameters::{AllParameters, Parameters, parts};
use rules::unsuitable;

/// The parameters that name the items, in the order of [`Inventory`].
pub(super) const ITEMS: [(&str, &str); 6] = [
    ("CropTiles", "seed_item"),
    ("CropTiles", "water_item"),
    ("AnimalTiles", "feed_item"),
    ("NeighbourTiles", "gift_item"),
    ("CropTiles", "crop_item"),
    ("AnimalTiles", "product_item"),
];

/// The contents of a tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Site {
    /// Free ground.
    Ground,
    /// A tile that cannot be entered.
    Blocked,
    /// A field, with a stage of [`Field`].
    Field(u8),
    /// A barn.
    Barn,
    /// The home of a villager.
    Villager,
    /// The market.
    Market,
}

/// The locations of the facts in a game.
#[derive(Debug, Clone)]
pub struct Reading {
    tiles: Column<u8>,
    frame: TileFrame,
    /// The meaning of each terrain, by its code.
    sites: Vec<Site>,
    /// The status that a sated animal shows.
    sated: Option<u8>,
    /// The tile where the farmer starts in every level, if the rules fix it.
    start: Option<usize>,
    position: Column<u8>,
    items: [Column<f64>; 6],
    /// The amount of each item per use.
    taken: [f64; 6],
    /// The positions of the items among all carried amounts.
    places_of_items: [usize; 6],
    fields: (Column<i32>, Column<u8>),
    /// Cell, sated steps, ticks, stock.
    barns: [Column<i32>; 4],
    villagers: (Column<i32>, Column<f64>),
    market: Column<i32>,
    /// The variable with all rewards in parts of a point, and the number of parts in a point.
    total: (Column<f64>, f64),
    rules: Rules,
    /// The calls for the actions, by [`Action`].
    calls: Vec<Vec<Call>>,
    max_steps: u32,
}

fn variable<'g>(game: &'g Game, kind: &str, name: &str) -> Result<&'g VariableInfo, Box<Problem>> {
    let variables = game.parts().iter().filter(|part| part.kind() == kind).flat_map(|part| part.variables());
    let mut variables = variables.filter(|variable| variable.name().split('#').next() == Some(name));
    variables.next().ok_or_else(|| unsuitable(format!("`{kind}` has no `{name}`")))
}

fn column<T: Element>(game: &Game, kind: &str, name: &str) -> Result<Column<T>, Box<Problem>> {
    let column = variable(game, kind, name)?.column();
    column.ok_or_else(|| unsuitable(format!("`{name}` of `{kind}` has an unsupported type")))
}

fn with_role<'g>(game: &'g Game, role: &str) -> Result<&'g VariableInfo, Box<Problem>> {
    let mut variables = game.parts().iter().flat_map(|part| part.variables());
    let found = variables.find(|variable| variable.roles().contains(&role));
    found.ok_or_else(|| unsuitable(format!("no part has the role `{role}`")))
}

/// The calls for all actions, by [`Action`].
fn calls(game: &Game, all: &AllParameters) -> Result<Vec<Vec<Call>>, Box<Problem>> {
    let (farmer, crops, animals) = (all.only("GridFarmer")?, all.only("CropTiles")?, all.only("AnimalTiles")?);
    let [north, south, east, west] = farmer.words("moves")[..] else {
        return Err(farmer.reject("moves", "the planner needs four moves", "four names, for N, S, E and W"));
    };
    let names = [
        (Action::MoveNorth, north),
        (Action::MoveEast, east),
        (Action::MoveSouth, south),
        (Action::MoveWest, west),
        (Action::PlantSeed, crops.word("plant")),
        (Action::WaterCrop, crops.word("water")),
        (Action::HarvestCrop, crops.word("harvest")),
        (Action::FeedAnimal, animals.word("feed")),
        (Action::CollectProduct, animals.word("collect")),
        (Action::GiveGift, all.only("NeighbourTiles")?.word("gift")),
        (Action::SellAtMarket, all.only("MarketTiles")?.word("sell")),
        (Action::Wait, farmer.word("wait")),
    ];
    let mut calls = vec![Vec::new(); names.len()];
    for (action, name) in names {
        calls[action as usize] = game.catalogue().parse_line(name).map_err(|problem| unsuitable(problem.sentence()))?;
    }
    Ok(calls)
}

/// The meaning of each terrain on the map, by its code.
fn sites(all: &AllParameters, map: &VariableInfo) -> Result<Vec<Site>, Box<Problem>> {
    let Some(Labels::Named(terrains)) = map.kind().labels(0) else {
        return Err(unsuitable("its terrains have no names"));
    };
    let (farmer, crops, animals) = (all.only("GridFarmer")?, all.only("CropTiles")?, all.only("AnimalTiles")?);
    let (walls, stages, barns) = (farmer.words("blocked_by"), crops.words("terrains"), animals.words("terrains"));
    let home = all.only("NeighbourTiles")?.word("terrain");
    let market = all.only("MarketTiles")?.word("terrain");
    let site = |terrain: &String| match terrain.as_str() {
        terrain if walls.contains(&terrain) => Site::Blocked,
        terrain if barns.contains(&terrain) => Site::Barn,
        terrain if terrain == home => Site::Villager,
        terrain if terrain == market => Site::Market,
        terrain => stages.iter().position(|of| *of == terrain).map_or(Site::Ground, |stage| Site::Field(stage as u8)),
    };
    Ok(terrains.iter().map(site).collect())
}

/// The tile where the farmer starts in every level, if the rules fix it.
fn start(farmer: &Parameters, (length, width): (usize, usize)) -> Option<usize> {
    let centre = (farmer.word("start") == "centre").then_some((width / 2) * length + length / 2)?;
    let placed = farmer.get("starts_at");
    let placed = placed["x"].as_u64().zip(placed["y"].as_u64()).map(|(x, y)| y as usize * length + x as usize);
    // A player knows that a level starts elsewhere, but not where.
    placed.is_none_or(|tile| tile == centre).then_some(centre)
}

impl Reading {
    /// Finds the facts in a game.
    ///
    /// # Errors
    /// The reason why the game is not such a farm, with its path.
    pub fn of(game: &Game) -> Result<Self, Problems> {
        Self::find(game).map_err(|problem| Problems(vec![*problem]))
    }

    fn find(game: &Game) -> Result<Self, Box<Problem>> {
        let all = AllParameters::of(game);
        let (farmer, animals) = (all.only("GridFarmer")?, all.only("AnimalTiles")?);
        let bytes = |v: &VariableInfo| {
            v.column::<u8>().ok_or_else(|| unsuitable(format!("`{}` is not stored as bytes", v.name())))
        };
        let map = with_role(game, GRID_TILES.name())?;
        let shape = game.fields().first().ok_or_else(|| unsuitable("it has no field"))?;
        let names = ITEMS.iter().map(|(kind, key)| Ok(all.only(kind)?.word(key)));
        let names: Vec<&str> = names.collect::<Result<_, Box<Problem>>>()?;
        let items = names.iter().map(|item| column(game, "GridFarmer", item)).collect::<Result<Vec<_>, _>>()?;
        let carried = farmer.get("inventory#nb").as_mapping();
        let place = |item: &str| carried.and_then(|items| items.keys().position(|name| name.as_str() == Some(item)));
        Ok(Self {
            tiles: bytes(map)?,
            frame: TileFrame::of(map, shape.length(), shape.width()),
            sites: sites(&all, map)?,
            sated: map.kind().labels(1).and_then(|labels| labels.index(animals.word("sated"))).map(|code| code as u8),
            start: start(farmer, (shape.length(), shape.width())),
            position: bytes(with_role(game, AGENT_POSITION.name())?)?,
            items: items.try_into().map_err(|_| unsuitable("its farmer carries other items"))?,
            taken: rules::taken(&all)?,
            places_of_items: std::array::from_fn(|i| place(names[i]).unwrap_or(usize::MAX)),
            fields: (column(game, "CropTiles", "cell")?, column(game, "CropTiles", "stage")?),
            barns: [
                column(game, "AnimalTiles", "cell")?,
                column(game, "AnimalTiles", "sated_steps")?,
                column(game, "AnimalTiles", "ticks")?,
                column(game, "AnimalTiles", "stock")?,
            ],
            villagers: (column(game, "NeighbourTiles", "cell")?, column(game, "NeighbourTiles", "relationship")?),
            market: column(game, "MarketTiles", "cell")?,
            total: (column(game, "EventScore", "total")?, all.only("EventScore")?.number("parts_of_a_point#nb")?),
            rules: rules::rules(&all)?,
            calls: calls(game, &all)?,
            max_steps: ending::last_step(game).ok_or_else(|| unsuitable("its episodes have no end"))?,
        })
    }

    /// The current facts about an episode.
    pub fn world(&self, game: &Game, state: &State) -> World {
        let reader = game.reader(state);
        let (length, width) = (self.frame.length, self.frame.width);
        let tiles = reader.get(self.tiles);
        let is_blocked = |tile: usize| {
            let terrain = terrain_code(tiles, self.frame.cell(tile % length, tile / length));
            self.site(terrain) == Site::Blocked
        };
        let tile = |cell: i32| {
            let (x, y) = self.frame.tile(cell.max(0) as usize);
            y * length + x
        };
        let byte = |number: i32| number.clamp(0, 255) as u8;
        let fields = reader.get(self.fields.0).iter().zip(reader.get(self.fields.1));
        let [cells, sated, ticks, stock] = self.barns.map(|column| reader.get(column));
        let barn = |i: usize| {
            let (mut ticks, mut stock) = (ticks[i], stock[i]);
            match self.rules.clock {
                AnimalClock::Ticks if sated[i] > 0 => {
                    // The planner counts the tick of the next step itself.
                    if ticks == 0 {
                        (ticks, stock) = (i32::from(self.rules.product_ticks), stock - 1);
                    }
                    ticks -= 1;
                }
                AnimalClock::Ticks => {}
                AnimalClock::Countdown if sated[i] > 0 => ticks = ticks.min(i32::from(self.rules.product_ticks)),
                AnimalClock::Countdown => ticks = 0,
            }
            Barn { tile: tile(cells[i]), sated: byte(sated[i]), ticks: byte(ticks), stock: byte(stock) }
        };
        let villagers = reader.get(self.villagers.0).iter().zip(reader.get(self.villagers.1));
        let position = reader.get(self.position);
        World {
            grid: Grid { length, width, blocked: (0..length * width).map(is_blocked).collect() },
            agent: usize::from(position[1]) * length + usize::from(position[0]),
            fields: fields
                .filter(|(cell, _)| **cell > 0)
                .map(|(cell, stage)| Field { tile: tile(*cell), stage: *stage })
                .collect(),
            barns: (0..cells.len()).filter(|i| cells[*i] > 0).map(barn).collect(),
            villagers: villagers
                .filter(|(cell, _)| **cell > 0)
                .map(|(cell, points)| Villager { tile: tile(*cell), relationship: parts(*points) })
                .collect(),
            market: tile(reader.get(self.market)[0]),
            inventory: Inventory::of(self.items.map(|item| reader.get(item)[0]), self.taken),
            steps: self.max_steps.saturating_sub(state.step()),
            rules: self.rules.clone(),
        }
    }

    /// The meaning of a terrain, by its code.
    pub fn site(&self, terrain: u8) -> Site {
        self.sites.get(usize::from(terrain)).copied().unwrap_or(Site::Blocked)
    }

    /// The status that a sated animal shows.
    pub fn sated(&self) -> Option<u8> {
        self.sated
    }

    /// The inventory, from all amounts that the farmer observes.
    pub fn inventory(&self, amount: impl Fn(usize) -> f64) -> Inventory {
        Inventory::of(self.amounts(amount), self.taken)
    }

    /// The carried amounts, in the order seeds, water, feed, gifts, crops, products.
    pub fn amounts(&self, amount: impl Fn(usize) -> f64) -> [f64; 6] {
        self.places_of_items.map(amount)
    }

    /// The carried amounts in the same order, from the state.
    pub fn carried(&self, reader: &Reader<'_>) -> [f64; 6] {
        self.items.map(|item| reader.get(item)[0])
    }

    /// The amount of each of these items per use.
    pub fn taken(&self) -> [f64; 6] {
        self.taken
    }

    /// The sum of all rewards in the episode so far, in points. Every player gets these rewards.
    pub fn earned(&self, reader: &Reader<'_>) -> f64 {
        reader.get(self.total.0)[0] / self.total.1
    }

    /// Length and width of the map, and the number of steps in an episode.
    pub fn size(&self) -> (usize, usize, u32) {
        (self.frame.length, self.frame.width, self.max_steps)
    }

    /// The tile where the farmer starts, if the rules fix it.
    pub fn start(&self) -> Option<usize> {
        self.start
    }

    /// The numbers of barns and villagers.
    pub fn counts(&self) -> (usize, usize) {
        (self.barns[0].len(), self.villagers.0.len())
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The calls for all actions, by [`Action`].
    pub fn all_calls(&self) -> &[Vec<Call>] {
        &self.calls
    }

    /// The calls for an action.
    pub fn calls(&self, action: Action) -> &[Call] {
        &self.calls[action as usize]
    }
}
