//! A step's results other than the reward, for programs: costs, events, rejected actions, and why the episode ended.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::{Value as Json, json};

use super::Environment;
use crate::action::{ActionKind, ActionTable, Call};
use crate::declare::EventId;
use crate::part::ConstraintInfo;

/// The last step's results other than the reward. The command line prints the JSON form as `info`.
#[derive(Debug, Clone, PartialEq, Serialize, farm_macros::Getters)]
pub struct StepInfo<'e> {
    /// The number of days that have passed.
    pub(crate) step: u32,
    /// What the next step expects: observations or interventions.
    #[serde(serialize_with = "kind_name")]
    #[getter(copy)]
    pub(crate) expects: ActionKind,
    /// The cost of the interventions executed.
    #[serde(rename = "intervention cost")]
    pub(crate) intervention_cost: f64,
    /// The cost of the observations requested.
    #[serde(rename = "observation cost")]
    pub(crate) observation_cost: f64,
    /// The weighted cost of the step over all constraints.
    pub(crate) cost: f64,
    /// The step's cost for each constraint.
    #[serde(serialize_with = "by_name")]
    pub(crate) constraints: Vec<ConstraintCost<'e>>,
    /// The events, in order.
    pub(crate) events: Vec<StepEvent<'e>>,
    /// What was not executed, and why.
    pub(crate) rejected: Vec<RejectedAction<'e>>,
    /// The number of further rejected actions that are not listed.
    #[serde(rename = "rejected more")]
    pub(crate) rejected_more: usize,
    /// The number of replies in this episode that could not be read completely.
    #[serde(rename = "refused texts")]
    pub(crate) rejected_texts: u64,
    /// Why the episode ended, if it did.
    pub(crate) stop: Option<String>,
}

impl StepInfo<'_> {
    /// The JSON form, with the names that all front ends show.
    pub fn to_json(&self) -> Json {
        json!(self)
    }
}

/// An event that happened in a step.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, farm_macros::Getters)]
pub struct StepEvent<'e> {
    /// The event kind's identifier in the game.
    #[serde(skip)]
    #[getter(copy)]
    pub(crate) id: EventId,
    /// The event's name.
    pub(crate) kind: &'e str,
    /// The path of the part that reported it.
    #[serde(rename = "source")]
    pub(crate) part: &'e str,
    /// The plot where it happened, as a flat index.
    pub(crate) plot: u32,
    /// The amount, or the index of a word.
    pub(crate) value: f64,
    /// The word for the value, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) label: Option<&'e str>,
}

/// The cost of a step for one constraint.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, farm_macros::Getters)]
pub struct ConstraintCost<'e> {
    /// The constraint's name.
    #[serde(skip)]
    pub(crate) name: &'e str,
    /// The cost in this step.
    pub(crate) value: f64,
    /// The total cost in the episode so far.
    pub(crate) total: f64,
    /// The limit on the total, if the constraint has one.
    pub(crate) limit: Option<f64>,
}

/// A chosen action that was not executed.
#[derive(Debug, Clone, Copy)]
pub struct RejectedAction<'e> {
    what: Rejected<'e>,
    reason: &'e str,
    catalogue: &'e ActionTable,
}

/// What was rejected.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Rejected<'e> {
    /// One of the game's actions.
    Call(&'e Call),
    /// Input that is not one of the game's actions, unchanged.
    Unread(&'e Json),
}

impl<'e> RejectedAction<'e> {
    /// What was rejected.
    pub fn what(&self) -> Rejected<'e> {
        self.what
    }

    /// The reason, as a short sentence.
    pub fn reason(&self) -> &'e str {
        self.reason
    }

    /// The action in the JSON form that programs use; see [`ActionTable::to_json`].
    pub fn action(&self) -> Json {
        match self.what {
            Rejected::Call(call) => self.catalogue.to_json(call),
            Rejected::Unread(given) => given.clone(),
        }
    }
}

impl PartialEq for RejectedAction<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.reason == other.reason && self.action() == other.action()
    }
}

impl Serialize for RejectedAction<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("action", &self.action())?;
        map.serialize_entry("reason", self.reason)?;
        map.end()
    }
}

fn kind_name<S: Serializer>(kind: &ActionKind, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(kind.name())
}

fn by_name<S: Serializer>(constraints: &[ConstraintCost<'_>], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(constraints.iter().map(|constraint| (constraint.name, constraint)))
}

impl Environment {
    /// The last step's results other than the reward: costs, constraints, events, rejected actions, and why the episode ended.
    pub fn info(&self) -> StepInfo<'_> {
        let (record, last) = (&self.record, self.last_step());
        StepInfo {
            step: self.state.step,
            expects: self.expects(),
            intervention_cost: record.intervention_cost,
            observation_cost: record.observation_cost,
            cost: ConstraintInfo::total_cost(&self.game.constraints, &record.constraint_costs),
            constraints: last.constraints().collect(),
            events: last.events().collect(),
            rejected: last.rejected().collect(),
            rejected_more: record.rejected_more,
            rejected_texts: last.rejected_texts(),
            stop: record.stop.map(|stop| self.game.text().stop_reason(stop)),
        }
    }

    /// What happened in the last step, one item at a time. [`Environment::info`] collects all of it.
    pub fn last_step(&self) -> LastStep<'_> {
        LastStep { environment: self }
    }
}

/// What happened in the last step, besides the reward.
#[derive(Debug, Clone, Copy)]
pub struct LastStep<'e> {
    environment: &'e Environment,
}

impl<'e> LastStep<'e> {
    /// The events in the last step.
    pub fn events(self) -> impl ExactSizeIterator<Item = StepEvent<'e>> {
        self.environment.record.events.iter().map(move |event| {
            let (part, info) = &self.environment.game.events[event.id.index()];
            StepEvent {
                id: event.id,
                kind: &info.name,
                part: &self.environment.game.parts[*part].path,
                plot: event.plot,
                value: event.value,
                label: info.label(event.value),
            }
        })
    }

    /// What was not executed in the last step: first the rejected actions in the step's record, then the unreadable input.
    pub fn rejected(self) -> impl Iterator<Item = RejectedAction<'e>> {
        let catalogue = &self.environment.game.catalogue;
        let calls = self
            .environment
            .record
            .rejected
            .iter()
            .map(|rejection| (Rejected::Call(&rejection.call), rejection.reason));
        let unread = self.environment.unknown.iter().map(|(given, reason)| (Rejected::Unread(given), reason.as_str()));
        calls.chain(unread).map(move |(what, reason)| RejectedAction { what, reason, catalogue })
    }

    /// The last step's cost for each of the game's constraints.
    pub fn constraints(self) -> impl ExactSizeIterator<Item = ConstraintCost<'e>> {
        let reader = self.environment.game.reader(&self.environment.state);
        self.environment.game.constraints.iter().zip(&self.environment.record.constraint_costs).map(
            move |(info, value)| ConstraintCost {
                name: &info.name,
                value: *value,
                total: reader.get(info.total).first().copied().unwrap_or_default(),
                limit: info.limit,
            },
        )
    }

    /// The number of replies in this episode that could not be read completely, whether they were rejected or counted as waiting.
    pub fn rejected_texts(self) -> u64 {
        self.environment.turn.rejected_texts
    }
}
