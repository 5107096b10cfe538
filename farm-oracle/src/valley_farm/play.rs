//! Plays a world action by action, to compute the reward of a plan and the farm after it.

use super::state::{Animal, Worth};
use super::{Action, Barn, Inventory, Rules, World};

impl Inventory {
    /// The inventory in uses, from amounts in the order seeds, water, feed, gifts, crops, products, and the amount of each use.
    pub fn of(amounts: [f64; 6], taken: [f64; 6]) -> Self {
        let uses: [f64; 6] = std::array::from_fn(|i| (amounts[i] / taken[i]).floor());
        let [seeds, water, feed, gifts, crops, products] = uses.map(|amount| amount.clamp(0.0, 255.0) as u8);
        Self { seeds, water, feed, gifts, crops, products }
    }
}

impl Barn {
    fn animal(&self) -> Animal {
        Animal { sated: self.sated, ticks: self.ticks, stock: self.stock }
    }

    fn with(self, animal: Animal) -> Self {
        Self { sated: animal.sated, ticks: animal.ticks, stock: animal.stock, ..self }
    }

    /// Lets steps pass without an action here.
    pub fn pass(&mut self, rules: &Rules, steps: u32) {
        let mut animal = self.animal();
        animal.pass(rules, steps);
        *self = self.with(animal);
    }

    /// Feeds the animal for a step. Returns false and changes nothing if that is not allowed.
    pub fn feed(&mut self, rules: &Rules) -> bool {
        let mut animal = self.animal();
        let is_fed = animal.feed(rules);
        *self = self.with(animal);
        is_fed
    }

    /// Collects its products in a step and returns their number. Returns 0 and changes nothing if there are none.
    pub fn collect(&mut self, rules: &Rules) -> u8 {
        let mut animal = self.animal();
        let found = animal.collect(rules);
        *self = self.with(animal);
        found
    }
}

impl World {
    /// The reward for selling all carried goods at the current relationships.
    pub fn sale(&self) -> f64 {
        let worth = Worth::of(self);
        let (crops, products) = (i64::from(self.inventory.crops), i64::from(self.inventory.products));
        worth.sale(crops, products, 0) as f64 / worth.point as f64
    }

    /// Whether a gift from a tile reaches a villager.
    pub fn reaches_somebody(&self, tile: usize) -> bool {
        self.villagers.iter().any(|villager| self.reaches(tile, villager.tile))
    }

    /// Plays a step and returns its reward.
    ///
    /// An impossible action has no effect, but the step still passes. If several villagers are within reach, the first one gets the gift.
    /// The game may choose another one, but the reward is the same, unless a villager has no room for the gift.
    pub fn act(&mut self, action: Action) -> f64 {
        let worth = Worth::of(self);
        let paid = self.gain(action, &worth);
        self.pass(action);
        if paid.is_fed {
            self.inventory.feed -= 1;
        }
        paid.parts as f64 / worth.point as f64
    }

    /// Applies an action and returns its result, without the clocks and the farmer's move.
    fn gain(&mut self, action: Action, worth: &Worth) -> Gain {
        let here = self.agent;
        let waterings = self.rules.stages_per_watering;
        let field = self.fields.iter_mut().find(|field| field.tile == here);
        let carried = &mut self.inventory;
        let mut gain = Gain::default();
        match (action, field) {
            (Action::PlantSeed, Some(field)) if field.stage == 0 && carried.seeds > 0 => {
                carried.seeds -= 1;
                field.stage = 1;
            }
            (Action::WaterCrop, Some(field)) if (1..3).contains(&field.stage) && carried.water > 0 => {
                carried.water -= 1;
                field.stage = field.stage.saturating_add(waterings).min(3);
            }
            (Action::HarvestCrop, Some(field)) if field.stage == 3 => {
                carried.crops = carried.crops.saturating_add(1);
                field.stage = 0;
                gain.parts = worth.goods[0];
            }
            (Action::FeedAnimal, _) if carried.feed > 0 => {
                let barn = self.barns.iter().find(|barn| barn.tile == here).copied();
                gain.is_fed = barn.is_some_and(|mut barn| barn.feed(&self.rules));
            }
            (Action::CollectProduct, _) => {
                let barn = self.barns.iter().find(|barn| barn.tile == here).copied();
                let found = barn.map_or(0, |mut barn| barn.collect(&self.rules));
                carried.products = carried.products.saturating_add(found);
                gain.parts = i64::from(found) * worth.goods[1];
            }
            (Action::GiveGift, _) if carried.gifts > 0 => {
                if let Some(villager) = (0..self.villagers.len()).find(|i| self.reaches(here, self.villagers[*i].tile))
                {
                    self.inventory.gifts -= 1;
                    let relationship = &mut self.villagers[villager].relationship;
                    let room = (self.rules.most_relationship - *relationship).max(0);
                    let added = self.rules.gift_increment.min(room);
                    *relationship += added;
                    gain.parts = if added == self.rules.gift_increment {
                        worth.gift
                    } else {
                        worth.gift / self.rules.gift_increment.max(1) * added
                    };
                }
            }
            (Action::SellAtMarket, _) if here == self.market => {
                gain.parts = worth.sale(i64::from(carried.crops), i64::from(carried.products), 0);
                (carried.crops, carried.products) = (0, 0);
            }
            _ => {}
        }
        gain
    }
}

/// The result of an action.
#[derive(Debug, Clone, Copy, Default)]
struct Gain {
    /// Parts of a point.
    parts: i64,
    is_fed: bool,
}

#[cfg(test)]
mod tests {
    use farm_core::Stream;

    use super::super::{AnimalClock, Field, GiftReach, Villager};
    use super::*;
    use crate::grid::Grid;

    /// In random worlds of eight by eight tiles with random rules, each played plan pays the reward that the search counted by visits.
    #[test]
    fn plans_pay_when_played_what_the_search_counts() {
        let mut paid_worlds = 0;
        for seed in 0..60 {
            let mut stream = Stream::from_seed(seed);
            let mut free: Vec<usize> = (0..64).collect();
            let mut tile = |stream: &mut Stream| free.swap_remove(stream.index(free.len() as u32) as usize);
            let world = World {
                grid: Grid::open(8, 8),
                agent: tile(&mut stream),
                fields: (0..3).map(|_| Field { tile: tile(&mut stream), stage: 0 }).collect(),
                barns: (0..2).map(|_| Barn { tile: tile(&mut stream), sated: 0, ticks: 0, stock: 0 }).collect(),
                villagers: (0..3).map(|i| Villager { tile: tile(&mut stream), relationship: 10_000 * i }).collect(),
                market: tile(&mut stream),
                inventory: Inventory::default(),
                steps: 40,
                rules: Rules {
                    gift_reach: if stream.bernoulli(0.5) { GiftReach::Ring } else { GiftReach::Diamond },
                    clock: if stream.bernoulli(0.5) { AnimalClock::Countdown } else { AnimalClock::Ticks },
                    stages_per_watering: 1 + stream.index(2) as u8,
                    prices: [3, 4],
                    ..Rules::default()
                },
            };
            let plan = world.quick_plan(200);
            let mut played = world.clone();
            let paid: f64 = plan.actions.iter().map(|action| played.act(*action)).sum();
            assert!((paid - plan.value).abs() < 1e-9, "seed {seed}: {paid} instead of {}", plan.value);
            assert_eq!(played.steps, 0);
            paid_worlds += usize::from(paid > 5.0);
        }
        assert!(paid_worlds > 50, "{paid_worlds}");
    }
}
