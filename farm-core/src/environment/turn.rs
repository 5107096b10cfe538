//! A turn in words: what a person or a language model reads before it answers.

use std::fmt::Write;

use crate::environment::Environment;
use crate::format::format_number;

/// What the text says of the last step besides the observation.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Turn {
    /// The reward of the last step; none before the first.
    pub reward: Option<f64>,
    /// Whether the last text was rejected, so that no step was taken.
    pub is_rejected: bool,
    /// How many texts were rejected since the last step.
    pub rejected_in_a_row: u32,
    /// In how many texts of the episode something could not be read.
    pub rejected_texts: u64,
}

impl Environment {
    /// All that a player reads now: the observation, and in a line each the reward of the last step, what could not be done or
    /// read, and why the episode is over. Nothing of it says more than the observation, the reward and `info` do.
    pub fn text(&self) -> String {
        let mut text = self.observation_text();
        // Writing to a string never fails.
        let _ = self.write_turn(&mut text);
        text
    }

    /// The lines on the last step.
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
            Some(stop) if self.state().over => writeln!(out, "the episode is over: {}", self.game().stop_reason(stop)),
            _ => Ok(()),
        }
    }
}
