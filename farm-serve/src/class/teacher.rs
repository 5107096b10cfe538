//! Requests of the teacher. The server's guard lets only those with the teacher's secret through.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;
use serde_json::{Value, json};

use super::address::qr_path;
use super::errors::ClassError;
use super::file::Now;
use super::room::{MAX_PUPILS, Room};
use super::table::{csv, rows};
use crate::fields::Invalid;
use crate::playground::{Choice, Looks, PlaceRequest, PlaygroundError, answers, read};

type Answer = Result<Json<Value>, ClassError>;

/// Routes for the teacher.
pub(super) fn router() -> Router<Arc<Room>> {
    Router::new()
        .route("/api/class", get(look).post(change))
        .route("/api/class/about", get(about))
        .route("/api/class/game", post(game))
        .route("/api/class/seasons", post(seasons))
        .route("/api/class/csv", get(table))
}

/// What does not change: the address and the games.
async fn about(State(room): State<Arc<Room>>) -> Answer {
    let games = answers::farms(&room.tables.playground);
    Ok(Json(json!({
        "class": room.class().kept.name, "address": room.address(), "qr": qr_path(room.address()), "games": games, "most": MAX_PUPILS,
    })))
}

/// The class now.
async fn look(State(room): State<Arc<Room>>) -> Answer {
    let class = room.class();
    let kept = &class.kept;
    Ok(Json(json!({
        "now": kept.now, "is_open": kept.is_open, "round": kept.round, "game": kept.game, "seed": kept.seed, "pupils": rows(&class),
        "trouble": class.trouble,
    })))
}

/// A change of the class.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
enum Change {
    /// Starts, pauses or ends the season.
    Now(Now),
    /// Lets new pupils in, or no more.
    Open(bool),
    /// Chooses another season; all pupils start again.
    Season { game: Choice, seed: u64 },
    /// Removes a pupil.
    Remove(u64),
}

async fn change(State(room): State<Arc<Room>>, body: Bytes) -> Answer {
    match read(&body)? {
        Change::Now(now) => room.set_now(now),
        Change::Open(is_open) => room.set_open(is_open),
        Change::Remove(id) => {
            if !room.remove(id) {
                return Err(Invalid(format!("no pupil has the number {id}")).into());
            }
        }
        Change::Season { game, seed } => {
            let own = room.clone();
            let set = tokio::task::spawn_blocking(move || own.set_season(game, seed)).await;
            set.unwrap_or_else(|_| Err(PlaygroundError::Failed("the game failed".to_owned()).into()))?;
        }
    }
    look(State(room)).await
}

async fn game(State(room): State<Arc<Room>>, body: Bytes) -> Answer {
    Ok(Json(answers::game(room.tables.playground.clone(), read(&body)?, false).await?))
}

/// The seasons of some pupils, with everything that happened.
async fn seasons(State(room): State<Arc<Room>>, body: Bytes) -> Answer {
    const MOST: usize = 2;
    let pupils: Vec<u64> = read(&body)?;
    if pupils.len() > MOST {
        return Err(Invalid(format!("{} pupils are given; at most {MOST} can be compared", pupils.len())).into());
    }
    let mut seasons = Vec::new();
    for id in pupils {
        let (game, seed) = {
            let class = room.class();
            (class.kept.game.clone(), class.kept.seed)
        };
        let actions = room.actions(id);
        let request = PlaceRequest { game, seed, actions, looks: Looks::Everything, hint: None, details: false };
        let place = answers::place(room.tables.playground.clone(), request).await?;
        seasons.push(json!({ "id": id, "season": place.season }));
    }
    Ok(Json(json!(seasons)))
}

async fn table(State(room): State<Arc<Room>>) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"class.csv\""),
    ];
    (headers, csv(&room.class())).into_response()
}
