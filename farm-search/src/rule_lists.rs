//! Policies as lists of rules that can be read and changed: trigger rules with their memory, tasks of walking policies, and combined policies.

use farm_core::Game;
use farm_core::config::Document;
use farm_core::serde_yaml::{self, Mapping, Value};
use farm_core::spec::Tunable;
use farm_games::policies::{Tally, Task, Term, Trigger, policy_from_value};

use crate::SearchError;

/// The kinds of policies that have a list, and the key of this list.
const LISTS: [(&str, &str, Entries); 3] = [
    ("TriggerPolicy", "rules", Entries::Rules),
    ("WalkingPolicy", "tasks", Entries::Tasks),
    ("CombinedPolicy", "policies", Entries::Policies),
];

/// Maximum depth of nested policies.
const MAX_DEPTH: usize = 8;

/// Reads a policy: the path of a YAML file, the name of one of the game's policies or of a kind, or a policy in YAML.
///
/// # Errors
/// The file can't be read, it is not valid YAML, or the policy does not fit the game.
pub fn policy_of(game: &Game, text: &str) -> Result<Value, SearchError> {
    let path = std::path::Path::new(text);
    if !path.is_file() && (text.starts_with(['[', '{']) || text.contains(": ")) {
        let document = Document::parse("--policy", text)?;
        policy_from_value(game, document.value()).map_err(|problems| document.locate(problems))?;
        return Ok(document.value().clone());
    }
    if !path.is_file() {
        let policy = Value::from(text);
        return policy_from_value(game, &policy).map(|_| policy).map_err(SearchError::from);
    }
    let document = Document::read(path)?;
    policy_from_value(game, document.value()).map_err(|problems| document.locate(problems))?;
    Ok(document.value().clone())
}

/// Replaces the names of the game's own policies with those policies, and removes default values from rules.
pub fn expand(game: &Game, policy: &Value) -> Value {
    let mut policy = expand_within(game, policy, 0, false);
    leave_out_defaults(&mut policy);
    policy
}

/// The same, but the game's own policies keep their tunable numbers.
pub fn expand_tunable(game: &Game, policy: &Value) -> Value {
    let mut policy = expand_within(game, policy, 0, true);
    leave_out_defaults(&mut policy);
    policy
}

fn leave_out_defaults(policy: &mut Value) {
    let defaults = |value: Result<Value, serde_yaml::Error>| value.ok().and_then(|value| value.as_mapping().cloned());
    let of_tally = defaults(serde_yaml::to_value(Tally::default())).unwrap_or_default();
    let of_term = defaults(serde_yaml::to_value(Term::default())).unwrap_or_default();
    let leave_out = |value: &mut Value, defaults: &Mapping| {
        if let Some(entries) = value.as_mapping_mut() {
            entries.retain(|key, value| defaults.get(key) != Some(value));
        }
    };
    visit_triggers(policy, &mut |parameters| {
        let Some(memory) = parameters.get_mut("memory").and_then(Value::as_mapping_mut) else { return };
        for (_, tally) in memory.iter_mut() {
            leave_out(tally, &of_tally);
            let terms = tally.get_mut("add").and_then(Value::as_sequence_mut);
            terms.into_iter().flatten().for_each(|term| leave_out(term, &of_term));
            tally.get_mut("reset_to").into_iter().for_each(|term| leave_out(term, &of_term));
        }
        if memory.is_empty() {
            parameters.shift_remove("memory");
        }
    });
    let of_rule = defaults(serde_yaml::to_value(Trigger::default())).unwrap_or_default();
    let of_task = defaults(serde_yaml::to_value(Task::default())).unwrap_or_default();
    visit_rules(policy, &mut |entries, rules| {
        let defaults = if entries == Entries::Tasks { &of_task } else { &of_rule };
        rules.iter_mut().for_each(|rule| leave_out(rule, defaults));
    });
}

fn expand_within(game: &Game, policy: &Value, depth: usize, is_as_written: bool) -> Value {
    if depth > MAX_DEPTH {
        return policy.clone();
    }
    match policy {
        Value::String(name) => match game.spec().policies().get(name) {
            Some(policy) => {
                let written = game.spec().policy_as_written(name).filter(|_| is_as_written);
                let policy = written.cloned().unwrap_or_else(|| serde_yaml::to_value(policy).unwrap_or_default());
                expand_within(game, &policy, depth + 1, is_as_written)
            }
            None => policy.clone(),
        },
        Value::Sequence(policies) => {
            let expand = |policy| expand_within(game, policy, depth + 1, is_as_written);
            Value::Sequence(policies.iter().map(expand).collect())
        }
        Value::Mapping(kind) => {
            let mut kind = kind.clone();
            if let Some(policies) = kind.get_mut("CombinedPolicy").and_then(|combined| combined.get_mut("policies")) {
                *policies = expand_within(game, policies, depth + 1, is_as_written);
            }
            Value::Mapping(kind)
        }
        other => other.clone(),
    }
}

/// The type of a list's entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Entries {
    /// Trigger rules.
    Rules,
    /// Tasks of a walking policy.
    Tasks,
    /// Combined policies.
    Policies,
}

/// Calls `visit` with each list of rules, tasks or policies in a policy. Inner lists come before outer lists.
pub(crate) fn each_list(policy: &mut Value, visit: &mut dyn FnMut(Entries, &mut Vec<Value>)) {
    let (entries, list) = match policy {
        Value::Sequence(policies) => (Entries::Policies, policies),
        Value::Mapping(kind) => {
            let Some((name, key, entries)) = LISTS.into_iter().find(|(name, ..)| kind.contains_key(*name)) else {
                return;
            };
            match kind.get_mut(name).and_then(|parameters| parameters.get_mut(key)) {
                Some(Value::Sequence(list)) => (entries, list),
                _ => return,
            }
        }
        _ => return,
    };
    if entries == Entries::Policies {
        list.iter_mut().for_each(|policy| each_list(policy, visit));
    }
    visit(entries, list);
}

/// Calls `visit` with each list of rules or tasks in a policy, including lists inside combined policies.
pub(crate) fn visit_rules(policy: &mut Value, visit: &mut dyn FnMut(Entries, &mut Vec<Value>)) {
    each_list(policy, &mut |entries, list| {
        if entries != Entries::Policies {
            visit(entries, list);
        }
    });
}

/// Calls `visit` with the parameters of each `TriggerPolicy` in a policy.
pub(crate) fn visit_triggers(policy: &mut Value, visit: &mut dyn FnMut(&mut Mapping)) {
    match policy {
        Value::Sequence(policies) => policies.iter_mut().for_each(|policy| visit_triggers(policy, visit)),
        Value::Mapping(kind) => {
            if let Some(policies) = kind.get_mut("CombinedPolicy").and_then(|combined| combined.get_mut("policies")) {
                visit_triggers(policies, visit);
            }
            kind.get_mut("TriggerPolicy").and_then(Value::as_mapping_mut).into_iter().for_each(visit);
        }
        _ => {}
    }
}

/// Calls `visit` with each number in the memories of a policy, and with each number by which its rules change a memory.
pub(crate) fn visit_memory(policy: &mut Value, visit: &mut dyn FnMut(&mut Value)) {
    visit_triggers(policy, &mut |parameters| {
        parameters.get_mut("memory").into_iter().for_each(|memory| visit_numbers(memory, visit));
        let rules = parameters.get_mut("rules").and_then(Value::as_sequence_mut);
        for rule in rules.into_iter().flatten() {
            for key in ["then_add", "then_set"] {
                rule.get_mut(key).into_iter().for_each(|changes| visit_numbers(changes, visit));
            }
        }
    });
}

/// Whether a policy has a memory with numbers.
pub(crate) fn has_memory(policy: &Value) -> bool {
    let mut has_memory = false;
    visit_memory(&mut policy.clone(), &mut |_| has_memory = true);
    has_memory
}

/// The game's own policies with a memory, by name.
pub(crate) fn with_memory(game: &Game) -> Vec<(String, Value)> {
    let named = game.spec().policies().keys().map(|name| (name.clone(), expand(game, &name.as_str().into())));
    named.filter(|(_, policy)| has_memory(policy)).collect()
}

/// Calls `visit` with each number in a value, without names of variables, words, and tunable numbers.
pub(crate) fn visit_numbers(value: &mut Value, visit: &mut dyn FnMut(&mut Value)) {
    match value {
        Value::Number(_) => visit(value),
        Value::Sequence(items) => items.iter_mut().for_each(|item| visit_numbers(item, visit)),
        Value::Mapping(_) if Tunable::is_one(value) => {}
        Value::Mapping(entries) => {
            let is_number = |key: &Value| !matches!(key.as_str(), Some("state_variable" | "of"));
            entries.iter_mut().filter(|(key, _)| is_number(key)).for_each(|(_, item)| visit_numbers(item, visit));
        }
        _ => {}
    }
}

/// The variable or the memory that a condition reads.
pub(crate) fn asked(condition: &Mapping) -> Option<&Value> {
    condition.get("state_variable").or_else(|| condition.get("memory"))
}

/// The conditions in all clauses of a rule, in order.
pub(crate) fn conditions_of(rule: &mut Value) -> Vec<&mut Mapping> {
    let clauses = rule.get_mut("when").and_then(Value::as_sequence_mut);
    let conditions = clauses.into_iter().flatten().filter_map(Value::as_sequence_mut).flatten();
    conditions.filter_map(Value::as_mapping_mut).collect()
}

/// A rule's actions that are mappings, without actions written as lists.
pub(crate) fn acts_of(rule: &mut Value) -> Vec<&mut Mapping> {
    match rule.get_mut("act") {
        Some(Value::Mapping(act)) => vec![act],
        Some(Value::Sequence(acts)) => acts.iter_mut().filter_map(Value::as_mapping_mut).collect(),
        _ => Vec::new(),
    }
}

/// A mapping with keys in this order.
pub(crate) fn mapping<const N: usize>(entries: [(&str, Value); N]) -> Value {
    Value::Mapping(entries.into_iter().map(|(key, value)| (Value::from(key), value)).collect())
}
