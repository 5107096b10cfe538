//! A session: an episode, or none yet, which a trainer starts. Trainers and agents use it over any wire, and at most one of them at a time.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value as Json;

use crate::episode::{Choice, Start, Told, Untaken};
use crate::errors::RecordError;
use crate::fields::Invalid;
use crate::game::Served;
use crate::keys::Keys;
use crate::observe::Observe;
use crate::playing::Playing;
use crate::tally::Tally;

/// A session that several connections may use.
pub(crate) type Held = Arc<Mutex<Session>>;

/// Locks a session. Each of its fields is set as a whole, so a panic elsewhere leaves it valid.
pub(crate) fn lock(held: &Held) -> MutexGuard<'_, Session> {
    held.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An episode, or none yet.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) served: Served,
    playing: Option<Playing>,
    /// The contents of observations.
    pub(crate) observe: Observe,
    /// The trainer's name for the episode.
    pub(crate) episode_id: Option<String>,
    /// The keys, if requests can name the session.
    pub(crate) keys: Option<Box<Keys>>,
    /// The last call that names its turn or itself, and its answer, because a repeated call must not count twice.
    answered: Option<Box<(String, Json)>>,
    tally: Arc<Tally>,
}

impl Session {
    /// A session without an episode.
    pub(crate) fn new(served: Served, tally: Arc<Tally>) -> Self {
        Self { served, playing: None, observe: Observe::default(), episode_id: None, keys: None, answered: None, tally }
    }

    /// Starts an episode, and returns its first text.
    ///
    /// # Errors
    /// The episode before it, or this one, can't be recorded. There is no episode then.
    pub(crate) fn begin(&mut self, start: Start) -> Result<String, Untaken> {
        let before = self.playing.take().map(|mut playing| playing.end_record());
        self.answered = None;
        before.transpose()?;
        let start = self.served.prepare(start)?;
        let (playing, text) = Playing::begin(&self.served, start, &self.tally)?;
        self.playing = Some(playing);
        Ok(text)
    }

    /// Takes a step.
    ///
    /// # Errors
    /// No episode has started, the episode is over, a part fails, or the record can't be written.
    pub(crate) fn step(&mut self, choice: &Choice) -> Result<Told, Untaken> {
        self.forget();
        self.playing_mut()?.step(choice)
    }

    /// The episode.
    ///
    /// # Errors
    /// No episode has started.
    pub(crate) fn playing(&self) -> Result<&Playing, Untaken> {
        self.playing.as_ref().ok_or_else(|| before_reset().into())
    }

    /// The episode.
    ///
    /// # Errors
    /// No episode has started.
    pub(crate) fn playing_mut(&mut self) -> Result<&mut Playing, Untaken> {
        self.playing.as_mut().ok_or_else(|| before_reset().into())
    }

    /// The start of the episode; that of an episode with defaults before there is one.
    pub(crate) fn start(&self) -> Start {
        self.playing.as_ref().map_or_else(Start::default, |playing| playing.episode().start())
    }

    /// The player's instructions.
    ///
    /// # Errors
    /// No episode has started.
    pub(crate) fn instructions(&self) -> Result<String, Untaken> {
        let playing = self.playing()?;
        let mut text = playing.episode().instructions();
        if let Some(most) = playing.most() {
            text += &format!(
                "\nBRANCHES\n1. The tool `branch` returns to an earlier turn.\n2. You have {most} steps for all branches together. Each \
                 return also costs a step.\n3. When no steps are left, the game ends without a final reward.\n4. Your result is the \
                 return of the branch in which the game ends.\n"
            );
        }
        Ok(text)
    }

    /// The answer to a call if it was the last one.
    pub(crate) fn answered(&self, call: &str) -> Option<Json> {
        self.answered.as_ref().filter(|last| last.0 == call).map(|last| last.1.clone())
    }

    /// Stores the answer to a call.
    pub(crate) fn store(&mut self, call: String, answer: &Json) {
        self.answered = Some(Box::new((call, answer.clone())));
    }

    /// Forgets the answer to the last call, because another call follows.
    pub(crate) fn forget(&mut self) {
        self.answered = None;
    }

    /// A copy that continues by itself.
    ///
    /// # Errors
    /// No episode has started, or the record can't be created.
    pub(crate) fn fork(&self) -> Result<Self, Untaken> {
        Ok(Self {
            served: self.served.clone(),
            playing: Some(self.playing()?.fork()?),
            observe: self.observe,
            episode_id: self.episode_id.clone(),
            keys: None,
            answered: None,
            tally: self.tally.clone(),
        })
    }

    /// Ends the episode's record.
    ///
    /// # Errors
    /// The end can't be written. There is no error if the client already knows that the episode is not recorded.
    pub(crate) fn end_record(&mut self) -> Result<(), RecordError> {
        self.playing.as_mut().map_or(Ok(()), Playing::end_record)
    }
}

fn before_reset() -> Invalid {
    Invalid("no episode has started: the trainer starts it with a reset, for example with the seed 0".into())
}
