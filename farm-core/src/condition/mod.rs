//! Conditions on the state: the stopping conditions in rules, and the triggers in policies.
//!
//! A formula is a list (OR) of lists (AND) of conditions `{state_variable, function, operator, ref_value}`.

mod errors;
mod observed;
mod parse;

use serde::{Deserialize, Serialize};
use serde_yaml::Value;

pub use errors::ConditionError;

use crate::config::{ParameterKind, ParameterValue};
use crate::declare::Reference;
use crate::math::sum;
use crate::state::{Cells, Reader, StateSlice};
use observed::Observed;

pub(crate) use parse::{number, schema};

/// Reduces several values to one.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Function {
    /// The single value or, in a per-plot formula, the plot's value.
    Value,
    Sum,
    Mean,
    Min,
    Max,
    /// The number of values that appear in this list.
    Count(Vec<f64>),
    /// The share of values that appear in this list.
    Fraction(Vec<f64>),
}

impl Function {
    /// Reduces all values from a source to one. `Value` returns the first value.
    pub(crate) fn reduce(&self, source: StateSlice, reader: &Reader<'_>) -> f64 {
        self.of(source.len(), |i| source.get(reader, i))
    }

    /// Like [`Function::reduce`], but usable while parts are still writing.
    pub(crate) fn reduce_in(&self, source: StateSlice, cells: &Cells<'_>) -> f64 {
        self.of(source.len(), |i| source.get_in(cells, i))
    }

    fn of(&self, n: usize, value: impl Fn(usize) -> f64) -> f64 {
        let values = || (0..n).map(&value);
        match self {
            Self::Value => value(0),
            Self::Sum => sum(values()),
            Self::Mean => sum(values()) / n as f64,
            Self::Min => values().fold(f64::INFINITY, f64::min),
            Self::Max => values().fold(f64::NEG_INFINITY, f64::max),
            Self::Count(of) => values().filter(|v| of.contains(v)).count() as f64,
            Self::Fraction(of) => values().filter(|v| of.contains(v)).count() as f64 / n as f64,
        }
    }

    /// The lowest and highest results for `n` values from a range.
    pub(crate) fn bounds(&self, n: usize, (low, high): (f64, f64)) -> (f64, f64) {
        let n = n as f64;
        match self {
            Self::Value | Self::Mean | Self::Min | Self::Max => (low, high),
            Self::Sum => (n * low, n * high),
            Self::Count(_) => (0.0, n),
            Self::Fraction(_) => (0.0, 1.0),
        }
    }
}

const FUNCTIONS: [&str; 7] = ["value", "sum", "mean", "min", "max", "count", "fraction"];

/// The comparison operator.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Operator {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    In,
    NotIn,
    /// The values include all reference values. If there are several values, `value` accepts only this operator and `ContainsNot`.
    Contains,
    ContainsNot,
}

const OPERATORS: [(&str, Operator); 10] = [
    ("==", Operator::Equal),
    ("!=", Operator::NotEqual),
    ("<", Operator::Less),
    ("<=", Operator::LessOrEqual),
    (">", Operator::Greater),
    (">=", Operator::GreaterOrEqual),
    ("in", Operator::In),
    ("ni", Operator::Contains),
    ("not in", Operator::NotIn),
    ("not ni", Operator::ContainsNot),
];

impl Operator {
    /// Whether no value in a closed range satisfies the comparison with the references.
    fn never_holds(self, references: &[f64], (low, high): (f64, f64)) -> bool {
        let outside = |reference: &f64| *reference < low || *reference > high;
        let reference = references[0];
        match self {
            Self::Equal | Self::In => references.iter().all(outside),
            Self::Contains => references.iter().any(outside),
            Self::ContainsNot => low == high && references.iter().all(|r| *r == low),
            Self::NotEqual | Self::NotIn => low == high && references.contains(&low),
            Self::Less => low >= reference,
            Self::LessOrEqual => low > reference,
            Self::Greater => high <= reference,
            Self::GreaterOrEqual => high < reference,
        }
    }
}

/// Conditions in a parameter, before their names are looked up in the game.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Conditions(pub Value);

/// The key for a condition's reason, which is text that has no effect on the game.
const REASON: &str = "reason";

/// Removes the reasons from all conditions in a document.
pub(crate) fn remove_reasons(value: &mut Value) {
    match value {
        Value::Mapping(entries) => {
            if entries.contains_key("state_variable") {
                entries.shift_remove(REASON);
            }
            entries.values_mut().for_each(remove_reasons);
        }
        Value::Sequence(items) => items.iter_mut().for_each(remove_reasons),
        Value::Tagged(tagged) => remove_reasons(&mut tagged.value),
        _ => {}
    }
}

impl ParameterValue for Conditions {
    fn kind() -> ParameterKind {
        ParameterKind::Conditions
    }
}

/// A number that a player reads: a variable, reduced to one value by a function.
#[derive(Debug, Clone, PartialEq, farm_macros::Getters)]
pub struct Reading {
    source: ConditionInput,
    function: Function,
    /// The variable that is read.
    pub(crate) variable: Reference,
}

/// One comparison.
#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    reading: Reading,
    operator: Operator,
    /// The reference value, which is the first of `references`.
    reference: f64,
    references: Vec<f64>,
    /// The words that surround the variable's name in a sentence.
    words: [String; 2],
    reason: String,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum ConditionInput {
    /// A single unreduced value. This is the most frequent case and has a fast path.
    One(StateSlice),
    State {
        source: StateSlice,
        per_plot: bool,
    },
    Step,
    Remaining,
    /// A value that a part computes when it is observed. Only players can read it.
    Observed(Observed),
}

/// OR of ANDs.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Formula(pub Vec<Vec<Condition>>);

impl Formula {
    /// The index of the first clause that holds.
    #[inline]
    pub fn holds(&self, reader: &Reader<'_>, max_steps: u32, plot: Option<usize>) -> Option<usize> {
        self.0.iter().position(|clause| clause.iter().all(|c| c.holds(reader, max_steps, plot)))
    }

    /// Whether every condition reads a single unreduced value. Such a formula needs only the state.
    pub(crate) fn is_of_values(&self) -> bool {
        self.0.iter().flatten().all(|c| matches!(c.reading.source, ConditionInput::One(_)))
    }

    /// Like [`Formula::holds`], for a formula with [`Formula::is_of_values`], but usable while parts are still writing.
    // The code for a day is compiled once for each of two seed types. The compiler does not inline functions that both versions call (this
    // function, `position` and `all`). In a small game, these calls take 50 of the 1,100 instructions for a day.
    #[inline(always)]
    pub(crate) fn holds_in(&self, cells: &Cells<'_>) -> Option<usize> {
        'clauses: for (i, clause) in self.0.iter().enumerate() {
            for condition in clause {
                match condition.reading.source {
                    ConditionInput::One(source) if condition.compares(source.get_in(cells, 0)) => {}
                    _ => continue 'clauses,
                }
            }
            return Some(i);
        }
        None
    }

    /// See [`LearnerView::holds`](crate::LearnerView::holds). `observe` writes one of a part's observables into bytes; both are given by
    /// index.
    pub(crate) fn holds_as_seen(
        &self,
        reader: &Reader<'_>,
        max_steps: u32,
        plot: Option<usize>,
        seen: impl Fn(&Condition) -> bool,
        observe: impl Fn(usize, usize, &mut [u8]),
    ) -> bool {
        let holds = |c: &Condition| match c.reading.source {
            ConditionInput::Observed(observed) => c.compares(observed.reduce(&c.reading.function, &observe)),
            _ => c.holds(reader, max_steps, plot),
        };
        self.0.iter().any(|clause| clause.iter().all(|c| seen(c) && holds(c)))
    }
}

impl Reading {
    /// Whether this is the value at the plot for which it is read.
    pub fn is_per_plot(&self) -> bool {
        self.function == Function::Value && matches!(self.source, ConditionInput::State { per_plot: true, .. })
    }

    /// The value, if the state holds it or if it is a number of steps.
    #[inline]
    fn of_state(&self, reader: &Reader<'_>, max_steps: u32, plot: Option<usize>) -> Option<f64> {
        Some(match self.source {
            ConditionInput::One(source) => source.get(reader, 0),
            ConditionInput::Step => f64::from(reader.step),
            ConditionInput::Remaining => f64::from(max_steps.saturating_sub(reader.step)),
            ConditionInput::State { source, per_plot } => self.reduce(source, per_plot, reader, plot),
            ConditionInput::Observed(_) => return None,
        })
    }

    /// See [`LearnerView::value`](crate::LearnerView::value). `observe` writes one of a part's observables into bytes.
    pub(crate) fn as_seen(
        &self,
        reader: &Reader<'_>,
        max_steps: u32,
        plot: Option<usize>,
        observe: impl Fn(usize, usize, &mut [u8]),
    ) -> f64 {
        match self.source {
            ConditionInput::Observed(observed) => observed.reduce(&self.function, observe),
            _ => self.of_state(reader, max_steps, plot).unwrap_or(0.0),
        }
    }

    #[inline(never)]
    fn reduce(&self, source: StateSlice, per_plot: bool, reader: &Reader<'_>, plot: Option<usize>) -> f64 {
        match &self.function {
            Function::Value => source.get(reader, plot.filter(|_| per_plot).unwrap_or(0)),
            function => function.reduce(source, reader),
        }
    }
}

impl Condition {
    /// The variable that the condition reads.
    #[inline]
    pub fn variable(&self) -> &Reference {
        &self.reading.variable
    }

    /// Whether the condition reads the value at the plot for which the formula is being evaluated.
    pub fn is_per_plot(&self) -> bool {
        self.reading.is_per_plot()
    }

    /// The condition in words; `name` is the name to use for its variable.
    pub fn in_words(&self, name: &str) -> String {
        let [before, after] = &self.words;
        format!("{before}{name} {after}")
    }

    /// Why the episode ends if the condition holds, in words. Empty if the game gives no reason.
    pub fn reason(&self) -> &str {
        &self.reason
    }

    /// Whether the condition holds when its only value is `value`; `None` if it reads several values.
    pub fn holds_of(&self, value: f64) -> Option<bool> {
        let of_several = matches!(self.reading.source, ConditionInput::State { .. } | ConditionInput::Observed(_));
        (!of_several).then(|| self.compares(value))
    }

    /// The reference values used in the comparison.
    pub fn references(&self) -> &[f64] {
        &self.references
    }

    #[inline]
    fn holds(&self, reader: &Reader<'_>, max_steps: u32, plot: Option<usize>) -> bool {
        // Only conditions for players read anything else, and players call `LearnerView::holds`.
        let Some(value) = self.reading.of_state(reader, max_steps, plot) else { return false };
        match self.operator {
            Operator::Contains => self.contains(value, reader, plot),
            Operator::ContainsNot => !self.contains(value, reader, plot),
            _ => self.compares(value),
        }
    }

    /// Whether a value satisfies the comparison with the reference.
    #[inline(always)]
    fn compares(&self, value: f64) -> bool {
        let reference = self.reference;
        match self.operator {
            Operator::Equal => value == reference,
            Operator::NotEqual => value != reference,
            Operator::Less => value < reference,
            Operator::LessOrEqual => value <= reference,
            Operator::Greater => value > reference,
            Operator::GreaterOrEqual => value >= reference,
            Operator::In => self.references.contains(&value),
            Operator::NotIn => !self.references.contains(&value),
            Operator::Contains => self.is_all(value),
            Operator::ContainsNot => !self.is_all(value),
        }
    }

    /// Whether the values include all references. A reduced value must equal all references.
    #[inline(never)]
    fn contains(&self, value: f64, reader: &Reader<'_>, plot: Option<usize>) -> bool {
        match (&self.reading.function, self.reading.source) {
            (Function::Value, ConditionInput::State { source, per_plot }) if !(per_plot && plot.is_some()) => {
                self.references.iter().all(|reference| source.values(reader).any(|value| value == *reference))
            }
            _ => self.is_all(value),
        }
    }

    /// Whether the value equals all references.
    fn is_all(&self, value: f64) -> bool {
        self.references.iter().all(|reference| *reference == value)
    }
}

#[cfg(test)]
mod tests {
    use super::Operator;

    /// Compares the result with a test of every integer in the range.
    #[test]
    fn a_condition_never_holds_exactly_when_no_value_of_the_range_meets_it() {
        let operators = [
            (Operator::Equal, (|v, r| v == r) as fn(f64, f64) -> bool),
            (Operator::NotEqual, |v, r| v != r),
            (Operator::Less, |v, r| v < r),
            (Operator::LessOrEqual, |v, r| v <= r),
            (Operator::Greater, |v, r| v > r),
            (Operator::GreaterOrEqual, |v, r| v >= r),
            (Operator::In, |v, r| v == r),
            (Operator::NotIn, |v, r| v != r),
            (Operator::Contains, |v, r| v == r),
            (Operator::ContainsNot, |v, r| v != r),
        ];
        for (low, high) in [(0, 0), (0, 3), (-2, 1)] {
            for reference in -4..6 {
                for (operator, holds) in operators {
                    let ever = (low..=high).any(|value| holds(f64::from(value), f64::from(reference)));
                    let never = operator.never_holds(&[f64::from(reference)], (f64::from(low), f64::from(high)));
                    assert_eq!(never, !ever, "{operator:?} {reference} in {low}..{high}");
                }
            }
        }
    }
}
