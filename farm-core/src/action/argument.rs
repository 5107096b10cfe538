//! What the number of an argument stands for.

use std::fmt::{Display, Formatter, Result};

use serde_json::{Value as Json, json};

use crate::declare::ActionParameterKind;

/// An argument of a call as people say it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Argument<'a> {
    /// The plot (x, y).
    Plot([usize; 2]),
    /// A number.
    Real(f64),
    /// A word.
    Word(&'a str),
}

impl<'a> Argument<'a> {
    /// Reads a number of [`Call`](super::Call)'s arguments, for an action in a field of this width, in plots.
    #[inline]
    pub fn new(kind: &'a ActionParameterKind, value: f64, width: usize) -> Self {
        match kind {
            ActionParameterKind::Plot => {
                let (plot, width) = (value as usize, width.max(1));
                Self::Plot([plot / width, plot % width])
            }
            ActionParameterKind::Real { .. } => Self::Real(value),
            ActionParameterKind::Choice(words) => Self::Word(words.get(value as usize).map_or("", String::as_str)),
        }
    }

    /// As programs write it: `[x, y]`, a number, a text.
    pub fn to_json(self) -> Json {
        match self {
            Self::Plot(plot) => json!(plot),
            Self::Real(value) => json!(value),
            Self::Word(word) => json!(word),
        }
    }
}

/// `(x, y)`, a number, a word.
impl Display for Argument<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Plot([x, y]) => write!(f, "({x}, {y})"),
            Self::Real(value) => write!(f, "{value}"),
            Self::Word(word) => f.write_str(word),
        }
    }
}
