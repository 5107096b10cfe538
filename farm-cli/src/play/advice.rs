//! The keys for hints: asks a policy, and follows its advice.

use farm_core::action::Call;

use super::app::App;
use super::hints::{Adviser, Hints};

impl App<'_> {
    pub(super) fn toggle_hints(&mut self) {
        if self.hints.take().is_some() {
            self.advice = None;
        } else if let Some(adviser) = self.advisers.first().cloned() {
            self.ask(adviser);
        } else {
            self.say("this game has no policies");
        }
    }

    pub(super) fn ask(&mut self, adviser: Adviser) {
        match Hints::of(&self.session, adviser) {
            Ok(hints) => {
                self.hints = Some(hints);
                self.consult();
            }
            Err(problems) => {
                let text = problems.to_string().lines().next().unwrap_or_default().to_owned();
                self.complain(text);
            }
        }
    }

    pub(super) fn consult(&mut self) {
        self.advice = self.hints.as_mut().and_then(|hints| hints.advice(&self.session).map(<[Call]>::to_vec));
    }

    pub(super) fn take_advice(&mut self) {
        match self.advice.clone() {
            Some(advice) if self.is_direct() => self.take(&advice),
            Some(_) if self.is_advice_planned() => self.next_step(),
            Some(advice) => self.schedule = advice,
            None => self.say("h asks a policy for a hint, y follows it"),
        }
    }

    /// Whether the schedule matches the policy's advice, in any order.
    pub(super) fn is_advice_planned(&self) -> bool {
        let has_all = |of: &[Call], these: &[Call]| these.iter().all(|call| of.contains(call));
        let is_planned = |advice: &Vec<Call>| has_all(&self.schedule, advice) && has_all(advice, &self.schedule);
        !self.is_direct() && self.advice.as_ref().is_some_and(is_planned)
    }
}
