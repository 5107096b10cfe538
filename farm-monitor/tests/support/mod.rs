//! Games to record, and folders to write into.

use std::fs;
use std::path::PathBuf;

use farm_core::action::Call;
use farm_core::{Agent, EpisodeRunner, Game, State};
use farm_games::{Options, open};
use farm_monitor::{Recorder, Row, RowObserver, Series};

/// A game of the catalogue with this list of monitors.
pub(crate) fn game(name: &str, preset: Option<&str>, monitoring: &str) -> Game {
    let set = if monitoring.is_empty() { Vec::new() } else { vec![("monitoring".to_owned(), monitoring.to_owned())] };
    let options = Options { preset: preset.map(str::to_owned), set, ..Options::default() };
    open(name, &options).unwrap_or_else(|problems| panic!("{problems}"))
}

/// Plays episodes of at most `steps` steps without doing anything; their rows.
pub(crate) fn rows(game: &Game, episodes: u64, steps: usize) -> (Vec<Series>, Vec<Row>) {
    let mut observer = RowObserver::new(Recorder::of(game), Vec::new());
    let mut runner = EpisodeRunner::new(game);
    for seed in 0..episodes {
        runner.start(&mut Waiting, seed, &mut observer).expect("an episode");
        for _ in 0..steps {
            if runner.advance(&mut Waiting, &mut observer).expect("the episode goes on").over() {
                break;
            }
        }
    }
    (observer.recorder().series().to_vec(), observer.sink().clone())
}

/// Who does nothing.
pub(crate) struct Waiting;

impl Agent for Waiting {
    fn start(&mut self, _: u64) {}

    fn choose(&mut self, game: &Game, _: &State, schedule: &mut Vec<Call>) {
        schedule.extend_from_slice(game.catalogue().waiting());
    }
}

/// A folder of one test alone, taken away with it.
pub(crate) struct Folder(pub PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("farm-monitor-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }

    /// The names in it, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).expect("the folder");
        let mut names: Vec<String> =
            entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
