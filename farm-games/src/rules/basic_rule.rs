//! The rule of all games. When it is built, its names are resolved against the game's parts.
//!
//! Source: Farm-gym paper 3.1.3 (starting conditions, free observations, allowed actions, stopping conditions).

use farm_core::Rule;
use farm_core::rules::{AtLimit, Conditions, Futile, RuleBuilder, Rules, Unreadable};

/// The effect of the step limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
pub enum Limit {
    /// The episode is cut off, although the game itself would continue.
    Truncated,
    /// The episode ends; the limit is part of the game.
    Terminated,
}

farm_core::free_form! {
    /// Values at the start.
    pub struct InitialConditions = "a tree of fields, entities and variables with their values";
    /// Free observations.
    pub struct FreeObservations = "a list of names, or a mapping from keys to names";
    /// Allowed actions.
    pub struct AllowedActions = "a tree of fields, entities and actions, or a list of action names";
    /// Observations at a price.
    pub struct OfferedObservations = "a tree of fields, entities and variables";
}

/// Initial conditions, free observations, allowed actions, stopping conditions and limits.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct BasicRule {
    /// The values at the start: {field: {entity: {variable: value}}}. A list means a random choice for each entry, and "(low, high)" a
    /// uniform draw.
    pub initial_conditions: InitialConditions,
    /// The free observations: a list of [field, entity, variable, path], or a mapping from keys to them.
    pub free_observations: FreeObservations,
    /// The allowed actions: {field: {entity: {action: {parameter: values}}}}, or a list of action names in order. Default: all actions.
    pub actions: AllowedActions,
    /// The observations at a price in `aomdp`: {field: {entity: {variable: paths}}}. A path is '*', a plot, an index or a mapping of the
    /// keys of a group. Default: all visible variables.
    pub observations: OfferedObservations,
    /// The maximum number of actions in one step.
    #[parameter(default = 1, range = 0..=10_000)]
    pub max_action_schedule_size: u32,
    /// The number of values of a continuous parameter in the flat list of actions.
    #[parameter(name = "number_of_bins_to_discretize_continuous_actions", default = 11, range = 1..=10_000)]
    pub bins: u32,
    /// The conditions that end the episode: a list (or) of lists (and) of {state_variable, function, operator, ref_value}.
    pub stopping_conditions: Conditions,
    /// The number of steps per day. Time passes only with the last step of a day. Set more than 1 for walking farmers.
    #[parameter(default = 1, range = 1..=100_000)]
    pub steps_per_day: u32,
    /// The maximum length of an episode in days (steps that let time pass).
    #[parameter(range = 1..=1_000_000_000)]
    pub max_steps: Option<u32>,
    /// Whether the step limit terminates the episode or truncates it.
    #[parameter(default = Limit::Truncated)]
    pub at_max_steps: Limit,
    /// The maximum cost of the actions of one step; actions beyond it are not executed.
    #[parameter(range = 0.0..=1e12)]
    pub max_action_schedule_cost: Option<f64>,
    /// Whether costs are only reported in `info` and not subtracted from the reward.
    pub costs_in_info_only: bool,
    /// The treatment of an action that would have no effect. With priced observations, it is always paid: a rejection would tell what only a
    /// look shows.
    #[parameter(default = Futile::Paid)]
    pub futile_actions: Futile,
    /// The treatment of an action text that cannot be parsed.
    #[parameter(default = Unreadable::Reject)]
    pub unreadable: Unreadable,
    /// The maximum number of rejected texts in a row, if `unreadable` is `reject`. The next unreadable text counts as a wait.
    /// Null: no limit.
    #[parameter(range = 0..=1_000_000)]
    pub max_refused_texts: Option<u32>,
}

#[farm_core::register(source = "Farm-gym paper 3.1.3")]
impl Rule for BasicRule {
    fn build(&self, b: &mut RuleBuilder<'_>) -> Rules {
        Rules {
            initial: b.initial_conditions(&self.initial_conditions.0, "initial_conditions"),
            free: b.free_observations(&self.free_observations.0, "free_observations"),
            // Observations come first in the day, so they come first in the action table.
            base_actions: [b.observations(&self.observations.0, "observations"), b.actions(&self.actions.0, "actions")]
                .concat(),
            bins: self.bins as usize,
            max_schedule: self.max_action_schedule_size as usize,
            stopping: b.stopping_conditions(&self.stopping_conditions.0, "stopping_conditions"),
            steps_per_day: self.steps_per_day,
            max_steps: self.max_steps,
            at_limit: match self.at_max_steps {
                Limit::Truncated => AtLimit::Truncated,
                Limit::Terminated => AtLimit::Terminated,
            },
            max_cost: self.max_action_schedule_cost.unwrap_or(f64::INFINITY),
            costs_in_info_only: self.costs_in_info_only,
            futile: self.futile_actions,
            unreadable: self.unreadable,
            max_refused_texts: self.max_refused_texts,
        }
    }
}
