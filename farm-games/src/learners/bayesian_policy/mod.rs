//! Knows how a rule family draws its members, and learns within an episode which member it plays. It is an upper reference for learners.
//!
//! It sees what a learner sees. In `backwards_valley`, it keeps the probability of every possible set of rules for each kind of thing. It
//! simulates the things under each set of rules, and compares them with its window. It draws a member with these probabilities, and plays
//! by its rules until an observation rules it out (Thompson sampling; Thompson 1933, Biometrika 25). In `valley_farm`, each clause keeps
//! the values that fit the observations. For an unknown value, the policy uses the mean of these values.

mod beliefs;
mod staged;

use farm_core::config::Problems;
use farm_core::{Agent, Game, Policy};
use farm_oracle::GridReading;

use super::valley_learner::{self, Knows};
use crate::policies::KnownKind;

/// Knows all possible rules of a family, infers the actual rules from its observations, and plays by them.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct BayesianPolicy {
    /// The kinds of things in the order of the family, with their stages in the usual order. Leave it empty in games with a market.
    #[parameter(default = Vec::new())]
    pub kinds: Vec<KnownKind>,
    /// The observed sum whose increase is the reward; unused in games with a market.
    #[parameter(default = "farm_value".into())]
    pub total: String,
    /// Whether it keeps its knowledge for the next episode. Set it only if all episodes have the same rules.
    #[parameter(default = false)]
    pub keeps_laws: bool,
}

#[farm_core::register(source = "the reference learner for families of rules")]
impl Policy for BayesianPolicy {
    fn build(&self, game: &Game) -> Result<Box<dyn Agent>, Problems> {
        match GridReading::of(game)? {
            GridReading::ValleyFarm(reading) if self.kinds.is_empty() => {
                valley_learner::player(*reading, game, Knows::Family, self.keeps_laws)
            }
            _ => staged::player(game, &self.kinds, &self.total, self.keeps_laws),
        }
    }
}
