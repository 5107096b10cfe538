//! The rules of Valley Farm that a player considers possible, and the update after each observation.
//!
//! Every quantity has a list of possible values, starting with the simplest. An observation removes the values that contradict it. The
//! first payment of a reward reveals its value. If no value fits, the list stays unchanged, so a player with a wrong prior keeps playing.

use farm_oracle::valley_farm::{AnimalClock, Barn, GiftReach, Rules};

use crate::families::ValleyPrior;

/// The possible values before the first observation.
#[derive(Debug, Clone)]
pub(super) struct Prior {
    /// The possible amounts that planting, watering, feeding and giving use up.
    pub taken: [Vec<u32>; 4],
    /// The possible numbers of stages that a watering advances a crop.
    pub stages_per_watering: Vec<u32>,
    /// The possible numbers of steps for which animals are sated, each with the ticks per product.
    pub animals: Vec<[u32; 2]>,
    /// The increase in a relationship from a gift, in points.
    pub gift_increment: f64,
    /// The values of a crop, a product, a point of friendship and a coin, in points.
    pub worth: [f64; 4],
    /// The base price of goods, in coins.
    pub price: f64,
    /// The relationship that doubles prices, in points.
    pub doubling: f64,
}

impl Prior {
    /// The prior of a player that knows words but no rules: a range of usual values, and one point for each prize and each coin.
    pub(super) fn of_words() -> Self {
        let few: Vec<u32> = (1..=5).collect();
        let animals = (2..=12).flat_map(|sated| (1..=sated).map(move |ticks| [sated, ticks])).collect();
        Self {
            taken: std::array::from_fn(|_| few.clone()),
            stages_per_watering: vec![1, 2, 3],
            animals,
            gift_increment: 5.0,
            worth: [1.0, 1.0, 0.2, 1.0],
            price: 1.0,
            doubling: 100.0,
        }
    }

    /// The prior of a player that knows the distribution of the family's members.
    pub(super) fn of_family() -> Self {
        Self {
            taken: ValleyPrior::taken(),
            stages_per_watering: ValleyPrior::stages_per_watering(),
            animals: ValleyPrior::animals(),
            gift_increment: ValleyPrior::gift_increment(),
            worth: ValleyPrior::worth(),
            price: ValleyPrior::price(),
            doubling: ValleyPrior::doubling(),
        }
    }
}

/// A possible clock of animals.
#[derive(Debug, Clone)]
struct AnimalLaw {
    rules: Rules,
    /// The states of the known barns under this clock.
    barns: Vec<Barn>,
}

/// The knowledge about the rules.
#[derive(Debug, Clone)]
pub(super) struct Laws {
    prior: Prior,
    taken: [Vec<u32>; 4],
    stages_per_watering: Vec<u32>,
    reach: Vec<GiftReach>,
    animals: Vec<AnimalLaw>,
    /// The values of a crop and of a product, if known.
    goods: [Option<f64>; 2],
    /// The value of a gift, if known.
    gift: Option<f64>,
    /// A coin's value as a multiple of its value in the prior.
    coins: f64,
}

/// Removes the values that do not fit, unless none would be left.
fn keep<T>(values: &mut Vec<T>, fits: impl Fn(&T) -> bool) {
    if values.iter().any(&fits) {
        values.retain(fits);
    }
}

/// A number in thousandths.
fn parts(number: f64) -> i64 {
    (1000.0 * number).round() as i64
}

impl Laws {
    /// The knowledge before the first observation.
    pub(super) fn new(prior: Prior) -> Self {
        let clocks = [AnimalClock::Ticks, AnimalClock::Countdown];
        let with = |clock: AnimalClock| {
            prior.animals.iter().map(move |[sated, ticks]| Rules {
                clock,
                sated_steps: *sated as u8,
                product_ticks: *ticks as u8,
                ..Rules::default()
            })
        };
        let animals = clocks.into_iter().flat_map(with).map(|rules| AnimalLaw { rules, barns: Vec::new() }).collect();
        Self {
            taken: prior.taken.clone(),
            stages_per_watering: prior.stages_per_watering.clone(),
            reach: vec![GiftReach::Diamond, GiftReach::Ring],
            animals,
            goods: [None; 2],
            gift: None,
            coins: 1.0,
            prior,
        }
    }

    /// Starts another farm with the same rules: forgets its barns.
    pub(super) fn forget_barns(&mut self) {
        self.animals.iter_mut().for_each(|law| law.barns.clear());
    }

    /// The simplest possible amounts for planting, watering, feeding and giving, then 1 for a crop and 1 for a product.
    pub(super) fn taken(&self) -> [f64; 6] {
        let taken =
            |i: usize| self.taken.get(i).and_then(|values| values.first()).map_or(1.0, |taken| f64::from(*taken));
        std::array::from_fn(taken)
    }

    /// The rules to plan with.
    pub(super) fn rules(&self) -> Rules {
        let Prior { worth, gift_increment, price, doubling, .. } = &self.prior;
        let goods = |i: usize| parts(self.goods[i].unwrap_or(worth[i]));
        // The planner needs integer prices. Only their product with the value of a coin counts.
        let scale = 100.0;
        let clock = &self.animal_law().rules;
        // The nearest number that divides 1000.
        let whole = [20_i64, 25, 40, 50, 100, 125, 200, 250];
        let doubling = whole.into_iter().min_by_key(|whole| (whole - *doubling as i64).abs()).unwrap_or(100);
        Rules {
            gift_reach: self.reach.first().copied().unwrap_or_default(),
            clock: clock.clock,
            truncated_coins: false,
            gift_increment: parts(*gift_increment),
            most_relationship: 100_000,
            sated_steps: clock.sated_steps,
            product_ticks: clock.product_ticks,
            prices: [(price * scale).round() as i64; 2],
            goods_rewards: [goods(0), goods(1)],
            relationship_reward: parts(self.gift.map_or(worth[2], |gift| gift / gift_increment)),
            // At least 0.001, so that the plan includes sales.
            coin_reward: parts(worth[3] * self.coins / scale).max(1),
            stages_per_watering: self.stages_per_watering.first().map_or(1, |stages| *stages as u8),
            doubling_relationship: doubling,
        }
    }

    /// The clock for the plan: the possible clock that is nearest to the mean of all possible ones.
    fn animal_law(&self) -> &AnimalLaw {
        let n = self.animals.len() as f64;
        let mean = |number: &dyn Fn(&Rules) -> u8| {
            self.animals.iter().map(|law| f64::from(number(&law.rules))).sum::<f64>() / n
        };
        let (sated, ticks) = (mean(&|rules| rules.sated_steps), mean(&|rules| rules.product_ticks));
        let ticking = self.animals.iter().filter(|law| law.rules.clock == AnimalClock::Ticks).count();
        let clock = if 2 * ticking >= self.animals.len() { AnimalClock::Ticks } else { AnimalClock::Countdown };
        let apart = |law: &&AnimalLaw| {
            let off =
                (f64::from(law.rules.sated_steps) - sated).abs() + (f64::from(law.rules.product_ticks) - ticks).abs();
            off + if law.rules.clock == clock { 0.0 } else { 1e3 }
        };
        let nearest = self.animals.iter().min_by(|one, other| apart(one).total_cmp(&apart(other)));
        // There is always one, because no observation removes the last one.
        nearest.unwrap_or(&self.animals[0])
    }

    /// The barns under the clock for the plan.
    pub(super) fn barns(&self) -> &[Barn] {
        &self.animal_law().barns
    }

    /// Adds a barn. Its animal counts as hungry, because it was never fed.
    pub(super) fn find_barn(&mut self, tile: usize) {
        for law in &mut self.animals {
            law.barns.push(Barn { tile, sated: 0, ticks: 0, stock: 0 });
        }
    }

    /// Learns the amount that planting, watering, feeding or giving used up.
    pub(super) fn took(&mut self, what: usize, amount: u32) {
        keep(&mut self.taken[what], |taken| *taken == amount);
    }

    /// Learns that an action needs more than this amount. Returns whether that removes a possible value.
    pub(super) fn takes_more(&mut self, what: usize, amount: u32) -> bool {
        let before = self.taken[what].len();
        keep(&mut self.taken[what], |taken| *taken > amount);
        self.taken[what].len() < before
    }

    /// Learns from a watering that advanced a crop.
    pub(super) fn led_on(&mut self, from: u8, to: u8) {
        let stages = u32::from(to.saturating_sub(from));
        keep(&mut self.stages_per_watering, |led| if to < 3 { *led == stages } else { *led >= stages });
    }

    /// Learns the reach of gifts from an attempt to give one, which succeeded or not. Returns whether that removes a possible reach.
    pub(super) fn reached(&mut self, was_given: bool, reaches: impl Fn(GiftReach) -> bool) -> bool {
        let before = self.reach.len();
        keep(&mut self.reach, |reach| reaches(*reach) == was_given);
        self.reach.len() < before
    }

    /// Learns the value of a crop or a product.
    pub(super) fn goods_paid(&mut self, which: usize, each: f64) {
        self.goods[which] = Some(each);
    }

    /// Learns the value of a gift.
    pub(super) fn gift_paid(&mut self, paid: f64) {
        self.gift = Some(self.gift.map_or(paid, |known| known.max(paid)));
    }

    /// Learns the value of coins from a sale and its expected reward.
    pub(super) fn sale_paid(&mut self, paid: f64, expected: f64) {
        if expected > 0.0 {
            self.coins *= paid / expected;
        }
    }

    /// Learns from a step: from the work in a barn and its result, and from the current status of the animal on the farmer's tile.
    pub(super) fn animals_lived(&mut self, done: Option<(usize, Tended)>, shown: Option<(usize, bool)>) {
        let mut lived = self.animals.clone();
        let mut fits = Vec::with_capacity(lived.len());
        for law in &mut lived {
            let AnimalLaw { rules, barns } = law;
            let mut does_fit = true;
            for barn in barns {
                match done.filter(|(tile, _)| *tile == barn.tile) {
                    Some((_, Tended::Fed(is_fed))) => {
                        let mut fed = *barn;
                        if fed.feed(rules) == is_fed && is_fed {
                            *barn = fed;
                        } else {
                            // The animal was not fed, or it was fed although this clock does not allow it.
                            does_fit &= !is_fed;
                            barn.pass(rules, 1);
                        }
                    }
                    Some((_, Tended::Collected(found))) => {
                        let collected = barn.collect(rules);
                        does_fit &= u32::from(collected) == found;
                        if collected == 0 {
                            barn.pass(rules, 1);
                        }
                    }
                    None => barn.pass(rules, 1),
                }
                if let Some((_, is_sated)) = shown.filter(|(tile, _)| *tile == barn.tile) {
                    does_fit &= (barn.sated > 0) == is_sated;
                    barn.sated = if is_sated { barn.sated.max(1) } else { 0 };
                }
            }
            fits.push(does_fit);
        }
        let any_fits = fits.contains(&true);
        self.animals = lived.into_iter().zip(fits).filter(|(_, fits)| *fits || !any_fits).map(|(law, _)| law).collect();
        if !any_fits {
            // If no clock explains the observation, an empty barn counts as empty.
            let empty = done.filter(|(_, tended)| *tended == Tended::Collected(0)).map(|(tile, _)| tile);
            let barns = self.animals.iter_mut().flat_map(|law| &mut law.barns);
            barns.filter(|barn| Some(barn.tile) == empty).for_each(|barn| (barn.stock, barn.ticks) = (0, 0));
        }
    }

    /// Learns that a sated animal cannot be fed.
    pub(super) fn refuses_when_sated(&mut self) {
        keep(&mut self.animals, |law| law.rules.clock == AnimalClock::Countdown);
    }
}

/// The work in a barn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tended {
    /// An attempt to feed the animal, and whether it succeeded.
    Fed(bool),
    /// An attempt to collect products, and the number of collected products.
    Collected(u32),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_seen_leaves_what_would_have_shown_it() {
        let mut laws = Laws::new(Prior::of_family());
        assert_eq!(laws.taken()[..4], [1.0; 4]);
        // One unit of water was not enough, so that it takes two.
        assert!(laws.takes_more(1, 1));
        assert_eq!(laws.taken()[1], 2.0);
        assert!(!laws.takes_more(1, 5), "nothing is left that takes more");
        laws.led_on(1, 3);
        assert_eq!(laws.rules().stages_per_watering, 2);
        assert!(laws.reached(false, |reach| reach == GiftReach::Diamond));
        assert_eq!(laws.rules().gift_reach, GiftReach::Ring);
        laws.goods_paid(0, 0.6);
        laws.gift_paid(0.8);
        let rules = laws.rules();
        assert_eq!(rules.goods_rewards[0], 600);
        assert_eq!((rules.relationship_reward * rules.gift_increment) as f64 / 1e6, 0.8);
    }

    /// An animal is observed in every step and deposits a product after the fourth tick. It fits only one clock that the family draws.
    #[test]
    fn a_clock_is_found_by_trying() {
        let mut laws = Laws::new(Prior::of_family());
        laws.find_barn(3);
        let truth = Rules { sated_steps: 8, product_ticks: 4, ..Rules::default() };
        let mut barn = Barn { tile: 3, sated: 0, ticks: 0, stock: 0 };
        assert!(barn.feed(&truth));
        laws.animals_lived(Some((3, Tended::Fed(true))), Some((3, true)));
        assert_eq!(laws.animals.len(), 6);
        for _ in 0..4 {
            let mut tried = barn;
            let found = tried.collect(&truth);
            if found == 0 {
                barn.pass(&truth, 1);
            } else {
                barn = tried;
            }
            laws.animals_lived(Some((3, Tended::Collected(u32::from(found)))), Some((3, barn.sated > 0)));
        }
        let left: Vec<_> = laws.animals.iter().map(|law| law.rules.product_ticks).collect();
        assert_eq!(left, [4, 4], "three tries found nothing, the fourth one did, under either clock");
        // Seven steps after the feeding it is sated still; under the other clock the eighth step, counted from the feeding, was the last.
        for _ in 0..3 {
            barn.pass(&truth, 1);
            laws.animals_lived(None, Some((3, barn.sated > 0)));
        }
        assert_eq!(laws.animals.len(), 1);
        assert_eq!(laws.rules().clock, AnimalClock::Ticks);
        assert_eq!(laws.barns()[0].sated, barn.sated);
    }
}
