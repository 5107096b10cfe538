//! An agent's episode goes one way, over every wire: nothing that an agent can send restarts it, undoes a step or names another world.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use farm_core::Environment;
use farm_serve::mcp::AgentEpisode;
use farm_serve::{Limits, Settings};
use serde_json::{Value as Json, json};

use crate::client::{Running, Session, eventually};
use crate::record::recorded;

const GAME: &str = "backwards_valley";

fn message(method: &str, params: &Json) -> Json {
    json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params })
}

fn tool(name: &str, arguments: &Json) -> Json {
    message("tools/call", &json!({ "name": name, "arguments": arguments }))
}

/// Sends a message of the protocol, and returns the answer.
type Ask<'a> = &'a mut dyn FnMut(&Json) -> Json;

/// Plays two steps, and then tries all that an agent can send. The game's seed is 7.
fn attack(wire: &str, ask: Ask<'_>) {
    let mut called = |name: &str, arguments: Json| ask(&tool(name, &arguments))["result"].take();
    let seen = |result: &Json| result["structuredContent"].clone();
    let start = seen(&called("look", json!({})));
    assert!(start["text"].as_str().unwrap().contains("TASK"), "{wire}: {start}");
    let one = seen(&called("MoveN", json!({ "handle": start["handle"] })));
    let two = seen(&called("MoveE", json!({ "handle": one["handle"] })));
    let mut environment = Environment::new(Arc::new(farm_games::open(GAME, &farm_games::Options::default()).unwrap()));
    environment.reset(7);
    let rewards = ["MoveN", "MoveE"].map(|action| environment.step(action).unwrap().reward);
    assert_eq!([&one["reward"], &two["reward"]], [&json!(rewards[0]), &json!(rewards[1])], "{wire}");

    // A step that is sent again is the same step.
    assert_eq!(seen(&called("MoveE", json!({ "handle": one["handle"] }))), two, "{wire}");
    // An old handle neither branches nor shows the past.
    for handle in [&start["handle"], &one["handle"], &json!("AAAA"), &json!("")] {
        for name in ["MoveN", "MoveS", "Wait", "look"] {
            let result = called(name, json!({ "handle": handle }));
            assert_eq!(result["isError"], true, "{wire}: {name} {handle}: {result}");
        }
    }
    // Nor does any other tool or method.
    for (method, params) in [
        ("initialize", json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {} })),
        ("server/discover", json!({ "_meta": { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } })),
        ("ping", json!({})),
        ("tools/list", json!({})),
        ("resources/list", json!({})),
        ("resources/read", json!({ "uri": "farm://plan" })),
        ("prompts/list", json!({})),
        ("tools/call", json!({ "name": "reset", "arguments": { "seed": 7 } })),
        ("tools/call", json!({ "name": "branch", "arguments": { "handle": start["handle"] } })),
        ("tools/call", json!({ "name": "rules", "arguments": {} })),
        ("tools/call", json!({ "name": "look", "arguments": { "seed": 8 } })),
        ("tools/call", json!({ "name": "MoveN", "arguments": { "handle": two["handle"], "seed": 8 } })),
        ("tools/call", json!({ "name": "look", "arguments": {}, "seed": 8, "rules": "shown" })),
    ] {
        let answer = ask(&message(method, &params)).to_string();
        // The agent can reach only the world that it plays, and no answer contains the rules.
        for secret in ["RULES", "\"seed\"", "oracle"] {
            assert!(!answer.contains(secret), "{wire}: {method} {params} tells {secret}: {answer}");
        }
    }
    let now = ask(&tool("look", &json!({})))["result"]["structuredContent"].take();
    assert_eq!((&now["handle"], &now["return"]), (&two["handle"], &two["return"]), "{wire}");
    assert!(now["text"].as_str().unwrap().ends_with(&environment.text()), "{wire}: {now}");
}

fn posted(server: &Running, path: &str, message: &Json) -> Json {
    server.post(path, message).1
}

fn in_session(session: &mut Session, message: &Json) -> Json {
    session.ask(&json!({ "type": "mcp", "data": message }))["data"].take()
}

#[test]
fn nothing_that_an_agent_sends_restarts_or_undoes_over_any_wire() {
    let server = Running::of(&[GAME, "valley_farm"]);
    attack("a world over HTTP", &mut |message| posted(&server, "/mcp?seed=7", message));

    let (_, first) = server.post("/reset", &json!({ "seed": 7 }));
    let path = first["metadata"]["mcp"].as_str().unwrap();
    attack("a session over HTTP", &mut |message| posted(&server, path, message));
    let state = |id: &Json| server.get(&format!("/state?session_id={}", id.as_str().unwrap())).1;
    assert_eq!(state(&first["metadata"]["session_id"])["step_count"], 2);

    let mut session = server.session("/ws");
    session.reset(json!({ "seed": 7 }));
    attack("a session of OpenEnv", &mut |message| in_session(&mut session, message));
    assert_eq!(session.state()["step_count"], 2);

    let (_, first) = server.post("/reset", &json!({ "seed": 7 }));
    let id = first["metadata"]["session_id"].clone();
    attack("a session that a harness names", &mut |message| {
        let mut message = message.clone();
        message["params"]["session_id"] = id.clone();
        posted(&server, "/mcp", &message)
    });
    assert_eq!(state(&id)["step_count"], 2);

    let (mut program, result) = Program::start(7, None, false);
    attack("by lines", &mut |message| program.ask(message));
    drop(program);
    assert_eq!(result.join().unwrap().steps, 2);
}

#[test]
fn a_world_has_one_episode_whatever_its_address_says() {
    let server = Running::of(&[GAME]);
    let look = |path: &str| posted(&server, path, &tool("look", &json!({})));
    posted(&server, "/mcp?seed=7", &tool("MoveN", &json!({})));
    let now = look("/mcp?seed=7");
    assert_eq!(look(&format!("/games/{GAME}/mcp?seed=7")), now, "the same world by another address");
    for other in ["form=compact", "rules=shown", "branches=true"] {
        let answer = look(&format!("/mcp?seed=7&{other}"));
        assert!(answer["error"]["message"].as_str().unwrap().contains("one world is one episode"), "{other}: {answer}");
    }
    let started = look("/mcp?seed=8")["result"]["structuredContent"].take();
    assert_ne!(started["text"], now["result"]["structuredContent"]["text"]);

    // An episode that was left does not start again.
    let limits = Limits { idle: Duration::from_millis(200), ..Limits::default() };
    let server = Running::within(&[GAME], limits);
    posted(&server, "/mcp?seed=7", &tool("MoveN", &json!({})));
    eventually("the session ends", || server.metric("farm_sessions_open") == 0.0);
    let late = posted(&server, "/mcp?seed=7", &tool("look", &json!({})));
    assert!(late["error"]["message"].as_str().unwrap().contains("has ended"), "{late}");
}

#[test]
fn an_agent_with_a_session_cannot_act_for_the_trainer() {
    let server = Running::of(&[GAME]);
    let (_, first) = server.post("/reset", &json!({ "seed": 7 }));
    let (id, path) = (first["metadata"]["session_id"].clone(), first["metadata"]["mcp"].as_str().unwrap());
    for method in ["create", "close", "fork"] {
        let params = json!({ "session_id": id, "n": 2 });
        let answer = posted(&server, path, &message(&format!("openenv/session/{method}"), &params));
        assert_eq!(answer["error"]["code"], -32601, "{method}: {answer}");
    }
    // The agent's key is not the trainer's, and the path of its URL takes nothing else.
    let key = path.rsplit('=').next().unwrap();
    assert_eq!(server.post("/reset", &json!({ "session_id": key })).0, 422);
    assert_eq!(server.post("/step", &json!({ "session_id": key, "action": { "action": "wait" } })).0, 422);
    assert_eq!(server.get(&format!("/state?session_id={key}")).0, 422);
    assert!(refusal(&server, key).contains("404"));
    for more in ["seed=7", "rules=shown", "form=rows"] {
        assert_eq!(server.post(&format!("{path}&{more}"), &tool("look", &json!({}))).0, 400, "{more}");
    }
    // A session that the message names does not replace that of the URL.
    let (_, other) = server.post("/reset", &json!({ "seed": 8 }));
    let mut named = tool("MoveN", &json!({}));
    named["params"]["session_id"] = other["metadata"]["session_id"].clone();
    posted(&server, path, &named);
    let count = |id: &Json| server.get(&format!("/state?session_id={}", id.as_str().unwrap())).1["step_count"].take();
    assert_eq!((count(&id), count(&other["metadata"]["session_id"])), (json!(1), json!(0)));
}

/// Why a server does not let a connection join a session.
fn refusal(server: &Running, key: &str) -> String {
    let url = format!("ws://{}/ws?session_id={key}", server.address);
    tungstenite::client(url, server.connect()).err().map(|error| error.to_string()).unwrap_or_default()
}

#[test]
fn keys_and_handles_say_nothing_about_the_world() {
    let drawn = || {
        let server = Running::of(&[GAME]);
        let (_, first) = server.post("/reset", &json!({ "split": "test", "index": 3 }));
        let path = first["metadata"]["mcp"].as_str().unwrap().to_owned();
        let mut found = vec![first["metadata"]["session_id"].as_str().unwrap().to_owned()];
        found.push(path.rsplit('=').next().unwrap().to_owned());
        for _ in 0..3 {
            let told = posted(&server, &path, &tool("Wait", &json!({})))["result"]["structuredContent"].take();
            found.push(told["handle"].as_str().unwrap().to_owned());
        }
        found
    };
    // The world and the steps are the same, but keys and handles differ each time. So they contain nothing about the world.
    let all: Vec<String> = (0..3).flat_map(|_| drawn()).collect();
    for (i, one) in all.iter().enumerate() {
        assert!(one.len() == 32 && one.bytes().all(|byte| byte.is_ascii_hexdigit()), "{one}");
        assert!(!all[..i].contains(one), "{one} occurs twice");
        let near = all[..i].iter().filter(|other| other[..8] == one[..8] || other[24..] == one[24..]).count();
        assert_eq!(near, 0, "{one} is like another key");
    }
}

#[test]
fn of_a_step_that_is_sent_many_times_at_once_one_counts() {
    let server = Running::of(&[GAME]);
    let (_, first) = server.post("/reset", &json!({ "seed": 7 }));
    let path = first["metadata"]["mcp"].as_str().unwrap();
    let looked = posted(&server, path, &tool("look", &json!({})))["result"]["structuredContent"].take();
    let send = |name: &str| posted(&server, path, &tool(name, &json!({ "handle": looked["handle"] })))["result"].take();
    let names = ["MoveN", "MoveS", "MoveE", "MoveW"];
    let answers: Vec<(&str, Json)> = std::thread::scope(|scope| {
        let sent: Vec<_> = (0..40).map(|i| scope.spawn(move || (names[i % 4], send(names[i % 4])))).collect();
        sent.into_iter().map(|one| one.join().unwrap()).collect()
    });
    let taken: Vec<&(&str, Json)> = answers.iter().filter(|(_, answer)| answer.get("isError").is_none()).collect();
    assert_eq!(taken.len(), 10, "one of four actions, ten times: {answers:?}");
    assert!(taken.iter().all(|one| *one == taken[0]), "{taken:?}");
    let id = first["metadata"]["session_id"].as_str().unwrap();
    assert_eq!(server.get(&format!("/state?session_id={id}")).1["step_count"], 1);
}

#[test]
fn tools_inside_openenv_act_on_the_episode_that_the_trainer_reset() {
    let server = Running::of(&[GAME]);
    let mut session = server.session("/ws");
    let early = in_session(&mut session, &tool("MoveN", &json!({})));
    assert!(early["result"]["content"][0]["text"].as_str().unwrap().contains("the trainer starts it"), "{early}");
    let first = session.reset(json!({ "seed": 7, "form": "compact", "rules": "shown" }));
    let looked = in_session(&mut session, &tool("look", &json!({})))["result"]["structuredContent"].take();
    let text = first["data"]["observation"]["text"].as_str().unwrap();
    assert!(looked["text"].as_str().unwrap().ends_with(text), "{looked}");
    let tools = in_session(&mut session, &message("tools/list", &json!({})))["result"]["tools"].to_string();
    assert!(tools.contains("\"rules\""), "{tools}");
    let step = in_session(&mut session, &tool("MoveN", &json!({ "handle": looked["handle"] })));
    let state = session.state();
    assert_eq!((&state["step_count"], &state["seed"]), (&json!(1), &json!(7)));
    assert_eq!(step["result"]["structuredContent"]["return"], state["return"]);
    // The trainer's own step makes the handle old, and so does a reset.
    let handle = step["result"]["structuredContent"]["handle"].clone();
    session.step("MoveE");
    let late = in_session(&mut session, &tool("MoveN", &json!({ "handle": handle })));
    assert_eq!(late["result"]["isError"], true, "{late}");
    let handle = in_session(&mut session, &tool("look", &json!({})))["result"]["structuredContent"]["handle"].take();
    session.reset(json!({ "seed": 7 }));
    let late = in_session(&mut session, &tool("MoveN", &json!({ "handle": handle })));
    assert_eq!(late["result"]["isError"], true, "{late}");
    assert_eq!(session.state()["step_count"], 0);
}

/// As the class `MCPToolClient` of OpenEnv does it.
#[test]
fn a_harness_creates_a_session_and_plays_it_by_two_wires() {
    let server = Running::of(&[GAME]);
    let create = message("openenv/session/create", &json!({}));
    let created = posted(&server, "/mcp", &create)["result"].take();
    let id = created["session_id"].as_str().unwrap();
    let mut session = server.session(&format!("/ws?session_id={id}"));
    session.reset(json!({ "seed": 7 }));
    let named = |method: &str, params: Json| {
        let mut params = params;
        params["session_id"] = json!(id);
        posted(&server, "/mcp", &message(method, &params))["result"].take()
    };
    assert!(named("tools/list", json!({}))["tools"].to_string().contains("MoveN"));
    let moved = named("tools/call", json!({ "name": "MoveN", "arguments": {} }));
    assert_eq!(session.state()["step_count"], 1);
    let step =
        session.ask(&json!({ "type": "step", "data": { "type": "call_tool", "tool_name": "MoveE", "arguments": {} } }));
    assert!(step["data"]["reward"].is_number() && step["data"]["observation"]["tool_name"] == "MoveE", "{step}");
    let listed = session.ask(&json!({ "type": "step", "data": { "type": "list_tools" } }));
    assert!(listed["data"]["observation"]["tools"].to_string().contains("MoveN"), "{listed}");
    assert_eq!(session.state()["step_count"], 2);
    assert!(moved["structuredContent"]["reward"].is_number());
    // The agent's own address is of the same session.
    let looked = posted(&server, created["mcp"].as_str().unwrap(), &tool("look", &json!({})));
    assert_eq!(looked["result"]["structuredContent"]["return"], session.state()["return"]);
    drop(session);
    assert_eq!(named("openenv/session/close", json!({}))["closed"], true);
    let gone = posted(&server, "/mcp", &message("tools/call", &json!({ "name": "look", "session_id": id })));
    assert!(gone["error"]["message"].as_str().unwrap().contains("names no session"), "{gone}");
    assert!(refusal(&server, id).contains("404"));

    // A connection names its own session, for as long as it lasts.
    let mut session = server.session("/ws");
    session.reset(json!({ "seed": 7 }));
    let own = in_session(&mut session, &create)["result"].take();
    assert_eq!(in_session(&mut session, &create)["result"], own);
    posted(&server, own["mcp"].as_str().unwrap(), &tool("MoveN", &json!({})));
    assert_eq!(session.state()["step_count"], 1);
    drop(session);
    eventually("it ends with the connection", || server.post(own["mcp"].as_str().unwrap(), &create).0 == 404);
}

/// The kinds of the lines of a record, without the score.
fn kinds(lines: &[Json]) -> Vec<&str> {
    lines.iter().map(|line| line["type"].as_str().unwrap()).collect()
}

#[test]
fn an_episode_of_tools_is_recorded_and_scored_at_its_end() {
    let folder = std::env::temp_dir().join(format!("farm-serve-agents-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    let settings = Settings { record: Some(folder.clone()), ..Settings::default() };
    let server = Running::with(&[GAME], settings);
    let mut total = 0.0;
    loop {
        let told = posted(&server, "/mcp?seed=7", &tool("Wait", &json!({})))["result"]["structuredContent"].take();
        total += told["reward"].as_f64().unwrap();
        if told["done"] == true {
            break;
        }
    }
    eventually("the score is written", || recorded(&folder)[0].last().unwrap()["type"] == "score");
    let lines = recorded(&folder).remove(0);
    let (end, score) = (&lines[lines.len() - 2], &lines[lines.len() - 1]);
    assert_eq!((&end["type"], &end["return"], &end["steps"]), (&json!("end"), &json!(total), &json!(lines.len() - 3)));
    // Who waits gains nothing over waiting.
    assert_eq!((&score["waiting"], &score["score"]), (&json!(total), &json!(0.0)), "{score}");
    assert!(score["best"].as_f64().unwrap() > total && score["best_is"] == "certified optimum", "{score}");
    drop(server);
    std::fs::remove_dir_all(&folder).unwrap();

    let (mut program, result) = Program::start(7, Some(folder.clone()), false);
    program.ask(&tool("Wait", &json!({})));
    drop(program);
    result.join().unwrap();
    assert_eq!(kinds(&recorded(&folder)[0]), ["episode", "step", "end", "score"], "an agent that leaves");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_session_that_is_closed_or_left_has_a_whole_record() {
    let folder = std::env::temp_dir().join(format!("farm-serve-left-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    let limits = Limits { idle: Duration::from_millis(300), ..Limits::default() };
    let settings = Settings { record: Some(folder.clone()), limits, ..Settings::default() };
    let mut server = Running::with(&[GAME], settings);
    let (_, first) = server.post("/reset", &json!({ "seed": 7 }));
    let id = first["metadata"]["session_id"].clone();
    server.post("/step", &json!({ "session_id": id, "action": { "action": "MoveN" } }));
    eventually("an idle session ends", || kinds(&recorded(&folder)[0]) == ["episode", "step", "end"]);
    let (_, first) = server.post("/reset", &json!({ "seed": 7 }));
    let id = first["metadata"]["session_id"].clone();
    let closed = posted(&server, "/mcp", &message("openenv/session/close", &json!({ "session_id": id })));
    assert_eq!((&closed["result"]["closed"], kinds(&recorded(&folder)[1])), (&json!(true), vec!["episode", "end"]));
    server.post("/reset", &json!({ "seed": 7 }));
    server.stop();
    assert_eq!(kinds(&recorded(&folder)[2]), ["episode", "end"], "a server that stops");
    std::fs::remove_dir_all(&folder).unwrap();
}

/// A program that speaks lines, on a thread, and its input and output.
pub(crate) struct Program {
    input: Sender<Vec<u8>>,
    output: BufReader<Pipe>,
}

/// The end of a pipe from which bytes are read.
struct Pipe(Receiver<Vec<u8>>, Vec<u8>);

/// The end of a pipe to which bytes are written.
struct PipeIn(Sender<Vec<u8>>);

impl Read for Pipe {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        if self.1.is_empty() {
            self.1 = self.0.recv().unwrap_or_default();
        }
        let count = into.len().min(self.1.len());
        into[..count].copy_from_slice(&self.1[..count]);
        self.1.drain(..count);
        Ok(count)
    }
}

impl Write for PipeIn {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let _ = self.0.send(bytes.to_vec());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Program {
    pub(crate) fn start(
        seed: u64,
        record: Option<PathBuf>,
        branches: bool,
    ) -> (Self, std::thread::JoinHandle<farm_serve::mcp::AgentResult>) {
        let (input, inner_input) = channel();
        let (inner_output, output) = channel();
        let run = move || {
            let game = Arc::new(farm_games::open(GAME, &farm_games::Options::default()).unwrap());
            let (form, rules) = (farm_core::TextForm::Full, farm_core::inspect::RulesText::Hidden);
            let episode = AgentEpisode { seed, form, rules, branches, record };
            let input = BufReader::new(Pipe(inner_input, Vec::new()));
            farm_serve::mcp::run_stdio(GAME, game, episode, input, PipeIn(inner_output)).unwrap()
        };
        (Self { input, output: BufReader::new(Pipe(output, Vec::new())) }, std::thread::spawn(run))
    }

    pub(crate) fn ask(&mut self, message: &Json) -> Json {
        self.input.send(format!("{message}\n").into_bytes()).unwrap();
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    }
}
