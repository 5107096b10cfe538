//! Opens a run's files. A third party may have replaced them with anything.

use std::fs::File;
use std::path::Path as FilePath;

use farm_core::config::ReadError;

/// Opens one of a run's files for reading; `None` if the file does not exist.
///
/// # Errors
/// The path is a folder, or a link, which may lead anywhere. The path is a pipe or a device, which may be endless and is never opened. The
/// file has more than `limit` bytes.
pub(crate) fn open(path: &FilePath, limit: u64) -> Result<Option<File>, ReadError> {
    let there = match path.symlink_metadata() {
        Ok(there) => there,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(ReadError::System(error)),
    };
    if there.is_symlink() {
        return Err(ReadError::System(std::io::Error::other(
            "it is a link, but the files of a run must be in its own folder",
        )));
    }
    if there.is_dir() {
        return Err(ReadError::Folder);
    }
    if !there.is_file() {
        return Err(ReadError::NotRegular);
    }
    let file = File::open(path).map_err(ReadError::System)?;
    // Checks the opened file: the path may have changed since the check above.
    let opened = file.metadata().map_err(ReadError::System)?;
    if !opened.is_file() {
        return Err(ReadError::NotRegular);
    }
    if opened.len() > limit {
        return Err(ReadError::TooLarge { limit });
    }
    Ok(Some(file))
}
