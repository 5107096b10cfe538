//! The actions of a part and their parameters.

/// One parameter of an action.
#[derive(Debug, Clone, PartialEq)]
pub struct ActionParameter {
    /// `name#unit`.
    pub name: String,
    /// What it is, in a sentence.
    pub doc: String,
    /// What values it takes.
    pub kind: ActionParameterKind,
}

impl ActionParameter {
    /// A plot of the field.
    pub fn plot() -> Self {
        Self { name: "plot".into(), doc: "The plot to act on, (x, y).".into(), kind: ActionParameterKind::Plot }
    }

    /// A real number in a closed range, with the values that a game offers unless its rules say otherwise.
    pub fn real(name: &str, low: f64, high: f64, offered: &[f64], doc: &str) -> Self {
        let kind = ActionParameterKind::Real { low, high, offered: offered.to_vec() };
        Self { name: name.into(), doc: doc.into(), kind }
    }

    /// One of a list of words.
    pub fn choice(name: &str, words: &[&str], doc: &str) -> Self {
        let kind = ActionParameterKind::Choice(words.iter().map(|w| (*w).to_owned()).collect());
        Self { name: name.into(), doc: doc.into(), kind }
    }
}

/// What values an action's parameter takes.
#[derive(Debug, Clone, PartialEq)]
pub enum ActionParameterKind {
    /// A plot of the field, written `(x, y)`.
    Plot,
    /// A real number in a closed range, with the values that a game offers unless its rules say otherwise.
    Real {
        /// Lowest value.
        low: f64,
        /// Highest value.
        high: f64,
        /// Values offered by default.
        offered: Vec<f64>,
    },
    /// One of a list of words.
    Choice(Vec<String>),
}

/// A declared action.
#[derive(Debug, Clone, PartialEq)]
pub struct ActionInfo {
    /// Its name.
    pub name: String,
    /// What it does, in a sentence.
    pub doc: String,
    /// Its parameters in the order in which the part receives them.
    pub parameters: Vec<ActionParameter>,
    /// Whether it only lets time pass; a game with such an action needs no empty schedule.
    pub waits: bool,
}
