//! The events that a part emits.

/// A declared event.
#[derive(Debug, Clone, PartialEq, Eq, farm_macros::Getters)]
pub struct EventInfo {
    /// The event's name. All parts that emit this kind of event use the same name.
    pub(crate) name: String,
    /// What the event is, in one sentence.
    pub(crate) doc: String,
    /// The maximum number of these events per step.
    pub(crate) per_step: usize,
    /// The names of the values 0, 1, 2 …, if the values are not amounts.
    pub(crate) labels: Vec<String>,
    /// Whether the event describes a state that lasts for several steps, rather than something that happens once.
    pub(crate) lasting: bool,
}

impl EventInfo {
    /// An event that happens at most `per_step` times per step. Its value is an amount.
    pub fn new(name: &str, per_step: usize, doc: &str) -> Self {
        Self { name: name.to_owned(), doc: doc.to_owned(), per_step, labels: Vec::new(), lasting: false }
    }

    /// Sets the names of the values 0, 1, 2 ….
    pub fn with_labels(self, labels: Vec<String>) -> Self {
        Self { labels, ..self }
    }

    /// Declares that the event describes a state that lasts for several steps.
    pub fn as_lasting(self) -> Self {
        Self { lasting: true, ..self }
    }

    /// The name of this value, if values have names.
    pub fn label(&self, value: f64) -> Option<&str> {
        self.labels.get(value as usize).map(String::as_str)
    }
}

/// An event kind that one part emits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventId(pub(crate) u16);

impl EventId {
    /// Its index among all of the game's event kinds.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}
