//! Answers for trainers.

use std::sync::Arc;

use farm_core::Game;
use serde_json::{Map, Value as Json, json};

use crate::episode::{Episode, Told, Untaken, hex};
use crate::games::warnings;
use crate::observe::Observe;
use crate::session::Session;

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
