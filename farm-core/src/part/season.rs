//! What a part may know of the seasons that will be played, once the rules are known.

use crate::config::Problem;
use crate::rules::Rules;
use crate::state::Column;

/// The seasons of a game: how they may begin and how long they may last.
pub struct Season<'a> {
    pub(crate) rules: &'a Rules,
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

    /// Notes a problem with the part's own parameters; the path starts at the part.
    pub fn problem(&mut self, problem: Problem) {
        self.problems.push(problem);
    }
}
