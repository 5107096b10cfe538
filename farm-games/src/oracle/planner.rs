//! The planner that fits a game, whichever of them that is.

use farm_core::action::Call;
use farm_core::config::{Path, Problem, Problems};
use farm_core::{Game, State};

use super::{Plan, backwards_valley, valley_farm};

/// What is done in a step of a plan: a byte, because episodes may be long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step(u8);

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
            // A refusal with a place comes from the planner that knows all parts of the game.
            (_, Err(problems)) if problems.0.iter().any(|problem| !problem.path.0.is_empty()) => Err(problems),
            (Err(first), Err(second)) => {
                let reason = |problems: &Problems| {
                    let message = problems.0.first().map_or("", |problem| problem.message.as_str());
                    message.rsplit_once("this game: ").map_or(message, |(_, reason)| reason).to_owned()
                };
                let message = format!("no plan can be made for this game: {}; and {}", reason(&first), reason(&second));
                let expected =
                    "a map with crops, animals and villagers, or one with fields, barns, neighbours and a market";
                let problem = Problem::new(Path::default(), message).expected(expected);
                Err(Problems(vec![problem.help("`farm describe GAME` names the policies of a game")]))
            }
        }
    }

    /// The best plan from a state on.
    pub fn plan(&self, game: &Game, state: &State) -> Plan<Step> {
        match self {
            Self::BackwardsValley(reading) => reading.world(game, state).plan().map(|action| Step(action as u8)),
            Self::ValleyFarm(reading) => reading.world(game, state).plan().map(|action| Step(action as u8)),
        }
    }

    /// How the game calls what is done in a step.
    pub fn calls(&self, step: Step) -> &[Call] {
        let index = usize::from(step.0);
        match self {
            Self::BackwardsValley(reading) => reading.all_calls().get(index).map(Vec::as_slice).unwrap_or_default(),
            Self::ValleyFarm(reading) => reading.all_calls().get(index).map(Vec::as_slice).unwrap_or_default(),
        }
    }
}
