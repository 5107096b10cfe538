//! A command's output files: formats by extension, and a check that all files are distinct.

use std::path::{Path as FilePath, PathBuf};

use farm_core::config::{Location, Path, Problem, Problems};

use crate::errors::CommandError;

/// A file format for an option.
pub(crate) struct Format {
    /// The option, or the name of the argument.
    pub option: &'static str,
    /// The subject and the format, as the start of a sentence: `reports are written as HTML`.
    pub sentence: &'static str,
    /// The extensions for its files, with the default first.
    pub endings: &'static [&'static str],
}

impl Format {
    /// Rejects a file whose extension belongs to another format; returns the extension in lower case. A device, or any other path that is
    /// not a regular file, may have no extension. In this case, the format is unknown and the result is empty.
    ///
    /// # Errors
    /// Returns an error with the name, and a valid name as the fix.
    pub(crate) fn check(&self, path: &FilePath) -> Result<String, Problems> {
        let ending = path.extension().map(|end| end.to_string_lossy().to_lowercase()).unwrap_or_default();
        let is_other = ending.is_empty() && path.exists() && !path.is_file();
        if is_other || self.endings.contains(&ending.as_str()) {
            return Ok(ending);
        }
        let message = format!("{}, but `{}` has another extension", self.sentence, path.display());
        let expected = self.endings.iter().map(|end| format!(".{end}")).collect::<Vec<_>>().join(" or ");
        let usual = self.endings.first().copied().unwrap_or_default();
        let instead = match path.to_str() {
            // Standard output contains the results.
            Some("-") => PathBuf::from(format!("FILE.{usual}")),
            _ => path.with_extension(usual),
        };
        let help = format!("{} {}", self.option, instead.display());
        Err(Problems(vec![
            about(self.option, path, message).expected(format!("a name that ends in {expected}")).help(help),
        ]))
    }
}

/// An error about an option's file.
fn about(option: &str, path: &FilePath, message: String) -> Problem {
    let mut problem = Problem::new(CommandError::WrongTarget, Path::default(), message).value(path.display());
    problem.location = Some(Location::new(format!("{option} {}", path.display()), None));
    problem
}

/// Rejects two options that name the same file, after resolving links and folders. Several options may share a device.
///
/// # Errors
/// Returns an error for the second of the two options.
pub(crate) fn check_distinct(targets: &[(&str, Option<PathBuf>)]) -> Result<(), Problems> {
    let mut seen: Vec<(&str, PathBuf)> = Vec::new();
    for (option, path) in targets.iter().filter_map(|(option, path)| Some((*option, path.as_ref()?))) {
        if path.exists() && !path.is_file() && !path.is_dir() {
            continue;
        }
        let real = canonical(path);
        if let Some((other, _)) = seen.iter().find(|(_, known)| *known == real) {
            let message = format!("`{other}` and `{option}` name the same file");
            return Err(Problems(vec![about(option, path, message).expected("different files")]));
        }
        seen.push((option, real));
    }
    Ok(())
}

/// The path without links and `..`, for the part of the path that exists.
fn canonical(path: &FilePath) -> PathBuf {
    if let Ok(real) = path.canonicalize() {
        return real;
    }
    match (path.parent(), path.file_name()) {
        (Some(parent), Some(name)) if parent.as_os_str().is_empty() => canonical(FilePath::new(".")).join(name),
        (Some(parent), Some(name)) => canonical(parent).join(name),
        _ => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_known_by_every_name() {
        let here = std::env::current_dir().unwrap().canonicalize().unwrap();
        for same in ["none.csv", "./none.csv", "src/../none.csv"] {
            assert_eq!(canonical(FilePath::new(same)), here.join("none.csv"), "{same}");
        }
        // Of folders that are not there nothing is known but their names.
        assert_eq!(canonical(FilePath::new("none/deep/a.csv")), here.join("none/deep/a.csv"));
        let both = |one: &str, two: &str| check_distinct(&[("--csv", Some(one.into())), ("--gif", Some(two.into()))]);
        assert!(both("none.csv", "./none.csv").unwrap_err().to_string().contains("`--csv` and `--gif`"));
        assert!(both("none.csv", "none/none.csv").is_ok());
        assert!(both("none.csv", "none.gif").is_ok());
        #[cfg(unix)]
        assert!(both("/dev/null", "/dev/null").is_ok());
    }
}
