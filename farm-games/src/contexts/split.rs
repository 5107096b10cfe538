//! The splits of the contexts.

use serde::Deserialize;

/// Which contexts a learner may see.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ContextSplit {
    /// For training.
    Train,
    /// For reported results.
    Test,
}

impl ContextSplit {
    /// Both splits.
    pub const ALL: [Self; 2] = [Self::Train, Self::Test];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Train => "train",
            Self::Test => "test",
        }
    }

    /// The split with a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|split| split.name() == name)
    }
}
