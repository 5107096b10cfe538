//! The tunable numbers of a policy: where they stand, their ranges, and the policy with other values in their place.

use farm_core::config::{ParameterKind, PartKind, Path, Problems, Segment};
use farm_core::registry::kind;
use farm_core::serde_yaml::{Mapping, Value};
use farm_core::spec::{Tunable, yaml_number};
use farm_games::policies::policy_from_value;

use crate::mutation::{doing_of, sight_of};
use crate::rule_lists::{acts_of, conditions_of, mapping, visit_rules};
use crate::vocabulary::{Values, Vocabulary};
use crate::{Arena, SearchError};

/// The longest period and delay that are tried where nobody says a range.
const MAX_DAYS: (f64, f64) = (30.0, 14.0);
/// How many times as large or as small a number is tried of which no values are known.
const FACTOR: f64 = 4.0;
/// Where within a range a number is tried that can't be a whole one of it.
const FRACTION: f64 = 0.371;

/// A tunable number of a policy.
#[derive(Debug, Clone, PartialEq)]
pub struct Knob {
    /// Where it stands.
    pub path: Path,
    /// Its range, and the value that it has before it is tuned.
    pub range: Tunable,
    /// What values are apart; none if any number of the range will do.
    pub step: Option<f64>,
}

impl Knob {
    /// The value at a place of its range, 0 … 1.
    pub(crate) fn value_at(&self, share: f64) -> f64 {
        let (low, high) = (self.range.low(), self.range.high());
        let value = low + share.clamp(0.0, 1.0) * (high - low);
        match self.step {
            Some(step) => {
                let last = ((high - low) / step + 1e-9).floor();
                // Binary fractions such as 0.1 are not to be written with all their digits.
                readable(low + ((value - low) / step).round().min(last) * step, 12)
            }
            None => readable(value, 4),
        }
        .clamp(low, high)
    }

    /// The place of a value in its range, 0 … 1.
    pub(crate) fn share_of(&self, value: f64) -> f64 {
        (value - self.range.low()) / (self.range.high() - self.range.low())
    }

    /// The least standard deviation, as a share of the range, with which a search still tries the next value.
    pub(crate) fn narrowest(&self) -> f64 {
        self.step.map_or(0.0, |step| (0.3 * step / (self.range.high() - self.range.low())).min(0.3))
    }
}

/// A number with so many significant digits.
fn readable(value: f64, digits: usize) -> f64 {
    if value == 0.0 { 0.0 } else { format!("{value:.*e}", digits - 1).parse().unwrap_or(value) }
}

/// The tunable numbers of a policy that the game's own policies have been written into, in the order in which they stand.
///
/// # Errors
/// A number with a wrong form; one whose lowest or highest value the game does not take, with what it says.
pub fn knobs_of(arena: Arena<'_>, policy: &Value) -> Result<Vec<Knob>, SearchError> {
    let mut found = Vec::new();
    collect(policy, &Path::default(), &mut found)?;
    for i in 0..found.len() {
        let (low, high) = (found[i].range.low(), found[i].range.high());
        if found[i].step.is_none() && low.fract() == 0.0 && high.fract() == 0.0 {
            // Where the game wants whole numbers, those between whole numbers are meant.
            let between = low + FRACTION * (high - low);
            let between = if between.fract() == 0.0 { between + 0.5 } else { between };
            if !arena.fits(&with_one(policy, &found, i, between))
                && arena.fits(&with_one(policy, &found, i, between.floor()))
            {
                found[i].step = Some(1.0);
            }
        }
        for end in [0.0, FRACTION, 1.0] {
            policy_from_value(arena.game(), &with_one(policy, &found, i, found[i].value_at(end)))?;
        }
    }
    Ok(found)
}

fn collect(value: &Value, path: &Path, found: &mut Vec<Knob>) -> Result<(), Problems> {
    match value {
        Value::Sequence(items) => {
            items.iter().enumerate().try_for_each(|(i, item)| collect(item, &path.child(i), found))
        }
        Value::Mapping(_) if Tunable::is_one(value) => {
            let range = Tunable::read(value, path)?;
            found.push(Knob { path: path.clone(), range, step: range.step() });
            Ok(())
        }
        Value::Mapping(entries) => {
            entries.iter().try_for_each(|(key, entry)| collect(entry, &path.child(key.as_str().unwrap_or("?")), found))
        }
        _ => Ok(()),
    }
}

/// The policy with values in place of its tunable numbers.
pub fn with_values(policy: &Value, knobs: &[Knob], values: &[f64]) -> Value {
    let mut policy = policy.clone();
    for (knob, value) in knobs.iter().zip(values) {
        let place = knob.path.0.iter().try_fold(&mut policy, |value, segment| match segment {
            Segment::Key(key) => value.get_mut(key.as_str()),
            Segment::Index(index) => value.get_mut(*index),
        });
        if let Some(place) = place {
            *place = yaml_number(*value);
        }
    }
    policy
}

/// The policy with a value in place of one of its tunable numbers, and the others as they are.
fn with_one(policy: &Value, knobs: &[Knob], one: usize, value: f64) -> Value {
    let value_of = |(i, knob): (usize, &Knob)| if i == one { value } else { knob.range.value() };
    let values: Vec<f64> = knobs.iter().enumerate().map(value_of).collect();
    with_values(policy, knobs, &values)
}

/// A policy, with the game's own policies written into it, of which all numbers are tunable that a rule compares with, waits for or
/// hands to an action, and those of ready-made policies. Ranges come from what was seen in a few episodes and from what the game
/// offers; what the game does not take at both ends of such a range stays as it is. So does what has a range already.
pub fn with_all_numbers(arena: Arena<'_>, vocabulary: &Vocabulary, policy: &Value) -> Value {
    let mut tunable = policy.clone();
    visit_rules(&mut tunable, &mut |_, rules| {
        for rule in rules.iter_mut() {
            conditions_of(rule).into_iter().for_each(|condition| tune_reference(vocabulary, condition));
            acts_of(rule).into_iter().for_each(|act| tune_amounts(vocabulary, act));
            let days = [("period#day", 1.0, MAX_DAYS.0), ("delay#day", 0.0, MAX_DAYS.1)];
            for (key, low, high) in days {
                let Some(written) = rule.get_mut(key) else { continue };
                if let Some(own) = written.as_f64() {
                    *written = marker(low, high.max(2.0 * own), own, Some(1.0));
                }
            }
        }
    });
    tune_parameters(&mut tunable);
    let mut found = Vec::new();
    if collect(&tunable, &Path::default(), &mut found).is_err() {
        return policy.clone();
    }
    let fits = |i: usize, value: f64| arena.fits(&with_one(&tunable, &found, i, value));
    let is_wrong = |(i, knob): &(usize, &Knob)| [0.0, FRACTION, 1.0].iter().any(|end| !fits(*i, knob.value_at(*end)));
    let wrong: Vec<Knob> = found.iter().enumerate().filter(is_wrong).map(|(_, knob)| knob.clone()).collect();
    let values: Vec<f64> = wrong.iter().map(|knob| knob.range.value()).collect();
    with_values(&tunable, &wrong, &values)
}

fn marker(low: f64, high: f64, value: f64, step: Option<f64>) -> Value {
    let range = Value::Sequence(vec![yaml_number(low), yaml_number(high)]);
    let mut marker = mapping([("tune", range), ("value", yaml_number(value))]);
    if let (Some(step), Some(entries)) = (step, marker.as_mapping_mut()) {
        entries.insert("step".into(), yaml_number(step));
    }
    marker
}

/// The number that a condition compares with: between the values that were seen.
fn tune_reference(vocabulary: &Vocabulary, condition: &mut Mapping) {
    let Some(own) = condition.get("ref_value").and_then(Value::as_f64) else { return };
    let sight = condition.get("state_variable").and_then(|variable| sight_of(vocabulary, variable));
    let is_of_one = condition.get("function").is_none_or(|function| function == "value");
    let (low, high, step) = match sight.map(|sight| &sight.values) {
        Some(Values::Numbers { quantiles, is_whole }) if is_of_one => {
            let low = quantiles.first().copied().unwrap_or(own).min(own);
            let high = quantiles.last().copied().unwrap_or(own).max(own);
            (low, high, is_whole.then_some(1.0))
        }
        // Of a sum or a share of several the single values say nothing.
        _ => match around(own) {
            Some((low, high)) => (low, high, None),
            None => return,
        },
    };
    if low < high {
        condition.insert("ref_value".into(), marker(low, high, own, step));
    }
}

/// The range around a number of which nothing is known; none around 0.
fn around(own: f64) -> Option<(f64, f64)> {
    let (small, large) = (own / FACTOR, own * FACTOR);
    (own != 0.0 && large.is_finite()).then(|| (small.min(large), small.max(large)))
}

/// The amounts of an action: those that the game offers, where they are evenly apart.
fn tune_amounts(vocabulary: &Vocabulary, act: &mut Mapping) {
    let Some(doing) = doing_of(vocabulary, act) else { return };
    let Some(parameters) = act.get_mut("parameters").and_then(Value::as_mapping_mut) else { return };
    for (name, offered) in &doing.parameters {
        let Some(own) = parameters.get(name.as_str()).and_then(Value::as_f64) else { continue };
        let Some(mut numbers) = offered.iter().map(Value::as_f64).collect::<Option<Vec<f64>>>() else { continue };
        numbers.sort_by(f64::total_cmp);
        let [first, second, ..] = numbers[..] else { continue };
        let Some(last) = numbers.last().copied() else { continue };
        let step = second - first;
        let is_even = numbers.windows(2).all(|pair| (pair[1] - pair[0] - step).abs() <= 1e-9 * step);
        if is_even && step > 0.0 && (first..=last).contains(&own) {
            parameters.insert(name.as_str().into(), marker(first, last, own, Some(step)));
        }
    }
}

/// The numbers of ready-made policies, within the ranges that they declare.
fn tune_parameters(policy: &mut Value) {
    match policy {
        Value::Sequence(policies) => policies.iter_mut().for_each(tune_parameters),
        Value::Mapping(tagged) => {
            for (name, parameters) in tagged.iter_mut() {
                let table = name.as_str().and_then(|name| kind(PartKind::Policy, name)).map(|kind| kind.table());
                let Some(parameters) = parameters.as_mapping_mut() else { continue };
                for parameter in table.unwrap_or_default() {
                    let Some(written) = parameters.get_mut(parameter.name()) else { continue };
                    let is_whole = *parameter.kind() == ParameterKind::Integer;
                    let is_number = is_whole || *parameter.kind() == ParameterKind::Real;
                    if let (Some(own), true) = (written.as_f64(), is_number) {
                        let Some((low, high)) = around(own) else { continue };
                        let (lowest, highest) = parameter.range().unwrap_or((f64::MIN, f64::MAX));
                        let (low, high) = (low.max(lowest), high.min(highest));
                        let low = if is_whole { low.floor() } else { low };
                        if low < high && (low..=high).contains(&own) {
                            *written = marker(low, high, own, is_whole.then_some(1.0));
                        }
                    } else if *parameter.kind() == ParameterKind::List(Box::new(ParameterKind::Any)) {
                        tune_parameters(written);
                    }
                }
            }
        }
        _ => {}
    }
}
