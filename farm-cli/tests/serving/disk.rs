//! A record that can't be written: who is told of it, and a terminal that goes away.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use serde_json::{Value as Json, json};

use super::{GAME, Server, ask, folder, recorded};

/// The status and the body of `/health`.
fn health(server: &Server) -> (String, Json) {
    let mut stream = TcpStream::connect(&server.address).unwrap();
    let request = format!("GET /health HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\r\n", server.address);
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.split(' ').nth(1).unwrap().to_owned(), serde_json::from_str(body).unwrap())
}

/// A server whose files may have so many blocks of 512 or 1024 bytes, as the shell counts them: beyond that a write fails, as on a full disk.
fn with_small_files(blocks: u32, record: &str) -> Server {
    let script = format!("ulimit -f {blocks}; exec \"$@\"");
    let mut child = Command::new("sh")
        .args(["-c", &script, "sh", env!("CARGO_BIN_EXE_farm"), "serve", GAME, "--port", "0", "--log", "off"])
        .args(["--record", record])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let address = address(&mut child);
    Server { child, address }
}

/// The address that a server prints.
fn address(child: &mut Child) -> String {
    let mut line = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
    line.strip_prefix("http://").and_then(|rest| rest.split('/').next()).expect(&line).to_owned()
}

#[test]
fn a_record_that_can_not_be_written_ends_its_episode_and_is_told() {
    let folder = folder("full");
    let server = with_small_files(1, folder.to_str().unwrap());
    let mut session = server.session();
    assert_eq!(ask(&mut session, &json!({ "type": "reset", "data": { "seed": 7 } }))["type"], "observation");
    assert_eq!(health(&server), ("200".to_owned(), json!({ "status": "healthy", "games": 1 })));
    let step = json!({ "type": "step", "data": { "action": "MoveN" } });
    let answers: Vec<Json> = (0..50).map(|_| ask(&mut session, &step)).collect();
    let taken = answers.iter().take_while(|answer| answer["type"] == "observation").count();
    assert!((1..45).contains(&taken), "{taken} steps: {}", answers[0]);
    for refused in &answers[taken..] {
        assert_eq!(refused["data"]["code"], "EXECUTION_ERROR", "{refused}");
        assert!(refused["data"]["message"].as_str().unwrap().contains("record of an episode can't be written"));
    }
    // Each step that was answered stands there, and nothing that is half a line.
    let lines = recorded(&folder);
    assert_eq!(lines.len(), taken + 1);
    let rewards = |lines: &[Json], at: &str| lines.iter().map(|line| line.pointer(at).cloned()).collect::<Vec<_>>();
    assert_eq!(rewards(&lines[1..], "/reward"), rewards(&answers[..taken], "/data/reward"));
    let (status, told) = health(&server);
    assert_eq!((status.as_str(), &told["status"]), ("503", &json!("unhealthy")));
    assert!(told["reason"].as_str().unwrap().contains("can't be written"), "{told}");
    // No client learns where the records are.
    let path = folder.to_str().unwrap();
    assert!(answers.iter().chain([&told]).all(|answer| !answer.to_string().contains(path)));
    // An episode whose record can be written makes the server healthy again.
    assert_eq!(ask(&mut session, &json!({ "type": "reset", "data": { "seed": 8 } }))["type"], "observation");
    assert_eq!(ask(&mut session, &step)["type"], "observation");
    assert_eq!(health(&server).0, "200");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn an_episode_that_can_not_be_recorded_does_not_begin() {
    let folder = folder("gone");
    let server = Server::start(&["--record", folder.to_str().unwrap()]);
    let mut session = server.session();
    std::fs::remove_dir_all(&folder).unwrap();
    let reset = ask(&mut session, &json!({ "type": "reset", "data": { "seed": 7 } }));
    assert_eq!(reset["data"]["code"], "EXECUTION_ERROR", "{reset}");
    assert_eq!(health(&server).0, "503");
    let step = ask(&mut session, &json!({ "type": "step", "data": { "action": "MoveN" } }));
    assert!(step["data"]["message"].as_str().unwrap().contains("no episode has started"), "{step}");
}

/// Nobody can create files in `/proc`, whoever they are.
#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_takes_no_records_is_named_once() {
    for folder in ["/proc/records", "/proc"] {
        let mut serve = Command::new(env!("CARGO_BIN_EXE_farm"));
        let output = serve.args(["serve", GAME, "--port", "0", "--record", folder]).output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{told}");
        assert!(told.contains(&format!("episodes can't be recorded in {folder}: ")), "{told}");
        assert_eq!(told.matches("os error").count(), 1, "{told}");
    }
}

#[test]
fn a_terminal_that_goes_away_ends_a_server_in_order() {
    let folder = folder("hangup");
    let mut server = Server::start(&["--record", folder.to_str().unwrap()]);
    let mut session = server.session();
    ask(&mut session, &json!({ "type": "reset", "data": { "seed": 7 } }));
    let signal = Command::new("kill").args(["-HUP", &server.child.id().to_string()]).status().unwrap();
    assert!(signal.success());
    assert!(server.child.wait().unwrap().success());
    assert_eq!(recorded(&folder).last().unwrap()["type"], "end");
    std::fs::remove_dir_all(&folder).unwrap();
}
