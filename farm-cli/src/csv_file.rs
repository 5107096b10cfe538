//! Writes results as comma-separated values, one line at a time.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use farm_monitor::table::text_cell;
use farm_output::OutputFile;

/// An unfinished CSV file. The file gets its final name when it is finished. If a line can't be written, all later lines are ignored.
pub(crate) struct CsvFile {
    path: PathBuf,
    writer: csv::Writer<OutputFile>,
    failure: Option<csv::Error>,
}

/// A cell.
pub(crate) enum Cell {
    /// A string. If a spreadsheet would interpret it as a formula, an apostrophe is put in front of it.
    Text(String),
    /// A number, or a trusted string.
    Plain(String),
}

impl CsvFile {
    /// Starts a file in a folder. Creates the folder if it does not exist.
    ///
    /// # Errors
    /// Fails if the folder or the file can't be written.
    pub(crate) fn create(directory: &Path, name: &str) -> anyhow::Result<Self> {
        let path = directory.join(name);
        let place = || format!("the episodes can't be written to {}", path.display());
        if directory.is_file() {
            bail!("the episodes can't be written to {}: this is a file, not a folder", directory.display());
        }
        std::fs::create_dir_all(directory).with_context(place)?;
        let file = OutputFile::create(&path).with_context(place)?;
        Ok(Self { writer: csv::Writer::from_writer(file), path, failure: None })
    }

    /// Writes a line.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = Cell>) {
        let cells = cells.into_iter().map(|cell| match cell {
            Cell::Text(text) => text_cell(&text).into_owned(),
            Cell::Plain(text) => text,
        });
        if self.failure.is_none() {
            self.failure = self.writer.write_record(cells).err();
        }
    }

    /// Gives the file its final name, or the name of an incomplete table, and returns the path.
    ///
    /// # Errors
    /// Fails if the file could not be written.
    pub(crate) fn finish(self, is_whole: bool) -> anyhow::Result<PathBuf> {
        let Self { path, writer, failure } = self;
        let finish = || -> anyhow::Result<PathBuf> {
            failure.map_or(Ok(()), Err)?;
            let mut file = writer.into_inner().map_err(csv::IntoInnerError::into_error)?;
            if is_whole {
                file.finish()?;
                return Ok(path.clone());
            }
            Ok(file.finish_incomplete()?)
        };
        finish().with_context(|| {
            format!("the episodes can't be written to {}; only the printed table is left", path.display())
        })
    }
}
