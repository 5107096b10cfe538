//! Derives the rules from the parameters of a game's parts, in the variants that the planner supports.

use farm_core::config::{Path, Problem};
use farm_core::serde_yaml::Value;

use super::super::{AnimalClock, GiftReach, Rules};
use crate::PlanError;
use crate::parameters::{AllParameters, NO_PLAN, Parameters};

/// A rejection that is not about a particular parameter.
pub(super) fn unsuitable(reason: impl std::fmt::Display) -> Box<Problem> {
    let problem = Problem::new(PlanError::NoPlan, Path::default(), format!("{NO_PLAN}: {reason}"));
    Box::new(problem.help("this planner supports maps with fields, barns, neighbours and a market, as in valley_farm"))
}

/// The tiles from which a gift reaches a villager.
fn gift_reach(neighbours: &Parameters) -> Result<GiftReach, Box<Problem>> {
    let offsets = neighbours.get("reach").as_sequence().into_iter().flatten();
    let offset = |offset: &Value| Some((offset["dx"].as_i64()?, offset["dy"].as_i64()?));
    let mut reach: Vec<(i64, i64)> = offsets.filter_map(offset).collect();
    reach.sort_unstable();
    let around = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy)));
    let (diamond, ring): (Vec<_>, Vec<_>) =
        (around.clone().filter(|(dx, dy)| dx * dy == 0).collect(), around.filter(|at| *at != (0, 0)).collect());
    match reach {
        reach if reach == diamond => Ok(GiftReach::Diamond),
        reach if reach == ring => Ok(GiftReach::Ring),
        _ => {
            let expected = "the tile itself and the four next to it, or the eight around it, in any order";
            Err(neighbours.reject("reach", "the planner does not know this reach of gifts", expected))
        }
    }
}

/// The clock of an animal, which must match one of the two clocks in every respect.
fn clock(animals: &Parameters) -> Result<AnimalClock, Box<Problem>> {
    let is_countdown = animals.word("deposits") == "once_per_feeding";
    let (words, flags) = if is_countdown {
        ([("feeding_sated", "refused"), ("collecting", "always")], [true, false])
    } else {
        ([("feeding_sated", "restarts"), ("collecting", "while_sated")], [false, true])
    };
    let reason = format!("with `deposits: {}`, the planner supports only one animal clock", animals.word("deposits"));
    for (key, word) in words {
        if animals.word(key) != word {
            return Err(animals.reject(key, &reason, word));
        }
    }
    for (key, flag) in ["feeding_step_ticks", "collecting_resets"].into_iter().zip(flags) {
        if animals.get(key).as_bool() != Some(flag) {
            return Err(animals.reject(key, &reason, &flag.to_string()));
        }
    }
    Ok(if is_countdown { AnimalClock::Countdown } else { AnimalClock::Ticks })
}

/// The rules, in the variants that the planner supports.
pub(super) fn rules(all: &AllParameters) -> Result<Rules, Box<Problem>> {
    let [crops, animals] = [all.only("CropTiles")?, all.only("AnimalTiles")?];
    let [neighbours, market] = [all.only("NeighbourTiles")?, all.only("MarketTiles")?];
    let score = all.only("EventScore")?;
    crops.one("crops_per_harvest#nb")?;
    if crops.words("stages").len() != 3 {
        return Err(crops.reject("stages", "the planner supports only crops with three stages", "three names"));
    }
    animals.one("products_per_deposit#nb")?;
    let doubling = market.in_parts("doubling_relationship#point")? / 1000;
    if doubling < 1 || 1000 % doubling != 0 || market.number("doubling_relationship#point")?.fract() != 0.0 {
        let reason = "the planner can't count coins exactly with this doubling relationship";
        return Err(market.reject("doubling_relationship#point", reason, "an integer that divides 1000, such as 100"));
    }
    let (prices, weights) = ("prices#coin", "weights#point");
    Ok(Rules {
        gift_reach: gift_reach(neighbours)?,
        clock: clock(animals)?,
        truncated_coins: market.word("payment") == "truncated",
        gift_increment: neighbours.in_parts("gift_increment#point")?,
        most_relationship: neighbours.in_parts("max_relationship#point")?,
        sated_steps: animals.small("sated_steps#step")?,
        product_ticks: animals.small("ticks_per_deposit#nb")?,
        prices: [market.price(prices, crops.word("crop_item"))?, market.price(prices, animals.word("product_item"))?],
        goods_rewards: [score.parts_of(weights, crops.word("event"))?, score.parts_of(weights, animals.word("event"))?],
        relationship_reward: score.parts_of(weights, neighbours.word("event"))?,
        coin_reward: score.parts_of(weights, market.word("event"))?,
        stages_per_watering: crops.small("stages_per_watering#nb")?,
        doubling_relationship: doubling,
    })
}

/// The amount of each item that one use takes, in the order of the planner's items.
pub(super) fn taken(all: &AllParameters) -> Result<[f64; 6], Box<Problem>> {
    let [crops, animals, neighbours] = [all.only("CropTiles")?, all.only("AnimalTiles")?, all.only("NeighbourTiles")?];
    let at_least_one = |part: &Parameters, key: &str| match part.number(key)? {
        taken if taken >= 1.0 => Ok(taken),
        _ => Err(part.reject(key, "the planner supports only uses that take at least one item", "1 or more")),
    };
    Ok([
        at_least_one(crops, "seeds_per_planting#nb")?,
        at_least_one(crops, "water_per_watering#nb")?,
        at_least_one(animals, "feed_per_feeding#nb")?,
        at_least_one(neighbours, "gifts_per_giving#nb")?,
        1.0,
        1.0,
    ])
}
