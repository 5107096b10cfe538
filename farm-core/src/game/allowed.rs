//! Allowed actions: why a call is rejected, and the masks for the flat list of actions.

use super::Game;
use crate::action::{ActionKind, ActionTarget, BaseAction, Call};
use crate::part::Attempt;
use crate::state::{Reader, State};
use crate::step::StepRecord;

impl Game {
    /// Whether a farmer, given by index, may ever act or observe (`kind`) in a field. Without a field, this is about the farm's own parts.
    pub fn allows(&self, farmer: usize, kind: ActionKind, field: Option<usize>) -> bool {
        self.farmers.get(farmer).is_some_and(|farmer| farmer.allows(kind, field))
    }

    /// A call's base action if the call can come after the calls in `before` in the schedule; otherwise, the reason for rejecting the call.
    #[inline]
    pub(super) fn checked(
        &self,
        before: &[Call],
        call: &Call,
        expected: ActionKind,
        record: &StepRecord,
        reader: &Reader<'_>,
    ) -> Result<&BaseAction, &'static str> {
        let base = &self.catalogue.base_actions[call.base()];
        if before.len() >= self.catalogue.max_schedule {
            return Err("this step already has as many actions as the rules allow");
        }
        if before.contains(call) {
            return Err("this step already has the same action");
        }
        match self.rejection_after(base, call, expected, record.intervention_cost + record.observation_cost, reader) {
            Some(reason) => Err(reason),
            None => Ok(base),
        }
    }

    /// Why a call would be rejected now if it came first in a schedule; `None` if it can be executed.
    pub fn rejection(&self, state: &State, call: &Call) -> Option<&'static str> {
        let base = &self.catalogue.base_actions[call.base()];
        self.rejection_after(base, call, self.expects(state), 0.0, &state.reader(self.regions))
    }

    /// Why a call would be rejected now, with `spent` already paid in this step; `None` if it can be executed.
    #[inline]
    fn rejection_after(
        &self,
        base: &BaseAction,
        call: &Call,
        expected: ActionKind,
        spent: f64,
        reader: &Reader<'_>,
    ) -> Option<&'static str> {
        self.out_of_turn(base, expected, spent)
            .or_else(|| self.farmers[base.farmer].rejection(&attempt(base, call), reader))
            .or_else(|| base.futile.filter(|_| !self.has_effect(base, call, reader)))
    }

    /// Whether an intervention would change anything now.
    #[inline]
    fn has_effect(&self, base: &BaseAction, call: &Call, reader: &Reader<'_>) -> bool {
        match base.target {
            ActionTarget::Intervention(action) => {
                self.behaviour(base.part).has_effect(action, call.arguments(), reader)
            }
            ActionTarget::Observation(_) => true,
        }
    }

    /// Why the rules reject a base action now, regardless of its farmer and its arguments.
    #[inline]
    fn out_of_turn(&self, base: &BaseAction, expected: ActionKind, spent: f64) -> Option<&'static str> {
        if base.kind() != expected {
            return Some(match expected {
                ActionKind::Observation => "this step is for observations, the next one for actions",
                ActionKind::Intervention => "this step is for actions, the next one for observations",
            });
        }
        (spent + base.cost > self.rules.max_cost)
            .then_some("the actions of this step would cost more than the rules allow")
    }

    /// Marks in `mask`, which has `self.catalogue.discrete_len()` entries, the actions that would be executed now if they came first
    /// in a schedule. Doing nothing is always allowed.
    ///
    /// # Panics
    /// If `mask` is too short.
    pub fn action_mask(&self, state: &State, mask: &mut [u8]) {
        if self.is_unconditional {
            mask[..self.catalogue.discrete_len()].fill(u8::from(!state.over));
            mask[0] = 1;
            return;
        }
        let (reader, expected) = (state.reader(self.regions), self.expects(state));
        let is_open = !state.over && self.catalogue.max_schedule > 0;
        mask[0] = 1;
        for (i, base) in self.catalogue.base_actions.iter().enumerate() {
            let slots = &mut mask[self.catalogue.ids_of(i)];
            match self.catalogue.calls_of(i) {
                calls @ [first, ..] if is_open && self.out_of_turn(base, expected, 0.0).is_none() => {
                    self.farmers[base.farmer].mask(&attempt(base, first), calls, &reader, slots);
                    if base.futile.is_some() {
                        self.mask_futile(base, calls, &reader, slots);
                    }
                }
                _ => slots.fill(0),
            }
        }
    }

    /// Marks in `mask`, which has `self.catalogue.discrete_len()` entries, the allowed actions that would change something now.
    ///
    /// # Panics
    /// If `mask` is too short.
    pub fn effect_mask(&self, state: &State, mask: &mut [u8]) {
        self.action_mask(state, mask);
        let reader = state.reader(self.regions);
        for (i, base) in self.catalogue.base_actions.iter().enumerate() {
            self.mask_futile(base, self.catalogue.calls_of(i), &reader, &mut mask[self.catalogue.ids_of(i)]);
        }
    }

    /// Clears in a mask the calls that would change nothing now.
    fn mask_futile(&self, base: &BaseAction, calls: &[Call], reader: &Reader<'_>, mask: &mut [u8]) {
        for (call, slot) in calls.iter().zip(mask) {
            *slot &= u8::from(self.has_effect(base, call, reader));
        }
    }
}

#[inline]
pub(super) fn attempt<'c>(base: &BaseAction, call: &'c Call) -> Attempt<'c> {
    let action = match base.target {
        ActionTarget::Intervention(action) => Some(action),
        ActionTarget::Observation(_) => None,
    };
    Attempt { kind: base.kind(), part: base.part, action, arguments: call.arguments() }
}
