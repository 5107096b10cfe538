//! The forms in which an action can be passed to a step.

use std::borrow::Cow;

use serde_json::Value as Json;

use super::Call;

/// The actions for one step, in any form that programs, people or learners use.
///
/// [`Environment::step`](crate::Environment::step) accepts any type that converts into an `Action`: an id in the flat list, a schedule,
/// text, or JSON as in the paper. Construct [`Action::Gym`] explicitly, because its JSON looks like the JSON for [`Action::Named`].
///
/// ```
/// use farm_core::action::{Action, Call};
/// use serde_json::json;
///
/// assert!(matches!(Action::from(3), Action::Id(3)));
/// assert!(matches!(Action::from("MoveN; water"), Action::Text("MoveN; water")));
/// assert!(matches!(Action::from(&json!(["harvest"])), Action::Named(_)));
/// let nothing: [Call; 0] = [];
/// assert!(matches!(Action::from(&nothing), Action::Schedule(calls) if calls.is_empty()));
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Action<'a> {
    /// An id in the flat list of actions.
    Id(usize),
    /// Calls, in execution order.
    Schedule(Cow<'a, [Call]>),
    /// Text from a person or a language model; see [`ActionTable::read_text`](super::ActionTable::read_text).
    Text(&'a str),
    /// Actions by name, as in the paper: one `[farmer, field, entity, name, parameters]`, or a list of such actions.
    Named(&'a Json),
    /// An element of the action space: `[[index, value], …]`.
    Gym(&'a Json),
}

impl From<usize> for Action<'_> {
    #[inline]
    fn from(id: usize) -> Self {
        Self::Id(id)
    }
}

impl<'a> From<&'a [Call]> for Action<'a> {
    #[inline]
    fn from(schedule: &'a [Call]) -> Self {
        Self::Schedule(Cow::Borrowed(schedule))
    }
}

impl<'a, const N: usize> From<&'a [Call; N]> for Action<'a> {
    #[inline]
    fn from(schedule: &'a [Call; N]) -> Self {
        Self::Schedule(Cow::Borrowed(schedule))
    }
}

impl<'a> From<&'a Vec<Call>> for Action<'a> {
    #[inline]
    fn from(schedule: &'a Vec<Call>) -> Self {
        Self::Schedule(Cow::Borrowed(schedule))
    }
}

impl From<Vec<Call>> for Action<'_> {
    #[inline]
    fn from(schedule: Vec<Call>) -> Self {
        Self::Schedule(Cow::Owned(schedule))
    }
}

impl<'a> From<&'a str> for Action<'a> {
    #[inline]
    fn from(text: &'a str) -> Self {
        Self::Text(text)
    }
}

impl<'a> From<&'a String> for Action<'a> {
    #[inline]
    fn from(text: &'a String) -> Self {
        Self::Text(text)
    }
}

impl<'a> From<&'a Json> for Action<'a> {
    #[inline]
    fn from(actions: &'a Json) -> Self {
        Self::Named(actions)
    }
}
