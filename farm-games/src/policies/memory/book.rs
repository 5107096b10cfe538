//! The compiled numbers of a policy, and their values in an episode.

use farm_core::rules::Reading;
use farm_core::{Game, State};

use super::slots::Slot;
use super::when::{When, is_shown};

/// What a rule does to a number when it has acted.
#[derive(Debug, Clone, Copy)]
pub(in super::super) enum Change {
    Add(f64),
    Set(f64),
}

/// Where a term gets its value.
#[derive(Debug, Clone)]
pub(super) enum Source {
    /// Nowhere: the term is a constant.
    Constant,
    Memory(Slot),
    Variable(Reading),
}

/// A compiled term.
#[derive(Debug, Clone)]
pub(super) struct CompiledTerm {
    pub source: Source,
    pub times: f64,
    pub plus: f64,
    pub low: f64,
    pub high: f64,
    pub when: Option<When>,
}

impl CompiledTerm {
    /// The term's value; none if it reads a value that is not shown, or if its conditions do not hold.
    fn value(&self, game: &Game, state: &State, plot: Option<usize>, values: &[f64]) -> Option<f64> {
        if self.when.as_ref().is_some_and(|when| !when.holds(game, state, plot, values)) {
            return None;
        }
        let read = match &self.source {
            Source::Constant => 0.0,
            Source::Memory(slot) => values[slot.index(plot)],
            Source::Variable(reading) => {
                if !is_shown(game, state, reading.variable(), plot.filter(|_| reading.is_per_plot())) {
                    return None;
                }
                game.learner_view().value(reading, state, plot)
            }
        };
        Some((self.times * read + self.plus).clamp(self.low, self.high))
    }
}

/// A compiled number.
#[derive(Debug, Clone)]
pub(super) struct CompiledTally {
    pub slot: Slot,
    /// The number of its values.
    pub len: usize,
    pub start: f64,
    pub low: f64,
    pub high: f64,
    pub add: Vec<CompiledTerm>,
    pub reset_when: Option<When>,
    /// The value after a reset; none for the start value.
    pub reset_to: Option<CompiledTerm>,
}

/// A policy's numbers in an episode.
#[derive(Debug, Clone, Default)]
pub(in super::super) struct Book {
    tallies: Vec<CompiledTally>,
    values: Vec<f64>,
    /// The last day on which the terms were added.
    day: Option<u32>,
}

impl Book {
    pub(super) fn new(tallies: Vec<CompiledTally>) -> Self {
        let values = vec![0.0; tallies.iter().map(|tally| tally.len).sum()];
        let mut book = Self { tallies, values, day: None };
        book.start();
        book
    }

    /// The values, by index.
    pub(in super::super) fn values(&self) -> &[f64] {
        &self.values
    }

    /// A new episode.
    pub(in super::super) fn start(&mut self) {
        self.day = None;
        for tally in &self.tallies {
            self.values[tally.slot.first..][..tally.len].fill(tally.start);
        }
    }

    /// Adds the day's terms, once a day, and resets what is to be reset now.
    pub(in super::super) fn update(&mut self, game: &Game, state: &State) {
        let is_later = self.day.is_some_and(|day| day != state.step());
        self.day = Some(state.step());
        let values = &mut self.values;
        for tally in &self.tallies {
            for i in 0..tally.len {
                let plot = tally.slot.field.map(|_| i);
                let at = tally.slot.index(plot);
                if is_later {
                    let added = tally.add.iter().filter_map(|term| term.value(game, state, plot, values));
                    values[at] = added.fold(values[at], |sum, term| sum + term).clamp(tally.low, tally.high);
                }
                if tally.reset_when.as_ref().is_some_and(|when| when.holds(game, state, plot, values)) {
                    let to =
                        tally.reset_to.as_ref().map_or(Some(tally.start), |to| to.value(game, state, plot, values));
                    values[at] = to.map_or(values[at], |to| to.clamp(tally.low, tally.high));
                }
            }
        }
    }

    /// Changes a number after a rule has acted on a plot.
    pub(in super::super) fn change(&mut self, slot: Slot, change: Change, plot: Option<usize>) {
        let tally = &self.tallies[slot.tally];
        let value = &mut self.values[slot.index(plot)];
        let new = match change {
            Change::Add(amount) => *value + amount,
            Change::Set(new) => new,
        };
        *value = new.clamp(tally.low, tally.high);
    }
}
