//! What is recorded, and the end of a server.

use std::path::PathBuf;

use farm_core::Environment;
use farm_serve::Settings;
use serde_json::{Value as Json, json};

use crate::client::Running;

pub(crate) fn recorded(folder: &PathBuf) -> Vec<Vec<Json>> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let lines = |file: &PathBuf| {
        std::fs::read_to_string(file).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    files.iter().map(lines).collect()
}

#[test]
fn a_server_that_stops_has_written_what_was_played_and_it_plays_again() {
    let folder = std::env::temp_dir().join(format!("farm-serve-record-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    let mut server =
        Running::with(&["backwards_valley"], Settings { record: Some(folder.clone()), ..Settings::default() });
    let mut session = server.session("/ws");
    session.reset(json!({ "seed": 7 }));
    for action in [json!("MoveN"), json!(3), json!("dance"), json!(["MoveE"])] {
        assert_eq!(session.step(action)["type"], "observation");
    }
    let hash = session.state()["state_hash"].take();
    session.reset(json!({ "seed": 8 }));
    session.step("wait");
    server.stop();
    assert_eq!(session.read(), None, "a session is closed in good order");

    let files = recorded(&folder);
    assert_eq!(files.iter().map(Vec::len).collect::<Vec<_>>(), [6, 3]);
    for lines in &files {
        assert_eq!((&lines[0]["type"], &lines[lines.len() - 1]["type"]), (&json!("episode"), &json!("end")));
        let mut environment =
            Environment::new(farm_games::open("backwards_valley", &farm_games::Options::default()).unwrap().into());
        environment.reset(lines[0]["seed"].as_u64().unwrap());
        let state = |environment: &Environment| json!(format!("{:016x}", environment.state().hash()));
        assert_eq!(lines[0]["state_hash"], state(&environment));
        for line in &lines[1..lines.len() - 1] {
            let outcome = match &line["action"] {
                Json::String(text) => environment.step(text.as_str()),
                Json::Number(id) => environment.step(id.as_u64().unwrap() as usize),
                named => environment.step(named),
            };
            assert_eq!((&line["reward"], &line["state_hash"]), (&json!(outcome.unwrap().reward), &state(&environment)));
        }
    }
    assert_eq!(files[0][4]["state_hash"], hash);
    std::fs::remove_dir_all(&folder).unwrap();
}
