//! Games in several files. If a part is given as a file path, the file's contents replace the path.
//!
//! A part is a top-level value in a game, or one entry in its fields, farmers or policies. A path is relative to the folder of the file
//! that contains it.

use std::path::{Path as FilePath, PathBuf};

use serde_yaml::Value;

use super::Document;
use super::extends::EXTENDS;
use super::text::{Text, TextPath};
use crate::config::access::FoundFile;
use crate::config::errors::FileError;
use crate::config::problem::{Location, Path, Problem, Problems, Segment};

/// The top-level values that are plain strings.
pub(crate) const PLAIN_TEXTS: [&str; 5] = ["name", "doc", "interaction_mode", EXTENDS, "preset"];
/// The top-level values that consist of parts.
pub(crate) const WITH_ENTRIES: [&str; 3] = ["fields", "farmers", "policies"];
/// The extensions of files that can be read as parts.
const ENDINGS: [&str; 2] = [".yaml", ".yml"];

impl Document {
    /// Replaces each part that is a path with the file's contents. Warns about a file next to the game that is named like a part but is not
    /// used.
    ///
    /// # Errors
    /// A file is missing, is too large, is not text, is not YAML, is empty, or refers back to itself. Each problem points at the reference
    /// to the file.
    pub fn include_parts(&mut self) -> Result<(), Problems> {
        let mut inclusion = Inclusion { problems: Problems::default(), files: Vec::new() };
        let game = PathBuf::from(&self.source);
        let root = Path::default();
        let keys: Vec<String> =
            keys(&self.value).into_iter().filter(|key| !PLAIN_TEXTS.contains(&key.as_str())).collect();
        for key in keys {
            inclusion.visit(self, &root.child(&key), std::slice::from_ref(&game));
        }
        if inclusion.problems.has_errors() {
            return Err(inclusion.problems);
        }
        // A text without a file has no folder, and messages do not mention files in the program's folder.
        if self.directory.is_some() {
            self.warn_of_strays(&game, &inclusion.files);
        }
        Ok(())
    }

    /// Warns about unused files. For example, `GAME_init.yaml` next to `GAME.yaml` looks as if the game used it.
    fn warn_of_strays(&mut self, game: &FilePath, read: &[PathBuf]) {
        let (Some(stem), Some(folder)) = (game.file_stem().and_then(|s| s.to_str()), game.parent()) else { return };
        let folder = if folder.as_os_str().is_empty() { FilePath::new(".") } else { folder };
        let prefix = format!("{stem}_");
        let part_of = |name: &str| {
            let rest = name.strip_prefix(&prefix)?;
            let part = ENDINGS.iter().find_map(|ending| rest.strip_suffix(ending))?;
            PARTS_BESIDE.iter().find(|known| **known == part).copied()
        };
        let mut names: Vec<String> = std::fs::read_dir(folder)
            .into_iter()
            .flatten()
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .filter(|name| part_of(name).is_some())
            .collect();
        names.sort();
        let read: Vec<PathBuf> = read.iter().filter_map(|file| file.canonicalize().ok()).collect();
        for name in names {
            let file = folder.join(&name);
            if file.canonicalize().is_ok_and(|file| read.contains(&file)) {
                continue;
            }
            let part = part_of(&name).unwrap_or_default();
            let message = format!("`{name}` is next to the game file, but the game does not refer to it");
            let mut problem = Problem::new(FileError::FileNotUsed, Path::default(), message).value(&name).warning();
            problem.help = Some(format!("write `{part}: {name}` in the game to use it, or move it away").into());
            problem.location = Some(Location::new(self.source.clone(), None));
            self.warnings.push(problem);
        }
    }
}

/// The parts that a file next to a game may define. The file's name ends with the part.
const PARTS_BESIDE: [&str; 7] = ["actions", "init", "score", "rules", "fields", "farmers", "policies"];

fn keys(value: &Value) -> Vec<String> {
    value.as_mapping().into_iter().flatten().filter_map(|(key, _)| key.as_str().map(str::to_owned)).collect()
}

struct Inclusion {
    problems: Problems,
    files: Vec<PathBuf>,
}

impl Inclusion {
    /// Replaces a part with its file. `chain` lists the files that led here, starting with the game's own file.
    fn visit(&mut self, document: &mut Document, path: &Path, chain: &[PathBuf]) {
        let Some(value) = path.value_in(&document.value) else { return };
        if let Some(name) = value.as_str().filter(|text| ENDINGS.iter().any(|ending| text.ends_with(ending))) {
            let name = name.to_owned();
            if let Some(chain) = self.include(document, path, &name, chain) {
                self.visit(document, path, &chain);
            }
            return;
        }
        let entries: Vec<Segment> = match (path.0.as_slice(), value) {
            ([Segment::Key(key)], Value::Mapping(_)) if WITH_ENTRIES.contains(&key.as_str()) => {
                keys(value).into_iter().map(Segment::Key).collect()
            }
            ([Segment::Key(key)], Value::Sequence(items)) if WITH_ENTRIES.contains(&key.as_str()) => {
                (0..items.len()).map(Segment::Index).collect()
            }
            _ => return,
        };
        for entry in entries {
            let mut path = path.clone();
            path.0.push(entry);
            self.visit(document, &path, chain);
        }
    }

    /// Replaces a reference to a file with the file's contents, and returns the extended chain.
    fn include(&mut self, document: &mut Document, path: &Path, name: &str, chain: &[PathBuf]) -> Option<Vec<PathBuf>> {
        let folder = chain.last().and_then(|file| file.parent()).unwrap_or(FilePath::new(""));
        let root = chain.first().and_then(|file| file.parent()).unwrap_or(FilePath::new(""));
        let found = match document.trust.find(root, folder, name) {
            Ok(found) => found,
            Err(problem) => {
                self.reject(document, Problem { path: path.clone(), ..*problem });
                return None;
            }
        };
        let FoundFile { path: file, .. } = &found;
        let same =
            |other: &&PathBuf| other.canonicalize().is_ok_and(|other| file.canonicalize().is_ok_and(|f| f == other));
        if chain.iter().any(|other| same(&other)) {
            let shown = chain.iter().chain([file]).map(|file| name_of(file)).collect::<Vec<_>>().join(" → ");
            let problem =
                Problem::new(FileError::CircularFiles, path.clone(), "these files refer to each other in a circle")
                    .value(shown);
            self.reject(document, problem.help("write the values into one of them instead of a path"));
            return None;
        }
        let text = match Text::of_file(&found) {
            Ok(text) => text,
            Err(problem) => {
                self.reject(
                    document,
                    Problem { path: path.clone(), value: Some(file.display().to_string()), ..*problem },
                );
                return None;
            }
        };
        match text.parse() {
            Ok(value) => {
                let text = document.add_text(text);
                document.place(path, value, TextPath { text, path: Path::default() });
                self.files.push(file.clone());
                Some(chain.iter().cloned().chain([found.path]).collect())
            }
            Err(problems) => {
                self.problems.0.extend(problems.0);
                None
            }
        }
    }

    fn reject(&mut self, document: &Document, problem: Problem) {
        self.problems.0.extend(document.locate(Problems(vec![problem])).0);
    }
}

/// A file's name without its folders, for use in lists of files.
fn name_of(file: &FilePath) -> String {
    file.file_name().map_or_else(|| file.display().to_string(), |name| name.to_string_lossy().into_owned())
}
