//! What the learner observes: which of a game's values a record shows, and where.

use serde_json::{Value as Json, json};

use super::Game;
use crate::condition::{Condition, Formula, Reading};
use crate::declare::{Quantity, Reference};
use crate::observation::{RecordIndex, Slot};
use crate::state::{State, StateSlice};

/// The game as its learner sees it. Renderers draw this view, and policies that must not know hidden values ask it.
#[derive(Debug, Clone, Copy)]
pub struct LearnerView<'g> {
    game: &'g Game,
}

impl Game {
    /// The game as its learner sees it.
    pub fn learner_view(&self) -> LearnerView<'_> {
        LearnerView { game: self }
    }
}

impl LearnerView<'_> {
    /// Whether the learner sees only a farmer's surroundings. In that case, a full picture would show more than the learner sees.
    pub fn is_limited(self) -> bool {
        self.game.parts.iter().flat_map(|part| &part.pictures).any(|picture| picture.window.is_some())
    }

    /// The location of each value of a variable or an observable in an observation record, by flat index. `None` for values that the record
    /// does not contain unchanged. A variable is also found if an observable copies it.
    pub fn locations(self, part: usize, quantity: Quantity) -> Vec<Option<RecordIndex>> {
        let Some(info) = self.game.parts.get(part) else { return Vec::new() };
        let (cells, len) = match quantity {
            Quantity::Variable(i) => {
                let cells = info.variables.get(i).map(StateSlice::of_variable);
                (cells, cells.map_or(0, StateSlice::len))
            }
            Quantity::Observable(i) => (None, info.observables.get(i).map_or(0, |o| o.shape.iter().product())),
            Quantity::Step | Quantity::Remaining => (None, 1),
        };
        let mut found = vec![None; len];
        for (e, entry) in self.game.observation.entries.iter().enumerate() {
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

    /// Whether a clause in a player's conditions holds for this plot. Only conditions that are `seen` are used. Values that are not
    /// observed now have no effect.
    pub fn holds(
        self,
        formula: &Formula,
        state: &State,
        plot: Option<usize>,
        seen: impl Fn(&Condition) -> bool,
    ) -> bool {
        let reader = self.game.reader(state);
        let max_steps = self.game.rules.max_steps.unwrap_or(u32::MAX);
        formula.holds_as_seen(&reader, max_steps, plot, seen, |part, observable, bytes| {
            self.game.observe_one(part, observable, &reader, &mut Slot::new(bytes));
        })
    }

    /// The number that a player reads, at this plot if it reads plot by plot. The player must ask first whether the value is shown.
    pub fn value(self, reading: &Reading, state: &State, plot: Option<usize>) -> f64 {
        let reader = self.game.reader(state);
        let max_steps = self.game.rules.max_steps.unwrap_or(u32::MAX);
        reading.as_seen(&reader, max_steps, plot, |part, observable, bytes| {
            self.game.observe_one(part, observable, &reader, &mut Slot::new(bytes));
        })
    }

    /// Whether the learner observes a reference's values now. With priced observations, the values must be free of charge or requested
    /// today.
    pub fn is_shown(self, state: &State, reference: &Reference) -> bool {
        self.is_shown_at(state, reference, reference.element)
    }

    /// Like [`LearnerView::is_shown`], but for the value at one flat index or, without an index, for all values.
    pub fn is_shown_at(self, state: &State, reference: &Reference, element: Option<usize>) -> bool {
        match &self.game.observation.active_observation {
            _ if matches!(reference.quantity, Quantity::Step | Quantity::Remaining) => true,
            Some(active_observation) => active_observation.is_shown(
                &self.game.observation,
                reference,
                element,
                &state.reader(self.game.regions),
            ),
            None => self.game.observation.shows(reference),
        }
    }

    /// An observation record as in the Farm-gym paper: a list of `[field, entity, name, path, value]`. A variable is one item; if only
    /// some of its values are observed, each of these is an item.
    pub fn list(self, record: &[u8]) -> Json {
        let (layout, names) = (&self.game.observation, self.game.names());
        let mut shown = Vec::new();
        for (e, entry) in layout.entries.iter().enumerate() {
            let Some(reference) = entry.reference() else { continue };
            let (field, part, name, keys) = names.split(reference);
            let mut output = |path: Vec<Json>, value: Json| shown.push(json!([field, part, name, path, value]));
            let path = |element: Option<usize>| {
                let index = element.map(|i| names.index_json(reference, i));
                keys.iter().map(|key| json!(key)).chain(index).collect::<Vec<Json>>()
            };
            if (0..entry.len()).all(|i| layout.is_present(record, e, i)) {
                output(path(reference.element), entry.to_json(record));
            } else {
                for i in (0..entry.len()).filter(|i| layout.is_present(record, e, *i)) {
                    output(path(Some(i)), entry.number_json(record, i));
                }
            }
        }
        Json::Array(shown)
    }

    /// The state values that an observable shows unchanged.
    fn copied_by(self, reference: &Reference) -> Option<StateSlice> {
        let Quantity::Observable(i) = reference.quantity else { return None };
        Some(self.game.parts.get(reference.part)?.observables.get(i)?.copies?.part(reference.element))
    }
}
