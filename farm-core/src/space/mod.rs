//! Spaces describe the form of actions and observations, as in Gymnasium. The paper adds `MultiUnion`.
//!
//! A space's values are JSON: numbers, arrays (nested according to the shape), objects for `Dict`, and lists of `[index, value]` for
//! `MultiUnion`. A `Box` and a `MultiBinary` contain numbers, so you may write an integer in them as a real without a fraction (`2.0`). You must
//! write an index as an integer.
//!
//! You can test values ([`Space::contains`]) and write a space as JSON.
//!
//! Source: Farm-gym paper 3.2 (`MultiUnion`); Gymnasium for the other spaces.
//!
//! ```
//! use farm_core::space::Space;
//! use serde_json::json;
//!
//! let share = Space::scalar(0.0, 1.0);
//! assert!(share.contains(&json!(0.5)) && !share.contains(&json!(1.5)));
//! ```

#[cfg(test)]
mod tests;

use std::fmt;

use serde::{Serialize, Serializer};
use serde_json::Value as Json;

/// The type of the numbers in a `Box`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Dtype {
    /// Bytes.
    Uint8,
    /// 32-bit integers.
    Int32,
    /// 32-bit reals.
    Float32,
}

impl Dtype {
    /// Reads a number from an array stored as bytes.
    pub(crate) fn read(self, bytes: &[u8], index: usize) -> f64 {
        let at = index * self.size();
        let word = || bytes[at..at + 4].try_into().unwrap_or_default();
        match self {
            Self::Uint8 => f64::from(bytes[at]),
            Self::Int32 => f64::from(i32::from_le_bytes(word())),
            Self::Float32 => f64::from(f32::from_le_bytes(word())),
        }
    }

    /// The number of bytes in one number.
    pub const fn size(self) -> usize {
        match self {
            Self::Uint8 => 1,
            Self::Int32 | Self::Float32 => 4,
        }
    }
}

/// A set of values. Match it without a `_` arm, so that the compiler reports every front end that must handle a new variant.
///
/// The JSON form is `{"type": …, "of": …}`. Infinite bounds in a `Box` are written as `"inf"` or `"-inf"`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", content = "of")]
pub enum Space {
    /// Numbers in closed ranges. `low` and `high` have one value for all entries, one value for each entry along the last axis, or one
    /// value for each entry.
    Box {
        /// The lowest values. Only reals may be unbounded (−∞).
        #[serde(serialize_with = "bounds")]
        low: Vec<f64>,
        /// The highest values. Only reals may be unbounded (∞).
        #[serde(serialize_with = "bounds")]
        high: Vec<f64>,
        /// The shape; empty for a single number.
        shape: Vec<usize>,
        /// The type of the numbers.
        dtype: Dtype,
    },
    /// An index in 0…n−1.
    Discrete {
        /// The number of values.
        n: usize,
    },
    /// A vector of indices.
    MultiDiscrete {
        /// The number of values for each entry.
        nvec: Vec<usize>,
    },
    /// An array of zeros and ones.
    MultiBinary {
        /// The shape.
        shape: Vec<usize>,
    },
    /// A value for each key.
    Dict(Vec<(String, Space)>),
    /// A set of at most `max` values, each from one of several spaces, written as a list of `[index, value]` without duplicates. Lists in a
    /// different order are the same set. The order is still kept, because a schedule's actions are executed in this order.
    MultiUnion {
        /// The spaces. If there are none, the only value is the empty set.
        spaces: Vec<Space>,
        /// The maximum number of values.
        max: usize,
    },
}

impl Space {
    /// One real number in a closed range.
    pub fn scalar(low: f64, high: f64) -> Self {
        Self::Box { low: vec![low], high: vec![high], shape: Vec::new(), dtype: Dtype::Float32 }
    }

    /// Whether a value belongs to the space.
    pub fn contains(&self, value: &Json) -> bool {
        match self {
            Self::Box { low, high, shape, dtype } => {
                let mut index = 0;
                all_nested(value, shape, &mut |item| {
                    let range = bound(low, index)..=bound(high, index);
                    index += 1;
                    let is_inside = |number: f64| number.is_finite() && range.contains(&number);
                    let is_of_type = |number: f64| *dtype == Dtype::Float32 || number.fract() == 0.0;
                    item.as_f64().is_some_and(|number| is_inside(number) && is_of_type(number))
                })
            }
            Self::Discrete { n } => index_below(value, *n).is_some(),
            Self::MultiDiscrete { nvec } => value.as_array().is_some_and(|items| {
                items.len() == nvec.len() && items.iter().zip(nvec).all(|(item, n)| index_below(item, *n).is_some())
            }),
            Self::MultiBinary { shape } => {
                all_nested(value, shape, &mut |item| item.as_f64().is_some_and(|number| number == 0.0 || number == 1.0))
            }
            Self::Dict(entries) => value.as_object().is_some_and(|object| {
                let has = |(key, space): &(String, Self)| object.get(key).is_some_and(|item| space.contains(item));
                object.len() == entries.len() && entries.iter().all(has)
            }),
            Self::MultiUnion { spaces, max } => value.as_array().is_some_and(|items| {
                let is_option = |item: &Json| match item.as_array().map(Vec::as_slice) {
                    Some([index, value]) => index_below(index, spaces.len()).is_some_and(|i| spaces[i].contains(value)),
                    _ => false,
                };
                let is_new = |(i, item): (usize, &Json)| !items[..i].iter().any(|other| same(other, item));
                items.len() <= *max && items.iter().all(is_option) && items.iter().enumerate().all(is_new)
            }),
        }
    }
}

/// The index that a value is, if it is below `n`.
fn index_below(value: &Json, n: usize) -> Option<usize> {
    value.as_u64().and_then(|index| usize::try_from(index).ok()).filter(|index| *index < n)
}

/// Whether a nested array has this shape and all its numbers fit.
fn all_nested(value: &Json, shape: &[usize], fits: &mut dyn FnMut(&Json) -> bool) -> bool {
    let [n, rest @ ..] = shape else { return fits(value) };
    value.as_array().is_some_and(|items| items.len() == *n && items.iter().all(|item| all_nested(item, rest, fits)))
}

/// Writes bounds. JSON has no infinite numbers, so they are written as strings.
fn bounds<S: Serializer>(values: &[f64], serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    #[serde(untagged)]
    enum Bound {
        Number(f64),
        Word(&'static str),
    }
    serializer.collect_seq(values.iter().map(|value| match *value {
        f64::INFINITY => Bound::Word("inf"),
        f64::NEG_INFINITY => Bound::Word("-inf"),
        value => Bound::Number(value),
    }))
}

/// An entry's bound, by flat index.
fn bound(values: &[f64], index: usize) -> f64 {
    values.get(index % values.len().max(1)).copied().unwrap_or(f64::NAN)
}

/// Whether two values are equal. Numbers are compared by value, not by how they are written.
fn same(a: &Json, b: &Json) -> bool {
    match (a, b) {
        (Json::Number(a), Json::Number(b)) => a == b || a.as_f64() == b.as_f64(),
        (Json::Array(a), Json::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Json::Object(a), Json::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| same(a, b)))
        }
        _ => a == b,
    }
}

/// A nested array of this shape.
pub(crate) fn build(shape: &[usize], next: &mut dyn FnMut() -> Json) -> Json {
    match shape {
        [] => next(),
        [n, rest @ ..] => (0..*n).map(|_| build(rest, next)).collect(),
    }
}

impl fmt::Display for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Box { low, high, shape, dtype } => {
                let range = |values: &[f64]| match values {
                    [one] => one.to_string(),
                    several => format!("{several:?}"),
                };
                write!(f, "Box({}, {}, {shape:?}, {})", range(low), range(high), format!("{dtype:?}").to_lowercase())
            }
            Self::Discrete { n } => write!(f, "Discrete({n})"),
            Self::MultiDiscrete { nvec } => write!(f, "MultiDiscrete({nvec:?})"),
            Self::MultiBinary { shape } => write!(f, "MultiBinary({shape:?})"),
            Self::Dict(entries) => {
                let entries: Vec<String> = entries.iter().map(|(k, s)| format!("{k}: {s}")).collect();
                write!(f, "Dict({})", entries.join(", "))
            }
            Self::MultiUnion { spaces, max } => {
                let spaces: Vec<String> = spaces.iter().map(ToString::to_string).collect();
                write!(f, "MultiUnion[{max}]({})", spaces.join(", "))
            }
        }
    }
}
