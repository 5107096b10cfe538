//! Files that are written completely or not at all.

use std::collections::hash_map::RandomState;
use std::fs::{self, File};
use std::hash::{BuildHasher, Hasher};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::error::OutputError;

/// The ending of an unfinished file's name.
const PART: &str = ".part";
/// Number of digits in the random number in an unfinished file's name.
const RANDOM_DIGITS: usize = 16;
/// Maximum number of random names to try; a second one is needed once in 2⁶⁴ files.
const MAX_TRIES: usize = 8;
/// The mark before an incomplete file's extension.
const INCOMPLETE: &str = "incomplete";
/// An unfinished file that changed within this time is kept even without a lock, because its process may be about to lock it.
const FRESH: Duration = Duration::from_secs(60);

/// The parent folder of a path.
fn folder(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A file that has a temporary name until it is finished, so that an incomplete file never has the final name. If the file is never
/// finished, it is removed. A device or another special file is written to directly. If the path is a link, the link's target is replaced.
///
/// The temporary name consists of the file's name, the process, a random number and `.part`. An existing file is never opened. In a folder
/// that other users may write to, they therefore can't redirect the output with a link. The file is locked while it is written. This lock
/// distinguishes files that are still being written from files that killed processes have left behind.
#[derive(Debug)]
pub struct OutputFile {
    /// The path as given by the caller.
    path: PathBuf,
    /// The unfinished file, and its final name.
    part: Option<(PathBuf, PathBuf)>,
    writer: BufWriter<File>,
}

impl OutputFile {
    /// Starts a file. Unfinished files with this name that killed processes left behind are removed.
    ///
    /// # Errors
    /// Returns the file and the reason: the parent folder is missing or cannot be written to, or the path is a folder.
    pub fn create(path: &Path) -> Result<Self, OutputError> {
        let file = Self::begin(path)?;
        if let Some((part, target)) = &file.part {
            remove_stale(target, part);
        }
        Ok(file)
    }

    fn begin(path: &Path) -> Result<Self, OutputError> {
        Self::begin_for(path, Readers::All)
    }

    fn begin_for(path: &Path, readers: Readers) -> Result<Self, OutputError> {
        check_folder(path)?;
        if is_device(path) {
            let file = File::options().write(true).open(path).map_err(OutputError::write(path))?;
            return Ok(Self { path: path.to_owned(), part: None, writer: BufWriter::new(file) });
        }
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let (part, file) = create_part(&target, readers).map_err(OutputError::write(path))?;
        // On file systems without locks, unfinished files stay until they are removed by hand.
        let _ = file.try_lock();
        Ok(Self { path: path.to_owned(), part: Some((part, target)), writer: BufWriter::new(file) })
    }

    /// Gives the file its final name once all data are on disk.
    ///
    /// # Errors
    /// Returns the file and the reason.
    pub fn finish(&mut self) -> Result<(), OutputError> {
        let target = self.part.as_ref().map(|(_, target)| target.clone());
        self.finish_as(target)
    }

    /// Gives an incomplete file a name that marks it: `season.incomplete.csv` instead of `season.csv`, so an earlier `season.csv` stays
    /// unchanged. Returns the name; a device keeps its name.
    ///
    /// # Errors
    /// Returns the file and the reason.
    pub fn finish_incomplete(&mut self) -> Result<PathBuf, OutputError> {
        let target = self.part.as_ref().map(|_| incomplete(&self.path));
        let written = target.clone().unwrap_or_else(|| self.path.clone());
        self.finish_as(target)?;
        Ok(written)
    }

    fn finish_as(&mut self, target: Option<PathBuf>) -> Result<(), OutputError> {
        let finished = self.writer.flush().and_then(|()| match (&self.part, target) {
            (Some((part, _)), Some(target)) => {
                // Otherwise a power cut may leave an empty file under the name.
                self.writer.get_ref().sync_all()?;
                // The file must be unlocked when it gets its name. Closing it is not enough: a process that is being started also holds it,
                // until it runs its program.
                let _ = self.writer.get_ref().unlock();
                fs::rename(part, target)
            }
            _ => Ok(()),
        });
        finished.map_err(OutputError::write(&self.path))?;
        self.part = None;
        Ok(())
    }
}

/// The name of an incomplete file, derived from the name of the complete file: `season.incomplete.csv` for `season.csv`.
pub fn incomplete(path: &Path) -> PathBuf {
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(".");
    name.push(INCOMPLETE);
    if let Some(ending) = path.extension() {
        name.push(".");
        name.push(ending);
    }
    path.with_file_name(name)
}

/// Whether a name marks an incomplete file, as [`incomplete`] does.
pub fn is_incomplete(path: &Path) -> bool {
    let stem = path.file_stem().map(Path::new);
    let marked = |name: &Path| name.extension().is_some_and(|mark| mark == INCOMPLETE);
    stem.is_some_and(marked) || marked(path)
}

/// Who can read a new file, where the system distinguishes users.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Readers {
    /// Everyone, within the user's settings.
    All,
    /// Only its owner.
    Owner,
}

/// Creates the unfinished file for a name.
fn create_part(target: &Path, readers: Readers) -> io::Result<(PathBuf, File)> {
    let mut tries = 0;
    #[cfg(not(unix))]
    let _ = readers;
    loop {
        // The keys of the hasher are random numbers of the system, so its result is random, too.
        let random = RandomState::new().build_hasher().finish();
        let mut name = target.file_name().unwrap_or_default().to_owned();
        name.push(format!(".{}-{random:0RANDOM_DIGITS$x}{PART}", std::process::id()));
        let part = folder(target).join(name);
        tries += 1;
        let mut options = File::options();
        options.write(true).create_new(true);
        #[cfg(unix)]
        if readers == Readers::Owner {
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        }
        match options.open(&part) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && tries < MAX_TRIES => {}
            created => return created.map(|file| (part, file)),
        }
    }
}

/// Whether the text between a name and `.part` has the form that [`create_part`] writes.
fn is_mark(middle: &str) -> bool {
    let is_number = |text: &str, is_digit: fn(&char) -> bool| !text.is_empty() && text.chars().all(|c| is_digit(&c));
    middle.split_once('-').is_some_and(|(process, random)| {
        is_number(process, char::is_ascii_digit)
            && random.len() == RANDOM_DIGITS
            && is_number(random, char::is_ascii_hexdigit)
    })
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

impl Drop for OutputFile {
    fn drop(&mut self) {
        if let Some((part, _)) = &self.part {
            // A failure to remove it does not change the error.
            let _ = fs::remove_file(part);
        }
    }
}

/// Whether the path exists and is neither a file nor a folder.
fn is_device(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

/// Removes unfinished files with this name whose processes have ended. Their lock is free.
fn remove_stale(target: &Path, own: &Path) {
    let Some(name) = target.file_name().and_then(|name| name.to_str()) else { return };
    let Ok(entries) = fs::read_dir(folder(target)) else { return };
    for entry in entries.flatten() {
        let found = entry.file_name();
        let middle = found.to_str().and_then(|found| found.strip_prefix(name)?.strip_prefix('.')?.strip_suffix(PART));
        let path = entry.path();
        if !middle.is_some_and(is_mark) || path.file_name() == own.file_name() {
            continue;
        }
        // A link or a pipe of that name was not created here, and opening it could block forever.
        let Some(metadata) = entry.metadata().ok().filter(fs::Metadata::is_file) else { continue };
        let age = metadata.modified().ok().and_then(|at| at.elapsed().ok());
        if age.is_some_and(|age| age > FRESH) && File::open(&path).is_ok_and(|file| file.try_lock().is_ok()) {
            let _ = fs::remove_file(&path);
        }
    }
}

/// Checks that a file can exist at the path: the parent folder exists, and the path is not a folder.
fn check_folder(path: &Path) -> Result<(), OutputError> {
    if path.is_dir() {
        return Err(OutputError::write(path)(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder")));
    }
    let folder = folder(path);
    match fs::metadata(folder) {
        Ok(found) if found.is_dir() => Ok(()),
        Ok(_) => {
            let message = format!("{} is not a folder", folder.display());
            Err(OutputError::write(path)(io::Error::new(io::ErrorKind::NotADirectory, message)))
        }
        Err(error) => {
            let message = format!("the folder {}: {error}", folder.display());
            Err(OutputError::write(path)(io::Error::new(error.kind(), message)))
        }
    }
}

/// Before a computation, checks that a file can be written, by creating the file and discarding it. Devices are not checked, because the
/// reader of a pipe would see the end of the pipe.
///
/// # Errors
/// Returns the file and the reason.
pub fn check_target(path: &Path) -> Result<(), OutputError> {
    if is_device(path) {
        return Ok(());
    }
    OutputFile::create(path).map(drop)
}

/// Writes an incomplete file under the name from [`incomplete`], and returns this name.
///
/// # Errors
/// Returns the file and the reason.
pub fn save_incomplete(path: &Path, bytes: &[u8]) -> Result<PathBuf, OutputError> {
    let mut file = OutputFile::begin(path)?;
    file.write_all(bytes).map_err(OutputError::write(path))?;
    file.finish_incomplete()
}

/// Writes a file with secrets completely or not at all. On Unix, only its owner can read it.
///
/// # Errors
/// Returns the file and the reason.
pub fn save_private(path: &Path, bytes: &[u8]) -> Result<(), OutputError> {
    let mut file = OutputFile::begin_for(path, Readers::Owner)?;
    file.write_all(bytes).map_err(OutputError::write(path))?;
    file.finish()
}

/// Writes a file completely or not at all, like an [`OutputFile`].
///
/// # Errors
/// Returns the file and the reason.
pub fn save(path: &Path, bytes: &[u8]) -> Result<(), OutputError> {
    let mut file = OutputFile::begin(path)?;
    file.write_all(bytes).map_err(OutputError::write(path))?;
    file.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder that only one test uses.
    fn scratch(test: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("farm-output-file-{test}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn a_file_is_replaced_as_a_whole_and_a_broken_path_is_told_beforehand() {
        let folder = scratch("whole");
        let file = folder.join("film.gif");
        fs::write(&file, "old").unwrap();
        check_target(&file).unwrap();
        save(&file, b"new").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"new");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "no temporary file is left");
        assert!(check_target(&folder).is_err(), "a folder is not a file");
        let missing = folder.join("nowhere").join("film.gif");
        let message = check_target(&missing).unwrap_err().to_string();
        assert!(message.contains("nowhere"), "{message}");
        assert!(save(&missing, b"x").is_err());
        assert!(check_target(&file.join("film.gif")).is_err(), "a file is not a folder");
        let mut given_up = OutputFile::create(&file).unwrap();
        given_up.write_all(b"half").unwrap();
        drop(given_up);
        assert_eq!((fs::read(&file).unwrap(), fs::read_dir(&folder).unwrap().count()), (b"new".to_vec(), 1));
        fs::remove_dir_all(&folder).unwrap();
    }

    /// No user can create files in `/proc`.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_folder_that_takes_no_files_is_told_beforehand() {
        let error = check_target(Path::new("/proc/film.gif")).unwrap_err();
        assert!(error.to_string().contains("/proc/film.gif"), "{error}");
    }

    #[test]
    fn two_files_of_one_name_do_not_meet_and_what_a_killed_process_left_goes() {
        let folder = scratch("stale");
        let file = folder.join("a.csv");
        let (mut one, mut two) = (OutputFile::create(&file).unwrap(), OutputFile::create(&file).unwrap());
        one.write_all(b"one").unwrap();
        two.write_all(b"two").unwrap();
        // Left behind long ago: by a process that has gone, by this one, and what only looks like it.
        let long_ago = std::time::SystemTime::now() - 2 * FRESH;
        let aged = |name: &str| File::create(folder.join(name)).unwrap().set_modified(long_ago).unwrap();
        let left = ["a.csv.123-0123456789abcdef.part", "a.csv.4567-fedcba9876543210.part"];
        let others = ["a.csv.123-cafe.part", "a.csv.backup.part", "b.csv.123-0123456789abcdef.part"];
        left.into_iter().chain(others).for_each(aged);
        one.writer.get_ref().set_modified(long_ago).unwrap();
        let three = OutputFile::create(&file).unwrap();
        drop(three);
        one.finish().unwrap();
        two.finish().unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"two");
        let names = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.collect();
        names.sort();
        assert_eq!(names, [&["a.csv"], &others[..]].concat());
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn what_was_cut_short_says_so_and_leaves_the_whole_file_as_it_is() {
        let folder = scratch("incomplete");
        let file = folder.join("a.csv");
        save(&file, b"whole").unwrap();
        let mut cut = OutputFile::create(&file).unwrap();
        cut.write_all(b"cut").unwrap();
        let name = cut.finish_incomplete().unwrap();
        assert_eq!(name, folder.join("a.incomplete.csv"));
        assert_eq!((fs::read(&file).unwrap(), fs::read(&name).unwrap()), (b"whole".to_vec(), b"cut".to_vec()));
        assert_eq!(save_incomplete(&file, b"again").unwrap(), name);
        assert_eq!(fs::read(&name).unwrap(), b"again");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);
        for (whole, cut) in
            [("o/season", "o/season.incomplete"), (".hidden", ".hidden.incomplete"), ("a.b.c", "a.b.incomplete.c")]
        {
            assert_eq!(incomplete(Path::new(whole)), Path::new(cut));
            assert!(is_incomplete(Path::new(cut)) && !is_incomplete(Path::new(whole)), "{cut}");
        }
        fs::remove_dir_all(&folder).unwrap();
    }

    /// Another user of the folder knows the file's name and the process id, but cannot guess the rest of the unfinished file's name.
    #[cfg(unix)]
    #[test]
    fn no_link_of_others_is_followed() {
        use std::os::unix::fs::symlink;
        let folder = scratch("planted");
        let (file, victim) = (folder.join("a.csv"), folder.join("victim"));
        fs::write(&victim, "mine").unwrap();
        let mut first = OutputFile::create(&file).unwrap();
        let (name, _) = first.part.clone().unwrap();
        // Names of the form that a part has, of numbers near the one that was drawn, and those that a counter would have.
        let text = name.to_str().unwrap().strip_suffix(PART).unwrap();
        let (begin, random) = text.split_at(text.len() - RANDOM_DIGITS);
        let random = u64::from_str_radix(random, 16).unwrap();
        for next in 1..100 {
            symlink(&victim, format!("{begin}{:016x}{PART}", random.wrapping_add(next))).unwrap();
            symlink(&victim, folder.join(format!("a.csv.{}-{next}{PART}", std::process::id()))).unwrap();
        }
        first.write_all(b"one").unwrap();
        first.finish().unwrap();
        for _ in 0..100 {
            save(&file, b"two").unwrap();
        }
        assert_eq!((fs::read(&victim).unwrap(), fs::read(&file).unwrap()), (b"mine".to_vec(), b"two".to_vec()));
        fs::remove_dir_all(&folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link() {
        let folder = scratch("link");
        let (file, link) = (folder.join("real.csv"), folder.join("link.csv"));
        fs::write(&file, "old").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        save(&link, b"new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"new");
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
