//! What an address does not tell where agents play: plans, hidden rules, reserved worlds.

use farm_core::SeedSplit;
use farm_serve::Settings;
use serde_json::json;

use crate::client::Running;

const GAME: &str = "backwards_valley";

#[test]
fn a_server_without_the_playground_answers_none_of_its_requests() {
    let server = Running::with(&[GAME], Settings { playground: false, ..Settings::default() });
    let watch = json!({ "game": { "name": GAME }, "seed": 7, "policy": "oracle" });
    for path in ["game", "games", "signs", "place", "watch", "check", "complete"] {
        assert_eq!(server.post(&format!("/api/{path}"), &watch).0, 404, "{path}");
        assert_eq!(server.get(&format!("/api/{path}")).0, 404, "{path}");
    }
    for path in ["/", "/playground.js", "/editor.js"] {
        assert_eq!(server.get(path).0, 404, "{path}");
    }
    // What an agent can read says no rule.
    let game = farm_games::open(GAME, &farm_games::Options::default()).unwrap();
    let text = |rules| game.text().instructions(rules);
    let (hidden, shown) = (text(farm_core::inspect::RulesText::Hidden), text(farm_core::inspect::RulesText::Shown));
    let secret: Vec<&str> = shown.lines().filter(|line| line.len() > 20 && !hidden.contains(line)).collect();
    assert!(!secret.is_empty());
    for path in ["/metadata", "/schema", "/openapi.json", "/list_environments", "/metrics", "/health"] {
        let (status, answer) = server.request("GET", path, &[], "");
        assert_eq!(status, 200, "{path}");
        assert!(secret.iter().all(|line| !answer.contains(line)), "{path}: {answer}");
    }
    assert_eq!(server.post("/reset", &json!({ "seed": 7 })).0, 200);
}

#[test]
fn the_playground_plans_in_no_reserved_world() {
    let server = Running::of(&[GAME]);
    let watch = |seed: u64, policy: &str| {
        server.post("/api/watch", &json!({ "game": { "name": GAME }, "seed": seed, "policy": policy }))
    };
    let hint = |seed: u64, policy: &str| {
        server.post("/api/place", &json!({ "game": { "name": GAME }, "seed": seed, "hint": policy }))
    };
    let reserved = SeedSplit::ALL.map(|split| split.seed(7).unwrap());
    for seed in reserved {
        for (status, answer) in [watch(seed, "oracle"), hint(seed, "oracle")] {
            assert_eq!(status, 422, "{seed}: {answer}");
            assert!(
                answer.to_string().contains("reserved for the split") && answer.get("actions").is_none(),
                "{answer}"
            );
        }
        assert_eq!(watch(seed, "random").0, 200);
    }
    assert_eq!((watch(7, "oracle").0, hint(7, "oracle").0), (200, 200));
}

#[test]
fn with_a_token_an_agent_plays_its_session_and_nothing_else() {
    let token = "a token that is hard to guess";
    let server = Running::with(&[GAME], Settings { token: Some(token.to_owned()), ..Settings::default() });
    let header = format!("Bearer {token}");
    let trainer = |path: &str, body: &str| server.request("POST", path, &[("authorization", &header)], body);
    let (status, first) = trainer("/reset", r#"{"seed": 7}"#);
    let first: serde_json::Value = serde_json::from_str(&first).unwrap();
    assert_eq!(status, 200);
    let path = first["metadata"]["mcp"].as_str().unwrap();
    let look = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "look" } });
    assert_eq!(server.post(path, &look).0, 200);
    assert_eq!(server.post(&format!("/games/{GAME}{path}"), &look).0, 200);
    let id = first["metadata"]["session_id"].as_str().unwrap();
    let mut named = look.clone();
    named["params"]["session_id"] = json!(id);
    assert_eq!(server.post("/mcp?session=0", &named).0, 404);
    for (path, body) in [
        ("/mcp", &look),
        ("/mcp?seed=7", &look),
        ("/mcp?session=", &named),
        ("/mcp?rules=shown", &look),
        ("/reset", &json!({ "seed": 7 })),
        ("/reset?session=0", &json!({ "seed": 7 })),
        ("/api/watch?session=0", &json!({ "game": { "name": GAME }, "seed": 7, "policy": "oracle" })),
        ("/api/game", &json!({ "name": GAME })),
        ("/fork", &json!({ "session_id": id, "n": 1 })),
    ] {
        assert_eq!(server.post(path, body).0, 401, "{path}");
    }
    assert_eq!(server.get(&format!("/state?session_id={id}")).0, 401);
}
