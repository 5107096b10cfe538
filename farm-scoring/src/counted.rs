//! Sums and means over the variables that entities publish by role, and look-ups of their events.

use std::cell::Cell;

use farm_core::config::{NameError, Path, Problem};
use farm_core::math::sum;
use farm_core::{Column, Context, EventId, Found};

/// The sum over all values in all columns.
pub(crate) fn total(columns: &[Column<f64>], c: &Context<'_>) -> f64 {
    sum(columns.iter().flat_map(|column| c.get(*column)).map(Cell::get))
}

/// The sum over all values of all integer columns.
pub(crate) fn count(columns: &[Column<i32>], c: &Context<'_>) -> f64 {
    sum(columns.iter().flat_map(|column| c.get(*column)).map(|cell| f64::from(cell.get())))
}

/// The mean over all values in all columns; 0 without columns.
pub(crate) fn mean(columns: &[Column<f64>], c: &Context<'_>) -> f64 {
    let n: usize = columns.iter().map(|column| column.len()).sum();
    if n == 0 { 0.0 } else { total(columns, c) / n as f64 }
}

/// All events with this name. Reports a name that no event has, at this path.
pub(crate) fn events(name: &str, path: Path, found: &mut Found<'_>) -> Vec<EventId> {
    let ids = found.events_named(name);
    if ids.is_empty() {
        let known: Vec<&str> = found.parts().iter().flat_map(|part| part.events()).map(|event| event.name()).collect();
        let problem = Problem::new(NameError::UnknownEvent, path, format!("no part emits an event `{name}`"));
        found.problem(problem.value(name).among(name, known));
    }
    ids
}

/// A number for each event kind, 0 by default.
pub(crate) fn by_event(found: &Found<'_>) -> Vec<f64> {
    vec![0.0; found.parts().iter().map(|part| part.events().len()).sum()]
}
