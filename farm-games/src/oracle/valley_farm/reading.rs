//! How the facts of a world are read out of a game that was loaded, by the names and roles that its parts declare.

use farm_core::action::Call;
use farm_core::config::{Path, Problem, Problems};
use farm_core::declare::{Labels, VariableInfo};
use farm_core::serde_yaml::{self, Value};
use farm_core::{Column, Element, Game, State};
use farm_entities::grid::{TileFrame, terrain_code};
use farm_entities::roles::{AGENT_POSITION, GRID_TILES};

use super::super::grid::Grid;
use super::{Action, AnimalClock, Barn, Field, GiftReach, Inventory, Rules, Villager, World};

/// Parts of a point, of a coin and of a reward in which the planner counts.
const PARTS: f64 = 1000.0;

/// Items in the order of [`Inventory`].
const ITEMS: [&str; 6] = ["seeds", "water", "feed", "gifts", "crops", "products"];

/// Where the facts of a game stand.
#[derive(Debug)]
pub struct Reading {
    tiles: Column<u8>,
    frame: TileFrame,
    /// Whether a terrain cannot be entered, by its code.
    blocked: Vec<bool>,
    position: Column<u8>,
    items: [Column<f64>; 6],
    fields: (Column<i32>, Column<u8>),
    /// Cell, sated steps, ticks, stock.
    barns: [Column<i32>; 4],
    villagers: (Column<i32>, Column<f64>),
    market: Column<i32>,
    /// Whether the state's ticks hold that of the coming step already.
    ticks_ahead: bool,
    rules: Rules,
    /// The calls of the actions, by [`Action`].
    calls: Vec<Vec<Call>>,
    max_steps: u32,
}

/// A number as a whole number of parts.
fn parts(number: f64) -> i64 {
    (number * PARTS).round() as i64
}

/// Parameters of the parts of a game.
struct Parameters(Vec<(String, Value)>);

impl Parameters {
    fn of(game: &Game) -> Self {
        let entities = game.spec.fields.values().flat_map(|field| &field.entities);
        let parts = entities.filter_map(|part| serde_yaml::to_value(part).ok());
        let parts = parts.chain(game.spec.farmers.iter().filter_map(|part| serde_yaml::to_value(part).ok()));
        let parts = parts.chain(serde_yaml::to_value(&game.spec.score).ok());
        let tagged = |part: Value| {
            let (kind, parameters) = part.as_mapping()?.iter().next()?;
            Some((kind.as_str()?.to_owned(), parameters.clone()))
        };
        Self(parts.filter_map(tagged).collect())
    }

    /// The parameters of the only part of a kind.
    fn only(&self, kind: &str) -> Result<&Value, String> {
        let mut found = self.0.iter().filter(|(name, _)| name == kind);
        match (found.next(), found.next()) {
            (Some((_, parameters)), None) => Ok(parameters),
            _ => Err(format!("it has not exactly one `{kind}`")),
        }
    }
}

fn number(parameters: &Value, key: &str) -> Result<f64, String> {
    parameters.get(key).and_then(Value::as_f64).ok_or_else(|| format!("`{key}` is no number"))
}

fn small(parameters: &Value, key: &str) -> Result<u8, String> {
    let value = parameters.get(key).and_then(Value::as_u64).and_then(|value| u8::try_from(value).ok());
    value.ok_or_else(|| format!("`{key}` is larger than this planner counts"))
}

fn is(parameters: &Value, key: &str, word: &str) -> bool {
    parameters.get(key).and_then(Value::as_str) == Some(word)
}

fn variable<'g>(game: &'g Game, kind: &str, name: &str) -> Result<&'g VariableInfo, String> {
    let variables = game.parts.iter().filter(|part| part.kind == kind).flat_map(|part| &part.variables);
    let mut variables = variables.filter(|variable| variable.name.split('#').next() == Some(name));
    variables.next().ok_or_else(|| format!("`{kind}` has no `{name}`"))
}

fn column<T: Element>(game: &Game, kind: &str, name: &str) -> Result<Column<T>, String> {
    variable(game, kind, name)?.column().ok_or_else(|| format!("`{name}` of `{kind}` has another type"))
}

fn with_role<'g>(game: &'g Game, role: &str) -> Result<&'g VariableInfo, String> {
    let mut variables = game.parts.iter().flat_map(|part| &part.variables);
    variables.find(|variable| variable.roles.contains(&role)).ok_or_else(|| format!("nobody has the role `{role}`"))
}

impl Reading {
    /// Finds everything in a game.
    ///
    /// # Errors
    /// What keeps the game from being such a farm.
    pub fn of(game: &Game) -> Result<Self, Problems> {
        Self::find(game).map_err(|reason| {
            let problem = Problem::new(Path::default(), format!("no plan can be made for this game: {reason}"));
            Problems(vec![
                problem.help("this planner knows maps with fields, barns, neighbours and a market as in valley_farm"),
            ])
        })
    }

    fn find(game: &Game) -> Result<Self, String> {
        let parameters = Parameters::of(game);
        let farmer = parameters.only("GridFarmer")?;
        let crops = parameters.only("CropTiles")?;
        let animals = parameters.only("AnimalTiles")?;
        let neighbours = parameters.only("NeighbourTiles")?;
        let market = parameters.only("MarketTiles")?;
        let bytes = |v: &VariableInfo| v.column::<u8>().ok_or_else(|| format!("`{}` holds no bytes", v.name));
        let map = with_role(game, GRID_TILES.name)?;
        let Some(Labels::Named(terrains)) = map.kind.labels(0) else { return Err("its terrains have no names".into()) };
        let walls: Vec<&str> =
            farmer["blocked_by"].as_sequence().into_iter().flatten().filter_map(Value::as_str).collect();
        let moves = farmer["moves"].as_sequence().cloned().unwrap_or_default();
        let [Value::String(north), Value::String(south), Value::String(east), Value::String(west)] = &moves[..] else {
            return Err("its farmer has not four moves".into());
        };
        let text = |parameters: &'_ Value, key: &str| parameters[key].as_str().unwrap_or_default().to_owned();
        let names = [
            (Action::MoveNorth, north.clone()),
            (Action::MoveEast, east.clone()),
            (Action::MoveSouth, south.clone()),
            (Action::MoveWest, west.clone()),
            (Action::PlantSeed, text(crops, "plant")),
            (Action::WaterCrop, text(crops, "water")),
            (Action::HarvestCrop, text(crops, "harvest")),
            (Action::FeedAnimal, text(animals, "feed")),
            (Action::CollectProduct, text(animals, "collect")),
            (Action::GiveGift, text(neighbours, "gift")),
            (Action::SellAtMarket, text(market, "sell")),
            (Action::Wait, text(farmer, "wait")),
        ];
        let mut calls = vec![Vec::new(); names.len()];
        for (action, name) in names {
            calls[action as usize] = game.catalogue.parse_line(&name).map_err(|problem| problem.sentence())?;
        }
        let items: Vec<Column<f64>> =
            ITEMS.iter().map(|item| column(game, "GridFarmer", item)).collect::<Result<_, _>>()?;
        let shape = game.fields.first().ok_or("it has no field")?;
        let one = |parameters: &Value, key: &str| match number(parameters, key)? {
            1.0 => Ok(()),
            _ => Err(format!("`{key}` is not 1")),
        };
        for key in ["seeds_per_planting#nb", "water_per_watering#nb", "stages_per_watering#nb", "crops_per_harvest#nb"]
        {
            one(crops, key)?;
        }
        one(animals, "feed_per_feeding#nb")?;
        one(animals, "products_per_deposit#nb")?;
        one(neighbours, "gifts_per_giving#nb")?;
        if crops["stages"].as_sequence().map(Vec::len) != Some(3) {
            return Err("its crops have not three stages".into());
        }
        Ok(Self {
            tiles: bytes(map)?,
            frame: TileFrame::of(map, shape.length, shape.width),
            blocked: terrains.iter().map(|terrain| walls.contains(&terrain.as_str())).collect(),
            position: bytes(with_role(game, AGENT_POSITION.name)?)?,
            items: items.try_into().map_err(|_| "its farmer carries other items")?,
            fields: (column(game, "CropTiles", "cell")?, column(game, "CropTiles", "stage")?),
            barns: [
                column(game, "AnimalTiles", "cell")?,
                column(game, "AnimalTiles", "sated_steps")?,
                column(game, "AnimalTiles", "ticks")?,
                column(game, "AnimalTiles", "stock")?,
            ],
            villagers: (column(game, "NeighbourTiles", "cell")?, column(game, "NeighbourTiles", "relationship")?),
            market: column(game, "MarketTiles", "cell")?,
            ticks_ahead: animals["feeding_step_ticks"].as_bool() == Some(false),
            rules: rules(animals, neighbours, market, parameters.only("EventScore")?)?,
            calls,
            max_steps: game.max_steps().ok_or("its episodes have no end")?,
        })
    }

    /// The facts of an episode as it stands.
    pub fn world(&self, game: &Game, state: &State) -> World {
        let reader = game.reader(state);
        let (length, width) = (self.frame.length, self.frame.width);
        let tiles = reader.get(self.tiles);
        let is_blocked = |tile: usize| {
            let terrain = terrain_code(tiles, self.frame.cell(tile % length, tile / length));
            self.blocked.get(usize::from(terrain)).copied().unwrap_or(true)
        };
        let tile = |cell: i32| {
            let (x, y) = self.frame.tile(cell.max(0) as usize);
            y * length + x
        };
        let byte = |number: i32| number.clamp(0, 255) as u8;
        let [seeds, water, feed, gifts, crops, products] =
            self.items.map(|item| reader.get(item)[0].clamp(0.0, 255.0) as u8);
        let fields = reader.get(self.fields.0).iter().zip(reader.get(self.fields.1));
        let [cells, sated, ticks, stock] = self.barns.map(|column| reader.get(column));
        let barn = |i: usize| {
            let (mut ticks, mut stock) = (ticks[i], stock[i]);
            if self.ticks_ahead && sated[i] > 0 {
                // The planner lets the tick of the coming step pass itself.
                if ticks == 0 {
                    (ticks, stock) = (i32::from(self.rules.product_ticks), stock - 1);
                }
                ticks -= 1;
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
            inventory: Inventory { seeds, water, feed, gifts, crops, products },
            steps: self.max_steps.saturating_sub(state.step),
            rules: self.rules.clone(),
        }
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

/// The rules, as far as the planner knows variants of them.
fn rules(animals: &Value, neighbours: &Value, market: &Value, score: &Value) -> Result<Rules, String> {
    let offsets = neighbours["reach"].as_sequence().into_iter().flatten();
    let offset = |offset: &Value| Some((offset["dx"].as_i64()?, offset["dy"].as_i64()?));
    let mut reach: Vec<(i64, i64)> = offsets.filter_map(offset).collect();
    reach.sort_unstable();
    let around = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy)));
    let (diamond, ring): (Vec<_>, Vec<_>) =
        (around.clone().filter(|(dx, dy)| dx * dy == 0).collect(), around.filter(|at| *at != (0, 0)).collect());
    let gift_reach = match reach {
        reach if reach == diamond => GiftReach::Diamond,
        reach if reach == ring => GiftReach::Ring,
        _ => return Err("gifts reach neither the five tiles nor the eight around the farmer".into()),
    };
    let words = ["feeding_sated", "deposits", "collecting"].map(|key| animals[key].as_str().unwrap_or_default());
    let flags = ["feeding_step_ticks", "collecting_resets"].map(|key| animals[key].as_bool());
    let clock = match (words, flags) {
        (["restarts", "repeatedly", "while_sated"], [Some(false), Some(true)]) => AnimalClock::Ticks,
        (["refused", "once_per_feeding", "always"], [Some(true), Some(false)]) => AnimalClock::Countdown,
        _ => return Err("the clock of its animals runs in another way".into()),
    };
    let weights = score.get("weights#point").ok_or("its score has no weights")?;
    let weight = |event: &str| number(weights, event).map(parts);
    let prices = market.get("prices#coin").ok_or("its market has no prices")?;
    let price = |item: &str| match number(prices, item)? {
        price if price.fract() == 0.0 => Ok(price as i64),
        _ => Err("its prices are no whole coins".to_owned()),
    };
    if number(market, "doubling_relationship#point")? != 100.0 {
        return Err("its prices double at another relationship than 100".into());
    }
    Ok(Rules {
        gift_reach,
        clock,
        truncated_coins: is(market, "payment", "truncated"),
        gift_increment: parts(number(neighbours, "gift_increment#point")?),
        most_relationship: parts(number(neighbours, "max_relationship#point")?),
        sated_steps: small(animals, "sated_steps#step")?,
        product_ticks: small(animals, "ticks_per_deposit#nb")?,
        prices: [price("crops")?, price("products")?],
        goods_rewards: [weight("harvest")?, weight("product")?],
        relationship_reward: weight("friendship")?,
        coin_reward: weight("sale")?,
    })
}
