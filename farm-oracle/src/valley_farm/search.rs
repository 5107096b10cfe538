//! Branch and bound over visits, in order of time.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::bound::Bound;
use super::state::{Animal, MAX_BARNS, MAX_FIELDS, Place, Places, State, Worth};
use super::{Action, AnimalClock, Plan, World};
use crate::grid::FAR;

/// The maximum number of states of equal time in each successive search, until the plan is proven.
pub(super) const WIDTHS: [usize; 4] = [60, 600, 6000, 60_000];

/// A visit: gifts on the way, and an action at the place.
#[derive(Debug, Clone, Copy)]
struct Visit {
    to: usize,
    gifts: u8,
    action: Action,
}

/// A reached state.
#[derive(Debug, Clone, Copy)]
struct Label {
    state: State,
    value: i64,
    /// The upper bound on the total value of plans through this state.
    most: i64,
    visit: Visit,
    before: u32,
}

/// The best plan from successive searches, each with one of `widths` as the maximum number of states of equal time.
pub(super) fn plan(world: &World, widths: &[usize]) -> Plan<Action> {
    let places = Places::of(world);
    let worth = Worth::of(world);
    let all_fit = world.fields.len() <= MAX_FIELDS && world.barns.len() <= MAX_BARNS;
    let mut search =
        Search { world, places: &places, worth, bound: Bound::of(world, &places, worth), best: Best::default() };
    let mut bound = i64::MAX;
    for width in widths {
        bound = bound.min(search.run(*width));
        if search.best.value >= bound {
            break;
        }
    }
    let points = |value: i64| value as f64 / worth.point as f64;
    if search.gifts() < world.inventory.gifts {
        // The bound counts the omitted gifts in full.
        let all = State { gifts: world.inventory.gifts, ..search.first() };
        bound = search.bound.most(&all, world.steps, 0);
    }
    let bound = if all_fit { points(bound) } else { f64::INFINITY };
    Plan { actions: search.actions(), value: points(search.best.value), bound }
}

/// A fast hash for states. It needs no protection against deliberate collisions.
#[derive(Debug, Default)]
struct Mixer(u64);

impl Hasher for Mixer {
    fn write(&mut self, bytes: &[u8]) {
        for part in bytes.chunks(8) {
            let word = part.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
            self.write_u64(word);
        }
    }

    fn write_u32(&mut self, word: u32) {
        self.write_u64(u64::from(word));
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    }

    fn finish(&self) -> u64 {
        // The table uses the low bits, which a multiplication mixes least.
        self.0 ^ self.0 >> 32
    }
}

type Quick = BuildHasherDefault<Mixer>;

/// The best plan so far: its visits, and the gifts given after the last visit.
#[derive(Debug, Default)]
struct Best {
    value: i64,
    visits: Vec<Visit>,
    last_gifts: u8,
}

struct Search<'a> {
    world: &'a World,
    places: &'a Places,
    worth: Worth,
    bound: Bound,
    best: Best,
}

impl Search<'_> {
    /// The number of gifts that count in full for every villager.
    fn gifts(&self) -> u8 {
        let rules = &self.world.rules;
        let room = self.world.villagers.iter().map(|v| (rules.most_relationship - v.relationship).max(0)).min();
        let full = room.unwrap_or(0) / rules.gift_increment.max(1);
        full.min(i64::from(self.world.inventory.gifts)) as u8
    }

    fn first(&self) -> State {
        let inventory = &self.world.inventory;
        let mut fields = [0; MAX_FIELDS];
        for (stage, field) in fields.iter_mut().zip(&self.world.fields) {
            *stage = field.stage;
        }
        let mut animals = [Animal::default(); MAX_BARNS];
        for (animal, barn) in animals.iter_mut().zip(&self.world.barns) {
            *animal = Animal { sated: barn.sated, ticks: barn.ticks, stock: barn.stock };
        }
        State {
            place: self.places.start() as u8,
            is_waiting: false,
            has_sold: false,
            seeds: inventory.seeds,
            water: inventory.water,
            feed: inventory.feed,
            gifts: self.gifts(),
            crops: inventory.crops,
            products: inventory.products,
            fields,
            animals,
        }
    }

    /// Follows the most promising states of each time, at most `width`, and returns an upper bound on all plans.
    fn run(&mut self, width: usize) -> i64 {
        let steps = self.world.steps as usize;
        let state = self.first();
        let start = Visit { to: self.places.start(), gifts: 0, action: Action::Wait };
        let most = self.bound.most(&state, self.world.steps, 0);
        let mut labels = vec![Label { state, value: 0, most, visit: start, before: u32::MAX }];
        let mut at_time: Vec<Vec<u32>> = vec![Vec::new(); steps + 1];
        at_time[0].push(0);
        let mut seen: HashMap<State, i64, Quick> = HashMap::default();
        let mut missed = 0;
        let mut next = Vec::new();
        for time in 0..=steps {
            let mut here = std::mem::take(&mut at_time[time]);
            here.sort_unstable_by_key(|i| {
                let label = &labels[*i as usize];
                (std::cmp::Reverse(label.most), std::cmp::Reverse(label.value), *i)
            });
            let mut kept = 0;
            for index in here {
                let label = labels[index as usize];
                if label.most <= self.best.value && time > 0 {
                    break;
                }
                // States in `seen` were reached at the same time or earlier.
                if seen.get(&label.state).is_some_and(|value| *value >= label.value) {
                    continue;
                }
                if kept == width {
                    missed = missed.max(label.most);
                    break;
                }
                kept += 1;
                seen.insert(label.state, label.value);
                self.finish(&labels, index, (steps - time) as u32);
                next.clear();
                self.expand(&label, (steps - time) as u32, &mut next);
                for (taken, visit, state, value) in next.drain(..) {
                    if seen.get(&state).is_some_and(|seen| *seen >= value) {
                        continue;
                    }
                    let left = (steps - time) as u32 - taken;
                    let most = value + self.bound.most(&state, left, self.best.value - value);
                    if most > self.best.value {
                        at_time[time + taken as usize].push(labels.len() as u32);
                        labels.push(Label { state, value, most, visit, before: index });
                    }
                }
            }
        }
        missed.max(self.best.value)
    }

    /// Ends the plan here, with the gifts that the agent can still give.
    fn finish(&mut self, labels: &[Label], index: u32, steps: u32) {
        let label = &labels[index as usize];
        let (moves, _) = self.places.to_gift[usize::from(label.state.place)];
        let room = steps.saturating_sub(moves.min(steps)) as u8;
        let gifts = if moves == FAR { 0 } else { label.state.gifts.min(room) };
        let value = label.value + i64::from(gifts) * self.worth.gift;
        if value > self.best.value {
            let mut visits = Vec::new();
            let mut at = label;
            while at.before != u32::MAX {
                visits.push(at.visit);
                at = &labels[at.before as usize];
            }
            visits.reverse();
            self.best = Best { value, visits, last_gifts: gifts };
        }
    }

    /// All possible next visits: the steps of each, the state after it, and the value.
    fn expand(&self, label: &Label, steps: u32, next: &mut Vec<(u32, Visit, State, i64)>) {
        let from = usize::from(label.state.place);
        for to in 0..self.places.start() {
            if label.state.is_waiting && to != from {
                continue;
            }
            let gifts = if label.state.is_waiting { 0 } else { label.state.gifts };
            for gifts in 0..=gifts {
                let moves = match gifts {
                    0 => self.places.between[from][to],
                    _ => self.places.past_gift[from][to].0,
                };
                let before = moves.saturating_add(u32::from(gifts));
                if before >= steps {
                    continue;
                }
                let mut state = label.state;
                state.place = to as u8;
                state.gifts -= gifts;
                for animal in &mut state.animals {
                    animal.pass(&self.world.rules, before);
                }
                let value = label.value + i64::from(gifts) * self.worth.gift;
                self.act(state, value, |action, state, value| {
                    next.push((before + 1, Visit { to, gifts, action }, self.canonical(state), value));
                });
            }
        }
    }

    /// The useful actions at a place, each one step long: the state after it, and the value.
    fn act(&self, state: State, value: i64, mut take: impl FnMut(Action, State, i64)) {
        let rules = &self.world.rules;
        let mut after = state;
        after.is_waiting = false;
        let place = self.places.all[usize::from(state.place)].0;
        let others = |after: &mut State, barn: usize| {
            let all = after.animals.iter_mut().enumerate();
            all.filter(|(i, _)| *i != barn).for_each(|(_, animal)| animal.pass(rules, 1));
        };
        match place {
            Place::Field(field) => {
                others(&mut after, MAX_BARNS);
                match state.fields[field] {
                    0 => {
                        let planned: u8 =
                            state.fields.iter().filter(|stage| **stage > 0).map(|stage| rules.waterings(*stage)).sum();
                        if state.seeds > 0 && state.water >= planned + rules.waterings(0) {
                            after.seeds -= 1;
                            after.fields[field] = 1;
                            take(Action::PlantSeed, after, value);
                        }
                    }
                    stage @ 1..3 if state.water > 0 => {
                        after.water -= 1;
                        after.fields[field] = stage.saturating_add(rules.stages_per_watering).min(3);
                        take(Action::WaterCrop, after, value);
                    }
                    3 => {
                        after.crops = after.crops.saturating_add(1);
                        after.fields[field] = 0;
                        take(Action::HarvestCrop, after, value + self.worth.goods[0]);
                    }
                    _ => {}
                }
            }
            Place::Barn(barn) => {
                others(&mut after, barn);
                let mut animal = state.animals[barn];
                let found = animal.collect(rules);
                if found > 0 {
                    let mut after = after;
                    after.animals[barn] = animal;
                    after.products = after.products.saturating_add(found);
                    take(Action::CollectProduct, after, value + i64::from(found) * self.worth.goods[1]);
                }
                let mut animal = state.animals[barn];
                if state.feed > 0 && animal.feed(rules) {
                    let mut after = after;
                    after.animals[barn] = animal;
                    after.feed -= 1;
                    take(Action::FeedAnimal, after, value);
                }
                let mut animal = state.animals[barn];
                // Feeding later can also be better, because the animal is then sated when the agent returns.
                if animal.sated > 0 || state.feed > 0 {
                    animal.pass(rules, 1);
                    let mut after = after;
                    after.animals[barn] = animal;
                    after.is_waiting = true;
                    take(Action::Wait, after, value);
                }
            }
            Place::Market if !state.has_sold && (state.crops > 0 || state.products > 0) => {
                others(&mut after, MAX_BARNS);
                let given = i64::from(self.gifts() - state.gifts);
                let sale = self.worth.sale(i64::from(state.crops), i64::from(state.products), given);
                (after.crops, after.products, after.has_sold) = (0, 0, true);
                take(Action::SellAtMarket, after, value + sale);
            }
            _ => {}
        }
    }

    /// The state without irrelevant differences.
    fn canonical(&self, mut state: State) -> State {
        if state.feed == 0 && self.world.rules.clock == AnimalClock::Ticks {
            for animal in state.animals.iter_mut().filter(|animal| animal.sated == 0) {
                *animal = Animal::default();
            }
        }
        state
    }

    /// The plan, step by step.
    fn actions(&self) -> Vec<Action> {
        let mut actions = Vec::new();
        let grid = &self.world.grid;
        let mut at = self.places.start();
        let walk = |actions: &mut Vec<Action>, from: usize, tile: usize| {
            let way = grid.way(&self.places.distances[from], tile);
            actions.extend(way.into_iter().map(|direction| Action::MOVES[direction]));
        };
        for visit in &self.best.visits {
            let tile = self.places.all[visit.to].1;
            if visit.gifts == 0 {
                walk(&mut actions, at, tile);
            } else {
                let (_, gift_tile) = self.places.past_gift[at][visit.to];
                walk(&mut actions, at, gift_tile);
                actions.extend(std::iter::repeat_n(Action::GiveGift, usize::from(visit.gifts)));
                let way = grid.way(&grid.distances(gift_tile), tile);
                actions.extend(way.into_iter().map(|direction| Action::MOVES[direction]));
            }
            actions.push(visit.action);
            at = visit.to;
        }
        if self.best.last_gifts > 0 {
            walk(&mut actions, at, self.places.to_gift[at].1);
            actions.extend(std::iter::repeat_n(Action::GiveGift, usize::from(self.best.last_gifts)));
        }
        actions.resize(self.world.steps as usize, Action::Wait);
        actions
    }
}
