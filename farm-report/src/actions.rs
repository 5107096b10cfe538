//! The actions in an episode by name, with their costs and rejections.

use std::collections::BTreeMap;

use farm_core::action::Call;
use farm_core::{Game, StepRecord};

/// The maximum number of times to store per action for the time axis. Later uses are still counted.
const MAX_TIMES: usize = 2000;

/// The maximum number of unreadable actions to store for the list. Further ones are still counted.
const MAX_UNREAD: usize = 200;

/// The uses of one action.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct ActionTally {
    /// The number of uses.
    pub count: u64,
    /// The days on which it was used, each with its call.
    pub times: Vec<(u32, Call)>,
    /// The number of rejections, by reason.
    pub rejected: BTreeMap<&'static str, u64>,
}

/// The actions in an episode, by base action in the action table.
#[derive(Debug, Clone, Default)]
pub(crate) struct ActionTallies {
    /// The tallies, by index of the base action; empty for actions that were never requested.
    pub all: Vec<ActionTally>,
    /// The number of rejected actions that exceed the step record's capacity.
    pub rejected_more: u64,
    /// The day of the last step.
    day: u32,
    /// The player's first requests that are not valid actions, each with its day, its words and the reason.
    pub unread: Vec<(u32, String, String)>,
    /// The number of further invalid requests.
    pub unread_more: u64,
}

impl ActionTallies {
    /// Creates empty tallies for a game.
    pub(crate) fn of(game: &Game) -> Self {
        Self { all: vec![ActionTally::default(); game.catalogue().base_actions().len()], ..Self::default() }
    }

    /// Records the actions in a step.
    pub(crate) fn note(&mut self, day: u32, record: &StepRecord) {
        self.day = day;
        for call in record.executed() {
            if let Some(tally) = self.of_call(call) {
                tally.count += 1;
                if tally.times.len() < MAX_TIMES {
                    tally.times.push((day, *call));
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

    /// Records a request in the last step that is not one of the game's actions.
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
