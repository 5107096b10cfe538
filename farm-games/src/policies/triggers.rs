//! Compiled rules of thumb and the player that follows them.

use farm_core::action::Call;
use farm_core::rules::{Condition, Formula};
use farm_core::spec::InteractionMode;
use farm_core::{Agent, Game, State};

use super::schedule_budget::ScheduleBudget;

/// A compiled rule.
#[derive(Debug, Clone)]
pub(super) struct Rule {
    /// When to act; every day if it says nothing.
    pub when: Option<Formula>,
    /// Days between the trigger and the action.
    pub delay: u32,
    /// Days between an action and the next at the least.
    pub period: u32,
    /// Whether it acts once in an episode at the most.
    pub once: bool,
    /// What it looks at, in order: plots, or the whole.
    pub targets: Vec<Target>,
}

/// A plot (or the whole) that a rule looks at, with the rule's memory of it.
#[derive(Debug, Clone)]
pub(super) struct Target {
    /// The plot, by flat index; none for a rule that looks at the whole.
    pub plot: Option<usize>,
    /// The actions in order; each with the same action by the other farmers who may do it.
    pub acts: Vec<Vec<Call>>,
    /// The step in which the actions are to be done.
    due: Option<u32>,
    /// How many of the actions are done.
    done: usize,
    /// The step in which the last of them was done.
    last: Option<u32>,
}

impl Target {
    /// A target without memory.
    pub(super) fn new(plot: Option<usize>, acts: Vec<Vec<Call>>) -> Self {
        Self { plot, acts, due: None, done: 0, last: None }
    }

    /// Adds the actions that are not done yet, as far as there is room for them; returns whether all are done.
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
    /// Whether an action that is decided now would come early enough after the trigger and late enough after the last.
    fn is_ready(&self, target: &Target, step: u32) -> bool {
        match target.last {
            Some(_) if self.once => false,
            Some(last) => step.saturating_add(self.delay) >= last.saturating_add(self.period),
            None => true,
        }
    }
}

/// Follows rules of thumb in order.
#[derive(Debug, Clone)]
pub(super) struct Triggers {
    rules: Vec<Rule>,
    budget: ScheduleBudget,
}

impl Triggers {
    /// A player of rules, the most important first.
    pub(super) fn new(game: &Game, rules: Vec<Rule>) -> Self {
        Self { rules, budget: ScheduleBudget::of(game) }
    }
}

impl Agent for Triggers {
    fn start(&mut self, _: u64) {
        for target in self.rules.iter_mut().flat_map(|rule| &mut rule.targets) {
            (target.due, target.done, target.last) = (None, 0, None);
        }
    }

    fn fork(&self) -> Option<Box<dyn Agent>> {
        Some(Box::new(self.clone()))
    }

    fn choose(&mut self, game: &Game, state: &State, schedule: &mut Vec<Call>) {
        let looks = game.spec().interaction_mode() == InteractionMode::Aomdp;
        for rule in &mut self.rules {
            for i in 0..rule.targets.len() {
                let target = &rule.targets[i];
                let decides = target.due.is_none() && rule.is_ready(target, state.step()) && {
                    let seen = |c: &Condition| {
                        !looks || {
                            let element = if c.is_per_plot() { target.plot } else { None };
                            game.is_shown_at(state, c.variable(), element.or(c.variable().element()))
                        }
                    };
                    let holds = |when: &Formula| game.holds_as_seen(when, state, target.plot, seen);
                    rule.when.as_ref().is_none_or(holds)
                };
                let target = &mut rule.targets[i];
                if decides {
                    (target.due, target.done) = (Some(state.step().saturating_add(rule.delay)), 0);
                }
                if target.due.is_some_and(|due| due <= state.step()) {
                    if target.act(game, state, &self.budget, schedule) {
                        (target.due, target.last) = (None, Some(state.step()));
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
