//! Compiled rules of thumb, and the player that applies them.

use farm_core::action::Call;
use farm_core::{Agent, Game, State};

use super::memory::{Book, Change, Slot, When};
use super::schedule_budget::ScheduleBudget;

/// A compiled rule.
#[derive(Debug, Clone)]
pub(super) struct Rule {
    /// The conditions for acting; none for acting every day.
    pub when: Option<When>,
    /// Number of days between the trigger and the action.
    pub delay: u32,
    /// Minimum number of days between two actions.
    pub period: u32,
    /// Whether it acts at most once per episode.
    pub once: bool,
    /// The targets that it checks, in order: plots, or a single target without a plot.
    pub targets: Vec<Target>,
    /// The changes of the policy's memory after the rule has acted.
    pub then: Vec<(Slot, Change)>,
}

/// A target that a rule checks, with the rule's memory of it.
#[derive(Debug, Clone)]
pub(super) struct Target {
    /// The flat index of the plot; none for a rule that does not check plots.
    pub plot: Option<usize>,
    /// The actions in order, each with the same action by the other farmers that may take it.
    pub acts: Vec<Vec<Call>>,
    /// The step in which the actions are due.
    due: Option<u32>,
    /// The number of actions that have been done.
    done: usize,
    /// The step in which the last action was done.
    last: Option<u32>,
}

impl Target {
    /// A target with empty memory.
    pub(super) fn new(plot: Option<usize>, acts: Vec<Vec<Call>>) -> Self {
        Self { plot, acts, due: None, done: 0, last: None }
    }

    /// Adds the actions that have not been done yet, as long as there is room for them. Returns whether all have been done.
    fn act(&mut self, game: &Game, state: &State, budget: &ScheduleBudget, schedule: &mut Vec<Call>) -> bool {
        while let Some(act) = self.acts.get(self.done) {
            if !act.iter().any(|call| schedule.contains(call)) {
                let Some(call) = act.iter().find(|call| budget.holds(game, state, schedule, call)) else {
                    return false;
                };
                schedule.push(*call);
            }
            self.done += 1;
        }
        true
    }
}

impl Rule {
    /// Whether an action that is decided now would respect `once` and the minimum number of days since the last one.
    fn is_ready(&self, target: &Target, step: u32) -> bool {
        match target.last {
            Some(_) if self.once => false,
            Some(last) => step.saturating_add(self.delay) >= last.saturating_add(self.period),
            None => true,
        }
    }
}

/// Applies rules of thumb in order.
#[derive(Debug, Clone)]
pub(super) struct Triggers {
    rules: Vec<Rule>,
    book: Book,
    budget: ScheduleBudget,
}

impl Triggers {
    /// A player for rules, most important first.
    pub(super) fn new(game: &Game, rules: Vec<Rule>, book: Book) -> Self {
        Self { rules, book, budget: ScheduleBudget::of(game) }
    }
}

impl Agent for Triggers {
    fn start(&mut self, _: u64) {
        self.book.start();
        for target in self.rules.iter_mut().flat_map(|rule| &mut rule.targets) {
            (target.due, target.done, target.last) = (None, 0, None);
        }
    }

    fn fork(&self) -> Option<Box<dyn Agent>> {
        Some(Box::new(self.clone()))
    }

    fn choose(&mut self, game: &Game, state: &State, schedule: &mut Vec<Call>) {
        self.book.update(game, state);
        for rule in &mut self.rules {
            for i in 0..rule.targets.len() {
                let target = &rule.targets[i];
                let holds = |when: &When| when.holds(game, state, target.plot, self.book.values());
                let decides =
                    target.due.is_none() && rule.is_ready(target, state.step()) && rule.when.as_ref().is_none_or(holds);
                let target = &mut rule.targets[i];
                if decides {
                    (target.due, target.done) = (Some(state.step().saturating_add(rule.delay)), 0);
                }
                if target.due.is_some_and(|due| due <= state.step()) {
                    if target.act(game, state, &self.budget, schedule) {
                        (target.due, target.last) = (None, Some(state.step()));
                        for (slot, change) in &rule.then {
                            self.book.change(*slot, *change, target.plot);
                        }
                    } else if rule.delay == 0 && target.done == 0 {
                        // Tomorrow it may rain: what needs no delay is decided anew.
                        target.due = None;
                    }
                }
            }
        }
        self.budget.wait_if_empty(game, schedule);
    }
}
