//! Spaces describe the form of actions and observations, as in Gymnasium. The paper adds `Union` and `MultiUnion`.
//!
//! A space's values are JSON: numbers, arrays (nested according to the shape), strings, objects for `Dict`, and `[index, value]` for
//! `Union`. A `Box` and a `MultiBinary` contain numbers, so you may write an integer in them as a real without a fraction (`2.0`). You must
//! write an index as an integer.
//!
//! You can sample from a space ([`Space::sample`]), test values ([`Space::contains`], or [`Space::check`], which returns the error), and
//! count its values ([`Space::size`]). You can convert values to fixed-length vectors of numbers and back ([`Space::flatten`],
//! [`Space::unflatten`]). The JSON form of a space is lossless. Reading an invalid description returns an error with its location.
//!
//! Source: Farm-gym paper 3.2 (`Union`, `MultiUnion`); Gymnasium for the other spaces.
//!
//! ```
//! use farm_core::space::Space;
//! use serde_json::json;
//!
//! let share = Space::scalar(0.0, 1.0);
//! assert!(share.contains(&json!(0.5)) && !share.contains(&json!(1.5)));
//! ```

mod cardinality;
mod description;
mod error;
mod flat;
#[cfg(test)]
mod tests;

use std::fmt;

use serde::Serialize;
use serde_json::{Value as Json, json};

pub use cardinality::Cardinality;
pub use error::{SpaceError, ValueError};

use crate::math;
use crate::rng::Stream;

/// The default characters of a `Text`: digits and letters, in Gymnasium's order.
pub const ALPHANUMERIC: &str = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

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
        #[serde(serialize_with = "description::bounds")]
        low: Vec<f64>,
        /// The highest values. Only reals may be unbounded (∞).
        #[serde(serialize_with = "description::bounds")]
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
    /// Strings.
    Text {
        /// The minimum number of characters.
        min_length: usize,
        /// The maximum number of characters.
        max_length: usize,
        /// The allowed characters, without duplicates.
        charset: String,
    },
    /// A value for each key.
    Dict(Vec<(String, Space)>),
    /// One value from each space.
    Tuple(Vec<Space>),
    /// A list of values from one space.
    Sequence {
        /// The space of each value.
        space: Box<Space>,
        /// The maximum number of values.
        max: usize,
    },
    /// A value from one of several spaces: `[index, value]`.
    Union(Vec<Space>),
    /// A set of at most `max` values from a union, written as a list of `[index, value]` without duplicates. Lists in a different order are
    /// the same set. The order is still kept, because a schedule's actions are executed in this order.
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

    /// A string of at most `max_length` letters and digits.
    pub fn text(max_length: usize) -> Self {
        Self::Text { min_length: 0, max_length, charset: ALPHANUMERIC.to_owned() }
    }

    /// Whether a value belongs to the space. If it does not, [`Space::check`] returns the reason.
    pub fn contains(&self, value: &Json) -> bool {
        self.check(value).is_ok()
    }

    /// Returns a random value. Draws are independent, with the following distributions:
    ///
    /// * `Box`: uniform in each range, for reals and for integers. Without an upper bound, a value is `low` plus an exponential number with
    ///   mean 1. Without a lower bound, it is `high` minus such a number. Without any bounds, it is a standard normal number (as in
    ///   Gymnasium);
    /// * `Discrete`, `MultiDiscrete`, `MultiBinary`: uniform over the values;
    /// * `Text`, `Sequence`: the length is uniform from minimum to maximum, then each character or value is drawn independently. Any
    ///   particular short value is therefore more likely than any particular long value;
    /// * `Dict`, `Tuple`: each value is drawn independently;
    /// * `Union`: the index is uniform, then a value is drawn from that space, regardless of the sizes of the spaces;
    /// * `MultiUnion`: the number of draws is uniform from 0 to `max`, then this number of values is drawn as from a `Union`, without
    ///   duplicates. Small sets are therefore more likely than their share of all sets.
    ///
    /// A space that [`Space::validate`] rejects has no meaningful samples, and the result may be outside it.
    pub fn sample(&self, stream: &mut Stream) -> Json {
        match self {
            Self::Box { low, high, shape, dtype } => {
                let mut i = 0;
                build(shape, &mut || {
                    let (low, high) = (bound(low, i), bound(high, i));
                    i += 1;
                    match dtype {
                        Dtype::Float32 => json!(real(stream, low, high)),
                        Dtype::Uint8 | Dtype::Int32 => json!(whole(stream, low as i64, high as i64)),
                    }
                })
            }
            Self::Discrete { n } => json!(stream.index(narrow(*n))),
            Self::MultiDiscrete { nvec } => nvec.iter().map(|n| json!(stream.index(narrow(*n)))).collect(),
            Self::MultiBinary { shape } => build(shape, &mut || json!(stream.index(2))),
            Self::Text { min_length, max_length, charset } => {
                let characters: Vec<char> = charset.chars().collect();
                let length = min_length + up_to(stream, max_length.saturating_sub(*min_length));
                let character = |_| characters.get(stream.index(narrow(characters.len())) as usize);
                json!((0..length).filter_map(character).collect::<String>())
            }
            Self::Dict(entries) => Json::Object(entries.iter().map(|(k, s)| (k.clone(), s.sample(stream))).collect()),
            Self::Tuple(spaces) => spaces.iter().map(|s| s.sample(stream)).collect(),
            Self::Sequence { space, max } => {
                let length = up_to(stream, *max);
                (0..length).map(|_| space.sample(stream)).collect()
            }
            Self::Union(spaces) => one_of(spaces, stream).unwrap_or_default(),
            Self::MultiUnion { spaces, max } => {
                let mut drawn: Vec<Json> = Vec::new();
                for _ in 0..up_to(stream, *max) {
                    drawn.extend(one_of(spaces, stream).filter(|value| !drawn.iter().any(|other| same(other, value))));
                }
                Json::Array(drawn)
            }
        }
    }
}

/// An entry's bound, by flat index.
fn bound(values: &[f64], index: usize) -> f64 {
    values.get(index % values.len().max(1)).copied().unwrap_or(f64::NAN)
}

/// Narrows a number to 32 bits for the random streams. Validation rejects larger numbers.
fn narrow(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// A uniform number in 0…most.
fn up_to(stream: &mut Stream, most: usize) -> usize {
    stream.index(narrow(most).saturating_add(1)) as usize
}

/// A uniform integer in low…high, which may be the full 32-bit range.
fn whole(stream: &mut Stream, low: i64, high: i64) -> i64 {
    let width = high.saturating_sub(low).saturating_add(1).max(0);
    low.saturating_add(match u32::try_from(width) {
        Ok(width) => i64::from(stream.index(width)),
        Err(_) => (stream.bits() >> 32) as i64,
    })
}

/// A real number in a range, distributed as in [`Space::sample`].
fn real(stream: &mut Stream, low: f64, high: f64) -> f64 {
    let exponential = |stream: &mut Stream| -math::ln(1.0 - stream.uniform());
    match (low.is_finite(), high.is_finite()) {
        (true, true) => stream.uniform_in(low, high),
        (true, false) => low + exponential(stream),
        (false, true) => high - exponential(stream),
        (false, false) => stream.normal(),
    }
}

/// A value from one of several spaces, with the space's index; `None` if there are no spaces.
fn one_of(spaces: &[Space], stream: &mut Stream) -> Option<Json> {
    let index = stream.index(narrow(spaces.len())) as usize;
    spaces.get(index).map(|space| json!([index, space.sample(stream)]))
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
        let list = |spaces: &[Space]| spaces.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
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
            Self::Text { min_length, max_length, charset } if charset == ALPHANUMERIC => {
                write!(f, "Text({min_length}, {max_length})")
            }
            Self::Text { min_length, max_length, charset } => {
                write!(f, "Text({min_length}, {max_length}, {charset:?})")
            }
            Self::Dict(entries) => {
                let entries: Vec<String> = entries.iter().map(|(k, s)| format!("{k}: {s}")).collect();
                write!(f, "Dict({})", entries.join(", "))
            }
            Self::Tuple(spaces) => write!(f, "Tuple({})", list(spaces)),
            Self::Sequence { space, max } => write!(f, "Sequence[{max}]({space})"),
            Self::Union(spaces) => write!(f, "Union({})", list(spaces)),
            Self::MultiUnion { spaces, max } => write!(f, "MultiUnion[{max}]({})", list(spaces)),
        }
    }
}
