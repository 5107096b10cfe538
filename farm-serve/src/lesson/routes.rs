//! Requests for lessons.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;
use serde_json::{Value, json};

use super::checks::{CheckRequest, checked};
use super::reading::{Lesson, Lessons};
use crate::playground::{PlaygroundError, Shared, answers, read};

/// The lessons, and the state that the page's requests share.
#[derive(Debug, Clone)]
struct Desk {
    lessons: Arc<Lessons>,
    playground: Shared,
}

/// Routes for lessons.
pub(crate) fn router(lessons: Lessons, playground: Shared) -> Router {
    let router = Router::new()
        .route("/api/lessons", get(list))
        .route("/api/lesson", post(lesson))
        .route("/api/lesson/check", post(check));
    router.with_state(Desk { lessons: Arc::new(lessons), playground })
}

impl Desk {
    fn find(&self, name: &str) -> Result<Arc<Lesson>, PlaygroundError> {
        let found = self.lessons.find(name).cloned();
        found.ok_or_else(|| PlaygroundError::Request(format!("this server has no lesson `{name}`")))
    }
}

async fn list(State(desk): State<Desk>) -> Json<Value> {
    Json(json!(desk.lessons.listed()))
}

/// A request for a whole lesson.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Named {
    name: String,
}

async fn lesson(State(desk): State<Desk>, body: Bytes) -> Result<Json<Value>, PlaygroundError> {
    let Named { name } = read(&body)?;
    Ok(Json(desk.find(&name)?.told()))
}

async fn check(State(desk): State<Desk>, body: Bytes) -> Result<Json<Value>, PlaygroundError> {
    let request: CheckRequest = read(&body)?;
    let lesson = desk.find(&request.lesson)?;
    let (game, seed) = (request.game.clone(), request.seed);
    let found =
        answers::on_episode(desk.playground.clone(), game, seed, move |steps| checked(&lesson, &request, steps));
    Ok(Json(json!({ "checks": found.await? })))
}
