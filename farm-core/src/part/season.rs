//! What a part may know about the seasons of the game, once the rules are known.

use crate::action::{ActionTarget, BaseAction};
use crate::config::Problem;
use crate::declare::PartInfo;
use crate::rules::Rules;
use crate::state::Column;

/// The seasons of a game: how they start and how long they last.
pub struct Season<'a> {
    pub(crate) rules: &'a Rules,
    /// The part that is planned: its index among the parts of the game, and its declarations.
    pub(crate) part: (usize, &'a PartInfo),
    /// Whether the rules list the allowed actions.
    pub(crate) lists_actions: bool,
    pub(crate) problems: Vec<Problem>,
}

impl Season<'_> {
    /// The maximum number of days of a season; none if the rules set no limit.
    pub fn max_days(&self) -> Option<u32> {
        self.rules.max_steps
    }

    /// The lowest and the highest value that the rules give a variable at the start; none if they keep the declared value.
    pub fn start(&self, column: Column<i32>) -> Option<(i32, i32)> {
        self.rules.initial.iter().rev().find_map(|initial| initial.range_of(column))
    }

    /// Whether the rules set a variable of the part at the start.
    pub fn sets_start(&self) -> bool {
        let (_, part) = self.part;
        part.variables.iter().any(|variable| self.rules.initial.iter().any(|initial| initial.is_of(variable)))
    }

    /// Whether the rules list this action of the part. Rules without a list allow every action, but this returns false for
    /// all of them.
    pub fn offers(&self, action: usize) -> bool {
        let is_it = |base: &BaseAction| base.part == self.part.0 && base.target == ActionTarget::Intervention(action);
        self.lists_actions && self.rules.base_actions.iter().any(is_it)
    }

    /// Adds a problem with the part's own parameters; the path starts at the part.
    pub fn problem(&mut self, problem: Problem) {
        self.problems.push(problem);
    }
}
