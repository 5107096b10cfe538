//! Errors for values, flat vectors and descriptions that do not fit a space. Each error has a location.

use std::fmt::Display;

use crate::codes;
use crate::config::{Path, Phrase, Problem};

codes! {
    /// Values, flat vectors and descriptions of spaces.
    pub enum ValueError: "spaces" {
        /// A value, a flat vector or a description does not fit the space.
        ///
        /// A space defines the possible actions or observations; values outside it cannot be played.
        NotInSpace = "not-in-space",
    }
}

/// An error about a value, a flat vector or a description that does not fit. It contains the location, what was found, and what was
/// expected.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{0}")]
pub struct SpaceError(pub Box<Problem>);

impl SpaceError {
    /// Modifies the problem.
    pub(super) fn map(self, change: impl FnOnce(Problem) -> Problem) -> Self {
        Self(Box::new(change(*self.0)))
    }
}

/// A location in a value. It stays on the stack until an error needs it, so checking a valid value allocates nothing.
#[derive(Clone, Copy)]
pub(super) enum Place<'p> {
    /// The value itself.
    Root,
    /// An element of an object.
    Key(&'p Place<'p>, &'p str),
    /// An element of an array.
    Index(&'p Place<'p>, usize),
}

impl Place<'_> {
    fn path(&self) -> Path {
        match self {
            Self::Root => Path::default(),
            Self::Key(parent, key) => parent.path().child(*key),
            Self::Index(parent, index) => parent.path().child(*index),
        }
    }

    /// The error for the value at this location.
    pub(super) fn error(&self, message: &str, found: impl Display, expected: impl Into<Phrase>) -> SpaceError {
        SpaceError(Box::new(Problem::new(ValueError::NotInSpace, self.path(), message).value(found).expected(expected)))
    }
}
