//! `farm serve` and `farm agents mcp` as programs: what they say, what they leave behind, and how they end.

#[cfg(unix)]
mod disk;

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use farm_core::serde_yaml;
use serde_json::{Value as Json, json};
use tungstenite::{Message, WebSocket};

const GAME: &str = "backwards_valley";

/// A server that is ended with this.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_farm"))
            .args(["serve", GAME, "--port", "0", "--log", "off"])
            .args(arguments)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.strip_prefix("http://").and_then(|rest| rest.split('/').next()).expect(&line).to_owned();
        Self { child, address }
    }

    fn session(&self) -> WebSocket<TcpStream> {
        let stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        tungstenite::client(format!("ws://{}/ws", self.address), stream).unwrap().0
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn ask(session: &mut WebSocket<TcpStream>, message: &Json) -> Json {
    session.send(Message::text(message.to_string())).unwrap();
    serde_json::from_str(session.read().unwrap().to_text().unwrap()).unwrap()
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("farm-serving-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

fn recorded(folder: &PathBuf) -> Vec<Json> {
    let file = std::fs::read_dir(folder).unwrap().next().unwrap().unwrap().path();
    std::fs::read_to_string(file).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_server_that_is_killed_has_recorded_every_step_that_it_answered() {
    let folder = folder("killed");
    let mut server = Server::start(&["--record", folder.to_str().unwrap()]);
    let mut session = server.session();
    ask(&mut session, &json!({ "type": "reset", "data": { "seed": 7 } }));
    let step = json!({ "type": "step", "data": { "action": "MoveN" } });
    let rewards: Vec<Json> = (0..5).map(|_| ask(&mut session, &step)["data"]["reward"].take()).collect();
    // SIGKILL: nothing of the program runs any more.
    server.child.kill().unwrap();
    server.child.wait().unwrap();
    let lines = recorded(&folder);
    assert_eq!(lines[1..].iter().map(|line| line["reward"].clone()).collect::<Vec<_>>(), rewards);
    assert!(lines[1..].iter().all(|line| line["type"] == "step"));
    std::fs::remove_dir_all(&folder).unwrap();
}

#[cfg(unix)]
#[test]
fn a_server_that_is_asked_to_end_ends_in_order() {
    let folder = folder("ended");
    let mut server = Server::start(&["--record", folder.to_str().unwrap()]);
    let mut session = server.session();
    ask(&mut session, &json!({ "type": "reset", "data": { "seed": 7 } }));
    ask(&mut session, &json!({ "type": "step", "data": { "action": "wait" } }));
    let signal = Command::new("kill").args(["-TERM", &server.child.id().to_string()]).status().unwrap();
    assert!(signal.success());
    assert!(matches!(session.read(), Ok(Message::Close(Some(frame))) if frame.reason.as_str() == "the server stops"));
    assert!(server.child.wait().unwrap().success());
    assert_eq!(recorded(&folder).last().unwrap()["type"], "end");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn what_opens_the_server_to_others_needs_a_token() {
    let serve = |arguments: &[&str], token: Option<&str>| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_farm"));
        command.args(["serve", GAME, "--port", "0"]).args(arguments).env_remove("FARM_TEST_TOKEN");
        if let Some(token) = token {
            command.env("FARM_TEST_TOKEN", token);
        }
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(serve(&["--host", "0.0.0.0"], None).contains("--token-env VARIABLE"));
    let open = ["--host", "0.0.0.0", "--token-env", "FARM_TEST_TOKEN"];
    assert!(serve(&open, None).contains("`FARM_TEST_TOKEN` can't be read"));
    assert!(serve(&open, Some("secret")).contains("at least 16"));
    assert!(!serve(&open, Some("secret")).contains("secret"));
    assert!(serve(&["no_such_game"], None).contains("no_such_game"));
}

#[test]
fn an_agent_plays_by_lines() {
    let folder = folder("lines");
    let mut child = Command::new(env!("CARGO_BIN_EXE_farm"))
        .args(["agents", "mcp", GAME, "--seed", "test/7", "--text", "compact", "--rules", "shown"])
        .args(["--branches", "--record", folder.to_str().unwrap()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut input, mut output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
    let mut call = |name: &str, arguments: Json| {
        let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": name, "arguments": arguments } });
        writeln!(input, "{message}").unwrap();
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        let mut answer: Json = serde_json::from_str(&line).unwrap();
        answer["result"].take()
    };
    let first = call("look", json!({}));
    let next = call("MoveN", json!({ "handle": first["structuredContent"]["handle"] }));
    assert!(next["structuredContent"]["reward"].is_number(), "{next}");
    assert!(call("rules", json!({}))["content"][0]["text"].as_str().unwrap().contains("TASK"));
    let back = call("branch", json!({ "handle": first["structuredContent"]["handle"] }));
    assert_eq!(back["structuredContent"]["return"], 0.0, "{back}");

    drop(input);
    let ended = child.wait_with_output().unwrap();
    assert!(ended.status.success());
    let told = String::from_utf8(ended.stderr).unwrap();
    assert!(told.contains("the episode is not over: return 0 in 2 steps"), "{told}");
    let kinds: Vec<String> = recorded(&folder).iter().map(|line| line["type"].as_str().unwrap().to_owned()).collect();
    assert_eq!(kinds, ["episode", "step", "branch", "end", "score"]);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_server_for_agents_has_no_playground() {
    let status = |server: &Server| {
        let mut stream = TcpStream::connect(&server.address).unwrap();
        let request = format!("GET / HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\r\n", server.address);
        stream.write_all(request.as_bytes()).unwrap();
        let mut line = String::new();
        BufReader::new(stream).read_line(&mut line).unwrap();
        line
    };
    assert!(status(&Server::start(&[])).contains("200"));
    assert!(status(&Server::start(&["--no-playground"])).contains("404"));
}

/// The checks of rewards that OpenEnv names and does not ship, of the package as it is served.
#[test]
fn a_package_keeps_what_its_manifest_declares() {
    use farm_core::inspect::RulesText;

    let folder = folder("package");
    let package = |out: &PathBuf| {
        Command::new(env!("CARGO_BIN_EXE_farm"))
            .args(["agents", "package", "openenv", GAME, "--out"])
            .arg(out)
            .output()
            .unwrap()
    };
    let output = package(&folder);
    assert!(output.status.success(), "{output:?}");
    let again = package(&folder);
    assert!(String::from_utf8_lossy(&again.stderr).contains("is not empty"), "{again:?}");

    let read = |path: &str| std::fs::read_to_string(folder.join(path)).unwrap();
    let manifest: serde_yaml::Value = serde_yaml::from_str(&read("openenv.yaml")).unwrap();
    let reward = &manifest["validation"]["reward"];
    let (highest, margin) = (reward["range"][1].as_f64().unwrap(), reward["floor_margin"].as_f64().unwrap());
    let lowest = reward["range"][0].as_f64().unwrap();
    assert!(margin >= 0.1 && lowest < highest);
    assert_eq!(manifest["validation"]["network"]["mode"].as_str(), Some("no-network"));

    let server = Server::start(&[]);
    let mut session = server.session();
    let mut play = |world: &Json, actions: &mut dyn Iterator<Item = String>| {
        let first = ask(&mut session, &json!({ "type": "reset", "data": world }));
        let mut answers = vec![first["data"].clone()];
        for action in actions {
            let answer = ask(&mut session, &json!({ "type": "step", "data": { "action": action } }))["data"].take();
            let is_over = answer["done"] == true;
            answers.push(answer);
            if is_over {
                break;
            }
        }
        answers
    };
    let total = |answers: &[Json]| answers[1..].iter().map(|answer| answer["reward"].as_f64().unwrap()).sum::<f64>();
    let solution: Json = serde_json::from_str(&read("oracle/solution.json")).unwrap();
    let actions: Vec<String> = serde_json::from_value(solution["actions"].clone()).unwrap();
    let played = play(&solution["world"], &mut actions.iter().cloned());
    assert_eq!(total(&played), highest, "the oracle reaches the maximum");
    assert_eq!(play(&solution["world"], &mut actions.iter().cloned()), played, "equal seed, equal episode");
    let other = json!({ "split": "validation", "index": 1 });
    assert_ne!(play(&other, &mut actions.iter().cloned()), played, "another world, another episode");
    let canaries: Vec<Json> =
        read("canaries/canaries.jsonl").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(canaries.len(), 4);
    for canary in &canaries {
        let action = canary["action"].as_str().unwrap().to_owned();
        let earned = total(&play(&canary["world"], &mut std::iter::repeat_n(action, 10_000)));
        assert_eq!(json!(earned), canary["return"], "{canary}");
        assert!(lowest <= earned && earned <= highest - margin, "{canary} earns {earned}");
    }
    // What only those are told who are told the rules stands in nothing that is seen.
    let game = farm_games::open(GAME, &farm_games::Options::default()).unwrap();
    let (hidden, shown) = (game.text().instructions(RulesText::Hidden), game.text().instructions(RulesText::Shown));
    let secret: Vec<&str> = shown.lines().filter(|line| line.len() > 20 && !hidden.contains(line)).collect();
    assert!(!secret.is_empty());
    let seen: String = played.iter().map(|answer| answer["observation"].to_string()).collect();
    for line in secret {
        assert!(!seen.contains(line), "{line}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

/// The lines that a class prints before it listens.
fn class_lines(folder: &PathBuf, arguments: &[&str]) -> (Child, Vec<String>) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_farm"))
        .args(["serve", "clay_bean", "--class", "Spring 9b", "--host", "127.0.0.1", "--port", "0", "--log", "off"])
        .args(arguments)
        .current_dir(folder)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
    let mut printed = Vec::new();
    for line in lines {
        let is_last = line.contains("is kept in");
        printed.push(line);
        if is_last {
            break;
        }
    }
    (child, printed)
}

#[test]
fn a_class_prints_its_addresses_a_qr_code_and_who_can_reach_it_and_goes_on_after_a_restart() {
    let folder = folder("class");
    std::fs::create_dir_all(&folder).unwrap();
    let mut codes = Vec::new();
    for _ in 0..2 {
        let (mut child, lines) = class_lines(&folder, &[]);
        let address = lines[0]
            .strip_prefix("http://")
            .and_then(|rest| rest.strip_suffix(" is the address for pupils of Spring 9b"));
        let (_, code) = address.unwrap_or_else(|| panic!("{lines:?}")).split_once('/').unwrap();
        let is_module = |c: char| "█▀▄ ".contains(c);
        assert!(lines[1..10].iter().all(|line| line.chars().all(is_module) && !line.is_empty()), "{lines:?}");
        let secret = lines.iter().find_map(|line| line.split_once("/teacher#token=")).unwrap().1.to_owned();
        let reach = lines.iter().find(|line| line.contains("Only browsers on this machine can reach it")).unwrap();
        assert!(reach.contains("Pupils see only their own farm. Nothing is encrypted."));
        assert!(lines.last().unwrap().contains("spring-9b.class.json"), "{lines:?}");
        codes.push((code.to_owned(), secret));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert_eq!(codes[0], codes[1], "the same class has the same addresses");
    let refused = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_farm"))
            .arg("serve")
            .args(arguments)
            .current_dir(&folder)
            .output()
            .unwrap();
        assert!(!output.status.success(), "{arguments:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(refused(&["backwards_valley", "--class", "Other"]).contains("needs a game with plots"));
    assert!(refused(&["--class", "<b>"]).contains("the name of the class"));
    assert!(refused(&["--class-file", "x.json"]).contains("--class"));
    assert!(refused(&["--class", "9b", "--token-env", "X"]).contains("cannot be used with"));
    assert!(refused(&["--lesson", "look-and-wate"]).contains("look-and-wait"));
    std::fs::remove_dir_all(&folder).unwrap();
}
