//! The values that a player may see: those of the observation, or everything.

use farm_core::declare::Quantity;
use farm_core::{Game, Reader, RecordIndex, State, StateSlice};

/// A profit's sums of what was sold and of what supplies cost. They are the score's own, so they have no role.
pub(super) const SALES: &str = "sales";
pub(super) const EXPENSES: &str = "expenses";

/// A variable of the score.
pub(super) fn of_score(game: &Game, name: &str) -> Option<Watch> {
    let (part, score) = (game.parts().len().checked_sub(1)?, game.parts().last()?);
    Watch::of(game, part, score.variables().iter().position(|variable| variable.name() == name)?)
}

/// A variable of a part, with its places in the observation.
#[derive(Debug, Clone)]
pub(super) struct Watch {
    pub(super) part: usize,
    pub(super) variable: usize,
    source: StateSlice,
    observed: Vec<Option<RecordIndex>>,
}

impl Watch {
    pub(super) fn of(game: &Game, part: usize, variable: usize) -> Option<Self> {
        let source = StateSlice::of_variable(game.parts().get(part)?.variables().get(variable)?);
        let observed = game.learner_view().locations(part, Quantity::Variable(variable));
        Some(Self { part, variable, source, observed })
    }

    /// Whether an observation can contain it.
    pub(super) fn is_observed(&self) -> bool {
        self.observed.iter().any(Option::is_some)
    }

    /// Its value, whether or not the player may see it.
    pub(super) fn true_value(&self, game: &Game, state: &State, index: usize) -> Option<f64> {
        (index < self.source.len()).then(|| self.source.get(&game.reader(state), index))
    }
}

/// A state as a player sees it.
pub(super) struct Sight<'a> {
    game: &'a Game,
    reader: Reader<'a>,
    record: Vec<u8>,
    is_full: bool,
}

impl<'a> Sight<'a> {
    /// A state, completely or as its observation shows it.
    pub(super) fn of(game: &'a Game, state: &'a State, is_full: bool) -> Self {
        let mut record = vec![0; game.observation().size()];
        game.observe_into(state, &mut record);
        Self { game, reader: game.reader(state), record, is_full }
    }

    /// A value; none if the player does not see it or the index is too large.
    pub(super) fn value(&self, watch: &Watch, index: usize) -> Option<f64> {
        if self.is_full {
            return (index < watch.source.len()).then(|| watch.source.get(&self.reader, index));
        }
        self.observed(watch.observed.get(index).copied().flatten()?)
    }

    /// A number of the observation; none if it is not there now.
    pub(super) fn observed(&self, (entry, index): RecordIndex) -> Option<f64> {
        let layout = self.game.observation();
        layout.is_present(&self.record, entry, index).then(|| layout.entries()[entry].number(&self.record, index))
    }
}
