#![doc = include_str!("../README.md")]
//!
//! # Details
//!
//! A planner works on a plain description of a world, from a level file, a reset game or a test. It returns a [`Plan`]: the actions for
//! an episode, their return, and an upper bound on the return of any actions.
//!
//! A proof covers only the rules that a planner supports. So a [`Planner`] rejects every other rule in a game, at its path. Before it
//! returns a plan, it plays the plan in the engine. If the engine returns a different value, that is an error.
//!
//! | file | what |
//! |---|---|
//! | `planner.rs` | the planner for a game; the check of its plan in the engine |
//! | `parameters.rs` | the parameters of a game's parts, with their paths |
//! | `ending.rs` | the ends of episodes, and stopping conditions that planners do not support |
//! | `unmodelled.rs`, also in each planner's folder | other rules that planners do not support |
//! | `grid.rs` | paths on a map |
//! | `backwards_valley/`, `valley_farm/` | the two planners: worlds, how a game is read into one, search and bounds |

#![forbid(unsafe_code)]
#![warn(clippy::unwrap_used)]

pub mod backwards_valley;
mod ending;
mod errors;
pub mod grid;
mod parameters;
mod planner;
mod unmodelled;
pub mod valley_farm;

pub use errors::PlanError;
pub use planner::{GridReading, Planner, Step};

/// The actions for an episode, their return, and an upper bound on any return.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan<Action> {
    /// The actions, one per step, to the end of the episode.
    pub actions: Vec<Action>,
    /// The return of these actions.
    pub value: f64,
    /// The upper bound: no actions return more.
    pub bound: f64,
}

impl<Action> Plan<Action> {
    /// The maximum distance between the value and the optimum; 0 for a plan that is proven optimal.
    pub fn gap(&self) -> f64 {
        self.bound - self.value
    }

    /// The same plan with actions of another type.
    pub fn map<Other>(self, write: impl FnMut(Action) -> Other) -> Plan<Other> {
        Plan { actions: self.actions.into_iter().map(write).collect(), value: self.value, bound: self.bound }
    }

    /// Whether no actions can return more.
    pub fn is_proven(&self) -> bool {
        self.value >= self.bound
    }
}
