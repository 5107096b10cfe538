//! The recorded series: one series of numbers for each monitor.

use farm_core::declare::Labels;
use farm_core::{Game, Monitor};
use serde::{Deserialize, Serialize};

/// The description of a series of numbers, independent of a game.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Series {
    /// Its title; titles are unique within a recording.
    pub title: String,
    /// The variable's part, such as `Field-0.Soil-0`; empty if it belongs to no part.
    pub part: String,
    /// The variable as written in a game, such as `available_Water#L`; empty if it is not a variable.
    pub variable: String,
    /// The function's name, such as `sum`; see [`Monitor::function`].
    pub function: String,
    /// The unit of the numbers; empty if they have no unit.
    pub unit: String,
    /// The lowest and highest value in charts; if none, each chart chooses its own range.
    pub range: Option<(f64, f64)>,
    /// Shape of each entry: empty for a single number; `[length, width]` for one value per plot, with index `x · width + y`.
    pub shape: Vec<usize>,
    /// The words that the numbers encode, by number; empty for plain numbers. There is one list for all numbers, or one list for each index
    /// on the last axis.
    pub words: Vec<Vec<String>>,
    /// Whether all numbers are integers.
    pub is_whole: bool,
}

impl Series {
    /// Creates the series for a game's monitor.
    pub fn of(monitor: &Monitor, game: &Game) -> Self {
        let names = game.names();
        let (field, part, name, keys) = names.split(monitor.variable());
        let part = [field, part].into_iter().filter(|name| !name.is_empty()).collect::<Vec<_>>().join(".");
        let variable = std::iter::once(name).chain(keys).collect::<Vec<_>>().join(".");
        let axis = monitor.shape().last().copied().unwrap_or(1).max(1);
        let words = |index: usize| match monitor.labels(index) {
            Some(Labels::Named(words)) => words.clone(),
            _ => Vec::new(),
        };
        let mut words: Vec<Vec<String>> = (0..axis).map(words).collect();
        if words.iter().all(|list| Some(list) == words.first()) {
            words.truncate(1);
        }
        words.retain(|_| monitor.labels(0).is_some());
        let is_value = !matches!(monitor.function(), "mean" | "fraction");
        Self {
            title: monitor.title().to_owned(),
            part,
            variable,
            function: monitor.function().to_owned(),
            unit: monitor.unit().to_owned(),
            range: monitor.range(),
            shape: monitor.shape().to_vec(),
            words,
            is_whole: monitor.function() == "count" || is_value && monitor.kind().is_whole(),
        }
    }

    /// The number of values in an entry.
    pub fn len(&self) -> usize {
        self.shape.iter().product()
    }

    /// Whether entries have no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The word for a number at an index in an entry, if it encodes one.
    pub fn word(&self, index: usize, value: f64) -> Option<&str> {
        let list = self.words.get(index % self.words.len().max(1))?;
        let is_index = value >= 0.0 && value.fract() == 0.0;
        list.get(value as usize).filter(|_| is_index).map(String::as_str)
    }

    /// The column name for each number in an entry: the title, followed by the position if there are several numbers. An example is
    /// `Water (0, 1)` for the plot with x = 0 and y = 1.
    pub fn columns(&self) -> Vec<String> {
        if self.shape.is_empty() {
            return vec![self.title.clone()];
        }
        let name = |flat: usize| {
            let mut rest = flat;
            let mut place = Vec::with_capacity(self.shape.len());
            for n in self.shape.iter().rev() {
                place.push((rest % n.max(&1)).to_string());
                rest /= n.max(&1);
            }
            place.reverse();
            format!("{} ({})", self.title, place.join(", "))
        };
        (0..self.len()).map(name).collect()
    }
}
