//! The text for one turn, which a person or a language model reads before the next reply.

use std::fmt::Write;

use crate::environment::Environment;
use crate::format::format_number;

/// The values needed for the text about the last step, besides the observation.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Turn {
    /// The reward for the last step; `None` before the first.
    pub reward: Option<f64>,
    /// Whether the last text was rejected. In that case, no step was taken.
    pub is_rejected: bool,
    /// The number of texts rejected since the last step.
    pub rejected_in_a_row: u32,
    /// The number of replies in the episode that could not be read completely.
    pub rejected_texts: u64,
}

impl Environment {
    /// The text that a player reads now. The observation comes first. One line each then shows the last step's reward, every action that
    /// was not done or not read, and the end of the episode. It contains no information beyond the observation, the reward and `info`.
    pub fn text(&self) -> String {
        let mut text = self.game.observation.to_text(&self.observation);
        // Writing to a string never fails.
        let _ = self.write_turn(&mut text);
        text
    }

    /// The lines about the last step.
    pub(super) fn write_turn(&self, out: &mut String) -> std::fmt::Result {
        let (turn, record) = (&self.turn, &self.record);
        match turn.reward {
            _ if turn.is_rejected => writeln!(out, "rejected, no step passed: the reply cannot be read")?,
            Some(reward) => writeln!(out, "last reward: {}", format_number(reward))?,
            None => {}
        }
        for rejected in &record.rejected {
            writeln!(out, "not done: {}: {}", self.game().catalogue.write(&rejected.call), rejected.reason)?;
        }
        if record.rejected_more > 0 {
            writeln!(out, "not done: {} more", record.rejected_more)?;
        }
        for (_, reason) in &self.unknown {
            writeln!(out, "not read: {reason}")?;
        }
        match record.stop {
            Some(stop) if self.state().over => {
                writeln!(out, "the episode is over: {}", self.game().text().stop_reason(stop))
            }
            _ => Ok(()),
        }
    }
}
