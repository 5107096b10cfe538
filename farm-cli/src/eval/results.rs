//! Files of results: `farm eval --results`.

use std::path::Path as FilePath;
use std::time::Instant;

use anyhow::Context as _;
use farm_core::Game;
use farm_core::config::parse_value;
use farm_games::{CatalogueEntry, catalogue};
use farm_output::save;
use farm_results::{MadeBy, PolicyName, ResultsFile};
use serde_json::{Map, Value as Json, json};

use super::{Arguments, PolicyRecord};
use crate::report::command;

/// Writes a file for each policy into a folder; returns where they are. `spent` has the nanoseconds that each took.
///
/// # Errors
/// When one of them can't be written.
pub(super) fn write(
    folder: &FilePath,
    game: &Game,
    arguments: &Arguments,
    records: &[PolicyRecord],
    spent: &[u64],
) -> anyhow::Result<Vec<String>> {
    let mut written = Vec::new();
    for (record, nanoseconds) in records.iter().zip(spent) {
        let file = file(game, arguments, record, *nanoseconds);
        let path = folder.join(file.path());
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).with_context(|| format!("{} can't be made", folder.display()))?;
        }
        save(&path, format!("{:#}\n", file.json()).as_bytes())?;
        written.push(path.display().to_string());
    }
    Ok(written)
}

fn file(game: &Game, arguments: &Arguments, record: &PolicyRecord, nanoseconds: u64) -> ResultsFile {
    let name = game.spec().name();
    let first = arguments.seed;
    ResultsFile {
        source: String::new(),
        game: name.to_owned(),
        game_id: catalogue::entry(&arguments.game.game).map(CatalogueEntry::environment_id),
        fingerprint: game.fingerprint(),
        arguments: changes(arguments),
        policy: PolicyName { name: record.policy.clone(), kind: "named".to_owned(), algo: None, mode: None },
        training_seed: None,
        seeds: (0..record.returns.len() as u64).map(|i| first.wrapping_add(i)).collect(),
        returns: record.returns.clone(),
        made_by: MadeBy {
            command: command(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            machine: machine(),
            // Milliseconds: what lies below them is chance.
            cpu_seconds: (nanoseconds as f64 / 1e6).round() / 1e3,
        },
    }
}

/// How the game was opened.
fn changes(arguments: &Arguments) -> Map<String, Json> {
    let mut changes = Map::new();
    let options = [("preset", arguments.game.preset()), ("level", arguments.game.level.clone())];
    changes.extend(options.into_iter().filter_map(|(key, value)| Some((key.to_owned(), json!(value?)))));
    let value = |text: &str| {
        let parsed = parse_value(text).ok().and_then(|value| serde_json::to_value(value).ok());
        parsed.unwrap_or_else(|| json!(text))
    };
    let set: Map<String, Json> = arguments.game.set.iter().map(|(path, text)| (path.clone(), value(text))).collect();
    if !set.is_empty() {
        changes.insert("set".to_owned(), Json::Object(set));
    }
    changes
}

/// The machine in a few words, those of `farm_gym.train`.
fn machine() -> Map<String, Json> {
    let mut system = std::env::consts::OS.to_owned();
    if let Some(first) = system.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let words = [("system", json!(system)), ("processor", json!(std::env::consts::ARCH)), ("cores", json!(cores))];
    words.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

/// A moment, to tell how much of a processor this thread took since: of Linux, which counts that; elsewhere the time that has passed.
pub(super) struct ProcessorTime {
    taken: Option<u64>,
    clock: Instant,
}

impl ProcessorTime {
    /// Now.
    pub(super) fn now() -> Self {
        Self { taken: Self::taken(), clock: Instant::now() }
    }

    /// Nanoseconds since then.
    pub(super) fn nanoseconds(&self) -> u64 {
        match self.taken.zip(Self::taken()) {
            Some((before, after)) => after.saturating_sub(before),
            None => u64::try_from(self.clock.elapsed().as_nanos()).unwrap_or(u64::MAX),
        }
    }

    /// What this thread took since it began.
    fn taken() -> Option<u64> {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        text.split(' ').next()?.parse().ok()
    }
}
