//! All rules that the families can draw, with their probabilities: the prior of a player that knows the family but not the member.
//!
//! The probabilities are those of the draws, kind by kind and clause by clause. They ignore two facts: members without a gain are
//! rejected, and some members belong to the test split.

use farm_oracle::backwards_valley::{Effect, Untended};

use super::backwards::{self, KINDS, Nature, VerbEffect};
use super::valley;

/// Possible rules for one kind of thing, without its base values.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct KindHypothesis {
    /// How its things change without care.
    pub untended: Untended,
    /// The number of steps until they change.
    pub every: u32,
    /// The effects of its two verbs; none for a verb without effect.
    pub effects: [Option<Effect>; 2],
    /// The stage that each word names, in the usual order of words.
    pub ranks: Vec<u8>,
    /// The probability of these rules.
    pub chance: f64,
}

fn effect(effect: VerbEffect) -> Option<Effect> {
    Some(match effect {
        VerbEffect::First => Effect::First,
        VerbEffect::Down => Effect::Down,
        VerbEffect::Up => Effect::Up,
        VerbEffect::Last => Effect::Last,
        VerbEffect::Nothing => return None,
    })
}

/// All orders of the numbers from 0 to `things` − 1.
fn orders(things: u8) -> Vec<Vec<u8>> {
    (0..things).fold(vec![Vec::new()], |shorter, thing| {
        let longer = |order: &Vec<u8>| {
            let order = order.clone();
            (0..=order.len()).map(move |at| {
                let mut order = order.clone();
                order.insert(at, thing);
                order
            })
        };
        shorter.iter().flat_map(longer).collect()
    })
}

impl KindHypothesis {
    /// The number of stages for the kind with this index; none if the family has no such kind.
    pub(crate) fn stages(rank: usize) -> Option<usize> {
        KINDS.get(rank).map(|kind| kind.stages.len())
    }

    /// All possible rules for a kind; their probabilities add up to 1.
    pub(crate) fn all(rank: usize) -> Vec<Self> {
        let words = Self::stages(rank).unwrap_or_default() as u8;
        let orders = orders(words);
        let usual: Vec<u8> = (0..words).collect();
        let reversed: Vec<u8> = (0..words).rev().collect();
        let chance_of = |order: &Vec<u8>| {
            let drawn = 0.25 / orders.len() as f64;
            drawn + if *order == usual { 0.5 } else { 0.0 } + if *order == reversed { 0.25 } else { 0.0 }
        };
        let mut pairs: Vec<(Nature, u32, [Option<Effect>; 2], f64)> = Vec::new();
        for nature in Nature::ALL {
            let paces = backwards::paces(nature, rank);
            let [one, other] = backwards::effects(nature);
            let of_nature = 1.0 / (Nature::ALL.len() * paces.len() * one.len() * other.len() * 2) as f64;
            for every in paces {
                for pair in one.iter().flat_map(|one| other.iter().map(move |other| [*one, *other])) {
                    for pair in [pair, [pair[1], pair[0]]] {
                        pairs.push((nature, *every, pair.map(effect), of_nature));
                    }
                }
            }
        }
        let mut all: Vec<Self> = Vec::new();
        for (i, (nature, every, effects, chance)) in pairs.iter().enumerate() {
            let is_same = |other: &&(Nature, u32, [Option<Effect>; 2], f64)| {
                (other.0, other.1, other.2) == (*nature, *every, *effects)
            };
            // Some pairs are drawn in two ways.
            if pairs[..i].iter().any(|other| is_same(&other)) {
                continue;
            }
            let ways = pairs.iter().filter(is_same).count() as f64;
            all.extend(orders.iter().map(|ranks| Self {
                untended: backwards::untended(*nature, rank),
                every: *every,
                effects: *effects,
                ranks: ranks.clone(),
                chance: ways * chance * chance_of(ranks),
            }));
        }
        all
    }
}

/// The values from which the clauses of `valley_farm` are drawn.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ValleyPrior;

fn mean(values: &[u32]) -> f64 {
    f64::from(values.iter().sum::<u32>()) / values.len() as f64
}

impl ValleyPrior {
    /// The possible amounts that planting, watering, feeding and giving use up.
    pub(crate) fn taken() -> [Vec<u32>; 4] {
        let mut other = valley::TAKEN.to_vec();
        other.dedup();
        [vec![1], other.clone(), other.clone(), other]
    }

    /// The possible numbers of stages that a watering advances a crop.
    pub(crate) fn stages_per_watering() -> Vec<u32> {
        valley::STAGES_PER_WATERING.to_vec()
    }

    /// The possible numbers of steps for which animals are sated, each with the ticks per product.
    pub(crate) fn animals() -> Vec<[u32; 2]> {
        valley::ANIMALS.to_vec()
    }

    /// The mean increase in a relationship from a gift, in points.
    pub(crate) fn gift_increment() -> f64 {
        mean(&valley::GIFT_INCREMENTS)
    }

    /// The mean values of a crop, a product, a point of friendship and a coin, in points.
    pub(crate) fn worth() -> [f64; 4] {
        valley::WORTH.map(|values| mean(values) / 100.0)
    }

    /// The mean base price, in coins.
    pub(crate) fn price() -> f64 {
        mean(&valley::PRICES)
    }

    /// The relationship that doubles prices, in points. The mean is harmonic, because prices rise with the inverse of this relationship.
    pub(crate) fn doubling() -> f64 {
        let rises = valley::DOUBLINGS.map(|doubling| 1.0 / f64::from(doubling));
        rises.len() as f64 / rises.iter().sum::<f64>()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use farm_core::Stream;

    use super::super::BackwardsLaws;
    use super::*;

    #[test]
    fn what_is_drawn_is_what_is_reckoned_with() {
        let all: Vec<Vec<KindHypothesis>> = (0..3).map(KindHypothesis::all).collect();
        for of_kind in &all {
            let sum: f64 = of_kind.iter().map(|hypothesis| hypothesis.chance).sum();
            assert!((sum - 1.0).abs() < 1e-9, "{sum}");
        }
        // Draws of the villagers' rules, each found among the hypotheses, about as often as its chance says.
        let mut stream = Stream::from_seed(1);
        let draws = 20_000;
        let mut found = BTreeMap::new();
        for _ in 0..draws {
            let laws = BackwardsLaws::draw(&mut stream);
            for (rank, (kind, facts)) in laws.kinds.iter().zip(&KINDS).enumerate() {
                let ranks: Vec<u8> = facts
                    .stages
                    .iter()
                    .map(|word| kind.stages.iter().position(|stage| stage == word).unwrap() as u8)
                    .collect();
                let same = |hypothesis: &KindHypothesis| {
                    hypothesis.untended == backwards::untended(kind.nature, rank)
                        && (hypothesis.every == kind.every || kind.nature == Nature::Tended)
                        && hypothesis.effects == kind.effects.map(effect)
                        && hypothesis.ranks == ranks
                };
                let known = all[rank].iter().position(same).expect("a hypothesis for each draw");
                if rank == 2 && ranks == [0, 1, 2] {
                    *found.entry(known).or_insert(0_u32) += 1;
                }
            }
        }
        for (known, count) in found {
            let expected = all[2][known].chance * f64::from(draws);
            assert!((f64::from(count) - expected).abs() < 6.0 * expected.sqrt() + 1.0, "{count} instead of {expected}");
        }
    }
}
