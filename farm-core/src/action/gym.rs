//! Actions for learners, as the paper's `MultiUnion[m]` and as views with a fixed shape.

use serde_json::{Value as Json, json};

use super::{ActionTable, ActionTarget, Allowed, Call, MAX_ARGUMENTS};
use crate::space::Space;

/// Why a value is not in the action space.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GymError {
    /// The value does not have the expected form.
    #[error("`{value}` is not an action of this game: expected a list of at most {max} pairs [index, value], {hint}")]
    Form {
        /// The value passed in.
        value: String,
        /// The maximum number of actions in one schedule.
        max: usize,
        /// The expected form of an item.
        hint: String,
    },
    /// The flat list has no action with this id.
    #[error("there is no action {id}: ids go from 0 to {last}")]
    NoSuchAction {
        /// The id passed in.
        id: usize,
        /// The largest id.
        last: usize,
    },
    /// The number of slots or bits does not match the view.
    #[error("an action of this view has {expected} entries, not {found}")]
    Length {
        /// The number of entries in the view.
        expected: usize,
        /// The number of entries passed in.
        found: usize,
    },
    /// More actions are chosen than fit in a schedule.
    #[error("{found} actions are chosen, but a schedule holds at most {max}")]
    TooMany {
        /// The number of actions chosen.
        found: usize,
        /// The maximum number of actions in one schedule.
        max: usize,
    },
    /// The view does not include this call.
    #[error("this view does not offer the action {action}")]
    NotOffered {
        /// The action.
        action: String,
    },
}

impl ActionTable {
    /// The paper's action space: `MultiUnion[m]` over the base actions. An observation is a `Discrete(1)`, and an intervention is a `Dict`
    /// of parameters.
    pub fn space(&self) -> Space {
        let option = |base: &super::BaseAction| match (base.info(&self.parts), &base.target) {
            (Some(action), _) => {
                let parameters = action.parameters.iter().zip(&base.parameters).map(|(parameter, allowed)| {
                    let space = match allowed {
                        Allowed::Values(values) => Space::Discrete { n: values.len() },
                        Allowed::Range { low, high } => Space::scalar(*low, *high),
                    };
                    (parameter.name.clone(), space)
                });
                Space::Dict(parameters.collect())
            }
            (None, ActionTarget::Observation(_) | ActionTarget::Intervention(_)) => Space::Discrete { n: 1 },
        };
        Space::MultiUnion { spaces: self.base_actions.iter().map(option).collect(), max: self.max_schedule }
    }

    /// Converts an element of [`ActionTable::space`], `[[index, value], …]`, into calls.
    ///
    /// # Errors
    /// The value is not in the space.
    pub fn gym_to_calls(&self, value: &Json) -> Result<Vec<Call>, GymError> {
        let wrong =
            |item: &Json, hint: String| GymError::Form { value: item.to_string(), max: self.max_schedule, hint };
        let whole = || "each with the index of a base action".to_owned();
        let items = value.as_array().ok_or_else(|| wrong(value, whole()))?;
        if items.len() > self.max_schedule {
            return Err(GymError::TooMany { found: items.len(), max: self.max_schedule });
        }
        let call = |item: &Json| {
            let pair = item.as_array().filter(|pair| pair.len() == 2).ok_or_else(|| wrong(item, whole()))?;
            let index = pair[0].as_u64().ok_or_else(|| wrong(item, whole()))? as usize;
            let last = self.base_actions.len().saturating_sub(1);
            let base = self.base_actions.get(index).ok_or(GymError::NoSuchAction { id: index, last })?;
            let mut arguments = [0.0; MAX_ARGUMENTS];
            let Some(action) = base.info(&self.parts) else {
                return match pair[1].as_u64() {
                    Some(0) => Ok(Call { base: index as u32, arguments }),
                    _ => Err(wrong(item, "an observation has the value 0".to_owned())),
                };
            };
            let Some(given) = pair[1].as_object().filter(|given| given.len() == action.parameters.len()) else {
                return Err(wrong(item, format!("`{}` with {} parameters", action.name, action.parameters.len())));
            };
            for ((slot, parameter), allowed) in arguments.iter_mut().zip(&action.parameters).zip(&base.parameters) {
                let given = given.get(&parameter.name);
                let (found, expected) = match allowed {
                    Allowed::Values(values) => {
                        let found = given.and_then(Json::as_u64).and_then(|i| values.get(i as usize).copied());
                        (found, format!("an index from 0 to {}", values.len().saturating_sub(1)))
                    }
                    Allowed::Range { low, high } => {
                        let found = given.and_then(Json::as_f64).filter(|v| allowed.contains(*v));
                        (found, format!("a number from {low} to {high}"))
                    }
                };
                let hint = || format!("`{}` of `{}` with {expected}", parameter.name, action.name);
                *slot = found.ok_or_else(|| wrong(item, hint()))?;
            }
            Ok(Call { base: index as u32, arguments })
        };
        if let Some(i) = (1..items.len()).find(|i| items[..*i].contains(&items[*i])) {
            return Err(wrong(&items[i], "all different".to_owned()));
        }
        items.iter().map(call).collect()
    }

    /// Converts calls into an element of [`ActionTable::space`].
    pub fn calls_to_gym(&self, calls: &[Call]) -> Json {
        let item = |call: &Call| {
            let base = &self.base_actions[call.base()];
            let Some(action) = base.info(&self.parts) else { return json!([call.base, 0]) };
            let mut parameters = serde_json::Map::new();
            for ((parameter, allowed), argument) in action.parameters.iter().zip(&base.parameters).zip(call.arguments) {
                let value = match allowed {
                    Allowed::Values(values) => json!(super::index_of(values, argument).unwrap_or_default()),
                    Allowed::Range { .. } => json!(argument),
                };
                parameters.insert(parameter.name.clone(), value);
            }
            json!([call.base, parameters])
        };
        Json::Array(calls.iter().map(item).collect())
    }

    /// The view with several actions per step: each slot in the schedule holds one id from the flat list.
    pub fn multi_discrete_space(&self) -> Space {
        Space::MultiDiscrete { nvec: vec![self.discrete_len(); self.max_schedule] }
    }

    /// Appends the calls for a multi-discrete action, in the order of the ids in its slots. Ids that only let time pass append nothing.
    ///
    /// # Errors
    /// There are too many or too few ids, or an id is unknown. In that case, nothing is appended.
    pub fn multi_discrete_to_calls(&self, ids: &[usize], schedule: &mut Vec<Call>) -> Result<(), GymError> {
        if ids.len() != self.max_schedule {
            return Err(GymError::Length { expected: self.max_schedule, found: ids.len() });
        }
        let last = self.discrete_len() - 1;
        if let Some(id) = ids.iter().find(|id| **id > last) {
            return Err(GymError::NoSuchAction { id: *id, last });
        }
        self.extend_by_ids(ids.iter().copied(), schedule);
        Ok(())
    }

    /// Appends the calls for these ids, which must be in the flat list. Ids that only let time pass append nothing.
    pub(crate) fn extend_by_ids(&self, ids: impl Iterator<Item = usize>, schedule: &mut Vec<Call>) {
        for id in ids.filter(|id| Some(*id) != self.wait) {
            schedule.extend_from_slice(self.discrete(id).unwrap_or_default());
        }
    }

    /// Converts calls into a multi-discrete action. Unused slots get the id that only lets time pass.
    ///
    /// # Errors
    /// There are more calls than slots, or a call is not in the flat list.
    pub fn calls_to_multi_discrete(&self, calls: &[Call]) -> Result<Vec<usize>, GymError> {
        if calls.len() > self.max_schedule {
            return Err(GymError::TooMany { found: calls.len(), max: self.max_schedule });
        }
        let id =
            |call: &Call| self.discrete_of(call).ok_or_else(|| GymError::NotOffered { action: self.describe(call) });
        let mut ids = calls.iter().map(id).collect::<Result<Vec<usize>, GymError>>()?;
        let idle = self.wait.unwrap_or(0);
        ids.resize(self.max_schedule, idle);
        Ok(ids)
    }

    /// The view as a set: one bit for each call in the flat list.
    pub fn multi_binary_space(&self) -> Space {
        Space::MultiBinary { shape: vec![self.calls.len()] }
    }

    /// Appends the calls whose bits are set, in flat-list order. A set with more calls than fit in a schedule is also in the space. The
    /// step rejects the surplus calls and reports them.
    ///
    /// # Errors
    /// The number of bits is wrong. In that case, nothing is appended.
    pub fn multi_binary_to_calls(&self, bits: &[u8], schedule: &mut Vec<Call>) -> Result<(), GymError> {
        if bits.len() != self.calls.len() {
            return Err(GymError::Length { expected: self.calls.len(), found: bits.len() });
        }
        schedule.extend(self.calls.iter().zip(bits).filter(|(_, bit)| **bit != 0).map(|(call, _)| *call));
        Ok(())
    }
}
