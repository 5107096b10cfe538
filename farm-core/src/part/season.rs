//! What a part can find out about a game's seasons once the rules are known.

use crate::action::{ActionTarget, BaseAction};
use crate::config::Problem;
use crate::declare::PartInfo;
use crate::rules::Rules;
use crate::state::Column;

/// How a game's seasons start, and how long they last.
///
/// ```
/// use farm_core::{Season, prelude::*};
///
/// /// A part that plans the whole season in advance.
/// struct Calendar {
///     days: u32,
/// }
///
/// impl Behaviour for Calendar {
///     fn plan(&mut self, season: &mut Season<'_>) {
///         self.days = season.max_days().unwrap_or(365);
/// #         assert_eq!((self.days, season.sets_start()), (10, false));
///     }
/// }
/// # /// Calendars.
/// # #[derive(Debug, Clone, Parameters)]
/// # struct Calendars {}
/// # #[register(source = "An example")]
/// # impl Entity for Calendars {
/// #     fn declare(&self, _: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
/// #         Bind::new(|_| Calendar { days: 0 })
/// #     }
/// # }
/// # mod farm { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/documentation/farm.rs")); }
/// # farm::game("Calendars: {}");
/// ```
pub struct Season<'a> {
    pub(crate) rules: &'a Rules,
    /// The part being planned: its index among the game's parts, and its declarations.
    pub(crate) part: (usize, &'a PartInfo),
    /// Whether the rules list the allowed actions.
    pub(crate) lists_actions: bool,
    pub(crate) problems: Vec<Problem>,
}

impl Season<'_> {
    /// The maximum number of days in a season; `None` if the rules set no limit.
    pub fn max_days(&self) -> Option<u32> {
        self.rules.max_steps
    }

    /// The lowest and highest values that the rules give a variable at the start; `None` if they keep the declared value.
    pub fn start(&self, column: Column<i32>) -> Option<(i32, i32)> {
        self.rules.initial.iter().rev().find_map(|initial| initial.range_of(column))
    }

    /// Whether the rules set any of the part's variables at the start.
    pub fn sets_start(&self) -> bool {
        let (_, part) = self.part;
        part.variables.iter().any(|variable| self.rules.initial.iter().any(|initial| initial.is_of(variable)))
    }

    /// Whether the rules list this action of the part. Rules without a list allow every action, but this method then returns false
    /// for all of them.
    pub fn offers(&self, action: usize) -> bool {
        let is_it = |base: &BaseAction| base.part == self.part.0 && base.target == ActionTarget::Intervention(action);
        self.lists_actions && self.rules.base_actions.iter().any(is_it)
    }

    /// Reports a problem in the part's own parameters. The problem's path starts at the part.
    pub fn problem(&mut self, problem: Problem) {
        self.problems.push(problem);
    }
}
