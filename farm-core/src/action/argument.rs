//! Converts argument values between the forms that front ends use and the numbers stored in a call.

use std::borrow::Cow;
use std::fmt::{Display, Formatter, Result};

use serde_json::{Value as Json, json};

use super::plot_index;
use super::text::key;
use crate::declare::{ActionParameterKind, FieldInfo, parse_tuple_text};

/// The value of an action's parameter, as people and programs write it.
/// Every front end parses its input into an `Argument` and writes its output from one. [`Argument::new`] and [`Argument::number`]
/// convert from and to the numbers in a [`Call`](super::Call).
///
/// ```
/// use farm_core::action::Argument;
/// use farm_core::declare::ActionParameterKind;
/// use serde_json::json;
///
/// let written = json!([1, 2]);
/// let argument = Argument::from_json(&ActionParameterKind::Plot, &written).unwrap();
/// assert_eq!(argument, Argument::Plot([1, 2]));
/// assert_eq!((argument.to_json(), argument.to_string()), (json!([1, 2]), "(1, 2)".to_owned()));
/// assert_eq!(Argument::from_json(&ActionParameterKind::Plot, &json!("here")), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Argument<'a> {
    /// A plot, given as (x, y).
    Plot([usize; 2]),
    /// A number.
    Real(f64),
    /// A word.
    Word(&'a str),
}

impl<'a> Argument<'a> {
    /// Converts a number stored in a [`Call`](super::Call). `width` is the width of the action's field, in plots.
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

    /// Parses the form used by programs: `[x, y]` or `"(x, y)"` for a plot, a number, or a word. Returns `None` for anything else.
    pub fn from_json(kind: &ActionParameterKind, value: &'a Json) -> Option<Self> {
        match kind {
            ActionParameterKind::Plot => match value {
                Json::Array(items) => {
                    let [x, y] = items.as_slice() else { return None };
                    Some(Self::Plot([x.as_u64()? as usize, y.as_u64()? as usize]))
                }
                Json::String(text) => parse_tuple_text(text)?.try_into().ok().map(Self::Plot),
                _ => None,
            },
            ActionParameterKind::Real { .. } => value.as_f64().map(Self::Real),
            ActionParameterKind::Choice(_) => value.as_str().map(Self::Word),
        }
    }

    /// Parses the form used by people: a plot with or without brackets, a number with or without its unit, or a word in any case.
    /// Returns `None` for anything else.
    pub(super) fn from_text(kind: &'a ActionParameterKind, text: &str, unit: &str) -> Option<Self> {
        match kind {
            ActionParameterKind::Plot => {
                let inner = text.trim_matches(|c: char| c.is_whitespace() || "()[]{}".contains(c));
                let words = inner.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
                let numbers = words.map(|word| word.parse().ok()).collect::<Option<Vec<usize>>>()?;
                numbers.try_into().ok().map(Self::Plot)
            }
            ActionParameterKind::Real { .. } => {
                let plain = text.strip_suffix(unit).filter(|_| !unit.is_empty()).unwrap_or(text);
                plain.parse().ok().filter(|number: &f64| number.is_finite()).map(Self::Real)
            }
            ActionParameterKind::Choice(words) => {
                let wanted = key(text);
                words.iter().find(|word| key(word) == wanted).map(|word| Self::Word(word))
            }
        }
    }

    /// The number that a call stores for this argument, if the action's field is `field`. Returns `None` for a plot outside the field, a
    /// word that is not one of the parameter's choices, or an argument of the wrong kind.
    pub fn number(self, kind: &ActionParameterKind, field: Option<&FieldInfo>) -> Option<f64> {
        match (kind, self) {
            (ActionParameterKind::Plot, Self::Plot(plot)) => plot_index(&plot, field?).map(|index| index as f64),
            (ActionParameterKind::Real { .. }, Self::Real(value)) => Some(value),
            (ActionParameterKind::Choice(words), Self::Word(word)) => {
                words.iter().position(|other| other == word).map(|index| index as f64)
            }
            _ => None,
        }
    }

    /// The form used by programs: `[x, y]`, a number or a string.
    pub fn to_json(self) -> Json {
        match self {
            Self::Plot(plot) => json!(plot),
            Self::Real(value) => json!(value),
            Self::Word(word) => json!(word),
        }
    }
}

/// A parameter's value as a front end parsed it.
#[derive(Debug, Clone)]
pub(super) struct Given<'a> {
    /// The parsed value; `None` if its kind does not match the parameter's.
    pub argument: Option<Argument<'a>>,
    /// The value as written, for error messages.
    pub written: Cow<'a, Json>,
}

/// Writes `(x, y)`, a number or a word.
impl Display for Argument<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Plot([x, y]) => write!(f, "({x}, {y})"),
            Self::Real(value) => write!(f, "{value}"),
            Self::Word(word) => f.write_str(word),
        }
    }
}
