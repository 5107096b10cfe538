//! `--record DIR`: what is played, as JSON lines, a file for each episode.
//!
//! Each line is handed to the system before its step is answered, so that a program that is killed loses the step in flight at most. An episode
//! of which a line can't be written ends there: its client is told, and so is whoever asks for `/health`.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use farm_core::Outcome;
use farm_output::{OutputError, check_target};
use serde_json::{Value as Json, json};

use crate::episode::{Choice, Episode};
use crate::errors::ServeError;
use crate::openenv::hex;

/// A folder in which episodes are recorded.
#[derive(Debug, Clone)]
pub(crate) struct Recorder {
    folder: Arc<Path>,
    /// What the files of this run of the program begin with.
    begun: u64,
    count: Arc<AtomicU64>,
    /// Why the last episode that failed could not be recorded; none once another one has begun.
    failure: Arc<Mutex<Option<String>>>,
}

/// Why an episode is not recorded, and therefore not played on. Clients read it: where the file is stands in the log alone.
#[derive(Debug, Clone, thiserror::Error)]
#[error("the record of an episode can't be written: {0}; the episode has ended")]
pub(crate) struct RecordError(Arc<io::Error>);

impl Recorder {
    /// Makes the folder, if it is not there, and finds out whether it takes files.
    ///
    /// # Errors
    /// A folder that can't be made or written to.
    pub(crate) fn new(folder: PathBuf) -> Result<Self, ServeError> {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let begun = u64::try_from(since.as_millis()).unwrap_or(u64::MAX);
        let refused = |error| ServeError::Record { folder: folder.clone(), error };
        std::fs::create_dir_all(&folder).map_err(refused)?;
        check_target(&file(&folder, begun, 0)).map_err(|error| match error {
            OutputError::Write { error, .. } => refused(error),
            other => refused(io::Error::other(other)),
        })?;
        Ok(Self { folder: folder.into(), begun, count: Arc::default(), failure: Arc::default() })
    }

    /// Begins the file of an episode.
    ///
    /// # Errors
    /// A file that can't be created or takes no line.
    pub(crate) fn begin(&self, game: &str, episode: &Episode) -> Result<EpisodeRecord, RecordError> {
        let number = self.count.fetch_add(1, Ordering::Relaxed);
        let path = file(&self.folder, self.begun, number);
        let created = OpenOptions::new().write(true).create_new(true).open(&path);
        let file = created.map_err(|error| self.failed(&path, error))?;
        let start = episode.start();
        let environment = episode.environment();
        let mut record =
            EpisodeRecord { recorder: self.clone(), path, file: Ok(file), length: 0, steps: 0, total: 0.0 };
        record.write(&json!({
            "type": "episode",
            "game": game,
            "fingerprint": hex(environment.game().fingerprint()),
            "seed": start.seed,
            "form": start.form.name(),
            "rules": start.rules.name(),
            "state_hash": hex(environment.state().hash()),
        }))?;
        *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = None;
        Ok(record)
    }

    /// Why the last episode that failed could not be recorded; none if another one has begun since.
    pub(crate) fn failure(&self) -> Option<String> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Notes an error for whoever asks for it.
    fn failed(&self, path: &Path, error: io::Error) -> RecordError {
        tracing::error!(path = %path.display(), %error, "an episode can't be recorded");
        let error = RecordError(Arc::new(error));
        *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error.to_string());
        error
    }
}

/// The file of an episode.
fn file(folder: &Path, begun: u64, number: u64) -> PathBuf {
    folder.join(format!("{begun}-{number:06}.jsonl"))
}

/// The file of an episode.
#[derive(Debug)]
pub(crate) struct EpisodeRecord {
    recorder: Recorder,
    path: PathBuf,
    /// None once the episode has ended; why it could not be written.
    file: Result<File, Option<RecordError>>,
    /// Bytes of the lines that are whole.
    length: u64,
    steps: u64,
    total: f64,
}

impl EpisodeRecord {
    /// Adds a step.
    ///
    /// # Errors
    /// A line that can't be written, now or before.
    pub(crate) fn step(&mut self, choice: &Choice, outcome: Outcome, episode: &Episode) -> Result<(), RecordError> {
        (self.steps, self.total) = (episode.steps(), episode.total());
        self.write(&json!({
            "type": "step",
            "action": choice.to_json(),
            "reward": outcome.reward,
            "terminated": outcome.terminated,
            "truncated": outcome.truncated,
            "state_hash": hex(episode.environment().state().hash()),
        }))?;
        if outcome.over() { self.end() } else { Ok(()) }
    }

    /// Says that the episode has no further steps.
    ///
    /// # Errors
    /// A line that can't be written, now or before.
    pub(crate) fn end(&mut self) -> Result<(), RecordError> {
        self.write(&json!({ "type": "end", "steps": self.steps, "return": self.total }))?;
        self.file = Err(None);
        Ok(())
    }

    /// Whether all of the episode has been written so far.
    ///
    /// # Errors
    /// Why it has not.
    pub(crate) fn check(&self) -> Result<(), RecordError> {
        match &self.file {
            Err(Some(failure)) => Err(failure.clone()),
            _ => Ok(()),
        }
    }

    /// Writes a line, or nothing of it.
    fn write(&mut self, line: &Json) -> Result<(), RecordError> {
        let file = match &mut self.file {
            Ok(file) => file,
            Err(failure) => return failure.clone().map_or(Ok(()), Err),
        };
        let line = format!("{line}\n");
        let Err(error) = file.write_all(line.as_bytes()) else {
            self.length += line.len() as u64;
            return Ok(());
        };
        // Half a line would keep others from reading the lines before it.
        let _ = file.set_len(self.length);
        let error = self.recorder.failed(&self.path, error);
        self.file = Err(Some(error.clone()));
        Err(error)
    }
}
