//! A policy's tunable numbers: their paths and ranges, and the policy with other values.

use farm_core::config::{ParameterKind, PartKind, Path, Problems, Segment};
use farm_core::registry::kind;
use farm_core::serde_yaml::{Mapping, Value};
use farm_core::spec::{Tunable, yaml_number};
use farm_games::policies::policy_from_value;

use crate::rule_lists::{acts_of, conditions_of, mapping, visit_memory, visit_rules};
use crate::sights::Values;
use crate::vocabulary::{Vocabulary, doing_of, sight_of};
use crate::{Arena, SearchError};

/// Default maximum for tuned periods and delays, in days.
const MAX_DAYS: (f64, f64) = (30.0, 14.0);
/// Factor that sets the range around a number without known values.
const FACTOR: f64 = 4.0;
/// Share of a range at which a test value is not an integer.
const FRACTION: f64 = 0.371;

/// A tunable number in a policy.
#[derive(Debug, Clone, PartialEq)]
pub struct Knob {
    /// Its path.
    pub path: Path,
    /// Its range, and its value before the tuning.
    pub range: Tunable,
    /// The distance between values; none if every number in the range is allowed.
    pub step: Option<f64>,
}

impl Knob {
    /// The value at `share` of the range, from 0 to 1.
    pub(crate) fn value_at(&self, share: f64) -> f64 {
        let (low, high) = (self.range.low(), self.range.high());
        let value = low + share.clamp(0.0, 1.0) * (high - low);
        match self.step {
            Some(step) => {
                let last = ((high - low) / step + 1e-9).floor();
                // Rounding avoids the many digits of fractions such as 0.1.
                readable(low + ((value - low) / step).round().min(last) * step, 12)
            }
            None => readable(value, 4),
        }
        .clamp(low, high)
    }

    /// The position of `value` in the range, as a share from 0 to 1.
    pub(crate) fn share_of(&self, value: f64) -> f64 {
        (value - self.range.low()) / (self.range.high() - self.range.low())
    }

    /// Minimum standard deviation, as a share of the range, at which a search still tries the next value.
    pub(crate) fn narrowest(&self) -> f64 {
        self.step.map_or(0.0, |step| (0.3 * step / (self.range.high() - self.range.low())).min(0.3))
    }
}

/// A number with this number of significant digits.
fn readable(value: f64, digits: usize) -> f64 {
    if value == 0.0 { 0.0 } else { format!("{value:.*e}", digits - 1).parse().unwrap_or(value) }
}

/// The tunable numbers in a policy, in the order in which they are written. Names of the game's own policies must already be replaced.
///
/// # Errors
/// A tunable number has a wrong form, or the game rejects a value in its range.
pub fn knobs_of(arena: Arena<'_>, policy: &Value) -> Result<Vec<Knob>, SearchError> {
    let mut found = Vec::new();
    collect(policy, &Path::default(), &mut found)?;
    for i in 0..found.len() {
        let (low, high) = (found[i].range.low(), found[i].range.high());
        if found[i].step.is_none() && low.fract() == 0.0 && high.fract() == 0.0 {
            // If the game accepts only integers, the values are integers.
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

/// The policy with its tunable numbers replaced by values.
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

/// The policy with one tunable number replaced by a value, and the others by their values before the tuning.
fn with_one(policy: &Value, knobs: &[Knob], one: usize, value: f64) -> Value {
    let value_of = |(i, knob): (usize, &Knob)| if i == one { value } else { knob.range.value() };
    let values: Vec<f64> = knobs.iter().enumerate().map(value_of).collect();
    with_values(policy, knobs, &values)
}

/// Makes all numbers in a policy tunable: reference values, periods, delays and amounts in rules, numbers in memories, and parameters of
/// ready-made policies.
/// Names of the game's own policies must already be replaced. Ranges come from the observed values and from the values that the game
/// offers. A number stays unchanged if the game rejects an end of its range, or if it already has a range.
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
    visit_memory(&mut tunable, &mut |number| {
        if let Some((own, (low, high))) = number.as_f64().and_then(|own| Some((own, around(own)?))) {
            *number = marker(low, high, own, None);
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

/// Makes a condition's reference value tunable, in the range of the observed values.
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
        // Single values give no range for a sum or a share.
        _ => match around(own) {
            Some((low, high)) => (low, high, None),
            None => return,
        },
    };
    if low < high {
        condition.insert("ref_value".into(), marker(low, high, own, step));
    }
}

/// The range around a number without known values; none around 0.
fn around(own: f64) -> Option<(f64, f64)> {
    let (small, large) = (own / FACTOR, own * FACTOR);
    (own != 0.0 && large.is_finite()).then(|| (small.min(large), small.max(large)))
}

/// Makes an action's amounts tunable, if the game offers evenly spaced amounts.
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

/// Makes the numbers of ready-made policies tunable, in the ranges that they declare.
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
