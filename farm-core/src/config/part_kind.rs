//! The sorts of parts.

use serde::{Deserialize, Serialize};

/// What role a kind plays in a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum PartKind {
    /// A component of a field.
    Entity,
    /// Who executes actions.
    Farmer,
    /// Start, allowed actions, free observations, end.
    Rule,
    /// Costs and rewards.
    Score,
    /// How to play.
    Policy,
}

impl PartKind {
    /// The plural used by `farm list`.
    pub fn plural(self) -> &'static str {
        match self {
            Self::Entity => "entities",
            Self::Farmer => "farmers",
            Self::Rule => "rules",
            Self::Score => "scores",
            Self::Policy => "policies",
        }
    }

    /// The word for one of them.
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
