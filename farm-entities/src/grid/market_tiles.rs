//! Markets, where the farmer sells all its items that have a price.
//!
//! ```text
//! coins = Σ goods · price · (1 + mean relationship / doubling)
//! ```
//!
//! Prices and relationships are integers in thousandths. Payments are therefore whole numbers of a small fraction of a coin: they are added
//! as integers and stored as the nearest real number.
//!
//! | reads | role |
//! |---|---|
//! | the map, for the tiles of the markets | `grid_tiles`, `grid_symmetry` |
//! | the farmer's position, and its start tile, where no market is placed | `agent_position`, `agent_start` |
//! | the neighbours' relationships with the farmer | `relationship` |
//!
//! | writes | unit |
//! |---|---|
//! | `cell` of each market, the ledger `sold.…` and `issued` (hidden) | tile, goods, coins |
//! | the farmer's goods and coins | `agent_item` |
//!
//! Source: Valley Farm V2 and its action SellAtMarket.

use std::collections::BTreeMap;

use farm_core::action::CallArguments;
use farm_core::declare::{EventId, Picture};
use farm_core::inspect::{counted, listed, singular};
use farm_core::{Behaviour, Bind, Column, Columns, Context, Declarations, Entity, Purpose, Reader};
use farm_roles::{AGENT_POSITION, RELATIONSHIP};

use super::{Area, Cells, KnownMap, OnMap, Placement, Tile, item, needs_items, sprites, thing_at};

/// Rounding of payments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
pub(super) enum Payment {
    /// The exact amount, with fractions of a coin.
    Exact,
    /// Rounded down to whole coins; the rest is lost.
    Truncated,
}

/// Markets. The farmer sells all goods there, at prices that relationships raise.
#[derive(Debug, Clone, farm_core::Parameters)]
pub(crate) struct MarketTiles {
    /// Number of markets.
    #[parameter(unit = "nb", default = 1, range = 1..=64)]
    pub count: u32,
    /// Area in which each market gets a different random tile, all with equal probability. Default: the whole map.
    pub area: Option<Area>,
    /// The markets of a level, each with its tile, in the orientation of the plan. They replace `count#nb` and `area`.
    pub placed: Vec<Tile>,
    /// The terrain of their tiles, one of the map's terrains.
    #[parameter(default = "market".into())]
    pub terrain: String,
    /// Name of the action that sells.
    #[parameter(default = "SellAtMarket".into())]
    pub sell: String,
    /// The price of each item that can be sold, in coins with at most three decimals.
    #[parameter(unit = "coin", range = 0.0..=1e6)]
    pub prices: BTreeMap<String, f64>,
    /// The item in which sales are paid.
    #[parameter(default = "coins".into())]
    pub coin_item: String,
    /// The mean relationship at which prices are twice the base prices.
    #[parameter(name = "doubling_relationship#point", default = 100.0, range = 0.001..=1e6)]
    pub doubling_points: f64,
    /// Rounding of payments.
    #[parameter(default = Payment::Exact)]
    pub payment: Payment,
    /// Name of the event of a sale. Its value is the number of coins paid.
    #[parameter(default = "sale".into())]
    pub event: String,
}

/// Number of parts in a coin and in a point, the units of prices and relationships.
const PARTS: f64 = 1000.0;

/// Maximum amount of an item or of coins in the ledger.
const MOST: f64 = 1e15;

/// A number as an integer number of parts.
#[inline]
fn whole(number: f64, parts: f64) -> i64 {
    (number * parts).round() as i64
}

impl MarketTiles {
    fn places(&self, map: &KnownMap, d: &mut Declarations<'_>) -> Cells {
        let at: Vec<(u32, u32)> = self.placed.iter().map(|tile| (tile.x, tile.y)).collect();
        Cells::new(d, map.frame, self.count, self.area.as_ref(), &at)
    }

    fn doubling(&self, relationships: &[Column<f64>]) -> i64 {
        let neighbours: usize = relationships.iter().map(|column| column.len()).sum();
        // Without neighbours, prices stay at the base prices.
        neighbours.max(1) as i64 * whole(self.doubling_points, PARTS)
    }

    /// The text of the action that sells.
    fn sell_text(&self) -> String {
        let goods: Vec<&str> = self.prices.keys().map(String::as_str).collect();
        let coins = &self.coin_item;
        let price = |(good, price): (&String, &f64)| format!("{} for each {}", counted(price, coins), singular(good));
        let prices: Vec<String> = self.prices.iter().map(price).collect();
        let goods = listed(&goods, "and");
        let rounded = if self.payment == Payment::Truncated { ", rounded down to whole coins" } else { "" };
        format!(
            "Sells all your {goods}. Condition: your tile is `{}`, and you carry at least one of these goods. The base price is {}. You receive \
             (the sum of the base prices of all goods that you sell) × (1 + r/{}){rounded}. r is the mean of your exact \
             relationships.",
            self.terrain,
            listed(&prices, "and"),
            self.doubling_points
        )
    }
}

#[farm_core::register(
    source = "Valley Farm V2, action SellAtMarket (AutoEnv environment 18, rules as decided by this project)"
)]
impl Entity for MarketTiles {
    fn declare(&self, _: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
        Bind::after(|d, known| {
            let markets = Markets::declare(d, &OnMap::new(self.clone(), known));
            needs_items(d);
            let (count, frame) = (markets.places.on.count, markets.places.on.frame);
            d.text_variable("number", count.to_string());
            d.world_text(Area::in_words(self.area.as_ref(), count, &self.terrain));
            let (words, sprite) = (sprites::in_words(&self.terrain), sprites::terrain(&self.terrain));
            let placed = Picture::of_things("Market", 30, "cell#tile", frame.columns, frame.margin);
            d.picture(placed.otherwise(&words, sprite.clone()));
            d.picture(Picture::of_seen_tiles("Market", 30).names(&[&self.terrain], &words, sprite));
            Bind::new(move |found| markets.bind(found))
        })
    }
}

#[derive(Columns)]
struct Markets {
    parameters: OnMap<MarketTiles>,
    #[stream]
    key: u64,
    #[nested(parameters.places(&parameters.map, d))]
    places: Placement,
    /// The tile of each market, as an index of the map.
    #[count(unit = "tile", range = 0..=places.on.frame.last_cell(), shape = &[places.on.count], hidden)]
    cell: Column<i32>,
    /// The farmer's stock of each good.
    #[bind(parameters.prices.keys().map(|name| item(found, name, "prices#coin")).collect())]
    stocks: Vec<Column<f64>>,
    /// Amount of this item sold so far.
    #[real(each = parameters.prices.keys(), name = "sold.{each}#nb", range = 0.0..=MOST, hidden)]
    sold: Vec<Column<f64>>,
    /// The price of each good in parts.
    #[with(parameters.prices.values().map(|price| whole(*price, PARTS)).collect())]
    prices: Vec<i64>,
    /// Coins paid for sales so far.
    #[real(unit = "coin", range = 0.0..=MOST, hidden)]
    issued: Column<f64>,
    #[action(
        name = &parameters.sell,
        doc = &parameters.sell_text(),
        done = "sold",
        badge = include_str!("../agronomy/sprites/badges/coin.svg")
    )]
    _sell: usize,
    /// A sale; the plot is the market's index, the value the coins paid.
    #[event(name = &parameters.event, per_step = 1)]
    event: EventId,
    #[with(parameters.map.terrain(d, &parameters.terrain, "terrain"))]
    own_terrain: u8,
    #[all(RELATIONSHIP)]
    relationships: Vec<Column<f64>>,
    /// The sum of all relationships, in parts of a point, at which prices are twice the base prices.
    #[bind(parameters.doubling(&relationships))]
    doubling: i64,
    #[bind(PARTS * doubling as f64)]
    parts_of_a_coin: f64,
    #[one(AGENT_POSITION)]
    position: Column<u8>,
    #[bind(item(found, &parameters.coin_item, "coin_item"))]
    coins: Column<f64>,
}

const PLACE: Purpose = Purpose::named("place");

impl Markets {
    /// Adds an integer number of parts to a number of coins.
    fn add(&self, coins: f64, parts: f64) -> f64 {
        ((coins * self.parts_of_a_coin).round() + parts) / self.parts_of_a_coin
    }

    /// The payment in finer parts of a coin, for goods with this base value in parts of a coin.
    fn payment(&self, base: i64, c: &Context<'_>) -> f64 {
        let liked = self.relationships.iter().flat_map(|column| c.get(*column));
        let liked: i64 = liked.map(|points| whole(points.get(), PARTS)).sum();
        let parts = (i128::from(base) * i128::from(self.doubling + liked)) as f64;
        let is_truncated = self.parameters.payment == Payment::Truncated;
        if is_truncated { (parts / self.parts_of_a_coin).floor() * self.parts_of_a_coin } else { parts }
    }
}

impl Behaviour for Markets {
    fn reset(&self, c: &mut Context<'_>) {
        self.places.place(c, c.stream(self.key, PLACE), self.cell, |_, _| self.own_terrain);
    }

    fn act(&self, _: usize, _: CallArguments<'_>, c: &mut Context<'_>) {
        let here = self.places.on.frame.cell_at(c.get(self.position));
        let Some(i) = thing_at(c.get(self.cell), here) else { return };
        let (mut base, mut anything) = (0i64, false);
        for ((stock, sold), price) in self.stocks.iter().zip(&self.sold).zip(&self.prices) {
            let (stock, sold) = (&c.get(*stock)[0], &c.get(*sold)[0]);
            anything |= stock.get() > 0.0;
            base = base.saturating_add((stock.get() * *price as f64).round() as i64);
            sold.set(sold.get() + stock.get());
            stock.set(0.0);
        }
        if anything {
            let parts = self.payment(base, c);
            for purse in [self.coins, self.issued] {
                let purse = &c.get(purse)[0];
                purse.set(self.add(purse.get(), parts));
            }
            c.emit(self.event, i, parts / self.parts_of_a_coin);
        }
    }

    fn has_effect(&self, _: usize, _: CallArguments<'_>, reader: &Reader<'_>) -> bool {
        let position = reader.get(self.position);
        let here = self.places.on.frame.cell(usize::from(position[0]), usize::from(position[1])) as i32;
        let goods = || self.stocks.iter().any(|stock| reader.get(*stock)[0] > 0.0);
        reader.get(self.cell).contains(&here) && goods()
    }
}
