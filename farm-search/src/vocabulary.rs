//! What a policy of a game can look at and do, with the values that were seen in a few episodes.
//!
//! Everything comes from the compiled game: the observation says what may be looked at, the catalogue of actions what may be done.
//! Whether a condition or an action is possible is not judged here: a policy of it is compiled, as for any user.

use farm_core::action::{ActionTarget, Allowed, BaseAction, Call};
use farm_core::declare::{ActionParameterKind, Quantity, Reference};
use farm_core::serde_yaml::{Mapping, Value};
use farm_core::{ActionKind, Game};
use farm_games::policies::policy_from_value;

use crate::probes::{Probe, number_value, watch};
use crate::rule_lists::{Entries, acts_of, mapping, visit_rules};
use crate::{SearchError, expand};

/// Something that a policy can look at.
#[derive(Debug, Clone)]
pub struct Sight {
    /// The variable as conditions name it, such as `[Field-0, Soil-0, available_Water#L]`.
    pub variable: Value,
    /// The part that it belongs to, by index; none for the count of steps.
    pub part: Option<usize>,
    /// Whether there is a value at each of several plots.
    pub is_per_plot: bool,
    /// What was seen of it.
    pub values: Values,
}

/// The values that were seen of a variable.
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    /// Numbers: distinct quantiles in order, at least two.
    Numbers {
        /// The quantiles.
        quantiles: Vec<f64>,
        /// Whether there is nothing between neighbouring whole numbers.
        is_whole: bool,
    },
    /// Words, in the order of their declaration.
    Words(Vec<Value>),
}

/// Something that a policy can do.
#[derive(Debug, Clone)]
pub struct Doing {
    /// The action without its parameters: field, entity and action; or all of a look.
    pub act: Value,
    /// The part that it acts on, by index.
    pub part: usize,
    /// The parameters besides the plot, each with the values that the rules offer.
    pub parameters: Vec<(String, Vec<Value>)>,
    /// Whether it is done at one of several plots, or at the only one.
    pub is_per_plot: bool,
    /// Stock, amount and place that a policy on foot needs for it.
    pub supply: Mapping,
}

/// What a policy of a game can look at and do.
#[derive(Debug, Clone)]
pub struct Vocabulary {
    /// What it can look at.
    pub sights: Vec<Sight>,
    /// What it can do.
    pub doings: Vec<Doing>,
    /// How many actions find room in a day.
    pub max_schedule: usize,
    /// How many plots the largest field has.
    pub plots: usize,
    /// The expert's policy, with the policies that it names written out.
    pub expert: Value,
    /// The frame of a policy that walks, without its tasks; none where rules of thumb play.
    pub(crate) on_foot: Option<Mapping>,
}

impl Vocabulary {
    /// What can be looked at and done in a game, from a few episodes of doing nothing, of random play and of the expert.
    ///
    /// # Errors
    /// An expert that does not fit the game; a game that fails in a step.
    pub fn new(game: &Game, expert: &Value, seed: u64) -> Result<Self, SearchError> {
        policy_from_value(game, expert)?;
        let expert = expand(game, expert);
        let mut vocabulary = Self {
            sights: Vec::new(),
            doings: Vec::new(),
            max_schedule: game.catalogue().max_schedule().max(1),
            plots: game.fields().iter().map(|field| field.plots()).max().unwrap_or(1),
            on_foot: frame_on_foot(&expert),
            expert,
        };
        vocabulary.doings = vocabulary.find_doings(game);
        let probes = vocabulary.find_probes(game);
        let seen = watch(game, &probes, &vocabulary.expert, seed)?;
        vocabulary.sights = probes.into_iter().zip(seen).filter_map(|(probe, seen)| probe.sight(seen)).collect();
        Ok(vocabulary)
    }

    /// A policy of rules, or of tasks where the expert walks.
    pub fn policy(&self, rules: Vec<Value>) -> Value {
        match &self.on_foot {
            Some(frame) => {
                let mut frame = frame.clone();
                frame.insert("tasks".into(), Value::Sequence(rules));
                mapping([("WalkingPolicy", Value::Mapping(frame))])
            }
            None => mapping([("TriggerPolicy", mapping([("rules", Value::Sequence(rules))]))]),
        }
    }

    /// A rule, or a task where the expert walks: `choose` picks one of so many values of each parameter.
    pub fn rule(
        &self,
        doing: &Doing,
        when: Vec<Vec<Value>>,
        period: u32,
        choose: &mut dyn FnMut(usize) -> usize,
    ) -> Value {
        let mut act = doing.act.clone();
        let mut parameters = Mapping::new();
        if doing.is_per_plot {
            parameters.insert("plot".into(), "here".into());
        }
        for (name, values) in &doing.parameters {
            let value = values.get(choose(values.len())).cloned().unwrap_or_default();
            parameters.insert(name.as_str().into(), value);
        }
        if let Some(act) = act.as_mapping_mut().filter(|_| !parameters.is_empty()) {
            act.insert("parameters".into(), Value::Mapping(parameters));
        }
        let mut rule = Mapping::new();
        if !when.is_empty() {
            rule.insert("when".into(), Value::Sequence(when.into_iter().map(Value::Sequence).collect()));
        }
        if self.on_foot.is_none() {
            if doing.is_per_plot {
                rule.insert("for_each_plot".into(), true.into());
            }
            if period > 1 {
                rule.insert("period#day".into(), period.into());
            }
        }
        rule.insert("act".into(), act);
        rule.extend(doing.supply.clone());
        Value::Mapping(rule)
    }

    /// Whether a policy of one rule fits the game.
    fn is_possible(&self, game: &Game, rule: Value) -> bool {
        policy_from_value(game, &self.policy(vec![rule])).is_ok()
    }

    fn find_doings(&self, game: &Game) -> Vec<Doing> {
        let mut supplies: Vec<(Value, Mapping)> = Vec::new();
        visit_rules(&mut self.expert.clone(), &mut |entries, tasks| {
            if entries == Entries::Tasks {
                supplies.extend(tasks.iter_mut().filter_map(supply_of));
            }
        });
        let mut doings: Vec<Doing> = Vec::new();
        for base in game.catalogue().base_actions() {
            for mut doing in doings_of(game, base) {
                // Who does it is left open, so that each farmer who may has his turn.
                if doings.iter().any(|other| other.act == doing.act) {
                    continue;
                }
                if let Some((_, supply)) = supplies.iter().find(|(act, _)| *act == doing.act) {
                    doing.supply.clone_from(supply);
                }
                if self.is_possible(game, self.rule(&doing, Vec::new(), 1, &mut |_| 0)) {
                    doings.push(doing);
                }
            }
        }
        doings
    }

    /// Everything that a condition of a rule can look at.
    fn find_probes(&self, game: &Game) -> Vec<Probe> {
        let mut probes = vec![Probe::steps()];
        let shown = game.observation().entries().iter().filter_map(|entry| entry.reference());
        let mut references: Vec<Reference> = shown.cloned().collect();
        if self.on_foot.is_some() {
            // A window shows variables of the field under names of its own.
            for (i, part) in game.parts().iter().enumerate().filter(|(_, part)| part.field().is_some()) {
                let visible = part.variables().iter().enumerate().filter(|(_, v)| v.visible() && v.per_plot());
                references.extend(visible.map(|(v, variable)| {
                    Reference::new(i, Quantity::Variable(v), format!("{}.{}", part.path(), variable.name()))
                }));
            }
        }
        for reference in references {
            let found = Probe::of(game, &reference);
            let new = found.into_iter().filter(|probe| probes.iter().all(|other| other.variable != probe.variable));
            probes.extend(new.collect::<Vec<_>>());
        }
        let Some(doing) = self.doings.iter().find(|doing| doing.is_per_plot).or(self.doings.first()) else {
            return Vec::new();
        };
        probes.retain(|probe| {
            let condition = probe.any_condition(doing.is_per_plot);
            self.is_possible(game, self.rule(doing, vec![vec![condition]], 1, &mut |_| 0))
        });
        probes
    }
}

/// The frame of the first policy that walks: its parameters without the tasks.
fn frame_on_foot(expert: &Value) -> Option<Mapping> {
    let policy = match expert {
        Value::Sequence(policies) => return policies.iter().find_map(frame_on_foot),
        policy => policy,
    };
    if let Some(policies) = policy.get("CombinedPolicy").and_then(|combined| combined.get("policies")) {
        return frame_on_foot(policies);
    }
    let mut frame = policy.get("WalkingPolicy")?.as_mapping()?.clone();
    frame.remove("tasks");
    Some(frame)
}

/// The action of a task without its parameters, with the stock that it draws from.
fn supply_of(task: &mut Value) -> Option<(Value, Mapping)> {
    let mut act = acts_of(task).first().map(|act| (**act).clone())?;
    act.remove("parameters");
    let task = task.as_mapping()?;
    let supply = ["stock", "amount", "filled_at"].iter().filter_map(|key| {
        let value = task.get(*key).filter(|value| !value.is_null())?;
        Some((Value::from(*key), value.clone()))
    });
    Some((Value::Mapping(act), supply.collect()))
}

/// What a base action lets a policy do: one thing, or one look for each of its values.
fn doings_of(game: &Game, base: &BaseAction) -> Vec<Doing> {
    let part = &game.parts()[base.part()];
    let field = part.field().map(|field| &game.fields()[field]);
    match (base.kind(), base.info(game.parts())) {
        (ActionKind::Intervention, Some(info)) => {
            let mut act = Mapping::new();
            if let Some(field) = field {
                act.insert("field".into(), field.name().into());
            }
            act.insert("entity".into(), part.name().into());
            act.insert("action".into(), info.name().into());
            let mut parameters = Vec::new();
            let mut is_per_plot = false;
            for (parameter, allowed) in info.parameters().iter().zip(base.parameters()) {
                if *parameter.kind() == ActionParameterKind::Plot {
                    is_per_plot = true;
                } else {
                    parameters.push((parameter.name().to_owned(), offered(game, parameter.kind(), allowed)));
                }
            }
            vec![Doing { act: Value::Mapping(act), part: base.part(), parameters, is_per_plot, supply: Mapping::new() }]
        }
        _ => looks_of(game, base),
    }
}

/// The values of a parameter, as a policy writes them.
fn offered(game: &Game, kind: &ActionParameterKind, allowed: &Allowed) -> Vec<Value> {
    let word = |index: f64| match kind {
        ActionParameterKind::Choice(words) => {
            words.get(index as usize).map_or(Value::Null, |word| word.as_str().into())
        }
        _ => number_value(index),
    };
    allowed.offered(game.catalogue().bins()).into_iter().map(word).collect()
}

/// The looks of a base action that asks for variables.
fn looks_of(game: &Game, base: &BaseAction) -> Vec<Doing> {
    let is_own = |call: &&Call| {
        let other = &game.catalogue().base_actions()[call.base()];
        std::ptr::eq(other, base) && matches!(other.target(), ActionTarget::Observation(_))
    };
    let calls = game.catalogue().calls().iter().filter(is_own);
    let looks = calls.filter_map(|call| {
        let mut words = farm_core::serde_yaml::to_value(game.catalogue().to_json(call)).ok()?;
        // The first word is the farmer, who is left open.
        let words_left = words.as_sequence_mut()?;
        words_left.remove(0);
        let (part, parameters, supply) = (base.part(), Vec::new(), Mapping::new());
        Some(Doing { act: words, part, parameters, is_per_plot: false, supply })
    });
    looks.collect()
}
