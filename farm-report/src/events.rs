//! The events in an episode, by kind.

use std::collections::BTreeMap;

use farm_core::{Game, StepRecord};

/// The maximum number of single events to store for the list. Further events are still counted.
const MAX_LISTED: usize = 600;

/// The maximum number of stretches to store for each kind, for the time axis.
const MAX_SPANS: usize = 2000;

/// A stretch of days during which an event lasted, or happened each day.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Stretch {
    /// The first day.
    pub from: u32,
    /// The last day.
    pub to: u32,
    /// The number of events in the stretch.
    pub count: u32,
    /// The sum of the values.
    pub sum: f64,
}

/// All events of one kind with one label.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct EventKind {
    /// The number of events.
    pub count: u64,
    /// The sum of the values.
    pub sum: f64,
    /// The days on which it happened, as stretches.
    pub stretches: Vec<Stretch>,
}

/// One event.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Single {
    /// The day.
    pub day: u32,
    /// The event's index in the game.
    pub event: usize,
    /// The plot or item.
    pub plot: u32,
    /// The value.
    pub value: f64,
}

/// The events in an episode.
#[derive(Debug, Clone, Default)]
pub(crate) struct EventTable {
    /// The kinds, by event index and label. Events whose values are amounts have label 0.
    pub kinds: BTreeMap<(usize, usize), EventKind>,
    /// The first events that do not last, in order.
    pub singles: Vec<Single>,
    /// The number of further single events.
    pub more: u64,
    is_lasting: Vec<bool>,
    has_labels: Vec<bool>,
}

impl EventTable {
    /// Creates an empty table for a game.
    pub(crate) fn of(game: &Game) -> Self {
        Self {
            is_lasting: game.events().iter().map(|(_, info)| info.lasting()).collect(),
            has_labels: game.events().iter().map(|(_, info)| !info.labels().is_empty()).collect(),
            ..Self::default()
        }
    }

    /// Records the events in a step.
    pub(crate) fn note(&mut self, day: u32, record: &StepRecord) {
        for event in record.events() {
            let index = event.id.index();
            let flag = |list: &[bool]| list.get(index).copied().unwrap_or(false);
            let label = if flag(&self.has_labels) { event.value as usize } else { 0 };
            let is_lasting = flag(&self.is_lasting);
            let kind = self.kinds.entry((index, label)).or_default();
            kind.count += 1;
            kind.sum += event.value;
            let has_room = kind.stretches.len() < MAX_SPANS;
            match kind.stretches.last_mut() {
                Some(last) if last.to == day || is_lasting && last.to.saturating_add(1) == day => {
                    last.to = day;
                    last.count += 1;
                    last.sum += event.value;
                }
                _ if has_room => {
                    kind.stretches.push(Stretch { from: day, to: day, count: 1, sum: event.value });
                }
                _ => {}
            }
            if is_lasting {
                continue;
            }
            if self.singles.len() < MAX_LISTED {
                self.singles.push(Single { day, event: index, plot: event.plot, value: event.value });
            } else {
                self.more += 1;
            }
        }
    }
}
