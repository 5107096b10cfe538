//! The best plan for Valley Farm.
//!
//! A plan is a sequence of visits: to a field, a barn or the market, with gifts on the way. `search` follows all sequences in order of time
//! and keeps the best path to each state. It drops states that cannot earn more than the best plan so far (branch and bound). `bound`
//! computes the maximum that a state can still earn.
//!
//! Four facts keep the number of visits small:
//!
//! * All villagers value a gift equally, so the farmer gives gifts whenever its path to the next visit passes a villager.
//! * Waiting helps only in a barn, before feeding or collecting there.
//! * One sale of all goods is enough: goods from an earlier sale would pay at least as much in the last sale.
//! * The farmer plants only seeds for which it has water.
//!
//! All values are integers: a point has a million parts for each villager, so that the mean of the relationships, in
//! thousandths, divides without a remainder.
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

/// The tiles from which a gift reaches a villager.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum GiftReach {
    /// From its tile and the four beside it.
    #[default]
    Diamond,
    /// From the eight tiles around it.
    Ring,
}

/// The clock of an animal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AnimalClock {
    /// A fed animal is sated for the next ten steps, and each of these steps ticks before the action. Every fifth tick deposits a product.
    /// Products can be collected only from a sated animal, which resets the ticks to 0. Feeding restarts the ten steps.
    #[default]
    Ticks,
    /// A fed animal is sated for ten steps, including the step in which it is fed. Each of these steps except the last ticks at its end.
    /// The fifth tick after a feeding deposits the animal's only product. Collecting is always allowed; feeding is allowed only if the
    /// animal is hungry.
    Countdown,
}

/// The game's numbers, and the rules that differ between its variants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rules {
    /// The tiles from which a gift reaches a villager.
    pub gift_reach: GiftReach,
    /// The clock of animals.
    pub clock: AnimalClock,
    /// Whether a sale pays whole coins only.
    pub truncated_coins: bool,
    /// The increase in a relationship from a gift, in thousandths.
    pub gift_increment: i64,
    /// The maximum relationship, in thousandths.
    pub most_relationship: i64,
    /// Steps for which an animal is sated.
    pub sated_steps: u8,
    /// Ticks per product.
    pub product_ticks: u8,
    /// Base price of a crop and of a product, in coins.
    pub prices: [i64; 2],
    /// Reward for a crop and for a product, in thousandths.
    pub goods_rewards: [i64; 2],
    /// Reward for a point of relationship, in thousandths.
    pub relationship_reward: i64,
    /// Reward for a coin, in thousandths.
    pub coin_reward: i64,
    /// The number of stages, out of three, that a watering advances a crop; at least 1.
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
    /// The number of waterings until a crop in a stage of [`Field`] is mature; for an empty field, the waterings for a new crop.
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

/// A field and its crop.
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
    /// The number of coming steps in which the animal is sated.
    pub sated: u8,
    /// Ticks since the last product or collection; for [`AnimalClock::Countdown`], ticks since the feeding, up to the depositing tick.
    pub ticks: u8,
    /// Products in stock.
    pub stock: u8,
}

/// A villager.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Villager {
    /// Its tile.
    pub tile: usize,
    /// Its relationship with the agent, in thousandths.
    pub relationship: i64,
}

/// The items that the agent carries. Seeds, water, feed and gifts are counted in uses: seeds as the number of possible plantings.
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

/// The facts about a world.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct World {
    /// The map with its obstacles.
    pub grid: Grid,
    /// The agent's tile.
    pub agent: usize,
    /// Fields; the planner uses the first eight.
    pub fields: Vec<Field>,
    /// Barns; the planner uses the first four.
    pub barns: Vec<Barn>,
    /// Villagers.
    pub villagers: Vec<Villager>,
    /// The market.
    pub market: usize,
    /// The items that the agent carries.
    pub inventory: Inventory,
    /// The remaining steps.
    pub steps: u32,
    /// The rules.
    pub rules: Rules,
}

/// The agent's action in a step.
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
    /// Plants a seed on the agent's tile.
    PlantSeed,
    /// Waters the plant on the agent's tile.
    WaterCrop,
    /// Harvests the plant on the agent's tile.
    HarvestCrop,
    /// Feeds the animal of the barn.
    FeedAnimal,
    /// Collects the products of the barn.
    CollectProduct,
    /// Gives a gift to a villager nearby.
    GiveGift,
    /// Sells all crops and products.
    SellAtMarket,
    /// Lets one step pass.
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
    /// The best plan that the search finds, and its bound.
    ///
    /// The bound equals the value, unless the search became too large or a villager has no room for all gifts. For a world with more than
    /// eight fields or four barns, the bound is infinite.
    pub fn plan(&self) -> Plan<Action> {
        search::plan(self, &search::WIDTHS)
    }

    /// A good plan in a short time: the search follows at most `states` states of equal time.
    pub fn quick_plan(&self, states: usize) -> Plan<Action> {
        search::plan(self, &[states])
    }

    /// Lets a step pass with an action: the agent moves, and the animals' clocks run, including the effect of feeding or collecting.
    /// Fields, villagers and the inventory stay unchanged.
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
