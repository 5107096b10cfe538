//! Text lines in the learner's view, for observed values that no picture shows.

use farm_core::Game;
use farm_core::declare::Quantity;

use crate::compile::Pictures;
use crate::compiled::ResolvedPlace;
use crate::view::{Record, Visibility};
use crate::written::{number, without_unit_marks};

/// An observation entry that is written as text.
#[derive(Debug, Clone)]
pub(crate) struct ObservedLine {
    /// Index of the entry.
    entry: usize,
    /// Its title.
    title: String,
    /// The number of its values.
    len: usize,
    /// Whether all of its values are free.
    pub is_free: bool,
}

/// Approximate number of letters in a value and the space after it, and in the gap between two lines.
const LETTERS_OF_A_VALUE: usize = 5;
const LETTERS_BETWEEN: usize = 4;

/// Maximum number of values in an entry that is written.
const MAX_VALUES: usize = 8;

/// The entries that no picture shows and that fit on a line. Windows and plot values are never among them.
pub(crate) fn lines(game: &Game, pictures: &Pictures, seen: &Visibility) -> Vec<ObservedLine> {
    let mut is_shown: Vec<Vec<bool>> = game.observation().entries().iter().map(|e| vec![false; e.len()]).collect();
    for picture in &pictures.all {
        let mut shown: Vec<_> = picture.written.iter().map(|written| written.values).collect();
        match &picture.resolved_place {
            ResolvedPlace::Position { at } => shown.extend(picture.deciding().chain([*at])),
            // A sprite that also depends on an unseen value is never drawn.
            ResolvedPlace::StatusBar if picture.deciding().all(|values| seen.sees(values)) => {
                shown.extend(picture.deciding())
            }
            _ => {}
        }
        for (entry, index) in shown.into_iter().flat_map(|values| seen.places(values)).flatten() {
            is_shown[*entry][*index] = true;
        }
    }
    for (entry, index) in seen.windows_show() {
        is_shown[entry][index] = true;
    }
    let line = |(e, entry): (usize, &farm_core::ObservationEntry)| {
        let reference = entry.reference()?;
        let part = game.parts().get(reference.part())?;
        let is_of_plots = match reference.quantity() {
            Quantity::Variable(v) => reference.element().is_none() && part.variables().get(v)?.per_plot(),
            Quantity::Observable(_) => false,
            // The header shows the time.
            Quantity::Step | Quantity::Remaining => return None,
        };
        let is_written = !is_of_plots && !entry.is_centred() && (1..=MAX_VALUES).contains(&entry.len());
        let own = entry.key().strip_prefix(&format!("{}.", part.path())).unwrap_or(entry.key());
        let title = without_unit_marks(own).replace('.', " ");
        let is_free = (0..entry.len()).all(|i| game.observation().is_free((e, i)));
        let line = ObservedLine { entry: e, title, len: entry.len(), is_free };
        (is_written && is_shown[e].contains(&false)).then_some(line)
    };
    game.observation().entries().iter().enumerate().filter_map(line).collect()
}

impl ObservedLine {
    /// Its approximate number of letters.
    pub(crate) fn letters(&self) -> usize {
        self.title.chars().count() + LETTERS_OF_A_VALUE * self.len + LETTERS_BETWEEN
    }

    /// The line, with a question mark for each value that is not shown; none if no value is shown.
    pub(crate) fn text(&self, game: &Game, record: &Record<'_>) -> Option<String> {
        let entry = &game.observation().entries()[self.entry];
        let is_shown = |i: usize| game.observation().is_present(record.bytes(), self.entry, i);
        let word = |i: usize| {
            let value = entry.number(record.bytes(), i);
            match entry.kind().labels(i) {
                _ if !is_shown(i) => "?".to_owned(),
                Some(labels) => labels.name(value as usize),
                None => number(value),
            }
        };
        let words = || (0..entry.len()).map(word).collect::<Vec<_>>().join("  ");
        (0..entry.len()).any(is_shown).then(|| format!("{}: {}", self.title, words()))
    }
}
