//! Rules of thumb: if this is seen, do that.
//!
//! Each rule has conditions, as stopping conditions are written, and an action. The rules are looked at in order, and each
//! whose conditions hold adds its action, until the schedule is full. A rule `for_each_plot` is looked at for every plot
//! in turn; its conditions compare the values at the plot, and `plot: here` in its action means the plot.
//!
//! A policy may look only at what the game lets a learner observe.
//!
//! Source: the policy interface of the Farm-gym reference (triggers as OR of ANDs).

use farm_core::action::Call;
use farm_core::condition::{Conditions, Formula};
use farm_core::config::{Path, Problem, Problems};
use farm_core::reference::Quantity;
use farm_core::serde_yaml::{self, Value};
use farm_core::{Game, Player, Policy, State};

farm_core::parameters! {
    /// If this is seen, do that.
    pub struct Trigger {
        /// When to act: a list (or) of lists (and) of {state_variable, function, operator, ref_value}.
        pub when: Conditions = Conditions::default();
        /// Whether to look at each plot in turn.
        pub for_each_plot: bool = false;
        /// What to do: {field, entity, action, parameters}; `plot: here` is the plot looked at.
        pub act: Value = Value::Null;
    }
}

farm_core::parameters! {
    /// Rules of thumb, in order of importance.
    pub struct TriggerPolicy {
        /// The rules, the most important first.
        pub rules: Vec<Trigger> = Vec::new();
    }
}

farm_core::register!(
    Policy,
    TriggerPolicy,
    "Rules of thumb: if this is seen, do that.",
    "Policy interface of the Farm-gym reference (triggers)"
);

#[farm_core::typetag::serde]
impl Policy for TriggerPolicy {
    fn build(&self, game: &Game) -> Result<Box<dyn Player>, Problems> {
        let mut problems = Problems::default();
        let path = Path::default().child("rules");
        let rules: Vec<Rule> =
            self.rules.iter().enumerate().map(|(i, rule)| rule.compile(game, &path.child(i), &mut problems)).collect();
        if problems.has_errors() {
            return Err(problems);
        }
        Ok(Box::new(Triggers { rules, max_steps: game.max_steps().unwrap_or(u32::MAX) }))
    }
}

impl Trigger {
    fn compile(&self, game: &Game, path: &Path, problems: &mut Problems) -> Rule {
        let when = Formula::parse(&self.when.0, game.names(), self.for_each_plot, &path.child("when"), problems);
        for (i, clause) in when.0.iter().enumerate() {
            for (j, condition) in clause.iter().enumerate() {
                // Steps can be counted without looking.
                let counted = matches!(condition.variable.quantity, Quantity::Step | Quantity::Remaining);
                if !counted && !game.observation.shows(&condition.variable) {
                    let message = format!("`{}` is not observed in this game", condition.variable.name);
                    problems.push(
                        Problem::new(path.child("when").child(i).child(j), message).help(
                            "add it to the free observations of the rules, or look at something that is observed",
                        ),
                    );
                }
            }
        }
        let plots = match self.act.get("field").and_then(Value::as_str) {
            Some(name) if self.for_each_plot => game.fields.iter().find(|f| f.name == name).map_or(0, |f| f.plots()),
            _ if self.for_each_plot => game.fields.first().map_or(0, |f| f.plots()),
            _ => 1,
        };
        let width = game.fields.first().map_or(1, |f| f.width);
        let mut calls = Vec::new();
        for plot in 0..plots {
            let mut act = self.act.clone();
            if act.get("parameters").and_then(|p| p.get("plot")).and_then(Value::as_str) == Some("here") {
                act["parameters"]["plot"] = Value::Sequence(vec![(plot / width).into(), (plot % width).into()]);
            }
            let parsed = serde_yaml::from_value(act)
                .map_err(|_| None)
                .and_then(|json| game.catalogue.parse(&json).map_err(Some));
            match parsed {
                Ok(schedule) if schedule.len() == 1 => calls.push(schedule[0]),
                Ok(_) => {
                    problems.push(Problem::new(path.child("act"), "a rule does one action"));
                    break;
                }
                Err(problem) => {
                    let problem = problem.map_or_else(|| Problem::new(Path::default(), "this is no action"), |p| *p);
                    problems.push(Problem { path: path.child("act"), ..problem });
                    break;
                }
            }
        }
        Rule { when, for_each_plot: self.for_each_plot, calls }
    }
}

struct Rule {
    when: Formula,
    for_each_plot: bool,
    /// The action at each plot; one for a rule that looks at the whole.
    calls: Vec<Call>,
}

struct Triggers {
    rules: Vec<Rule>,
    max_steps: u32,
}

impl Player for Triggers {
    fn start(&mut self, _: u64) {}

    fn choose(&mut self, game: &Game, state: &State, schedule: &mut Vec<Call>) {
        let reader = game.reader(state);
        for rule in &self.rules {
            for (plot, call) in rule.calls.iter().enumerate() {
                if schedule.len() >= game.catalogue.max_schedule {
                    return;
                }
                let at = rule.for_each_plot.then_some(plot);
                if rule.when.holds(&reader, self.max_steps, at).is_some() && !schedule.contains(call) {
                    schedule.push(*call);
                }
            }
        }
        if schedule.is_empty() {
            schedule.extend_from_slice(game.catalogue.waiting());
        }
    }
}
