//! OpenEnv's messages, requests and tasks.

use std::sync::Arc;

use farm_core::{Environment, Game, SeedSplit};
use serde_json::{Value as Json, json};

use crate::client::Running;

#[test]
fn a_session_plays_an_episode_to_its_limit_and_scores_the_last_state() {
    let server = Running::of(&["backwards_valley"]);
    let mut session = server.session("/ws");
    let first = session.reset(json!({ "seed": 7 }));
    let data = &first["data"];
    assert_eq!(
        (first["type"].as_str(), &data["done"], &data["reward"]),
        (Some("observation"), &json!(false), &Json::Null)
    );
    assert!(data["observation"]["instructions"].as_str().unwrap().starts_with("TASK"));
    let (mut total, mut steps, mut done) = (0.0, 0, false);
    while !done {
        let answer = session.step("wait");
        let data = &answer["data"];
        (total, steps, done) = (total + data["reward"].as_f64().unwrap(), steps + 1, data["done"].as_bool().unwrap());
    }
    let mut environment =
        Environment::new(farm_games::open("backwards_valley", &farm_games::Options::default()).unwrap().into());
    environment.reset(7);
    let mut expected = (0.0, 0);
    while !environment.state().over() {
        expected = (expected.0 + environment.step("wait").unwrap().reward, expected.1 + 1);
    }
    assert_eq!((total, steps), expected);
    let state = session.state();
    assert_eq!((&state["step_count"], &state["return"], &state["done"]), (&json!(steps), &json!(total), &json!(true)));
    let after = session.step("wait");
    assert_eq!((after["type"].as_str(), after["data"]["code"].as_str()), (Some("error"), Some("EXECUTION_ERROR")));
    // A session goes on after its episode.
    assert_eq!(session.reset(json!({}))["data"]["done"], false);
}

#[test]
fn what_is_not_known_is_refused_with_the_nearest_name() {
    let server = Running::of(&["backwards_valley", "valley_farm"]);
    let mut session = server.session("/ws");
    for (message, code, told) in [
        (json!({ "type": "step", "data": { "action": "wait" } }), "VALIDATION_ERROR", "no episode has started"),
        (json!({ "type": "reset", "data": { "sed": 7 } }), "VALIDATION_ERROR", "did you mean `seed`?"),
        (json!({ "type": "reset", "data": { "seed": -7 } }), "VALIDATION_ERROR", "expected a non-negative integer"),
        (
            json!({ "type": "reset", "data": { "seed": 8_300_000_000_000_001_u64 } }),
            "VALIDATION_ERROR",
            "reserved for the split `test`",
        ),
        (
            json!({ "type": "reset", "data": { "split": "tset", "index": 1 } }),
            "VALIDATION_ERROR",
            "did you mean `test`?",
        ),
        (
            json!({ "type": "reset", "data": { "split": "test", "index": 1_000_000_000_u64 } }),
            "VALIDATION_ERROR",
            "from 0 to 999999999",
        ),
        (json!({ "type": "reset", "data": { "index": 1 } }), "VALIDATION_ERROR", "add `split`"),
        (json!({ "type": "reset", "data": { "game": "valley_frm" } }), "VALIDATION_ERROR", "valley_farm"),
        (json!({ "type": "reset", "data": { "observe": ["txt"] } }), "VALIDATION_ERROR", "did you mean `text`?"),
        (json!({ "type": "reset", "data": [] }), "VALIDATION_ERROR", "is not an object"),
        (json!({ "type": "rest" }), "UNKNOWN_TYPE", "did you mean `reset`?"),
        (json!({ "tpye": "reset" }), "VALIDATION_ERROR", "did you mean `type`?"),
        (json!([]), "VALIDATION_ERROR", "is not an object"),
    ] {
        let answer = session.ask(&message);
        assert_eq!(
            (answer["type"].as_str(), answer["data"]["code"].as_str()),
            (Some("error"), Some(code)),
            "{message}: {answer}"
        );
        assert!(answer["data"]["message"].as_str().unwrap().contains(told), "{message}: {answer}");
    }
    assert_eq!(session.ask(&json!({ "type": "state" }))["type"], "error");
}

#[test]
fn splits_are_tasks_and_a_reset_plays_them() {
    let server = Running::of(&["backwards_valley"]);
    assert_eq!(server.get("/list_environments"), (200, json!(["backwards_valley"])));
    let (_, splits) = server.get("/backwards_valley/splits");
    assert_eq!(splits[2], json!({ "name": "test", "type": "test" }));
    let of = |path: &str, body: Json| server.post(&format!("/backwards_valley/{path}"), &body);
    assert_eq!(of("num_tasks", json!({ "split": "test" })), (200, json!({ "num_tasks": 1_000_000_000 })));
    let (_, task) = of("task", json!({ "split": "test", "index": 3 }));
    assert_eq!(task["task"]["seed"], json!(SeedSplit::Test.seed(3)));
    let (_, range) = of("task_range", json!({ "split": "train", "start": 5, "stop": 7 }));
    assert_eq!(
        range["tasks"].as_array().unwrap().iter().map(|task| task["index"].as_u64().unwrap()).collect::<Vec<_>>(),
        [5, 6]
    );
    assert_eq!(of("tasks", json!({ "split": "train" })).1["tasks"].as_array().unwrap().len(), 1000);
    for (path, body, told) in [
        ("task", json!({ "split": "test", "index": 1_000_000_000 }), "from 0 to 999999999"),
        ("task", json!({ "split": "test", "indx": 1 }), "did you mean `index`?"),
        ("tasks", json!({ "split": "tests" }), "did you mean `test`?"),
        ("tasks", json!({}), "`split` is missing"),
        ("task_range", json!({ "split": "test", "stop": 5000 }), "maximum of 1000"),
    ] {
        let (status, answer) = of(path, body);
        assert!(status == 400 && answer["detail"].as_str().unwrap().contains(told), "{path}: {answer}");
    }
    let (status, answer) = server.post("/backward_valley/num_tasks", &json!({ "split": "test" }));
    assert!(status == 404 && answer["detail"].as_str().unwrap().contains("backwards_valley"), "{answer}");

    let mut session = server.session("/ws");
    let by_index = session.reset(json!({ "split": "test", "index": 3 }));
    assert_eq!(by_index["data"]["metadata"]["split"], "test");
    let hash = session.state()["state_hash"].take();
    session.reset(json!({ "split": "test", "seed": SeedSplit::Test.seed(3) }));
    assert_eq!(session.state()["state_hash"], hash);
}

#[test]
fn requests_by_http_name_a_session_that_the_server_holds() {
    let server = Running::of(&["clay_bean", "backwards_valley"]);
    let (status, first) = server.post("/games/backwards_valley/reset", &json!({ "seed": 7, "observe": ["values"] }));
    assert_eq!(status, 200);
    let session_id = first["metadata"]["session_id"].as_str().unwrap();
    let step = |action: &str, more: Json| {
        let mut body = json!({ "action": { "action": action }, "session_id": session_id });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let (status, answer) = server.post("/step", &body);
        assert_eq!(status, 200, "{answer}");
        answer
    };
    let one = step("MoveN", json!({ "request_id": "a" }));
    assert_eq!(step("MoveN", json!({ "request_id": "a" })), one, "a request that is sent again counts once");
    let two = step("MoveN", json!({ "request_id": "b" }));
    let mut session = server.session("/games/backwards_valley/ws");
    session.reset(json!({ "seed": 7, "observe": ["values"] }));
    assert_eq!(session.step("MoveN")["data"], one);
    assert_eq!(session.step("MoveN")["data"], two);
    let (_, state) = server.get(&format!("/state?session_id={session_id}"));
    assert_eq!((&state["step_count"], &state["state_hash"]), (&json!(2), &session.state()["state_hash"]));
    let (_, again) = server.post("/reset", &json!({ "seed": 7, "observe": ["values"], "session_id": session_id }));
    assert_eq!(again, first, "the trainer may start again");
    for (path, body, told) in [
        ("/step", json!({ "action": { "action": "wait" } }), "`session_id` is missing"),
        ("/step", json!({ "action": { "action": "wait" }, "session_id": "AAAA" }), "names no session"),
        ("/step", json!({ "session_id": session_id }), "needs `action`"),
        ("/step", json!({ "action": { "action": "wait" }, "sesion_id": "AAAA" }), "did you mean `session_id`?"),
        ("/reset", json!({ "sed": 1 }), "did you mean `seed`?"),
        ("/fork", json!({ "session_id": session_id }), "`n` is missing"),
        ("/fork", json!({ "session_id": session_id, "n": 0 }), "from 1 to"),
    ] {
        let (status, answer) = server.post(path, &body);
        assert!(status == 422 && answer["detail"].as_str().unwrap().contains(told), "{path}: {answer}");
    }
    let (status, answer) = server.get("/games/backwards_vally/metadata");
    assert!(status == 404 && answer["detail"].as_str().unwrap().contains("backwards_valley"), "{answer}");
}

/// The forms in which models and their harnesses write steps. None of them is an error, and all are read as the same text would be.
#[test]
fn a_step_that_a_model_wrote_is_answered_and_never_an_error() {
    let game: Arc<Game> = Arc::new(farm_games::open("backwards_valley", &farm_games::Options::default()).unwrap());
    let server = Running::of(&["backwards_valley"]);
    let mut session = server.session("/ws");
    let (_, first) = server.post("/reset", &json!({ "seed": 7 }));
    for data in [
        json!({ "action": "MoveN" }),
        json!({ "action": "MoveN", "metadata": { "any": 1 } }),
        json!({ "thought": "North is best.\nAction: Insult", "action": "MoveN" }),
        json!({ "name": "MoveN", "arguments": {} }),
        json!({ "name": "MoveN", "arguments": "{}" }),
        json!({ "action": { "name": "MoveN" } }),
        json!({ "action": { "name": "MoveN", "arguments": {} } }),
        json!({ "action": null }),
        json!({ "action": 99 }),
        json!({ "action": -1 }),
        json!({ "action": 1.5 }),
        json!({ "action": true }),
        json!({ "action": "" }),
        json!({ "action": [] }),
        json!({ "action": [null, 3, {}] }),
        json!({ "action": ["MoveN"] }),
        json!({ "action": {} }),
        json!({ "action": { "action": { "action": "MoveN" } } }),
        json!({ "action": "MoveN", "params": 3 }),
        json!({ "action": "MoveN", "params": { "steps": 3 } }),
        json!({ "action": 3, "params": {} }),
        json!({ "acton": "MoveN" }),
        json!({ "content": "Action: MoveN" }),
        json!({ "tool_calls": [{ "function": { "name": "MoveN", "arguments": "{}" } }] }),
        json!({ "type": "call_tool", "tool_name": "no such tool", "arguments": {} }),
        json!({ "type": "call_tool" }),
        json!({}),
        json!([]),
        json!(["MoveN"]),
        json!("MoveN"),
        json!("I give up."),
        json!(3),
    ] {
        session.reset(json!({ "seed": 7 }));
        let answer = session.ask(&json!({ "type": "step", "data": data }));
        assert_eq!(answer["type"], "observation", "{data}: {answer}");
        // The reader of texts decides.
        let text = match (&data, data.get("action")) {
            (Json::String(text), _) => text.clone(),
            (Json::Object(object), Some(Json::String(text))) if object.len() == 1 => text.clone(),
            (Json::Object(object), Some(list @ Json::Array(_))) if object.len() == 1 => list.to_string(),
            _ => data.to_string(),
        };
        let mut environment = Environment::new(game.clone());
        environment.reset(7);
        let outcome = environment.step(text.as_str()).unwrap();
        let data_of = &answer["data"];
        assert_eq!(
            (&data_of["reward"], &data_of["observation"]["text"]),
            (&json!(outcome.reward), &json!(environment.text())),
            "{data}"
        );
        let body = json!({ "action": data, "session_id": first["metadata"]["session_id"] });
        let (status, answer) = server.post("/step", &body);
        assert_eq!(status, 200, "{data}: {answer}");
    }
    session.reset(json!({ "seed": 7 }));
    let answer = session.ask(&json!({ "type": "step", "data": { "thought": "Action: Insult", "action": "MoveN" } }));
    assert_eq!(answer["data"]["metadata"]["rejected"], json!([]), "{answer}");
    let answer = session.ask(&json!({ "type": "step", "data": { "action": null } }));
    assert_ne!(answer["data"]["metadata"]["rejected"], json!([]), "{answer}");
}

#[test]
fn what_describes_the_server_is_what_openenv_asks_for() {
    let server = Running::of(&["clay_bean"]);
    assert_eq!(server.get("/health").1["status"], "healthy");
    let (_, metadata) = server.get("/metadata");
    assert!(metadata["name"] == "clay_bean" && !metadata["description"].as_str().unwrap().is_empty());
    let (_, schema) = server.get("/schema");
    for part in ["action", "observation", "reset_observation", "state"] {
        assert!(schema[part].is_object(), "{part}");
    }
    let (_, document) = server.get("/openapi.json");
    assert_eq!(document["info"]["version"], "1.0.0");
    for path in ["/reset", "/step", "/state", "/fork", "/mcp", "/{environment}/task_range"] {
        assert!(document["paths"][path].is_object(), "{path}");
    }
    let (status, answer) = server.post("/mcp", &json!({}));
    assert_eq!((status, &answer["jsonrpc"]), (200, &json!("2.0")));
    // What is sent is of the schemas that are published.
    let validator = |name: &str| jsonschema::validator_for(&schema[name]).unwrap();
    let mut session = server.session("/ws");
    let first = session.reset(json!({ "seed": 1 }));
    assert!(validator("reset_observation").is_valid(&first["data"]["observation"]));
    let next = session.step("wait");
    assert!(validator("observation").is_valid(&next["data"]["observation"]), "{next}");
    assert!(validator("state").is_valid(&session.state()));
    assert!(!validator("observation").is_valid(&json!({ "values": { "nothing": 1 } })));
}
