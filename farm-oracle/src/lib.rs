//! Planners that know everything: the best a game can pay, with a proof.
//!
//! A planner works on a plain description of a world, whoever made it: a level file, a reset game, a test. It returns a
//! [`Plan`]: the actions of a whole episode, what they pay, and an upper bound on what any actions can pay.
//!
//! A proof is about the rules that a planner counts with. So a [`Planner`] refuses each other rule of a game at its place, and plays
//! every plan in the engine before it hands it out: one that does not return its value there is an error.
//!
//! | file | what |
//! |---|---|
//! | `planner.rs` | the planner that fits a game; the plan, played |
//! | `parameters.rs` | the parameters of a game's parts, with their places |
//! | `ending.rs` | when an episode ends, and stopping conditions that are not planned with |
//! | `unmodelled.rs`, in each planner's folder too | other rules that are not planned with |
//! | `grid.rs` | ways on a map |
//! | `backwards_valley/`, `valley_farm/` | the two planners: worlds, how they are read from a game, search and bounds |

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

/// The actions of an episode, what they pay, and what no actions can exceed.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan<Action> {
    /// The actions, one a step, to the end of the episode.
    pub actions: Vec<Action>,
    /// The return of these actions.
    pub value: f64,
    /// No actions return more.
    pub bound: f64,
}

impl<Action> Plan<Action> {
    /// How far the value may lie below the optimum; 0 for a plan that is proven optimal.
    pub fn gap(&self) -> f64 {
        self.bound - self.value
    }

    /// The same plan with its actions written in another way.
    pub fn map<Other>(self, write: impl FnMut(Action) -> Other) -> Plan<Other> {
        Plan { actions: self.actions.into_iter().map(write).collect(), value: self.value, bound: self.bound }
    }

    /// Whether no actions can return more.
    pub fn is_proven(&self) -> bool {
        self.value >= self.bound
    }
}
