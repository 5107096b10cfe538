//! The sessions that requests can name.
//!
//! A URL that names a world instead of a session has one session for that world, until the server stops. Nothing restarts it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::episode::{Start, Untaken};
use crate::fields::Invalid;
use crate::game::Served;
use crate::keys::Keys;
use crate::metrics::OpenSession;
use crate::session::{Held, Session, lock};
use crate::tally::Tally;

/// The maximum number of worlds that URLs can name.
const MAX_WORLDS: usize = 100_000;

/// The sessions that requests can name.
#[derive(Debug)]
pub(crate) struct Sessions {
    room: Arc<Semaphore>,
    idle: Duration,
    tables: Mutex<Tables>,
}

#[derive(Debug, Default)]
struct Tables {
    /// The sessions by the trainer's key.
    open: BTreeMap<String, Entry>,
    /// The trainer's keys by the agent's.
    agents: BTreeMap<String, String>,
    /// The trainer's keys by game and seed, also of sessions that have ended.
    worlds: BTreeMap<(String, u64), String>,
}

/// A session's place, counted as open.
type Place = (OwnedSemaphorePermit, OpenSession);

#[derive(Debug)]
struct Entry {
    held: Held,
    agent: String,
    used: Instant,
    /// The place of the session; none if its connection has one.
    _place: Option<Place>,
}

impl Sessions {
    /// No sessions, with room for some. A session ends after the time `idle` without a request.
    pub(crate) fn new(most: usize, idle: Duration) -> Self {
        Self { room: Arc::new(Semaphore::new(most)), idle, tables: Mutex::default() }
    }

    /// Takes a place for a session, if there is one.
    pub(crate) fn place(&self) -> Option<OwnedSemaphorePermit> {
        self.room.clone().try_acquire_owned().ok()
    }

    /// Opens a session that requests can name.
    ///
    /// # Errors
    /// There is no room, or the system provides no random numbers.
    pub(crate) fn open(&self, session: Session, tally: &Tally) -> Result<(Held, Keys), Untaken> {
        self.tables().add(session, self.place_in(tally)?)
    }

    /// Opens a session with the keys that it had in another run of the server.
    ///
    /// # Errors
    /// There is no room.
    pub(crate) fn open_as(&self, session: Session, keys: &Keys, tally: &Tally) -> Result<Held, Untaken> {
        let place = self.place_in(tally)?;
        Ok(self.tables().add_as(session, keys, place))
    }

    fn place_in(&self, tally: &Tally) -> Result<Place, Untaken> {
        match self.place() {
            Some(room) => Ok((room, tally.metrics.session())),
            None => {
                tally.metrics.count_refused_session();
                Err(Untaken::Full)
            }
        }
    }

    /// The keys of a connection's session, so that requests can name it, too. The connection closes them when it ends.
    ///
    /// # Errors
    /// The system provides no random numbers.
    pub(crate) fn keys_of(&self, held: &Held) -> Result<Keys, Untaken> {
        let mut session = lock(held);
        if let Some(keys) = &session.keys {
            return Ok(Keys::clone(keys));
        }
        let keys = Keys::drawn()?;
        session.keys = Some(Box::new(keys.clone()));
        self.tables().insert(&keys, held, None);
        Ok(keys)
    }

    /// The session with a trainer's key.
    ///
    /// # Errors
    /// No session has this key.
    pub(crate) fn of_trainer(&self, key: &str) -> Result<Held, Invalid> {
        self.tables().find(key).ok_or_else(|| {
            Invalid("`session_id` names no session: it was closed, or ended after a time without requests".into())
        })
    }

    /// The session with an agent's key.
    ///
    /// # Errors
    /// No session has this key.
    pub(crate) fn of_agent(&self, key: &str) -> Result<Held, Invalid> {
        let mut tables = self.tables();
        let found = tables.agents.get(key).cloned().and_then(|trainer| tables.find(&trainer));
        found.ok_or_else(|| Invalid("`session` in the URL names no session, or it has ended".into()))
    }

    /// The session of a world, which starts with the first call.
    ///
    /// # Errors
    /// The session has ended, the episode has another start, or there is no room.
    pub(crate) fn of_world(&self, served: &Served, start: Start, tally: &Arc<Tally>) -> Result<Held, Untaken> {
        let world = (served.name.clone(), start.seed);
        let mut tables = self.tables();
        let held = match tables.worlds.get(&world).cloned() {
            Some(key) => tables.find(&key).ok_or_else(|| Invalid("the episode of this world has ended".into()))?,
            None if tables.worlds.len() >= MAX_WORLDS => return Err(Untaken::Full),
            None => {
                let place = self.place_in(tally)?;
                let (held, keys) = tables.add(Session::new(served.clone(), tally.clone()), place)?;
                tables.worlds.insert(world, keys.trainer);
                held
            }
        };
        drop(tables);
        let mut session = lock(&held);
        if session.playing().is_err() {
            session.begin(start)?;
        } else if session.start() != start {
            let other = "the episode of this world has started with another form, other rules or other branches; \
                         one world is one episode";
            return Err(Invalid(other.into()).into());
        }
        drop(session);
        Ok(held)
    }

    /// Closes a session. Returns whether there was one.
    pub(crate) fn close(&self, key: &str) -> bool {
        // The record is written without the lock.
        let removed = self.tables().remove(key);
        removed.is_some()
    }

    /// Ends sessions that were idle for too long.
    pub(crate) fn sweep(&self) {
        let mut tables = self.tables();
        // A connection that uses a session holds it.
        let is_idle = |entry: &Entry| entry.used.elapsed() > self.idle && Arc::strong_count(&entry.held) == 1;
        let idle: Vec<String> =
            tables.open.iter().filter(|(_, entry)| is_idle(entry)).map(|(key, _)| key.clone()).collect();
        let removed: Vec<Option<Entry>> = idle.iter().map(|key| tables.remove(key)).collect();
        // Records are written without the lock.
        drop(tables);
        drop(removed);
    }

    /// Ends idle sessions until the server stops.
    pub(crate) async fn sweep_on(&self) {
        let pause = (self.idle / 4).clamp(Duration::from_millis(50), Duration::from_secs(10));
        loop {
            tokio::time::sleep(pause).await;
            self.sweep();
        }
    }

    fn tables(&self) -> MutexGuard<'_, Tables> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Tables {
    fn add_as(&mut self, mut session: Session, keys: &Keys, place: Place) -> Held {
        session.keys = Some(Box::new(keys.clone()));
        let held: Held = Arc::new(Mutex::new(session));
        self.insert(keys, &held, Some(place));
        held
    }

    fn add(&mut self, session: Session, place: Place) -> Result<(Held, Keys), Untaken> {
        let keys = Keys::drawn()?;
        let held = self.add_as(session, &keys, place);
        Ok((held, keys))
    }

    fn insert(&mut self, keys: &Keys, held: &Held, place: Option<Place>) {
        let entry = Entry { held: held.clone(), agent: keys.agent.clone(), used: Instant::now(), _place: place };
        self.open.insert(keys.trainer.clone(), entry);
        self.agents.insert(keys.agent.clone(), keys.trainer.clone());
    }

    fn find(&mut self, trainer: &str) -> Option<Held> {
        let entry = self.open.get_mut(trainer)?;
        entry.used = Instant::now();
        Some(entry.held.clone())
    }

    fn remove(&mut self, trainer: &str) -> Option<Entry> {
        let entry = self.open.remove(trainer)?;
        self.agents.remove(&entry.agent);
        Some(entry)
    }
}
