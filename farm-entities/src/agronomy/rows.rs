//! Plots in rows of a fixed length. The values are read once for each row, and the arithmetic for a row has no branches between plots.

use std::cell::Cell;
use std::iter::StepBy;
use std::ops::Range;

use farm_core::math::Bounded;
use farm_core::math::simd::each;
use farm_core::{Column, Context};

/// The plots in a row.
pub(super) const ROW: usize = 4;

/// The first plots of all whole rows, and the plots that are left.
#[inline(always)]
pub(super) fn rows(plots: usize) -> (StepBy<Range<usize>>, Range<usize>) {
    let whole = plots - plots % ROW;
    ((0..whole).step_by(ROW), whole..plots)
}

/// The values in the row that starts at `first`.
#[inline(always)]
pub(super) fn read<const W: usize>(cells: &[Cell<f64>], first: usize) -> [f64; W] {
    let cells = &cells[first..first + W];
    each(|k| cells[k].get())
}

/// Sets the values in the row that starts at `first`.
#[inline(always)]
pub(super) fn write<const W: usize>(cells: &[Cell<f64>], first: usize, values: [f64; W]) {
    let cells = &cells[first..first + W];
    (0..W).for_each(|k| cells[k].set(values[k]));
}

/// Multiplies the values in the row that starts at `first`.
#[inline(always)]
pub(super) fn keep<const W: usize>(cells: &[Cell<f64>], first: usize, shares: [f64; W]) {
    let values = read::<W>(cells, first);
    write(cells, first, each::<_, W>(|k| values[k] * shares[k]));
}

/// The sum of some columns for each plot in the row that starts at `first`.
#[inline(always)]
pub(super) fn sums<const W: usize>(columns: &[Column<f64>], first: usize, c: &Context<'_>) -> [f64; W] {
    let mut sums = [0.0; W];
    for column in columns {
        let values = read::<W>(c.get(*column), first);
        (0..W).for_each(|k| sums[k] += values[k]);
    }
    sums
}

/// The maximum of some columns for each plot in the row that starts at `first`, and at least 0.
#[inline(always)]
pub(super) fn largest<const W: usize>(columns: &[Column<f64>], first: usize, c: &Context<'_>) -> [f64; W] {
    let mut largest = [0.0_f64; W];
    for column in columns {
        let values = read::<W>(c.get(*column), first);
        (0..W).for_each(|k| largest[k] = largest[k].at_least(values[k]));
    }
    largest
}
