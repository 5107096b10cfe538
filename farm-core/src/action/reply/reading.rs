//! What is read of a reply.

use super::super::Call;
use crate::config::Problem;

/// The number of actions to read beyond a schedule's capacity. Each of these actions gets an answer; any further actions are only counted.
pub(super) const MAX_BEYOND: usize = 8;

/// An action in a text, and the result of reading the action.
#[derive(Debug, Clone)]
pub struct TextReading {
    /// The action as written.
    pub(crate) text: String,
    /// The resulting calls, or why the action cannot be read.
    pub(crate) calls: Result<Vec<Call>, Box<Problem>>,
}

impl TextReading {
    /// The resulting calls, or why the action cannot be read.
    pub fn calls(&self) -> Result<&[Call], &Problem> {
        self.calls.as_deref().map_err(|problem| &**problem)
    }
}
