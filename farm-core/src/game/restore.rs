//! Converts a state to a snapshot in bytes and back, and checks that the game can have such a state.
//!
//! A snapshot's hash detects damage, but anyone can compute it, so a restored state is not trusted. Each value must be in the range
//! that its variable declares; otherwise, the snapshot is rejected. Parts rely on these ranges, for example for indices.

use super::Game;
use crate::declare::VariableInfo;
use crate::state::{Reader, RestoreError, State, StateSlice};

/// This is more steps than any episode has. Below this limit, dates and ages stay far from the limits of their types.
const MAX_STEPS: u32 = 1 << 30;
/// How far rounding may push a real number out of its range, relative to the larger end.
const ROUNDING: f64 = 1e-9;

impl Game {
    /// The bytes of a state, including the game's fingerprint.
    pub fn snapshot(&self, state: &State) -> Vec<u8> {
        state.to_bytes(self.fingerprint)
    }

    /// Restores a state from a snapshot's bytes. If the snapshot is rejected, the state is unchanged.
    ///
    /// # Errors
    /// The bytes are not a snapshot, are truncated or belong to another game, or a value is outside its variable's range.
    pub fn restore(&self, state: &mut State, bytes: &[u8]) -> Result<(), RestoreError> {
        let found = state.of_snapshot(bytes, self.fingerprint)?;
        self.check(&found)?;
        *state = found;
        Ok(())
    }

    /// Checks that the game can have such a state, according to the ranges of its variables.
    fn check(&self, state: &State) -> Result<(), RestoreError> {
        let last = self.rules.max_steps.unwrap_or(MAX_STEPS);
        if state.step > last || (state.step == last && !state.over && self.rules.max_steps.is_some()) {
            let expected = format!("at most {last}, and {last} only if the episode is over");
            return Err(impossible("step", None, state.step, expected));
        }
        let reader = state.reader(self.regions);
        for part in self.parts.iter() {
            for variable in &part.variables {
                let Some(entry) = outside(variable, &reader) else { continue };
                let value = StateSlice::of_variable(variable).get(&reader, entry);
                let name = format!("{}.{}", part.path, variable.name);
                let (low, high) = variable.kind.range_of(entry);
                let number = if variable.kind.is_whole() { "an integer" } else { "a number" };
                let expected = format!("{number} from {low} to {high}");
                return Err(impossible(&name, (variable.len() > 1).then_some(entry), value, expected));
            }
        }
        let steps = self.steps_today.map_or(0, |column| reader.get(column)[0]);
        let steps_per_day = self.rules.steps_per_day as i32;
        if !(0..steps_per_day).contains(&steps) {
            return Err(impossible("steps of the day", None, steps, format!("from 0 to {}", steps_per_day - 1)));
        }
        let active_observation = self.observation.active_observation.as_ref();
        match active_observation.is_none_or(|active_observation| active_observation.is_possible(&reader)) {
            true => Ok(()),
            false => Err(impossible("presence", None, "neither 0 nor 1", "0 or 1 for each value".to_owned())),
        }
    }
}

fn impossible(variable: &str, entry: Option<usize>, value: impl ToString, expected: String) -> RestoreError {
    RestoreError::Impossible { variable: variable.to_owned(), entry, value: value.to_string(), expected }
}

/// The index of the first value that is outside its range.
fn outside(variable: &VariableInfo, reader: &Reader<'_>) -> Option<usize> {
    let values = StateSlice::of_variable(variable);
    (0..variable.len()).find(|entry| {
        let (low, high) = variable.kind.range_of(*entry);
        let slack = if variable.kind.is_whole() { 0.0 } else { ROUNDING * low.abs().max(high.abs()).min(f64::MAX) };
        let value = values.get(reader, *entry);
        // NaN is outside every range.
        !(value.is_finite() && value >= low - slack && value <= high + slack)
    })
}
