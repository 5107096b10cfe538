//! Files that are written as a whole or not at all.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::error::RenderError;

fn failed(path: &Path) -> impl FnOnce(io::Error) -> RenderError {
    move |error| RenderError::Write { path: path.to_owned(), error }
}

/// The folder of a path.
fn folder(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Tells before anything is computed that a file can't be written later, as far as that can be told: its folder is missing, or it is
/// a folder itself.
///
/// # Errors
/// The file, with the reason.
pub fn check_target(path: &Path) -> Result<(), RenderError> {
    if path.is_dir() {
        return Err(failed(path)(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder")));
    }
    let folder = folder(path);
    match fs::metadata(folder) {
        Ok(found) if found.is_dir() => Ok(()),
        Ok(_) => {
            let message = format!("{} is not a folder", folder.display());
            Err(failed(path)(io::Error::new(io::ErrorKind::NotADirectory, message)))
        }
        Err(error) => {
            let message = format!("the folder {}: {error}", folder.display());
            Err(failed(path)(io::Error::new(error.kind(), message)))
        }
    }
}

/// Writes a file under another name and renames it when it is complete, so that no half a file ever has the name. What is no file,
/// such as a device, is written to directly.
///
/// # Errors
/// The file, with the reason.
pub fn save(path: &Path, bytes: &[u8]) -> Result<(), RenderError> {
    let is_other = fs::metadata(path).is_ok_and(|found| !found.is_file());
    if is_other {
        let written = File::options().write(true).open(path).and_then(|mut file| {
            file.write_all(bytes)?;
            file.flush()
        });
        return written.map_err(failed(path));
    }
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.part", std::process::id()));
    let temporary: PathBuf = folder(path).join(name);
    let written = File::create(&temporary).and_then(|mut file| {
        file.write_all(bytes)?;
        file.flush()
    });
    written.and_then(|()| fs::rename(&temporary, path)).map_err(|error| {
        // Nothing of a failed attempt stays behind; that it can't be taken away changes nothing of the failure.
        let _ = fs::remove_file(&temporary);
        failed(path)(error)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_as_a_whole_and_a_broken_path_is_told_beforehand() {
        let folder = std::env::temp_dir().join(format!("farm-render-save-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let file = folder.join("film.gif");
        fs::write(&file, "old").unwrap();
        check_target(&file).unwrap();
        save(&file, b"new").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"new");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "no temporary file is left");
        assert!(check_target(&folder).is_err(), "a folder is no file");
        let missing = folder.join("nowhere").join("film.gif");
        let message = check_target(&missing).unwrap_err().to_string();
        assert!(message.contains("nowhere"), "{message}");
        assert!(save(&missing, b"x").is_err());
        assert!(check_target(&file.join("film.gif")).is_err(), "a file is no folder");
        fs::remove_dir_all(&folder).unwrap();
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_an_error_and_a_device_is_not_replaced() {
        let full = Path::new("/dev/full");
        let error = save(full, b"film").unwrap_err();
        assert!(error.to_string().contains("/dev/full"), "{error}");
        assert!(!fs::metadata(full).unwrap().is_file());
    }
}
