//! The action table: all actions in a game, as base actions and as a flat list.
//!
//! An [`Action`] is the choice for one step, in any form. A [`Call`] is one of the game's actions with its arguments, ready to execute.
//! Each `Action` converts into a schedule of calls. An [`Argument`] is a parameter value that is converted between a front end's format and
//! a call.
//!
//! `names` reads and writes the format for programs, `text` handles the format for people and language models, and `gym` handles the format
//! for learners. `reply` finds actions in text that contains other words.
//!
//! ```
//! use farm_core::Action;
//!
//! // A program chooses by number, a person or a language model by words; a step takes either.
//! let by_number = Action::from(3);
//! let by_words = Action::from("water_discrete(plot=(0, 1), amount#L=5)");
//! assert!(matches!((by_number, by_words), (Action::Id(3), Action::Text(_))));
//! ```

mod argument;
mod errors;
mod forms;
mod gym;
mod label;
mod names;
mod pieces;
mod reply;
mod text;

use std::ops::Range;
use std::sync::Arc;

use serde_json::Value as Json;

use crate::declare::{ActionInfo, FieldInfo, PartInfo, Reference};

pub use argument::Argument;
pub use errors::ActionError;
pub use forms::Action;
pub use gym::GymError;
pub(crate) use reply::LEFT_OUT;
pub use reply::{MAX_TEXT_BYTES, TextReading};

/// The maximum number of parameters in an action.
pub const MAX_ARGUMENTS: usize = 4;

/// The kind of an action. In a game with priced observations, each kind has its own half of the day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ActionKind {
    /// Observes variables. The farm does not change.
    Observation,
    /// Changes the farm.
    Intervention,
}

impl ActionKind {
    /// The kind's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Observation => "observation",
            Self::Intervention => "intervention",
        }
    }
}

/// One action with its arguments, ready to execute.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Call {
    pub(crate) base: u32,
    pub(crate) arguments: [f64; MAX_ARGUMENTS],
}

impl Call {
    /// The index of the call's base action in the action table.
    pub fn base(&self) -> usize {
        self.base as usize
    }

    /// The call's arguments.
    #[inline]
    pub fn arguments(&self) -> CallArguments<'_> {
        CallArguments(&self.arguments)
    }
}

/// A call's arguments, as the part that acts receives them.
#[derive(Debug, Clone, Copy)]
pub struct CallArguments<'a>(pub(crate) &'a [f64; MAX_ARGUMENTS]);

impl CallArguments<'_> {
    /// A plot, given by its flat index.
    #[inline]
    pub fn plot(&self, parameter: usize) -> usize {
        // The numbers of plots and words fit in 32 bits. Converting through 32 bits takes a third of the instructions.
        self.0[parameter] as u32 as usize
    }

    /// A real number.
    #[inline]
    pub fn real(&self, parameter: usize) -> f64 {
        self.0[parameter]
    }

    /// A word, given by its index.
    #[inline]
    pub fn choice(&self, parameter: usize) -> usize {
        self.0[parameter] as u32 as usize
    }
}

/// The values that the rules allow for a parameter.
#[derive(Debug, Clone, PartialEq)]
pub enum Allowed {
    /// One of these values. Plots and words are given by index, and reals by value.
    Values(Vec<f64>),
    /// Any real number in a closed range.
    Range {
        /// The lowest value.
        low: f64,
        /// The highest value.
        high: f64,
    },
}

impl Allowed {
    /// The values in the flat list of actions: all allowed values, or `bins` evenly spaced values from a range.
    pub fn offered(&self, bins: usize) -> Vec<f64> {
        match self {
            Self::Values(values) => values.clone(),
            Self::Range { low, high } => (0..self.offered_len(bins)).map(|k| bin(*low, *high, bins, k)).collect(),
        }
    }

    fn contains(&self, value: f64) -> bool {
        match self {
            Self::Values(values) => index_of(values, value).is_some(),
            Self::Range { low, high } => (*low..=*high).contains(&value),
        }
    }

    /// The number of values in the flat list of actions.
    pub(crate) fn offered_len(&self, bins: usize) -> usize {
        match self {
            Self::Values(values) => values.len(),
            Self::Range { low, high } if low == high => 1,
            Self::Range { .. } => bins.max(1),
        }
    }

    /// The index of a value among the values in the flat list of actions.
    fn offered_index(&self, bins: usize, value: f64) -> Option<usize> {
        match self {
            Self::Values(values) => index_of(values, value),
            Self::Range { low, high } => (0..self.offered_len(bins)).find(|k| bin(*low, *high, bins, *k) == value),
        }
    }
}

/// The `k`th of the `bins` evenly spaced values in a range.
fn bin(low: f64, high: f64, bins: usize, k: usize) -> f64 {
    if bins <= 1 || low == high { low } else { low + (high - low) * k as f64 / (bins - 1) as f64 }
}

/// The index of a value in a list of allowed values.
/// There are many plots, and usually all of them are allowed, in order. A plot's position in the list then equals its index. Other sorted
/// lists use binary search.
fn index_of(values: &[f64], value: f64) -> Option<usize> {
    let own = value as usize;
    if values.get(own) == Some(&value) {
        return Some(own);
    }
    if let Ok(place) = values.binary_search_by(|other| other.total_cmp(&value)) {
        return Some(place);
    }
    values.iter().position(|other| *other == value)
}

/// What a base action does. Match it without a `_` arm, like [`ActionKind`].
#[derive(Debug, Clone, PartialEq)]
pub enum ActionTarget {
    /// An action that the part declares, by index.
    Intervention(usize),
    /// An observation of some of the part's variables.
    Observation(Request),
}

/// One part's variables that are observed together.
#[derive(Debug, Clone, PartialEq, farm_macros::Getters)]
pub struct Request {
    /// The name as written, such as `air_temperature`.
    pub(crate) name: String,
    /// The path below the name: group keys, a plot, an index. If empty, everything below the name is observed.
    pub(crate) path: Vec<Json>,
    /// The quantities that the request covers.
    pub(crate) references: Vec<Reference>,
    /// The ranges in the observation vector that the request makes visible.
    #[getter(skip)]
    pub(crate) values: Vec<Range<u32>>,
}

/// One of a part's actions, as the rules allow it.
#[derive(Debug, Clone, PartialEq, farm_macros::Getters)]
pub struct BaseAction {
    /// The index, among all farmers, of the farmer that executes the action.
    pub(crate) farmer: usize,
    /// The index of the part that the action belongs to.
    pub(crate) part: usize,
    /// The action or observation.
    pub(crate) target: ActionTarget,
    /// The values that the rules allow for each parameter.
    pub(crate) parameters: Vec<Allowed>,
    /// The cost of each execution.
    pub(crate) cost: f64,
    /// Why it is rejected when it would have no effect, if the rules reject such actions.
    #[getter(skip)]
    pub(crate) futile: Option<&'static str>,
}

impl BaseAction {
    /// Whether this is an observation or an intervention.
    pub fn kind(&self) -> ActionKind {
        match self.target {
            ActionTarget::Intervention(_) => ActionKind::Intervention,
            ActionTarget::Observation(_) => ActionKind::Observation,
        }
    }

    /// The action's declaration, if it is an intervention.
    pub fn info<'p>(&self, parts: &'p [PartInfo]) -> Option<&'p ActionInfo> {
        match self.target {
            ActionTarget::Intervention(action) => parts[self.part].actions.get(action),
            ActionTarget::Observation(_) => None,
        }
    }

    /// The name of the farmer that executes the action.
    pub fn farmer_name<'p>(&self, parts: &'p [PartInfo]) -> &'p str {
        farmer_name(parts, self.farmer)
    }

    /// The name of the action or of the observed variable.
    pub fn name<'p>(&'p self, parts: &'p [PartInfo]) -> &'p str {
        match &self.target {
            ActionTarget::Intervention(action) => &parts[self.part].actions[*action].name,
            ActionTarget::Observation(request) => &request.name,
        }
    }
}

/// All actions that a game allows.
#[derive(Debug, Clone, Default, farm_macros::Getters)]
pub struct ActionTable {
    /// The base actions: first the observations, then the interventions, each in the order used in the rules.
    pub(crate) base_actions: Vec<BaseAction>,
    /// Every base action with every combination of the offered values.
    pub(crate) calls: Vec<Call>,
    /// The number of values that the flat list offers for a continuous parameter.
    pub(crate) bins: usize,
    /// The maximum number of actions in one schedule.
    pub(crate) max_schedule: usize,
    /// The range of calls for each base action.
    ranges: Vec<Range<usize>>,
    /// The call that only lets time pass. If the game has no such call, an empty schedule does the same.
    wait: Option<usize>,
    /// The indices of the farmers that can act.
    farmers: Vec<usize>,
    parts: Arc<Vec<PartInfo>>,
    fields: Vec<Arc<FieldInfo>>,
}

impl ActionTable {
    pub(crate) fn new(
        bases: Vec<BaseAction>,
        bins: usize,
        max_schedule: usize,
        looks: bool,
        parts: Arc<Vec<PartInfo>>,
        fields: Vec<Arc<FieldInfo>>,
    ) -> Self {
        let len = |base: &BaseAction| base.parameters.iter().map(|p| p.offered_len(bins)).product::<usize>();
        // The capacity is exact, because a list that grows takes up to twice as much memory.
        let mut calls = Vec::with_capacity(bases.iter().map(len).sum());
        let mut ranges = Vec::with_capacity(bases.len());
        for (i, base) in bases.iter().enumerate() {
            let start = calls.len();
            let offered: Vec<Vec<f64>> = base.parameters.iter().map(|p| p.offered(bins)).collect();
            let combinations: usize = offered.iter().map(Vec::len).product();
            for combination in 0..combinations {
                // The last parameter varies fastest.
                let mut arguments = [0.0; MAX_ARGUMENTS];
                let mut rest = combination;
                for (slot, values) in arguments.iter_mut().zip(&offered).rev() {
                    *slot = values[rest % values.len()];
                    rest /= values.len();
                }
                calls.push(Call { base: i as u32, arguments });
            }
            ranges.push(start..calls.len());
        }
        // If observations have their own half of the day, an empty schedule lets time pass in both halves.
        let waits = |call: &Call| bases[call.base()].info(&parts).is_some_and(|action| action.waits);
        let wait = if looks { None } else { calls.iter().position(waits) };
        let mut farmers: Vec<usize> = bases.iter().map(|base| base.farmer).collect();
        farmers.sort_unstable();
        farmers.dedup();
        Self { base_actions: bases, calls, bins, max_schedule, ranges, wait, farmers, parts, fields }
    }

    /// The length of the flat list: all calls, plus the empty schedule (id 0) if no call only lets time pass.
    pub fn discrete_len(&self) -> usize {
        self.calls.len() + self.first_call()
    }

    /// The id of the first call: 1 if id 0 means an empty schedule, otherwise 0.
    fn first_call(&self) -> usize {
        usize::from(self.wait.is_none())
    }

    /// The schedule for an id in the flat list: one call, or none.
    #[inline]
    pub fn discrete(&self, id: usize) -> Option<&[Call]> {
        match self.wait {
            Some(_) => self.calls.get(id).map(std::slice::from_ref),
            None if id == 0 => Some(&[]),
            None => self.calls.get(id - 1).map(std::slice::from_ref),
        }
    }

    /// The call's id in the flat list; `None` if the call has a continuous value that the list does not offer.
    pub fn discrete_of(&self, call: &Call) -> Option<usize> {
        let mut index = 0;
        // The last parameter varies fastest.
        for (allowed, value) in self.base_actions.get(call.base())?.parameters.iter().zip(call.arguments) {
            index = index * allowed.offered_len(self.bins) + allowed.offered_index(self.bins, value)?;
        }
        index += self.ranges[call.base()].start;
        (self.calls.get(index) == Some(call)).then_some(index + self.first_call())
    }

    /// A base action's ids in the flat list.
    pub fn ids_of(&self, base: usize) -> Range<usize> {
        let range = &self.ranges[base];
        range.start + self.first_call()..range.end + self.first_call()
    }

    /// Creates a call for a base action with these arguments (plots and words by index). Returns `None` if the rules do not allow the
    /// arguments.
    pub fn call(&self, base: usize, arguments: &[f64]) -> Option<Call> {
        let parameters = &self.base_actions.get(base)?.parameters;
        let fits = parameters.len() == arguments.len()
            && parameters.iter().zip(arguments).all(|(allowed, value)| allowed.contains(*value));
        let mut all = [0.0; MAX_ARGUMENTS];
        all.iter_mut().zip(arguments).for_each(|(slot, value)| *slot = *value);
        fits.then_some(Call { base: base as u32, arguments: all })
    }

    /// All calls for a base action, in flat-list order.
    pub fn calls_of(&self, base: usize) -> &[Call] {
        &self.calls[self.ranges[base].clone()]
    }

    /// The schedule that only lets time pass.
    pub fn waiting(&self) -> &[Call] {
        match self.wait {
            Some(index) => &self.calls[index..=index],
            None => &[],
        }
    }

    /// The number of observations that the rules allow.
    pub fn observation_count(&self) -> usize {
        self.base_actions.iter().filter(|base| base.kind() == ActionKind::Observation).count()
    }

    fn part(&self, base: &BaseAction) -> &PartInfo {
        &self.parts[base.part]
    }

    fn field(&self, base: &BaseAction) -> Option<&FieldInfo> {
        self.part(base).field.map(|f| self.fields[f].as_ref())
    }

    fn farmer(&self, base: &BaseAction) -> &str {
        self.farmer_name(base.farmer)
    }

    fn farmer_name(&self, rank: usize) -> &str {
        farmer_name(&self.parts, rank)
    }

    /// The names of the farmers that can act, in order.
    pub fn farmers(&self) -> impl ExactSizeIterator<Item = &str> {
        self.farmers.iter().map(|rank| self.farmer_name(*rank))
    }

    /// The prefix that names an action's farmer: `BasicFarmer-1: ` if several farmers can act, otherwise empty.
    pub fn address(&self, base: &BaseAction) -> String {
        if self.farmers.len() > 1 { format!("{}: ", self.farmer(base)) } else { String::new() }
    }
}

/// The name of the farmer with this index.
fn farmer_name(parts: &[PartInfo], rank: usize) -> &str {
    parts.iter().filter(|part| part.field.is_none()).map(|part| part.name.as_str()).nth(rank).unwrap_or_default()
}

/// The flat index of plot `(x, y)` in a field; `None` if the plot is outside the field.
pub(crate) fn plot_index(plot: &[usize], field: &FieldInfo) -> Option<usize> {
    match plot {
        [x, y] if *x < field.length && *y < field.width => Some(x * field.width + y),
        _ => None,
    }
}
