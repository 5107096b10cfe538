//! The names of a policy's numbers, and where their values are kept.

use farm_core::config::{Path, Problem, Problems};

use crate::PolicyError;

/// Where the values of a number are kept.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Slot {
    /// The index of the number.
    pub(super) tally: usize,
    /// The index of its first value.
    pub(super) first: usize,
    /// The field that has a value for each plot; none for a single value.
    pub(super) field: Option<usize>,
}

impl Slot {
    /// The index of the value at a plot.
    pub(super) fn index(self, plot: Option<usize>) -> usize {
        self.first + plot.filter(|_| self.field.is_some()).unwrap_or(0)
    }
}

/// Something that reads or changes numbers.
#[derive(Debug, Clone, Copy, Default)]
pub(in super::super) struct User {
    /// The field whose plots it goes through; none if it does not go plot by plot.
    pub field: Option<usize>,
    /// The index of the number that it belongs to; none for rules.
    pub own: Option<usize>,
}

/// The names of a policy's numbers.
#[derive(Debug, Default)]
pub(in super::super) struct Slots(pub(super) Vec<(String, Slot)>);

impl Slots {
    /// The number with a name, for something that reads or changes it.
    pub(in super::super) fn find(&self, name: &str, user: User, path: &Path, problems: &mut Problems) -> Option<Slot> {
        let Some((_, slot)) = self.0.iter().find(|(other, _)| other == name) else {
            let message = format!("the policy has no memory `{name}`");
            let problem = Problem::new(PolicyError::UnknownMemory, path.clone(), message).value(name);
            let problem = problem.among(name, self.0.iter().map(|(name, _)| name.as_str()));
            problems.push(problem.help("declare it in `memory:` of the same policy"));
            return None;
        };
        if slot.field.is_some() && slot.field != user.field {
            let message =
                format!("the memory `{name}` has a value for each plot of its field, and no plot is given here");
            let problem = Problem::new(PolicyError::WrongPlots, path.clone(), message).value(name);
            problems.push(problem.help("set `for_each_plot: true` in a rule, or the same `field` in a memory"));
            return None;
        }
        if let Some((own, _)) = user.own.filter(|own| slot.tally > *own).and_then(|own| self.0.get(own)) {
            let message = format!("`{own}` reads `{name}`, which is written below it");
            let problem = Problem::new(PolicyError::MemoryOrder, path.clone(), message).value(name);
            let problem = problem.expected("this memory itself, or one written above it");
            problems.push(problem.help(format!("move `{name}` above `{own}`; two memories can't read each other")));
            return None;
        }
        Some(*slot)
    }
}
