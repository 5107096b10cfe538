//! Knows the rules of a grid game, but sees only what a learner sees, and remembers it.

mod backwards_valley;
mod valley_farm;
mod window;

use farm_core::config::Problems;
use farm_core::{Agent, Game, Policy};
use farm_oracle::GridReading;

pub(crate) use valley_farm::{Memory, ObservedPlaces, decide};
pub(crate) use window::{Window, entry};

/// Knows the rules but sees only what a learner sees, so it explores the map while it collects rewards.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct InformedPolicy {}

#[farm_core::register(source = "Backwards Valley and Valley Farm, baselines: informed")]
impl Policy for InformedPolicy {
    fn build(&self, game: &Game) -> Result<Box<dyn Agent>, Problems> {
        // The planners know how the rules of a game are read; of the state they tell nothing here.
        match GridReading::of(game)? {
            GridReading::BackwardsValley(reading) => backwards_valley::player(reading, game),
            GridReading::ValleyFarm(reading) => valley_farm::player(*reading, game),
        }
    }
}
