//! The Model Context Protocol, message by message.

use farm_serve::mcp::AgentEpisode;
use serde_json::{Value as Json, json};

use crate::client::Running;

fn ask(server: &Running, path: &str, method: &str, params: Json) -> Json {
    let (status, answer) = server.post(path, &json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params }));
    assert_eq!((status, &answer["id"]), (200, &json!(7)), "{answer}");
    answer
}

fn call(server: &Running, path: &str, name: &str, arguments: Json) -> Json {
    ask(server, path, "tools/call", json!({ "name": name, "arguments": arguments }))["result"].take()
}

#[test]
fn both_generations_of_clients_find_the_tools() {
    let server = Running::of(&["backwards_valley", "clay_bean"]);
    let hello = ask(
        &server,
        "/mcp",
        "initialize",
        json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {} }),
    );
    assert_eq!(
        (&hello["result"]["protocolVersion"], &hello["result"]["serverInfo"]["name"]),
        (&json!("2025-06-18"), &json!("farm"))
    );
    let hello = ask(&server, "/mcp", "initialize", json!({ "protocolVersion": "2030-01-01" }));
    assert_eq!(hello["result"]["protocolVersion"], "2025-11-25");
    let meta = |version: &str| json!({ "_meta": { "io.modelcontextprotocol/protocolVersion": version } });
    let found = ask(&server, "/mcp", "server/discover", meta("2026-07-28"));
    assert!(found["result"]["supportedVersions"].as_array().unwrap().contains(&json!("2026-07-28")));
    let refused = ask(&server, "/mcp", "server/discover", meta("2030-01-01"));
    assert_eq!(refused["error"]["code"], -32022);
    let (status, answer) =
        server.request("POST", "/mcp", &[], r#"{"jsonrpc": "2.0", "method": "notifications/initialized"}"#);
    assert_eq!((status, answer.as_str()), (202, ""));

    let tools = ask(&server, "/games/clay_bean/mcp", "tools/list", json!({}))["result"]["tools"].take();
    let names: Vec<&str> = tools.as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"look") && names.contains(&"water_discrete") && names.contains(&"wait"), "{names:?}");
    assert!(!names.iter().any(|name| ["reset", "step", "state", "close", "rules"].contains(name)), "{names:?}");
    let shown = ask(&server, "/mcp?rules=shown", "tools/list", json!({}))["result"]["tools"].to_string();
    assert!(shown.contains("\"rules\""));
    for tool in tools.as_array().unwrap() {
        assert!(jsonschema::meta::is_valid(&tool["inputSchema"]), "{tool}");
    }
}

#[test]
fn mistakes_are_told_to_the_agent_and_wrong_messages_to_the_program() {
    let server = Running::of(&["clay_bean"]);
    let first = call(&server, "/mcp", "look", json!({}));
    let handle = &first["structuredContent"]["handle"];
    for (tool, arguments, told) in [
        ("wait", json!({ "handle": "x" }), "not the newest handle"),
        ("look", json!({ "handle": "x" }), "not the newest handle"),
        ("wait", json!({ "handle": 3 }), "expected a string"),
        ("wait", json!({ "handle": handle, "hurry": true }), "unknown key"),
        ("water_discrete", json!({ "handle": handle, "amuont": 5 }), "did you mean `amount`?"),
        ("water_discrete", json!({ "handle": handle }), "`amount` is missing"),
        ("look", json!({ "picture": "yes" }), "expected true or false"),
    ] {
        let result = call(&server, "/mcp", tool, arguments.clone());
        let text = result["content"][0]["text"].as_str().unwrap_or_default();
        assert!(result["isError"] == true && text.contains(told), "{tool} {arguments}: {result}");
    }
    // A value that the game does not have is the game's to judge.
    let result = call(&server, "/mcp", "water_discrete", json!({ "handle": handle, "amount": 3.21 }));
    assert!(!result["structuredContent"]["rejected"].as_array().unwrap().is_empty(), "{result}");
    for (message, code) in [
        (json!({}), -32600),
        (json!([]), -32600),
        (json!({ "jsonrpc": "2.0", "id": {}, "method": "ping" }), -32600),
        (json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/cal" }), -32601),
        (json!({ "jsonrpc": "2.0", "id": 1, "method": "reset" }), -32601),
        (json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": [] }), -32602),
        (json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "wiat" } }), -32602),
    ] {
        let (status, answer) = server.post("/mcp", &message);
        assert_eq!((status, &answer["error"]["code"]), (200, &json!(code)), "{message}");
    }
    assert_eq!(server.request("POST", "/mcp", &[], "{").0, 400);
    assert_eq!(server.request("GET", "/mcp", &[], "").0, 405);
    let picture = call(&server, "/mcp", "look", json!({ "picture": true }));
    assert_eq!(
        (&picture["content"][1]["type"], &picture["content"][1]["mimeType"]),
        (&json!("image"), &json!("image/png"))
    );
    assert!(picture["content"][1]["data"].as_str().unwrap().starts_with("iVBORw0KGgo"));
    let (status, answer) = server.post("/mcp?seeed=1", &json!({}));
    assert!(status == 400 && answer["detail"].as_str().unwrap().contains("did you mean `seed`?"), "{answer}");
}

#[test]
fn a_program_that_speaks_lines_is_answered_by_lines() {
    let game = std::sync::Arc::new(farm_games::open("backwards_valley", &farm_games::Options::default()).unwrap());
    let lines = "\n{\n{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n\
        {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"look\"}}\n";
    let long = format!("{}\n", "x".repeat(300 * 1024));
    let episode = AgentEpisode {
        seed: 7,
        form: farm_core::TextForm::Compact,
        rules: farm_core::inspect::RulesText::Hidden,
        branches: false,
        record: None,
    };
    let (mut output, input) = (Vec::new(), std::io::Cursor::new(format!("{long}{lines}")));
    let result = farm_serve::mcp::run_stdio("backwards_valley", game, episode, input, &mut output).unwrap();
    assert_eq!((result.steps, result.total, result.is_over), (0, 0.0, false));
    let answers: Vec<Json> =
        String::from_utf8(output).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), 3);
    assert_eq!((&answers[0]["error"]["code"], &answers[1]["error"]["code"]), (&json!(-32600), &json!(-32700)));
    assert!(answers[2]["result"]["structuredContent"]["handle"].is_string());
}
