//! Copies of a session, for rollouts that share a beginning.

use farm_serve::{Limits, Settings};
use serde_json::{Value as Json, json};

use crate::client::Running;
use crate::record::recorded;

const GAME: &str = "backwards_valley";

#[test]
fn a_session_is_copied_over_every_wire_and_the_copies_go_on_by_themselves() {
    let folder = std::env::temp_dir().join(format!("farm-serve-forks-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    let mut server = Running::with(&[GAME], Settings { record: Some(folder.clone()), ..Settings::default() });
    let mut session = server.session("/ws");
    session.reset(json!({ "seed": 7, "form": "compact" }));
    session.step("MoveN");
    let own = json!({ "jsonrpc": "2.0", "id": 1, "method": "openenv/session/create" });
    let id = session.ask(&json!({ "type": "mcp", "data": own }))["data"]["result"]["session_id"].take();
    let mcp =
        json!({ "jsonrpc": "2.0", "id": 1, "method": "openenv/session/fork", "params": { "session_id": id, "n": 1 } });
    let answers = [
        session.ask(&json!({ "type": "fork", "data": { "n": 2 } }))["data"].take(),
        server.post("/fork", &json!({ "session_id": id, "n": 1 })).1,
        server.post("/mcp", &mcp).1["result"].take(),
    ];
    let copies: Vec<Json> = answers.iter().flat_map(|answer| answer["sessions"].as_array().unwrap().clone()).collect();
    assert_eq!(copies.len(), 4, "{answers:?}");
    let step = |copy: &Json, action: &str| {
        let body = json!({ "session_id": copy["session_id"], "action": { "action": action } });
        let (status, answer) = server.post("/step", &body);
        assert_eq!(status, 200, "{answer}");
        answer
    };
    let east = session.step("MoveE")["data"].take();
    assert_eq!(step(&copies[0], "MoveE"), east, "the text of a short form included");
    assert_ne!(step(&copies[1], "MoveS"), east);
    step(&copies[1], "MoveS");
    let state = |copy: &Json| server.get(&format!("/state?session_id={}", copy["session_id"].as_str().unwrap())).1;
    assert_eq!(state(&copies[0])["state_hash"], session.state()["state_hash"]);
    assert_eq!((&state(&copies[1])["step_count"], &state(&copies[2])["step_count"]), (&json!(3), &json!(1)));
    let mut joined = server.session(&format!("/ws?session_id={}", copies[2]["session_id"].as_str().unwrap()));
    assert_eq!(joined.step("MoveE")["data"], east);
    let mut empty = server.session("/ws");
    assert_eq!(empty.ask(&json!({ "type": "fork", "data": { "n": 2 } }))["type"], "error");
    server.stop();
    // Each record is that of a whole episode.
    let records = recorded(&folder);
    let lengths: Vec<usize> = records.iter().map(Vec::len).collect();
    assert_eq!(lengths, [4, 4, 5, 4, 3]);
    for lines in &records {
        assert_eq!((&lines[0], &lines[1]["action"]), (&records[0][0], &json!("MoveN")));
        assert_eq!(lines.last().unwrap()["type"], "end");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn copies_beyond_the_room_are_refused_and_leave_none_behind() {
    let server = Running::within(&[GAME], Limits { max_sessions: 4, ..Limits::default() });
    let (_, first) = server.post("/reset", &json!({ "seed": 7 }));
    let id = &first["metadata"]["session_id"];
    let fork = |n: u64| server.post("/fork", &json!({ "session_id": id, "n": n })).0;
    assert_eq!(fork(4), 503);
    assert_eq!(server.metric("farm_sessions_open"), 1.0);
    assert_eq!(fork(3), 200);
    assert_eq!(server.post("/reset", &json!({})).0, 503, "the room is full");
}
