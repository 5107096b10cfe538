//! The best plan for Valley Farm.
//!
//! A plan is a sequence of visits: to a field, a barn or the market, with gifts given on the way. `search` follows all
//! sequences in the order of time, keeps the best way to each state, and leaves out what cannot come to more than the best
//! plan found so far (branch and bound); `bound` says what a state can still come to.
//!
//! What makes the visits few:
//!
//! * Every gift is worth the same, whoever gets it; so gifts are given wherever the way to the next visit passes a villager.
//! * Waiting helps only in a barn, before feeding or collecting there.
//! * One sale, of everything, is enough: goods sold earlier would have fetched no less at the last sale.
//! * Nothing is planted that there is no water for.
//!
//! Money is counted in whole numbers: a point is a million parts for each villager, so that the mean of their
//! relationships, in thousandths, divides without a remainder.
//!
//! Source: Valley Farm, sections "Actions", "Reward", "Oracle".

mod bound;
mod play;
mod reading;
mod search;
mod state;
mod unmodelled;

pub use reading::{Reading, Site};
pub(super) use unmodelled::reject;

use crate::{Plan, grid::Grid};

/// From where a gift reaches a villager.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum GiftReach {
    /// From its tile and the four beside it.
    #[default]
    Diamond,
    /// From the eight tiles around it.
    Ring,
}

/// How the clock of an animal runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AnimalClock {
    /// Fed in a step, it is sated in the ten that follow, each of which ticks before the action. Every fifth tick
    /// deposits a product, and collecting, which only a sated animal allows, sets the ticks to 0. Feeding restarts the ten.
    #[default]
    Ticks,
    /// Fed, it is sated for ten steps, that of the feeding among them; at the end of each but the last it ticks. The fifth tick of
    /// a feeding deposits the only product of it; collecting is always allowed, feeding only a hungry animal.
    Countdown,
}

/// The rules that differ between variants of the game, and its numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rules {
    /// From where a gift reaches a villager.
    pub gift_reach: GiftReach,
    /// How the clock of an animal runs.
    pub clock: AnimalClock,
    /// Whether a sale pays whole coins only.
    pub truncated_coins: bool,
    /// What a gift adds to a relationship, in thousandths.
    pub gift_increment: i64,
    /// Where relationships end, in thousandths.
    pub most_relationship: i64,
    /// Steps for which an animal is sated.
    pub sated_steps: u8,
    /// Ticks for a product.
    pub product_ticks: u8,
    /// Base price of a crop and of a product, in coins.
    pub prices: [i64; 2],
    /// Reward of a crop and of a product, in thousandths.
    pub goods_rewards: [i64; 2],
    /// Reward of a point of relationship, in thousandths.
    pub relationship_reward: i64,
    /// Reward of a coin, in thousandths.
    pub coin_reward: i64,
    /// Stages of three that a watering leads a crop on; at least 1.
    pub stages_per_watering: u8,
    /// The mean relationship that doubles prices, in points; a divisor of 1000.
    pub doubling_relationship: i64,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            gift_reach: GiftReach::Diamond,
            clock: AnimalClock::Ticks,
            truncated_coins: false,
            gift_increment: 4000,
            most_relationship: 100_000,
            sated_steps: 10,
            product_ticks: 5,
            prices: [1, 2],
            goods_rewards: [100, 200],
            relationship_reward: 500,
            coin_reward: 100,
            stages_per_watering: 1,
            doubling_relationship: 100,
        }
    }
}

impl Rules {
    /// The waterings that a crop in a stage, as [`Field`] has it, needs until it is mature; those of a new one for a field without.
    pub(crate) fn waterings(&self, stage: u8) -> u8 {
        let missing = if stage == 0 { 2 } else { 3_u8.saturating_sub(stage) };
        missing.div_ceil(self.stages_per_watering.max(1))
    }

    /// The rules of environment 18 of the AutoEnv-36 benchmark.
    pub fn autoenv() -> Self {
        Self {
            gift_reach: GiftReach::Ring,
            clock: AnimalClock::Countdown,
            truncated_coins: true,
            gift_increment: 5000,
            ..Self::default()
        }
    }
}

/// A field and what grows on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    /// Its tile.
    pub tile: usize,
    /// 0 empty, 1 seedling, 2 growing, 3 mature.
    pub stage: u8,
}

/// A barn and its animal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Barn {
    /// Its tile.
    pub tile: usize,
    /// The coming steps in which it is sated.
    pub sated: u8,
    /// Ticks since the last product or collection; under the peer's clock those since the feeding, up to the one that deposits.
    pub ticks: u8,
    /// Products in stock.
    pub stock: u8,
}

/// A villager.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Villager {
    /// Where it lives.
    pub tile: usize,
    /// How it feels about the agent, in thousandths.
    pub relationship: i64,
}

/// What the agent carries, counted by what it is good for: seeds by the plantings that there are enough for, and so are water, feed and gifts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Inventory {
    /// Seeds.
    pub seeds: u8,
    /// Units of water.
    pub water: u8,
    /// Units of feed.
    pub feed: u8,
    /// Gifts.
    pub gifts: u8,
    /// Harvested crops.
    pub crops: u8,
    /// Collected products.
    pub products: u8,
}

impl Default for Inventory {
    fn default() -> Self {
        Self { seeds: 5, water: 5, feed: 3, gifts: 3, crops: 0, products: 0 }
    }
}

/// The facts of a world.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct World {
    /// The map with its obstacles.
    pub grid: Grid,
    /// Where the agent stands.
    pub agent: usize,
    /// Fields; the first eight count.
    pub fields: Vec<Field>,
    /// Barns; the first four count.
    pub barns: Vec<Barn>,
    /// Villagers.
    pub villagers: Vec<Villager>,
    /// The market.
    pub market: usize,
    /// What the agent carries.
    pub inventory: Inventory,
    /// Steps that remain.
    pub steps: u32,
    /// The rules.
    pub rules: Rules,
}

/// What the agent does in a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    /// A move to the north.
    MoveNorth,
    /// A move to the east.
    MoveEast,
    /// A move to the south.
    MoveSouth,
    /// A move to the west.
    MoveWest,
    /// Puts a seed into the soil underfoot.
    PlantSeed,
    /// Waters the plant underfoot.
    WaterCrop,
    /// Harvests the plant underfoot.
    HarvestCrop,
    /// Feeds the animal of the barn.
    FeedAnimal,
    /// Collects the products of the barn.
    CollectProduct,
    /// Gives a gift to a villager nearby.
    GiveGift,
    /// Sells all crops and products.
    SellAtMarket,
    /// Nothing.
    Wait,
}

impl Action {
    /// The moves by direction.
    pub const MOVES: [Self; 4] = [Self::MoveNorth, Self::MoveEast, Self::MoveSouth, Self::MoveWest];

    /// Its name in the game.
    pub fn name(self) -> &'static str {
        match self {
            Self::MoveNorth => "MoveNorth",
            Self::MoveEast => "MoveEast",
            Self::MoveSouth => "MoveSouth",
            Self::MoveWest => "MoveWest",
            Self::PlantSeed => "PlantSeed",
            Self::WaterCrop => "WaterCrop",
            Self::HarvestCrop => "HarvestCrop",
            Self::FeedAnimal => "FeedAnimal",
            Self::CollectProduct => "CollectProduct",
            Self::GiveGift => "GiveGift",
            Self::SellAtMarket => "SellAtMarket",
            Self::Wait => "Wait",
        }
    }
}

impl World {
    /// The best plan found, and what no plan exceeds: the same number, unless the search grew too large or some villager
    /// has no room for all gifts. Of a world with more fields or barns than count, the bound is infinite.
    pub fn plan(&self) -> Plan<Action> {
        search::plan(self, &search::WIDTHS)
    }

    /// A good plan, made quickly: of the states of equal time, only so many are followed.
    pub fn quick_plan(&self, states: usize) -> Plan<Action> {
        search::plan(self, &[states])
    }

    /// Lets a step pass in which the agent does something: it moves, and the clocks of the animals run, of the one that is
    /// fed or collected from as that makes them. Fields, villagers and the inventory stay as they are.
    pub fn pass(&mut self, action: Action) {
        let here = self.agent;
        for barn in &mut self.barns {
            let is_tended = barn.tile == here
                && match action {
                    Action::FeedAnimal => self.inventory.feed > 0 && barn.feed(&self.rules),
                    Action::CollectProduct => barn.collect(&self.rules) > 0,
                    _ => false,
                };
            if !is_tended {
                barn.pass(&self.rules, 1);
            }
        }
        let direction = Action::MOVES.iter().position(|moves| *moves == action);
        self.agent = direction.and_then(|direction| self.grid.open_ahead(here, direction)).unwrap_or(here);
        self.steps = self.steps.saturating_sub(1);
    }
}
