//! The action catalogue: what may be done in a game, as base actions and as a flat list.
//!
//! An [`Action`] is what is chosen for a step, in whatever form; a [`Call`] is one action of the game with its arguments, ready to execute,
//! and an action means a schedule of calls. Between the two, whatever a front end writes for an argument is an [`Argument`].
//!
//! `names` reads and writes actions as programs write them, `text` as people and language models do (`reply` finds them among other
//! words), `gym` as learners do.
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
mod names;
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

/// The most parameters an action can have.
pub const MAX_ARGUMENTS: usize = 4;

/// The two kinds of actions, and no more. Each has its half of the day where looking costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ActionKind {
    /// A look at variables; it changes nothing but what is known.
    Observation,
    /// Something that changes the farm.
    Intervention,
}

impl ActionKind {
    /// The word for it.
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
    /// Which base action of the catalogue it is.
    pub fn base(&self) -> usize {
        self.base as usize
    }

    /// Its arguments.
    #[inline]
    pub fn arguments(&self) -> CallArguments<'_> {
        CallArguments(&self.arguments)
    }
}

/// The arguments of a call, as the acting part receives them.
#[derive(Debug, Clone, Copy)]
pub struct CallArguments<'a>(pub(crate) &'a [f64; MAX_ARGUMENTS]);

impl CallArguments<'_> {
    /// A plot, by flat index.
    #[inline]
    pub fn plot(&self, parameter: usize) -> usize {
        // Plots and words are few: the way by 32 bits takes a third of the instructions.
        self.0[parameter] as u32 as usize
    }

    /// A real number.
    #[inline]
    pub fn real(&self, parameter: usize) -> f64 {
        self.0[parameter]
    }

    /// A word, by index.
    #[inline]
    pub fn choice(&self, parameter: usize) -> usize {
        self.0[parameter] as u32 as usize
    }
}

/// What values the rules leave to a parameter.
#[derive(Debug, Clone, PartialEq)]
pub enum Allowed {
    /// One of these: plots and words by index, reals by value.
    Values(Vec<f64>),
    /// Any real in a closed range.
    Range {
        /// Lowest value.
        low: f64,
        /// Highest value.
        high: f64,
    },
}

impl Allowed {
    /// The values that a flat list of actions offers: all of them, or `bins` evenly spaced ones of a range.
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

    /// How many values a flat list of actions offers.
    pub(crate) fn offered_len(&self, bins: usize) -> usize {
        match self {
            Self::Values(values) => values.len(),
            Self::Range { low, high } if low == high => 1,
            Self::Range { .. } => bins.max(1),
        }
    }

    /// Where a value stands among those that a flat list of actions offers.
    fn offered_index(&self, bins: usize, value: f64) -> Option<usize> {
        match self {
            Self::Values(values) => index_of(values, value),
            Self::Range { low, high } => (0..self.offered_len(bins)).find(|k| bin(*low, *high, bins, *k) == value),
        }
    }
}

/// One of the evenly spaced values of a range.
fn bin(low: f64, high: f64, bins: usize, k: usize) -> f64 {
    if bins <= 1 || low == high { low } else { low + (high - low) * k as f64 / (bins - 1) as f64 }
}

/// Where a value stands in a list of allowed ones. Plots are many and usually all of them in order, so that a plot stands at its
/// own number; of other lists in order, the place is found by halves.
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

/// What a base action does; matched without a `_`, as [`ActionKind`] is.
#[derive(Debug, Clone, PartialEq)]
pub enum ActionTarget {
    /// An action of the part, by index.
    Intervention(usize),
    /// A look at variables of the part.
    Observation(Request),
}

/// Variables of a part that are asked for together.
#[derive(Debug, Clone, PartialEq, farm_macros::Getters)]
pub struct Request {
    /// The name as it was written, such as `air_temperature`.
    pub(crate) name: String,
    /// The path below it: keys of a group, a plot, an index; empty for all of it.
    pub(crate) path: Vec<Json>,
    /// What it shows.
    pub(crate) references: Vec<Reference>,
    /// Which values of the observation it makes visible.
    #[getter(skip)]
    pub(crate) values: Vec<Range<u32>>,
}

/// An action of a part as the rules allow it.
#[derive(Debug, Clone, PartialEq, farm_macros::Getters)]
pub struct BaseAction {
    /// Rank of the farmer who executes it.
    pub(crate) farmer: usize,
    /// Index of the part it concerns.
    pub(crate) part: usize,
    /// What it does.
    pub(crate) target: ActionTarget,
    /// What its parameters may be.
    pub(crate) parameters: Vec<Allowed>,
    /// What one execution costs.
    pub(crate) cost: f64,
}

impl BaseAction {
    /// Whether it looks or acts.
    pub fn kind(&self) -> ActionKind {
        match self.target {
            ActionTarget::Intervention(_) => ActionKind::Intervention,
            ActionTarget::Observation(_) => ActionKind::Observation,
        }
    }

    /// The declaration of the action, for an intervention.
    pub fn info<'p>(&self, parts: &'p [PartInfo]) -> Option<&'p ActionInfo> {
        match self.target {
            ActionTarget::Intervention(action) => parts[self.part].actions.get(action),
            ActionTarget::Observation(_) => None,
        }
    }

    /// The name of the farmer who executes it.
    pub fn farmer_name<'p>(&self, parts: &'p [PartInfo]) -> &'p str {
        farmer_name(parts, self.farmer)
    }

    /// The name of the action, or of the variable that is looked at.
    pub fn name<'p>(&'p self, parts: &'p [PartInfo]) -> &'p str {
        match &self.target {
            ActionTarget::Intervention(action) => &parts[self.part].actions[*action].name,
            ActionTarget::Observation(request) => &request.name,
        }
    }
}

/// All that may be done in a game.
#[derive(Debug, Clone, Default, farm_macros::Getters)]
pub struct ActionTable {
    /// The base actions: observations first, then interventions, each in the order of the rules.
    pub(crate) base_actions: Vec<BaseAction>,
    /// Every base action with every combination of the values offered.
    pub(crate) calls: Vec<Call>,
    /// How many values of a continuous parameter the flat list offers.
    pub(crate) bins: usize,
    /// The most actions in one schedule.
    pub(crate) max_schedule: usize,
    /// Which calls belong to each base action.
    ranges: Vec<Range<usize>>,
    /// The call that only lets time pass, if the game has one; otherwise an empty schedule does.
    wait: Option<usize>,
    /// Who may do anything, by rank.
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
        // Exactly: a list that grows takes up to twice as much.
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
        // Where looking has a half of the day, time passes in both halves with an empty schedule.
        let waits = |call: &Call| bases[call.base()].info(&parts).is_some_and(|action| action.waits);
        let wait = if looks { None } else { calls.iter().position(waits) };
        let mut farmers: Vec<usize> = bases.iter().map(|base| base.farmer).collect();
        farmers.sort_unstable();
        farmers.dedup();
        Self { base_actions: bases, calls, bins, max_schedule, ranges, wait, farmers, parts, fields }
    }

    /// Size of the flat list: every call, and doing nothing where the game has no action for it (id 0 then).
    pub fn discrete_len(&self) -> usize {
        self.calls.len() + self.first_call()
    }

    /// The id of the first call: 1 where id 0 means an empty schedule.
    fn first_call(&self) -> usize {
        usize::from(self.wait.is_none())
    }

    /// The schedule of an id of the flat list: one call, or none.
    #[inline]
    pub fn discrete(&self, id: usize) -> Option<&[Call]> {
        match self.wait {
            Some(_) => self.calls.get(id).map(std::slice::from_ref),
            None if id == 0 => Some(&[]),
            None => self.calls.get(id - 1).map(std::slice::from_ref),
        }
    }

    /// The id of a call in the flat list; none for a continuous value between those that the list offers.
    pub fn discrete_of(&self, call: &Call) -> Option<usize> {
        let mut index = 0;
        // The last parameter varies fastest.
        for (allowed, value) in self.base_actions.get(call.base())?.parameters.iter().zip(call.arguments) {
            index = index * allowed.offered_len(self.bins) + allowed.offered_index(self.bins, value)?;
        }
        index += self.ranges[call.base()].start;
        (self.calls.get(index) == Some(call)).then_some(index + self.first_call())
    }

    /// The ids of the flat list that belong to a base action.
    pub fn ids_of(&self, base: usize) -> Range<usize> {
        let range = &self.ranges[base];
        range.start + self.first_call()..range.end + self.first_call()
    }

    /// The call of a base action with these arguments, plots and words by index; none if the rules do not allow them.
    pub fn call(&self, base: usize, arguments: &[f64]) -> Option<Call> {
        let parameters = &self.base_actions.get(base)?.parameters;
        let fits = parameters.len() == arguments.len()
            && parameters.iter().zip(arguments).all(|(allowed, value)| allowed.contains(*value));
        let mut all = [0.0; MAX_ARGUMENTS];
        all.iter_mut().zip(arguments).for_each(|(slot, value)| *slot = *value);
        fits.then_some(Call { base: base as u32, arguments: all })
    }

    /// The calls of a base action, in the order of the flat list.
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

    /// How many interventions the rules allow: discrete ones, and those with a continuous parameter, each combination of
    /// the other parameters counted once (the counts of the Farm-gym paper, 3.1.3).
    pub fn intervention_counts(&self) -> (usize, usize) {
        let (mut discrete, mut continuous) = (0, 0);
        for base in self.base_actions.iter().filter(|base| base.kind() == ActionKind::Intervention) {
            let values = base.parameters.iter().filter_map(|allowed| match allowed {
                Allowed::Values(values) => Some(values.len()),
                Allowed::Range { .. } => None,
            });
            let combinations: usize = values.product();
            if base.parameters.iter().any(|allowed| matches!(allowed, Allowed::Range { .. })) {
                continuous += combinations;
            } else {
                discrete += combinations;
            }
        }
        (discrete, continuous)
    }

    /// How many observations the rules allow to ask for.
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

    /// The names of the farmers who may do anything, in order.
    pub fn farmers(&self) -> impl ExactSizeIterator<Item = &str> {
        self.farmers.iter().map(|rank| self.farmer_name(*rank))
    }

    /// What an action's name begins with to say whose it is: `BasicFarmer-1: ` where several farmers act, otherwise nothing.
    pub fn address(&self, base: &BaseAction) -> String {
        if self.farmers.len() > 1 { format!("{}: ", self.farmer(base)) } else { String::new() }
    }
}

/// The name of a farmer, by rank.
fn farmer_name(parts: &[PartInfo], rank: usize) -> &str {
    parts.iter().filter(|part| part.field.is_none()).map(|part| part.name.as_str()).nth(rank).unwrap_or_default()
}

/// The flat index of a plot `(x, y)` of a field; none outside it.
pub(crate) fn plot_index(plot: &[usize], field: &FieldInfo) -> Option<usize> {
    match plot {
        [x, y] if *x < field.length && *y < field.width => Some(x * field.width + y),
        _ => None,
    }
}
