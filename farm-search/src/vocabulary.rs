//! The observations and actions that policies can use in a game, with the values observed in a few episodes.
//!
//! Everything comes from the compiled game: from its observations and its action table. To check a condition or an action, the code
//! compiles a policy that contains it, as for any user.

use farm_core::action::{ActionTarget, Allowed, BaseAction, Call};
use farm_core::declare::{ActionParameterKind, Quantity, Reference};
use farm_core::serde_yaml::{Mapping, Value};
use farm_core::{ActionKind, Game};
use farm_games::policies::policy_from_value;

use crate::probes::{Probe, number_value, watch};
use crate::rule_lists::{Entries, acts_of, mapping, visit_rules};
use crate::senses::Senses;
use crate::sights::Sight;
use crate::{SearchError, expand};

/// An action that a policy can take.
#[derive(Debug, Clone)]
pub struct Doing {
    /// The action without its parameters: field, entity and action; or the whole action of a paid observation.
    pub act: Value,
    /// Index of its part.
    pub part: usize,
    /// Its parameters except the plot, with the values that the rules offer.
    pub parameters: Vec<(String, Vec<Value>)>,
    /// Whether it has a plot parameter.
    pub is_per_plot: bool,
    /// The stock, the amount and the refill place that a walking policy needs for it.
    pub supply: Mapping,
}

/// The observations and actions that policies can use in a game.
#[derive(Debug, Clone)]
pub struct Vocabulary {
    /// The variables that policies can observe.
    pub sights: Vec<Sight>,
    /// The actions that policies can take.
    pub doings: Vec<Doing>,
    /// Maximum number of actions per day.
    pub max_schedule: usize,
    /// Number of plots in the largest field.
    pub plots: usize,
    /// The expert's policy, with policy names replaced by the policies themselves.
    pub expert: Value,
    /// The parameters of the walking policy, without its tasks; none if the expert does not walk.
    pub(crate) on_foot: Option<Mapping>,
    /// What the policies may read.
    pub(crate) senses: Senses,
}

impl Vocabulary {
    /// A game's vocabulary, from a few episodes with waiting, with random play and with the expert.
    ///
    /// # Errors
    /// The expert does not fit the game, or the game fails in a step.
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
            senses: Senses::All,
        };
        vocabulary.doings = vocabulary.find_doings(game);
        let probes = vocabulary.find_probes(game);
        let seen = watch(game, &probes, &vocabulary.expert, seed)?;
        vocabulary.sights = probes.into_iter().zip(seen).filter_map(|(probe, seen)| probe.sight(seen)).collect();
        Ok(vocabulary)
    }

    /// The vocabulary of policies that read and request no more than this, with the policy from which their search starts.
    #[must_use]
    pub fn within(&self, senses: Senses, expert: Value) -> Self {
        let sights = self.sights.iter().cloned().filter_map(|sight| senses.limited(sight)).collect();
        let doings = self.doings.iter().filter(|doing| senses.may_act(&doing.act)).cloned().collect();
        Self { sights, doings, expert, senses, ..self.clone() }
    }

    /// A policy with these rules, or with these tasks if the expert walks.
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

    /// A rule, or a task if the expert walks. `choose` gets the number of values of each parameter and returns the index of one.
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
                // The farmer is left open, so that every permitted farmer can act.
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

    /// All variables that a rule's condition can use.
    fn find_probes(&self, game: &Game) -> Vec<Probe> {
        let mut probes = vec![Probe::steps()];
        let shown = game.observation().entries().iter().filter_map(|entry| entry.reference());
        let mut references: Vec<Reference> = shown.cloned().collect();
        if self.on_foot.is_some() {
            // A window shows variables of the field under other names.
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

/// The parameters of the first walking policy, without its tasks.
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

/// A task's action without its parameters, with the stock that it uses.
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

/// The actions that a base action offers: one intervention, or one paid observation for each of its values.
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

/// A parameter's values, as policies write them.
fn offered(game: &Game, kind: &ActionParameterKind, allowed: &Allowed) -> Vec<Value> {
    let word = |index: f64| match kind {
        ActionParameterKind::Choice(words) => {
            words.get(index as usize).map_or(Value::Null, |word| word.as_str().into())
        }
        _ => number_value(index),
    };
    allowed.offered(game.catalogue().bins()).into_iter().map(word).collect()
}

/// The paid observations that a base action offers.
fn looks_of(game: &Game, base: &BaseAction) -> Vec<Doing> {
    let is_own = |call: &&Call| {
        let other = &game.catalogue().base_actions()[call.base()];
        std::ptr::eq(other, base) && matches!(other.target(), ActionTarget::Observation(_))
    };
    let calls = game.catalogue().calls().iter().filter(is_own);
    let looks = calls.filter_map(|call| {
        let mut words = farm_core::serde_yaml::to_value(game.catalogue().to_json(call)).ok()?;
        // The first word is the farmer, which is left open.
        let words_left = words.as_sequence_mut()?;
        words_left.remove(0);
        let (part, parameters, supply) = (base.part(), Vec::new(), Mapping::new());
        Some(Doing { act: words, part, parameters, is_per_plot: false, supply })
    });
    looks.collect()
}

/// A rule's action, with the allowed values of its parameters.
pub(crate) fn doing_of<'v>(vocabulary: &'v Vocabulary, act: &Mapping) -> Option<&'v Doing> {
    // An action may leave out the field.
    let is_same = |key: &str, doing: &Doing| match (act.get(key), doing.act.get(key)) {
        (Some(found), Some(wanted)) => found == wanted,
        (found, _) => key == "field" || found.is_none_or(Value::is_null),
    };
    vocabulary.doings.iter().find(|doing| ["field", "entity", "action"].iter().all(|key| is_same(key, doing)))
}

/// The observed values of a variable.
pub(crate) fn sight_of<'v>(vocabulary: &'v Vocabulary, variable: &Value) -> Option<&'v Sight> {
    vocabulary.sights.iter().find(|sight| sight.variable == *variable)
}

/// A value on one line.
pub(crate) fn inline(value: &Value) -> String {
    farm_core::config::to_inline_yaml(value)
}
