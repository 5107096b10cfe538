//! What is odd about a game is told to whoever opens it over the wire, and no answer names a tool that its reader lacks.

use serde_json::{Value as Json, json};

use crate::client::Running;
use crate::odd_game::OddGame;

/// The one warning, without the way out, which is for whoever wrote the game.
fn assert_is_told(warnings: &Json) {
    let all = warnings.as_array().unwrap_or_else(|| panic!("no warnings: {warnings}"));
    assert_eq!(all.len(), 1, "{warnings}");
    assert_eq!(all[0]["code"], "implausible-weather");
    let message = all[0]["message"].as_str().unwrap();
    assert!(
        message.contains("latitude 25") && !message.contains("confirmed") && !message.contains("farm "),
        "{message}"
    );
}

fn call(server: &Running, name: &str, arguments: &Json) -> Json {
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": name, "arguments": arguments } });
    let (status, answer) = server.post("/mcp", &message);
    assert_eq!(status, 200, "{answer}");
    answer["result"].clone()
}

#[test]
fn a_reset_tells_trainers_and_the_beginning_tells_agents() {
    let odd = OddGame::new("wire");
    let server = Running::of(&[&odd.path()]);
    let mut session = server.session("/ws");
    assert_is_told(&session.reset(json!({ "seed": 1 }))["data"]["metadata"]["warnings"]);
    assert!(session.step("wait")["data"]["metadata"].get("warnings").is_none(), "once for an episode");
    let (_, first) = server.post("/reset", &json!({}));
    assert_is_told(&first["metadata"]["warnings"]);
    let look = call(&server, "look", &json!({}));
    assert_is_told(&look["structuredContent"]["warnings"]);
    // A model that plays has no part in it.
    assert!(!look["content"].to_string().contains("latitude 25"), "{look}");
    let again = call(&server, "look", &json!({ "handle": look["structuredContent"]["handle"] }));
    assert!(again["structuredContent"].get("warnings").is_none(), "{again}");
}

#[test]
fn a_game_without_anything_odd_has_no_warnings_on_the_wire() {
    let server = Running::of(&["clay_bean"]);
    let (_, first) = server.post("/reset", &json!({}));
    assert!(first["metadata"].get("warnings").is_none(), "{first}");
    assert!(call(&server, "look", &json!({}))["structuredContent"].get("warnings").is_none());
}

#[test]
fn an_agent_is_told_of_no_tool_that_it_lacks() {
    let server = Running::of(&["backwards_valley"]);
    let (_, listed) = server.post("/mcp", &json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" }));
    let tools = listed["result"]["tools"].as_array().unwrap();
    let tools: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    let wait = tools.iter().find(|name| name.eq_ignore_ascii_case("wait")).unwrap();
    let mut handle = call(&server, "look", &json!({}))["structuredContent"]["handle"].clone();
    loop {
        let told = call(&server, wait, &json!({ "handle": handle }));
        handle = told["structuredContent"]["handle"].clone();
        if told["structuredContent"]["done"] == true {
            break;
        }
    }
    for arguments in
        [json!({ "handle": handle }), json!({}), json!({ "handle": "x" }), json!({ "handle": handle, "to": 1 })]
    {
        let refused = call(&server, "MoveN", &arguments);
        assert_eq!(refused["isError"], true, "{refused}");
        let text = refused["content"][0]["text"].as_str().unwrap();
        for lacking in ["reset", "farm ", "--"] {
            assert!(!text.contains(lacking), "{text}");
        }
        // What stands in backticks is an argument or a tool.
        for named in text.split('`').skip(1).step_by(2) {
            assert!(["handle", "to"].contains(&named) || tools.contains(&named), "`{named}`: {text}");
        }
    }
}
