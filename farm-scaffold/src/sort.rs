//! The types of parts.

use std::fmt;
use std::str::FromStr;

/// The type of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sort {
    /// A component of a field.
    Entity,
    /// Executes actions.
    Farmer,
    /// The start, allowed actions, free observations and end.
    Rule,
    /// Costs and rewards.
    Score,
    /// A way to play.
    Policy,
}

impl Sort {
    /// All types, in the order of a game file.
    pub const ALL: [Self; 5] = [Self::Entity, Self::Farmer, Self::Rule, Self::Score, Self::Policy];

    /// The word for the type.
    pub fn name(self) -> &'static str {
        match self {
            Self::Entity => "entity",
            Self::Farmer => "farmer",
            Self::Rule => "rule",
            Self::Score => "score",
            Self::Policy => "policy",
        }
    }

    /// The word with an article.
    pub fn with_article(self) -> String {
        format!("{} {}", if self == Self::Entity { "an" } else { "a" }, self.name())
    }
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Sort {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let names = || Self::ALL.map(Self::name).join(", ");
        Self::ALL.into_iter().find(|sort| sort.name() == text).ok_or_else(|| format!("expected one of {}", names()))
    }
}
