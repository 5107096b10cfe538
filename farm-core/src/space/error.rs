//! What does not fit a space, and where in the value, the flat vector or the description.

use std::fmt::Display;

use crate::codes;
use crate::config::{Path, Phrase, Problem};

codes! {
    /// Values, flat vectors and descriptions of spaces.
    pub enum ValueError: "spaces" {
        /// A value, a flat vector or a description does not fit the space.
        ///
        /// A space says which actions or observations there are; what lies outside of it can't be played.
        NotInSpace = "not-in-space",
    }
}

/// A value, a flat vector or a description that does not fit: where, what was found, what was expected.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{0}")]
pub struct SpaceError(pub Box<Problem>);

impl SpaceError {
    /// Changes the problem.
    pub(super) fn map(self, change: impl FnOnce(Problem) -> Problem) -> Self {
        Self(Box::new(change(*self.0)))
    }
}

/// A place in a value, kept on the stack until somebody wants to read it: a value that fits costs no allocation.
#[derive(Clone, Copy)]
pub(super) enum Place<'p> {
    /// The value itself.
    Root,
    /// An entry of an object.
    Key(&'p Place<'p>, &'p str),
    /// An entry of an array.
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

    /// The error of what stands here.
    pub(super) fn error(&self, message: &str, found: impl Display, expected: impl Into<Phrase>) -> SpaceError {
        SpaceError(Box::new(Problem::new(ValueError::NotInSpace, self.path(), message).value(found).expected(expected)))
    }
}
