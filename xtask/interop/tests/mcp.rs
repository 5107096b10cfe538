//! `farm serve` and `farm agents mcp`, played by the client in the Rust SDK for the Model Context Protocol.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use farm_games::Options;
use rmcp::model::{CallToolRequestParams, CallToolResult, ProtocolVersion};
use rmcp::service::{RoleClient, RunningService};
use rmcp::transport::{IntoTransport, StreamableHttpClientTransport, TokioChildProcess};
use rmcp::{ClientLifecycleMode, ClientServiceExt};
use serde_json::{Value as Json, json};

const GAME: &str = "backwards_valley";
const ACTIONS: [&str; 3] = ["MoveN", "MoveE", "MoveS"];

/// The program, whose path `cargo xtask interop` sets.
fn program() -> String {
    std::env::var("FARM_GYM_COMMAND").expect("FARM_GYM_COMMAND names the program `farm`; `cargo xtask interop` sets it")
}

/// A server that ends when this value is dropped.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start() -> Self {
        let arguments = ["serve", GAME, "--port", "0", "--log", "off"];
        let mut child = Command::new(program()).args(arguments).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.strip_prefix("http://").and_then(|rest| rest.split('/').next()).expect(&line).to_owned();
        Self { child, address }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// Opens a client in one generation of the protocol, with a handler that requests nothing.
async fn opened<E, A>(
    transport: impl IntoTransport<RoleClient, E, A>,
    lifecycle: ClientLifecycleMode,
) -> RunningService<RoleClient, ()>
where
    E: std::error::Error + Send + Sync + 'static,
{
    ().serve_with_lifecycle(transport, lifecycle).await.unwrap()
}

async fn call(client: &RunningService<RoleClient, ()>, tool: &'static str, arguments: Json) -> CallToolResult {
    let arguments = arguments.as_object().cloned().unwrap();
    client.call_tool(CallToolRequestParams::new(tool).with_arguments(arguments)).await.unwrap()
}

/// Plays the actions, each with the handle from the previous action, and returns the rewards. Also checks that mistakes are reported.
async fn rewards(client: RunningService<RoleClient, ()>) -> Vec<f64> {
    let tools = client.list_all_tools().await.unwrap();
    let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_ref()).collect();
    assert!(ACTIONS.iter().all(|action| names.contains(action)) && names.contains(&"look"), "{names:?}");

    let first = call(&client, "look", json!({ "picture": true })).await;
    assert!(first.content[0].as_text().unwrap().text.contains("TASK"));
    assert_eq!(first.content[1].as_image().unwrap().mime_type, "image/png");
    let wrong = call(&client, "MoveN", json!({ "handle": "x" })).await;
    assert_eq!(wrong.is_error, Some(true));
    assert!(wrong.content[0].as_text().unwrap().text.contains("not the newest handle"), "{wrong:?}");

    let mut seen = first.structured_content.unwrap();
    let mut rewards = Vec::new();
    for action in ACTIONS {
        seen = call(&client, action, json!({ "handle": seen["handle"] })).await.structured_content.unwrap();
        rewards.push(seen["reward"].as_f64().unwrap());
    }
    client.cancel().await.unwrap();
    rewards
}

/// Plays the same actions in this process.
fn played() -> Vec<f64> {
    let game = farm_games::open(GAME, &Options::default()).unwrap();
    let mut environment = farm_core::Environment::new(std::sync::Arc::new(game));
    environment.reset(7);
    ACTIONS.iter().map(|action| environment.step(*action).unwrap().reward).collect()
}

#[test]
fn the_client_of_rmcp_plays_over_http_and_by_lines_in_both_generations() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let stateless = || ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] };
    runtime.block_on(async {
        for lifecycle in [ClientLifecycleMode::Initialize, stateless()] {
            // A world has one episode on a server.
            let server = Server::start();
            let address = format!("http://{}/mcp?seed=7", server.address);
            let over_http = opened(StreamableHttpClientTransport::from_uri(address.as_str()), lifecycle.clone()).await;
            assert_eq!(rewards(over_http).await, played(), "over HTTP, {lifecycle:?}");
            let mut program = tokio::process::Command::new(program());
            program.args(["agents", "mcp", GAME, "--seed", "7"]);
            let by_lines = opened(TokioChildProcess::new(program).unwrap(), lifecycle.clone()).await;
            assert_eq!(rewards(by_lines).await, played(), "by lines, {lifecycle:?}");
        }
    });
}
