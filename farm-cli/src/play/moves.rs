//! Plans, executes and undoes actions in the game.

use farm_core::ActionKind;
use farm_core::action::Call;

use super::app::App;
use super::keys::{self, Binding};

impl App<'_> {
    pub(super) fn act(&mut self, binding: &Binding) {
        if self.session.expects() == ActionKind::Observation {
            self.complain(
                "this half of the day is for observing: m chooses an observation, n continues to the actions",
            );
            return;
        }
        match binding.call {
            Some(call) => {
                let is_step = self.is_direct() && keys::direction_of(self.game(), binding.base).is_some();
                let (depth, place) = (self.session.node().depth, self.own_plot());
                self.add(call);
                // A farmer who walks into an obstacle stays on the plot.
                if is_step && self.session.node().depth > depth && place.is_some() && place == self.own_plot() {
                    self.complain("the way is blocked");
                }
            }
            None => self.open_menu(Some(binding.base)),
        }
    }

    /// Adds an action to the schedule, or executes it if it takes an entire step.
    pub(super) fn add(&mut self, call: Call) {
        if self.session.is_over() {
            return self.complain_of_end();
        }
        if let Some(reason) = self.game().rejection(self.session.state(), &call) {
            let reason = self.labels().words(reason);
            return self.complain(format!("{}: {reason}", self.labels().call(self.game(), &call)));
        }
        if self.is_direct() {
            return self.take(&[call]);
        }
        let most = self.game().catalogue().max_schedule();
        if self.schedule.contains(&call) {
            self.complain("this is planned already");
        } else if self.schedule.len() >= most {
            let (allow, per_step) = (
                self.labels().words("the rules allow"),
                self.labels().words("actions per step: n takes the step, x removes the last action"),
            );
            self.complain(format!("{allow} {most} {per_step}"));
        } else {
            self.schedule.push(call);
            let costs =
                |call: &Call| self.game().catalogue().base_actions().get(call.base()).map_or(0.0, |base| base.cost());
            if self.schedule.iter().map(costs).sum::<f64>() > self.game().rules().max_cost {
                self.complain("these actions cost more than the rules allow: the last one will be rejected");
            }
        }
    }

    pub(super) fn next_step(&mut self) {
        let planned = std::mem::take(&mut self.schedule);
        let schedule = if planned.is_empty() { self.session.waiting() } else { planned };
        self.take(&schedule);
    }

    /// Reports why no step is possible.
    pub(super) fn complain_of_end(&mut self) {
        self.complain("the episode is over: u goes back, I shows what can be done, q leaves");
    }

    pub(super) fn take(&mut self, schedule: &[Call]) {
        if self.session.is_over() {
            return self.complain_of_end();
        }
        let taken = self.session.step(schedule);
        self.check(taken);
        self.changed();
        self.show_end();
    }

    pub(super) fn undo(&mut self) {
        let undone = self.session.undo();
        match undone {
            Ok(true) => self.changed(),
            Ok(false) => self.say("this is the start"),
            Err(error) => self.complain(error),
        }
    }
}
