//! Reads a reply from a person or a language model according to a game's rules.

use serde_json::Value as Json;

use super::TextChannel;
use crate::action::Call;
use crate::config::Problem;
use crate::rules::Unreadable;

/// A reply that has been read.
#[derive(Debug, Clone)]
pub struct Reply {
    /// The readable actions, or a wait if there are none.
    pub(crate) schedule: Vec<Call>,
    /// The unreadable pieces, as written, each with the reason.
    pub(crate) unread: Vec<(String, Box<Problem>)>,
    /// Whether nothing in the reply is readable.
    pub(crate) is_unreadable: bool,
    /// Whether the rules reject it entirely, so that no time passes.
    pub(crate) is_rejected: bool,
}

impl Reply {
    /// The schedule to play.
    ///
    /// # Errors
    /// The first problem in a reply that the rules reject entirely.
    pub fn played(self) -> Result<Vec<Call>, Box<Problem>> {
        match self.unread.into_iter().next() {
            Some((_, problem)) if self.is_rejected => Err(problem),
            _ => Ok(self.schedule),
        }
    }
}

impl TextChannel<'_> {
    /// Reads a reply in the same way as [`crate::Environment::step`]. If the rules count an unreadable reply as a wait, any readable
    /// actions in the reply are still played. Only a reply without readable actions becomes a wait.
    pub fn read(self, text: &str) -> Reply {
        let (mut schedule, mut unread, mut is_unreadable) = (Vec::new(), Vec::new(), true);
        for reading in self.game.catalogue.read_text(text) {
            match reading.calls {
                Ok(calls) => {
                    schedule.extend(calls);
                    is_unreadable = false;
                }
                Err(problem) => unread.push((reading.text, problem)),
            }
        }
        if is_unreadable {
            schedule.extend_from_slice(self.game.catalogue.waiting());
        }
        let is_rejected = !unread.is_empty() && self.game.rules.unreadable == Unreadable::Reject;
        Reply { schedule, unread, is_unreadable, is_rejected }
    }

    /// The schedule that a reply describes, as played by [`crate::Environment::step`].
    ///
    /// # Errors
    /// A problem with the unreadable part and the nearest name, if the rules reject the reply or the reply has no readable action.
    pub fn parse(self, text: &str) -> Result<Vec<Call>, Box<Problem>> {
        let reply = self.read(text);
        let is_rejected = reply.is_rejected || reply.is_unreadable;
        Reply { is_rejected, ..reply }.played()
    }

    /// Writes a schedule on one line. The line has the form that people write if that form reads back as the same schedule; otherwise, it
    /// is JSON.
    pub fn write(self, schedule: &[Call]) -> String {
        let plain = schedule.iter().map(|call| self.game.catalogue.write(call)).collect::<Vec<_>>().join("; ");
        // In action files, a line that starts with `#` is a comment.
        let is_comment = plain.is_empty() || plain.starts_with('#');
        if !is_comment && self.read(&plain).played().is_ok_and(|read| read == schedule) {
            return plain;
        }
        Json::from_iter(schedule.iter().map(|call| self.game.catalogue.to_json(call))).to_string()
    }
}
