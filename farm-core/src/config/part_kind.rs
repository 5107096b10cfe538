//! The types of parts.

use serde::{Deserialize, Serialize};

/// The role of a kind in a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum PartKind {
    /// A component of a field.
    Entity,
    /// A farmer, which executes actions.
    Farmer,
    /// Start, allowed actions, free observations, end.
    Rule,
    /// Costs and rewards.
    Score,
    /// A policy, which chooses the actions.
    Policy,
}

impl PartKind {
    /// The plural that `farm list` uses.
    pub fn plural(self) -> &'static str {
        match self {
            Self::Entity => "entities",
            Self::Farmer => "farmers",
            Self::Rule => "rules",
            Self::Score => "scores",
            Self::Policy => "policies",
        }
    }

    /// The singular.
    pub fn singular(self) -> &'static str {
        match self {
            Self::Entity => "entity",
            Self::Farmer => "farmer",
            Self::Rule => "rule",
            Self::Score => "score",
            Self::Policy => "policy",
        }
    }
}
