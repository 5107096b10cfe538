//! The kinds of values: numbers in a range, one item from a list, yes or no.
//!
//! Everything that differs between kinds of values is here, in methods of [`ValueKind`]. Other files call these methods and do not match on
//! the variants. A new kind therefore requires changes only in this file and in the few files through which authors declare values. The
//! test `farm-core/tests/engine/value_kinds.rs` limits their number.

use std::fmt;
use std::sync::LazyLock;

use serde_json::{Value as Json, json};
use serde_yaml::Value;

use crate::format::range;
use crate::space::{Dtype, Space};
use crate::state::Region;

/// A category's values, given either by their names or by their number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Labels {
    /// Named values. The stored byte is the index of the name.
    Named(Vec<String>),
    /// The numbers from 0 to n−1.
    Numbered(u32),
}

impl Labels {
    /// The number of values.
    pub fn len(&self) -> usize {
        match self {
            Self::Named(names) => names.len(),
            Self::Numbered(n) => *n as usize,
        }
    }

    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The name of a value. The name of a numbered value is its number.
    pub fn name(&self, index: usize) -> String {
        match self {
            Self::Named(names) => names.get(index).cloned().unwrap_or_else(|| format!("?{index}")),
            Self::Numbered(_) => index.to_string(),
        }
    }

    /// The names of all values, in order.
    pub fn names(&self) -> Vec<String> {
        (0..self.len()).map(|index| self.name(index)).collect()
    }

    /// The value with this name.
    pub fn index(&self, name: &str) -> Option<usize> {
        match self {
            Self::Named(names) => names.iter().position(|n| n == name),
            Self::Numbered(n) => name.parse().ok().filter(|i| i < &(*n as usize)),
        }
    }
}

/// Writes the values for people: `none, seed, ripe` or `0 … 7`.
impl fmt::Display for Labels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Named(names) => f.write_str(&names.join(", ")),
            Self::Numbered(n) => write!(f, "0 … {}", n.saturating_sub(1)),
        }
    }
}

/// The names of a flag's two values.
static NO_YES: LazyLock<Labels> = LazyLock::new(|| Labels::Named(["no", "yes"].map(str::to_owned).to_vec()));

/// The kind of values that a variable or observable has.
#[derive(Debug, Clone, PartialEq)]
pub enum ValueKind {
    /// Real numbers in a closed range.
    Real {
        /// The lowest value.
        low: f64,
        /// The highest value.
        high: f64,
    },
    /// Integers in a closed range.
    Count {
        /// The lowest value.
        low: i32,
        /// The highest value.
        high: i32,
    },
    /// One item from a list. There is one list for all values, or one per entry along the last axis.
    Category(Vec<Labels>),
    /// Yes or no.
    Flag,
}

impl ValueKind {
    /// A category with the same names for every value.
    pub fn named(names: &[impl AsRef<str>]) -> Self {
        Self::Category(vec![Labels::Named(names.iter().map(|name| name.as_ref().to_owned()).collect())])
    }

    /// A category of the numbers from 0 to n−1.
    pub fn numbered(n: u32) -> Self {
        Self::Category(vec![Labels::Numbered(n)])
    }

    /// The region of the state that stores values of this kind.
    pub fn region(&self) -> Region {
        match self {
            Self::Real { .. } => Region::Reals,
            Self::Count { .. } => Region::Counts,
            Self::Category(_) | Self::Flag => Region::Bytes,
        }
    }

    /// The number type used in observations.
    pub fn dtype(&self) -> Dtype {
        match self.region() {
            Region::Reals => Dtype::Float32,
            Region::Counts => Dtype::Int32,
            Region::Bytes => Dtype::Uint8,
        }
    }

    /// The space for an array of these values.
    pub(crate) fn space(&self, shape: &[usize]) -> Space {
        let sizes = |lists: &[Labels]| lists.iter().map(Labels::len).collect::<Vec<_>>();
        let (low, high) = match (self, shape) {
            (Self::Category(lists), []) => return Space::Discrete { n: lists[0].len() },
            (Self::Category(lists), [n]) => {
                return Space::MultiDiscrete { nvec: sizes(lists).into_iter().cycle().take(*n).collect() };
            }
            (Self::Flag, []) => return Space::Discrete { n: 2 },
            (Self::Flag, shape) => return Space::MultiBinary { shape: shape.to_vec() },
            (Self::Category(lists), _) => (0.0, sizes(lists).into_iter().map(|n| n as f64 - 1.0).collect()),
            // Observations store real numbers in 32 bits.
            (Self::Real { low, high }, _) => (f64::from(*low as f32), vec![f64::from(*high as f32)]),
            (Self::Count { low, high }, _) => (f64::from(*low), vec![f64::from(*high)]),
        };
        Space::Box { low: vec![low], high, shape: shape.to_vec(), dtype: self.dtype() }
    }

    /// The lowest and highest values. Categories and flags use their numbers.
    pub fn range(&self) -> (f64, f64) {
        match self {
            Self::Real { low, high } => (*low, *high),
            Self::Count { low, high } => (f64::from(*low), f64::from(*high)),
            Self::Category(lists) => (0.0, lists.iter().map(Labels::len).max().unwrap_or(1).saturating_sub(1) as f64),
            Self::Flag => (0.0, 1.0),
        }
    }

    /// The range of the value at a flat index. In a category with several lists, each index has its own range.
    pub fn range_of(&self, flat_index: usize) -> (f64, f64) {
        match self.labels(flat_index) {
            Some(labels) => (0.0, labels.len().saturating_sub(1) as f64),
            None => self.range(),
        }
    }

    /// The lowest and highest numbers that are valid at every index. In a category with several lists, the shortest list counts.
    /// For a category without values, the upper end is below 0.
    pub fn common_range(&self) -> (f64, f64) {
        match self.lists() {
            Some(lists) => (0.0, lists.iter().map(Labels::len).min().unwrap_or(0) as f64 - 1.0),
            None => self.range(),
        }
    }

    /// Whether all values are integers.
    pub fn is_whole(&self) -> bool {
        self.region() != Region::Reals
    }

    /// Whether its values are amounts rather than names.
    pub fn is_quantity(&self) -> bool {
        match self {
            Self::Real { .. } | Self::Count { .. } => true,
            Self::Category(_) | Self::Flag => false,
        }
    }

    /// Whether the values are yes and no.
    pub fn is_flag(&self) -> bool {
        matches!(self, Self::Flag)
    }

    /// A category's lists: one for all values, or one per entry along the last axis. `None` for other kinds.
    pub fn lists(&self) -> Option<&[Labels]> {
        match self {
            Self::Category(lists) => Some(lists),
            Self::Real { .. } | Self::Count { .. } | Self::Flag => None,
        }
    }

    /// The labels for the value at a flat index, if the kind is a category. Observations show the name, not the number.
    pub fn labels(&self, flat_index: usize) -> Option<&Labels> {
        self.lists().and_then(|lists| lists.get(flat_index % lists.len().max(1)))
    }

    /// The words for the values at a flat index: a category's labels, or `no` and `yes` for a flag. `None` for numbers.
    pub fn words(&self, flat_index: usize) -> Option<&Labels> {
        if self.is_flag() { Some(&NO_YES) } else { self.labels(flat_index) }
    }

    /// The kind of the single value at a flat index.
    pub fn of_entry(&self, flat_index: usize) -> Self {
        self.labels(flat_index).map_or_else(|| self.clone(), |labels| Self::Category(vec![labels.clone()]))
    }

    /// A noun for one value, such as `an integer`, for use in messages.
    pub(crate) fn noun(&self) -> &'static str {
        match self {
            Self::Real { .. } => "a number",
            Self::Count { .. } => "an integer",
            Self::Category(_) => "one of the variable's values",
            Self::Flag => "`true` or `false`",
        }
    }

    /// Converts a YAML value to a number. The value can be a name or number from a category, a flag, or a number. This method does not
    /// check whether the number is in range or is an integer.
    pub(crate) fn read(&self, value: &Value) -> Option<f64> {
        match (self, value) {
            (Self::Category(lists), Value::String(name)) => Some(lists.first()?.index(name)? as f64),
            (Self::Category(lists), Value::Number(n)) => {
                n.as_u64().filter(|i| lists.iter().all(|l| (*i as usize) < l.len())).map(|i| i as f64)
            }
            (Self::Flag, Value::Bool(flag)) => Some(f64::from(u8::from(*flag))),
            (_, Value::Number(n)) => n.as_f64().filter(|v| v.is_finite()),
            _ => None,
        }
    }

    /// Converts a value to its YAML form: `true`, a number, or a name if all entries share one list of names.
    pub fn to_yaml(&self, value: f64) -> Value {
        match self {
            Self::Real { .. } => Value::from(value),
            Self::Count { .. } => Value::from(value as i64),
            Self::Flag => Value::from(value != 0.0),
            Self::Category(lists) => match lists.as_slice() {
                [Labels::Named(names)] => names.get(value as usize).map_or(Value::Null, |name| name.as_str().into()),
                _ => Value::from(value as u64),
            },
        }
    }

    /// The kind as JSON, with its name as `type`.
    pub fn to_json(&self) -> Json {
        match self {
            Self::Real { low, high } => json!({"type": "real", "low": low, "high": high}),
            Self::Count { low, high } => json!({"type": "count", "low": low, "high": high}),
            Self::Category(lists) => {
                let labels = |list: &Labels| match list {
                    Labels::Named(names) => json!(names),
                    Labels::Numbered(n) => json!(n),
                };
                json!({"type": "category", "labels": lists.iter().map(labels).collect::<Vec<_>>()})
            }
            Self::Flag => json!({"type": "flag"}),
        }
    }
}

/// Writes the values for people: `0 … 360`, `integer, 0 … ∞`, `none, seed, ripe`, `yes or no`.
impl fmt::Display for ValueKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Real { low, high } => f.write_str(&range(*low, *high)),
            Self::Count { low, high: i32::MAX } => write!(f, "integer, {low} … ∞"),
            Self::Count { low, high } => write!(f, "integer, {low} … {high}"),
            Self::Category(lists) => f.write_str(&lists.iter().map(Labels::to_string).collect::<Vec<_>>().join(" / ")),
            Self::Flag => f.write_str("yes or no"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds() -> [ValueKind; 5] {
        let two = ["bare", "seed"].map(str::to_owned).to_vec();
        [
            ValueKind::Real { low: -1.5, high: 2.5 },
            ValueKind::Count { low: -3, high: i32::MAX },
            ValueKind::named(&["low", "middle", "high"]),
            ValueKind::Category(vec![Labels::Numbered(4), Labels::Named(two)]),
            ValueKind::Flag,
        ]
    }

    #[test]
    fn what_is_written_of_a_value_reads_back_to_it() {
        for kind in kinds() {
            let (low, high) = kind.common_range();
            for value in [low, high] {
                assert_eq!(kind.read(&kind.to_yaml(value)), Some(value), "{kind:?}");
            }
            assert_eq!(kind.read(&Value::from("neither")), None, "{kind:?}");
            assert_eq!(kind.read(&Value::Null), None, "{kind:?}");
        }
    }

    #[test]
    fn ranges_are_those_of_all_values_of_one_and_of_each() {
        let ranges = |kind: &ValueKind| [kind.range(), kind.range_of(1), kind.range_of(2), kind.common_range()];
        let [real, count, named, several, flag] = kinds().each_ref().map(ranges);
        assert_eq!(real, [(-1.5, 2.5); 4]);
        assert_eq!(count, [(-3.0, f64::from(i32::MAX)); 4]);
        assert_eq!(named, [(0.0, 2.0); 4]);
        assert_eq!(several, [(0.0, 3.0), (0.0, 1.0), (0.0, 3.0), (0.0, 1.0)]);
        assert_eq!(flag, [(0.0, 1.0); 4]);
    }

    #[test]
    fn kinds_are_told_in_words() {
        let texts = kinds().each_ref().map(ToString::to_string);
        let expected = ["-1.5 … 2.5", "integer, -3 … ∞", "low, middle, high", "0 … 3 / bare, seed", "yes or no"];
        assert_eq!(texts, expected);
        let words = |kind: &ValueKind| kind.words(0).map(Labels::names);
        assert_eq!(words(&ValueKind::Flag).unwrap(), ["no", "yes"]);
        assert_eq!(words(&ValueKind::numbered(2)).unwrap(), ["0", "1"]);
        assert_eq!(words(&kinds()[0]), None);
    }

    #[test]
    fn the_space_of_an_array_holds_the_numbers_that_it_is_observed_as() {
        for kind in kinds() {
            for shape in [&[][..], &[2], &[3, 2]] {
                let space = kind.space(shape);
                if let Space::Box { dtype, .. } = space {
                    assert_eq!(dtype, kind.dtype(), "{kind:?} {shape:?}");
                }
            }
        }
    }
}
