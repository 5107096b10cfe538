//! Files that have their name only when they are complete, written as rows come.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use farm_render::check_target;

use crate::MonitorError;

/// A file in the making: under another name until it is finished, so that no half a file ever has the name; nothing of it stays
/// behind if it never is. What is no file, such as a device, is written to directly.
#[derive(Debug)]
pub(crate) struct Output {
    path: PathBuf,
    temporary: Option<PathBuf>,
    writer: BufWriter<File>,
}

impl Output {
    /// Begins a file.
    pub(crate) fn create(path: &Path) -> Result<Self, MonitorError> {
        check_target(path)?;
        if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
            let file = File::options().write(true).open(path).map_err(MonitorError::write(path))?;
            return Ok(Self { path: path.to_owned(), temporary: None, writer: BufWriter::new(file) });
        }
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(format!(".{}.part", std::process::id()));
        let temporary = path.with_file_name(name);
        let file = File::create(&temporary).map_err(MonitorError::write(path))?;
        Ok(Self { path: path.to_owned(), temporary: Some(temporary), writer: BufWriter::new(file) })
    }

    /// Gives the file its name.
    pub(crate) fn finish(&mut self) -> Result<(), MonitorError> {
        let finished = self.writer.flush().and_then(|()| match &self.temporary {
            Some(temporary) => fs::rename(temporary, &self.path),
            None => Ok(()),
        });
        finished.map_err(MonitorError::write(&self.path))?;
        self.temporary = None;
        Ok(())
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if let Some(temporary) = &self.temporary {
            // That it can't be taken away changes nothing of the failure.
            let _ = fs::remove_file(temporary);
        }
    }
}
