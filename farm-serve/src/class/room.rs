//! The class in memory: its season, its file, and what the teacher changes.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use farm_core::Game;
use tokio::sync::Semaphore;

use super::address::{ClassAddress, ClassSettings};
use super::errors::ClassError;
use super::file::{Kept, KeptPupil, Now};
use super::names::{self, MAX_CLASS_NAME};
use crate::episode::{Choice as Played, Start};
use crate::errors::ServeError;
use crate::game::Served;
use crate::keys::{Keys, drawn};
use crate::playground::{Choice, Looks, PlaceRequest, Shared, Summary, answers};
use crate::session::{Held, Session, lock};
use crate::sessions::Sessions;
use crate::tally::Tally;

/// The maximum number of pupils.
pub(super) const MAX_PUPILS: usize = 64;
/// The time between two writes of the file.
const PAUSE: Duration = Duration::from_secs(1);

/// What a class shares with its server.
#[derive(Debug)]
pub(crate) struct Tables {
    pub(crate) playground: Shared,
    pub(crate) sessions: Arc<Sessions>,
    pub(crate) tally: Arc<Tally>,
}

/// A class.
#[derive(Debug)]
pub(crate) struct Room {
    pub(super) tables: Tables,
    file: PathBuf,
    address: OnceLock<ClassAddress>,
    class: Mutex<Class>,
    /// Verdicts play many seasons, so pupils who still play come first.
    pub(super) judging: Semaphore,
}

/// The class's data. Each field is set as a whole, so a panic elsewhere leaves it valid.
#[derive(Debug)]
pub(super) struct Class {
    pub(super) kept: Kept,
    pub(super) pupils: Vec<Pupil>,
    pub(super) game: Arc<Game>,
    /// Whether the file contains everything, and why it does not.
    pub(super) is_saved: bool,
    pub(super) trouble: Option<String>,
}

/// A pupil.
#[derive(Debug)]
pub(super) struct Pupil {
    pub(super) id: u64,
    pub(super) nickname: String,
    pub(super) keys: Keys,
    pub(super) held: Held,
    pub(super) actions: Vec<String>,
    pub(super) summary: Summary,
    /// The most that a finished season earned.
    pub(super) best: Option<f64>,
    pub(super) seen: Option<Instant>,
    /// A pupil's requests are answered one at a time.
    pub(super) turn: Arc<tokio::sync::Mutex<()>>,
}

impl Room {
    /// Opens a class, or continues it if its file exists. A new class has the first game with plots.
    ///
    /// # Errors
    /// The name is not valid, the file can't be read or written, the game has problems, or no game has plots.
    pub(crate) fn open(settings: &ClassSettings, tables: Tables) -> Result<Self, ServeError> {
        let wrong = |reason: String| ServeError::Class { file: settings.file.clone(), reason };
        let name = names::name(&settings.name, MAX_CLASS_NAME)
            .map_err(|problem| wrong(format!("the name of the class: {problem}")))?;
        let random = |_| wrong("the system provides no random numbers".to_owned());
        let kept = match Kept::read(&settings.file).map_err(wrong)? {
            Some(kept) if !names::is_same(&kept.name, &name) => {
                return Err(wrong(format!(
                    "the file belongs to the class `{}`; pass another `--class-file`",
                    kept.name
                )));
            }
            Some(kept) => kept,
            None => {
                let choice = answers::first_farm(&tables.playground).ok_or_else(|| {
                    wrong("a class needs a game with plots, such as `clay_bean`: pass its name".to_owned())
                })?;
                Kept::new(name, names::drawn_code().map_err(random)?, drawn().map_err(random)?, choice)
            }
        };
        let game = answers::farm(&tables.playground, &kept.game).map_err(|error| wrong(error.to_string()))?;
        let fingerprint = format!("{:016x}", game.fingerprint());
        if !kept.pupils.is_empty() && kept.fingerprint != fingerprint {
            let name = &kept.game.name;
            return Err(wrong(format!("`{name}` has changed since the class played it; pass another `--class-file`")));
        }
        let class =
            Class { kept: Kept { fingerprint, ..kept }, pupils: Vec::new(), game, is_saved: false, trouble: None };
        let room = Self {
            tables,
            file: settings.file.clone(),
            address: OnceLock::new(),
            class: Mutex::new(class),
            judging: Semaphore::new(1),
        };
        let pupils = std::mem::take(&mut room.class().kept.pupils);
        for pupil in pupils.into_iter().take(MAX_PUPILS) {
            room.take_back(pupil).map_err(|error| wrong(error.to_string()))?;
        }
        // A file that can't be written is an error now, not in the middle of the lesson.
        room.save().map_err(wrong)?;
        Ok(room)
    }

    /// Sets the addresses on a server at `host` with a port.
    pub(crate) fn listens_on(&self, host: &str) -> ClassAddress {
        let class = self.class();
        self.address.get_or_init(|| ClassAddress::new(host, &class.kept.code, &class.kept.secret)).clone()
    }

    /// The pupils' address.
    pub(super) fn address(&self) -> &str {
        self.address.get().map_or("", |address| &address.pupils)
    }

    /// The teacher's secret.
    pub(crate) fn secret(&self) -> String {
        self.class().kept.secret.clone()
    }

    pub(super) fn class(&self) -> MutexGuard<'_, Class> {
        self.class.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a pupil from the file, and plays the pupil's season again.
    fn take_back(&self, kept: KeptPupil) -> Result<(), ClassError> {
        let (start, mut session) = self.class().session(&self.tables);
        let mut actions = Vec::new();
        session.begin(start)?;
        for line in kept.actions {
            // A season ends at an action that this version can't play.
            if session.step(&Played::Text(line.clone())).is_err() {
                break;
            }
            actions.push(line);
        }
        let held = self.tables.sessions.open_as(session, &kept.keys, &self.tables.tally)?;
        let game = self.class().kept.game.clone();
        let request =
            PlaceRequest { game, seed: start.seed, actions, looks: Looks::Learner, hint: None, details: false };
        let place = answers::place_now(&self.tables.playground, &request)?;
        let KeptPupil { id, nickname, keys, best, .. } = kept;
        let pupil = Pupil {
            id,
            nickname,
            keys,
            held,
            summary: place.summary(),
            actions: place.actions,
            best,
            seen: None,
            turn: Arc::default(),
        };
        self.class().pupils.push(pupil);
        Ok(())
    }

    /// Changes what the class does now.
    pub(super) fn set_now(&self, now: Now) {
        let mut class = self.class();
        class.kept.now = now;
        class.is_saved = false;
    }

    /// Lets new pupils in, or no more.
    pub(super) fn set_open(&self, is_open: bool) {
        let mut class = self.class();
        class.kept.is_open = is_open;
        class.is_saved = false;
    }

    /// Removes a pupil with the pupil's session. Returns whether there was one.
    pub(super) fn remove(&self, id: u64) -> bool {
        let mut class = self.class();
        let Some(at) = class.pupils.iter().position(|pupil| pupil.id == id) else { return false };
        let pupil = class.pupils.remove(at);
        class.is_saved = false;
        drop(class);
        self.tables.sessions.close(&pupil.keys.trainer)
    }

    /// Chooses another season. All pupils start again, and wait for the start.
    ///
    /// # Errors
    /// The game has problems or no plots, or a session can't start.
    pub(super) fn set_season(&self, choice: Choice, seed: u64) -> Result<(), ClassError> {
        let game = answers::farm(&self.tables.playground, &choice)?;
        let mut class = self.class();
        let fingerprint = format!("{:016x}", game.fingerprint());
        let round = class.kept.round + 1;
        class.game = game;
        class.kept = Kept { game: choice, seed, fingerprint, round, now: Now::Waiting, ..class.kept.clone() };
        class.is_saved = false;
        let (start, fresh) = class.session(&self.tables);
        for pupil in &mut class.pupils {
            let mut session = lock(&pupil.held);
            session.served = fresh.served.clone();
            session.begin(start)?;
            drop(session);
            pupil.actions.clear();
            (pupil.summary, pupil.best) = (Summary::default(), None);
        }
        Ok(())
    }

    /// Writes the file if anything has changed.
    ///
    /// # Errors
    /// The file can't be written.
    pub(crate) fn save(&self) -> Result<(), String> {
        let kept = {
            let mut class = self.class();
            if class.is_saved {
                return Ok(());
            }
            class.is_saved = true;
            class.to_keep()
        };
        let written = kept.write(&self.file);
        let mut class = self.class();
        class.is_saved &= written.is_ok();
        class.trouble = written.clone().err();
        written
    }

    /// Writes the file until the server stops.
    pub(crate) async fn save_on(self: &Arc<Self>) {
        loop {
            tokio::time::sleep(PAUSE).await;
            let room = self.clone();
            let saved = tokio::task::spawn_blocking(move || room.save()).await;
            if let Ok(Err(error)) = saved {
                tracing::warn!(%error, "the file of the class can't be written");
            }
        }
    }
}

impl Class {
    /// What the file keeps.
    fn to_keep(&self) -> Kept {
        let pupil = |pupil: &Pupil| KeptPupil {
            id: pupil.id,
            nickname: pupil.nickname.clone(),
            keys: pupil.keys.clone(),
            best: pupil.best,
            actions: pupil.actions.clone(),
        };
        Kept { pupils: self.pupils.iter().map(pupil).collect(), ..self.kept.clone() }
    }

    /// A session of the class's season, and its start.
    pub(super) fn session(&self, tables: &Tables) -> (Start, Session) {
        let served = Served::new(self.kept.game.name.clone(), self.game.clone());
        (Start { seed: self.kept.seed, ..Start::default() }, Session::new(served, tables.tally.clone()))
    }
}
