//! The results of a step: whether the episode is over, what happened, or why the step was not taken.

use crate::action::{Call, GymError};
use crate::failure::{self, Failure};
use crate::part::Event;
use crate::seeds::SeedError;

/// The reward for a step, and whether the episode is over after it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outcome {
    /// The reward for the step, after costs.
    pub reward: f64,
    /// Whether the game terminated.
    pub terminated: bool,
    /// Whether the step limit ended the episode.
    pub truncated: bool,
}

impl Outcome {
    /// Whether the episode is over, for either reason.
    pub fn over(&self) -> bool {
        self.terminated || self.truncated
    }
}

/// Why a step failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StepError {
    /// The episode has ended.
    #[error("the episode is over after {steps} steps: call `reset` before the next step")]
    Over {
        /// The number of steps taken.
        steps: u32,
    },
    /// The id is not in the flat list of actions.
    #[error("there is no action {id}: ids go from 0 to {last}")]
    NoSuchAction {
        /// The id passed in.
        id: usize,
        /// The largest id.
        last: usize,
    },
    /// The action is outside the action space.
    #[error(transparent)]
    NotInSpace(Box<GymError>),
    /// A part computed a number that is not finite. The episode is over.
    // Boxed, so that the result of every step stays small.
    #[error(transparent)]
    NotFinite(Box<NotFinite>),
    /// A part reported more events than fit in a record. A record has room for twice the number of events that all parts declare. The
    /// episode is over.
    #[error(transparent)]
    TooManyEvents(Box<TooManyEvents>),
    /// The episode's seed was rejected, because it is reserved for a split or is outside the selected split. No episode has started.
    #[error(transparent)]
    Seed(SeedError),
    /// No game could be drawn for the episode, which is over.
    #[error("no game for the episode: {0}")]
    NoGame(Box<str>),
    /// A plugin's part panicked. The episode is over.
    #[error("{0}; this is a defect in the plugin, and the episode is over")]
    Failed(Box<Failure>),
}

impl From<SeedError> for StepError {
    fn from(error: SeedError) -> Self {
        Self::Seed(error)
    }
}

impl From<GymError> for StepError {
    fn from(error: GymError) -> Self {
        Self::NotInSpace(Box::new(error))
    }
}

impl From<Failure> for StepError {
    fn from(failure: Failure) -> Self {
        Self::Failed(Box::new(failure))
    }
}

/// Replaces a step's outcome with the failure that happened during the step, if any.
#[inline]
pub(crate) fn surface(outcome: &mut Result<Outcome, StepError>) {
    if let Some(failure) = failure::take() {
        *outcome = Err(failure.into());
    }
}

/// A number that is not finite, and where it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, farm_macros::Getters)]
#[error(
    "`{variable}` became {value} at entry {entry} in step {step}: a defect in `{part}` or its parameters; report the game and seed {seed}"
)]
pub struct NotFinite {
    /// The part.
    pub(crate) part: String,
    /// The variable.
    pub(crate) variable: String,
    /// The index of the entry.
    pub(crate) entry: usize,
    /// The step.
    pub(crate) step: u32,
    /// The value.
    pub(crate) value: String,
    /// The episode's seed.
    pub(crate) seed: u64,
}

/// An event that happened more often in one step than its part declares.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, farm_macros::Getters)]
#[error(
    "the event `{event}` happened {found} times in step {step}, but `{part}` declares at most {per_step} per step: a defect in the part"
)]
pub struct TooManyEvents {
    /// The part.
    pub(crate) part: String,
    /// The event.
    pub(crate) event: String,
    /// The number of times that it happened.
    pub(crate) found: usize,
    /// The maximum number of times it may happen per step.
    pub(crate) per_step: usize,
    /// The step.
    pub(crate) step: u32,
}

/// An action that was not executed.
#[derive(Debug, Clone, Copy, PartialEq, farm_macros::Getters)]
pub struct Rejection {
    /// The action.
    #[getter(copy)]
    pub(crate) call: Call,
    /// The reason, as a short sentence.
    pub(crate) reason: &'static str,
}

/// Why an episode ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stop {
    /// A clause in the stopping conditions holds. The clause is given by index.
    Condition(usize),
    /// The episode reached the step limit in the rules.
    Limit,
}

/// The results of the last step, in buffers that are refilled at each step without allocating.
#[derive(Debug, Default, farm_macros::Getters)]
pub struct StepRecord {
    /// The events, in order.
    pub(crate) events: Vec<Event>,
    /// The actions that were executed, in order.
    pub(crate) executed: Vec<Call>,
    /// The actions that were not executed.
    pub(crate) rejected: Vec<Rejection>,
    /// The number of rejected actions that do not fit in the buffer.
    pub(crate) rejected_more: usize,
    /// The cost of the interventions executed.
    pub(crate) intervention_cost: f64,
    /// The cost of the observations requested.
    pub(crate) observation_cost: f64,
    /// The step's cost for each of the game's constraints.
    pub(crate) constraint_costs: Vec<f64>,
    /// The part of the reward that is paid for the entire episode, when the episode ends; 0 until then.
    pub(crate) final_reward: f64,
    /// Why the episode ended, if it did.
    #[getter(copy)]
    pub(crate) stop: Option<Stop>,
}

/// A clone has the same capacity as the original, because rejections that do not fit are only counted.
impl Clone for StepRecord {
    fn clone(&self) -> Self {
        fn roomy<T: Copy>(original: &Vec<T>) -> Vec<T> {
            let mut copy = Vec::with_capacity(original.capacity());
            copy.extend_from_slice(original);
            copy
        }
        Self {
            events: roomy(&self.events),
            executed: roomy(&self.executed),
            rejected: roomy(&self.rejected),
            constraint_costs: self.constraint_costs.clone(),
            ..*self
        }
    }
}

impl StepRecord {
    /// Makes the buffers at least as large as another record's buffers, so that this record can also store steps in the other record's
    /// game.
    pub(crate) fn make_room_for(&mut self, other: &Self) {
        self.events.reserve(other.events.capacity());
        self.executed.reserve(other.executed.capacity());
        self.rejected.reserve(other.rejected.capacity());
    }

    pub(crate) fn clear(&mut self) {
        self.events.clear();
        self.executed.clear();
        self.rejected.clear();
        self.rejected_more = 0;
        self.intervention_cost = 0.0;
        self.observation_cost = 0.0;
        self.constraint_costs.fill(0.0);
        self.final_reward = 0.0;
        self.stop = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_takes_the_place_of_the_outcome_once() {
        let part = |text: &str| text.to_owned();
        let failed = Failure { plugin: part("p"), part: part("A-0"), method: part("tick"), message: part("it broke") };
        let fine = Ok(Outcome { reward: 1.0, terminated: false, truncated: false });
        failure::record(failed.clone());
        for expected in [Err(failed.into()), fine.clone()] {
            let mut outcome = fine.clone();
            surface(&mut outcome);
            assert_eq!(outcome, expected);
        }
    }
}
