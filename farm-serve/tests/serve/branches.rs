//! Branches: the tier in which an agent may return to earlier turns, and what this costs.

use std::sync::Arc;

use farm_core::Environment;
use farm_serve::Settings;
use serde_json::{Value as Json, json};

use crate::client::{Running, Session};
use crate::record::recorded;

const GAME: &str = "backwards_valley";

fn call(server: &Running, path: &str, name: &str, arguments: &Json) -> Json {
    let params = json!({ "name": name, "arguments": arguments });
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
    server.post(path, &message).1["result"].take()
}

fn environment() -> Environment {
    let mut environment = Environment::new(Arc::new(farm_games::open(GAME, &farm_games::Options::default()).unwrap()));
    environment.reset(7);
    environment
}

#[test]
fn an_agent_returns_to_an_earlier_turn_for_the_price_of_a_step() {
    let server = Running::of(&[GAME]);
    let (_, first) = server.post("/reset", &json!({ "seed": 7, "branches": true }));
    let path = first["metadata"]["mcp"].as_str().unwrap();
    assert!(first["observation"]["instructions"].as_str().unwrap().contains("BRANCHES"));
    let called = |name: &str, arguments: Json| call(&server, path, name, &arguments);
    let seen = |result: Json| result["structuredContent"].clone();
    let start = seen(called("look", json!({})));
    let most = start["steps_left"].as_u64().unwrap();
    let one = seen(called("MoveN", json!({ "handle": start["handle"] })));
    seen(called("MoveN", json!({ "handle": one["handle"] })));
    let back = seen(called("branch", json!({ "handle": one["handle"] })));
    let again = seen(called("branch", json!({ "handle": one["handle"] })));
    assert_eq!(back, again, "a call that is sent again counts once");
    let mut environment = environment();
    environment.step("MoveN").unwrap();
    assert_eq!((&back["text"], &back["reward"]), (&json!(environment.text()), &Json::Null));
    assert_eq!(back["steps_left"], json!(most - 3), "two steps and a return");
    let east = seen(called("MoveE", json!({ "handle": back["handle"] })));
    environment.step("MoveE").unwrap();
    assert_eq!(east["text"], json!(environment.text()));
    // An old handle is good for returning only.
    for name in ["MoveN", "look"] {
        assert_eq!(called(name, json!({ "handle": one["handle"] }))["isError"], true, "{name}");
    }
    for arguments in [json!({}), json!({ "handle": "AAAA" }), json!({ "handle": 3 }), json!({ "to": 1 })] {
        assert_eq!(called("branch", arguments.clone())["isError"], true, "{arguments}");
    }
    let id = first["metadata"]["session_id"].as_str().unwrap();
    let (_, state) = server.get(&format!("/state?session_id={id}"));
    assert_eq!((&state["step_count"], &state["branches"]), (&json!(4), &json!(true)));
    assert_eq!(state["state_hash"], format!("{:016x}", environment.state().hash()));
    let tools = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
    assert!(server.post(path, &tools).1.to_string().contains("\"branch\""));
    assert!(!server.post("/mcp", &tools).1.to_string().contains("\"branch\""), "a tier of its own");
}

#[test]
fn a_turn_after_long_texts_is_found_again() {
    let server = Running::of(&[GAME]);
    let mut session = server.session("/ws");
    session.reset(json!({ "seed": 7, "branches": true }));
    let thoughts = "I think about it. ".repeat(5_000);
    let moves = format!("{}\nAction: MoveN", &thoughts[..40_000]);
    let texts = ["MoveE", &moves, &thoughts, &"dance ".repeat(100), &moves];
    let mut turns = Vec::new();
    for text in texts {
        assert_eq!(session.step(text)["type"], "observation");
        let looked = tool(&mut session, "look", &json!({}));
        turns.push((looked["handle"].clone(), session.state()["state_hash"].take()));
    }
    assert_ne!(turns[0].1, turns[1].1, "the action at the end of a long text is played");
    for (handle, hash) in &turns {
        tool(&mut session, "branch", &json!({ "handle": handle }));
        assert_eq!(session.state()["state_hash"], *hash);
    }
}

fn tool(session: &mut Session, name: &str, arguments: &Json) -> Json {
    let params = json!({ "name": name, "arguments": arguments });
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
    session.ask(&json!({ "type": "mcp", "data": message }))["data"]["result"]["structuredContent"].take()
}

#[test]
fn all_branches_share_the_steps_of_one_episode_and_the_record_plays_again() {
    let folder = std::env::temp_dir().join(format!("farm-serve-branches-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    let server = Running::with(&[GAME], Settings { record: Some(folder.clone()), ..Settings::default() });
    let path = "/mcp?seed=7&branches=true";
    let start = call(&server, path, "look", &json!({}))["structuredContent"].take();
    let most = start["steps_left"].as_u64().unwrap();
    // However often the start is tried again, the steps run out.
    let actions = ["MoveN", "MoveE", "MoveS", "MoveW", "Wait"];
    let (mut spent, mut last) = (0, Json::Null);
    'all: for i in 0.. {
        for action in &actions[..1 + i % actions.len()] {
            last = call(&server, path, action, &json!({}))["structuredContent"].take();
            spent += 1;
            if last["done"] == true {
                break 'all;
            }
        }
        // A repeated call counts once only if it is the last one, so there is a step in between.
        last = call(&server, path, "branch", &json!({ "handle": start["handle"] }))["structuredContent"].take();
        spent += 1;
        if last["done"] == true {
            break;
        }
    }
    assert_eq!((spent, &last["steps_left"]), (most, &json!(0)));
    assert_eq!(call(&server, path, "MoveN", &json!({}))["isError"], true);
    let late = call(&server, path, "branch", &json!({ "handle": start["handle"] }));
    assert!(late["isError"] == true || late["structuredContent"] == last, "the last call, or none: {late}");
    drop(server);

    let lines = recorded(&folder).remove(0);
    assert_eq!(lines[0]["branches"], true);
    let mut turns = vec![environment()];
    for line in &lines[1..] {
        match line["type"].as_str().unwrap() {
            "step" => {
                let mut next = turns.last().unwrap().clone();
                let outcome = next.step(line["action"].as_str().unwrap()).unwrap();
                assert_eq!(line["reward"], json!(outcome.reward));
                turns.push(next);
            }
            "branch" => turns.push(turns[line["turn"].as_u64().unwrap() as usize].clone()),
            "end" => {
                assert_eq!(line["return"], last["return"]);
                continue;
            }
            _ => continue,
        }
        let hash = format!("{:016x}", turns.last().unwrap().state().hash());
        assert_eq!(line["state_hash"], hash, "{line}");
    }
    assert_eq!(turns.len() as u64, most + 1);
    std::fs::remove_dir_all(&folder).unwrap();
}
