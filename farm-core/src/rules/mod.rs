//! Compiled rules, and the builder that resolves a `Rule` against the game's parts.
//!
//! ```
//! use farm_core::rules::InteractionMode;
//!
//! let mode: InteractionMode = farm_core::serde_yaml::from_str("aomdp").unwrap();
//! assert_eq!(mode, InteractionMode::Aomdp);
//! ```

mod actions;
mod errors;
mod initial;
mod observations;

use std::path::PathBuf;
use std::sync::Arc;

use serde_yaml::Value;

use crate::action::{ActionKind, BaseAction};

use crate::config::{Path, Problem, Problems, to_inline_yaml};
use crate::declare::{FieldInfo, Names, PartInfo, Reference};

pub use crate::condition::{Condition, ConditionError, Conditions, Formula, Reading};
pub use errors::RuleError;
pub use initial::Initial;
pub use observations::MAX_SINGLE_PLOTS;

/// The order of observations and interventions, and whether observations are priced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
#[non_exhaustive]
pub enum InteractionMode {
    /// Free observations, then one schedule of interventions a step.
    Pomdp,
    /// Free observations and a schedule of paid ones, then a schedule of interventions: two steps a day.
    Aomdp,
    /// All visible variables are observed, then one schedule of interventions a step.
    Fomdp,
}

/// What happens at the step limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum AtLimit {
    /// The episode is truncated; the game itself could continue.
    #[default]
    Truncated,
    /// The episode terminates; the limit is part of the game.
    Terminated,
}

/// A game's start, its allowed actions, its free observations and its end.
#[derive(Debug, Clone, Default)]
pub struct Rules {
    /// The initial conditions.
    pub initial: Vec<Initial>,
    /// The free observations, with their keys.
    pub free: Vec<(String, Reference)>,
    /// The allowed actions. Their costs come from the score.
    pub base_actions: Vec<BaseAction>,
    /// The number of values that the flat list of actions offers for a continuous parameter.
    pub bins: usize,
    /// The maximum number of actions in one schedule.
    pub max_schedule: usize,
    /// The stopping conditions.
    pub stopping: Formula,
    /// The number of intervention schedules per day. A rule may leave it at 0, which the compiled game holds as 1.
    pub steps_per_day: u32,
    /// The maximum number of days in an episode.
    pub max_steps: Option<u32>,
    /// Whether the episode terminates or is truncated at this limit.
    pub at_limit: AtLimit,
    /// The maximum total cost of the actions in one schedule.
    pub max_cost: f64,
    /// Whether costs are only reported in `info` instead of being subtracted from the reward.
    pub costs_in_info_only: bool,
    /// How the rules treat an action that would have no effect.
    pub futile: Futile,
    /// How the rules treat text that is not a valid action in the game.
    pub unreadable: Unreadable,
    /// The maximum number of rejected replies in a row. After that, the next unreadable reply counts as a wait. `None` means no limit.
    pub max_refused_texts: Option<u32>,
}

/// How an action is treated that would have no effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
pub enum Futile {
    /// It is executed, and costs as much as any other.
    Paid,
    /// It is rejected with its reason, costs nothing, and is not in the mask of allowed actions.
    Rejected,
}

/// How a text that is not a valid action of the game is treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
#[non_exhaustive]
pub enum Unreadable {
    /// The text is rejected as a whole: no time passes, and `info` states the reason.
    Reject,
    /// The unreadable part counts as doing nothing, and `info` states the reason.
    Wait,
}

/// Gives a rule access to the game's parts.
pub struct RuleBuilder<'a> {
    pub(crate) names: Names<'a>,
    pub(crate) path: Path,
    pub(crate) problems: &'a mut Problems,
    pub(crate) mode: InteractionMode,
    /// Whether the rules list the allowed actions; otherwise all actions are allowed.
    pub(crate) lists_actions: bool,
    /// Whether players can request observations, in the game itself or in one of its presets.
    pub(crate) may_look: bool,
    pub(crate) directory: Option<&'a PathBuf>,
    /// Whether a farmer may ever act or observe (given by the action kind) in a field.
    pub(crate) allows: &'a dyn Fn(usize, ActionKind, Option<usize>) -> bool,
}

impl std::fmt::Debug for RuleBuilder<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RuleBuilder").field("path", &self.path).field("mode", &self.mode).finish_non_exhaustive()
    }
}

impl RuleBuilder<'_> {
    /// All fields on the farm.
    pub fn fields(&self) -> &[Arc<FieldInfo>] {
        self.names.fields
    }

    /// The declarations of all parts in the game.
    pub fn parts(&self) -> &[PartInfo] {
        self.names.parts
    }

    /// The folder of the configuration file. `None` if the configuration was not read from a file.
    pub fn directory(&self) -> Option<&std::path::Path> {
        self.directory.map(PathBuf::as_path)
    }

    /// Reports a problem in the rule's own parameters. The problem's path starts at the rule.
    pub fn problem(&mut self, problem: Problem) {
        self.problems.push(problem.below(&self.path));
    }

    /// Reads the stopping conditions: a list (or) of lists (and).
    pub fn stopping_conditions(&mut self, value: &Value, key: &str) -> Formula {
        if value.is_null() {
            return Formula::default();
        }
        Formula::parse(value, self.names, false, &self.path.child(key), self.problems)
    }

    /// The entries at one level of a tree. Null has no entries, and anything else that is not a mapping is a problem.
    fn entries(&mut self, value: &Value, path: &Path, of: &str) -> serde_yaml::Mapping {
        match value {
            Value::Null => serde_yaml::Mapping::new(),
            Value::Mapping(entries) => entries.clone(),
            other => {
                let problem = Problem::new(RuleError::NotATree, path.clone(), format!("expected a mapping of {of}"))
                    .value(to_inline_yaml(other));
                self.problems.push(problem.expected(format!("{of}, each with a colon")));
                serde_yaml::Mapping::new()
            }
        }
    }

    /// Walks a tree `{field: {entity: leaf}}` and `{farm-level part: leaf}`, and calls `leaf` with each leaf's mapping.
    fn visit_parts(
        &mut self,
        tree: &Value,
        path: &Path,
        leaf: &mut dyn FnMut(&mut Self, usize, &serde_yaml::Mapping, &Path),
    ) {
        if tree.is_null() {
            return;
        }
        let Some(entries) = tree.as_mapping() else {
            self.problems.push(
                Problem::new(RuleError::NotATree, path.clone(), "expected a mapping from fields to entities")
                    .value(to_inline_yaml(tree))
                    .expected("{FIELD: {ENTITY: {NAME: …}}}"),
            );
            return;
        };
        for (first, below) in entries {
            let first = first.as_str().unwrap_or("?");
            let path = path.child(first);
            if self.names.fields.iter().any(|f| f.name == first) {
                for (second, content) in &self.entries(below, &path, "entities") {
                    let second = second.as_str().unwrap_or("?");
                    let path = path.child(second);
                    match self.names.part(first, Some(second)) {
                        Some((part, _)) => {
                            let content = self.entries(content, &path, "names");
                            leaf(self, part, &content, &path);
                        }
                        None => self.problems.push(self.names.unknown_part(first, Some(second), &path).about_name()),
                    }
                }
            } else {
                match self.names.part(first, None) {
                    Some((part, _)) => {
                        let content = self.entries(below, &path, "names");
                        leaf(self, part, &content, &path);
                    }
                    None => self.problems.push(self.names.unknown_part(first, None, &path).about_name()),
                }
            }
        }
    }
}
