//! Games to record, and folders to write into.

use std::fs;
use std::path::PathBuf;

use farm_core::Game;
use farm_games::{Options, open};
use farm_monitor::{Recorder, Row, Series};

/// A game of the catalogue with this list of monitors.
pub fn game(name: &str, preset: Option<&str>, monitoring: &str) -> Game {
    let set = if monitoring.is_empty() { Vec::new() } else { vec![("monitoring".to_owned(), monitoring.to_owned())] };
    let options = Options { preset: preset.map(str::to_owned), set, ..Options::default() };
    open(name, &options).unwrap_or_else(|problems| panic!("{problems}"))
}

/// Plays episodes of at most `steps` steps without doing anything; their rows.
pub fn rows(game: &Game, episodes: u64, steps: usize) -> (Vec<Series>, Vec<Row>) {
    let mut recorder = Recorder::of(game);
    let (mut state, mut record) = (game.new_state(), game.new_record());
    let mut rows = Vec::new();
    for seed in 0..episodes {
        game.reset(&mut state, seed, &mut record);
        rows.push(recorder.start(game, &state).clone());
        for _ in 0..steps {
            let outcome = game.step(&mut state, game.catalogue.waiting(), &mut record).expect("the episode goes on");
            rows.push(recorder.step(game, &state, &record, &outcome).clone());
            if outcome.over() {
                break;
            }
        }
    }
    (recorder.series().to_vec(), rows)
}

/// A folder of one test alone, taken away with it.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("farm-monitor-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }

    /// The names in it, sorted.
    pub fn names(&self) -> Vec<String> {
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
