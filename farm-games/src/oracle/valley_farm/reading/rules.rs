//! The parameters of a game's parts, and the rules that they make; what the planner does not know is refused where it stands.

use farm_core::Game;
use farm_core::config::{Path, Problem};
use farm_core::serde_yaml::{self, Value};

use super::super::{AnimalClock, GiftReach, Rules};

/// Parts of a point, of a coin and of a reward in which the planner counts.
const PARTS: f64 = 1000.0;

/// What every refusal begins with.
const NO_PLAN: &str = "no plan can be made for this game";

/// A number as a whole number of parts.
pub fn parts(number: f64) -> i64 {
    (number * PARTS).round() as i64
}

/// A refusal that concerns no parameter.
pub fn refusal(reason: impl std::fmt::Display) -> Box<Problem> {
    let problem = Problem::new(Path::default(), format!("{NO_PLAN}: {reason}"));
    Box::new(problem.help("this planner knows maps with fields, barns, neighbours and a market as in valley_farm"))
}

/// The parameters of a part, and where they stand.
#[derive(Debug)]
pub struct Parameters {
    kind: String,
    path: Path,
    values: Value,
}

/// The parameters of all parts of a game.
pub struct AllParameters(Vec<Parameters>);

impl AllParameters {
    pub fn of(game: &Game) -> Self {
        let root = Path::default();
        let entities = game.spec.fields.iter().flat_map(|(name, field)| {
            let path = root.child("fields").child(name).child("entities");
            field.entities.iter().enumerate().map(move |(i, part)| (path.child(i), serde_yaml::to_value(part)))
        });
        let farmers = game.spec.farmers.iter().enumerate();
        let farmers = farmers.map(|(i, part)| (root.child("farmers").child(i), serde_yaml::to_value(part)));
        let score = (root.child("score"), serde_yaml::to_value(&game.spec.score));
        let parts = entities.chain(farmers).chain([score]);
        let tagged = |(path, part): (Path, Result<Value, _>)| {
            let part = part.ok()?;
            let (kind, values) = part.as_mapping()?.iter().next()?;
            let kind = kind.as_str()?.to_owned();
            Some(Parameters { path: path.child(&kind), kind, values: values.clone() })
        };
        Self(parts.filter_map(tagged).collect())
    }

    /// The parameters of the only part of a kind.
    pub fn only(&self, kind: &str) -> Result<&Parameters, Box<Problem>> {
        let mut found = self.0.iter().filter(|parameters| parameters.kind == kind);
        match (found.next(), found.next()) {
            (Some(parameters), None) => Ok(parameters),
            _ => Err(refusal(format!("it has not exactly one `{kind}`"))),
        }
    }
}

impl Parameters {
    /// A parameter.
    pub fn get(&self, key: &str) -> &Value {
        &self.values[key]
    }

    /// A word; empty if it is none.
    pub fn word(&self, key: &str) -> &str {
        self.get(key).as_str().unwrap_or_default()
    }

    /// A list of words.
    pub fn words(&self, key: &str) -> Vec<&str> {
        self.get(key).as_sequence().into_iter().flatten().filter_map(Value::as_str).collect()
    }

    /// Refuses a parameter, at its place.
    pub fn refuse(&self, key: &str, reason: &str, expected: &str) -> Box<Problem> {
        self.refuse_at(self.path.child(key), self.get(key), reason, expected)
    }

    fn refuse_at(&self, path: Path, value: &Value, reason: &str, expected: &str) -> Box<Problem> {
        let value = serde_json::to_string(value).unwrap_or_default();
        let problem = Problem::new(path, format!("{NO_PLAN}: {reason}")).value(value).expected(expected);
        Box::new(
            problem.from_root().help("without the policies `oracle` and `informed` the game can be played as it is"),
        )
    }

    /// A number.
    pub fn number(&self, key: &str) -> Result<f64, Box<Problem>> {
        self.get(key).as_f64().ok_or_else(|| self.refuse(key, "this is no number", "a number"))
    }

    /// Refuses other costs and yields than one.
    pub fn one(&self, key: &str) -> Result<(), Box<Problem>> {
        match self.number(key)? {
            1.0 => Ok(()),
            _ => Err(self.refuse(key, "the planner counts costs and yields by one", "1")),
        }
    }

    /// A number of steps that the planner has room for.
    fn small(&self, key: &str) -> Result<u8, Box<Problem>> {
        let value = self.get(key).as_u64().and_then(|value| u8::try_from(value).ok());
        value.ok_or_else(|| self.refuse(key, "this is larger than the planner counts", "at most 255"))
    }

    /// A number of a mapping, in parts.
    fn parts_of(&self, key: &str, name: &str) -> Result<i64, Box<Problem>> {
        let number = self.get(key).get(name).and_then(Value::as_f64).map(parts);
        number.ok_or_else(|| self.refuse(key, &format!("there is no number for `{name}`"), &format!("`{name}`")))
    }

    /// The price of an item, which is whole.
    fn price(&self, key: &str, item: &str) -> Result<i64, Box<Problem>> {
        let price = self.parts_of(key, item)?;
        if price % PARTS as i64 != 0 {
            let path = self.path.child(key).child(item);
            return Err(self.refuse_at(path, &self.get(key)[item], "the planner counts whole coins", "a whole number"));
        }
        Ok(price / PARTS as i64)
    }
}

/// From where a gift reaches a villager.
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
            let expected = "the own tile and the four beside it, or the eight around it, in any order";
            Err(neighbours.refuse("reach", "the planner does not know this reach of gifts", expected))
        }
    }
}

/// How the clock of an animal runs: as one of two, in every respect.
fn clock(animals: &Parameters) -> Result<AnimalClock, Box<Problem>> {
    let is_countdown = animals.word("deposits") == "once_per_feeding";
    let (words, flags) = if is_countdown {
        ([("feeding_sated", "refused"), ("collecting", "always")], [true, false])
    } else {
        ([("feeding_sated", "restarts"), ("collecting", "while_sated")], [false, true])
    };
    let reason = format!("with `deposits: {}`, the planner knows no other clock of animals", animals.word("deposits"));
    for (key, word) in words {
        if animals.word(key) != word {
            return Err(animals.refuse(key, &reason, word));
        }
    }
    for (key, flag) in ["feeding_step_ticks", "collecting_resets"].into_iter().zip(flags) {
        if animals.get(key).as_bool() != Some(flag) {
            return Err(animals.refuse(key, &reason, &flag.to_string()));
        }
    }
    Ok(if is_countdown { AnimalClock::Countdown } else { AnimalClock::Ticks })
}

/// The rules, as far as the planner knows variants of them.
pub fn rules(all: &AllParameters) -> Result<Rules, Box<Problem>> {
    let [crops, animals] = [all.only("CropTiles")?, all.only("AnimalTiles")?];
    let [neighbours, market] = [all.only("NeighbourTiles")?, all.only("MarketTiles")?];
    let score = all.only("EventScore")?;
    for key in ["seeds_per_planting#nb", "water_per_watering#nb", "stages_per_watering#nb", "crops_per_harvest#nb"] {
        crops.one(key)?;
    }
    if crops.words("stages").len() != 3 {
        return Err(crops.refuse("stages", "the planner knows crops of three stages", "three names"));
    }
    animals.one("feed_per_feeding#nb")?;
    animals.one("products_per_deposit#nb")?;
    neighbours.one("gifts_per_giving#nb")?;
    if market.number("doubling_relationship#point")? != 100.0 {
        let reason = "the planner knows prices that double at a relationship of 100";
        return Err(market.refuse("doubling_relationship#point", reason, "100"));
    }
    let (prices, weights) = ("prices#coin", "weights#point");
    Ok(Rules {
        gift_reach: gift_reach(neighbours)?,
        clock: clock(animals)?,
        truncated_coins: market.word("payment") == "truncated",
        gift_increment: parts(neighbours.number("gift_increment#point")?),
        most_relationship: parts(neighbours.number("max_relationship#point")?),
        sated_steps: animals.small("sated_steps#step")?,
        product_ticks: animals.small("ticks_per_deposit#nb")?,
        prices: [market.price(prices, "crops")?, market.price(prices, "products")?],
        goods_rewards: [score.parts_of(weights, "harvest")?, score.parts_of(weights, "product")?],
        relationship_reward: score.parts_of(weights, "friendship")?,
        coin_reward: score.parts_of(weights, "sale")?,
    })
}
