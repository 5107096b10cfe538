//! `/openapi.json`: the HTTP interface as an OpenAPI 3.1 document.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response as HttpResponse};
use serde_json::{Value as Json, json};
use utoipa::openapi::path::{OperationBuilder, ParameterBuilder, ParameterIn};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::{
    ContentBuilder, HttpMethod, InfoBuilder, License, OpenApiBuilder, PathItem, PathsBuilder, Required, ResponseBuilder,
};

use super::describe;
use crate::game::Served;

/// The version of OpenEnv's HTTP interface.
const INTERFACE: &str = "1.0.0";

/// All operations, with their method, path, summary and example body.
fn operations() -> Vec<(HttpMethod, &'static str, &'static str, Option<Json>)> {
    let split = json!({ "split": "train" });
    vec![
        (HttpMethod::Get, "/health", "Whether the server answers.", None),
        (HttpMethod::Get, "/metrics", "Counters of the server in the text format of Prometheus.", None),
        (HttpMethod::Get, "/metadata", "The description of the game.", None),
        (HttpMethod::Get, "/schema", "JSON Schemas of actions, observations and states.", None),
        (
            HttpMethod::Post,
            "/reset",
            "Starts an episode.",
            Some(json!({ "seed": 42, "form": "full", "rules": "hidden" })),
        ),
        (
            HttpMethod::Post,
            "/step",
            "Takes a step in the session `session_id`.",
            Some(json!({ "action": { "action": "wait" }, "session_id": "…" })),
        ),
        (HttpMethod::Get, "/state", "The state of the session `session_id`.", None),
        (HttpMethod::Post, "/fork", "Copies the session `session_id`.", Some(json!({ "session_id": "…", "n": 8 }))),
        (
            HttpMethod::Post,
            "/mcp",
            "A message of the Model Context Protocol.",
            Some(json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" })),
        ),
        (HttpMethod::Get, "/list_environments", "The games of the server.", None),
        (HttpMethod::Get, "/{environment}/splits", "The splits of a game.", None),
        (HttpMethod::Post, "/{environment}/tasks", "The first tasks of a split.", Some(split.clone())),
        (HttpMethod::Post, "/{environment}/num_tasks", "The number of tasks of a split.", Some(split)),
        (HttpMethod::Post, "/{environment}/task", "A task of a split.", Some(json!({ "split": "train", "index": 0 }))),
        (
            HttpMethod::Post,
            "/{environment}/task_range",
            "Tasks of a split, from `start` to before `stop`.",
            Some(json!({ "split": "train", "start": 0, "stop": 10 })),
        ),
    ]
}

pub(super) async fn document(served: Served) -> HttpResponse {
    let mut paths = PathsBuilder::new();
    for (method, path, summary, body) in operations() {
        let content = ContentBuilder::new().build();
        let answer = ResponseBuilder::new().description("The response.").content("application/json", content).build();
        let mut operation = OperationBuilder::new().summary(Some(summary)).response("200", answer);
        if let Some(example) = body {
            let content = ContentBuilder::new().example(Some(example)).build();
            operation =
                operation.request_body(Some(RequestBodyBuilder::new().content("application/json", content).build()));
        }
        if path.starts_with("/{environment}") {
            let name =
                ParameterBuilder::new().name("environment").parameter_in(ParameterIn::Path).required(Required::True);
            operation = operation.parameter(name);
        }
        if path == "/state" {
            operation =
                operation.parameter(ParameterBuilder::new().name("session_id").parameter_in(ParameterIn::Query));
        }
        paths = paths.path(path, PathItem::new(method, operation));
    }
    let info =
        InfoBuilder::new().title("Farm games").version(INTERFACE).license(Some(License::new("MIT"))).description(Some(
            "Farm games with OpenEnv: sessions over the WebSocket `/ws`, single requests with a session id over HTTP.",
        ));
    let document = OpenApiBuilder::new().info(info.build()).paths(paths.build()).build();
    // The schemas of the game are JSON already.
    let document = serde_json::to_value(&document).map(|mut document| {
        document["components"]["schemas"] = describe::schemas(&served);
        document.to_string()
    });
    match document {
        Ok(document) => ([(header::CONTENT_TYPE, "application/json")], document).into_response(),
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()).into_response(),
    }
}
