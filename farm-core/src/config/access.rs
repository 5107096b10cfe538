//! Decides which files a game may read, and reads them.
//!
//! People share game files. The files that a game file names must therefore be in its own folder or below it. Absolute paths, `..` and
//! symbolic links that lead out of the folder are rejected before anything is read or searched. Text from the user (the game itself, a
//! level, a value for `--set`) has no such limit. Text from a stranger must not name files; see [`Trust`].

use std::io::{BufRead, Read};
use std::path::{Component, Path as FilePath, PathBuf};

use super::errors::FileError;
use super::phrase::{Phrase, Tool};
use super::problem::{Path, Problem, nearest};
use super::trust::{Reads, Trust};

/// If this environment variable is `1`, games may read files outside their folder.
pub const ALLOW_OUTSIDE_VARIABLE: &str = "FARM_GYM_ALLOW_OUTSIDE_FILES";

/// If this environment variable is `1`, game files may load the plugins that they name.
pub const ALLOW_PLUGINS_VARIABLE: &str = "FARM_GYM_ALLOW_PLUGINS";

/// Whether the environment variable allows games to read files outside their folder.
pub fn are_outside_files_allowed_by_environment() -> bool {
    std::env::var(ALLOW_OUTSIDE_VARIABLE).is_ok_and(|value| matches!(value.as_str(), "1" | "true" | "yes"))
}

/// The location of one of a game's files.
#[derive(Debug, Clone, PartialEq, Eq, farm_macros::Getters)]
pub struct FoundFile {
    /// The file's path.
    pub(crate) path: PathBuf,
    /// Whether the file is outside the game's folder. If so, no message shows its contents.
    pub(crate) is_outside: bool,
}

impl Trust {
    /// Finds a file that a game refers to. `root` is the game's folder, and `from` is the folder of the file that contains the reference.
    /// The file does not have to exist.
    ///
    /// # Errors
    /// A problem without a location: the file is outside the game's folder, and the game may not read it.
    pub fn find(&self, root: &FilePath, from: &FilePath, name: &str) -> Result<FoundFile, Box<Problem>> {
        let reads = self.origin_of(name).reads();
        if reads == Reads::None {
            let problem = Problem::new(
                FileError::FileOutsideFolder,
                Path::default(),
                "games from clients and from recorded runs cannot refer to files",
            );
            let help = "write the contents of the file into the game, or extend a game from the catalogue";
            return Err(Box::new(problem.value(name).expected("a value, not the name of a file").help(help)));
        }
        let path = from.join(name);
        // A `..` after a symbolic link does not lead to the parent folder that the written path suggests.
        let has_up = FilePath::new(name).components().any(|part| part == Component::ParentDir);
        let path = if has_up { std::path::absolute(&path).map_or(path, |path| without_dots(&path)) } else { path };
        let is_outside = !is_below(root, &path);
        if is_outside && reads != Reads::All {
            let root = if root.as_os_str().is_empty() { FilePath::new(".") } else { root };
            let problem =
                Problem::new(FileError::FileOutsideFolder, Path::default(), "the file is outside of the game's folder")
                    .value(name);
            let expected = format!("a file in `{}` or in one of its subfolders", root.display());
            let help = Phrase::from("move the file there; if you trust the game: ").with(Tool::AllowOutsideFiles);
            return Err(Box::new(problem.expected(expected).help(help)));
        }
        Ok(FoundFile { path, is_outside })
    }
}

/// Whether a path stays inside a folder, both as written and with symbolic links resolved.
fn is_below(root: &FilePath, path: &FilePath) -> bool {
    let root = if root.as_os_str().is_empty() { FilePath::new(".") } else { root };
    let (Ok(root), Ok(path)) = (std::path::absolute(root), std::path::absolute(path)) else { return false };
    let (root, path) = (without_dots(&root), without_dots(&path));
    // The written path is checked first, so that the file system is never asked about files elsewhere, not even whether they exist.
    if !path.starts_with(&root) {
        return false;
    }
    let Ok(real_root) = root.canonicalize() else { return true };
    // The nearest existing ancestor determines where the rest of the path would be.
    let there = path.ancestors().find(|part| part.symlink_metadata().is_ok());
    there.and_then(|part| part.canonicalize().ok()).is_some_and(|real| real.starts_with(&real_root))
}

/// An absolute path without `.` and `..`.
fn without_dots(path: &FilePath) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(plain.pop()),
            other => plain.push(other),
        }
    }
    plain
}

/// Why a file was not read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file does not exist.
    #[error("there is no such file")]
    Missing,
    /// The path is a folder.
    #[error("it is a folder")]
    Folder,
    /// The file is a pipe, a device or a socket, so it may never end.
    #[error("it is not a regular file but a pipe, a device or a socket")]
    NotRegular,
    /// The file is too large.
    #[error("it is larger than {} MB", limit / (1024 * 1024))]
    TooLarge {
        /// The limit, in bytes.
        limit: u64,
    },
    /// The operating system reported an error.
    #[error("{0}")]
    System(std::io::Error),
}

impl From<std::io::Error> for ReadError {
    fn from(error: std::io::Error) -> Self {
        if error.kind() == std::io::ErrorKind::NotFound { Self::Missing } else { Self::System(error) }
    }
}

/// Reads a regular file of at most `limit` bytes. Pipes and devices are not opened, because opening one could block for ever.
///
/// # Errors
/// The file does not exist, is not a regular file, or is too large.
pub fn read_regular(path: &FilePath, limit: u64) -> Result<Vec<u8>, ReadError> {
    let metadata = std::fs::metadata(path)?;
    if metadata.is_dir() {
        return Err(ReadError::Folder);
    }
    if !metadata.is_file() {
        return Err(ReadError::NotRegular);
    }
    read_up_to(path, limit)
}

/// Reads a file of any type, up to `limit` bytes.
///
/// # Errors
/// The file does not exist or is too large.
pub(super) fn read_up_to(path: &FilePath, limit: u64) -> Result<Vec<u8>, ReadError> {
    read_limited(std::fs::File::open(path)?, limit)?.ok_or(ReadError::TooLarge { limit })
}

/// Reads a file or a stream to its end. Returns `None` if it is longer than `limit` bytes.
///
/// # Errors
/// The operating system reported an error while reading.
pub fn read_limited(stream: impl Read, limit: u64) -> std::io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    // The length in the file system is not reliable, because pipes and devices have no length and files can grow.
    stream.take(limit + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= limit).then_some(bytes))
}

/// A line read from a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LimitedLine {
    /// The line's bytes, including the line break if there is one.
    Whole(Vec<u8>),
    /// The line is longer than the limit and was skipped.
    TooLong,
}

/// Reads the next line from a stream, or returns `None` at its end. A line longer than `limit` bytes is skipped.
///
/// # Errors
/// The operating system reported an error while reading.
pub fn read_line_limited(stream: &mut impl BufRead, limit: u64) -> std::io::Result<Option<LimitedLine>> {
    let mut line = Vec::new();
    if stream.by_ref().take(limit + 1).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.len() as u64 <= limit {
        return Ok(Some(LimitedLine::Whole(line)));
    }
    let mut is_at_end = line.ends_with(b"\n");
    while !is_at_end {
        let buffer = stream.fill_buf()?;
        let end = buffer.iter().position(|byte| *byte == b'\n');
        let length = end.map_or(buffer.len(), |end| end + 1);
        is_at_end = end.is_some() || length == 0;
        stream.consume(length);
    }
    Ok(Some(LimitedLine::TooLong))
}

/// The file in the same folder whose name is closest to the name in the path.
pub fn nearest_file(path: &FilePath) -> Option<String> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(FilePath::new("."));
    let entries = std::fs::read_dir(folder).into_iter().flatten().take(1000);
    let mut names: Vec<String> = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
    names.sort();
    // A missing game is not matched with a table, or a missing table with a game, unless their names without extensions are equal.
    let is_yaml = |path: &FilePath| path.extension().is_some_and(|end| end == "yaml" || end == "yml");
    names.retain(|name| {
        let other = FilePath::new(name);
        other.file_stem() == path.file_stem() || is_yaml(other) == is_yaml(path)
    });
    // Compares the names without their extensions, because a common `.yaml` does not make two names similar.
    let stem = |name: &str| FilePath::new(name).file_stem().and_then(|stem| stem.to_str()).map(str::to_owned);
    let stems: Vec<String> = names.iter().map(|name| stem(name).unwrap_or_default()).collect();
    let stems: Vec<&str> = stems.iter().map(String::as_str).collect();
    let wanted = path.file_name()?.to_str()?;
    let found = nearest(&stem(wanted)?, &stems)?;
    // If several files have the same stem, the one with the given extension is meant.
    let (ending, mut like) =
        (FilePath::new(wanted).extension(), names.iter().zip(&stems).filter(|(_, s)| **s == found));
    let same = like.clone().find(|(name, _)| FilePath::new(name.as_str()).extension() == ending);
    same.or_else(|| like.next()).map(|(name, _)| name.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Consent, OWN_FILE, Origin};

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("farm-access-{}-{name}", std::process::id()));
        drop(std::fs::remove_dir_all(&folder));
        std::fs::create_dir_all(folder.join("game/parts")).expect("a folder to test in");
        std::fs::write(folder.join("secret.yaml"), "x").expect("a file to test with");
        std::fs::write(folder.join("game/parts/own.yaml"), "x").expect("a file to test with");
        folder
    }

    #[test]
    fn a_line_that_is_too_long_is_left_out_and_the_next_one_read() {
        let text = b"abc\nabcd\nabcdefgh\n\nabcdefghi";
        // The result does not depend on how little the stream returns at once.
        for capacity in [1, 3, 64] {
            let mut stream = std::io::BufReader::with_capacity(capacity, &text[..]);
            let lines = std::iter::from_fn(|| read_line_limited(&mut stream, 5).expect("memory can be read"));
            let whole = |text: &[u8]| LimitedLine::Whole(text.to_vec());
            let expected =
                [whole(b"abc\n"), whole(b"abcd\n"), LimitedLine::TooLong, whole(b"\n"), LimitedLine::TooLong];
            assert_eq!(lines.collect::<Vec<_>>(), expected, "{capacity}");
        }
    }

    #[test]
    fn a_game_finds_files_in_its_folder_and_nowhere_else() {
        let folder = folder("find");
        let root = folder.join("game");
        let find = |trust: &Trust, name: &str| trust.find(&root, &root, name).map(|found| found.is_outside);
        let secret = folder.join("secret.yaml").display().to_string();
        let own = root.join("parts/own.yaml").display().to_string();
        for name in
            ["parts/own.yaml", "parts/../parts/own.yaml", "not_there.yaml", "no/such/folder.yaml", "../game/x", &own]
        {
            assert!(!find(&OWN_FILE, name).expect(name), "{name}");
        }
        for name in [&secret, "../secret.yaml", "../not_there.yaml", "parts/../../secret.yaml", "/dev/zero", "../game2"]
        {
            let refused = find(&OWN_FILE, name).expect_err(name).to_string();
            assert!(refused.contains("outside of the game's folder") && refused.contains("--allow-outside-files"));
            assert!(refused.contains(&format!("found: {name}")) && !refused.contains("did you mean"), "{refused}");
            let mut allowed = Trust::default();
            allowed.agree(Consent { outside_files: true, plugins: false });
            assert!(find(&allowed, name).expect(name));
            let mut written = Trust::default();
            written.add(Origin::User, &name.into());
            assert!(find(&written, name).expect(name));
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_that_lead_out_are_refused_and_pipes_are_not_opened() {
        use std::os::unix::fs::symlink;
        let folder = folder("links");
        let root = folder.join("game");
        symlink("../secret.yaml", root.join("link.yaml")).expect("a link");
        symlink("../nowhere.yaml", root.join("dangling.yaml")).expect("a link");
        symlink("..", root.join("up")).expect("a link");
        symlink("parts/own.yaml", root.join("inside.yaml")).expect("a link");
        let find = |name: &str| OWN_FILE.find(&root, &root, name);
        for name in ["link.yaml", "dangling.yaml", "up/secret.yaml", "up/new.yaml"] {
            assert!(find(name).is_err(), "{name}");
        }
        assert_eq!(find("up/../new.yaml").expect("inside by its words").path, root.join("new.yaml"));
        assert!(find("inside.yaml").is_ok());
        // The path to the game's own folder may contain a link.
        symlink("game", folder.join("alias")).expect("a link");
        let alias = folder.join("alias");
        assert!(OWN_FILE.find(&alias, &alias, "parts/own.yaml").is_ok());
        assert!(matches!(read_regular(FilePath::new("/dev/zero"), 10), Err(ReadError::NotRegular)));
        assert!(matches!(read_regular(&root, 10), Err(ReadError::Folder)));
        assert!(matches!(read_regular(&root.join("none"), 10), Err(ReadError::Missing)));
        assert!(matches!(read_regular(&root.join("parts/own.yaml"), 0), Err(ReadError::TooLarge { limit: 0 })));
        assert_eq!(nearest_file(&root.join("parts/oun.yaml")).as_deref(), Some("own.yaml"));
        assert_eq!(nearest_file(&root.join("parts/own.csv")).as_deref(), Some("own.yaml"));
        assert_eq!(nearest_file(&root.join("parts/oun.csv")), None);
    }
}
