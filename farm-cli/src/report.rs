//! The page about an episode for `farm run --report`.

use std::path::{Path as FilePath, PathBuf};

use farm_output::{check_target, save};
use farm_report::{EpisodeLine, Report, Run, compare};

use crate::arguments::GameArguments;
use crate::episode::Episode;
use crate::film::save_as;
use crate::targets::Format;

const FORMAT: Format =
    Format { option: "--report", sentence: "reports are written as HTML", endings: &["html", "htm"] };

/// A report's output file.
#[derive(Debug)]
pub(crate) struct ReportFile(PathBuf);

impl ReportFile {
    /// The file given to `--report`.
    ///
    /// # Errors
    /// Fails if the format is not HTML, or if the path can't be written. Where possible, this is checked before anything is played.
    pub(crate) fn open(path: &FilePath) -> anyhow::Result<Self> {
        FORMAT.check(path)?;
        check_target(path)?;
        Ok(Self(path.to_owned()))
    }

    /// Writes the page. If the run was interrupted, the page gets the name of an incomplete file. Returns the path.
    ///
    /// # Errors
    /// Fails if a picture can't be encoded, or if the file can't be written.
    pub(crate) fn save(&self, report: Report, episodes: &[EpisodeLine], is_whole: bool) -> anyhow::Result<PathBuf> {
        Ok(save_as(&self.0, report.page(episodes)?.as_bytes(), is_whole)?)
    }

    /// Writes a page that compares several episodes; returns the path.
    ///
    /// # Errors
    /// Fails if a picture can't be encoded, or if the file can't be written.
    pub(crate) fn save_comparison(self, reports: Vec<Report>) -> anyhow::Result<PathBuf> {
        save(&self.0, compare(reports)?.as_bytes())?;
        Ok(self.0)
    }
}

/// The run's description in a report.
pub(crate) fn run(arguments: &GameArguments, policy: &str) -> Run {
    Run {
        preset: arguments.preset(),
        policy: policy.to_owned(),
        command: command(),
        is_whole: true,
        version: format!("farm {}", env!("CARGO_PKG_VERSION")),
        language: crate::invocation::language(),
    }
}

/// The command line for this call.
pub(crate) fn command() -> String {
    let (program, words) = crate::invocation::noted();
    let words = words.iter().map(|word| quoted(&word.to_string_lossy()));
    std::iter::once(program).chain(words).collect::<Vec<_>>().join(" ")
}

/// An episode's description in a report.
pub(crate) fn line(episode: &Episode) -> EpisodeLine {
    let Episode { seed, total, steps, state_hash, .. } = *episode;
    EpisodeLine { seed, total, steps, stop: episode.stop.clone(), state_hash }
}

/// Quotes a word for a shell if necessary.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_for_a_shell() {
        assert_eq!(quoted("fields.Field-0.shape.length#nb=4"), "'fields.Field-0.shape.length#nb=4'");
        assert_eq!(quoted("--seed"), "--seed");
        assert_eq!(quoted("it's"), "'it'\\''s'");
    }
}
