//! A learner's observation, which is a record with a fixed layout. It has forms as bytes, JSON and text.
//!
//! The record is a packed struct of typed arrays (`u8`, `i32`, `f32`), so you can read a buffer with many records without copying. The text
//! has the same content line by line, and can be parsed back to the same bytes. With priced observations (`active_observation`), the record
//! ends with one bit per number that shows whether the number is observed.

mod active_observation;
mod text;

use serde_json::Value as Json;

use crate::config::Problems;
use crate::declare::{MAX_PICKED_FROM, Names, PartInfo, Quantity, Reference, ValueKind};
use crate::space::{Dtype, Space, build};
use crate::state::{Column, Reader, Region, StateSlice};

pub(crate) use active_observation::{ActiveObservation, RESERVED};
pub(crate) use text::{Precision, Words};

/// The maximum size of an observation, in bytes. A state has the same limit.
pub(crate) const MAX_OBSERVATION_BYTES: u64 = crate::state::MAX_STATE_BYTES;

/// A number's position in a record: the index of the entry, and the flat index within the entry.
pub type RecordIndex = (usize, usize);

/// One of an observation's arrays.
#[derive(Debug, Clone, farm_macros::Getters)]
pub struct ObservationEntry {
    /// The array's key.
    pub(crate) key: String,
    /// A one-sentence description.
    pub(crate) doc: String,
    /// The kind of values in the array.
    pub(crate) kind: ValueKind,
    /// The array's shape; empty for a single value.
    pub(crate) shape: Vec<usize>,
    /// The type of the numbers.
    #[getter(copy)]
    pub(crate) dtype: Dtype,
    /// The start of the array in the record, in bytes.
    pub(crate) offset: usize,
    /// The variable or observable that the array shows; `None` for entries that the engine adds.
    #[getter(skip)]
    pub(crate) reference: Option<Reference>,
    /// Whether it is a window centred on the farmer.
    centred: bool,
    /// Whether the array has a value for each plot `(x, y)`.
    per_plot: bool,
    /// The names of the values in a list; empty if the values have no names.
    elements: Vec<String>,
}

/// How to write an array. Contains only the data from its entry that a step needs.
#[derive(Debug, Clone, Copy)]
struct Write {
    source: EntrySource,
    /// The start of the array in the record, in bytes.
    offset: u32,
    /// The array's size in bytes.
    size: u32,
}

#[derive(Debug, Clone, Copy)]
enum EntrySource {
    Bytes(Column<u8>),
    Counts(Column<i32>),
    Reals(Column<f64>),
    Computed {
        part: u32,
        observable: u32,
    },
    /// A single value from an observable. The observable is computed in full, and `whole` is its full size in bytes.
    Picked {
        part: u32,
        observable: u32,
        element: u32,
        whole: u32,
    },
    Remaining,
    Step,
}

impl EntrySource {
    fn of(values: StateSlice) -> Self {
        match values.region() {
            Region::Bytes => Self::Bytes(values.column()),
            Region::Counts => Self::Counts(values.column()),
            Region::Reals => Self::Reals(values.column()),
        }
    }
}

/// The place to which an observable is written.
///
/// ```
/// use farm_core::{Slot, prelude::*};
///
/// # /// Owls.
/// # #[derive(Debug, Clone, Parameters)]
/// # struct Owls {}
/// # #[register(source = "An example")]
/// # impl Entity for Owls {
/// #     fn declare(&self, d: &mut Declarations<'_>) -> Bind<'_, dyn Behaviour> {
/// #         let mice = d.variable(count("mice#nb", 0, 9, "Mice on the plot.").per_plot().default(2.0).hidden());
/// #         d.observable("mice_heard#nb", ValueKind::Count { low: 0, high: 36 }, &[], "Mice on all plots.");
/// #         Bind::new(move |found| Owl { mice: found.get(mice) })
/// #     }
/// # }
/// # struct Owl { mice: Column<i32> }
/// impl Behaviour for Owl {
///     fn observe(&self, _: usize, reader: &Reader<'_>, out: &mut Slot<'_>) {
///         // The observable is the number of mice on all plots, so the array has one number.
///         out.set_count(0, reader.get(self.mice).iter().sum());
///     }
/// }
/// # mod farm { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/documentation/farm.rs")); }
/// # let environment = Environment::new(farm::game("Owls: {}"));
/// # assert!(environment.text().contains('8'), "{}", environment.text());
/// ```
#[derive(Debug)]
pub struct Slot<'a> {
    /// The bytes of the array.
    bytes: &'a mut [u8],
}

impl<'a> Slot<'a> {
    /// The slot for an array stored in these bytes.
    pub(crate) fn new(bytes: &'a mut [u8]) -> Self {
        Self { bytes }
    }

    /// The array's bytes. For categories and flags, these are the values.
    #[inline]
    pub fn bytes(&mut self) -> &mut [u8] {
        self.bytes
    }

    /// Writes one real number to the array.
    #[inline]
    pub fn set_real(&mut self, index: usize, value: f64) {
        self.bytes[index * 4..index * 4 + 4].copy_from_slice(&(value as f32).to_le_bytes());
    }

    /// Writes one integer to the array.
    #[inline]
    pub fn set_count(&mut self, index: usize, value: i32) {
        self.bytes[index * 4..index * 4 + 4].copy_from_slice(&value.to_le_bytes());
    }

    /// Writes one number to an array whose numbers have this type.
    #[inline]
    pub fn set_number(&mut self, dtype: Dtype, index: usize, value: f64) {
        write_number(self.bytes, index * dtype.size(), dtype, value);
    }
}

#[inline]
fn write_number(bytes: &mut [u8], at: usize, dtype: Dtype, value: f64) {
    match dtype {
        Dtype::Uint8 => bytes[at] = value as u8,
        Dtype::Int32 => bytes[at..at + 4].copy_from_slice(&(value as i32).to_le_bytes()),
        Dtype::Float32 => bytes[at..at + 4].copy_from_slice(&(value as f32).to_le_bytes()),
    }
}

impl ObservationEntry {
    /// The number of values.
    pub fn len(&self) -> usize {
        self.shape.iter().product()
    }

    /// Whether the array has no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The value at a flat index in a record.
    pub fn number(&self, record: &[u8], index: usize) -> f64 {
        self.dtype.read(&record[self.offset..], index)
    }

    /// Whether the array is a window centred on the farmer. The text puts the centre tile in brackets.
    pub fn is_centred(&self) -> bool {
        self.centred
    }

    /// Whether the array has a value for each plot `(x, y)`, at index `x * width + y`.
    pub fn is_per_plot(&self) -> bool {
        self.per_plot
    }

    /// The variable or observable that the array shows; `None` for entries that the engine adds.
    pub fn reference(&self) -> Option<&Reference> {
        self.reference.as_ref()
    }

    /// The values as JSON: nested arrays of numbers, with categories as numbers.
    pub fn to_json(&self, record: &[u8]) -> Json {
        let mut index = 0;
        build(&self.shape, &mut || {
            index += 1;
            self.number_json(record, index - 1)
        })
    }

    /// One value as JSON.
    pub fn number_json(&self, record: &[u8], index: usize) -> Json {
        let number = self.number(record, index);
        match self.dtype {
            Dtype::Float32 => Json::from(number),
            _ => Json::from(number as i64),
        }
    }

    fn set_number(&self, record: &mut [u8], index: usize, value: f64) {
        write_number(record, self.offset + index * self.dtype.size(), self.dtype, value);
    }

    /// The array's space.
    pub fn space(&self) -> Space {
        self.kind.space(&self.shape)
    }
}

/// The layout of an observation.
#[derive(Debug, Clone, Default, farm_macros::Getters)]
pub struct ObservationLayout {
    /// The arrays, in order.
    pub(crate) entries: Vec<ObservationEntry>,
    /// The number of bytes in a record.
    pub(crate) size: usize,
    max_steps: u32,
    /// How each array is written.
    writes: Vec<Write>,
    /// The values that are shown only on request, in games with priced observations.
    #[getter(skip)]
    pub(crate) active_observation: Option<ActiveObservation>,
}

impl ObservationLayout {
    pub(crate) fn new(references: &[(String, Reference)], names: Names<'_>, max_steps: u32) -> Self {
        let mut layout = Self { max_steps, ..Self::default() };
        for (key, reference) in references {
            let info = &names.parts.get(reference.part);
            let (doc, kind, shape) = match (reference.quantity, info) {
                (Quantity::Variable(i), Some(info)) => {
                    let v = &info.variables[i];
                    (v.doc.clone(), v.kind.clone(), v.shape.clone())
                }
                (Quantity::Observable(i), Some(info)) => {
                    let o = &info.observables[i];
                    (o.doc.clone(), o.kind.clone(), o.shape.clone())
                }
                // A step limit below 256 makes the numbers small enough for one byte. Otherwise, they are plain counts.
                (quantity, _) => {
                    let doc = if quantity == Quantity::Step { "Steps taken." } else { "The number of steps left." };
                    let kind = match max_steps {
                        0..256 => ValueKind::numbered(max_steps + 1),
                        _ => ValueKind::Count { low: 0, high: i32::MAX },
                    };
                    (doc.to_owned(), kind, Vec::new())
                }
            };
            let values = shape.iter().product::<usize>().min(MAX_PICKED_FROM);
            let whole = (values * kind.dtype().size()) as u32;
            // A single value selected from several keeps its own labels.
            let (kind, shape) = match reference.element {
                Some(index) => (kind.of_entry(index), Vec::new()),
                None => (kind, shape),
            };
            let source = match reference.quantity {
                Quantity::Variable(_) => StateSlice::of(reference, names.parts).map(EntrySource::of),
                Quantity::Observable(i) if let Some(copied) = names.parts[reference.part].observables[i].copies => {
                    Some(EntrySource::of(copied.part(reference.element)))
                }
                Quantity::Observable(observable) => {
                    let (part, observable) = (reference.part as u32, observable as u32);
                    Some(match reference.element {
                        Some(element) => EntrySource::Picked { part, observable, element: element as u32, whole },
                        None => EntrySource::Computed { part, observable },
                    })
                }
                Quantity::Remaining => Some(EntrySource::Remaining),
                Quantity::Step => Some(EntrySource::Step),
            };
            let Some(source) = source else { continue };
            layout.push(key.clone(), doc, kind, shape, Some(reference.clone()), source);
            if let (Quantity::Variable(i), None, Some(entry)) =
                (reference.quantity, reference.element, layout.entries.last_mut())
            {
                entry.per_plot = names.parts[reference.part].variables[i].per_plot;
            }
            if let (Quantity::Observable(i), None, Some(entry)) =
                (reference.quantity, reference.element, layout.entries.last_mut())
            {
                let observable = &names.parts[reference.part].observables[i];
                entry.centred = observable.centred;
                // A name that contains a space or one of the text's special characters could not be parsed back.
                let is_clear = |name: &String| !name.contains(|c: char| c.is_whitespace() || "=?[]".contains(c));
                if observable.elements.iter().all(is_clear) {
                    entry.elements = observable.elements.clone();
                }
            }
        }
        layout.align();
        layout
    }

    fn push(
        &mut self,
        key: String,
        doc: String,
        kind: ValueKind,
        shape: Vec<usize>,
        reference: Option<Reference>,
        source: EntrySource,
    ) {
        let dtype = kind.dtype();
        let offset = self.size.next_multiple_of(dtype.size());
        let size = shape.iter().product::<usize>() * dtype.size();
        self.size = offset + size;
        self.plan(Write { source, offset: offset as u32, size: size as u32 });
        let (centred, per_plot, elements) = (false, false, Vec::new());
        let entry = ObservationEntry { key, doc, kind, shape, dtype, offset, reference, centred, per_plot, elements };
        self.entries.push(entry);
    }

    /// Adds a write. If its bytes come directly after the last write's bytes, both in the state and in the record, the two writes become a
    /// single copy.
    fn plan(&mut self, write: Write) {
        let last = self.writes.last_mut();
        if let (Some(last), EntrySource::Bytes(more)) = (last, write.source)
            && let EntrySource::Bytes(bytes) = last.source
            && let Some(joined) = bytes.followed_by(more)
            && last.offset.checked_add(last.size) == Some(write.offset)
        {
            (last.source, last.size) = (EntrySource::Bytes(joined), last.size + write.size);
        } else {
            self.writes.push(write);
        }
    }

    /// Keeps each record aligned for its widest number, because a batch stores its records without gaps.
    fn align(&mut self) {
        self.size = self.size.next_multiple_of(self.entries.iter().map(|e| e.dtype.size()).max().unwrap_or(1));
    }

    /// Writes a state's record with a layout that has no observables, such as [`Game::state_layout`](crate::Game::state_layout).
    ///
    /// # Panics
    /// If `out` is shorter than the record.
    pub fn write_columns(&self, reader: &Reader<'_>, out: &mut [u8]) {
        self.write(reader, out, |_, _, _, _| {});
    }

    /// Writes a state's record. `computed` writes one of a part's observables.
    #[inline]
    pub(crate) fn write(
        &self,
        reader: &Reader<'_>,
        out: &mut [u8],
        computed: impl Fn(usize, usize, &Reader<'_>, &mut Slot<'_>),
    ) {
        for write in &self.writes {
            let start = write.offset as usize;
            let bytes = &mut out[start..start + write.size as usize];
            match write.source {
                EntrySource::Bytes(column) => match (&mut *bytes, reader.get(column)) {
                    // A few bytes are the usual case. Copying them with an unknown length would take longer.
                    ([to], [value]) => *to = *value,
                    ([a, b], [first, second]) => (*a, *b) = (*first, *second),
                    ([a, b, c], [first, second, third]) => (*a, *b, *c) = (*first, *second, *third),
                    (bytes, values) => bytes.copy_from_slice(values),
                },
                EntrySource::Counts(column) => write_counts(bytes, reader.get(column)),
                EntrySource::Reals(column) => write_reals(bytes, reader.get(column)),
                EntrySource::Computed { part, observable } => {
                    computed(part as usize, observable as usize, reader, &mut Slot { bytes });
                }
                EntrySource::Picked { part, observable, element, whole } => {
                    let write = |slot: &mut Slot<'_>| computed(part as usize, observable as usize, reader, slot);
                    pick(bytes, element as usize, whole as usize, write);
                }
                EntrySource::Remaining => write_steps(self.max_steps.saturating_sub(reader.step), bytes),
                EntrySource::Step => write_steps(reader.step, bytes),
            }
        }
        if let Some(active_observation) = &self.active_observation {
            active_observation.hide(&self.entries, reader, out);
        }
    }

    /// Whether the learner observes the values of a reference, either alone or within a larger array.
    pub fn shows(&self, wanted: &Reference) -> bool {
        self.entries.iter().filter_map(|entry| entry.reference.as_ref()).any(|seen| {
            let same = (seen.part, seen.quantity) == (wanted.part, wanted.quantity);
            same && (seen.element.is_none() || seen.element == wanted.element)
        })
    }

    /// The observation space: a `Dict` of its arrays.
    pub fn space(&self) -> Space {
        Space::Dict(self.entries.iter().map(|entry| (entry.key.clone(), entry.space())).collect())
    }

    /// The record as JSON: nested arrays of numbers, with categories as numbers.
    pub fn to_json(&self, record: &[u8]) -> Json {
        Json::Object(self.entries.iter().map(|entry| (entry.key.clone(), entry.to_json(record))).collect())
    }

    /// Whether an entry is the mask of observed values.
    pub(crate) fn is_observed_mask(&self, entry: &ObservationEntry) -> bool {
        self.observed_mask().is_some_and(|(observed_mask, _)| std::ptr::eq(observed_mask, entry))
    }

    /// Whether an entry's value is shown in a record.
    pub fn is_present(&self, record: &[u8], entry: usize, index: usize) -> bool {
        match self.observed_mask() {
            Some((observed_mask, starts)) => {
                starts.get(entry).is_none_or(|(start, _)| observed_mask.number(record, start + index) != 0.0)
            }
            None => true,
        }
    }
}

/// Computes an observable of `whole` bytes in a separate buffer, then copies one of its values.
// Not inlined, because the separate buffer would otherwise be reserved in every step.
#[inline(never)]
fn pick(bytes: &mut [u8], element: usize, whole: usize, compute: impl FnOnce(&mut Slot<'_>)) {
    let mut beside = [0; MAX_PICKED_FROM * 4];
    compute(&mut Slot { bytes: &mut beside[..whole] });
    let size = bytes.len();
    bytes.copy_from_slice(&beside[element * size..][..size]);
}

#[inline]
fn write_counts(bytes: &mut [u8], values: &[i32]) {
    for (slot, value) in bytes.as_chunks_mut().0.iter_mut().zip(values) {
        *slot = value.to_le_bytes();
    }
}

#[inline]
fn write_reals(bytes: &mut [u8], values: &[f64]) {
    for (slot, value) in bytes.as_chunks_mut().0.iter_mut().zip(values) {
        *slot = (*value as f32).to_le_bytes();
    }
}

/// A number of steps, stored as one byte if the step limit is below 256.
// Not inlined, because its arithmetic would otherwise run for every entry in the record.
#[inline(never)]
fn write_steps(steps: u32, bytes: &mut [u8]) {
    match bytes {
        [byte] => *byte = steps as u8,
        bytes => bytes.copy_from_slice(&steps.min(i32::MAX as u32).to_le_bytes()),
    }
}

/// References to all visible values, keyed by full name.
pub(crate) fn all_visible(parts: &[PartInfo], names: Names<'_>, problems: &mut Problems) -> Vec<(String, Reference)> {
    let mut references = Vec::new();
    for (i, part) in parts.iter().enumerate() {
        let visible = part.variables.iter().filter(|v| v.visible).map(|v| &v.name);
        for name in visible.chain(part.observables.iter().map(|o| &o.name)) {
            let found = names.resolve_in(i, name, &[], &part.config, problems);
            references.extend(found.into_iter().map(|r| (r.name.clone(), r)));
        }
    }
    references
}

impl ObservationLayout {
    /// Whether an entry's value is shown in every record without a request.
    pub fn is_free(&self, (entry, index): RecordIndex) -> bool {
        self.active_observation.as_ref().is_none_or(|active_observation| active_observation.is_free(entry, index))
    }
}
