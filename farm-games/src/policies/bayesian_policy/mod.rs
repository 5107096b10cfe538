//! Knows what the members of a family of rules are drawn from, and learns within an episode which one it plays: an upper mark for learners.
//!
//! It sees what a learner sees. In `backwards_valley` it keeps the chance of everything that can be drawn for each kind of things, lives each
//! of these lives along with what its window shows, and plays a member that it draws by these chances, until what it sees rules that member
//! out (Thompson sampling; Thompson 1933, Biometrika 25). In `valley_farm` each clause keeps the values that fit what was seen, and
//! what is not known yet is worth its mean.

mod beliefs;
mod staged;

use farm_core::config::Problems;
use farm_core::{Agent, Game, Policy};
use farm_oracle::GridReading;

use super::known_kinds::KnownKind;
use super::valley_learner::{self, Knows};

/// Reckons with everything that the rules of a family can be, and plays by what is left of it.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct BayesianPolicy {
    /// The kinds of things in the order of the family, their stages in the usual order; none in games with a market.
    #[parameter(default = Vec::new())]
    pub kinds: Vec<KnownKind>,
    /// What it is paid by: an observed sum whose rise is the reward; means nothing in games with a market.
    #[parameter(default = "farm_value".into())]
    pub total: String,
    /// Whether what was learnt holds for the next episode, too, which is then played by the same rules.
    #[parameter(default = false)]
    pub keeps_laws: bool,
}

#[farm_core::register(source = "the reference learner of families of rules")]
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
