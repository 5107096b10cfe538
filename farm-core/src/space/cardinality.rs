//! The number of values in a space.

use std::fmt;

use super::{Dtype, Space, bound};

/// A number of values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cardinality {
    /// An exact number.
    Finite(u128),
    /// Finite, but 2¹²⁸ or more.
    Uncounted,
    /// Infinite, because the space contains all reals between two different bounds.
    Infinite,
}

impl fmt::Display for Cardinality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Finite(n) => write!(f, "{n}"),
            Self::Uncounted => f.write_str("2^128 or more"),
            Self::Infinite => f.write_str("infinite"),
        }
    }
}

impl Cardinality {
    const ONE: Self = Self::Finite(1);

    fn finite(n: Option<u128>) -> Self {
        n.map_or(Self::Uncounted, Self::Finite)
    }

    /// The number of values in the union of two disjoint sets.
    fn plus(self, other: Self) -> Self {
        match (self, other) {
            (Self::Infinite, _) | (_, Self::Infinite) => Self::Infinite,
            (Self::Finite(a), Self::Finite(b)) => Self::finite(a.checked_add(b)),
            _ => Self::Uncounted,
        }
    }

    /// The number of pairs of values.
    fn times(self, other: Self) -> Self {
        match (self, other) {
            (Self::Finite(0), _) | (_, Self::Finite(0)) => Self::Finite(0),
            (Self::Infinite, _) | (_, Self::Infinite) => Self::Infinite,
            (Self::Finite(a), Self::Finite(b)) => Self::finite(a.checked_mul(b)),
            _ => Self::Uncounted,
        }
    }

    /// The number of lists of exactly `length` values.
    fn power(self, length: usize) -> Self {
        match self {
            _ if length == 0 => Self::ONE,
            Self::Finite(n @ (0 | 1)) => Self::Finite(n),
            Self::Finite(n) => Self::finite(u32::try_from(length).ok().and_then(|length| n.checked_pow(length))),
            other => other,
        }
    }

    /// The number of lists with `least` to `most` values.
    fn lists(self, least: usize, most: usize) -> Self {
        if let Self::Finite(1) = self {
            return Self::Finite((most as u128 + 1).saturating_sub(least as u128));
        }
        let mut total = Self::Finite(0);
        for length in least..=most {
            let next = total.plus(self.power(length));
            // Longer lists do not change the total any more. With two or more values, this is the case from length 128.
            if next == total || next == Self::Uncounted {
                return next;
            }
            total = next;
        }
        total
    }

    /// The number of subsets with at most `most` values.
    fn subsets(self, most: usize) -> Self {
        let n = match self {
            _ if most == 0 => return Self::ONE,
            Self::Finite(n) => n,
            other => return other,
        };
        let (mut chosen, mut total) = (1u128, 1u128);
        for k in 1..=(most as u128).min(n) {
            // Divides before multiplying, to avoid overflow: C(n, k) = C(n, k−1)·(n−k+1)/k.
            let shared = greatest_divisor(chosen, k);
            let next = (chosen / shared).checked_mul((n - k + 1) / (k / shared));
            let Some((next, sum)) = next.and_then(|next| Some((next, total.checked_add(next)?))) else {
                return Self::Uncounted;
            };
            (chosen, total) = (next, sum);
        }
        Self::Finite(total)
    }
}

/// The greatest common divisor (Euclid).
fn greatest_divisor(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { greatest_divisor(b, a % b) }
}

impl Space {
    /// The number of different values in the space. The values of a `MultiUnion` are sets, so lists that differ only in their order count
    /// once. A range of reals has infinitely many values, unless its bounds are equal.
    pub fn size(&self) -> Cardinality {
        let product = |sizes: &mut dyn Iterator<Item = Cardinality>| sizes.fold(Cardinality::ONE, Cardinality::times);
        let sum = |spaces: &[Self]| spaces.iter().map(Self::size).fold(Cardinality::Finite(0), Cardinality::plus);
        match self {
            Self::Box { low, high, shape, dtype } => {
                // Bounds repeat, so entries with the same bounds are counted together.
                let (entries, period) = (super::flat::entries(shape), low.len().max(high.len()).max(1));
                product(&mut (0..period.min(entries)).map(|i| {
                    let (low, high) = (bound(low, i), bound(high, i));
                    let values = match dtype {
                        _ if low == high => Cardinality::ONE,
                        Dtype::Float32 => Cardinality::Infinite,
                        Dtype::Uint8 | Dtype::Int32 => Cardinality::Finite((high - low + 1.0).max(0.0) as u128),
                    };
                    values.power(entries / period)
                }))
            }
            Self::Discrete { n } => Cardinality::Finite(*n as u128),
            Self::MultiDiscrete { nvec } => product(&mut nvec.iter().map(|n| Cardinality::Finite(*n as u128))),
            Self::MultiBinary { shape } => Cardinality::Finite(2).power(super::flat::entries(shape)),
            Self::Text { min_length, max_length, charset } => {
                Cardinality::Finite(charset.chars().count() as u128).lists(*min_length, *max_length)
            }
            Self::Dict(entries) => product(&mut entries.iter().map(|(_, space)| space.size())),
            Self::Tuple(spaces) => product(&mut spaces.iter().map(Self::size)),
            Self::Sequence { space, max } => space.size().lists(0, *max),
            Self::Union(spaces) => sum(spaces),
            Self::MultiUnion { spaces, max } => sum(spaces).subsets(*max),
        }
    }
}
