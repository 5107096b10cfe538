//! Answers for trainers.

use std::sync::Arc;

use farm_core::Game;
use serde_json::{Map, Value as Json, json};

use super::Observe;
use crate::episode::{Episode, Told, Untaken, hex};
use crate::games::warnings;
use crate::session::Session;
use crate::sessions::Keys;
use crate::shared::Shared;

/// The answer to a reset.
///
/// # Errors
/// No episode has started.
pub(super) fn first(session: &Session, text: String) -> Result<Json, Untaken> {
    let episode = session.playing()?.episode();
    let mut seen = seen(episode, text, session.observe);
    seen["instructions"] = json!(session.instructions()?);
    let mut metadata = json!({ "game": session.served.name, "seed": episode.start().seed });
    if let Some((split, index)) = episode.start().split() {
        (metadata["split"], metadata["index"]) = (json!(split.name()), json!(index));
    }
    if let Some(world) = session.served.world() {
        extend(&mut metadata, world.to_json());
    }
    if let Some(keys) = &session.keys {
        (metadata["session_id"], metadata["mcp"]) = (json!(keys.trainer), json!(keys.path()));
    }
    let warnings = warnings(episode.environment().game());
    if !warnings.is_empty() {
        metadata["warnings"] = json!(warnings);
    }
    Ok(json!({ "observation": seen, "reward": null, "done": episode.is_over(), "metadata": metadata }))
}

/// The answer to a step.
///
/// # Errors
/// No episode has started.
pub(super) fn next(session: &Session, told: Told) -> Result<Json, Untaken> {
    let (episode, observe, outcome) = (session.playing()?.episode(), session.observe, told.outcome);
    let mut metadata = json!({
        "terminated": outcome.terminated,
        "truncated": outcome.truncated,
        "rejected": episode.rejected(),
    });
    if observe.info {
        metadata["info"] = episode.environment().info().to_json();
    }
    if outcome.over()
        && let Some(score) = session.served.score(episode)?
    {
        extend(&mut metadata, score.to_json());
    }
    Ok(json!({
        "observation": seen(episode, told.text, observe), "reward": outcome.reward, "done": outcome.over(), "metadata": metadata,
    }))
}

/// Adds the entries of an object to another.
fn extend(metadata: &mut Json, entries: Json) {
    if let (Json::Object(metadata), Json::Object(entries)) = (metadata, entries) {
        metadata.extend(entries);
    }
}

fn seen(episode: &Episode, text: String, observe: Observe) -> Json {
    let mut seen = Map::new();
    if observe.text {
        seen.insert("text".to_owned(), Json::String(text));
    }
    if observe.values {
        seen.insert("values".to_owned(), episode.environment().observation_json());
    }
    Json::Object(seen)
}

/// An episode's state for trainers, without hidden values.
///
/// # Errors
/// No episode has started.
pub(super) fn state(session: &Session) -> Result<Json, Untaken> {
    let playing = session.playing()?;
    let episode = playing.episode();
    let game: &Arc<Game> = episode.environment().game();
    let (start, split) = (episode.start(), episode.start().split());
    Ok(json!({
        "episode_id": session.episode_id,
        "step_count": playing.turns(),
        "game": session.served.name,
        "fingerprint": hex(game.fingerprint()),
        "seed": start.seed,
        "split": split.map(|(split, _)| split.name()),
        "index": split.map(|(_, index)| index),
        "branches": start.branches,
        "return": episode.total(),
        "done": playing.is_over(),
        "state_hash": hex(episode.environment().state().hash()),
    }))
}

/// Copies a session, and returns the keys of the copies.
///
/// # Errors
/// No episode has started, there is no room, or a copy can't be recorded. Then there are no copies.
pub(crate) fn forks(session: &Session, copies: u64, shared: &Shared) -> Result<Json, Untaken> {
    let mut opened: Vec<Keys> = Vec::new();
    for _ in 0..copies {
        match session.fork().and_then(|fork| shared.sessions.open(fork, &shared.tally)) {
            Ok((_, keys)) => opened.push(keys),
            Err(untaken) => {
                for keys in &opened {
                    shared.sessions.close(&keys.trainer);
                }
                return Err(untaken);
            }
        }
    }
    let told = |keys: &Keys| json!({ "session_id": keys.trainer, "mcp": keys.path() });
    Ok(json!({ "sessions": opened.iter().map(told).collect::<Vec<_>>() }))
}
