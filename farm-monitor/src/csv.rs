//! Tables of comma-separated values.

use std::path::{Path, PathBuf};

use farm_output::{OutputError, OutputFile};

use crate::table::{self, Column};
use crate::{Row, Series, Sink};

/// Writes rows as comma-separated values, with the columns of [`crate::table`] and a header line. The file gets its
/// final name when it is finished. Strings that a spreadsheet would evaluate are escaped by [`table::text_cell`].
pub struct Csv {
    path: PathBuf,
    is_batch: bool,
    columns: Vec<Column>,
    writer: csv::Writer<OutputFile>,
}

impl Csv {
    /// Starts a file.
    ///
    /// # Errors
    /// The path cannot be written to.
    pub fn create(path: &Path, series: &[Series]) -> Result<Self, OutputError> {
        Self::begin(path, series, false)
    }

    /// Starts a file for rows from a batch of environments.
    ///
    /// # Errors
    /// The path cannot be written to.
    pub fn of_batch(path: &Path, series: &[Series]) -> Result<Self, OutputError> {
        Self::begin(path, series, true)
    }

    fn begin(path: &Path, series: &[Series], is_batch: bool) -> Result<Self, OutputError> {
        let mut csv = Self {
            path: path.to_owned(),
            is_batch,
            columns: Column::of(series, is_batch),
            writer: csv::Writer::from_writer(OutputFile::create(path)?),
        };
        let names = table::fixed(is_batch).iter().copied().chain(csv.columns.iter().map(|column| column.name.as_str()));
        csv.writer.write_record(names.map(|name| table::text_cell(name).into_owned())).map_err(failed(path))?;
        Ok(csv)
    }
}

impl Sink for Csv {
    fn row(&mut self, row: &Row) -> Result<(), OutputError> {
        let reward = row.reward.map(number).unwrap_or_default();
        let actions = table::text_cell(&table::actions(row)).into_owned();
        let fixed = [row.episode.to_string(), row.seed.to_string(), row.step.to_string(), reward, actions];
        let cell = |(column, value): (&Column, &f64)| match column.word(*value) {
            Some(word) => table::text_cell(word).into_owned(),
            None => number(*value),
        };
        let environment = self.is_batch.then(|| row.environment.to_string());
        let cells = environment.into_iter().chain(fixed).chain(self.columns.iter().zip(&row.values).map(cell));
        self.writer.write_record(cells).map_err(failed(&self.path))
    }

    fn finish(self: Box<Self>) -> Result<(), OutputError> {
        self.written()?.finish()
    }

    fn finish_incomplete(self: Box<Self>) -> Result<Option<PathBuf>, OutputError> {
        self.written()?.finish_incomplete().map(Some)
    }
}

impl Csv {
    /// The file with all rows.
    fn written(self) -> Result<OutputFile, OutputError> {
        let Self { path, writer, .. } = self;
        writer.into_inner().map_err(csv::IntoInnerError::into_error).map_err(OutputError::write(&path))
    }
}

/// A number as text; empty for NaN.
fn number(value: f64) -> String {
    if value.is_nan() { String::new() } else { value.to_string() }
}

fn failed(path: &Path) -> impl FnOnce(csv::Error) -> OutputError {
    move |error| match error.into_kind() {
        csv::ErrorKind::Io(error) => OutputError::write(path)(error),
        other => OutputError::Encode { what: "CSV", message: format!("{other:?}") },
    }
}
