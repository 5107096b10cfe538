//! The comments on entries: unit, range and meaning, taken from the declarations.

use farm_core::config::{ParameterDoc, ParameterKind};
use farm_core::declare::{ActionParameter, ActionParameterKind, FieldInfo, Labels, ValueKind};
use farm_core::inspect::{join_truncated, range};
use farm_reference_format::steps;

/// The maximum number of listed words. Longer lists are cut off.
const MAX_WORDS: usize = 16;

/// The unit in a name: `mm.day-1` in `forecast.rain_amount#mm.day-1`. `None` if the name has no unit.
fn unit(name: &str) -> Option<&str> {
    steps(name).into_iter().find_map(|step| step.split_once('#')).map(|(_, unit)| unit)
}

fn words(labels: &[String]) -> String {
    join_truncated(labels.iter(), MAX_WORDS, Clone::clone).join(" | ")
}

/// A variable's possible values.
fn values(kind: &ValueKind) -> String {
    let (low, high) = kind.range();
    match kind.labels(0) {
        Some(Labels::Named(names)) => words(names),
        _ if kind.is_flag() => "true | false".into(),
        _ if kind.is_whole() => format!("integer, {}", range(low, high)),
        _ => range(low, high),
    }
}

/// The number of values, if there is more than one.
fn several(shape: &[usize], per_plot: bool) -> Option<String> {
    match shape {
        [] => None,
        _ if per_plot => Some("each plot".into()),
        [n] => Some(format!("{n} values, 0 to {}", n.saturating_sub(1))),
        axes => Some(format!("{} values", axes.iter().map(ToString::to_string).collect::<Vec<_>>().join("×"))),
    }
}

/// The comment on a variable or an observable: unit, range, number of values, and its sentence.
pub(crate) fn variable(name: &str, kind: &ValueKind, shape: &[usize], per_plot: bool, doc: &str) -> String {
    let facts = [unit(name).map(str::to_owned), Some(values(kind)), several(shape, per_plot)];
    sentence(facts, doc)
}

/// The comment on a parameter of the rule or the score.
pub(crate) fn parameter(parameter: &ParameterDoc) -> String {
    let optional = matches!(parameter.kind(), ParameterKind::Optional(_));
    let facts = [
        unit(parameter.name()).map(str::to_owned),
        kind(parameter.kind(), parameter.range()),
        optional.then(|| "null: none".to_owned()),
    ];
    sentence(facts, parameter.doc())
}

fn kind(kind: &ParameterKind, limits: Option<(f64, f64)>) -> Option<String> {
    let numbers = || limits.map(|(low, high)| range(low, high));
    match kind {
        ParameterKind::Real => Some(numbers().unwrap_or_else(|| "a number".into())),
        ParameterKind::Integer => Some(numbers().map_or_else(|| "integer".into(), |range| format!("integer, {range}"))),
        ParameterKind::Flag => Some("true | false".into()),
        ParameterKind::Text => Some("a string".into()),
        ParameterKind::Choice(words) => Some(words.join(" | ")),
        ParameterKind::Optional(inner) => self::kind(inner, limits),
        // For trees of prices or costs, the range of their numbers counts.
        ParameterKind::Map(_) => numbers(),
        ParameterKind::List(_) | ParameterKind::Interval(_) => Some(kind.describe()),
        ParameterKind::Group(_) | ParameterKind::Part(_) | ParameterKind::Conditions => None,
        ParameterKind::Any | ParameterKind::FreeForm(_) => None,
    }
}

/// The comment on an action's parameter: its values, and its sentence.
pub(crate) fn action_parameter(parameter: &ActionParameter, field: Option<&FieldInfo>) -> String {
    let values = match parameter.kind() {
        ActionParameterKind::Plot => {
            let (x, y) = field.map_or((0, 0), |f| (f.length().saturating_sub(1), f.width().saturating_sub(1)));
            format!("'(0, 0)' … '({x}, {y})', '*' for all plots")
        }
        ActionParameterKind::Real { low, high, .. } => {
            format!("{}, values or a range '(low, high)'", range(*low, *high))
        }
        ActionParameterKind::Choice(choices) => words(choices),
    };
    sentence([unit(parameter.name()).map(str::to_owned), Some(values)], parameter.doc())
}

/// Joins the facts, a colon and the sentence.
fn sentence<const N: usize>(facts: [Option<String>; N], doc: &str) -> String {
    let facts = facts.into_iter().flatten().collect::<Vec<_>>().join(", ");
    if facts.is_empty() { doc.to_owned() } else { format!("{facts}: {doc}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_has_unit_range_and_sentence() {
        let real = ValueKind::Real { low: 0.0, high: 1e9 };
        assert_eq!(
            variable("forecast.rain#mm.day-1", &real, &[5], false, "Rain."),
            "mm.day-1, 0 … 1e9, 5 values, 0 to 4: Rain."
        );
        let count = ValueKind::Count { low: 0, high: 12 };
        assert_eq!(
            variable("eaten#nb.Plant-0", &count, &[2, 3], true, "Eaten."),
            "nb, integer, 0 … 12, each plot: Eaten."
        );
        assert_eq!(variable("mood", &ValueKind::named(&["low", "high"]), &[], false, "Mood."), "low | high: Mood.");
    }
}
