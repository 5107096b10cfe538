//! Finds which of a game's values a record shows, and where. Renderers use this module to draw the learner's view.

use super::Game;
use crate::declare::{Quantity, Reference};
use crate::observation::RecordIndex;
use crate::state::StateSlice;

impl Game {
    /// Whether the learner sees only a farmer's surroundings. In that case, a full picture would show more than the learner sees.
    pub fn has_limited_view(&self) -> bool {
        self.parts.iter().flat_map(|part| &part.pictures).any(|picture| picture.window.is_some())
    }

    /// The location of each value of a variable or an observable in an observation record, by flat index. `None` for values that the record
    /// does not contain unchanged. A variable is also found if an observable copies it.
    pub fn observed_at(&self, part: usize, quantity: Quantity) -> Vec<Option<RecordIndex>> {
        let Some(info) = self.parts.get(part) else { return Vec::new() };
        let (cells, len) = match quantity {
            Quantity::Variable(i) => {
                let cells = info.variables.get(i).map(StateSlice::of_variable);
                (cells, cells.map_or(0, StateSlice::len))
            }
            Quantity::Observable(i) => (None, info.observables.get(i).map_or(0, |o| o.shape.iter().product())),
            Quantity::Step | Quantity::Remaining => (None, 1),
        };
        let mut found = vec![None; len];
        for (e, entry) in self.observation.entries.iter().enumerate() {
            let Some(reference) = &entry.reference else { continue };
            let is_same = (reference.part, reference.quantity) == (part, quantity);
            let copied = self.copied_by(reference).filter(|_| !is_same).zip(cells);
            for i in 0..entry.len() {
                let at = match copied {
                    _ if is_same => Some(reference.element.unwrap_or(0) + i),
                    Some((copied, cells)) => copied.index_within(cells, i),
                    None => None,
                };
                if let Some(place) = at.and_then(|at| found.get_mut(at)) {
                    place.get_or_insert((e, i));
                }
            }
        }
        found
    }

    /// The state values that an observable shows unchanged.
    fn copied_by(&self, reference: &Reference) -> Option<StateSlice> {
        let Quantity::Observable(i) = reference.quantity else { return None };
        Some(self.parts.get(reference.part)?.observables.get(i)?.copies?.part(reference.element))
    }
}
