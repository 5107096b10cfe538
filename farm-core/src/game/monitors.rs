//! Monitors for all of a game's variables.

use super::Game;
use crate::declare::{Quantity, Reference, VariableInfo};
use crate::monitor::{Monitor, MonitorInput};
use crate::state::StateSlice;

/// The maximum number of values that are monitored individually by default, if the variable does not have one value per plot.
const FEW: usize = 1024;

impl Monitor {
    /// Creates a monitor for every variable in every part. It records the value if there is only one, and otherwise the mean over the
    /// plots. Words have no meaningful mean, so all values of such a variable are monitored. The same applies to variables that do not have
    /// one value per plot.
    pub fn every(game: &Game) -> Vec<Self> {
        let names = game.names();
        let of_part = |(part, info): (usize, &crate::declare::PartInfo)| {
            let monitor = move |(i, variable): (usize, &VariableInfo)| {
                let name = format!("{}.{}", game.parts[part].path, variable.name);
                let reference = Reference { part, quantity: Quantity::Variable(i), element: None, name };
                let input = MonitorInput::State(StateSlice::of(&reference, names.parts)?);
                let is_list = !variable.per_plot && variable.len() <= FEW;
                let word = match variable.len() {
                    0 => return None,
                    1 => "value",
                    _ if is_list || variable.kind.lists().is_some() => "matrix",
                    _ => "mean",
                };
                let what = (reference, variable.kind.clone(), variable.shape.clone());
                Some(Self::resolved(word, Vec::new(), "", what, input, None, None))
            };
            info.variables.iter().enumerate().filter_map(monitor).collect::<Vec<_>>()
        };
        game.parts.iter().enumerate().flat_map(of_part).collect()
    }
}
