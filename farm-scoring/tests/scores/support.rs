//! The full farm with a score, played at random with one action a day.

use std::sync::Arc;

use farm_core::config::Problems;
use farm_core::{Environment, Outcome, Stream};
use farm_games::{Options, open};
use serde_json::Value as Json;

/// What a farmer may do here: everything.
const ACTIONS: &str = "{Field-0: {Soil-0: {water_discrete: {plot: '*', amount#L: [5, 60, 1000], duration#min: [60]}}, \
     Plant-0: {sow: {plot: '*', amount#seed: [1, 10, 30], spacing#cm: [20]}, harvest: , micro_harvest: {plot: '*'}, \
     remove: {plot: '*'}}, Weeds-0: {remove: {plot: '*'}}, \
     Fertilizer-0: {scatter: {plot: '*', amount#kg: [0.1, 2]}, scatter_bag: {plot: '*', amount#bag: [1, 4]}}, \
     Cide-0: {scatter: {plot: '*', amount#kg: [0.005, 0.1]}}, \
     Cide-1: {scatter: {plot: '*', amount#kg: [0.001, 0.05]}}}}";

/// Fields that begin anywhere in a season.
const INITIAL: &str = "{Field-0: {Weather-0: {day#int365: '(100, 250)', year#int100: '(0, 9)'}, \
     Soil-0: {microlife_health_index#%: '(1, 60)'}, Plant-0: {stage: [none, seed, grow, bloom, fruit, ripe]}, \
     Weeds-0: {seeds#nb: '(0, 50)'}}}";

/// A farm and the calls of its flat list of actions.
pub(crate) struct Farm {
    pub env: Environment,
    /// Part, name and parameters of each call.
    calls: Vec<(String, String, Json)>,
}

/// What was done in a day.
pub(crate) struct TakenAction {
    pub part: String,
    pub name: String,
    pub parameters: Json,
}

impl TakenAction {
    pub(crate) fn number(&self, name: &str) -> f64 {
        self.parameters[name].as_f64().unwrap_or_else(|| panic!("{} has no {name}", self.parameters))
    }

    /// The flat index of the plot, in a field of three plots across.
    pub(crate) fn plot(&self) -> usize {
        let index = |i: usize| self.parameters["plot"][i].as_u64().unwrap() as usize;
        index(0) * 3 + index(1)
    }
}

impl Farm {
    /// The farm of 4 × 3 plots with a score and changes.
    pub(crate) fn new(score: &str, changes: &[(&str, &str)]) -> Self {
        Self::open(score, changes).unwrap_or_else(|problems| panic!("{problems}"))
    }

    pub(crate) fn open(score: &str, changes: &[(&str, &str)]) -> Result<Self, Problems> {
        let set = [
            ("score", score),
            ("rules.BasicRule.initial_conditions", INITIAL),
            ("rules.BasicRule.actions", ACTIONS),
            ("rules.BasicRule.stopping_conditions", "null"),
            ("rules.BasicRule.max_steps", "90"),
            ("policies", "{}"),
        ];
        let set = set.iter().chain(changes).map(|(path, value)| ((*path).to_owned(), (*value).to_owned()));
        let game =
            open("full_farm-v0", &Options { preset: Some("4x3".into()), set: set.collect(), ..Default::default() })?;
        let named = |call| match game.catalogue().to_json(call) {
            Json::Array(items) => {
                let text = |i: usize| items[i].as_str().unwrap().to_owned();
                (text(2), text(3), items.get(4).cloned().unwrap_or_default())
            }
            // Calls without parameters are written by their name alone; here that is the harvest of all plots.
            other => ("Plant-0".to_owned(), other.as_str().unwrap().to_owned(), Json::Null),
        };
        let calls = game.catalogue().calls().iter().map(named).collect();
        Ok(Self { env: Environment::new(Arc::new(game)), calls })
    }

    /// All values of a variable such as `Soil-0.available_Water#L`, or of the score's, `BasicScore-0.…`.
    pub(crate) fn values(&self, name: &str) -> Vec<f64> {
        let (part, variable) = name.split_once('.').unwrap();
        let game = self.env.game();
        let info = game.parts().iter().find(|p| p.name() == part).unwrap_or_else(|| panic!("no part {part}"));
        let info = info.variables().iter().find(|v| v.name() == variable).unwrap_or_else(|| panic!("no {name}"));
        let reader = game.reader(self.env.state());
        if let Some(column) = info.column::<f64>() {
            reader.get(column).to_vec()
        } else if let Some(column) = info.column::<i32>() {
            reader.get(column).iter().map(|value| f64::from(*value)).collect()
        } else {
            reader.get(info.column::<u8>().unwrap()).iter().map(|value| f64::from(*value)).collect()
        }
    }

    pub(crate) fn sum(&self, name: &str) -> f64 {
        self.values(name).iter().sum()
    }

    /// A day with at most one action, which is executed.
    pub(crate) fn day(&mut self, stream: &mut Stream) -> (Option<TakenAction>, Outcome) {
        let id = stream.bernoulli(0.8).then(|| stream.index(self.calls.len() as u32) as usize);
        let schedule: Vec<_> = id.iter().map(|id| self.env.game().catalogue().calls()[*id]).collect();
        let outcome = self.env.step(&schedule).unwrap();
        assert!(self.env.record().rejected().is_empty(), "{:?}", self.env.record().rejected());
        let done_action = id.map(|id| {
            let (part, name, parameters) = self.calls[id].clone();
            TakenAction { part, name, parameters }
        });
        (done_action, outcome)
    }
}

#[track_caller]
pub(crate) fn assert_close(found: f64, expected: f64, what: &str) {
    assert!((found - expected).abs() <= 1e-9 * expected.abs().max(1.0), "{what}: {found}, expected {expected}");
}
