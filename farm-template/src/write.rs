//! Writes several files so that either all or none of them exist.

use std::collections::hash_map::RandomState;
use std::fs;
use std::hash::{BuildHasher, Hasher};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use farm_core::config::{FileError, Location, Path as ConfigPath, Problem, Problems};

/// A file to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// The path.
    pub path: PathBuf,
    /// The contents.
    pub text: String,
}

/// Writes temporary files next to the targets, and renames them when all are complete.
///
/// # Errors
/// Fails if a folder or a file can't be written. Existing files are then restored.
pub(crate) fn write(files: &[File]) -> Result<(), Problems> {
    let mut written: Vec<(PathBuf, &Path)> = Vec::new();
    for file in files {
        let folder = file.path.parent().unwrap_or(Path::new(""));
        let beside = beside(&file.path, "new");
        let made = if folder.as_os_str().is_empty() { Ok(()) } else { fs::create_dir_all(folder) };
        let result = made.and_then(|()| write_through(&beside, &file.text));
        written.push((beside, &file.path));
        if let Err(error) = result {
            written.iter().for_each(|(beside, _)| drop(fs::remove_file(beside)));
            return Err(failed(&file.path, &error));
        }
    }
    let mut moved: Vec<(&Path, Option<PathBuf>)> = Vec::new();
    for (new, path) in &written {
        let old = beside(path, "old");
        let kept = path.exists().then(|| fs::rename(path, &old)).transpose();
        let result = kept.and_then(|kept| {
            moved.push((path, kept.map(|()| old)));
            fs::rename(new, path)
        });
        if let Err(error) = result {
            for (path, old) in moved.iter().rev() {
                match old {
                    Some(old) => drop(fs::rename(old, path)),
                    None => drop(fs::remove_file(path)),
                }
            }
            written.iter().for_each(|(new, _)| drop(fs::remove_file(new)));
            return Err(failed(path, &error));
        }
    }
    moved.into_iter().filter_map(|(_, old)| old).for_each(|old| drop(fs::remove_file(old)));
    Ok(())
}

/// Writes a file and waits until it is on disk. Otherwise, a power failure after the renaming could leave it empty.
fn write_through(path: &Path, text: &str) -> io::Result<()> {
    // Created, never opened: in a shared folder, an existing link with this name is not followed.
    let mut file = fs::File::options().write(true).create_new(true).open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

/// For a file, a name in the same folder that no other program uses.
fn beside(path: &Path, what: &str) -> PathBuf {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    // Its keys are random numbers of the system, so no one can create a link there in advance.
    let random = RandomState::new().build_hasher().finish();
    path.with_file_name(format!(".{name}.{what}-{}-{random:016x}", std::process::id()))
}

fn failed(path: &Path, error: &io::Error) -> Problems {
    let mut problem =
        Problem::new(FileError::FileNotWritten, ConfigPath::default(), format!("the file can't be written: {error}"));
    problem.location = Some(Location::new(path.display().to_string(), None));
    Problems(vec![problem.help("nothing was changed; `--out DIR` writes into another folder")])
}
