//! Candidates made by changing other candidates.

use farm_core::serde_yaml::{Mapping, Value};

use crate::edit::{edited, edits_of};
use crate::generator::{Candidate, Draws, Generator, written};
use crate::rule_lists::{
    Entries, acts_of, asked, conditions_of, each_list, has_memory, visit_memory, visit_numbers, visit_rules,
};
use crate::sights::{Values, short};
use crate::vocabulary::{inline, sight_of};

/// Maximum number of rules in a policy.
const MAX_RULES: usize = 16;
/// Maximum number of changes that the description of a policy's origin lists.
const MAX_CHANGES: usize = 6;

/// Shows all numbers of a policy to a function, one after another.
type Visit = fn(&mut Value, &mut dyn FnMut(&mut Value));

impl Generator<'_> {
    /// A candidate with one to three changes.
    pub fn changed(&self, number: u32, parent: &Candidate) -> Option<Candidate> {
        self.fitting(number, |draws| {
            let mut child = parent.clone();
            let n = 1 + draws.stream.index(3);
            let changes: Vec<String> = (0..n).filter_map(|_| draws.change(&mut child.policy)).collect();
            if changes.is_empty() || child.policy == parent.policy {
                return None;
            }
            child.how = lineage(&parent.how, &changes.join(", "));
            Some(child)
        })
    }

    /// A candidate with one parent's rules, and some of another parent's rules at random places.
    pub fn crossed(&self, number: u32, mother: &Candidate, father: &Candidate) -> Option<Candidate> {
        self.fitting(number, |draws| {
            let mut given = Vec::new();
            visit_rules(&mut father.policy.clone(), &mut |_, rules| {
                given.extend(rules.iter().filter(|_| draws.chance(0.4)).cloned());
            });
            let mut child = mother.clone();
            let mut is_done = false;
            visit_rules(&mut child.policy, &mut |_, rules| {
                if !is_done {
                    is_done = true;
                    for rule in given.drain(..).filter(|rule| !rules.contains(rule)).collect::<Vec<_>>() {
                        let at = draws.stream.index(rules.len() as u32 + 1) as usize;
                        rules.insert(at, rule);
                    }
                    rules.truncate(MAX_RULES);
                }
            });
            child.how = lineage(&mother.how, "rules of another");
            (child.policy != mother.policy).then_some(child)
        })
    }

    /// Copies of the candidate, each without one of its rules or one of its combined policies. Its origin names what is left out.
    pub fn without_one(&self, parent: &Candidate) -> Vec<Candidate> {
        let mut count = 0;
        each_list(&mut parent.policy.clone(), &mut |_, list| count += if list.len() > 1 { list.len() } else { 0 });
        let without = |dropped: usize| {
            let mut child = parent.clone();
            let mut before = 0;
            each_list(&mut child.policy, &mut |entries, list| {
                if list.len() > 1 {
                    let range = before..before + list.len();
                    before = range.end;
                    if range.contains(&dropped) {
                        let place = dropped - range.start;
                        let name = title(&mut list.remove(place));
                        child.how = lineage(&parent.how, &format!("{} {} dropped: {name}", noun(entries), place + 1));
                    }
                }
            });
            child
        };
        (0..count).map(without).collect()
    }
}

fn noun(entries: Entries) -> &'static str {
    match entries {
        Entries::Rules => "rule",
        Entries::Tasks => "task",
        Entries::Policies => "policy",
    }
}

/// What a rule or a combined policy does: the actions of the rule, or the kind of the policy.
fn title(entry: &mut Value) -> String {
    let of_act =
        |act: &mut Mapping| ["entity", "action"].map(|key| short(act.get(key).unwrap_or(&Value::Null))).join(" ");
    let acts: Vec<String> = acts_of(entry).into_iter().map(of_act).collect();
    match (entry.get("act"), entry.as_mapping().and_then(|kinds| kinds.iter().next())) {
        (Some(act), _) if acts.is_empty() => short(act),
        (Some(_), _) => acts.join(", "),
        (None, Some((kind, parameters))) => {
            let variable =
                parameters.get("variable").map_or_else(String::new, |variable| format!(" {}", short(variable)));
            format!("{}{variable}", short(kind))
        }
        (None, None) => short(entry),
    }
}

/// A policy's origin: the parent's origin, followed by the last change.
pub(crate) fn lineage(parent: &str, change: &str) -> String {
    let changes: Vec<&str> = parent.split("; ").chain([change]).collect();
    match changes.len() {
        n if n > MAX_CHANGES => {
            let left_out = n - MAX_CHANGES + 1;
            let last = changes[left_out + 1..].join("; ");
            format!("{}; … ; {last}", changes[0])
        }
        _ => changes.join("; "),
    }
}

impl Draws<'_> {
    /// Changes a policy in one place, by one of its small changes or by a larger change. Returns the change in words.
    pub(crate) fn change(&mut self, policy: &mut Value) -> Option<String> {
        if has_memory(policy) && self.chance(0.3) {
            return self.scale(policy, visit_memory).map(|change| format!("memory: {change}"));
        }
        if self.chance(0.5) {
            let edits = edits_of(self.vocabulary, policy);
            if let Some(edit) = self.one(&edits) {
                let (changed, words) = edited(policy, &[edit]);
                *policy = changed;
                return Some(words);
            }
        }
        let mut lists = 0;
        each_list(&mut policy.clone(), &mut |_, _| lists += 1);
        if lists == 0 {
            return self.scale(policy, visit_numbers);
        }
        let wanted = self.stream.index(lists) as usize;
        let (mut i, mut done) = (0, None);
        each_list(policy, &mut |entries, list| {
            if i == wanted {
                done = match entries {
                    Entries::Policies => self.change_policies(list),
                    Entries::Rules | Entries::Tasks => self.change_rules(list),
                };
            }
            i += 1;
        });
        done
    }

    /// Changes combined policies: their numbers, their order or the policies themselves.
    fn change_policies(&mut self, policies: &mut Vec<Value>) -> Option<String> {
        let n = policies.len() as u32;
        if n == 0 {
            return None;
        }
        let at = self.stream.index(n) as usize;
        let name = format!("policy {}", at + 1);
        match self.stream.index(6) {
            0 if n > 1 => {
                policies.remove(at);
                Some(format!("{name} dropped"))
            }
            1 if n > 1 => {
                let to = self.stream.index(n) as usize;
                let policy = policies.remove(at);
                policies.insert(to, policy);
                (to != at).then(|| format!("{name} moved to place {}", to + 1))
            }
            2 if policies.len() < MAX_RULES => {
                let rule = self.rule()?;
                policies.insert(at, self.vocabulary.policy(vec![rule]));
                Some(format!("a random rule before {name}"))
            }
            _ => self.scale(&mut policies[at], visit_numbers).map(|change| format!("{name}: {change}")),
        }
    }

    fn change_rules(&mut self, rules: &mut Vec<Value>) -> Option<String> {
        let n = rules.len() as u32;
        if n == 0 {
            rules.push(self.rule()?);
            return Some("a random rule".to_owned());
        }
        let at = self.stream.index(n) as usize;
        let name = format!("rule {}", at + 1);
        match self.stream.index(10) {
            0 if n > 1 => {
                let to = self.stream.index(n) as usize;
                let rule = rules.remove(at);
                rules.insert(to, rule);
                (to != at).then(|| format!("{name} moved to place {}", to + 1))
            }
            1..5 => self.shift(&mut rules[at]).map(|change| format!("{name}: {change}")),
            5..7 => self.other_conditions(&mut rules[at]).map(|change| format!("{name}: {change}")),
            7 if rules.len() < MAX_RULES => {
                // A copy with another threshold. An equal copy would have no effect.
                let mut copy = rules[at].clone();
                let change = self.shift(&mut copy)?;
                rules.insert(at + 1, copy);
                Some(format!("{name} twice, {change}"))
            }
            _ if rules.len() < MAX_RULES => {
                let at = self.stream.index(n + 1) as usize;
                rules.insert(at, self.rule()?);
                Some(format!("a random rule at place {}", at + 1))
            }
            _ => None,
        }
    }

    /// Shifts a rule's threshold to a random observed value, or to a nearby value.
    fn shift(&mut self, rule: &mut Value) -> Option<String> {
        let conditions = conditions_of(rule).into_iter();
        let mut conditions: Vec<_> =
            conditions.filter(|found| found.get("ref_value").is_some_and(Value::is_number)).collect();
        let n = conditions.len();
        let condition = conditions.get_mut(self.stream.index(n as u32) as usize)?;
        let variable = asked(condition)?.clone();
        let old = condition.get("ref_value")?.clone();
        let number = old.as_f64()?;
        let numbers = sight_of(self.vocabulary, &variable).and_then(|sight| {
            if let Values::Numbers { is_whole, .. } = sight.values { Some((sight, is_whole)) } else { None }
        });
        let new = match numbers {
            Some((sight, is_whole)) if self.chance(0.6) => written(self.number(sight), is_whole),
            Some((_, is_whole)) => written(self.near(number, is_whole), is_whole),
            None => written(self.near(number, number.fract() == 0.0), number.fract() == 0.0),
        };
        (new != old).then(|| {
            let change = format!("{} {} → {}", short(&variable), inline(&old), inline(&new));
            condition.insert("ref_value".into(), new);
            change
        })
    }

    /// A number near another number.
    fn near(&mut self, old: f64, is_whole: bool) -> f64 {
        let factor = self.stream.uniform_in(0.6, 1.6);
        if is_whole {
            let step = f64::from(1 + self.stream.index(2)).max((old * (factor - 1.0)).abs().round());
            if self.chance(0.5) { old + step } else { (old - step).max(0.0) }
        } else {
            old * factor
        }
    }

    /// Negates one of a rule's conditions, or adds a condition.
    fn other_conditions(&mut self, rule: &mut Value) -> Option<String> {
        let doing = {
            let act = acts_of(rule).first().map(|act| (**act).clone());
            let entity = act.as_ref().and_then(|act| act.get("entity")).cloned();
            self.vocabulary.doings.iter().find(|doing| doing.act.get("entity") == entity.as_ref())
        };
        let at_plot =
            self.vocabulary.on_foot.is_some() || rule.get("for_each_plot").and_then(Value::as_bool) == Some(true);
        let rule = rule.as_mapping_mut()?;
        if !rule.get("when").is_some_and(Value::is_sequence) {
            rule.insert("when".into(), Value::Sequence(vec![Value::Sequence(Vec::new())]));
        }
        let clauses = rule.get_mut("when")?.as_sequence_mut()?;
        let n = clauses.len() as u32;
        let clause = clauses.get_mut(self.stream.index(n) as usize)?.as_sequence_mut()?;
        let n = clause.len() as u32;
        match self.stream.index(2) {
            0 if n > 0 => {
                let condition = clause.get_mut(self.stream.index(n) as usize)?.as_mapping_mut()?;
                let turned = match condition.get("operator")?.as_str()? {
                    "<" => ">=",
                    "<=" => ">",
                    ">" => "<=",
                    ">=" => "<",
                    "==" => "!=",
                    "!=" => "==",
                    "in" => "not in",
                    _ => return None,
                };
                condition.insert("operator".into(), turned.into());
                Some(format!("{} turned around", short(asked(condition)?)))
            }
            _ => {
                let condition = match doing {
                    Some(doing) if at_plot == doing.is_per_plot => self.condition(doing)?,
                    _ => {
                        let vocabulary = self.vocabulary;
                        let sight = self.one(&vocabulary.sights)?;
                        self.condition_on(sight, at_plot)
                    }
                };
                let name = short(condition.get("state_variable")?);
                clause.push(condition);
                Some(format!("{name} asked"))
            }
        }
    }

    /// Changes one of the numbers that `visit` finds in a policy, chosen at random.
    fn scale(&mut self, policy: &mut Value, visit: Visit) -> Option<String> {
        let mut n = 0;
        visit(policy, &mut |_| n += 1);
        let wanted = self.stream.index(n);
        let (mut i, mut change) = (0, None);
        visit(policy, &mut |number| {
            if let Some(old) = number.as_f64().filter(|_| i == wanted) {
                // In a memory, numbers may be below 0.
                let is_whole = old >= 0.0 && (number.is_i64() || number.is_u64());
                let new = written(self.near(old, is_whole), is_whole);
                change = Some(format!("{old} → {}", inline(&new)));
                *number = new;
            }
            i += 1;
        });
        change
    }
}
