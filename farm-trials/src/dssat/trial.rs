//! A trial with everything that belongs to it, found in a folder.

use std::path::{Path, PathBuf};

use farm_entities::agronomy::weather::formats::Date;

use super::{Experiment, Field, Measured, ReadError};

/// The deepest folder below the given one in which files are looked for.
const MAX_DEPTH: usize = 3;

/// A trial: its experiment file, and what was measured.
#[derive(Debug, Clone, PartialEq)]
pub struct Trial {
    /// The experiment file.
    pub path: PathBuf,
    /// What was done.
    pub experiment: Experiment,
    /// What was measured.
    pub measured: Measured,
}

impl Trial {
    /// Reads an experiment file, and the files of measurements beside it.
    ///
    /// # Errors
    /// A file cannot be read.
    pub fn read(path: &Path) -> Result<Self, ReadError> {
        let experiment = Experiment::read(path)?;
        let mut measured = Measured::default();
        for kind in ['A', 'T'] {
            if let Some(file) = beside(path, kind) {
                measured.read(&file, &experiment.treatments)?;
            }
        }
        Ok(Self { path: path.to_owned(), experiment, measured })
    }

    /// The trial's code with its crop, such as `UFGA8201MZ` for the file `UFGA8201.MZX`.
    pub fn code(&self) -> String {
        let part = |part: Option<&std::ffi::OsStr>| part.and_then(|part| part.to_str()).unwrap_or_default().to_owned();
        let (stem, crop) = (part(self.path.file_stem()), part(self.path.extension()));
        format!("{stem}{}", crop.chars().take(2).collect::<String>()).to_ascii_uppercase()
    }
}

/// The file beside an experiment file with another last letter, in any case.
fn beside(path: &Path, kind: char) -> Option<PathBuf> {
    let name = path.file_name()?.to_str()?;
    let stem = name.strip_suffix(['X', 'x'])?;
    [kind, kind.to_ascii_lowercase()]
        .into_iter()
        .map(|kind| path.with_file_name(format!("{stem}{kind}")))
        .find(|file| file.is_file())
}

/// The experiment files in a folder and the folders below it, by name. A single experiment file counts as a folder that has only it.
///
/// # Errors
/// There is none.
pub fn find_trials(folder: &Path) -> Result<Vec<PathBuf>, ReadError> {
    if folder.is_file() {
        return Ok(vec![folder.to_owned()]);
    }
    let mut found = files(folder, MAX_DEPTH);
    found.retain(|path| is_experiment(path));
    found.sort();
    if found.is_empty() {
        return Err(ReadError::NoTrial { folder: folder.display().to_string() });
    }
    Ok(found)
}

/// The files of soil profiles in a folder and the folders below it, by name.
pub fn soil_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = files(folder, MAX_DEPTH);
    found.retain(|path| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("sol")));
    found.sort();
    found
}

/// Whether the name of a file has the form `UFGA8201.MZX`.
fn is_experiment(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    extension.len() == 3 && extension.ends_with(['X', 'x']) && extension.chars().all(|c| c.is_ascii_alphanumeric())
}

/// All files in a folder and the folders below it.
pub(super) fn files(folder: &Path, depth: usize) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found = Vec::new();
    for path in entries.map(|entry| entry.path()) {
        match (path.is_dir(), depth) {
            (false, _) => found.push(path),
            (true, 0) => {}
            (true, _) => found.extend(files(&path, depth - 1)),
        }
    }
    found
}

/// The weather files of a field's station for the days from `first` to `last`, in order. They lie anywhere in the folder or below it. A
/// station of eight characters names one file; one of four has a file for each year or for several.
pub fn weather_files(folder: &Path, field: &Field, first: Date, last: Date) -> Vec<PathBuf> {
    let station = field.station.to_ascii_uppercase();
    let short: String = station.chars().take(4).collect();
    let name = |path: &PathBuf| {
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default().to_ascii_uppercase();
        let is_weather = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("wth"));
        is_weather.then_some(stem)
    };
    let mut found: Vec<(i32, PathBuf)> = Vec::new();
    for path in files(folder, MAX_DEPTH) {
        let Some(stem) = name(&path) else { continue };
        // The name has the station, two digits of the first year, and two for the number of years.
        let year = stem.get(4..6).and_then(|year| year.parse::<i32>().ok());
        let Some(year) = year.map(|year| if year <= 35 { 2000 + year } else { 1900 + year }) else { continue };
        let years = stem.get(6..8).and_then(|years| years.parse::<i32>().ok()).unwrap_or(1).max(1);
        let is_of_station = stem.starts_with(&short);
        if is_of_station && year <= last.year && year + years > first.year {
            found.push((year, path));
        }
    }
    let exact =
        found.iter().position(|(_, path)| name(path).as_deref() == Some(&station)).filter(|_| station.len() == 8);
    if let Some(exact) = exact {
        let own = found.remove(exact);
        found.retain(|(year, _)| *year > own.0);
        found.insert(0, own);
    }
    found.sort();
    found.into_iter().map(|(_, path)| path).collect()
}
