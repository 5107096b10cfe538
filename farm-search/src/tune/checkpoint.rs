//! Checkpoints, which store a tuning as JSON. A resumed tuning gives the same result as an uninterrupted one.

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::{CmaEs, Tuning, Winner};

/// The format name in a checkpoint.
const FORMAT: &str = "farm tune 1";

/// Reasons why a tuning can't be resumed from a checkpoint.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// The string is not a checkpoint, or it is damaged.
    #[error("this is not a tuning checkpoint: {0}")]
    Unreadable(#[from] serde_json::Error),
    /// The checkpoint belongs to another tuning.
    #[error("the checkpoint belongs to another tuning: {key} is {found} there and {wanted} here")]
    Other {
        /// The property that differs.
        key: &'static str,
        /// Its value in the checkpoint.
        found: String,
        /// Its value in this tuning.
        wanted: String,
    },
}

/// A tuning between two generations.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Checkpoint {
    format: String,
    game: String,
    fingerprint: String,
    policy: Json,
    criterion: String,
    budget: usize,
    episodes: usize,
    seed: u64,
    search: CmaEs,
    winners: Vec<Winner>,
}

impl Tuning<'_> {
    /// The tuning's current state as JSON.
    ///
    /// # Errors
    /// A number can't be represented in JSON, which does not occur in a search.
    pub fn checkpoint(&self) -> Result<String, CheckpointError> {
        Ok(serde_json::to_string_pretty(&self.to_checkpoint()?)? + "\n")
    }

    /// Resumes from a checkpoint of the same tuning. A rejected checkpoint changes nothing.
    ///
    /// # Errors
    /// The string is not a checkpoint, or it belongs to another game, policy or plan.
    pub fn resume(&mut self, text: &str) -> Result<(), CheckpointError> {
        let found: Checkpoint = serde_json::from_str(text)?;
        let wanted = self.to_checkpoint()?;
        let pairs = [
            ("the format", &found.format, &wanted.format),
            ("the game", &found.game, &wanted.game),
            ("the fingerprint of the game", &found.fingerprint, &wanted.fingerprint),
            ("the policy", &found.policy.to_string(), &wanted.policy.to_string()),
            ("the criterion", &found.criterion, &wanted.criterion),
            ("the budget", &found.budget.to_string(), &wanted.budget.to_string()),
            ("the number of episodes of a candidate", &found.episodes.to_string(), &wanted.episodes.to_string()),
            ("the seed", &found.seed.to_string(), &wanted.seed.to_string()),
        ];
        if let Some((key, found, wanted)) = pairs.into_iter().find(|(_, found, wanted)| found != wanted) {
            return Err(CheckpointError::Other { key, found: found.clone(), wanted: wanted.clone() });
        }
        if !found.search.is_possible(self.knobs.len())
            || found.winners.iter().any(|w| w.values.len() != self.knobs.len())
        {
            let message = "its search state does not fit this policy";
            return Err(CheckpointError::Unreadable(serde::de::Error::custom(message)));
        }
        (self.search, self.winners) = (found.search, found.winners);
        Ok(())
    }

    fn to_checkpoint(&self) -> Result<Checkpoint, CheckpointError> {
        let game = self.arena.game();
        Ok(Checkpoint {
            format: FORMAT.to_owned(),
            game: game.spec().name().to_owned(),
            fingerprint: format!("{:016x}", game.fingerprint()),
            policy: serde_json::to_value(&self.policy)?,
            criterion: self.plan.criterion.to_string(),
            budget: self.plan.budget,
            episodes: self.schedule.episodes,
            seed: self.plan.seed,
            search: self.search.clone(),
            winners: self.winners.clone(),
        })
    }
}
