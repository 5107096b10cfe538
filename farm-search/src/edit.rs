//! All small changes to a policy. The search tries each change alone, and then combines the helpful ones.

use std::mem::discriminant;

use farm_core::serde_yaml::Value;

use crate::generator::{Draws, written};
use crate::probes::number_value;
use crate::rule_lists::{acts_of, asked, conditions_of, visit_rules};
use crate::sights::{Values, short};
use crate::vocabulary::{Vocabulary, doing_of, inline, sight_of};

/// Shifts of a threshold, in quantiles.
const STEPS: [isize; 4] = [-10, -3, 3, 10];
/// Factors for the threshold of a variable without observed values.
const FACTORS: [f64; 4] = [0.5, 0.75, 1.33, 2.0];
/// Candidate periods in days between two actions.
const PERIODS: [u32; 2] = [3, 10];

/// A small change to one rule of a policy.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Edit {
    /// The index of the rule, counted over all lists of rules.
    rule: usize,
    change: Change,
}

#[derive(Debug, Clone, PartialEq)]
enum Change {
    /// A different value for an action's parameter.
    Amount { act: usize, name: String, value: Value },
    /// A different reference value for a condition: a number, a word or a list of words.
    Reference { condition: usize, value: Value },
    /// A removed condition.
    Unasked { condition: usize },
    /// A different period between two actions, in days.
    Period(u32),
    /// The rule moves to the front of all rules.
    First,
    /// The rule is removed.
    Dropped,
}

impl Edit {
    /// Whether both change the same thing.
    fn excludes(&self, other: &Self) -> bool {
        let is_gone = |edit: &Self| matches!(edit.change, Change::Dropped);
        self.rule == other.rule
            && match (&self.change, &other.change) {
                (Change::Amount { act, name, .. }, Change::Amount { act: other_act, name: other_name, .. }) => {
                    (act, name) == (other_act, other_name)
                }
                (
                    Change::Reference { condition, .. } | Change::Unasked { condition },
                    Change::Reference { condition: other, .. } | Change::Unasked { condition: other },
                ) => condition == other,
                (Change::Period(_), Change::Period(_)) => true,
                _ => is_gone(self) || is_gone(other),
            }
            || matches!((&self.change, &other.change), (Change::First, Change::First))
    }
}

/// The edits that can be combined. Earlier edits take precedence.
pub(crate) fn compatible<'e>(edits: impl IntoIterator<Item = &'e Edit>) -> Vec<&'e Edit> {
    let mut chosen: Vec<&Edit> = Vec::new();
    for edit in edits {
        if chosen.iter().all(|other| !edit.excludes(other)) {
            chosen.push(edit);
        }
    }
    chosen
}

/// All small changes to a policy.
pub(crate) fn edits_of(vocabulary: &Vocabulary, policy: &Value) -> Vec<Edit> {
    let mut found = Vec::new();
    let mut first = 0;
    visit_rules(&mut policy.clone(), &mut |_, rules| {
        let n = rules.len();
        for (i, rule) in rules.iter_mut().enumerate() {
            let rule_number = first + i;
            let mut add = |change| found.push(Edit { rule: rule_number, change });
            if n > 1 {
                add(Change::Dropped);
            }
            if i > 0 {
                add(Change::First);
            }
            if vocabulary.on_foot.is_none() {
                PERIODS.into_iter().for_each(|period| add(Change::Period(period)));
            }
            amounts(vocabulary, rule).into_iter().for_each(&mut add);
            references(vocabulary, rule).into_iter().for_each(&mut add);
        }
        first += n;
    });
    found
}

fn amounts(vocabulary: &Vocabulary, rule: &mut Value) -> Vec<Change> {
    let mut found = Vec::new();
    for (act, written) in acts_of(rule).into_iter().enumerate() {
        let Some(doing) = doing_of(vocabulary, written) else { continue };
        for (name, values) in &doing.parameters {
            let own = written.get("parameters").and_then(|parameters| parameters.get(name.as_str()));
            let others = values.iter().filter(|value| own.and_then(Value::as_f64) != value.as_f64() || own.is_none());
            let others = others.filter(|value| own != Some(value));
            found.extend(others.map(|value| Change::Amount { act, name: name.clone(), value: value.clone() }));
        }
    }
    found
}

fn references(vocabulary: &Vocabulary, rule: &mut Value) -> Vec<Change> {
    let mut found = Vec::new();
    for (condition, written_condition) in conditions_of(rule).into_iter().enumerate() {
        found.push(Change::Unasked { condition });
        let Some(variable) = asked(written_condition) else { continue };
        let Some(own) = written_condition.get("ref_value") else { continue };
        let sight = sight_of(vocabulary, variable);
        let values: Vec<Value> = match (own, sight.map(|sight| &sight.values)) {
            (Value::Number(number), Some(Values::Numbers { quantiles, is_whole })) => {
                let own = number.as_f64().unwrap_or_default();
                let at = quantiles.partition_point(|quantile| *quantile < own) as isize;
                let last = quantiles.len() as isize - 1;
                let moved = STEPS.map(|step| quantiles[(at + step).clamp(0, last) as usize]);
                moved.map(|value| written(value, *is_whole)).to_vec()
            }
            (Value::Number(number), _) => {
                let own = number.as_f64().unwrap_or_default();
                FACTORS.map(|factor| written(own * factor, own.fract() == 0.0)).to_vec()
            }
            (own, Some(Values::Words(words))) => {
                let chosen: Vec<Value> = own.as_sequence().cloned().unwrap_or_else(|| vec![own.clone()]);
                let with = words.iter().filter(|word| !chosen.contains(word));
                let with = with.map(|word| Value::Sequence(chosen.iter().chain([word]).cloned().collect()));
                let without = chosen.iter().filter(|_| chosen.len() > 1);
                let without = without
                    .map(|word| Value::Sequence(chosen.iter().filter(|other| *other != word).cloned().collect()));
                with.chain(without).collect()
            }
            _ => Vec::new(),
        };
        let mut others: Vec<Value> = Vec::new();
        for value in values {
            if value != *own && !others.contains(&value) {
                others.push(value);
            }
        }
        found.extend(others.into_iter().map(|value| Change::Reference { condition, value }));
    }
    found
}

/// A policy with several changes, and the changes in words.
pub(crate) fn edited(policy: &Value, edits: &[&Edit]) -> (Value, String) {
    let mut policy = policy.clone();
    let mut words = Vec::new();
    let mut first = 0;
    visit_rules(&mut policy, &mut |_, rules| {
        let n = rules.len();
        let own = |i: usize| edits.iter().filter(move |edit| edit.rule == first + i);
        for (i, rule) in rules.iter_mut().enumerate() {
            own(i).for_each(|edit| {
                words.extend(change(rule, &edit.change).map(|word| format!("rule {}: {word}", first + i + 1)))
            });
            // From the last to the first, because a removal shifts later conditions.
            let unasked =
                |edit: &&Edit| if let Change::Unasked { condition } = edit.change { Some(condition) } else { None };
            let mut unasked: Vec<usize> = own(i).filter_map(unasked).collect();
            unasked.sort_unstable_by(|a, b| b.cmp(a));
            for condition in unasked {
                words.extend(
                    leave_out(rule, condition).map(|name| format!("rule {}: {name} no longer asked", first + i + 1)),
                );
            }
        }
        let is = |i: usize, wanted: &Change| own(i).any(|edit| edit.change == *wanted);
        let (mut heads, mut others) = (Vec::new(), Vec::new());
        for (i, rule) in rules.drain(..).enumerate() {
            match (is(i, &Change::Dropped), is(i, &Change::First)) {
                (true, _) => words.push(format!("rule {} dropped", first + i + 1)),
                (_, true) => {
                    words.push(format!("rule {} first", first + i + 1));
                    heads.push(rule);
                }
                _ => others.push(rule),
            }
        }
        rules.extend(heads.into_iter().chain(others));
        first += n;
    });
    (policy, words.join(", "))
}

/// Applies a change inside a rule, and returns it in words; none for changes to whole rules and conditions.
fn change(rule: &mut Value, change: &Change) -> Option<String> {
    match change {
        Change::Amount { act, name, value } => {
            let mut acts = acts_of(rule);
            let parameters = acts.get_mut(*act)?.get_mut("parameters")?.as_mapping_mut()?;
            parameters.insert(name.as_str().into(), value.clone());
            Some(format!("{name} {}", inline(value)))
        }
        Change::Reference { condition, value } => {
            let mut conditions = conditions_of(rule);
            let condition = conditions.get_mut(*condition)?;
            let text = format!("{} {}", short(asked(condition)?), inline(value));
            if let Value::Sequence(words) = value {
                let is_negated = matches!(condition.get("operator")?.as_str(), Some("!=" | "not in"));
                condition.insert("operator".into(), if is_negated { "not in" } else { "in" }.into());
                condition.insert("ref_value".into(), Value::Sequence(words.clone()));
            } else {
                condition.insert("ref_value".into(), value.clone());
            }
            Some(text)
        }
        Change::Period(period) => {
            rule.as_mapping_mut()?.insert("period#day".into(), number_value(f64::from(*period)));
            Some(format!("every {period} days"))
        }
        Change::Unasked { .. } | Change::First | Change::Dropped => None,
    }
}

/// Removes a condition from a rule, and returns the name of its variable.
fn leave_out(rule: &mut Value, condition: usize) -> Option<String> {
    let clauses = rule.get_mut("when")?.as_sequence_mut()?;
    let mut before = 0;
    for clause in clauses.iter_mut().filter_map(Value::as_sequence_mut) {
        if condition < before + clause.len() {
            let left_out = clause.remove(condition - before);
            return Some(short(asked(left_out.as_mapping()?)?));
        }
        before += clause.len();
    }
    None
}

impl Draws<'_> {
    /// Steps away from a policy, in random order. The kinds of change take turns, because there are few amounts and many thresholds. Every
    /// third step changes one rule twice: if a farmer should sow a different amount at a different time, neither change helps alone.
    pub(crate) fn steps(&mut self, edits: &[Edit]) -> Vec<Vec<Edit>> {
        let mut kinds: Vec<Vec<&Edit>> = Vec::new();
        for edit in self.shuffled(edits.iter().collect()) {
            let is_alike = |kind: &&mut Vec<&Edit>| discriminant(&kind[0].change) == discriminant(&edit.change);
            match kinds.iter_mut().find(is_alike) {
                Some(kind) => kind.push(edit),
                None => kinds.push(vec![edit]),
            }
        }
        let longest = kinds.iter().map(Vec::len).max().unwrap_or(0);
        let mut steps = Vec::new();
        for edit in (0..longest).flat_map(|rank| kinds.iter().filter_map(move |kind| kind.get(rank).copied())) {
            steps.push(vec![edit.clone()]);
            if steps.len() % 3 == 2 {
                steps.extend(self.pair(edits));
            }
        }
        steps
    }

    /// Two changes to the same rule.
    fn pair(&mut self, edits: &[Edit]) -> Option<Vec<Edit>> {
        let first = self.one(edits)?;
        let is_other = |other: &&Edit| other.rule == first.rule && !first.excludes(other);
        let others: Vec<&Edit> = edits.iter().filter(is_other).collect();
        let second = self.one(&others)?;
        Some(vec![first.clone(), (*second).clone()])
    }

    fn shuffled<T>(&mut self, mut of: Vec<T>) -> Vec<T> {
        for i in 0..of.len() {
            let other = i + self.stream.index((of.len() - i) as u32) as usize;
            of.swap(i, other);
        }
        of
    }
}
