//! Steps of OpenEnv's clients for tools: `list_tools` takes no step, and `call_tool` calls a tool of the Model Context Protocol.

use serde_json::{Map, Value as Json, json};

use crate::episode::Untaken;
use crate::mcp::Tools;
use crate::session::Session;

/// Answers a step that lists or calls tools; `None` for every other step.
///
/// # Errors
/// No episode has started.
pub(super) fn step(data: &Json, session: &mut Session) -> Result<Option<Json>, Untaken> {
    let (game, start) = (session.served.game.clone(), session.start());
    let tools = || Tools::new(&game, start);
    let (observation, reward) = match data["type"].as_str() {
        Some("list_tools") => (json!({ "tools": tools().list() }), Json::Null),
        Some("call_tool") => {
            let name = data["tool_name"].as_str().unwrap_or_default();
            let none = Map::new();
            let arguments = data["arguments"].as_object().unwrap_or(&none);
            session.playing()?;
            match tools().call(session, name, arguments) {
                Ok(result) => {
                    let reward = result["structuredContent"]["reward"].clone();
                    (json!({ "tool_name": name, "result": result }), reward)
                }
                // The game answers an unknown tool as an unreadable reply.
                Err(_) => return Ok(None),
            }
        }
        _ => return Ok(None),
    };
    let is_over = session.playing().is_ok_and(|playing| playing.is_over());
    Ok(Some(json!({ "observation": observation, "reward": reward, "done": is_over, "metadata": {} })))
}
