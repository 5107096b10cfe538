//! Scores of recorded episodes. They need a plan of the world, which may take seconds, so another thread computes them.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use farm_agents::Baseline;
use farm_core::Game;
use serde_json::{Value as Json, json};

/// The time for scores that are still to be computed when the program ends.
const TIME_AT_END: Duration = Duration::from_secs(30);

/// An episode that has ended: its world, its return and its file.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) game: Arc<Game>,
    pub(crate) path: PathBuf,
    pub(crate) seed: u64,
    pub(crate) total: f64,
}

/// Appends scores to files, one after the other.
#[derive(Debug, Default)]
pub(crate) struct Scorer(Mutex<Option<Worker>>);

#[derive(Debug)]
struct Worker {
    jobs: Option<Sender<Job>>,
    is_late: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Scorer {
    /// Appends a score as soon as it is computed.
    pub(crate) fn later(&self, job: Job) {
        let mut worker = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if worker.is_none() {
            *worker = Worker::start();
        }
        if let Some(jobs) = worker.as_ref().and_then(|worker| worker.jobs.as_ref()) {
            // The thread ends only after this sender.
            let _ = jobs.send(job);
        }
    }
}

impl Worker {
    fn start() -> Option<Self> {
        let (jobs, received) = channel();
        let is_late = Arc::<AtomicBool>::default();
        let late = is_late.clone();
        let work = move || work(&received, &late);
        match std::thread::Builder::new().name("score".to_owned()).spawn(work) {
            Ok(thread) => Some(Self { jobs: Some(jobs), is_late, thread: Some(thread) }),
            Err(error) => {
                tracing::warn!(%error, "episodes can't be scored");
                None
            }
        }
    }
}

/// Waits for the scores that are still to be computed, but not for long.
impl Drop for Worker {
    fn drop(&mut self) {
        self.jobs = None;
        let Some(thread) = self.thread.take() else { return };
        let begun = std::time::Instant::now();
        while !thread.is_finished() {
            if begun.elapsed() > TIME_AT_END {
                self.is_late.store(true, Ordering::Relaxed);
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

fn work(jobs: &Receiver<Job>, is_late: &AtomicBool) {
    for job in jobs {
        if is_late.load(Ordering::Relaxed) {
            return;
        }
        let line = match score(&job) {
            Ok(line) => line,
            Err(error) => {
                tracing::warn!(path = %job.path.display(), %error, "an episode can't be scored");
                continue;
            }
        };
        let appended = OpenOptions::new().append(true).open(&job.path);
        let appended = appended.and_then(|mut file| file.write_all(format!("{line}\n").as_bytes()));
        if let Err(error) = appended {
            tracing::warn!(path = %job.path.display(), %error, "a score can't be written");
        }
    }
}

/// The line with an episode's score: its share of the possible gain over waiting. `best` and `score` are null if no best return is known.
fn score(job: &Job) -> Result<Json, farm_core::PlayError> {
    let baseline = Baseline::of(&job.game, job.seed)?;
    Ok(json!({
        "type": "score",
        "waiting": baseline.waiting,
        "best": baseline.best.map(|best| best.value),
        "best_is": baseline.best.map(|best| best.kind.name()),
        "score": baseline.score(job.total),
    }))
}
