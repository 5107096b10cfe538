//! The events that a part tells of.

/// A declared event.
#[derive(Debug, Clone, PartialEq, Eq, farm_macros::Getters)]
pub struct EventInfo {
    /// Its name, shared by all parts that emit the like.
    pub(crate) name: String,
    /// What happened, in a sentence.
    pub(crate) doc: String,
    /// How many may happen in one step at the most.
    pub(crate) per_step: usize,
    /// What the values 0, 1, 2 … mean, where they are not amounts.
    pub(crate) labels: Vec<String>,
    /// Whether it tells of a state that lasts, step after step, rather than of something that happened once.
    pub(crate) lasting: bool,
}

impl EventInfo {
    /// Something that happens at most `per_step` times in a step; the value of an event is an amount.
    pub fn new(name: &str, per_step: usize, doc: &str) -> Self {
        Self { name: name.to_owned(), doc: doc.to_owned(), per_step, labels: Vec::new(), lasting: false }
    }

    /// The values 0, 1, 2 … have these names.
    pub fn with_labels(self, labels: Vec<String>) -> Self {
        Self { labels, ..self }
    }

    /// It tells of a state that lasts, step after step.
    pub fn as_lasting(self) -> Self {
        Self { lasting: true, ..self }
    }

    /// The name of a value, where values have names.
    pub fn label(&self, value: f64) -> Option<&str> {
        self.labels.get(value as usize).map(String::as_str)
    }
}

/// An event kind of one part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventId(pub(crate) u16);

impl EventId {
    /// Its rank among all event kinds of the game.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}
