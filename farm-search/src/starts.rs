//! Starting points of searches with limited senses: what is left of a policy if some of its conditions may not be read.

use farm_core::serde_yaml::{Mapping, Value};

use crate::acted::{Acted, Actions, Day};
use crate::books::Book;
use crate::generator::written;
use crate::probes::{number_value, of_number};
use crate::rule_lists::{Entries, each_list, mapping, visit_rules, visit_triggers};
use crate::senses::{Senses, is_calendar, is_forecast, is_step};
use crate::sights::{Values, short};
use crate::vocabulary::Vocabulary;
use crate::{Arena, Candidate, SearchError};

/// Number of days after its date on which an action may still be taken.
const LATE: f64 = 30.0;
/// Days added to the end of a window.
const AFTER: f64 = 5.0;
/// Maximum number of dates of a rule.
const MAX_DATES: usize = 12;
/// Number of thresholds tried for a condition on a forecast.
const THRESHOLDS: usize = 5;

/// What replaces a rule's conditions that may not be read.
#[derive(Debug, Clone, Copy)]
enum Form<'v> {
    /// Nothing.
    Dropped,
    /// A rule for each of the mean dates of its first action, its second action, and so on.
    Dates(&'v Value),
    /// The days from its mean first to its mean last action, at the mean distance.
    Window(&'v Value),
    /// A sum of free values in the policy's memory, within the days from its first to its last action in all episodes.
    Books(&'v Value),
}

/// A policy without what `senses` does not show. Lost conditions are left out, or replaced by the days on which the policy acted in a few
/// episodes. `policy` must not contain names of the game's own policies.
///
/// # Errors
/// The policy does not fit the game, or the game fails in a step.
pub fn without_sight(
    arena: Arena<'_>,
    vocabulary: &Vocabulary,
    senses: Senses,
    policy: &Value,
    seed: u64,
) -> Result<Vec<Candidate>, SearchError> {
    let acted = Acted::watch(arena, vocabulary, policy, seed)?;
    let units = vocabulary.sights.iter().map(|sight| &sight.variable).filter(|variable| is_calendar(variable));
    let forms = units.flat_map(|unit| {
        [(Form::Dates(unit), "on dates"), (Form::Window(unit), "in windows of time"), (Form::Books(unit), "by books")]
    });
    let forms = std::iter::once((Form::Dropped, "conditions dropped")).chain(forms);
    let found = forms.map(|(form, how)| Candidate::new(limited(vocabulary, senses, policy, &acted, form), how));
    Ok(found.filter(|found| senses.admit(&found.policy) && arena.fits(&found.policy)).collect())
}

fn limited(vocabulary: &Vocabulary, senses: Senses, policy: &Value, acted: &Acted, form: Form<'_>) -> Value {
    let mut policy = policy.clone();
    let is_known = senses.admit_readings(&policy_memories(&policy));
    let keeps = |condition: &Value| {
        let Some(condition) = condition.as_mapping() else { return false };
        match condition.get("state_variable") {
            None => is_known,
            Some(variable) if senses == Senses::Unpaid => is_free(vocabulary, variable),
            Some(_) => senses.may_read(condition),
        }
    };
    let mut number = 0;
    each_list(&mut policy, &mut |entries, list| match entries {
        Entries::Policies => list.retain(|policy| senses.admit(policy)),
        Entries::Rules | Entries::Tasks => {
            let first = number;
            number += list.len();
            let rules = std::mem::take(list).into_iter().zip(first..);
            for (mut rule, number) in rules.filter(|(rule, _)| rule.get("act").is_none_or(|act| senses.may_act(act))) {
                if let Some(rule) = rule.as_mapping_mut().filter(|_| !is_known) {
                    ["then_add", "then_set"].iter().for_each(|key| drop(rule.shift_remove(*key)));
                }
                match kept_clauses(&rule, &keeps) {
                    None => list.push(rule),
                    Some(clauses) => list.extend(instead(entries, &rule, &clauses, (acted, number), form)),
                }
            }
        }
    });
    visit_triggers(&mut policy, &mut |parameters| {
        if !is_known {
            parameters.shift_remove("memory");
        }
        add_books(parameters, acted);
    });
    policy
}

/// Adds the books that a policy's rules read to its memory.
fn add_books(parameters: &mut Mapping, acted: &Acted) {
    let rules = parameters.get("rules").and_then(Value::as_sequence).cloned().unwrap_or_default();
    for (number, book) in (0..acted.rules.len()).filter_map(|number| Some((number, book_of(acted, number)?))) {
        let read = Book::is_reached(&name_of_book(number));
        let reads = |rule: &&Value| {
            let clauses = rule.get("when").and_then(Value::as_sequence).into_iter().flatten();
            clauses.filter_map(Value::as_sequence).flatten().any(|condition| *condition == read)
        };
        let Some(rule) = rules.iter().find(reads) else { continue };
        let is_per_plot = rule.get("for_each_plot").and_then(Value::as_bool) == Some(true);
        let field = rule.get("act").and_then(|act| act.get("field")).filter(|_| is_per_plot);
        let memory = parameters.entry("memory".into()).or_insert_with(|| Value::Mapping(Mapping::new()));
        if let Some(memory) = memory.as_mapping_mut() {
            memory.insert(name_of_book(number).into(), book.memory(&acted.summed, field));
        }
    }
}

/// The book of a rule; none if it acted too rarely.
fn book_of(acted: &Acted, number: usize) -> Option<Book> {
    let steps = |days: &[Day]| days.iter().map(|day| day.step as usize).collect();
    let lists = acted.rules[number].iter().map(|actions| (steps(&actions.days), &acted.sums[actions.episode]));
    Book::fitted(&lists.collect::<Vec<_>>())
}

fn name_of_book(number: usize) -> String {
    format!("book_{number}")
}

/// The memories in a policy.
fn policy_memories(policy: &Value) -> Value {
    let mut found = Vec::new();
    visit_triggers(&mut policy.clone(), &mut |parameters| {
        found.extend(parameters.get("memory").cloned());
    });
    Value::Sequence(found)
}

/// Whether a variable, or one of its elements, is free and varies.
fn is_free(vocabulary: &Vocabulary, variable: &Value) -> bool {
    let words = |variable: &Value| match variable {
        Value::Sequence(words) => words.iter().filter(|word| word.is_string()).cloned().collect(),
        word => vec![word.clone()],
    };
    vocabulary.sights.iter().any(|sight| sight.is_free && words(&sight.variable) == words(variable))
}

/// A rule's clauses without the conditions that are lost; none if nothing is lost.
fn kept_clauses(rule: &Value, keeps: &dyn Fn(&Value) -> bool) -> Option<Vec<Vec<Value>>> {
    let clauses: Vec<Vec<Value>> =
        rule.get("when")?.as_sequence()?.iter().filter_map(Value::as_sequence).cloned().collect();
    let mut kept: Vec<Vec<Value>> = Vec::new();
    for clause in &clauses {
        let clause: Vec<Value> = clause.iter().filter(|condition| keeps(condition)).cloned().collect();
        if !kept.contains(&clause) {
            kept.push(clause);
        }
    }
    (kept != clauses).then_some(kept)
}

/// The rules that replace a rule that has lost conditions.
fn instead(
    entries: Entries,
    rule: &Value,
    clauses: &[Vec<Value>],
    (acted, number): (&Acted, usize),
    form: Form<'_>,
) -> Vec<Value> {
    let actions = &acted.rules[number];
    let unit = match form {
        Form::Dropped => {
            let clauses: Vec<Vec<Value>> = clauses.iter().filter(|clause| !clause.is_empty()).cloned().collect();
            return if clauses.is_empty() { Vec::new() } else { vec![with(rule, &clauses, &[], None)] };
        }
        _ if actions.is_empty() => return Vec::new(),
        Form::Dates(unit) | Form::Window(unit) | Form::Books(unit) => unit,
    };
    // A task has neither a period nor an end.
    let entry = |key, value| (entries == Entries::Rules).then_some((key, value));
    let read = |day: &Day| if is_step(unit) { f64::from(day.step) } else { day.of_year };
    let mean = |of: &[f64]| farm_core::math::sum(of.iter().copied()) / of.len().max(1) as f64;
    let from_to = |first: f64, last: f64| {
        [(">=", first), ("<=", last)].map(|(operator, day)| of_number(unit, false, operator, written(day, true)))
    };
    let nth = |day: &dyn Fn(&[Day]) -> Option<Day>| -> Vec<f64> {
        actions.iter().filter_map(|Actions { days, .. }| day(days)).map(|day| read(&day)).collect()
    };
    let (first, last) = (nth(&|days| days.first().copied()), nth(&|days| days.last().copied()));
    let times = mean(&actions.iter().map(|actions| actions.days.len() as f64).collect::<Vec<_>>());
    match form {
        Form::Books(_) => {
            let Some(book) = book_of(acted, number) else { return Vec::new() };
            let name = name_of_book(number);
            let (low, high) =
                (first.iter().copied().fold(f64::INFINITY, f64::min), last.iter().copied().fold(0.0, f64::max));
            let more = [&from_to(low, high + AFTER)[..], &[Book::is_reached(&name)]].concat();
            let mut rule = with(rule, clauses, &more, entry("period#day", number_value(1.0)));
            if let Some(rule) = rule.as_mapping_mut().filter(|_| book.is_reset) {
                rule.insert("then_set".into(), mapping([(name.as_str(), number_value(0.0))]));
            }
            vec![rule]
        }
        Form::Window(_) => {
            let (first, last) = (mean(&first), mean(&last));
            let period = ((last - first) / (times - 1.0).max(1.0)).round().max(1.0);
            vec![with(rule, clauses, &from_to(first, last + AFTER), entry("period#day", number_value(period)))]
        }
        _ => {
            let dates = (0..MAX_DATES).map(|k| nth(&|days| days.get(k).copied()));
            let dates = dates.take_while(|dates| !dates.is_empty() && dates.len() * 2 >= actions.len());
            let on = |date: f64| with(rule, clauses, &from_to(date, date + LATE), entry("once", true.into()));
            dates.map(|dates| on(mean(&dates))).collect()
        }
    }
}

/// A rule with other clauses, to each of which conditions are added.
fn with(rule: &Value, clauses: &[Vec<Value>], more: &[Value], entry: Option<(&str, Value)>) -> Value {
    let mut rule: Mapping = rule.as_mapping().cloned().unwrap_or_default();
    let clauses = clauses.iter().map(|clause| Value::Sequence([clause.as_slice(), more].concat()));
    rule.insert("when".into(), Value::Sequence(clauses.collect()));
    if let Some((key, value)) = entry {
        ["delay#day", "period#day", "once"].iter().for_each(|key| drop(rule.shift_remove(*key)));
        rule.insert(key.into(), value);
    }
    Value::Mapping(rule)
}

/// A policy with one more condition in one rule, on the mean, the smallest or the largest value of a forecast.
pub fn with_forecasts(arena: Arena<'_>, vocabulary: &Vocabulary, policy: &Value) -> Vec<Candidate> {
    let mut conditions: Vec<(String, Value)> = Vec::new();
    let mut known: Vec<Value> = Vec::new();
    for sight in vocabulary.sights.iter().filter(|sight| is_forecast(&sight.variable)) {
        let (Some(words), Values::Numbers { quantiles, .. }) = (sight.variable.as_sequence(), &sight.values) else {
            continue;
        };
        // The whole forecast instead of one of its days.
        let whole = Value::Sequence(words.iter().filter(|word| word.is_string()).cloned().collect());
        if known.contains(&whole) {
            continue;
        }
        known.push(whole.clone());
        for (function, operator) in ["mean", "min", "max"].into_iter().flat_map(|f| [(f, "<"), (f, ">=")]) {
            for i in 1..=THRESHOLDS {
                let threshold = written(quantiles[i * (quantiles.len() - 1) / (THRESHOLDS + 1)], false);
                let how = format!("{function} of {} {operator} {}", short(&whole), threshold.as_f64().unwrap_or(0.0));
                let mut condition = of_number(&whole, false, operator, threshold);
                condition.as_mapping_mut().into_iter().for_each(|c| drop(c.insert("function".into(), function.into())));
                conditions.push((how, condition));
            }
        }
    }
    let mut n = 0;
    visit_rules(&mut policy.clone(), &mut |_, rules| n += rules.len());
    let mut found = Vec::new();
    for (wanted, (how, condition)) in (0..n).flat_map(|rule| conditions.iter().map(move |pair| (rule, pair))) {
        let mut policy = policy.clone();
        let mut i = 0;
        visit_rules(&mut policy, &mut |_, rules| {
            if let Some(rule) = wanted.checked_sub(i).and_then(|at| rules.get_mut(at)) {
                let clauses = rule.get("when").and_then(Value::as_sequence).cloned().unwrap_or_default();
                let clauses: Vec<Vec<Value>> = clauses.into_iter().filter_map(|c| c.as_sequence().cloned()).collect();
                let clauses = if clauses.is_empty() { vec![Vec::new()] } else { clauses };
                *rule = with(rule, &clauses, std::slice::from_ref(condition), None);
            }
            i += rules.len();
        });
        if arena.fits(&policy) {
            found.push(Candidate::new(policy, format!("rule {} if {how}", wanted + 1)));
        }
    }
    found
}
