//! Results as comma-separated values, line by line as they come.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use farm_monitor::table::text_cell;
use farm_output::OutputFile;

/// A file of comma-separated values in the making. It has its name when it is finished; after a line that could not be written it takes
/// no more.
pub(crate) struct CsvFile {
    path: PathBuf,
    writer: csv::Writer<OutputFile>,
    failure: Option<csv::Error>,
}

/// A cell.
pub(crate) enum Cell {
    /// A text; one that a spreadsheet would compute has an apostrophe before it.
    Text(String),
    /// What is a number, or another text of our own.
    Plain(String),
}

impl CsvFile {
    /// Begins a file in a folder, which is made if it is not there.
    ///
    /// # Errors
    /// When folder or file can't be written.
    pub(crate) fn create(directory: &Path, name: &str) -> anyhow::Result<Self> {
        let path = directory.join(name);
        let place = || format!("the episodes can't be written to {}", path.display());
        if directory.is_file() {
            bail!("the episodes can't be written to {}: it is a file, and a folder is needed", directory.display());
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

    /// Gives the file its name, or that of a table that was cut short; returns where it is.
    ///
    /// # Errors
    /// When it could not be written.
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
            format!("the episodes can't be written to {}; the table holds all that is left of them", path.display())
        })
    }
}
