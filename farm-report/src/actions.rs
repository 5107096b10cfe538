//! What was done in an episode: actions by name, with what they cost and what was rejected.

use std::collections::BTreeMap;

use farm_core::action::Call;
use farm_core::{Game, StepRecord};

/// How many times of an action are kept for the time axis; all are counted.
const MAX_TIMES: usize = 2000;

/// How many unreadable actions are kept for the list; all are counted.
const MAX_UNREAD: usize = 200;

/// What was done by one action.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct ActionTally {
    /// How often.
    pub count: u64,
    /// When, with the call in words.
    pub times: Vec<(u32, String)>,
    /// What was rejected, by reason.
    pub rejected: BTreeMap<&'static str, u64>,
}

/// What was done in an episode, by base action of the catalogue.
#[derive(Debug, Clone, Default)]
pub(crate) struct ActionTallies {
    /// By rank of the base action; those never asked for are empty.
    pub all: Vec<ActionTally>,
    /// Rejected actions beyond those that the record has room for.
    pub rejected_more: u64,
    /// The day of the last step.
    day: u32,
    /// What a player wrote that is not a valid action of the game: the day, the words, the reason; the first of it.
    pub unread: Vec<(u32, String, String)>,
    /// How many more there were.
    pub unread_more: u64,
}

impl ActionTallies {
    /// Of a game, nothing yet.
    pub(crate) fn of(game: &Game) -> Self {
        Self { all: vec![ActionTally::default(); game.catalogue().base_actions().len()], ..Self::default() }
    }

    /// Notes what was done in a step.
    pub(crate) fn note(&mut self, game: &Game, day: u32, record: &StepRecord) {
        self.day = day;
        for call in record.executed() {
            if let Some(tally) = self.of_call(call) {
                tally.count += 1;
                if tally.times.len() < MAX_TIMES {
                    tally.times.push((day, game.catalogue().write(call)));
                }
            }
        }
        for rejection in record.rejected() {
            if let Some(tally) = self.of_call(&rejection.call()) {
                *tally.rejected.entry(rejection.reason()).or_default() += 1;
            }
        }
        self.rejected_more += record.rejected_more() as u64;
    }

    /// Notes what was asked for in the last step and is no action of the game.
    pub(crate) fn note_unread(&mut self, said: String, reason: String) {
        if self.unread.len() < MAX_UNREAD {
            self.unread.push((self.day, said, reason));
        } else {
            self.unread_more += 1;
        }
    }

    fn of_call(&mut self, call: &Call) -> Option<&mut ActionTally> {
        self.all.get_mut(call.base())
    }
}
