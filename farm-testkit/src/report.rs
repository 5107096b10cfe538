//! The report of a check: every defect with its location, in a form that is readable in test output.

use std::any::Any;
use std::fmt;

/// A defect in a part or a game.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Defect {
    /// The check that found it; [`crate`] lists them.
    pub check: &'static str,
    /// The part, by its path in the game (such as `Field-0.Slugs-0`) or by its kind; empty for the game as a whole.
    pub part: String,
    /// The variable, observable, action or parameter.
    pub variable: Option<String>,
    /// The flat index of the variable's value.
    pub entry: Option<usize>,
    /// The seed of the episode that shows the defect.
    pub seed: Option<u64>,
    /// The number of steps before the defect.
    pub step: Option<u32>,
    /// The wrong value.
    pub value: Option<String>,
    /// The problem and its fix.
    pub message: String,
    /// The number of further defects of the same kind.
    pub more: usize,
}

impl Defect {
    /// Creates a defect in a part; the other methods add the rest of its location.
    pub fn new(check: &'static str, part: &str, message: impl Into<String>) -> Self {
        Self { check, part: part.to_owned(), message: message.into(), ..Self::default() }
    }

    /// Sets the variable.
    pub fn of(mut self, variable: &str) -> Self {
        self.variable = Some(variable.to_owned());
        self
    }

    /// Sets the index of the value.
    pub fn entry(mut self, entry: usize) -> Self {
        self.entry = Some(entry);
        self
    }

    /// Sets the seed of the episode, and the number of steps before the defect.
    pub fn at(mut self, seed: u64, step: u32) -> Self {
        (self.seed, self.step) = (Some(seed), Some(step));
        self
    }

    /// Sets the wrong value.
    pub fn value(mut self, value: impl fmt::Display) -> Self {
        self.value = Some(value.to_string());
        self
    }
}

impl fmt::Display for Defect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<13} {}", self.check, if self.part.is_empty() { "the game" } else { &self.part })?;
        if let Some(variable) = &self.variable {
            write!(f, " `{variable}`")?;
        }
        if let Some(entry) = self.entry {
            write!(f, " entry {entry}")?;
        }
        if let Some(seed) = self.seed {
            write!(f, ", seed {seed}")?;
        }
        if let Some(step) = self.step {
            write!(f, ", step {step}")?;
        }
        if let Some(value) = &self.value {
            write!(f, ", value {value}")?;
        }
        write!(f, ": {}", self.message)?;
        if self.more > 0 {
            write!(f, " (and {} more like it)", self.more)?;
        }
        Ok(())
    }
}

/// All defects in a part or a game.
///
/// It prints the same text with `{}` and `{:?}`, so a test can return it, or `unwrap` the result of a check.
#[derive(Clone, PartialEq, Eq)]
pub struct Report {
    /// The checked part or game, as the caller wrote it.
    pub subject: String,
    /// The farms in which it was played.
    pub farms: Vec<String>,
    /// The defects, in the order of the checks.
    pub defects: Vec<Defect>,
}

impl std::error::Error for Report {}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = self.defects.len();
        writeln!(f, "`{}` has {number} defect{}:", self.subject, if number == 1 { "" } else { "s" })?;
        for defect in &self.defects {
            writeln!(f, "  {defect}")?;
        }
        for farm in &self.farms {
            writeln!(f, "played in {farm}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{self}")
    }
}

/// A function that describes a panic payload that is not a string.
pub type Words = fn(&(dyn Any + Send)) -> Option<String>;

/// Collects defects; equal ones are counted, not repeated.
#[derive(Debug, Default)]
pub struct Findings(pub Vec<Defect>, pub(crate) Option<Words>);

impl Findings {
    /// Records a defect. Further defects with the same check, part, variable and message are only counted.
    pub fn add(&mut self, defect: Defect) {
        let is_alike = |known: &&mut Defect| {
            (known.check, &known.part, &known.variable, &known.message)
                == (defect.check, &defect.part, &defect.variable, &defect.message)
        };
        match self.0.iter_mut().find(is_alike) {
            Some(known) => known.more += 1,
            None => self.0.push(defect),
        }
    }
}
