//! What a text of a person or a language model counts as, by the rules of a game.

use serde_json::Value as Json;

use crate::action::Call;
use crate::config::Problem;
use crate::game::Game;
use crate::rules::Unreadable;

/// A text, read.
#[derive(Debug, Clone)]
pub struct Reply {
    /// The actions that could be read; a wait where none could.
    pub(crate) schedule: Vec<Call>,
    /// What could not be read, as it was written, with the reason.
    pub(crate) unread: Vec<(String, Box<Problem>)>,
    /// Whether nothing of it could be read.
    pub(crate) is_unreadable: bool,
    /// Whether the rules reject it as a whole, so that no time passes.
    pub(crate) is_rejected: bool,
}

impl Reply {
    /// The schedule that is played.
    ///
    /// # Errors
    /// Of a text that the rules reject as a whole: the first problem.
    pub fn played(self) -> Result<Vec<Call>, Box<Problem>> {
        match self.unread.into_iter().next() {
            Some((_, problem)) if self.is_rejected => Err(problem),
            _ => Ok(self.schedule),
        }
    }
}

impl Game {
    /// Reads a text as [`crate::Environment::step`] does. Where the rules let an unreadable text count as a wait, the actions
    /// of a text that could be read are played, and it is a wait only if there are none.
    pub fn read_reply(&self, text: &str) -> Reply {
        let (mut schedule, mut unread, mut is_unreadable) = (Vec::new(), Vec::new(), true);
        for reading in self.catalogue.read_text(text) {
            match reading.calls {
                Ok(calls) => {
                    schedule.extend(calls);
                    is_unreadable = false;
                }
                Err(problem) => unread.push((reading.text, problem)),
            }
        }
        if is_unreadable {
            schedule.extend_from_slice(self.catalogue.waiting());
        }
        let is_rejected = !unread.is_empty() && self.unreadable() == Unreadable::Reject;
        Reply { schedule, unread, is_unreadable, is_rejected }
    }

    /// The schedule that a text means; the same that [`crate::Environment::step`] plays.
    ///
    /// # Errors
    /// What cannot be read, with the nearest name: of a text that the rules reject, and of one in which nothing can be read.
    pub fn parse_action(&self, text: &str) -> Result<Vec<Call>, Box<Problem>> {
        let reply = self.read_reply(text);
        let is_rejected = reply.is_rejected || reply.is_unreadable;
        Reply { is_rejected, ..reply }.played()
    }

    /// A schedule in one line: as people write it where that reads back to the same, otherwise as JSON.
    pub fn write_schedule(&self, schedule: &[Call]) -> String {
        let plain = schedule.iter().map(|call| self.catalogue.write(call)).collect::<Vec<_>>().join("; ");
        // A line that begins with `#` is a comment wherever actions stand in files.
        let is_comment = plain.is_empty() || plain.starts_with('#');
        if !is_comment && self.read_reply(&plain).played().is_ok_and(|read| read == schedule) {
            return plain;
        }
        Json::from_iter(schedule.iter().map(|call| self.catalogue.to_json(call))).to_string()
    }
}
