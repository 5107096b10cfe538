//! OpenEnv's messages, requests and tasks.

use farm_core::SeedSplit;
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
    let mut environment = farm_core::Environment::new(
        farm_games::open("backwards_valley", &farm_games::Options::default()).unwrap().into(),
    );
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
    session.reset(json!({ "seed": 7 }));
    for (data, told) in [
        (json!({ "acton": "wait" }), "did you mean `action`?"),
        (json!({}), "a step needs `action`"),
        (json!({ "action": 100_000 }), "the ids of this game go from 0 to"),
        (json!({ "action": 1.5 }), "ids are non-negative integers"),
        (json!({ "action": null }), "expected a string"),
        (json!({ "action": "wait", "params": 3 }), "expected an object"),
    ] {
        let answer = session.ask(&json!({ "type": "step", "data": data }));
        assert!(answer["data"]["message"].as_str().unwrap_or_default().contains(told), "{data}: {answer}");
    }
    assert_eq!(session.state()["step_count"], 0);
    // Whether a text is a valid action is for the game to judge, as everywhere.
    let answer = session.step("dance");
    assert!(answer["data"]["metadata"]["rejected"][0]["reason"].as_str().unwrap().contains("dance"), "{answer}");
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
fn requests_by_http_keep_the_episode_as_a_handle_and_a_handle_may_branch() {
    let server = Running::of(&["clay_bean", "backwards_valley"]);
    let (status, first) = server.post("/games/backwards_valley/reset", &json!({ "seed": 7 }));
    assert_eq!(status, 200);
    let step = |handle: &Json, action: &str| {
        let (status, answer) =
            server.post("/games/backwards_valley/step", &json!({ "action": { "action": action }, "handle": handle }));
        assert_eq!(status, 200, "{answer}");
        answer
    };
    let one = step(&first["metadata"]["handle"], "MoveN");
    let (north, south) = (step(&one["metadata"]["handle"], "MoveN"), step(&one["metadata"]["handle"], "MoveS"));
    let mut session = server.session("/games/backwards_valley/ws");
    session.reset(json!({ "seed": 7 }));
    session.step("MoveN");
    assert_eq!(session.step("MoveN")["data"]["observation"], north["observation"]);
    assert_ne!(north["observation"]["values"], south["observation"]["values"]);
    let (_, state) =
        server.get(&format!("/games/backwards_valley/state?handle={}", north["metadata"]["handle"].as_str().unwrap()));
    assert_eq!((&state["step_count"], &state["state_hash"]), (&json!(2), &session.state()["state_hash"]));
    for (path, body, told) in [
        ("/step", json!({ "action": { "action": "wait" }, "handle": north["metadata"]["handle"] }), "another game"),
        ("/step", json!({ "action": { "action": "wait" }, "handle": "AAAA" }), "copied with errors"),
        ("/step", json!({ "handle": "AAAA" }), "needs `action`"),
        ("/step", json!({ "action": { "action": "wait" }, "handel": "AAAA" }), "did you mean `handle`?"),
        ("/reset", json!({ "sed": 1 }), "did you mean `seed`?"),
    ] {
        let (status, answer) = server.post(path, &body);
        assert!(status == 422 && answer["detail"].as_str().unwrap().contains(told), "{path}: {answer}");
    }
    let (status, answer) = server.get("/games/backwards_vally/metadata");
    assert!(status == 404 && answer["detail"].as_str().unwrap().contains("backwards_valley"), "{answer}");
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
    for path in ["/reset", "/step", "/state", "/mcp", "/{environment}/task_range"] {
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
