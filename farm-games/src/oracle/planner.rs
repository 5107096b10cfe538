//! The planner that fits a game, whichever of them that is.

use farm_core::action::Call;
use farm_core::config::Problems;
use farm_core::{Game, State};

use super::{Plan, backwards_valley, valley_farm};

/// A planner, with what it knows of a game.
#[derive(Debug)]
pub enum Planner {
    /// Of games in which neglect helps.
    BackwardsValley(backwards_valley::Reading),
    /// Of games in which things are carried to a market.
    ValleyFarm(valley_farm::Reading),
}

impl Planner {
    /// The planner for a game.
    ///
    /// # Errors
    /// What keeps the game from being one that a planner knows.
    pub fn of(game: &Game) -> Result<Self, Problems> {
        match (backwards_valley::Reading::of(game), valley_farm::Reading::of(game)) {
            (Ok(reading), _) => Ok(Self::BackwardsValley(reading)),
            (_, Ok(reading)) => Ok(Self::ValleyFarm(reading)),
            (Err(mut problems), Err(others)) => {
                problems.0.extend(others.0);
                Err(problems)
            }
        }
    }

    /// The best plan from a state on, as calls of the game, one list for each step.
    pub fn plan(&self, game: &Game, state: &State) -> Plan<Vec<Call>> {
        match self {
            Self::BackwardsValley(reading) => {
                reading.world(game, state).plan().map(|action| reading.calls(action).to_vec())
            }
            Self::ValleyFarm(reading) => reading.world(game, state).plan().map(|action| reading.calls(action).to_vec()),
        }
    }
}
