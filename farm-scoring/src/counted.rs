//! Sums and means over the variables that entities publish by role.

use std::cell::Cell;

use farm_core::math::sum;
use farm_core::{Builder, Column, Context, Element, Role};

/// The sum over all values in all columns.
pub(crate) fn total(columns: &[Column<f64>], c: &Context<'_>) -> f64 {
    sum(columns.iter().flat_map(|column| c.get(*column)).map(Cell::get))
}

/// The sum over all values of all integer columns.
pub(crate) fn count(columns: &[Column<i32>], c: &Context<'_>) -> f64 {
    sum(columns.iter().flat_map(|column| c.get(*column)).map(|cell| f64::from(cell.get())))
}

/// The largest possible [`count`].
pub(crate) fn most(columns: &[Column<i32>]) -> f64 {
    columns.iter().map(|column| column.len()).sum::<usize>() as f64 * f64::from(i32::MAX)
}

/// The mean over all values in all columns; 0 without columns.
pub(crate) fn mean(columns: &[Column<f64>], c: &Context<'_>) -> f64 {
    let n: usize = columns.iter().map(|column| column.len()).sum();
    if n == 0 { 0.0 } else { total(columns, c) / n as f64 }
}

/// All providers of a role, each with its part's path, such as `Field-0.Soil-0`.
pub(crate) fn by_part<T: Element>(b: &mut Builder<'_>, role: Role<T>) -> Vec<(String, Column<T>)> {
    let columns = b.all(role);
    let parts = b.parts().iter();
    let paths = parts
        .flat_map(|p| p.variables().iter().filter(|v| v.roles().contains(&role.name())).map(|_| p.path().to_owned()));
    // A score sees the parts of all fields, in the same order as the columns.
    paths.zip(columns).collect()
}
