//! The rule of all games: everything that it says is resolved against the parts of the game when it is built.
//!
//! Source: Farm-gym paper 3.1.3 (starting conditions, free observations, allowed actions, stopping conditions).

use farm_core::Rule;
use farm_core::rules::{AtLimit, Conditions, RuleBuilder, Rules, Unreadable};

/// What the step limit is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
pub enum Limit {
    /// The episode is cut off; the game itself would go on.
    Truncated,
    /// The episode ends; the limit is part of the game.
    Terminated,
}

farm_core::free_form! {
    /// Values at the start.
    pub struct InitialConditions = "a tree of fields, entities and variables with their values";
    /// What is seen for free.
    pub struct FreeObservations = "a list of names, or a mapping from keys to names";
    /// What may be done.
    pub struct AllowedActions = "a tree of fields, entities and actions, or a list of action names";
    /// What can be asked for at a cost.
    pub struct OfferedObservations = "a tree of fields, entities and variables";
}

/// Initial conditions, free observations, allowed actions, stopping conditions and limits.
#[derive(Debug, Clone, farm_core::Parameters)]
pub struct BasicRule {
    /// Values at the start: {field: {entity: {variable: value}}}, where a list means a random choice for each entry and "(low, high)" a uniform draw.
    pub initial_conditions: InitialConditions,
    /// What is seen for free: a list of [field, entity, variable, path], or a mapping from keys to them.
    pub free_observations: FreeObservations,
    /// What may be done: {field: {entity: {action: {parameter: values}}}}, or a list of action names in order. Nothing said allows everything.
    pub actions: AllowedActions,
    /// What can be asked for at a cost in `aomdp`: {field: {entity: {variable: paths}}}, where a path is '*', a plot, an index or a mapping of the keys of a group. Nothing said offers everything visible.
    pub observations: OfferedObservations,
    /// The most actions in one step.
    #[parameter(default = 1, range = 0..=10_000)]
    pub max_action_schedule_size: u32,
    /// How many values of a continuous parameter the flat list of actions offers.
    #[parameter(name = "number_of_bins_to_discretize_continuous_actions", default = 11, range = 1..=10_000)]
    pub bins: u32,
    /// When the episode ends: a list (or) of lists (and) of {state_variable, function, operator, ref_value}.
    pub stopping_conditions: Conditions,
    /// How many steps make a day: time passes only with the last of them. More than 1 suits farmers who walk.
    #[parameter(default = 1, range = 1..=100_000)]
    pub steps_per_day: u32,
    /// After how many days (steps that let time pass) it ends in any case.
    #[parameter(range = 1..=1_000_000_000)]
    pub max_steps: Option<u32>,
    /// Whether the step limit terminates the episode or truncates it.
    #[parameter(default = Limit::Truncated)]
    pub at_max_steps: Limit,
    /// The most that the actions of one step may cost; those beyond are not executed.
    #[parameter(range = 0.0..=1e12)]
    pub max_action_schedule_cost: Option<f64>,
    /// Whether costs are told in `info` and not subtracted from the reward.
    pub costs_in_info_only: bool,
    /// What an action counts as that is written as text and can't be read.
    #[parameter(default = Unreadable::Reject)]
    pub unreadable: Unreadable,
    /// How many texts are refused before a step, where `unreadable` is `reject`: the next one that can't be read counts as a wait. Null for any number.
    #[parameter(range = 0..=1_000_000)]
    pub max_refused_texts: Option<u32>,
}

#[farm_core::register(source = "Farm-gym paper 3.1.3")]
impl Rule for BasicRule {
    fn build(&self, b: &mut RuleBuilder<'_>) -> Rules {
        Rules {
            initial: b.initial_conditions(&self.initial_conditions.0, "initial_conditions"),
            free: b.free_observations(&self.free_observations.0, "free_observations"),
            // ActiveObservation comes first in the day, and so in the catalogue.
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
            unreadable: self.unreadable,
            max_refused_texts: self.max_refused_texts,
        }
    }
}
