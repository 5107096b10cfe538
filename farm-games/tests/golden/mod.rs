//! Golden hashes of whole states, in a file for each game, which the tests of the Python package read too.
//!
//! A change of one of these numbers is a change of the game: of what a seed generates, of what an action does, or of what a state
//! holds. Whoever makes it on purpose says so in the changelog and renews them.

use serde::Deserialize;

/// What a game's file holds.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Golden {
    /// Names of actions, where they are the same for all seeds.
    #[serde(default)]
    pub script: Vec<String>,
    pub episodes: Vec<Episode>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Episode {
    pub seed: u64,
    /// Hash of the state after the reset.
    pub start: u64,
    /// Hash of the state after the actions.
    pub end: u64,
    /// The Farm Value after the actions, where a game has one.
    pub farm_value: Option<f64>,
}

impl Golden {
    /// Plays the episodes of a file, each by its script and from its seed, and compares.
    #[track_caller]
    pub(crate) fn check(text: &str, mut play: impl FnMut(&[String], u64) -> Episode) {
        let golden: Self = serde_json::from_str(text).expect("a file of golden numbers");
        assert!(golden.episodes.len() >= 3, "several seeds");
        let found: Vec<Episode> = golden.episodes.iter().map(|episode| play(&golden.script, episode.seed)).collect();
        assert_eq!(found, golden.episodes);
    }
}
