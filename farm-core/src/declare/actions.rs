//! A part's actions and their parameters.

use crate::picture::Sprite;

/// One parameter of an action.
#[derive(Debug, Clone, PartialEq, farm_macros::Getters)]
pub struct ActionParameter {
    /// `name#unit`.
    pub(crate) name: String,
    /// A one-sentence description.
    pub(crate) doc: String,
    /// The values that the parameter accepts.
    pub(crate) kind: ActionParameterKind,
    /// The range that farmers usually choose from, as numbers and in words.
    #[getter(skip)]
    pub(crate) usual: Option<(f64, f64, String)>,
}

impl ActionParameter {
    /// A plot in the field.
    pub fn plot() -> Self {
        Self {
            name: "plot".into(),
            doc: "The plot to work on, as (x, y).".into(),
            kind: ActionParameterKind::Plot,
            usual: None,
        }
    }

    /// A parameter that accepts a real number in a closed range. `offered` lists the values that a game offers unless its rules set others.
    pub fn real(name: &str, low: f64, high: f64, offered: &[f64], doc: &str) -> Self {
        let kind = ActionParameterKind::Real { low, high, offered: offered.to_vec() };
        Self { name: name.into(), doc: doc.into(), kind, usual: None }
    }

    /// Sets the range that farmers usually choose from, as numbers and in words. Rules that offer none of these values cause a warning.
    pub fn usual(mut self, low: f64, high: f64, words: String) -> Self {
        self.usual = Some((low, high, words));
        self
    }

    /// The typical value, which is the geometric mean of the usual range. `None` if no usual range is set.
    pub fn middle(&self) -> Option<f64> {
        self.usual.as_ref().map(|(low, high, _)| (low * high).sqrt())
    }

    /// One word from a list.
    pub fn choice(name: &str, words: &[&str], doc: &str) -> Self {
        let kind = ActionParameterKind::Choice(words.iter().map(|w| (*w).to_owned()).collect());
        Self { name: name.into(), doc: doc.into(), kind, usual: None }
    }
}

/// The values that an action's parameter accepts.
#[derive(Debug, Clone, PartialEq)]
pub enum ActionParameterKind {
    /// A plot in the field, written `(x, y)`.
    Plot,
    /// A real number in a closed range, with the values that a game offers unless its rules set others.
    Real {
        /// The lowest value.
        low: f64,
        /// The highest value.
        high: f64,
        /// The values offered by default.
        offered: Vec<f64>,
    },
    /// One word from a list.
    Choice(Vec<String>),
}

/// A declared action.
#[derive(Debug, Clone, PartialEq, farm_macros::Getters)]
pub struct ActionInfo {
    /// The action's name.
    pub(crate) name: String,
    /// A one-sentence description of the effect.
    pub(crate) doc: String,
    /// The parameters, in the order in which the part receives them.
    pub(crate) parameters: Vec<ActionParameter>,
    /// Whether the action only lets time pass. A game with such an action needs no empty schedule.
    pub(crate) waits: bool,
    /// A past participle for what was done, such as `watered`. `None` if the action's name is enough.
    pub(crate) done: Option<String>,
    /// The mark shown on the plot, or on the actor, in the picture after the step.
    pub(crate) badge: Option<Sprite>,
    /// How the actor looks in the picture after the step.
    pub(crate) pose: Option<Sprite>,
    /// Why the action has no effect when [`Behaviour::has_effect`](crate::Behaviour::has_effect) is false.
    #[getter(skip)]
    pub(crate) futile: Option<&'static str>,
    /// Whether the action works on every plot of the field.
    #[getter(copy)]
    pub(crate) works_all_plots: bool,
    /// Whether the farmer drives or walks on the soil for it.
    #[getter(copy)]
    pub(crate) needs_dry_soil: bool,
}

impl ActionInfo {
    /// An action with its parameters, in the order in which the part receives them.
    pub fn new(name: &str, doc: &str, parameters: Vec<ActionParameter>) -> Self {
        Self {
            name: name.to_owned(),
            doc: doc.to_owned(),
            parameters,
            waits: false,
            done: None,
            badge: None,
            pose: None,
            futile: None,
            works_all_plots: false,
            needs_dry_soil: false,
        }
    }

    /// An action that only lets time pass.
    pub fn waiting(self) -> Self {
        Self { waits: true, ..self }
    }

    /// Sets the past participle, such as `watered`, and the sprite that marks the plot, or the actor, in the picture after the action.
    pub fn shown_as(self, done: &str, badge: impl Into<Sprite>) -> Self {
        Self { badge: Some(badge.into()), ..self.told_as(done) }
    }

    /// Sets the past participle of an action that needs no mark, because the picture itself shows its effect.
    pub fn told_as(self, done: &str) -> Self {
        Self { done: Some(done.to_owned()), ..self }
    }

    /// Sets the reason that players read when rules reject the action, because it would have no effect.
    pub fn without_effect(self, reason: &'static str) -> Self {
        Self { futile: Some(reason), ..self }
    }

    /// Marks an action that works on every plot of the field. Scores may charge it by plot.
    pub fn on_all_plots(self) -> Self {
        Self { works_all_plots: true, ..self }
    }

    /// Marks an action for which the farmer drives or walks on the soil. Farmers may do it only on dry soil.
    pub fn on_soil(self) -> Self {
        Self { needs_dry_soil: true, ..self }
    }

    /// Sets how the actor looks in the picture after the action, for example which way it faces after a move.
    pub fn posing(self, sprite: impl Into<Sprite>) -> Self {
        Self { pose: Some(sprite.into()), ..self }
    }
}
