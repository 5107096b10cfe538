//! The state of an episode, without irrelevant differences, and the paths between the places.

use std::hash::{Hash, Hasher};

use super::{AnimalClock, GiftReach, Rules, World};
use crate::grid::FAR;

/// The maximum number of fields, and of barns, in a state.
pub(super) const MAX_FIELDS: usize = 8;
pub(super) const MAX_BARNS: usize = 4;

/// The animal of a barn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Animal {
    pub sated: u8,
    pub ticks: u8,
    pub stock: u8,
}

impl Animal {
    /// Lets steps pass without an action here.
    pub(super) fn pass(&mut self, rules: &Rules, steps: u32) {
        let n = steps.min(u32::from(self.sated)) as u8;
        match rules.clock {
            AnimalClock::Ticks => {
                let (ticks, each) = (u16::from(self.ticks) + u16::from(n), u16::from(rules.product_ticks.max(1)));
                self.stock = self.stock.saturating_add((ticks / each) as u8);
                self.ticks = (ticks % each) as u8;
                self.sated -= n;
            }
            AnimalClock::Countdown => {
                // The step in which it gets hungry has no tick, and ticks after the product have no effect.
                let (before, counted) = (self.ticks, n.min(self.sated.saturating_sub(1)));
                self.ticks = before.saturating_add(counted).min(rules.product_ticks);
                let comes = before < rules.product_ticks && self.ticks == rules.product_ticks;
                self.stock = self.stock.saturating_add(u8::from(comes));
                self.sated -= n;
                if self.sated == 0 {
                    // The next feeding counts from 0, so the ticks of hungry animals do not matter.
                    self.ticks = 0;
                }
            }
        }
    }

    /// Feeds the animal, which takes a step. Returns false and changes nothing if feeding is not allowed.
    pub(super) fn feed(&mut self, rules: &Rules) -> bool {
        match rules.clock {
            AnimalClock::Ticks => {
                self.pass(rules, 1);
                self.sated = rules.sated_steps;
            }
            AnimalClock::Countdown if self.sated > 0 => return false,
            AnimalClock::Countdown => {
                (self.sated, self.ticks) = (rules.sated_steps, 0);
                self.pass(rules, 1);
            }
        }
        true
    }

    /// Collects its products, which takes a step, and returns their number. Returns 0 and changes nothing if there are none.
    pub(super) fn collect(&mut self, rules: &Rules) -> u8 {
        match rules.clock {
            AnimalClock::Ticks if self.sated == 0 => 0,
            AnimalClock::Ticks => {
                let mut after = *self;
                after.pass(rules, 1);
                let found = std::mem::take(&mut after.stock);
                if found > 0 {
                    after.ticks = 0;
                    *self = after;
                }
                found
            }
            AnimalClock::Countdown => {
                let found = std::mem::take(&mut self.stock);
                if found > 0 {
                    self.pass(rules, 1);
                }
                found
            }
        }
    }
}

/// A state of an episode, without the time and the rewards so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct State {
    /// The agent's place: an index in [`Places`].
    pub place: u8,
    /// Whether the agent is waiting in a barn to feed or collect there.
    pub is_waiting: bool,
    pub has_sold: bool,
    pub seeds: u8,
    pub water: u8,
    pub feed: u8,
    pub gifts: u8,
    pub crops: u8,
    pub products: u8,
    pub fields: [u8; MAX_FIELDS],
    pub animals: [Animal; MAX_BARNS],
}

impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        let flags = u8::from(self.is_waiting) + 2 * u8::from(self.has_sold);
        let carried = [self.place, flags, self.seeds, self.water, self.feed, self.gifts, self.crops, self.products];
        hasher.write_u64(u64::from_le_bytes(carried));
        hasher.write_u64(u64::from_le_bytes(self.fields));
        for animal in &self.animals {
            hasher.write_u32(u32::from_le_bytes([animal.sated, animal.ticks, animal.stock, 0]));
        }
    }
}

/// The kind of a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Field(usize),
    Barn(usize),
    Market,
    /// The agent's first place.
    Start,
}

/// The places in a world and the paths between them.
#[derive(Debug)]
pub(super) struct Places {
    pub all: Vec<(Place, usize)>,
    /// Moves from place to place.
    pub between: Vec<Vec<u32>>,
    /// Moves from place to place past a tile where the agent can give a gift, and that tile.
    pub past_gift: Vec<Vec<(u32, usize)>>,
    /// Moves from a place to the nearest such tile, and that tile.
    pub to_gift: Vec<(u32, usize)>,
    /// Moves from each place to every tile.
    pub distances: Vec<Vec<u32>>,
}

impl Places {
    pub(super) fn of(world: &World) -> Self {
        let fields = world.fields.iter().take(MAX_FIELDS).enumerate().map(|(i, f)| (Place::Field(i), f.tile));
        let barns = world.barns.iter().take(MAX_BARNS).enumerate().map(|(i, b)| (Place::Barn(i), b.tile));
        let rest = [(Place::Market, world.market), (Place::Start, world.agent)];
        let all: Vec<(Place, usize)> = fields.chain(barns).chain(rest).collect();
        let distances: Vec<Vec<u32>> = all.iter().map(|(_, tile)| world.grid.distances(*tile)).collect();
        let gift_tiles = gift_tiles(world);
        let between = distances.iter().map(|from| all.iter().map(|(_, tile)| from[*tile]).collect()).collect();
        // Between tiles that can be entered, paths are equally long in both directions.
        let past = |from: &Vec<u32>, to: &Vec<u32>| {
            let sums = gift_tiles.iter().map(|tile| (from[*tile].saturating_add(to[*tile]), *tile));
            sums.min().unwrap_or((FAR, 0))
        };
        let past_gift = distances.iter().map(|from| distances.iter().map(|to| past(from, to)).collect()).collect();
        let nearest = |from: &Vec<u32>| gift_tiles.iter().map(|tile| (from[*tile], *tile)).min().unwrap_or((FAR, 0));
        let to_gift = distances.iter().map(nearest).collect();
        Self { all, between, past_gift, to_gift, distances }
    }

    /// The index of the agent's first place.
    pub(super) fn start(&self) -> usize {
        self.all.len() - 1
    }
}

/// The tiles from which a gift reaches a villager.
fn gift_tiles(world: &World) -> Vec<usize> {
    let grid = &world.grid;
    let is_open = |tile: &usize| !grid.blocked[*tile] || *tile == world.agent;
    let tiles = (0..grid.length * grid.width).filter(is_open);
    tiles.filter(|tile| world.reaches_somebody(*tile)).collect()
}

impl World {
    /// Whether a gift from a tile reaches a villager on another tile.
    pub(super) fn reaches(&self, tile: usize, villager: usize) -> bool {
        let length = self.grid.length;
        let x = (tile % length).abs_diff(villager % length);
        let y = (tile / length).abs_diff(villager / length);
        match self.rules.gift_reach {
            GiftReach::Diamond => x + y <= 1,
            GiftReach::Ring => x.max(y) == 1,
        }
    }
}

/// The values of things, in parts of a point.
#[derive(Debug, Clone, Copy)]
pub(super) struct Worth {
    /// Parts of a point.
    pub point: i64,
    /// Rewards for a crop and for a product.
    pub goods: [i64; 2],
    /// Reward for a gift.
    pub gift: i64,
    /// The sum of relationships before any gift, plus the relationship that doubles prices for each villager, in thousandths.
    base: i64,
    increment: i64,
    prices: [i64; 2],
    coin_reward: i64,
    /// The relationship with a multiplier of 2, in points.
    doubling: i64,
    /// A multiplier of 1, in the units of `base`.
    whole: i64,
    is_truncated: bool,
    /// Whether more crops, products and gifts never earn less.
    pub is_rising: bool,
}

impl Worth {
    pub(super) fn of(world: &World) -> Self {
        let (rules, villagers) = (&world.rules, world.villagers.len().max(1) as i64);
        let whole = villagers * rules.doubling_relationship * 1000;
        let gifts = [rules.relationship_reward, rules.gift_increment, rules.coin_reward];
        Self {
            point: villagers * 1_000_000,
            goods: rules.goods_rewards.map(|reward| reward * villagers * 1000),
            gift: rules.relationship_reward * rules.gift_increment * villagers,
            base: whole + world.villagers.iter().map(|villager| villager.relationship).sum::<i64>(),
            increment: rules.gift_increment,
            prices: rules.prices,
            coin_reward: rules.coin_reward,
            doubling: rules.doubling_relationship,
            whole,
            is_truncated: rules.truncated_coins,
            is_rising: rules.goods_rewards.into_iter().chain(rules.prices).chain(gifts).all(|gain| gain >= 0),
        }
    }

    /// The reward for selling goods after some gifts.
    #[inline]
    pub(super) fn sale(&self, crops: i64, products: i64, gifts_given: i64) -> i64 {
        let goods = crops * self.prices[0] + products * self.prices[1];
        let mut coins = goods * (self.base + gifts_given * self.increment);
        if self.is_truncated {
            coins = coins / self.whole * self.whole;
        }
        // Thousandths of a relationship times thousandths of a reward, divided by the points of a multiplier.
        coins * self.coin_reward / self.doubling
    }
}
