//! World splits: `reset` accepts a split's seeds only if the caller names the split.

use farm_core::SeedSplit;
use farm_core::config::{NameError, Path, Problem, Problems};
use pyo3::prelude::*;

use crate::errors;

/// Looks up a split by name.
pub(crate) fn named(split: Option<&str>) -> PyResult<Option<SeedSplit>> {
    let Some(name) = split else { return Ok(None) };
    SeedSplit::named(name).map(Some).ok_or_else(|| {
        let path = Path::default().child("options").child("split");
        let problem = Problem::new(NameError::UnknownLevel, path, format!("there is no split `{name}`")).value(name);
        errors::config(&Problems(vec![problem.among(name, SeedSplit::ALL.map(SeedSplit::name))]))
    })
}

/// The seed that `reset` derives from a number: a seed in a split, or one that no split reserves.
#[pyfunction]
#[pyo3(signature = (number, split=None))]
pub(crate) fn drawn_seed(number: u64, split: Option<&str>) -> PyResult<u64> {
    Ok(SeedSplit::nearest(named(split)?, number))
}

/// The first seed in a split, and the number of seeds in it.
#[pyfunction]
pub(crate) fn split_seeds(split: &str) -> PyResult<(u64, u64)> {
    let seeds = named(Some(split))?.map(SeedSplit::seeds).unwrap_or_default();
    Ok((seeds.start, seeds.end - seeds.start))
}
