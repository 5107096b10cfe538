//! A run: a folder with a header (`run.json`) and a trace for each episode.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fs::{File, OpenOptions};
use std::io::Read;
use std::path::{Path as FilePath, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use farm_core::Game;
use farm_core::config::{
    Consent, Document, Location, MAX_FILE_BYTES, Origin, ParameterError, Path, Problem, Problems, ReadError, read_text,
};
use farm_games::{LevelFile, Options};
use serde_json::{Map, Value as Json};

use crate::errors::AgentsError;
use crate::header::{EpisodePlan, HEADER, RunHeader};
use crate::limits::{MAX_GAMES, TimeLimit};
use crate::texts::{shortened, visible, visible_json};
use crate::trace::{FORMAT, Trace, hex, not_written};
use crate::{claims, files};

/// The lock file, which a process keeps locked while it plays the run. The file is never replaced, and stays in the folder afterwards.
pub const LOCK: &str = "run.lock";

/// A run's access to resources outside the program.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Access {
    /// Whether the run may name files as games and levels.
    pub files: bool,
    /// Whether game files may load their plugins.
    pub plugins: bool,
    /// Whether games may read files outside their folders.
    pub outside_files: bool,
}

impl Access {
    /// The author of an opened header: a third party, unless the user trusts the run.
    fn origin_of_header(self) -> Origin {
        match self.files {
            true => Origin::OwnFile(Consent { outside_files: self.outside_files, plugins: self.plugins }),
            false => Origin::Stranger,
        }
    }
}

/// A run with its games.
#[derive(Debug)]
pub struct Run {
    folder: PathBuf,
    header: RunHeader,
    access: Access,
    /// The author of the header.
    written_by: Origin,
    kept: Mutex<Kept>,
    /// The time limit for checking it.
    pub(crate) time: TimeLimit,
}

/// The key of one of a run's games: the game and the level that an episode names, if any.
type GameKey = (Option<String>, Option<String>);

/// The most recently used games, with the latest at the end. A run may have any number of worlds, so `Kept` limits the total size of its
/// games. If it no longer has a game, the run compiles it again.
#[derive(Debug, Default)]
struct Kept(Vec<(GameKey, Arc<Game>)>);

impl Kept {
    /// Finds a stored game and makes it the most recent.
    fn find(&mut self, key: &GameKey) -> Option<Arc<Game>> {
        let at = self.0.iter().rposition(|(known, _)| known == key)?;
        let found = self.0.remove(at);
        let game = found.1.clone();
        self.0.push(found);
        Some(game)
    }

    /// Stores a game and drops the least recently used ones.
    fn keep(&mut self, key: GameKey, game: Arc<Game>, most: u64) {
        self.0.push((key, game));
        let mut bytes: u64 = self.0.iter().map(|(_, game)| game.size_in_bytes()).sum();
        let mut left = 0;
        while bytes > most && left + 1 < self.0.len() {
            bytes -= self.0[left].1.size_in_bytes();
            left += 1;
        }
        self.0.drain(..left);
    }
}

impl Run {
    /// Starts a run in a folder, or resumes the run in it.
    ///
    /// # Errors
    /// The folder can't be written, it contains another run, or an episode's game can't be opened.
    pub fn begin(folder: &FilePath, header: RunHeader, access: Access) -> Result<Self, Problems> {
        let (path, is_there) = (folder.join(HEADER), |path: &FilePath| path.symlink_metadata().is_ok());
        // A run that can't be played writes no file.
        let run = if is_there(&path) {
            None
        } else {
            Some(Self::with(folder, header.clone(), access, Origin::User, TimeLimit::default())?)
        };
        std::fs::create_dir_all(folder).map_err(|error| not_written(folder, &error))?;
        // If two processes start a run at the same time, one finds the header of the other.
        let _lock = lock_folder(folder)?;
        match run {
            Some(run) if !is_there(&path) => {
                let text = serde_json::to_string_pretty(&run.header).unwrap_or_default() + "\n";
                let text = visible_json(&text);
                if text.len() as u64 > MAX_FILE_BYTES {
                    let message = "the run has too many episodes for one file";
                    let problem = Problem::new(AgentsError::RunTooLarge, Path::default().child("episodes"), message);
                    let problem = problem.value(run.header.episodes.len());
                    return Err(Problems(vec![problem.help("play them as several runs, each in its own folder")]));
                }
                let saved = farm_output::save(&path, text.as_bytes());
                saved.map_err(|error| not_written(&path, &std::io::Error::other(error.to_string())))?;
                Ok(run)
            }
            _ => {
                let found = read_header(&path)?;
                if let Some(problem) = difference(&path, &found, &header) {
                    return Err(Problems(vec![problem]));
                }
                Self::with(folder, found, access, Origin::User, TimeLimit::default())
            }
        }
    }

    /// Opens a run from its folder or its `run.json`.
    ///
    /// # Errors
    /// The path is not a run; the run names a file without permission; or a game can't be opened, or does not have the run's version.
    pub fn open(path: &FilePath, access: Access) -> Result<Self, Problems> {
        Self::open_until(path, access, TimeLimit::default())
    }

    /// Opens a third-party run, which may have any size. All work on it must finish within the time limit.
    ///
    /// # Errors
    /// As for [`Run::open`], or time ran out.
    pub fn open_within(path: &FilePath, access: Access, time: Duration) -> Result<Self, Problems> {
        Self::open_until(path, access, TimeLimit::of(time))
    }

    fn open_until(path: &FilePath, access: Access, time: TimeLimit) -> Result<Self, Problems> {
        let folder = match path.file_name() {
            Some(name) if name == HEADER && path.is_file() => path.parent().unwrap_or(FilePath::new("")),
            _ => path,
        };
        let header = read_header(&folder.join(HEADER))?;
        Self::with(folder, header, access, access.origin_of_header(), time)
    }

    fn with(
        folder: &FilePath,
        header: RunHeader,
        access: Access,
        written_by: Origin,
        time: TimeLimit,
    ) -> Result<Self, Problems> {
        let path = folder.join(HEADER);
        let at = |path: &FilePath, problem: Problem| located(path, Problems(vec![problem]));
        claims::check(&header).map_err(|problems| located(&path, problems))?;
        let run = Self { folder: folder.to_owned(), header, access, written_by, kept: Mutex::default(), time };
        // The fingerprint identifies the rules of a game, whether or not the game is stored.
        let mut fingerprints: BTreeMap<(Option<&str>, Option<&str>), String> = BTreeMap::new();
        let header = &run.header;
        for (i, plan) in header.episodes.iter().enumerate() {
            let place = Path::default().child("episodes").child(i);
            if header.conduct.lifetime > 1 && plan.level.is_some() {
                let message = "the trials of a lifetime need different worlds, but a level is one world";
                let problem = Problem::new(ParameterError::UnknownChoice, place.child("level"), message);
                let problem = problem.value(visible(plan.level.as_deref().unwrap_or_default()));
                return Err(at(&path, problem.expected("no level: a seed, or a world of a split such as `test/7`")));
            }
            let key = (plan.game.as_deref(), plan.level.as_deref());
            let fingerprint = match fingerprints.entry(key) {
                Entry::Occupied(known) => &*known.into_mut(),
                Entry::Vacant(new) => new.insert(hex(run.game(i)?.fingerprint())),
            };
            if plan.fingerprint != *fingerprint {
                let message = format!(
                    "the run is from another version of `{}`, or from another game with this name: it was played with {}, but this is {}",
                    visible(plan.game.as_ref().unwrap_or(&header.game)),
                    header.version,
                    env!("CARGO_PKG_VERSION")
                );
                let problem = Problem::new(AgentsError::OtherGame, place.child("fingerprint"), message);
                let problem = problem
                    .value(visible(&plan.fingerprint))
                    .expected(format!("{fingerprint}, the fingerprint of the game here"));
                return Err(at(
                    &path,
                    problem.help(
                        "use the version of the program that played the run, or play the run again in another folder",
                    ),
                ));
            }
        }
        Ok(run)
    }

    /// The game of the episode with this index. If the game is no longer stored, the run compiles it again.
    ///
    /// # Errors
    /// The game can't be opened, or time ran out.
    pub fn game(&self, episode: usize) -> Result<Arc<Game>, Problems> {
        let (plan, path) = (&self.header.episodes[episode], self.folder.join(HEADER));
        let key = (plan.game.clone(), plan.level.clone());
        if let Some(game) = self.kept.lock().unwrap_or_else(PoisonError::into_inner).find(&key) {
            return Ok(game);
        }
        self.time.check().map_err(|problems| located(&path, problems))?;
        let game = open_game(&self.header, plan, self.access, self.written_by).map_err(|refused| match refused {
            Refusal::File(name) => {
                let message = "the run names a file, but opening files is not allowed";
                let problem = Problem::new(AgentsError::FilesInTrace, Path::default(), message).value(visible(&name));
                located(&path, Problems(vec![problem.help("pass `--allow-files` if you trust the run")]))
            }
            // Problems of the game have their own location, except for problems of the run.
            Refusal::Game(problems) => located(&path, problems),
        })?;
        let game = Arc::new(game);
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).keep(key, game.clone(), MAX_GAMES);
        Ok(game)
    }

    /// The run's header.
    pub fn header(&self) -> &RunHeader {
        &self.header
    }

    /// Its folder.
    pub fn folder(&self) -> &FilePath {
        &self.folder
    }

    /// The file of an episode's trace.
    pub fn trace_path(&self, plan: &EpisodePlan) -> PathBuf {
        self.folder.join(format!("{}.jsonl", plan.id))
    }

    /// Reads the trace of an episode, up to the last recorded line.
    ///
    /// # Errors
    /// The file is not a trace.
    pub fn trace(&self, plan: &EpisodePlan) -> Result<Trace, Problems> {
        Trace::read(&self.trace_path(plan))
    }

    /// Locks the run, so that no other process plays it while the lock is held.
    ///
    /// # Errors
    /// Another process plays the run.
    pub(crate) fn lock(&self) -> Result<[RunLock; 2], Problems> {
        // Older versions lock the header instead of the lock file.
        let path = self.folder.join(HEADER);
        let header = File::open(&path).map_err(|error| not_written(&path, &error))?;
        Ok([lock_folder(&self.folder)?, RunLock::of(header, &path)?])
    }
}

/// Locks a folder, so that no other process starts or plays a run there while the lock is held. The locked file must never be replaced:
/// processes would otherwise lock different files.
fn lock_folder(folder: &FilePath) -> Result<RunLock, Problems> {
    let path = folder.join(LOCK);
    if path.symlink_metadata().is_ok_and(|there| !there.is_file()) {
        return Err(not_written(&path, &std::io::Error::other("it is not a regular file")));
    }
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
    RunLock::of(file.map_err(|error| not_written(&path, &error))?, &path)
}

/// The lock of a run.
pub(crate) struct RunLock(File);

impl RunLock {
    fn of(file: File, path: &FilePath) -> Result<Self, Problems> {
        match file.try_lock() {
            Ok(()) => Ok(Self(file)),
            Err(std::fs::TryLockError::WouldBlock) => {
                let mut problem =
                    Problem::new(AgentsError::RunIsPlayed, Path::default(), "another process is playing this run");
                problem.location = Some(Location::new(path.display().to_string(), None));
                Err(Problems(vec![problem.help("wait until it ends, or pass another folder")]))
            }
            Err(std::fs::TryLockError::Error(error)) => Err(not_written(path, &error)),
        }
    }
}

impl Drop for RunLock {
    fn drop(&mut self) {
        // Closing the file is not enough: a child process that is starting also holds it until it runs its program.
        let _ = self.0.unlock();
    }
}

/// The reason why a game was not opened.
enum Refusal {
    /// It is a file.
    File(String),
    /// It has problems.
    Game(Problems),
}

fn open_game(header: &RunHeader, plan: &EpisodePlan, access: Access, written_by: Origin) -> Result<Game, Refusal> {
    let game = plan.game.as_ref().unwrap_or(&header.game);
    if !access.files {
        // Names of built-in games and shipped levels are not files.
        let shipped = |level: &str| {
            use farm_games::level::{Split, of_split};
            Split::ALL.iter().any(|split| of_split(game, *split).iter().any(|known| known.source == level))
        };
        if farm_games::is_file(game) {
            return Err(Refusal::File(game.clone()));
        }
        if let Some(level) = plan.level.as_ref().filter(|level| !shipped(level)) {
            return Err(Refusal::File(level.clone()));
        }
    }
    let options = options(header, plan.level.as_deref(), access, written_by).map_err(Refusal::Game)?;
    farm_games::open(game, &options).map_err(Refusal::Game)
}

fn options(header: &RunHeader, level: Option<&str>, access: Access, written_by: Origin) -> Result<Options, Problems> {
    let level: Option<LevelFile> = level.map(|level| farm_games::level::find(&header.game, level)).transpose()?;
    Ok(Options {
        written_by,
        preset: header.preset.clone(),
        context: header.context.clone(),
        level,
        set: header.set.clone(),
        allow_plugins: access.plugins,
        allow_outside_files: access.outside_files,
    })
}

fn read_header(path: &FilePath) -> Result<RunHeader, Problems> {
    let source = path.display().to_string();
    let wrong = |message: String, position: Option<(usize, usize)>| {
        let mut problem = Problem::new(AgentsError::NotATrace, Path::default(), message);
        problem.location = Some(Location::new(source.clone(), position));
        Problems(vec![problem.help("`farm agents play GAME --out RUN` writes a run")])
    };
    let text = header_text(path).map_err(|error| match error {
        // A missing file is reported as everywhere, with a list of the files that exist.
        ReadError::Missing => match read_text(path) {
            Err(problem) => Problems(vec![Problem { location: Some(Location::new(source.clone(), None)), ..*problem }]),
            Ok(_) => wrong("the run was written a moment ago".to_owned(), None),
        },
        error => wrong(format!("the run can't be read: {error}"), None),
    })?;
    let header: RunHeader = serde_json::from_str(&text).map_err(|error| {
        let said = error.to_string();
        let message = format!("this is not a run: {}", shortened(&visible(&said), 300));
        wrong(message, Some((error.line(), error.column().max(1))))
    })?;
    if header.format != FORMAT {
        let found = visible(&header.format).into_owned();
        return Err(wrong(format!("this run is in the format `{}`, not in `{FORMAT}`", shortened(&found, 100)), None));
    }
    Ok(header)
}

/// The text of a header.
fn header_text(path: &FilePath) -> Result<String, ReadError> {
    let mut text = String::new();
    let file = files::open(path, MAX_FILE_BYTES)?.ok_or(ReadError::Missing)?;
    file.take(MAX_FILE_BYTES).read_to_string(&mut text).map_err(ReadError::System)?;
    Ok(text)
}

/// Adds locations in the header to problems. Quotations from the header are shown on one line, without hidden characters.
pub(crate) fn located(path: &FilePath, mut problems: Problems) -> Problems {
    let source = path.display().to_string();
    for problem in &mut problems.0 {
        problem.message = shortened(&visible(&problem.message), 1000).into_owned();
        problem.value = problem.value.take().map(|value| visible(&value).into_owned());
    }
    // A new run has no file yet.
    if path.symlink_metadata().is_err() {
        return problems;
    }
    // Headers are JSON, which is also YAML. If a header can't be parsed, the location is only the file.
    if let Some(document) = header_text(path).ok().and_then(|text| Document::parse(&source, &text).ok()) {
        problems = document.locate(problems);
    }
    for problem in problems.0.iter_mut().filter(|problem| problem.location.is_none()) {
        problem.location = Some(Location::new(source.clone(), None));
    }
    problems
}

/// The first difference between the existing run and the requested run.
fn difference(path: &FilePath, found: &RunHeader, wanted: &RunHeader) -> Option<Problem> {
    if found.digest() == wanted.digest() {
        return None;
    }
    let entries = |header: &RunHeader| match serde_json::to_value(header) {
        Ok(Json::Object(map)) => map,
        _ => Map::new(),
    };
    let (found, wanted) = (entries(found), entries(wanted));
    let differs = |key: &&String| !["version", "prices"].contains(&key.as_str()) && found.get(*key) != wanted.get(*key);
    let key = wanted.keys().find(differs)?;
    let message = format!("the folder contains a run with a different `{key}`");
    let mut problem = Problem::new(AgentsError::OtherRun, Path::default().child(key), message);
    problem.location = Some(Location::new(path.display().to_string(), None));
    let shown = |map: &Map<String, Json>| {
        let text = map.get(key).map(Json::to_string).unwrap_or_default();
        shortened(&visible(&text), 300).into_owned()
    };
    let problem = problem.value(shown(&found)).expected(shown(&wanted));
    Some(problem.help("pass another folder, or the arguments that started the run"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_of_games_is_bounded_by_its_bytes() {
        let game = Arc::new(farm_games::open("backwards_valley", &Options::default()).unwrap());
        let key = |name: &str| (Some(name.to_owned()), None);
        let (mut kept, most) = (Kept::default(), 2 * game.size_in_bytes());
        for name in ["a", "b", "c"] {
            kept.keep(key(name), game.clone(), most);
        }
        assert!(kept.find(&key("a")).is_none() && kept.find(&key("b")).is_some());
        // That which was asked for last stays, and one that is too large alone.
        kept.keep(key("d"), game.clone(), most);
        assert!(kept.find(&key("c")).is_none() && kept.find(&key("b")).is_some());
        kept.keep(key("e"), game, 1);
        assert_eq!(kept.0.len(), 1);
    }
}
