//! The values of variables named in pictures.

use farm_core::declare::VariableInfo;
use farm_core::{Column, Element, Reader};

/// The values of a part's variable.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Values {
    /// Index of the part.
    pub part: usize,
    /// Index of the variable.
    pub variable: usize,
    column: AnyColumn,
}

/// A column of any number type.
#[derive(Debug, Clone, Copy)]
enum AnyColumn {
    Reals(Column<f64>),
    Counts(Column<i32>),
    Bytes(Column<u8>),
}

impl Values {
    /// The values of a part's variable; part and variable are indices.
    pub(crate) fn of(part: usize, variable: usize, info: &VariableInfo) -> Option<Self> {
        let reals = info.column().map(AnyColumn::Reals);
        let counts = || info.column().map(AnyColumn::Counts);
        let column = reals.or_else(counts).or_else(|| info.column().map(AnyColumn::Bytes))?;
        Some(Self { part, variable, column })
    }

    /// The value at an index in a state; none beyond the end.
    pub(crate) fn read(self, reader: &Reader<'_>, index: usize) -> Option<f64> {
        fn at<T: Element>(column: Column<T>, reader: &Reader<'_>, index: usize) -> Option<T> {
            reader.get(column).get(index).copied()
        }
        match self.column {
            AnyColumn::Reals(column) => at(column, reader, index),
            AnyColumn::Counts(column) => at(column, reader, index).map(f64::from),
            AnyColumn::Bytes(column) => at(column, reader, index).map(f64::from),
        }
    }
}
