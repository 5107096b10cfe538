//! Two states that no learner can tell apart, for testing code that shows something to a learner.

use crate::declare::{Labels, VariableInfo};
use crate::game::Game;
use crate::state::State;

/// A state with the same observation but different hidden values. Every value of every variable is changed, unless the change would also
/// affect the learner's input: the observation record, the action mask, and the reasons for what it excludes. Also returns the number of values that differ.
///
/// The state is only for comparison; a game cannot continue from it.
pub fn other_hidden_values(game: &Game, state: &State) -> (State, usize) {
    let record = |state: &State, out: &mut Vec<u8>| {
        let size = game.observation.size;
        out.resize(size + game.catalogue.discrete_len(), 0);
        let (observation, mask) = out.split_at_mut(size);
        game.observe_into(state, observation);
        game.action_mask(state, mask);
        for reason in game.catalogue.calls().iter().filter_map(|call| game.rejection(state, call)) {
            out.extend_from_slice(reason.as_bytes());
        }
    };
    let (mut other, mut seen, mut found, mut differ) = (state.clone(), Vec::new(), Vec::new(), 0);
    record(state, &mut seen);
    for variable in game.parts.iter().flat_map(|part| &part.variables) {
        let mut try_to_change = |indices: std::ops::Range<usize>| {
            let before = other.clone();
            let changed = indices.filter(|index| change(game, &mut other, variable, *index)).count();
            record(&other, &mut found);
            let is_hidden = found == seen;
            if is_hidden {
                differ += changed;
            } else {
                other = before;
            }
            is_hidden
        };
        // Most variables are either hidden or observed as a whole.
        if !try_to_change(0..variable.len()) {
            for index in 0..variable.len() {
                try_to_change(index..index + 1);
            }
        }
    }
    (other, differ)
}

/// Changes one of a variable's values to another value in its range. Returns whether such a value exists.
fn change(game: &Game, state: &mut State, variable: &VariableInfo, index: usize) -> bool {
    let cells = state.cells(game.regions);
    let (low, high) = variable.kind.range();
    if let Some(column) = variable.column::<f64>() {
        let cell = &cells.get(column)[index];
        // The change is large, so that derived values change as well.
        let up = f64::midpoint(cell.get(), high.min(cell.get() + FAR));
        let down = f64::midpoint(cell.get(), low.max(cell.get() - FAR));
        let to = if up - cell.get() > cell.get() - down { up } else { down };
        return cell.replace(to) != to;
    }
    if let Some(column) = variable.column::<i32>() {
        let cell = &cells.get(column)[index];
        let to = if f64::from(cell.get()) < high { cell.get() + 1 } else { low as i32 };
        return cell.replace(to) != to;
    }
    let Some(column) = variable.column::<u8>() else { return false };
    let values = variable.kind.words(index).map_or(1, Labels::len);
    let cell = &cells.get(column)[index];
    let to = ((usize::from(cell.get()) + 1) % values.max(1)) as u8;
    cell.replace(to) != to
}

/// The maximum change to a real number.
const FAR: f64 = 1000.0;
