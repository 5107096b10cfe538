//! The pupils of a class: how they join, how their requests are known, and how their sessions follow them.

use std::sync::Arc;
use std::time::Instant;

use axum::http::{HeaderMap, header};
use farm_core::Game;
use subtle::ConstantTimeEq;

use super::errors::ClassError;
use super::file::Now;
use super::names::{self, MAX_NICKNAME};
use super::room::{Class, MAX_PUPILS, Pupil, Room};
use crate::episode::{Choice as Played, Start, Untaken};
use crate::fields::Invalid;
use crate::playground::{Choice, Place, Summary};
use crate::session::{Held, lock};

/// A pupil who sends a request, and the season at that time.
#[derive(Debug, Clone)]
pub(super) struct Asking {
    pub(super) id: u64,
    pub(super) nickname: String,
    pub(super) round: u64,
    pub(super) now: Now,
    pub(super) game: Choice,
    pub(super) seed: u64,
    pub(super) turn: Arc<tokio::sync::Mutex<()>>,
    /// The compiled game, and the session.
    compiled: Arc<Game>,
    held: Held,
}

impl Room {
    /// Adds a pupil, and returns the pupil's key.
    ///
    /// # Errors
    /// The code is wrong, the name is not valid or taken, or the class is full or closed.
    pub(super) fn join(&self, code: &str, nickname: &str) -> Result<(String, String), ClassError> {
        let mut class = self.class();
        if !bool::from(names::code(code).as_bytes().ct_eq(class.kept.code.as_bytes())) {
            return Err(ClassError::Code);
        }
        let nickname = names::name(nickname, MAX_NICKNAME)?;
        if !class.kept.is_open {
            return Err(Invalid("the teacher lets no new pupils in at the moment".into()).into());
        }
        if class.pupils.iter().any(|pupil| names::is_same(&pupil.nickname, &nickname)) {
            return Err(Invalid(format!("the name `{nickname}` is taken: choose another")).into());
        }
        if class.pupils.len() >= MAX_PUPILS {
            return Err(Invalid(format!("the class is full: it has {MAX_PUPILS} pupils")).into());
        }
        let (start, mut session) = class.session(&self.tables);
        session.begin(start)?;
        let (held, keys) = self.tables.sessions.open(session, &self.tables.tally)?;
        class.kept.joined += 1;
        let id = class.kept.joined;
        let key = keys.agent.clone();
        let seen = Some(Instant::now());
        let (actions, summary, turn) = (Vec::new(), Summary::default(), Arc::default());
        class.pupils.push(Pupil {
            id,
            nickname: nickname.clone(),
            keys,
            held,
            actions,
            summary,
            best: None,
            seen,
            turn,
        });
        class.is_saved = false;
        Ok((key, nickname))
    }

    /// The pupil whose key a request contains.
    ///
    /// # Errors
    /// No pupil has the key.
    pub(super) fn asking(&self, headers: &HeaderMap) -> Result<Asking, ClassError> {
        let sent = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let key = sent.strip_prefix("Bearer ").ok_or(ClassError::Unknown)?;
        let held = self.tables.sessions.of_agent(key).map_err(|_| ClassError::Unknown)?;
        let mut class = self.class();
        let Class { kept, pupils, game, .. } = &mut *class;
        let pupil = pupils.iter_mut().find(|pupil| Arc::ptr_eq(&pupil.held, &held)).ok_or(ClassError::Unknown)?;
        pupil.seen = Some(Instant::now());
        Ok(Asking {
            id: pupil.id,
            nickname: pupil.nickname.clone(),
            round: kept.round,
            now: kept.now,
            game: kept.game.clone(),
            seed: kept.seed,
            turn: pupil.turn.clone(),
            compiled: game.clone(),
            held,
        })
    }

    /// The actions of a pupil's season.
    pub(super) fn actions(&self, id: u64) -> Vec<String> {
        let class = self.class();
        class.pupils.iter().find(|pupil| pupil.id == id).map(|pupil| pupil.actions.clone()).unwrap_or_default()
    }

    /// Whether a pupil has finished a season.
    pub(super) fn has_finished(&self, id: u64) -> bool {
        self.class().pupils.iter().any(|pupil| pupil.id == id && pupil.best.is_some())
    }

    /// Checks that pupils may ask a policy: it is one of the game's, and sees no more than a player.
    ///
    /// # Errors
    /// The game has no such policy.
    pub(super) fn check_policy(&self, name: &str) -> Result<(), ClassError> {
        let game = self.class().game.clone();
        match game.spec().policies().get(name) {
            Some(policy) if !policy.knows_hidden(&game) => Ok(()),
            _ => Err(Invalid("this game has no such policy for pupils".into()).into()),
        }
    }

    /// Makes a place the pupil's season, and lets the session follow. Has no effect if the teacher has chosen another season meanwhile.
    ///
    /// # Errors
    /// The session can't play the actions.
    pub(super) async fn note(&self, asking: &Asking, place: &Place) -> Result<(), ClassError> {
        let before = self.actions(asking.id);
        let (own, after) = (asking.clone(), place.actions.clone());
        let followed = tokio::task::spawn_blocking(move || follow(&own, &before, &after));
        followed.await.unwrap_or_else(|_| Err(Invalid("the session failed".into()).into()))?;
        let mut class = self.class();
        if class.kept.round != asking.round {
            return Ok(());
        }
        if let Some(pupil) = class.pupils.iter_mut().find(|pupil| pupil.id == asking.id) {
            pupil.actions = place.actions.clone();
            pupil.summary = place.summary();
            if pupil.summary.over {
                pupil.best = Some(pupil.best.unwrap_or(f64::MIN).max(pupil.summary.money));
            }
        }
        class.is_saved = false;
        Ok(())
    }
}

/// Lets a pupil's session play actions: it continues if it has played the first of them, and starts again otherwise. If the teacher has
/// chosen another season meanwhile, the session belongs to that.
///
/// # Errors
/// The session can't start or play.
fn follow(asking: &Asking, before: &[String], after: &[String]) -> Result<(), Untaken> {
    let mut session = lock(&asking.held);
    let start = Start { seed: asking.seed, ..Start::default() };
    if !Arc::ptr_eq(&session.served.game, &asking.compiled) || session.start() != start {
        return Ok(());
    }
    let played = session.playing()?.episode().steps();
    let done = match after.starts_with(before) && played == before.len() as u64 {
        true => before.len(),
        false => {
            session.begin(start)?;
            0
        }
    };
    for line in &after[done..] {
        session.step(&Played::Text(line.clone()))?;
    }
    Ok(())
}
