//! The sorts of parts.

use std::fmt;
use std::str::FromStr;

/// What a part is in a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sort {
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

impl Sort {
    /// All of them, in the order in which a game file has them.
    pub const ALL: [Self; 5] = [Self::Entity, Self::Farmer, Self::Rule, Self::Score, Self::Policy];

    /// Its word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Entity => "entity",
            Self::Farmer => "farmer",
            Self::Rule => "rule",
            Self::Score => "score",
            Self::Policy => "policy",
        }
    }

    /// Its word with an article.
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
