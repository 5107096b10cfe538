//! Observations that players must request (`aomdp` mode). Values requested today are shown, and all other values are blank.
//!
//! The record has the same layout for every request. Its last two entries are `half_step`, which indicates what the next step expects, and
//! `observed_mask`. The mask has one bit for each number in the entries before `half_step`. A bit is 1 if its number is shown. The engine
//! stores both entries as columns in the state, so snapshots include them.
//!
//! Source: Farm-gym paper, section 2 (actively observed decision processes, remark 2).

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::Range;

use super::{EntrySource, MAX_OBSERVATION_BYTES, ObservationEntry, ObservationLayout};
use crate::action::{ActionKind, ActionTarget, BaseAction};
use crate::declare::{Names, Quantity, Reference, ValueKind};
use crate::state::{Cells, Column, Layout, Reader};

const HALF_STEP: &str = "half_step";
const PRESENCE: &str = "presence";
/// The keys of the two entries that the engine adds.
pub(crate) const RESERVED: [&str; 2] = [HALF_STEP, PRESENCE];

/// The values that are shown only on request.
#[derive(Debug, Clone)]
pub(crate) struct ActiveObservation {
    half: Column<u8>,
    observed_mask: Column<u8>,
    /// The mask of values that are free of charge.
    free: Vec<u8>,
    /// For each entry, where its bits start, and the value that replaces numbers that are not shown.
    entries: Vec<(usize, f64)>,
}

impl ObservationLayout {
    /// The layout with all values that are free or can be requested. For each request, it also records which bits the request sets.
    pub(crate) fn with_active_observation(
        free: &[(String, Reference)],
        bases: &mut [BaseAction],
        names: Names<'_>,
        max_steps: u32,
        state: &mut Layout,
    ) -> Self {
        let mut wanted: Vec<(String, Reference)> = Vec::new();
        let mut entry_of: HashMap<(usize, Quantity), usize> = HashMap::new();
        for (key, reference) in free {
            if let Entry::Vacant(entry) = entry_of.entry((reference.part, reference.quantity)) {
                entry.insert(wanted.len());
                let whole = whole(reference, names);
                let key = if reference.element.is_none() { key.clone() } else { whole.name.clone() };
                wanted.push((key, whole));
            }
        }
        let requested = bases.iter().filter_map(|base| match &base.target {
            ActionTarget::Observation(request) => Some(&request.references),
            ActionTarget::Intervention(_) => None,
        });
        for reference in requested.flatten() {
            if let Entry::Vacant(entry) = entry_of.entry((reference.part, reference.quantity)) {
                entry.insert(wanted.len());
                let whole = whole(reference, names);
                wanted.push((whole.name.clone(), whole));
            }
        }
        let mut layout = Self::new(&wanted, names, max_steps);
        // The caller rejects a layout of this size.
        if layout.size as u64 > MAX_OBSERVATION_BYTES {
            return layout;
        }
        let mut bits = 0;
        let mut entries = Vec::with_capacity(layout.entries.len());
        for entry in &layout.entries {
            let (low, high) = entry.kind.range();
            let blank = 0.0_f64.clamp(low, high);
            entries.push((bits, blank));
            bits += entry.len();
        }
        let range = |reference: &Reference| -> Option<Range<u32>> {
            let entry = *entry_of.get(&(reference.part, reference.quantity))?;
            let (start, len) = (entries[entry].0, layout.entries[entry].len());
            let range = reference.element.map_or(start..start + len, |element| start + element..start + element + 1);
            Some(range.start as u32..range.end as u32)
        };
        let mut observed_mask = vec![0; bits];
        for range in free.iter().filter_map(|(_, reference)| range(reference)) {
            observed_mask[range.start as usize..range.end as usize].fill(1);
        }
        for base in bases {
            if let ActionTarget::Observation(request) = &mut base.target {
                request.values = request.references.iter().filter_map(range).collect();
            }
        }
        let active_observation = ActiveObservation {
            half: state.reserve(1),
            observed_mask: state.reserve(bits),
            free: observed_mask,
            entries,
        };
        layout.push(
            HALF_STEP.to_owned(),
            "Kind of action that you can take in the next step. Each day has a step for observations and then a step for interventions.".to_owned(),
            ValueKind::named(&[ActionKind::Observation.name(), ActionKind::Intervention.name()]),
            Vec::new(),
            None,
            EntrySource::Bytes(active_observation.half),
        );
        layout.push(
            PRESENCE.to_owned(),
            "For each number before `half_step`: 1 if it is shown. Other numbers are 0, or the value of their range nearest to 0.".to_owned(),
            ValueKind::Flag,
            vec![bits],
            None,
            EntrySource::Bytes(active_observation.observed_mask),
        );
        layout.align();
        layout.active_observation = Some(active_observation);
        layout
    }

    /// The `observed_mask` entry in a record, and where each entry's bits start; `None` if all observations are free of charge.
    pub(super) fn observed_mask(&self) -> Option<(&ObservationEntry, &[(usize, f64)])> {
        let active_observation = self.active_observation.as_ref()?;
        Some((self.entries.last()?, &active_observation.entries))
    }
}

impl ActiveObservation {
    /// What the next step expects: observations or interventions.
    #[inline]
    pub(crate) fn expects(&self, reader: &Reader<'_>) -> ActionKind {
        if reader.get(self.half)[0] == 0 { ActionKind::Observation } else { ActionKind::Intervention }
    }

    /// The number of values in a request that are not free of charge.
    pub(crate) fn paid_numbers(&self, values: &[Range<u32>]) -> usize {
        let bits = values.iter().flat_map(|range| &self.free[range.start as usize..range.end as usize]);
        bits.filter(|bit| **bit == 0).count()
    }

    /// Whether an entry's value is shown without a request.
    pub(crate) fn is_free(&self, entry: usize, index: usize) -> bool {
        // The entries that the engine adds are always shown.
        self.entries.get(entry).is_none_or(|(start, _)| self.free.get(start + index) == Some(&1))
    }

    /// Shows the requested values until the day ends.
    #[inline]
    pub(crate) fn show(&self, values: &[Range<u32>], cells: &Cells<'_>) {
        let observed_mask = cells.get(self.observed_mask);
        for range in values {
            observed_mask[range.start as usize..range.end as usize].iter().for_each(|bit| bit.set(1));
        }
    }

    /// Starts the second half of the day.
    #[inline]
    pub(crate) fn looked(&self, cells: &Cells<'_>) {
        cells.get(self.half)[0].set(1);
    }

    /// Starts another step on the same day. Requested values stay visible.
    #[inline]
    pub(crate) fn next_step(&self, cells: &Cells<'_>) {
        cells.get(self.half)[0].set(0);
    }

    /// Starts a new day. Only the free values are shown.
    #[inline]
    pub(crate) fn new_day(&self, cells: &Cells<'_>) {
        cells.get(self.half)[0].set(0);
        cells.get(self.observed_mask).iter().zip(&self.free).for_each(|(cell, bit)| cell.set(*bit));
    }

    /// Whether the columns contain only valid values: 0 or 1.
    pub(crate) fn is_possible(&self, reader: &Reader<'_>) -> bool {
        reader.get(self.half).iter().chain(reader.get(self.observed_mask)).all(|bit| *bit <= 1)
    }

    /// Blanks the values in a record that are not shown.
    #[inline]
    pub(crate) fn hide(&self, entries: &[ObservationEntry], reader: &Reader<'_>, record: &mut [u8]) {
        let observed_mask = reader.get(self.observed_mask);
        for (entry, (start, blank)) in entries.iter().zip(&self.entries) {
            for (i, bit) in observed_mask[*start..*start + entry.len()].iter().enumerate() {
                if *bit == 0 {
                    entry.set_number(record, i, *blank);
                }
            }
        }
    }

    /// Whether one of a reference's values is shown now. If no element is given, whether all of its values are shown.
    pub(crate) fn is_shown(
        &self,
        layout: &ObservationLayout,
        reference: &Reference,
        element: Option<usize>,
        reader: &Reader<'_>,
    ) -> bool {
        let same = |entry: &ObservationEntry| {
            entry
                .reference
                .as_ref()
                .is_some_and(|seen| (seen.part, seen.quantity) == (reference.part, reference.quantity))
        };
        let Some(index) = layout.entries.iter().position(same) else { return false };
        let (start, len) = (self.entries[index].0, layout.entries[index].len());
        let bits = &reader.get(self.observed_mask)[start..start + len];
        match element {
            Some(element) => bits.get(element) == Some(&1),
            None => bits.iter().all(|bit| *bit == 1),
        }
    }
}

/// The variable that a reference belongs to.
fn whole(reference: &Reference, names: Names<'_>) -> Reference {
    let info = &names.parts[reference.part];
    let name = match reference.quantity {
        Quantity::Variable(i) => format!("{}.{}", info.path, info.variables[i].name),
        Quantity::Observable(i) => format!("{}.{}", info.path, info.observables[i].name),
        Quantity::Step | Quantity::Remaining => reference.name.clone(),
    };
    Reference { element: None, name, ..reference.clone() }
}
