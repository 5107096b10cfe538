//! Spaces: what actions and observations look like, as Gymnasium has them, with the paper's `Union` and `MultiUnion`.
//!
//! Values of a space are JSON: numbers, arrays (nested to the shape), objects for `Dict`, `[index, value]` for `Union`.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use crate::rng::Stream;

/// The numbers of a `Box`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Dtype {
    /// Bytes.
    Uint8,
    /// 32-bit whole numbers.
    Int32,
    /// 32-bit reals.
    Float32,
}

impl Dtype {
    /// Bytes of one number.
    pub const fn size(self) -> usize {
        match self {
            Self::Uint8 => 1,
            Self::Int32 | Self::Float32 => 4,
        }
    }
}

/// A set of values.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", content = "of")]
pub enum Space {
    /// Numbers in closed ranges, one range per entry of the last axis or one for all.
    Box {
        /// Lowest values.
        low: Vec<f64>,
        /// Highest values.
        high: Vec<f64>,
        /// Shape; empty for one number.
        shape: Vec<usize>,
        /// What numbers.
        dtype: Dtype,
    },
    /// 0…n−1.
    Discrete {
        /// Number of values.
        n: usize,
    },
    /// A vector of indices.
    MultiDiscrete {
        /// Number of values of each entry.
        nvec: Vec<usize>,
    },
    /// An array of 0 and 1.
    MultiBinary {
        /// Shape.
        shape: Vec<usize>,
    },
    /// Texts.
    Text {
        /// Most characters.
        max_length: usize,
    },
    /// A value for each key.
    Dict(Vec<(String, Space)>),
    /// A value of each space.
    Tuple(Vec<Space>),
    /// A list of values of one space.
    Sequence {
        /// The space of each.
        space: Box<Space>,
        /// Most values.
        max: usize,
    },
    /// A value of one of several spaces: `[index, value]`.
    Union(Vec<Space>),
    /// A set of at most `max` values of a union: a list of `[index, value]`, no two equal.
    MultiUnion {
        /// The spaces.
        spaces: Vec<Space>,
        /// Most values.
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
                let mut numbers = Vec::new();
                flatten(value, shape, &mut numbers)
                    && numbers.iter().enumerate().all(|(i, n)| {
                        let whole = *dtype == Dtype::Float32 || n.fract() == 0.0;
                        whole && (low[i % low.len()]..=high[i % high.len()]).contains(n)
                    })
            }
            Self::Discrete { n } => value.as_u64().is_some_and(|v| v < *n as u64),
            Self::MultiDiscrete { nvec } => value.as_array().is_some_and(|items| {
                items.len() == nvec.len()
                    && items.iter().zip(nvec).all(|(v, n)| v.as_u64().is_some_and(|v| v < *n as u64))
            }),
            Self::MultiBinary { shape } => {
                let mut numbers = Vec::new();
                flatten(value, shape, &mut numbers) && numbers.iter().all(|n| *n == 0.0 || *n == 1.0)
            }
            Self::Text { max_length } => value.as_str().is_some_and(|t| t.chars().count() <= *max_length),
            Self::Dict(entries) => value.as_object().is_some_and(|object| {
                object.len() == entries.len()
                    && entries.iter().all(|(k, s)| object.get(k).is_some_and(|v| s.contains(v)))
            }),
            Self::Tuple(spaces) => value.as_array().is_some_and(|items| {
                items.len() == spaces.len() && items.iter().zip(spaces).all(|(v, s)| s.contains(v))
            }),
            Self::Sequence { space, max } => {
                value.as_array().is_some_and(|items| items.len() <= *max && items.iter().all(|v| space.contains(v)))
            }
            Self::Union(spaces) => option(value, spaces).is_some(),
            Self::MultiUnion { spaces, max } => value.as_array().is_some_and(|items| {
                let distinct = (1..items.len()).all(|i| !items[..i].contains(&items[i]));
                items.len() <= *max && distinct && items.iter().all(|item| option(item, spaces).is_some())
            }),
        }
    }

    /// A random value: uniform numbers, indices and lengths; for `MultiUnion` a uniform
    /// number of draws, of which equal ones count once.
    pub fn sample(&self, stream: &mut Stream) -> Json {
        match self {
            Self::Box { low, high, shape, dtype } => {
                let mut i = 0;
                build(shape, &mut || {
                    let (l, h) = (low[i % low.len()], high[i % high.len()]);
                    i += 1;
                    match dtype {
                        Dtype::Float32 => json!(stream.uniform_in(l, h)),
                        _ => json!(stream.integer_in(l as i32, h as i32)),
                    }
                })
            }
            Self::Discrete { n } => json!(stream.index(*n as u32)),
            Self::MultiDiscrete { nvec } => nvec.iter().map(|n| json!(stream.index(*n as u32))).collect(),
            Self::MultiBinary { shape } => build(shape, &mut || json!(stream.index(2))),
            Self::Text { max_length } => {
                let length = stream.index(*max_length as u32 + 1);
                json!((0..length).map(|_| char::from(b'a' + stream.index(26) as u8)).collect::<String>())
            }
            Self::Dict(entries) => Json::Object(entries.iter().map(|(k, s)| (k.clone(), s.sample(stream))).collect()),
            Self::Tuple(spaces) => spaces.iter().map(|s| s.sample(stream)).collect(),
            Self::Sequence { space, max } => {
                let length = stream.index(*max as u32 + 1);
                (0..length).map(|_| space.sample(stream)).collect()
            }
            Self::Union(spaces) => {
                let index = stream.index(spaces.len() as u32) as usize;
                json!([index, spaces[index].sample(stream)])
            }
            Self::MultiUnion { spaces, max } => {
                let mut drawn: Vec<Json> = Vec::new();
                for _ in 0..stream.index(*max as u32 + 1) {
                    let index = stream.index(spaces.len() as u32) as usize;
                    let value = json!([index, spaces[index].sample(stream)]);
                    if !drawn.contains(&value) {
                        drawn.push(value);
                    }
                }
                Json::Array(drawn)
            }
        }
    }
}

/// The index of a `[index, value]` that belongs to its space.
fn option(value: &Json, spaces: &[Space]) -> Option<usize> {
    let [index, value] = value.as_array()?.as_slice() else { return None };
    let index = index.as_u64()? as usize;
    spaces.get(index).filter(|space| space.contains(value)).map(|_| index)
}

/// Collects the numbers of a nested array of this shape; false if the shape is another.
fn flatten(value: &Json, shape: &[usize], numbers: &mut Vec<f64>) -> bool {
    match shape {
        [] => value.as_f64().map(|n| numbers.push(n)).is_some(),
        [n, rest @ ..] => value
            .as_array()
            .is_some_and(|items| items.len() == *n && items.iter().all(|item| flatten(item, rest, numbers))),
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
            Self::Text { max_length } => write!(f, "Text({max_length})"),
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn spaces() -> impl Strategy<Value = Space> {
        let leaf = prop_oneof![
            (1usize..5).prop_map(|n| Space::Discrete { n }),
            prop::collection::vec(1usize..4, 0..4).prop_map(|nvec| Space::MultiDiscrete { nvec }),
            prop::collection::vec(1usize..3, 0..3).prop_map(|shape| Space::MultiBinary { shape }),
            (0usize..6).prop_map(|max_length| Space::Text { max_length }),
            (-5.0..0.0, 0.0..5.0, prop::collection::vec(1usize..3, 0..3)).prop_map(|(l, h, shape)| Space::Box {
                low: vec![l],
                high: vec![h],
                shape,
                dtype: Dtype::Float32
            }),
        ];
        leaf.prop_recursive(3, 12, 3, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 1..4).prop_map(Space::Tuple),
                prop::collection::vec(inner.clone(), 1..4).prop_map(Space::Union),
                (prop::collection::vec(inner.clone(), 1..4), 0usize..4)
                    .prop_map(|(spaces, max)| Space::MultiUnion { spaces, max }),
                (inner.clone(), 0usize..4).prop_map(|(s, max)| Space::Sequence { space: Box::new(s), max }),
                inner.prop_map(|s| Space::Dict(vec![("a".into(), s)])),
            ]
        })
    }

    proptest! {
        #[test]
        fn samples_belong_to_their_space_and_spaces_round_trip_through_json(space in spaces(), seed: u64) {
            let sample = space.sample(&mut Stream::from_seed(seed));
            prop_assert!(space.contains(&sample), "{space}: {sample}");
            let text = serde_json::to_string(&space).unwrap();
            prop_assert_eq!(serde_json::from_str::<Space>(&text).unwrap().to_string(), space.to_string());
        }
    }

    #[test]
    fn what_does_not_belong_is_refused() {
        assert!(!Space::Discrete { n: 3 }.contains(&json!(3)));
        assert!(!Space::scalar(0.0, 1.0).contains(&json!(1.5)));
        assert!(!Space::scalar(0.0, 1.0).contains(&Json::Null));
        let union = Space::MultiUnion { spaces: vec![Space::Discrete { n: 2 }, Space::Discrete { n: 2 }], max: 1 };
        assert!(union.contains(&json!([[1, 0]])) && union.contains(&json!([])));
        assert!(!union.contains(&json!([[0, 0], [1, 0]])), "more than max");
        let two = Space::MultiUnion { spaces: vec![Space::Discrete { n: 2 }], max: 2 };
        assert!(two.contains(&json!([[0, 0], [0, 1]])));
        assert!(!two.contains(&json!([[0, 1], [0, 1]])), "the same value twice");
    }
}
