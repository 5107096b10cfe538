//! The types of parts.

use serde::{Deserialize, Serialize};

/// The type of part that a kind defines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum PartKind {
    /// A component of a field.
    Entity,
    /// A farmer, who executes actions.
    Farmer,
    /// A game's start, its allowed actions, its free observations and its end.
    Rule,
    /// Costs and rewards.
    Score,
    /// A policy, which chooses the actions.
    Policy,
}

impl PartKind {
    /// The plural form, as used by `farm list`.
    pub fn plural(self) -> &'static str {
        match self {
            Self::Entity => "entities",
            Self::Farmer => "farmers",
            Self::Rule => "rules",
            Self::Score => "scores",
            Self::Policy => "policies",
        }
    }

    /// The singular form.
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
