//! `--record DIR`: what is played, as JSON lines, a file for each episode.
//!
//! Each line is handed to the system before its step is answered, so that a program that is killed loses the step in flight at most.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use farm_core::Outcome;
use serde_json::{Value as Json, json};

use crate::episode::{Choice, Episode};
use crate::openenv::hex;

/// A folder in which episodes are recorded.
#[derive(Debug, Clone)]
pub(crate) struct Recorder {
    folder: Arc<Path>,
    /// What the files of this run of the program begin with.
    begun: u64,
    count: Arc<AtomicU64>,
}

impl Recorder {
    /// Makes the folder, if it is not there.
    ///
    /// # Errors
    /// A folder that can't be made.
    pub(crate) fn new(folder: PathBuf) -> io::Result<Self> {
        std::fs::create_dir_all(&folder)?;
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let begun = u64::try_from(since.as_millis()).unwrap_or(u64::MAX);
        Ok(Self { folder: folder.into(), begun, count: Arc::default() })
    }

    /// Begins the file of an episode; none where that can't be done, which is logged.
    pub(crate) fn begin(&self, game: &str, episode: &Episode) -> Option<EpisodeRecord> {
        let number = self.count.fetch_add(1, Ordering::Relaxed);
        let path = self.folder.join(format!("{}-{number:06}.jsonl", self.begun));
        let file = OpenOptions::new().write(true).create_new(true).open(&path);
        let file = file
            .map_err(|error| tracing::error!(path = %path.display(), %error, "an episode can't be recorded"))
            .ok()?;
        let start = episode.start();
        let environment = episode.environment();
        let mut record = EpisodeRecord { file: Some(file), steps: 0, total: 0.0 };
        record.write(&json!({
            "type": "episode",
            "game": game,
            "fingerprint": hex(environment.game().fingerprint()),
            "seed": start.seed,
            "form": start.form.name(),
            "rules": start.rules.name(),
            "state_hash": hex(environment.state().hash()),
        }));
        Some(record)
    }
}

/// The file of an episode.
#[derive(Debug)]
pub(crate) struct EpisodeRecord {
    /// None once it has ended, or could not be written.
    file: Option<File>,
    steps: u64,
    total: f64,
}

impl EpisodeRecord {
    /// Adds a step.
    pub(crate) fn step(&mut self, choice: &Choice, outcome: Outcome, episode: &Episode) {
        (self.steps, self.total) = (episode.steps(), episode.total());
        self.write(&json!({
            "type": "step",
            "action": choice.to_json(),
            "reward": outcome.reward,
            "terminated": outcome.terminated,
            "truncated": outcome.truncated,
            "state_hash": hex(episode.environment().state().hash()),
        }));
        if outcome.over() {
            self.end();
        }
    }

    /// Says that the episode has no further steps.
    pub(crate) fn end(&mut self) {
        self.write(&json!({ "type": "end", "steps": self.steps, "return": self.total }));
        self.file = None;
    }

    fn write(&mut self, line: &Json) {
        let Some(file) = &mut self.file else { return };
        if let Err(error) = file.write_all(format!("{line}\n").as_bytes()) {
            tracing::error!(%error, "an episode is no longer recorded");
            self.file = None;
        }
    }
}
