//! What values there are: numbers in a range, one of a list, yes or no.

use crate::state::Region;

/// The names or the number of the values that a category takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Labels {
    /// Named values; the byte is the index.
    Named(Vec<String>),
    /// The numbers 0…n−1.
    Numbered(u32),
}

impl Labels {
    /// Number of values.
    pub fn len(&self) -> usize {
        match self {
            Self::Named(names) => names.len(),
            Self::Numbered(n) => *n as usize,
        }
    }

    /// Whether there is no value at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The name of a value; numbered values are named by their number.
    pub fn name(&self, index: usize) -> String {
        match self {
            Self::Named(names) => names.get(index).cloned().unwrap_or_else(|| format!("?{index}")),
            Self::Numbered(_) => index.to_string(),
        }
    }

    /// The value of a name.
    pub fn index(&self, name: &str) -> Option<usize> {
        match self {
            Self::Named(names) => names.iter().position(|n| n == name),
            Self::Numbered(n) => name.parse().ok().filter(|i| i < &(*n as usize)),
        }
    }
}

/// What kind of values a variable or observable has. It is matched without a `_`, so that whoever shows or reads values is asked about
/// a new kind.
#[derive(Debug, Clone, PartialEq)]
pub enum ValueKind {
    /// Real numbers in a closed range.
    Real {
        /// Lowest value.
        low: f64,
        /// Highest value.
        high: f64,
    },
    /// Whole numbers in a closed range.
    Count {
        /// Lowest value.
        low: i32,
        /// Highest value.
        high: i32,
    },
    /// One of a list. One list for all values, or one per entry of the last axis.
    Category(Vec<Labels>),
    /// Yes or no.
    Flag,
}

impl ValueKind {
    /// Where a state holds values of this kind.
    pub(super) fn region(&self) -> Region {
        match self {
            Self::Real { .. } => Region::Reals,
            Self::Count { .. } => Region::Counts,
            Self::Category(_) | Self::Flag => Region::Bytes,
        }
    }

    /// A category with the same names for every value.
    pub fn named(names: &[&str]) -> Self {
        Self::Category(vec![Labels::Named(names.iter().map(|n| (*n).to_owned()).collect())])
    }

    /// The lowest and the highest value, categories and flags by number.
    pub fn range(&self) -> (f64, f64) {
        match self {
            Self::Real { low, high } => (*low, *high),
            Self::Count { low, high } => (f64::from(*low), f64::from(*high)),
            Self::Category(lists) => (0.0, lists.iter().map(Labels::len).max().unwrap_or(1).saturating_sub(1) as f64),
            Self::Flag => (0.0, 1.0),
        }
    }

    /// The labels of the value at a flat index, where the kind is a category.
    pub fn labels(&self, flat_index: usize) -> Option<&Labels> {
        match self {
            Self::Category(lists) => lists.get(flat_index % lists.len().max(1)),
            _ => None,
        }
    }
}
