//! Requests of pupils. They are those of the playground, for the season of the class only.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;
use serde_json::{Value, json};

use super::errors::ClassError;
use super::file::Now;
use super::room::Room;
use super::seats::Asking;
use crate::playground::{AdvanceRequest, Choice, Looks, PlaceRequest, PlaygroundError, VerdictRequest, WatchRequest};
use crate::playground::{answers, read};

type Answer = Result<Json<Value>, ClassError>;

/// Routes for pupils.
pub(super) fn router() -> Router<Arc<Room>> {
    Router::new()
        .route("/api/join", post(join))
        .route("/api/me", get(me))
        .route("/api/season", get(season))
        .route("/api/game", post(game))
        .route("/api/place", post(place))
        .route("/api/advance", post(advance))
        .route("/api/watch", post(watch))
        .route("/api/verdict", post(verdict))
}

/// A request to join the class.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Join {
    code: String,
    nickname: String,
}

async fn join(State(room): State<Arc<Room>>, body: Bytes) -> Answer {
    let Join { code, nickname } = read(&body)?;
    let (key, nickname) = room.join(&code, &nickname)?;
    Ok(Json(json!({ "key": key, "nickname": nickname })))
}

/// What the class does now, for the pupil's page, which asks every few seconds.
async fn me(State(room): State<Arc<Room>>, headers: HeaderMap) -> Answer {
    let Asking { nickname, round, now, game, seed, .. } = room.asking(&headers)?;
    let class = room.class().kept.name.clone();
    Ok(Json(json!({ "class": class, "nickname": nickname, "round": round, "now": now, "game": game, "seed": seed })))
}

/// The actions of the pupil's season.
async fn season(State(room): State<Arc<Room>>, headers: HeaderMap) -> Answer {
    let asking = room.asking(&headers)?;
    Ok(Json(json!({ "actions": room.actions(asking.id) })))
}

/// The game of the class, without its file and its instructions.
async fn game(State(room): State<Arc<Room>>, headers: HeaderMap, body: Bytes) -> Answer {
    let asking = room.asking(&headers)?;
    let choice: Choice = read(&body)?;
    asking.check_season(&choice, asking.seed)?;
    Ok(Json(answers::game(room.tables.playground.clone(), choice, false).await?))
}

async fn place(State(room): State<Arc<Room>>, headers: HeaderMap, body: Bytes) -> Answer {
    let asking = room.asking(&headers)?;
    // A pupil's page needs no pictures.
    let request = PlaceRequest { details: false, ..read(&body)? };
    asking.check_season(&request.game, request.seed)?;
    let (is_full, hint) = (request.looks == Looks::Everything, request.hint.clone());
    if let Some(policy) = &hint {
        room.check_policy(policy)?;
    }
    let _turn = asking.turn.lock().await;
    let place = answers::place(room.tables.playground.clone(), request).await?;
    if is_full && !place.over {
        return Err(ClassError::NotOver);
    }
    // A look at another season, or at a hint, is not the pupil's season.
    if !is_full && hint.is_none() && asking.now == Now::Running {
        room.note(&asking, &place).await?;
    }
    Ok(Json(json!(place)))
}

async fn advance(State(room): State<Arc<Room>>, headers: HeaderMap, body: Bytes) -> Answer {
    let asking = room.asking(&headers)?;
    let request: AdvanceRequest = read(&body)?;
    asking.check_season(&request.game, request.seed)?;
    if asking.now != Now::Running {
        return Err(ClassError::Stopped);
    }
    let _turn = asking.turn.lock().await;
    let (advanced, place) = answers::advanced(room.tables.playground.clone(), request).await?;
    room.note(&asking, &place).await?;
    Ok(Json(json!({ "advanced": advanced, "place": place })))
}

/// The season of the expert, once the pupil has finished one.
async fn watch(State(room): State<Arc<Room>>, headers: HeaderMap, body: Bytes) -> Answer {
    let asking = room.asking(&headers)?;
    let request: WatchRequest = read(&body)?;
    asking.check_season(&request.game, request.seed)?;
    room.check_policy(&request.policy)?;
    if !room.has_finished(asking.id) {
        return Err(ClassError::NotOver);
    }
    let _turn = asking.turn.lock().await;
    Ok(Json(json!(answers::watched(room.tables.playground.clone(), request).await?)))
}

async fn verdict(State(room): State<Arc<Room>>, headers: HeaderMap, body: Bytes) -> Answer {
    let asking = room.asking(&headers)?;
    let request: VerdictRequest = read(&body)?;
    asking.check_season(&request.game, request.seed)?;
    if !room.has_finished(asking.id) {
        return Err(ClassError::NotOver);
    }
    let _turn = asking.turn.lock().await;
    // The semaphore is never closed.
    let _judging = room.judging.acquire().await.map_err(|_| PlaygroundError::Busy)?;
    Ok(Json(json!(answers::judged(room.tables.playground.clone(), request).await?)))
}

impl Asking {
    /// Checks that a request is about the season of the class.
    ///
    /// # Errors
    /// The teacher has chosen another season.
    fn check_season(&self, game: &Choice, seed: u64) -> Result<(), ClassError> {
        if *game == self.game && seed == self.seed { Ok(()) } else { Err(ClassError::Season) }
    }
}
