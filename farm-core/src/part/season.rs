//! What a part may know of the seasons that will be played, once the rules are known.

use crate::action::{ActionTarget, BaseAction};
use crate::config::Problem;
use crate::declare::PartInfo;
use crate::rules::Rules;
use crate::state::Column;

/// The seasons of a game: how they may begin and how long they may last.
pub struct Season<'a> {
    pub(crate) rules: &'a Rules,
    /// The part that asks, by its index among the parts of the game and with all that it declares.
    pub(crate) part: (usize, &'a PartInfo),
    /// Whether the rules list what may be done.
    pub(crate) lists_actions: bool,
    pub(crate) problems: Vec<Problem>,
}

impl Season<'_> {
    /// The most days that a season may last; none where the rules set no limit.
    pub fn max_days(&self) -> Option<u32> {
        self.rules.max_steps
    }

    /// The lowest and the highest value that the rules set a variable to at the start; none where they leave it as it was declared.
    pub fn start(&self, column: Column<i32>) -> Option<(i32, i32)> {
        self.rules.initial.iter().rev().find_map(|initial| initial.range_of(column))
    }

    /// Whether the rules set a variable of the part at the start.
    pub fn sets_start(&self) -> bool {
        let (_, part) = self.part;
        part.variables.iter().any(|variable| self.rules.initial.iter().any(|initial| initial.is_of(variable)))
    }

    /// Whether the rules list this action of the part among those that may be done. Rules that list none allow everything, and offer nothing in
    /// particular.
    pub fn offers(&self, action: usize) -> bool {
        let is_it = |base: &BaseAction| base.part == self.part.0 && base.target == ActionTarget::Intervention(action);
        self.lists_actions && self.rules.base_actions.iter().any(is_it)
    }

    /// Notes a problem with the part's own parameters; the path starts at the part.
    pub fn problem(&mut self, problem: Problem) {
        self.problems.push(problem);
    }
}
