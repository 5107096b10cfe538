//! Rules that the planner does not support.

use farm_core::Game;
use farm_core::config::Problem;
use farm_core::serde_yaml::Value;

use super::Reading;
use super::reading::ITEMS;
use crate::ending::reject_other_stops;
use crate::parameters::{AllParameters, Parameters, unmodelled};
use crate::unmodelled::reject_common;

/// The kinds of parts that the planner supports.
const KINDS: [&str; 7] =
    ["TileMap", "CropTiles", "AnimalTiles", "NeighbourTiles", "MarketTiles", "GridFarmer", "EventScore"];

/// With at least this number of parts per point, rounding stays below the tolerance of the proof.
const FINE_PARTS: f64 = 1e9;

/// All of a game's rules for which no proof is possible.
pub(crate) fn reject(game: &Game, reading: &Reading) -> Vec<Problem> {
    let all = AllParameters::of(game);
    let mut problems = reject_common(game, &all, &KINDS, reading.all_calls());
    let mut known: Vec<&str> = Vec::new();
    for part in all.iter() {
        for (_, key) in ITEMS.iter().filter(|(kind, _)| *kind == part.kind) {
            let value = part.word(key);
            if known.contains(&value) {
                let reason = "the planner needs a separate item for each purpose";
                problems.push(*unmodelled(part.path.child(*key), value, reason, "a separate item"));
            }
            known.push(value);
        }
        match part.kind.as_str() {
            "MarketTiles" => problems.extend(several_markets(part)),
            "GridFarmer" => problems.extend(odd_amounts(part)),
            "EventScore" => problems.extend(odd_weights(part, reading)),
            _ => {}
        }
    }
    problems.extend(reject_other_stops(game, |_| None));
    problems
}

fn several_markets(market: &Parameters) -> Option<Problem> {
    let placed = market.get("placed").as_sequence().map_or(0, Vec::len);
    let (key, count) = match placed {
        0 => ("count#nb", market.get("count#nb").as_u64().unwrap_or_default() as usize),
        placed => ("placed", placed),
    };
    let reason = "the planner supports exactly one market";
    (count != 1).then(|| *unmodelled(market.path.child(key), count, reason, "1"))
}

/// Amounts that are not integers, or are too large.
fn odd_amounts(farmer: &Parameters) -> impl Iterator<Item = Problem> {
    let is_counted = |amount: f64| amount.fract() == 0.0 && amount <= 255.0;
    let odd = move |(item, amount): &(&str, &Value)| *item != "coins" && !amount.as_f64().is_some_and(is_counted);
    farmer.entries("inventory#nb").filter(odd).map(|(item, _)| {
        *farmer.unmodelled("inventory#nb", item, "the planner counts in whole amounts", "an integer up to 255")
    })
}

/// Negative weights, and rewards rounded so coarsely that the order of plans could change.
fn odd_weights(score: &Parameters, reading: &Reading) -> Vec<Problem> {
    let negative =
        score.entries("weights#point").filter(|(_, weight)| weight.as_f64().is_none_or(|weight| weight < 0.0));
    let mut problems: Vec<Problem> = negative
        .map(|(event, _)| {
            *score.unmodelled(
                "weights#point",
                event,
                "the planner supports no negative weights",
                "a number of 0 or more",
            )
        })
        .collect();
    let parts = score.get("parts_of_a_point#nb").as_f64().unwrap_or_default();
    let rules = reading.rules();
    let (_, villagers) = reading.counts();
    // The smallest rewarded amounts: a crop, a product, a thousandth of a relationship, and a thousandth of a coin for each villager.
    let coins = if rules.truncated_coins { 1.0 } else { 1e5 * villagers.max(1) as f64 };
    let amounts =
        [rules.goods_rewards[0] as f64, rules.goods_rewards[1] as f64, rules.relationship_reward as f64 / 1e3];
    let smallest = amounts.into_iter().chain([rules.coin_reward as f64 / coins]).map(|amount| amount / 1e3 * parts);
    if parts < FINE_PARTS && smallest.into_iter().any(|amount| (amount - amount.round()).abs() > 1e-6) {
        let reason = "rewards are rounded, but the planner counts them exactly";
        let path = score.path.child("parts_of_a_point#nb");
        problems.push(*unmodelled(path, parts, reason, "3000000000, as in valley_farm"));
    }
    problems
}
