//! The maximum that a state can still earn.
//!
//! For every combination of gifts, crops, products and a sale, the bound counts the minimum steps. These are the actions, the shortest path
//! past the needed places (a villager, a field, a number of barns, the market last), and the animals' ticks. The best combination that fits
//! in the remaining steps is the bound. The bound is valid if no count is too large, so every count errs on the small side.

use super::state::{Animal, MAX_BARNS, Place, Places, State, Worth};
use super::{AnimalClock, Rules, World};
use crate::grid::FAR;

/// A number of steps that no episode reaches.
const NEVER: u32 = FAR / 4;

/// The places that a path must pass, as bits: a villager for a gift, a field, the market; the higher bits are one for each barn.
const GIFT: usize = 1;
const FIELD: usize = 2;
const MARKET: usize = 4;
const BARNS: usize = 3;

/// The minimum moves of paths past the needed places.
#[derive(Debug)]
struct Ways {
    /// Indexed by place, by the needs without barns (3 bits), and by the number of barns.
    least: Vec<[[u32; MAX_BARNS + 1]; 8]>,
}

impl Ways {
    /// Paths on which the market comes after fields and barns, or at any point.
    fn of(places: &Places, market_last: bool) -> Self {
        let n = places.all.len();
        let barns = places.all.iter().filter(|(place, _)| matches!(place, Place::Barn(_))).count();
        let masks = 1 << (BARNS + barns);
        let need = |place: usize| match places.all[place].0 {
            Place::Field(_) => FIELD,
            Place::Barn(barn) => 1 << (BARNS + barn),
            Place::Market => MARKET,
            Place::Start => 0,
        };
        let need_at: Vec<usize> = (0..n).map(need).collect();
        // The minimum moves from a place, by the places that are still needed; smaller sets first.
        let mut moves = vec![vec![NEVER; n]; masks];
        for needs in 0..masks {
            for from in 0..n {
                let mut least = match needs {
                    0 => 0,
                    GIFT => places.to_gift[from].0.min(NEVER),
                    _ => NEVER,
                };
                for (to, need) in need_at.iter().copied().enumerate() {
                    let blocked = market_last && need == MARKET && needs & !(GIFT | MARKET) != 0;
                    if need & needs == 0 || blocked {
                        continue;
                    }
                    let rest = needs & !need;
                    least = least.min(places.between[from][to].saturating_add(moves[rest][to]));
                    if needs & GIFT != 0 {
                        least = least.min(places.past_gift[from][to].0.saturating_add(moves[rest & !GIFT][to]));
                    }
                }
                moves[needs][from] = least.min(NEVER);
            }
        }
        let mut least = vec![[[NEVER; MAX_BARNS + 1]; 8]; n];
        for (needs, moves) in moves.iter().enumerate() {
            let count = (needs >> BARNS).count_ones() as usize;
            for (place, moves) in moves.iter().enumerate() {
                let slot = &mut least[place][needs & 7][count];
                *slot = (*slot).min(*moves);
            }
        }
        Self { least }
    }
}

/// The bounds for a world.
#[derive(Debug)]
pub(super) struct Bound {
    worth: Worth,
    rules: Rules,
    gifts: u8,
    market_last: Ways,
    market_anywhere: Ways,
    barns: usize,
    /// Moves from the nearest barn to the market.
    barn_to_market: u32,
    /// Moves from each place to the nearest barn.
    to_barn: Vec<u32>,
}

impl Bound {
    pub(super) fn of(world: &World, places: &Places, worth: Worth) -> Self {
        let is_barn = |place: &usize| matches!(places.all[*place].0, Place::Barn(_));
        let barns: Vec<usize> = (0..places.all.len()).filter(is_barn).collect();
        let rules = &world.rules;
        let market = places.start() - 1;
        let to_barn = places.between.iter().map(|from| barns.iter().map(|barn| from[*barn]).fold(NEVER, u32::min));
        Self {
            worth,
            rules: rules.clone(),
            gifts: world.inventory.gifts,
            market_last: Ways::of(places, true),
            market_anywhere: Ways::of(places, false),
            barns: barns.len(),
            barn_to_market: barns.iter().map(|barn| places.between[*barn][market]).fold(NEVER, u32::min),
            to_barn: to_barn.collect(),
        }
    }

    /// The animals' supplies: products that need no further feed, products that one more feed makes accessible again,
    /// and the largest number of ticks left over in a barn.
    fn products(&self, animals: &[Animal]) -> (i64, i64, i64) {
        let (mut free, mut shut, mut ticks) = (0, 0, 0);
        for animal in animals {
            let mut later = *animal;
            later.pass(&self.rules, u32::from(animal.sated));
            let open = animal.sated > 0 || self.rules.clock == AnimalClock::Countdown;
            *(if open { &mut free } else { &mut shut }) += i64::from(later.stock);
            ticks = ticks.max(i64::from(later.ticks));
        }
        (free, shut, ticks)
    }

    /// The minimum actions to harvest 0, 1, 2, … crops, and the maximum number of crops.
    fn crop_actions(&self, state: &State) -> ([u32; 16], usize) {
        let mut actions = [0; 16];
        let (mut water, mut seeds, mut n) = (state.water, state.seeds, 0);
        for stage in [3, 2, 1] {
            let waters = self.rules.waterings(stage);
            let cost = 1 + u32::from(waters);
            for _ in state.fields.iter().filter(|found| **found == stage) {
                if waters <= water && n < 15 {
                    actions[n + 1] = actions[n] + cost;
                    (water, n) = (water - waters, n + 1);
                }
            }
        }
        let waters = self.rules.waterings(0);
        while water >= waters && seeds > 0 && n < 15 {
            actions[n + 1] = actions[n] + 2 + u32::from(waters);
            (water, seeds, n) = (water - waters, seeds - 1, n + 1);
        }
        (actions, n)
    }

    /// The maximum that can be earned in `steps` steps; `floor` if the maximum is not above it.
    pub(super) fn most(&self, state: &State, steps: u32, floor: i64) -> i64 {
        let animals = &state.animals[..self.barns];
        let (free, shut, ticks) = self.products(animals);
        let (crop_actions, most_crops) = self.crop_actions(state);
        let feed = i64::from(state.feed);
        let most_products = free + if feed > 0 { shut + self.brought(feed, animals.len()) } else { 0 };
        let given = i64::from(self.gifts - state.gifts);
        let held = [i64::from(state.crops), i64::from(state.products)];
        let from = usize::from(state.place);
        let needs = |gifts: i64, crops: usize| usize::from(gifts > 0) * GIFT + usize::from(crops > 0) * FIELD;
        let mut best = floor.max(0);
        'products: for products in (0..=most_products).rev() {
            let task = Task { from, steps, products, free, shut, ticks, feed };
            // The steps for products depend on whether there are gifts and crops, not on their numbers.
            let mut least = [[None; GIFT + FIELD + 1]; Selling::COUNT];
            let mut fits = |selling: Selling, needs: usize, actions: u32| {
                let least = least[selling as usize][needs].get_or_insert_with(|| self.least(&task, needs, selling));
                *least + actions <= steps
            };
            'gifts: for gifts in (0..=i64::from(state.gifts)).rev() {
                let sale = |crops: i64, products: i64| match state.has_sold {
                    true => 0,
                    false => self.worth.sale(held[0] + crops, held[1] + products, given + gifts),
                };
                for crops in (0..=most_crops).rev() {
                    let new = [crops as i64, products];
                    let plain = gifts * self.worth.gift + new[0] * self.worth.goods[0] + new[1] * self.worth.goods[1];
                    let all_sold = sale(new[0], new[1]);
                    if plain + all_sold <= best {
                        // Fewer crops are worth less. So are fewer gifts and fewer products if all other goods are at their maximum.
                        match (self.worth.is_rising && crops == most_crops, gifts == i64::from(state.gifts)) {
                            (true, true) => break 'products,
                            (true, false) => break 'gifts,
                            (false, _) => break,
                        }
                    }
                    let (needs, actions) = (needs(gifts, crops), gifts as u32 + crop_actions[crops]);
                    if all_sold > 0 && fits(Selling::Last, needs, actions) {
                        best = plain + all_sold;
                        continue;
                    }
                    // Goods after the sale are not sold: the plan misses at least the cheapest of them.
                    let one_missed = [new[0] > 0, new[1] > 0].into_iter().enumerate().filter(|(_, has)| *has);
                    let one_missed =
                        one_missed.map(|(i, _)| sale(new[0] - i64::from(i == 0), new[1] - i64::from(i == 1)));
                    let one_missed = one_missed.max().unwrap_or(0);
                    if one_missed > 0 && plain + one_missed > best && fits(Selling::Anywhere, needs, actions) {
                        best = plain + one_missed;
                    } else if plain > best && fits(Selling::Never, needs, actions) {
                        best = plain;
                    }
                }
            }
        }
        best
    }

    /// The minimum steps of a task without the actions for gifts and crops, over all numbers of feeds and barns.
    ///
    /// [`NEVER`] if no numbers fit in its steps.
    fn least(&self, task: &Task, needs: usize, selling: Selling) -> u32 {
        let sells = u32::from(selling != Selling::Never);
        let ways = if selling == Selling::Last { &self.market_last } else { &self.market_anywhere };
        let moves = &ways.least[task.from];
        let needs = needs + sells as usize * MARKET;
        if task.products == 0 {
            return moves[needs][0] + sells;
        }
        // If the sale is last, the farmer must still walk from the barn of the last product to the market.
        let to_market = if selling == Selling::Last { self.barn_to_market + 1 } else { 0 };
        let mut least = NEVER;
        for feeds in 0..=task.feed {
            let unlocked = if feeds > 0 { task.shut } else { 0 };
            let spare = task.free + unlocked + self.brought(feeds, self.barns) - task.products;
            if spare < 0 {
                continue;
            }
            if feeds == 0 {
                least = least.min(moves[needs][1] + 1);
                continue;
            }
            let in_barns = |barns: usize| {
                let busiest = (feeds as u32).div_ceil(barns as u32);
                let ripe = self.ripening(i64::from(busiest), spare + self.uncertain(barns), task.ticks);
                let by_clock = match busiest {
                    // The farmer feeds in the last barn after the path through all barns.
                    1 => moves[0][barns] + feeds as u32 + ripe,
                    _ => self.to_barn[task.from] + 1 + ripe,
                };
                // The farmer collects in each barn in which it feeds, unless its products can be spared.
                let collects = (barns as i64 - spare).max(1) as u32;
                (by_clock + to_market <= task.steps).then(|| moves[needs][barns] + feeds as u32 + collects)
            };
            least = (1..=self.barns.min(feeds as usize)).filter_map(in_barns).fold(least, u32::min);
        }
        least + sells
    }

    /// Ticks per feed, and ticks per product.
    fn ticks(&self) -> (i64, i64) {
        (i64::from(self.rules.sated_steps), i64::from(self.rules.product_ticks.max(1)))
    }

    /// Whether ticks left over from one feed count for the next feed.
    fn has_rest(&self) -> bool {
        let (feed, product) = self.ticks();
        self.rules.clock == AnimalClock::Ticks && feed % product != 0
    }

    /// The maximum number of products from `feeds` feeds, in addition to the products without feeds.
    fn brought(&self, feeds: i64, barns: usize) -> i64 {
        let (feed, product) = self.ticks();
        match self.rules.clock {
            AnimalClock::Countdown => feeds,
            // Ticks left over from before may complete a product in each barn.
            AnimalClock::Ticks if self.has_rest() => feeds * feed / product + barns as i64,
            AnimalClock::Ticks => feeds * (feed / product),
        }
    }

    /// The number of products by which [`Bound::brought`] may be too large for this number of barns.
    fn uncertain(&self, barns: usize) -> i64 {
        if self.has_rest() { (self.barns + barns) as i64 } else { 0 }
    }

    /// The minimum steps from the first of `feeds` feeds in a barn to the last of their products, if `spare` products can be spared.
    fn ripening(&self, feeds: i64, spare: i64, ticks: i64) -> u32 {
        let (feed, product) = self.ticks();
        let steps = match self.rules.clock {
            AnimalClock::Ticks => (feeds * feed / product - spare) * product - ticks,
            AnimalClock::Countdown => (feeds - spare - 1) * feed + product,
        };
        steps.max(0) as u32
    }
}

/// The time of the sale, if there is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Selling {
    /// After fields and barns.
    Last,
    /// At any point on the path, because some goods are not sold.
    Anywhere,
    Never,
}

impl Selling {
    const COUNT: usize = 3;
}

/// A number of products to earn within a number of steps, in addition to gifts and crops.
#[derive(Debug)]
struct Task {
    from: usize,
    steps: u32,
    products: i64,
    /// Products that need no feed, and products that one feed makes accessible.
    free: i64,
    shut: i64,
    /// Ticks left over in a barn.
    ticks: i64,
    /// The available feed.
    feed: i64,
}
