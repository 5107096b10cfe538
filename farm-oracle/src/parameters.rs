//! The parameters of a game's parts, with their paths. Rules that a planner does not support are rejected at their paths.

use std::fmt::Display;

use farm_core::Game;
use farm_core::config::{Path, Problem, Tool};
use farm_core::serde_yaml::{self, Value};

use crate::PlanError;

/// The number of parts into which planners divide a point, a coin and a reward.
const PARTS: f64 = 1000.0;

/// The beginning of every rejection.
pub(crate) const NO_PLAN: &str = "no plan can be made for this game";

/// A number as an integer number of parts.
pub(crate) fn parts(number: f64) -> i64 {
    (number * PARTS).round() as i64
}

/// A problem with the message that no plan can be made.
fn no_plan(path: Path, reason: &str) -> Problem {
    Problem::new(PlanError::NoPlan, path, format!("{NO_PLAN}: {reason}")).from_root()
}

/// Rejects, at its path, a rule that planners do not support.
pub(crate) fn unmodelled(path: Path, value: impl Display, reason: &str, expected: &str) -> Box<Problem> {
    let problem = no_plan(path, reason).value(value.to_string()).expected(expected);
    Box::new(problem.help("the game is playable, but without a proven plan: remove the policy `oracle`"))
}

/// The parameters of a part, and their path.
#[derive(Debug)]
pub(crate) struct Parameters {
    /// The part's kind.
    pub kind: String,
    /// The path of the parameters.
    pub path: Path,
    values: Value,
}

/// The parameters of all parts in a game.
pub(crate) struct AllParameters(Vec<Parameters>);

impl AllParameters {
    pub(crate) fn of(game: &Game) -> Self {
        let root = Path::default();
        let entities = game.spec().fields().iter().flat_map(|(name, field)| {
            let path = root.child("fields").child(name).child("entities");
            field.entities().iter().enumerate().map(move |(i, part)| (path.child(i), serde_yaml::to_value(part)))
        });
        let farmers = game.spec().farmers().iter().enumerate();
        let farmers = farmers.map(|(i, part)| (root.child("farmers").child(i), serde_yaml::to_value(part)));
        let score = (root.child("score"), serde_yaml::to_value(game.spec().score()));
        let parts = entities.chain(farmers).chain([score]);
        let tagged = |(path, part): (Path, Result<Value, _>)| {
            let part = part.ok()?;
            let (kind, values) = part.as_mapping()?.iter().next()?;
            let kind = kind.as_str()?.to_owned();
            Some(Parameters { path: path.child(&kind), kind, values: values.clone() })
        };
        Self(parts.filter_map(tagged).collect())
    }

    /// All parts, in the file's order: entities, farmers, the score.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Parameters> {
        self.0.iter()
    }

    /// The parameters of the only part of a kind.
    pub(crate) fn only(&self, kind: &str) -> Result<&Parameters, Box<Problem>> {
        let mut found = self.0.iter().filter(|parameters| parameters.kind == kind);
        match (found.next(), found.next()) {
            (Some(parameters), None) => Ok(parameters),
            _ => {
                let problem = Problem::new(
                    PlanError::NoPlan,
                    Path::default(),
                    format!("{NO_PLAN}: it does not have exactly one `{kind}`"),
                );
                Err(Box::new(problem.help(Tool::describe("GAME").and(" shows the parts of a game"))))
            }
        }
    }
}

impl Parameters {
    /// A parameter.
    pub(crate) fn get(&self, key: &str) -> &Value {
        &self.values[key]
    }

    /// A word; empty if the parameter is not a word.
    pub(crate) fn word(&self, key: &str) -> &str {
        self.get(key).as_str().unwrap_or_default()
    }

    /// A list of words.
    pub(crate) fn words(&self, key: &str) -> Vec<&str> {
        self.get(key).as_sequence().into_iter().flatten().filter_map(Value::as_str).collect()
    }

    /// Rejects a parameter, at its path.
    pub(crate) fn reject(&self, key: &str, reason: &str, expected: &str) -> Box<Problem> {
        self.reject_at(self.path.child(key), self.get(key), reason, expected)
    }

    fn reject_at(&self, path: Path, value: &Value, reason: &str, expected: &str) -> Box<Problem> {
        let value = serde_json::to_string(value).unwrap_or_default();
        let problem = no_plan(path, reason).value(value).expected(expected);
        Box::new(problem.help("remove the policies `oracle` and `informed` to play the game"))
    }

    /// Rejects an entry of a mapping that planners do not support, at its path.
    pub(crate) fn unmodelled(&self, key: &str, entry: &str, reason: &str, expected: &str) -> Box<Problem> {
        let value = serde_json::to_string(&self.get(key)[entry]).unwrap_or_default();
        unmodelled(self.path.child(key).child(entry), value, reason, expected)
    }

    /// The entries of a mapping.
    pub(crate) fn entries(&self, key: &str) -> impl Iterator<Item = (&str, &Value)> {
        let entries = self.get(key).as_mapping().into_iter().flatten();
        entries.filter_map(|(name, value)| Some((name.as_str()?, value)))
    }

    /// A number.
    pub(crate) fn number(&self, key: &str) -> Result<f64, Box<Problem>> {
        self.get(key).as_f64().ok_or_else(|| self.reject(key, "this is not a number", "a number"))
    }

    /// Rejects costs and yields other than one.
    pub(crate) fn one(&self, key: &str) -> Result<(), Box<Problem>> {
        match self.number(key)? {
            1.0 => Ok(()),
            _ => Err(self.reject(key, "the planner supports only costs and yields of 1", "1")),
        }
    }

    /// A number of steps that fits in a byte.
    pub(crate) fn small(&self, key: &str) -> Result<u8, Box<Problem>> {
        let value = self.get(key).as_u64().and_then(|value| u8::try_from(value).ok());
        value.ok_or_else(|| self.reject(key, "the planner does not support this value", "an integer from 0 to 255"))
    }

    /// A number in a mapping, in parts.
    pub(crate) fn parts_of(&self, key: &str, name: &str) -> Result<i64, Box<Problem>> {
        let number = self.get(key).get(name).and_then(Value::as_f64);
        let missing = || self.reject(key, &format!("there is no number for `{name}`"), &format!("`{name}`"));
        self.whole_parts(number.ok_or_else(missing)?, self.path.child(key).child(name), &self.get(key)[name])
    }

    /// A number, in parts.
    pub(crate) fn in_parts(&self, key: &str) -> Result<i64, Box<Problem>> {
        self.whole_parts(self.number(key)?, self.path.child(key), self.get(key))
    }

    fn whole_parts(&self, number: f64, path: Path, value: &Value) -> Result<i64, Box<Problem>> {
        let whole = parts(number);
        if (number * PARTS - whole as f64).abs() > 1e-6 {
            return Err(self.reject_at(path, value, "the planner counts in thousandths", "a multiple of 0.001"));
        }
        Ok(whole)
    }

    /// The price of an item, which must be an integer.
    pub(crate) fn price(&self, key: &str, item: &str) -> Result<i64, Box<Problem>> {
        let price = self.parts_of(key, item)?;
        if price % PARTS as i64 != 0 {
            let path = self.path.child(key).child(item);
            return Err(self.reject_at(path, &self.get(key)[item], "the planner counts in whole coins", "an integer"));
        }
        Ok(price / PARTS as i64)
    }
}
