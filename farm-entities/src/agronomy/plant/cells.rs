//! Shared by plants in all equations: the stage numbers, and a plot's values.

use std::cell::Cell;

use farm_core::{Column, Context, Element};

use super::STAGES;

/// Number of a stage in [`STAGES`].
pub(super) const NONE: u8 = 0;
pub(super) const SEED: u8 = 1;
pub(super) const GROW: u8 = 2;
pub(super) const BLOOM: u8 = 3;
pub(super) const FRUIT: u8 = 4;
pub(super) const RIPE: u8 = 5;
pub(super) const DEAD: u8 = 6;
pub(super) const HARVESTED: u8 = 7;
const UNDEFINED: u8 = STAGES.len() as u8;

/// Amount below which a dead plant releases all that is left.
pub(super) const LAST_REMAINS_G: f64 = 0.1;

/// Upper limit of days and visits.
pub(super) const LONG: i32 = 100_000;
/// Maximum of the amounts on a plot in the paper's equations: 1000 t of matter, or 1000 m³ of water.
pub(super) const MANY: f64 = 1e9;

/// One value for each of N, P, K and C.
pub(super) type Vec4 = [f64; 4];

/// Whether plants in this stage are alive above the ground.
pub(super) fn is_active(stage: u8) -> bool {
    (GROW..=RIPE).contains(&stage)
}

/// A plot's value in a column of real numbers.
#[inline]
pub(super) fn at(context: &Context<'_>, column: Column<f64>, plot: usize) -> f64 {
    context.get(column)[plot].get()
}

#[inline]
pub(super) fn set(context: &Context<'_>, column: Column<f64>, plot: usize, value: f64) {
    context.get(column)[plot].set(value);
}

/// Sets all values in a column to 0.
#[inline]
pub(super) fn clear<T: Element + Default>(column: Column<T>, context: &Context<'_>) {
    context.get(column).iter().for_each(|cell| cell.set(T::default()));
}

/// A plot's value in a column of counts.
#[inline]
pub(super) fn number(context: &Context<'_>, column: Column<i32>, plot: usize) -> i32 {
    context.get(column)[plot].get()
}

#[inline]
pub(super) fn set_number(context: &Context<'_>, column: Column<i32>, plot: usize, value: i32) {
    context.get(column)[plot].set(value);
}

#[inline]
pub(super) fn count_one(context: &Context<'_>, column: Column<i32>, plot: usize) {
    let cell = &context.get(column)[plot];
    cell.set(cell.get().saturating_add(1).min(LONG));
}

/// A plot's values for N, P, K and C. The column has the values of all plots for the first nutrient, then for the second, and so on.
#[inline]
pub(super) fn four<'a>(
    plots: usize,
    plot: usize,
    column: Column<f64>,
    c: &Context<'a>,
) -> impl Iterator<Item = &'a Cell<f64>> {
    c.get(column)[plot..].iter().step_by(plots).take(4)
}

/// A plot's values for N, P, K and C, as numbers.
#[inline]
pub(super) fn values(plots: usize, plot: usize, column: Column<f64>, c: &Context<'_>) -> Vec4 {
    let cells = c.get(column);
    std::array::from_fn(|x| cells[x * plots + plot].get())
}

/// The stage of at least three quarters of the plots (II.6.1).
pub(super) fn common_stage(stages: &[Cell<u8>]) -> u8 {
    let mut counts = [0usize; STAGES.len()];
    for stage in stages {
        counts[usize::from(stage.get())] += 1;
    }
    counts.iter().position(|n| n * 4 >= stages.len() * 3).map_or(UNDEFINED, |stage| stage as u8)
}
