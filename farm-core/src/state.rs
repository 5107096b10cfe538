//! The numbers for one episode, and the handles that access them.
//!
//! A [`State`] is a flat buffer of columns, plus the seed and the step. It contains no pointers or strings. Columns of reals (`f64`),
//! counts (`i32`) and bytes (`u8`: categories and flags) are in three regions of the buffer. A [`Column`] is an offset and a length,
//! computed once when the game is compiled.

use std::cell::Cell;
use std::marker::PhantomData;

/// A handle to a variable's values.
/// A part gets its columns from its declarations or look-ups. A [`Context`](crate::Context) gives the values as cells that can be
/// changed, and a [`Reader`] gives them for reading only.
///
/// ```
/// use farm_core::prelude::*;
///
/// /// Moves water from one column to another, plot by plot.
/// fn drain(context: &Context<'_>, from: Column<f64>, to: Column<f64>) {
///     for (from, to) in context.get(from).iter().zip(context.get(to)) {
///         to.update(|water| water + from.take());
///     }
/// }
/// # /// Two layers of water.
/// # #[derive(Debug, Clone, Parameters)]
/// # struct Layers {}
/// # #[derive(Columns)]
/// # struct Water {
/// #     /// Water above.
/// #     #[real(unit = "L", range = 0.0..=9.0, default = 3.0, per_plot)]
/// #     above: Column<f64>,
/// #     /// Water below.
/// #     #[real(unit = "L", range = 0.0..=9.0, default = 1.0, per_plot)]
/// #     below: Column<f64>,
/// # }
/// # #[register(entity = Layers, source = "An example", runs_in = Phase::Exchange)]
/// # impl Behaviour for Water {
/// #     fn tick(&self, _: Phase, context: &mut Context<'_>) { drain(context, self.above, self.below) }
/// # }
/// # mod farm { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/documentation/farm.rs")); }
/// # let mut environment = Environment::new(farm::game("Layers: {}"));
/// # environment.step("wait").unwrap();
/// # let below = environment.game().parts()[0].variables()[1].column::<f64>().unwrap();
/// # assert_eq!(environment.game().reader(environment.state()).get(below), [4.0; 4]);
/// ```
#[derive(Debug)]
pub struct Column<T> {
    pub(crate) start: u32,
    end: u32,
    element: PhantomData<fn() -> T>,
}

impl<T> Clone for Column<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Column<T> {}

impl<T> PartialEq for Column<T> {
    fn eq(&self, other: &Self) -> bool {
        (self.start, self.end) == (other.start, other.end)
    }
}

impl<T> Column<T> {
    /// The column of `len` values that starts at `start` within its region.
    pub(crate) const fn new(start: u32, len: u32) -> Self {
        // This wraps only if the layout is too large, and such a layout is rejected before a state is created.
        Self { start, end: start.wrapping_add(len), element: PhantomData }
    }

    /// Combines this column and another into a single column, if the other column starts where this one ends.
    pub(crate) fn followed_by(self, next: Self) -> Option<Self> {
        (self.end == next.start).then_some(Self { end: next.end, ..self })
    }

    /// Joins columns that were declared consecutively, so that a single look-up reaches all of them.
    ///
    /// # Panics
    /// If the columns are not consecutive.
    pub fn joined(columns: &[Self]) -> Self {
        assert!(columns.windows(2).all(|pair| pair[0].end == pair[1].start), "the columns are not consecutive");
        match columns {
            [first, .., last] => Self { start: first.start, end: last.end, element: PhantomData },
            [only] => *only,
            [] => Self::new(0, 0),
        }
    }

    /// Splits this column back into the equal-length columns that were joined.
    pub fn split(self, columns: u32) -> impl Iterator<Item = Self> {
        let len = self.end.wrapping_sub(self.start) / columns.max(1);
        (0..columns).map(move |i| Self::new(self.start.wrapping_add(i.wrapping_mul(len)), len))
    }

    /// The number of values.
    pub const fn len(self) -> usize {
        self.end.wrapping_sub(self.start) as usize
    }

    /// Whether the column has no values. This is true for every column before the game is fully compiled.
    pub const fn is_empty(self) -> bool {
        self.end == self.start
    }

    #[inline]
    fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// One of the three number types in a state.
pub trait Element: Copy + PartialEq + std::fmt::Debug + 'static {
    /// The region of the buffer that stores numbers of this type.
    const REGION: Region;
    #[doc(hidden)]
    fn cells<'a>(cells: &Cells<'a>) -> &'a [Cell<Self>];
    #[doc(hidden)]
    fn values<'a>(reader: &Reader<'a>) -> &'a [Self];
}

/// A region of the buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Region {
    /// `f64`.
    Reals,
    /// `i32`.
    Counts,
    /// `u8`.
    Bytes,
}

macro_rules! element {
    ($ty:ty, $region:ident, $field:ident) => {
        impl Element for $ty {
            const REGION: Region = Region::$region;
            #[inline]
            fn cells<'a>(cells: &Cells<'a>) -> &'a [Cell<Self>] {
                cells.$field
            }
            #[inline]
            fn values<'a>(reader: &Reader<'a>) -> &'a [Self] {
                reader.$field
            }
        }
    };
}

element!(f64, Reals, reals);
element!(i32, Counts, counts);
element!(u8, Bytes, bytes);

/// Write access to all columns in a state. You can keep several copies, because the values are `Cell`s.
#[derive(Debug, Clone, Copy)]
pub struct Cells<'a> {
    reals: &'a [Cell<f64>],
    counts: &'a [Cell<i32>],
    bytes: &'a [Cell<u8>],
}

impl<'a> Cells<'a> {
    /// The values in a column.
    #[inline]
    pub fn get<T: Element>(&self, column: Column<T>) -> &'a [Cell<T>] {
        &T::cells(self)[column.range()]
    }
}

/// Read-only access to all columns in a state.
///
/// ```
/// use farm_core::prelude::*;
/// # mod farm { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/documentation/farm.rs")); }
///
/// # let game = farm::game("Tanks: {}");
/// let mut environment = Environment::new(game.clone());
/// environment.step("fill(plot=(0, 1))")?;
/// // The first part has one variable, the water in the tank on each of the four plots.
/// let water: Column<f64> = game.parts()[0].variables()[0].column().expect("real numbers");
/// let reader = game.reader(environment.state());
/// assert_eq!((reader.get(water), reader.step()), (&[50.0, 100.0, 50.0, 50.0][..], 1));
/// # Ok::<(), StepError>(())
/// ```
#[derive(Debug, Clone, Copy, farm_macros::Getters)]
pub struct Reader<'a> {
    reals: &'a [f64],
    counts: &'a [i32],
    bytes: &'a [u8],
    /// The episode's seed.
    pub(crate) seed: u64,
    /// The number of steps taken so far.
    pub(crate) step: u32,
}

impl<'a> Reader<'a> {
    /// The values in a column.
    #[inline]
    pub fn get<T: Element>(&self, column: Column<T>) -> &'a [T] {
        &T::values(self)[column.range()]
    }
}

/// The maximum size of a state, in bytes. Below this size, the index of any value fits in 32 bits in every region.
pub(crate) const MAX_STATE_BYTES: u64 = 4_000_000_000;

/// The sizes of the three regions, in elements.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Layout {
    pub(crate) reals: u64,
    pub(crate) counts: u64,
    pub(crate) bytes: u64,
}

impl Layout {
    /// Reserves `len` values and returns their column. The column is valid only while the layout [fits](Self::fits). Parts first declare
    /// everything, so that one pass finds everything in excess.
    pub(crate) fn reserve<T: Element>(&mut self, len: usize) -> Column<T> {
        Column::new(self.place(T::REGION, len), len as u32)
    }

    /// Reserves `len` values in a region, and returns the start of these values.
    pub(crate) fn place(&mut self, region: Region, len: usize) -> u32 {
        let end = match region {
            Region::Reals => &mut self.reals,
            Region::Counts => &mut self.counts,
            Region::Bytes => &mut self.bytes,
        };
        let start = *end as u32;
        *end = end.saturating_add(len as u64);
        start
    }

    /// The number of bytes in a state.
    pub(crate) fn size_in_bytes(self) -> u64 {
        let [reals, counts] = [(self.reals, 8), (self.counts, 4)].map(|(values, size)| values.saturating_mul(size));
        reals.saturating_add(counts).saturating_add(self.bytes)
    }

    /// Whether a state with this layout stays within the given number of bytes.
    pub(crate) fn fits(self, most_bytes: u64) -> bool {
        self.size_in_bytes() <= most_bytes
    }

    /// The buffer's layout, computed once per game.
    pub(crate) fn regions(self) -> Regions {
        let counts = self.reals as usize;
        let bytes = counts + self.counts.div_ceil(2) as usize;
        Regions { counts, bytes, end: bytes + self.bytes.div_ceil(8) as usize }
    }
}

/// The start of the counts, the start of the bytes and the end of the buffer, in 8-byte words. The reals start at 0.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Regions {
    counts: usize,
    bytes: usize,
    end: usize,
}

/// The numbers for one episode.
#[derive(Debug, Clone, PartialEq, Eq, farm_macros::Getters)]
pub struct State {
    /// The episode's seed. Together with the step, it is the only source of randomness.
    pub(crate) seed: u64,
    /// The number of steps taken.
    pub(crate) step: u32,
    /// Whether the episode is over.
    pub(crate) over: bool,
    data: Box<[u64]>,
}

/// Why the bytes are not a valid state for this game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RestoreError {
    /// The bytes do not start in the way that a snapshot does.
    #[error("these {found} bytes are not a snapshot: take one with `snapshot()`")]
    NotASnapshot {
        /// The number of bytes passed in.
        found: usize,
    },
    /// The snapshot belongs to another game, or to the same game with different parameters.
    #[error(
        "this snapshot belongs to another game, or to this game with other parameters (fingerprint {found:016x}, this game has {expected:016x}): build the game it was taken from"
    )]
    OtherGame {
        /// The fingerprint in the snapshot.
        found: u64,
        /// The fingerprint of the game that restores it.
        expected: u64,
    },
    /// The bytes were changed after the snapshot was taken.
    #[error("the snapshot was changed after it was taken: its bytes do not match their own hash")]
    Damaged,
    /// A value that the variable never has in this game.
    #[error(
        "the snapshot can't be from this game: `{variable}` is {value}{}, expected {expected}; take a new one with `snapshot()`",
        entry.map_or_else(String::new, |entry| format!(" at entry {entry}"))
    )]
    Impossible {
        /// The variable, written as `Field-0.Soil-0.available_Water#L`, or `step`.
        variable: String,
        /// The flat index of the value; `None` if the variable has only one value.
        entry: Option<usize>,
        /// The value found.
        value: String,
        /// The values expected.
        expected: String,
    },
    /// The length is wrong.
    #[error("the snapshot has {found} bytes, but this game needs {expected}: it was truncated or extended")]
    Length {
        /// The number of bytes passed in.
        found: usize,
        /// The number of bytes needed.
        expected: usize,
    },
}

const MAGIC: &[u8; 8] = b"farmsnp2";
/// The size of the header: magic, game fingerprint, state hash, seed, step, and whether the episode is over.
const HEADER: usize = 8 + 8 + 8 + 8 + 4 + 4;

/// The number of words in a cache line.
#[cfg(target_arch = "x86_64")]
const LINE: usize = 8;

impl State {
    /// A state that contains only zeros.
    pub(crate) fn zeroed(regions: Regions) -> Self {
        Self { seed: 0, step: 0, over: false, data: vec![0; regions.end].into_boxed_slice() }
    }

    /// Changes the seed. The numbers stay unchanged, and later draws use the new seed.
    pub fn set_seed(&mut self, seed: u64) {
        self.seed = seed;
    }

    /// Sets the number of steps taken. The numbers stay unchanged.
    pub fn set_step(&mut self, step: u32) {
        self.step = step;
    }

    /// Copies `other`, which must be a state for the same game, without allocating.
    #[inline]
    pub fn copy_from(&mut self, other: &Self) {
        (self.seed, self.step, self.over) = (other.seed, other.step, other.over);
        self.data.copy_from_slice(&other.data);
    }

    /// The number of bytes for one episode, including the buffer and the header.
    pub fn size_in_bytes(&self) -> usize {
        size_of::<Self>() + self.data.len() * 8
    }

    /// Starts loading the numbers into the cache, for a step that comes soon.
    #[inline]
    #[cfg_attr(target_arch = "x86_64", expect(unsafe_code, reason = "the intrinsic is declared so"))]
    pub(crate) fn prefetch(&self) {
        #[cfg(target_arch = "x86_64")]
        for line in self.data.as_chunks::<LINE>().0 {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            // SAFETY: prefetching changes only the cache and never faults, at any address.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(line.as_ptr().cast()) };
        }
    }

    #[inline]
    pub(crate) fn cells(&mut self, at: Regions) -> Cells<'_> {
        let (reals, rest) = self.data.split_at_mut(at.counts);
        let (counts, bytes) = rest.split_at_mut(at.bytes - at.counts);
        Cells {
            reals: Cell::from_mut(bytemuck::cast_slice_mut(reals)).as_slice_of_cells(),
            counts: Cell::from_mut(bytemuck::cast_slice_mut(counts)).as_slice_of_cells(),
            bytes: Cell::from_mut(bytemuck::cast_slice_mut(bytes)).as_slice_of_cells(),
        }
    }

    #[inline]
    pub(crate) fn reader(&self, at: Regions) -> Reader<'_> {
        let (reals, rest) = self.data.split_at(at.counts);
        let (counts, bytes) = rest.split_at(at.bytes - at.counts);
        Reader {
            reals: bytemuck::cast_slice(reals),
            counts: bytemuck::cast_slice(counts),
            bytes: bytemuck::cast_slice(bytes),
            seed: self.seed,
            step: self.step,
        }
    }

    /// All reals in the state, used to check that each one is finite.
    #[inline]
    pub(crate) fn reals(&self, at: Regions) -> &[f64] {
        bytemuck::cast_slice(&self.data[..at.counts])
    }

    pub(crate) fn to_bytes(&self, fingerprint: u64) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEADER + self.data.len() * 8);
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&fingerprint.to_le_bytes());
        bytes.extend_from_slice(&self.hash().to_le_bytes());
        bytes.extend_from_slice(&self.seed.to_le_bytes());
        bytes.extend_from_slice(&self.step.to_le_bytes());
        bytes.extend_from_slice(&u32::from(self.over).to_le_bytes());
        bytes.extend_from_slice(bytemuck::cast_slice(&self.data));
        bytes
    }

    /// Reads a snapshot into a state with the same layout as this one.
    pub(crate) fn of_snapshot(&self, bytes: &[u8], fingerprint: u64) -> Result<Self, RestoreError> {
        let word = |at: usize| bytes.get(at..at + 8).and_then(|b| b.try_into().ok()).map_or(0, u64::from_le_bytes);
        if !bytes.starts_with(MAGIC) {
            return Err(RestoreError::NotASnapshot { found: bytes.len() });
        }
        if word(8) != fingerprint {
            return Err(RestoreError::OtherGame { found: word(8), expected: fingerprint });
        }
        let expected = HEADER + self.data.len() * 8;
        if bytes.len() != expected {
            return Err(RestoreError::Length { found: bytes.len(), expected });
        }
        let mut found = self.clone();
        found.seed = word(24);
        found.step = word(32) as u32;
        found.over = word(32) >> 32 != 0;
        bytemuck::cast_slice_mut(&mut found.data).copy_from_slice(&bytes[HEADER..]);
        if found.hash() != word(16) || word(32) >> 33 != 0 {
            return Err(RestoreError::Damaged);
        }
        Ok(found)
    }

    /// A hash of all bytes in the state (XXH3). Equal states have equal hashes on every platform.
    pub fn hash(&self) -> u64 {
        let head = xxhash_rust::xxh3::xxh3_64_with_seed(&self.step.to_le_bytes(), self.seed ^ u64::from(self.over));
        xxhash_rust::xxh3::xxh3_64_with_seed(bytemuck::cast_slice(&self.data), head)
    }
}

#[cfg(target_endian = "big")]
compile_error!("snapshots and hashes are defined on little-endian buffers");

/// Some of the state's values, which can be read as numbers of any type.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StateSlice {
    region: Region,
    start: u32,
    len: u32,
}

impl StateSlice {
    pub(crate) fn new(region: Region, start: u32, len: u32) -> Self {
        Self { region, start, len }
    }

    /// The values in a column.
    pub(crate) fn of_column<T: Element>(column: Column<T>) -> Self {
        Self { region: T::REGION, start: column.start, len: column.len() as u32 }
    }

    /// One of the values, or all of them.
    pub(crate) fn part(self, element: Option<usize>) -> Self {
        let Self { region, start, len } = self;
        match element {
            // This wraps only if the variable has no place yet.
            Some(index) => Self { region, start: start.wrapping_add(index as u32), len: 1 },
            None => Self { region, start, len },
        }
    }

    /// The values from one of `columns` joined columns of equal length.
    pub(crate) fn share(self, index: u32, columns: u32) -> Self {
        let len = self.len / columns.max(1);
        // This wraps only if the columns wrap.
        Self { region: self.region, start: self.start.wrapping_add(index.wrapping_mul(len)), len }
    }

    /// The index of one of these values within `whole`; `None` if `whole` does not contain it.
    pub(crate) fn index_within(self, whole: Self, index: usize) -> Option<usize> {
        let at = (self.start as usize + index).checked_sub(whole.start as usize)?;
        (self.region == whole.region && at < whole.len()).then_some(at)
    }

    /// The number of values.
    pub fn len(self) -> usize {
        self.len as usize
    }

    /// Whether it has no values.
    pub fn is_empty(self) -> bool {
        self.len == 0
    }

    /// One of the values.
    #[inline(always)]
    pub fn get(self, reader: &Reader<'_>, index: usize) -> f64 {
        match self.region {
            Region::Reals => self.slice::<f64>(reader)[index],
            Region::Counts => f64::from(self.slice::<i32>(reader)[index]),
            Region::Bytes => f64::from(self.slice::<u8>(reader)[index]),
        }
    }

    /// One of the values, read while parts may still be writing.
    #[inline(always)]
    pub(crate) fn get_in(self, cells: &Cells<'_>, index: usize) -> f64 {
        match self.region {
            Region::Reals => cells.get(self.column::<f64>())[index].get(),
            Region::Counts => f64::from(cells.get(self.column::<i32>())[index].get()),
            Region::Bytes => f64::from(cells.get(self.column::<u8>())[index].get()),
        }
    }

    /// All values as numbers.
    #[inline]
    pub fn values<'a>(self, reader: &'a Reader<'a>) -> impl Iterator<Item = f64> + 'a {
        (0..self.len()).map(move |i| self.get(reader, i))
    }

    #[inline]
    pub(crate) fn region(self) -> Region {
        self.region
    }

    /// The values, as a column in their region.
    #[inline]
    pub(crate) fn column<T: Element>(self) -> Column<T> {
        Column::new(self.start, self.len)
    }

    #[inline]
    fn slice<'a, T: Element>(self, reader: &Reader<'a>) -> &'a [T] {
        reader.get(self.column())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state() -> (Regions, Column<f64>, Column<i32>, Column<u8>, State) {
        let mut layout = Layout::default();
        let (a, b, c) = (layout.reserve(2), layout.reserve(3), layout.reserve(5));
        let regions = layout.regions();
        (regions, a, b, c, State::zeroed(regions))
    }

    #[test]
    fn columns_do_not_overlap() {
        let (at, a, b, c, mut state) = state();
        let cells = state.cells(at);
        cells.get(a)[1].set(1.5);
        cells.get(b)[2].set(-7);
        cells.get(c)[4].set(9);
        let reader = state.reader(at);
        assert_eq!(reader.get(a), [0.0, 1.5]);
        assert_eq!(reader.get(b), [0, 0, -7]);
        assert_eq!(reader.get(c), [0, 0, 0, 0, 9]);
    }

    #[test]
    fn a_layout_counts_on_where_its_columns_wrap() {
        let mut layout = Layout::default();
        let third = 1_500_000_000;
        let columns: Vec<Column<f64>> = (0..4).map(|_| layout.reserve(third)).collect();
        assert_eq!(layout.size_in_bytes(), 4 * 8 * third as u64);
        assert!(!layout.fits(MAX_STATE_BYTES), "the columns wrap at 2³²");
        assert_eq!(columns.iter().map(|column| column.len()).collect::<Vec<_>>(), [third; 4]);
        let _: Column<f64> = layout.reserve(usize::MAX);
        assert_eq!(layout.size_in_bytes(), u64::MAX);
        let mut layout = Layout::default();
        let _: Column<u8> = layout.reserve(MAX_STATE_BYTES as usize);
        assert!(layout.fits(MAX_STATE_BYTES));
        let _: Column<u8> = layout.reserve(1);
        assert!(!layout.fits(MAX_STATE_BYTES));
        assert!(!layout.fits(1_000_000));
    }

    #[test]
    fn a_snapshot_restores_all_of_it_and_refuses_others() {
        let (at, a, .., mut state) = state();
        state.cells(at).get(a)[0].set(2.5);
        (state.seed, state.step, state.over) = (3, 4, true);
        let bytes = state.to_bytes(11);
        let mut other = State::zeroed(at);
        other = other.of_snapshot(&bytes, 11).unwrap();
        assert_eq!((&other, other.hash()), (&state, state.hash()));
        assert!(matches!(other.of_snapshot(&bytes, 12), Err(RestoreError::OtherGame { .. })));
        assert!(matches!(other.of_snapshot(&bytes[..40], 11), Err(RestoreError::Length { .. })));
        assert!(matches!(other.of_snapshot(b"nonsense bytes", 11), Err(RestoreError::NotASnapshot { .. })));
        assert!(matches!(other.of_snapshot(&bytes[..9], 11), Err(RestoreError::OtherGame { .. })));
    }
}
