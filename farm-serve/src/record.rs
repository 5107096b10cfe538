//! `--record DIR`: records episodes as JSON Lines, one file per episode.
//!
//! Each line goes to the operating system before the server answers the step, so a killed program loses at most the step in progress. If a
//! line can't be written, the episode ends: the client gets an error, and `/health` reports the failure. After the end of an episode that an
//! agent played with tools, a line with its score follows.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use farm_core::{Game, Outcome};
use farm_output::{OutputError, check_target};
use serde_json::{Value as Json, json};

use crate::episode::{Choice, Episode, hex};
use crate::errors::{RecordError, ServeError};
use crate::score::{Job, Scorer};

/// A folder for recorded episodes.
#[derive(Debug, Clone)]
pub(crate) struct Recorder {
    folder: Arc<Path>,
    /// The file name prefix for this run of the program.
    begun: u64,
    count: Arc<AtomicU64>,
    /// The error from the last episode that could not be recorded; `None` after another episode has started.
    failure: Arc<Mutex<Option<String>>>,
    scorer: Arc<Scorer>,
}

impl Recorder {
    /// Creates the folder if it does not exist, and checks that it is writable.
    ///
    /// # Errors
    /// The folder can't be created or written to.
    pub(crate) fn new(folder: PathBuf) -> Result<Self, ServeError> {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let begun = u64::try_from(since.as_millis()).unwrap_or(u64::MAX);
        let refused = |error| ServeError::Record { folder: folder.clone(), error };
        std::fs::create_dir_all(&folder).map_err(refused)?;
        check_target(&file(&folder, begun, 0)).map_err(|error| match error {
            OutputError::Write { error, .. } => refused(error),
            other => refused(io::Error::other(other)),
        })?;
        Ok(Self {
            folder: folder.into(),
            begun,
            count: Arc::default(),
            failure: Arc::default(),
            scorer: Arc::default(),
        })
    }

    /// Starts an episode's file.
    ///
    /// # Errors
    /// The file can't be created or written to.
    pub(crate) fn begin(&self, game: &str, episode: &Episode) -> Result<EpisodeRecord, RecordError> {
        let start = episode.start();
        let environment = episode.environment();
        let mut record = self.create(environment.game().clone(), start.seed)?;
        record.write(&json!({
            "type": "episode",
            "game": game,
            "fingerprint": hex(environment.game().fingerprint()),
            "seed": start.seed,
            "form": start.form.name(),
            "rules": start.rules.name(),
            "branches": start.branches,
            "state_hash": hex(environment.state().hash()),
        }))?;
        *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = None;
        Ok(record)
    }

    /// Creates the next episode's file.
    fn create(&self, game: Arc<Game>, seed: u64) -> Result<EpisodeRecord, RecordError> {
        let number = self.count.fetch_add(1, Ordering::Relaxed);
        let path = file(&self.folder, self.begun, number);
        let created = OpenOptions::new().write(true).create_new(true).open(&path);
        let file = created.map_err(|error| self.failed(&path, error))?;
        let recorder = self.clone();
        Ok(EpisodeRecord {
            recorder,
            path,
            file: Ok(file),
            length: 0,
            steps: 0,
            total: 0.0,
            game,
            seed,
            wants_score: false,
        })
    }

    /// The error from the last episode that could not be recorded; `None` if another episode has started since.
    pub(crate) fn failure(&self) -> Option<String> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Stores an error, so that it can be queried later.
    fn failed(&self, path: &Path, error: io::Error) -> RecordError {
        tracing::error!(path = %path.display(), %error, "an episode can't be recorded");
        let error = RecordError(Arc::new(error));
        *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error.to_string());
        error
    }
}

/// The path of an episode's file.
fn file(folder: &Path, begun: u64, number: u64) -> PathBuf {
    folder.join(format!("{begun}-{number:06}.jsonl"))
}

/// An episode's file.
#[derive(Debug)]
pub(crate) struct EpisodeRecord {
    recorder: Recorder,
    path: PathBuf,
    /// `Err(None)` after the episode has ended, `Err(Some(…))` after a write error.
    file: Result<File, Option<RecordError>>,
    /// The total size of the complete lines, in bytes.
    length: u64,
    steps: u64,
    total: f64,
    game: Arc<Game>,
    seed: u64,
    /// Whether the score follows the end.
    wants_score: bool,
}

impl EpisodeRecord {
    /// Adds a step.
    ///
    /// # Errors
    /// The line, or an earlier one, can't be written.
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

    /// Adds a return to an earlier turn: the number of lines for steps and returns up to that turn.
    ///
    /// # Errors
    /// The line, or an earlier one, can't be written.
    pub(crate) fn branch(&mut self, turn: usize, episode: &Episode, is_over: bool) -> Result<(), RecordError> {
        (self.steps, self.total) = (episode.steps(), episode.total());
        self.write(
            &json!({ "type": "branch", "turn": turn, "state_hash": hex(episode.environment().state().hash()) }),
        )?;
        if is_over { self.end() } else { Ok(()) }
    }

    /// A file with the same lines so far.
    ///
    /// # Errors
    /// The file can't be copied.
    pub(crate) fn fork(&self) -> Result<Self, RecordError> {
        let mut fork = self.recorder.create(self.game.clone(), self.seed)?;
        let copied = std::fs::read(&self.path).and_then(|mut lines| {
            // The score that may follow belongs to this record alone.
            lines.truncate(usize::try_from(self.length).unwrap_or(usize::MAX));
            if let Ok(file) = &mut fork.file {
                file.write_all(&lines)?;
            }
            Ok(())
        });
        copied.map_err(|error| self.recorder.failed(&fork.path, error))?;
        (fork.length, fork.steps, fork.total, fork.wants_score) =
            (self.length, self.steps, self.total, self.wants_score);
        if self.file.is_err() {
            fork.file = Err(None);
        }
        Ok(fork)
    }

    /// Lets the score follow the end.
    pub(crate) fn wants_score(&mut self) {
        self.wants_score = true;
    }

    /// Records the end of the episode.
    ///
    /// # Errors
    /// The line, or an earlier one, can't be written.
    pub(crate) fn end(&mut self) -> Result<(), RecordError> {
        if matches!(self.file, Err(None)) {
            return Ok(());
        }
        self.write(&json!({ "type": "end", "steps": self.steps, "return": self.total }))?;
        self.file = Err(None);
        if self.wants_score {
            let (game, path) = (self.game.clone(), self.path.clone());
            self.recorder.scorer.later(Job { game, path, seed: self.seed, total: self.total });
        }
        Ok(())
    }

    /// Checks that the entire episode so far is recorded.
    ///
    /// # Errors
    /// An earlier line could not be written.
    pub(crate) fn check(&self) -> Result<(), RecordError> {
        match &self.file {
            Err(Some(failure)) => Err(failure.clone()),
            _ => Ok(()),
        }
    }

    /// Writes a complete line or nothing.
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
        // Half a line would make the file unreadable.
        let _ = file.set_len(self.length);
        let error = self.recorder.failed(&self.path, error);
        self.file = Err(Some(error.clone()));
        Err(error)
    }
}

/// The end of a session ends its record. The error is logged; the client is gone.
impl Drop for EpisodeRecord {
    fn drop(&mut self) {
        if self.check().is_ok() {
            let _ = self.end();
        }
    }
}
