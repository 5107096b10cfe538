//! Tasks: the worlds in the train, validation and test splits, by index.

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json as JsonBody, Router};
use farm_core::SeedSplit;
use serde_json::{Map, Value as Json, json};

use super::http::read_body;
use crate::episode::split_seed;
use crate::fields::{self, Invalid};
use crate::served::refusal;
use crate::shared::Shared;

/// The maximum number of tasks in a list or a range. A split has 1,000,000,000 tasks.
const MAX_LISTED: u64 = 1000;

pub(super) fn router() -> Router<Shared> {
    Router::new()
        .route("/list_environments", get(environments))
        .route("/{environment}/splits", get(splits))
        .route("/{environment}/tasks", post(tasks))
        .route("/{environment}/num_tasks", post(num_tasks))
        .route("/{environment}/task", post(task))
        .route("/{environment}/task_range", post(task_range))
}

async fn environments(State(shared): State<Shared>) -> Response {
    JsonBody(shared.games.names().collect::<Vec<_>>()).into_response()
}

async fn splits(State(shared): State<Shared>, Path(environment): Path<String>) -> Response {
    answered(&shared, &environment, || {
        Ok(json!(SeedSplit::ALL.map(|split| json!({ "name": split.name(), "type": split.name() }))))
    })
}

async fn tasks(State(shared): State<Shared>, Path(environment): Path<String>, body: Bytes) -> Response {
    answered(&shared, &environment, || {
        let body = read_body(&body)?;
        let split = split_of(fields::object(&body, "the request", &["split"])?)?;
        let tasks = (0..MAX_LISTED).map(|index| task_json(split, index)).collect::<Result<Vec<_>, _>>()?;
        Ok(json!({ "tasks": tasks, "env_name": environment }))
    })
}

async fn num_tasks(State(shared): State<Shared>, Path(environment): Path<String>, body: Bytes) -> Response {
    answered(&shared, &environment, || {
        let body = read_body(&body)?;
        split_of(fields::object(&body, "the request", &["split"])?)?;
        Ok(json!({ "num_tasks": SeedSplit::WORLDS }))
    })
}

async fn task(State(shared): State<Shared>, Path(environment): Path<String>, body: Bytes) -> Response {
    answered(&shared, &environment, || {
        let body = read_body(&body)?;
        let object = fields::object(&body, "the request", &["split", "index"])?;
        let index = fields::whole(object, "index")?.ok_or_else(|| Invalid("`index` is missing".into()))?;
        Ok(json!({ "task": task_json(split_of(object)?, index)? }))
    })
}

async fn task_range(State(shared): State<Shared>, Path(environment): Path<String>, body: Bytes) -> Response {
    answered(&shared, &environment, || {
        let body = read_body(&body)?;
        let object = fields::object(&body, "the request", &["split", "start", "stop"])?;
        let split = split_of(object)?;
        let start = fields::whole(object, "start")?.unwrap_or(0);
        let stop = fields::whole(object, "stop")?.unwrap_or(SeedSplit::WORLDS).min(SeedSplit::WORLDS);
        if stop.saturating_sub(start) > MAX_LISTED {
            let message =
                format!("the range has {} tasks, above the maximum of {MAX_LISTED}: set `stop`", stop - start);
            return Err(Invalid(message));
        }
        let tasks = (start..stop).map(|index| task_json(split, index)).collect::<Result<Vec<_>, _>>()?;
        Ok(json!({ "tasks": tasks }))
    })
}

fn split_of(object: &Map<String, Json>) -> Result<SeedSplit, Invalid> {
    let splits = SeedSplit::ALL.map(|split| (split.name(), split));
    fields::one_of(object, "split", &splits)?
        .ok_or_else(|| Invalid("`split` is missing: train, validation or test".into()))
}

/// A task: the world's `split` and `index`, to use in a reset.
fn task_json(split: SeedSplit, index: u64) -> Result<Json, Invalid> {
    let id = format!("{}/{index}", split.name());
    Ok(json!({ "id": id, "split": split.name(), "index": index, "seed": split_seed(split, index)? }))
}

fn answered(shared: &Shared, environment: &str, answer: impl FnOnce() -> Result<Json, Invalid>) -> Response {
    if let Err(problem) = shared.games.served(environment) {
        return refusal(StatusCode::NOT_FOUND, &problem.sentence());
    }
    match answer() {
        Ok(json) => JsonBody(json).into_response(),
        // The same status as OpenEnv's own server for an index beyond the last.
        Err(Invalid(problem)) => refusal(StatusCode::BAD_REQUEST, &problem),
    }
}
