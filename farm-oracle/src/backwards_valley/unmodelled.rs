//! Rules that the planner does not support.

use farm_core::Game;
use farm_core::config::Problem;
use farm_core::declare::Quantity;
use farm_core::serde_yaml::Value;

use super::Reading;
use super::reading::MAX_WEIGHT;
use crate::ending::reject_other_stops;
use crate::parameters::{AllParameters, Parameters};
use crate::unmodelled::reject_common;

/// The kinds of parts that the planner supports.
const KINDS: [&str; 5] = ["TileMap", "StagedTiles", "GridFarmer", "MeterScore", "EventScore"];

/// All of a game's rules for which no proof is possible.
pub(crate) fn reject(game: &Game, reading: &Reading) -> Vec<Problem> {
    let all = AllParameters::of(game);
    let mut problems = reject_common(game, &all, &KINDS, reading.all_calls());
    for part in all.iter() {
        match part.kind.as_str() {
            "MeterScore" => problems.extend(fractional_meters(part)),
            "EventScore" => problems.extend(odd_weights(part)),
            _ => {}
        }
    }
    // After everything is won, the end of the episode does not matter.
    let most = reading.highest_return(game);
    let total = total(game, &all);
    problems.extend(reject_other_stops(game, |condition| {
        let Quantity::Variable(index) = condition.variable().quantity() else { return None };
        (Some((condition.variable().part(), index)) == total).then_some((0.0, most - 1.0))
    }));
    problems
}

/// The variable of a MeterScore that holds the sum of its meters, as part and index.
fn total(game: &Game, all: &AllParameters) -> Option<(usize, usize)> {
    let score = all.iter().find(|part| part.kind == "MeterScore")?;
    let part = game.parts().len().checked_sub(1)?;
    let named = |name: &str| name.split('#').next() == Some(score.word("total"));
    Some((part, game.parts()[part].variables().iter().position(|variable| named(variable.name()))?))
}

/// Meters whose maximum is not an integer.
fn fractional_meters(score: &Parameters) -> impl Iterator<Item = Problem> {
    let maxima = score.entries("meters").filter_map(|(name, meter)| Some((name, meter.get("max#point")?.as_f64()?)));
    maxima.filter(|(_, max)| max.fract() != 0.0).map(|(name, _)| {
        *score.unmodelled("meters", name, "the planner counts in whole points", "an integer as `max#point`")
    })
}

/// Weights that are negative, too large or not integers.
fn odd_weights(score: &Parameters) -> impl Iterator<Item = Problem> {
    let is_whole = |weight: f64| weight.fract() == 0.0 && (0.0..=MAX_WEIGHT).contains(&weight);
    let odd = move |(_, weight): &(&str, &Value)| !weight.as_f64().is_some_and(is_whole);
    score.entries("weights#point").filter(odd).map(|(event, _)| {
        let expected = format!("an integer from 0 to {MAX_WEIGHT}");
        *score.unmodelled("weights#point", event, "the planner counts in whole points", &expected)
    })
}
