//! Result files for `--results` in `farm eval` and `farm plan`.

use std::path::Path as FilePath;
use std::time::Instant;

use anyhow::Context as _;
use farm_core::Game;
use farm_core::config::parse_value;
use farm_games::{CatalogueEntry, catalogue};
use farm_output::save;
use farm_results::{MadeBy, PolicyName, ResultsFile};
use serde_json::{Map, Value as Json, json};

use crate::arguments::GameArguments;
use crate::report::command;

/// A policy's result.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Evaluated<'a> {
    /// The policy's name.
    pub policy: &'a str,
    /// The type of policy: `named`, `planned` or `hindsight`.
    pub kind: &'static str,
    /// Its returns, for consecutive seeds.
    pub returns: &'a [f64],
    /// The number of episodes that exceeded one of the game's limits. `None` for games without limits.
    pub over_limit: Option<usize>,
    /// The processor time of the episodes, in nanoseconds.
    pub nanoseconds: u64,
}

/// Writes one file per policy into a folder; returns the paths. `seed` is the seed of the first episode.
///
/// # Errors
/// Fails if a file can't be written.
pub(crate) fn write<'a>(
    folder: &FilePath,
    game: &Game,
    opened: &GameArguments,
    seed: u64,
    policies: impl IntoIterator<Item = Evaluated<'a>>,
) -> anyhow::Result<Vec<String>> {
    let mut written = Vec::new();
    for evaluated in policies {
        let file = file(game, opened, seed, evaluated);
        let path = folder.join(file.path());
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).with_context(|| format!("{} can't be created", folder.display()))?;
        }
        save(&path, file.text().as_bytes())?;
        written.push(path.display().to_string());
    }
    Ok(written)
}

/// The number of episodes that exceeded one of the game's limits, based on their constraint totals. `None` for games without limits.
pub(crate) fn over_limit<'e>(game: &Game, totals: impl IntoIterator<Item = &'e [f64]>) -> Option<usize> {
    let limits: Vec<Option<f64>> = game.constraints().iter().map(|constraint| constraint.limit).collect();
    let is_over =
        |totals: &&[f64]| totals.iter().zip(&limits).any(|(total, limit)| limit.is_some_and(|limit| *total > limit));
    limits.iter().any(Option::is_some).then(|| totals.into_iter().filter(is_over).count())
}

fn file(game: &Game, opened: &GameArguments, seed: u64, evaluated: Evaluated<'_>) -> ResultsFile {
    let Evaluated { policy, kind, returns, over_limit, nanoseconds } = evaluated;
    ResultsFile {
        source: String::new(),
        game: game.spec().name().to_owned(),
        game_id: catalogue::entry(&opened.game).map(CatalogueEntry::environment_id),
        fingerprint: game.fingerprint(),
        arguments: changes(opened),
        policy: PolicyName { name: policy.to_owned(), kind: kind.to_owned(), algo: None, mode: None },
        training_seed: None,
        first_seed: seed,
        returns: returns.to_vec(),
        over_limit,
        made_by: MadeBy {
            command: command(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            machine: machine(),
            // Rounded to milliseconds, because smaller differences are chance.
            cpu_seconds: (nanoseconds as f64 / 1e6).round() / 1e3,
        },
    }
}

/// The options that changed the game.
fn changes(opened: &GameArguments) -> Map<String, Json> {
    let mut changes = Map::new();
    let options = [("preset", opened.preset()), ("level", opened.level.clone()), ("context", opened.context.clone())];
    changes.extend(options.into_iter().filter_map(|(key, value)| Some((key.to_owned(), json!(value?)))));
    let value = |text: &str| {
        let parsed = parse_value(text).ok().and_then(|value| serde_json::to_value(value).ok());
        parsed.unwrap_or_else(|| json!(text))
    };
    let set: Map<String, Json> = opened.set.iter().map(|(path, text)| (path.clone(), value(text))).collect();
    if !set.is_empty() {
        changes.insert("set".to_owned(), Json::Object(set));
    }
    changes
}

/// A short description of the machine, with the same keys as in `farm_gym.train`.
fn machine() -> Map<String, Json> {
    let mut system = std::env::consts::OS.to_owned();
    if let Some(first) = system.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    let cores = crate::arguments::cores();
    let words = [("system", json!(system)), ("processor", json!(std::env::consts::ARCH)), ("cores", json!(cores))];
    words.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

/// A starting point for measuring this thread's processor time. On systems other than Linux, it measures the elapsed time.
pub(crate) struct ProcessorTime {
    taken: Option<u64>,
    clock: Instant,
}

impl ProcessorTime {
    /// Starts measuring now.
    pub(crate) fn now() -> Self {
        Self { taken: Self::taken(), clock: Instant::now() }
    }

    /// The nanoseconds since the start.
    pub(crate) fn nanoseconds(&self) -> u64 {
        match self.taken.zip(Self::taken()) {
            Some((before, after)) => after.saturating_sub(before),
            None => u64::try_from(self.clock.elapsed().as_nanos()).unwrap_or(u64::MAX),
        }
    }

    /// The processor time that this thread has used since it started, on Linux.
    fn taken() -> Option<u64> {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        text.split(' ').next()?.parse().ok()
    }
}

/// The processor time that all threads of this process have used since it started, in nanoseconds with a resolution of 10 ms. `None` on
/// systems other than Linux.
pub(crate) fn taken_by_process() -> Option<u64> {
    const NANOSECONDS: u64 = 10_000_000;
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The second field is a name in parentheses, which may contain spaces. User and system time are the fields 14 and 15.
    let mut fields = text.rsplit(')').next()?.split_whitespace().skip(11);
    let ticks = |field: Option<&str>| field?.parse::<u64>().ok();
    Some((ticks(fields.next())? + ticks(fields.next())?) * NANOSECONDS)
}
