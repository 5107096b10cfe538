//! The events that a part tells of.

/// A declared event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventInfo {
    /// Its name, shared by all parts that emit the like.
    pub name: String,
    /// What happened, in a sentence.
    pub doc: String,
    /// How many may happen in one step at the most.
    pub per_step: usize,
    /// What the values 0, 1, 2 … mean, where they are not amounts.
    pub labels: Vec<String>,
    /// Whether it tells of a state that lasts, step after step, rather than of something that happened once.
    pub lasting: bool,
}

impl EventInfo {
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
