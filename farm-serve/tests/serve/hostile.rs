//! Clients that mean harm: nothing panics, memory stays bounded, and the sessions of others go on.

use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, TcpStream};
use std::process::{Command, Stdio};
use std::time::Duration;

use farm_serve::{Games, Limits, ServeError, Server, Settings};
use serde_json::json;
use tungstenite::Message;

use crate::client::{Running, Session, eventually};

const GAME: &str = "backwards_valley";

/// A session that has to go on whatever others do.
fn bystander(server: &Running) -> Session {
    let mut session = server.session("/ws");
    assert_eq!(session.reset(json!({ "seed": 7 }))["type"], "observation");
    session
}

fn goes_on(session: &mut Session) {
    assert_eq!(session.step("wait")["type"], "observation");
}

#[test]
fn a_page_that_rebinds_its_name_or_is_of_another_origin_is_not_answered() {
    let server = Running::of(&[GAME]);
    let own = server.address.to_string();
    let port = server.address.port();
    let status = |headers: &[(&str, &str)]| server.request("POST", "/reset", headers, "{}").0;
    assert_eq!(status(&[]), 200);
    assert_eq!(status(&[("host", &format!("localhost:{port}"))]), 200);
    assert_eq!(status(&[("origin", &format!("http://{own}"))]), 200);
    for host in [
        "evil.example",
        "evil.example:80",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "0.0.0.0",
        "127.0.0.1@evil.example",
        "",
    ] {
        assert_eq!(status(&[("host", host)]), 403, "{host}");
    }
    for origin in [
        "http://evil.example",
        "null",
        "https://evil.example",
        "file://",
        "http://127.0.0.1",
        "http://localhost:1",
        "http://127.0.0.1:1",
    ] {
        assert_eq!(status(&[("origin", origin)]), 403, "{origin}");
    }
    // Neither do two headers get past, of which one is right.
    assert_eq!(status(&[("host", &own), ("host", "evil.example")]), 400);
    let handshake = |origin: &str| {
        let head = format!(
            "GET /ws HTTP/1.1\r\nhost: {own}\r\norigin: {origin}\r\nconnection: upgrade, close\r\nupgrade: websocket\r\n\
             sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        );
        let mut stream = server.connect();
        stream.write_all(head.as_bytes()).unwrap();
        let mut begin = [0; 12];
        stream.read_exact(&mut begin).unwrap();
        String::from_utf8_lossy(&begin).into_owned()
    };
    assert_eq!(handshake("http://evil.example"), "HTTP/1.1 403");
    assert_eq!(handshake(&format!("http://{own}")), "HTTP/1.1 101");
    // No answer lets a page of others read it.
    let answer = server
        .raw(format!("GET /health HTTP/1.1\r\nhost: {own}\r\nconnection: close\r\n\r\n").as_bytes())
        .to_ascii_lowercase();
    assert!(
        answer.contains("x-content-type-options: nosniff")
            && answer.contains("cross-origin-resource-policy: same-origin")
    );
    assert!(!answer.contains("access-control-allow"), "{answer}");
}

#[test]
fn other_machines_need_a_token_and_guesses_do_not_get_in() {
    let games = || Games::open(&[GAME.to_owned()], &farm_games::Options::default()).unwrap();
    let open = Settings { host: IpAddr::V4(Ipv4Addr::UNSPECIFIED), ..Settings::default() };
    let refused = Server::bind(games(), open.clone()).unwrap_err();
    assert!(matches!(refused, ServeError::TokenMissing(_)) && refused.to_string().contains("--token-env"), "{refused}");
    let refused = Server::bind(games(), Settings { token: Some("short".to_owned()), ..open }).unwrap_err();
    assert!(matches!(refused, ServeError::TokenTooShort(5)), "{refused}");

    let token = "0123456789abcdef";
    let server = Running::with(&[GAME], Settings { token: Some(token.to_owned()), ..Settings::default() });
    let status = |path: &str, header: &str| server.request("GET", path, &[("authorization", header)], "").0;
    assert_eq!(status("/metadata", &format!("Bearer {token}")), 200);
    for guess in [
        "",
        "Bearer",
        "Bearer ",
        "Bearer 0123456789abcde",
        "Bearer 0123456789abcdeF",
        "Bearer 0123456789abcdef0",
        "Basic 0123456789abcdef",
        token,
    ] {
        assert_eq!(status("/metadata", guess), 401, "{guess}");
    }
    for path in ["/reset", "/step", "/mcp"] {
        assert_eq!(server.request("POST", path, &[], "{}").0, 401, "{path}");
    }
    for path in ["/ws", "/metrics", "/openapi.json", "/list_environments", "/games/backwards_valley/state"] {
        assert_eq!(server.request("GET", path, &[], "").0, 401, "{path}");
    }
    // What a browser needs before it knows the token, and what tells whether the server is there.
    assert_eq!((server.request("GET", "/", &[], "").0, server.request("GET", "/health", &[], "").0), (200, 200));
    assert_eq!(server.request("GET", "/?token=0123456789abcdef", &[], "").0, 200);
    assert_eq!(server.request("GET", "/metadata?token=0123456789abcdef", &[], "").0, 401);
}

#[test]
fn bodies_that_are_too_long_or_never_end_are_cut_off() {
    let limits = Limits { request: Duration::from_secs(1), ..Limits::default() };
    let server = Running::within(&[GAME], limits);
    let mut session = bystander(&server);
    let long = format!("{{\"action\": {{\"action\": \"{}\"}}}}", "x".repeat(300 * 1024));
    // However long the client takes to send it, it gets the answer.
    for _ in 0..20 {
        let (status, told) = server.request("POST", "/step", &[], &long);
        assert!(status == 413 && told.contains("maximum of 262144"), "{status} {told}");
    }
    let (status, _) = server.request("POST", "/step", &[("expect", "100-continue")], &long);
    assert!([0, 413].contains(&status), "{status}");
    // The same without saying how long it is.
    let host = server.address;
    let mut chunked =
        format!("POST /step HTTP/1.1\r\nhost: {host}\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n")
            .into_bytes();
    for _ in 0..40 {
        chunked.extend(format!("2000\r\n{}\r\n", "x".repeat(0x2000)).bytes());
    }
    // Where the server closes while the client still sends, the system may throw the answer away.
    let answer = server.raw(&chunked);
    assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 413"), "a long body in pieces: {answer}");
    // A body of which a byte comes now and then, and a head that does.
    for head in [
        // More than is ever sent here.
        format!("POST /step HTTP/1.1\r\nhost: {host}\r\ncontent-length: 100000\r\n\r\n"),
        "GET /health HTTP/1.1\r\nx: ".to_owned(),
    ] {
        let mut stream = server.connect();
        stream.write_all(head.as_bytes()).unwrap();
        stream.set_read_timeout(Some(Duration::from_millis(1))).unwrap();
        eventually(&format!("{head}: cut off"), || stream.write_all(b"x").is_err() || stream.read(&mut [0; 1]).is_ok());
    }
    goes_on(&mut session);
}

/// Asks the system to let this process have so many files open; returns how many it may have then.
fn open_files(wanted: usize) -> usize {
    // Only some may raise the limit; others keep what they have.
    let raise = ["--pid", &std::process::id().to_string(), &format!("--nofile={wanted}:{wanted}")].map(str::to_owned);
    let _ = Command::new("prlimit").args(raise).stderr(Stdio::null()).status();
    let limits = std::fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let line = limits.lines().find(|line| line.starts_with("Max open files")).unwrap_or_default().to_owned();
    line.split_whitespace().nth(3).and_then(|soft| soft.parse().ok()).unwrap_or(1024)
}

/// The memory of this process, the server in it included, in bytes; none where the system does not tell.
fn memory() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<usize>().ok()? * 1024)
}

#[test]
fn ten_thousand_half_open_connections_leave_room_for_others() {
    // Both ends of each are in this process, as are those of the tests beside it.
    const BESIDE: usize = 2000;
    let most = ((open_files(20_000 + BESIDE).saturating_sub(BESIDE)) / 2).min(10_000);
    if most < 10_000 {
        eprintln!("{most} connections in the place of 10000: the limit of open files allows no more");
    }
    let server = Running::within(&[GAME], Limits { request: Duration::from_secs(600), ..Limits::default() });
    let mut session = bystander(&server);
    let before = memory();
    let half: Vec<TcpStream> = (0..most).map(|_| TcpStream::connect(server.address).unwrap()).collect();
    // Half of a head, of which the rest never comes.
    half.iter().for_each(|mut stream| stream.write_all(b"GET /health HTTP/1.1\r\nhost: ").unwrap());
    goes_on(&mut session);
    assert_eq!(server.request("GET", "/health", &[], "").0, 200, "a new client gets in beside them");
    goes_on(&mut bystander(&server));
    if let (Some(before), Some(now)) = (before, memory()) {
        let each = now.saturating_sub(before) / most;
        eprintln!("{each} bytes for each of {most} connections, their clients included");
        assert!(each < 32 * 1024, "{each} bytes for each of {most} connections");
    }
    drop(half);
    goes_on(&mut session);
}

#[test]
fn connections_that_say_nothing_lose_their_places_in_time() {
    let limits = Limits { request: Duration::from_secs(1), max_connections: 300, ..Limits::default() };
    let server = Running::within(&[GAME], limits);
    let mut session = bystander(&server);
    let silent: Vec<TcpStream> = (0..500).filter_map(|_| TcpStream::connect(server.address).ok()).collect();
    assert_eq!(silent.len(), 500);
    goes_on(&mut session);
    // Within the time that a head may take, they have lost their places.
    eventually("room after the time-out", || server.request("GET", "/health", &[], "").0 == 200);
    goes_on(&mut session);
}

#[test]
fn sessions_beyond_the_limit_and_idle_ones_are_closed() {
    let server = Running::within(&[GAME], Limits { max_sessions: 2, ..Limits::default() });
    let (one, two) = (bystander(&server), bystander(&server));
    let refusal = || {
        tungstenite::client(format!("ws://{}/ws", server.address), server.connect())
            .err()
            .map(|error| error.to_string())
    };
    assert!(refusal().is_some_and(|error| error.contains("503")));
    assert_eq!(server.metric("farm_sessions_refused_total"), 1.0);
    drop(one);
    eventually("a place that was left is given to another", || refusal().is_none());
    drop(two);

    // Nothing is sent here: even the first message of a client may come later than this on a machine with much to do.
    let limits = Limits { max_sessions: 1, idle: Duration::from_millis(300), ..Limits::default() };
    let server = Running::within(&[GAME], limits);
    let mut idle = server.session("/ws");
    assert_eq!(idle.read(), None, "an idle session is closed");
    eventually("its place is free again", || server.metric("farm_sessions_open") == 0.0);
    drop(server.session("/ws"));
}

#[test]
fn frames_that_are_not_of_the_protocol_end_their_session_alone() {
    let server = Running::of(&[GAME]);
    let mut session = bystander(&server);
    // Of a control frame the length is looked at once all of it is there.
    let long_ping = [&[0x89, 0xfe, 0x01, 0x00, 0, 0, 0, 0][..], &[0; 256]].concat();
    let frames: [&[u8]; 9] = [
        // An opcode that there is not; reserved bits; a frame that is not masked.
        &[0x83, 0x80, 0, 0, 0, 0],
        &[0xf1, 0x80, 0, 0, 0, 0],
        &[0x81, 0x05, b'h', b'e', b'l', b'l', b'o'],
        // A length of 2⁶³ and one of 2⁶⁴ − 1; a control frame in pieces, and one that is too long.
        &[0x81, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0],
        &[0x81, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0],
        &[0x09, 0x80, 0, 0, 0, 0],
        &long_ping,
        // Text that is not UTF-8; the rest of a message that did not begin.
        &[0x81, 0x82, 0, 0, 0, 0, 0xff, 0xfe],
        &[0x80, 0x80, 0, 0, 0, 0],
    ];
    let send = |frame: &&[u8]| {
        let mut bad = bystander(&server);
        bad.0.get_mut().write_all(frame).unwrap();
        bad
    };
    let sent: Vec<Session> = frames.iter().map(send).collect();
    for (mut bad, frame) in sent.into_iter().zip(frames) {
        assert_eq!(bad.read(), None, "{frame:?}");
        goes_on(&mut session);
    }
    let mut bad = bystander(&server);
    bad.0.send(Message::binary(vec![1, 2, 3])).unwrap();
    assert_eq!(bad.read(), None, "binary");
    let mut bad = bystander(&server);
    let _ = bad.0.send(Message::text("x".repeat(300 * 1024)));
    assert_eq!(bad.read(), None, "too long");
    // A message in pieces counts as a whole.
    let mut bad = bystander(&server);
    let piece = |first: u8| [&[first, 0xfe, 0xff, 0xff, 0, 0, 0, 0][..], &vec![b'x'; 0xffff]].concat();
    let pieces = std::iter::once(piece(0x01)).chain(std::iter::repeat_n(piece(0x00), 8));
    let _ = pieces.into_iter().try_for_each(|piece| bad.0.get_mut().write_all(&piece));
    assert_eq!(bad.read(), None, "too long in pieces");
    goes_on(&mut session);
}

#[test]
fn texts_that_are_no_messages_are_answered_and_the_session_goes_on() {
    let server = Running::of(&[GAME]);
    let mut session = bystander(&server);
    let deep = "[".repeat(100_000);
    let many = format!("{{\"type\": \"step\", \"data\": {{\"action\": \"{}\"}}}}", "wait; ".repeat(20_000));
    let list = json!({ "type": "step", "data": { "action": vec!["wait"; 20_000] } }).to_string();
    let bomb = json!({ "type": "step", "data": { "action": "a: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b]\nd: [*c,*c]" } })
        .to_string();
    let texts = [
        "",
        "null",
        "{",
        "\u{0}",
        "{\"type\": 1e999}",
        deep.as_str(),
        "{\"type\":\"step\",\"type\":\"step\"}",
        &many,
        &list,
        &bomb,
    ];
    for text in texts {
        session.0.send(Message::text(text)).unwrap();
        let answer = session.read().expect("an answer");
        assert!(answer["type"] == "error" || answer["type"] == "observation", "{answer}");
    }
    assert_eq!(session.reset(json!({ "seed": 1 }))["type"], "observation");
    goes_on(&mut session);
}

#[test]
fn of_a_list_of_actions_only_those_are_read_that_a_step_could_take() {
    let server = Running::of(&[GAME]);
    let mut session = bystander(&server);
    let wait = json!("wait");
    for item in [json!("x"), json!(0), json!([]), json!({}), json!({ "action": "x" }), wait] {
        session.reset(json!({ "seed": 1 }));
        let start = std::time::Instant::now();
        let told = session.step(vec![item.clone(); 4_000]);
        assert!(start.elapsed() < Duration::from_secs(2), "{item}: {:?}", start.elapsed());
        assert!(told.to_string().len() < 20_000, "{item}: {} bytes", told.to_string().len());
        let rejected = told["data"]["metadata"]["rejected"].as_array().unwrap_or_else(|| panic!("{item}: {told}"));
        let is_rest = |one: &serde_json::Value| {
            one["action"] == "…" && one["reason"].as_str().is_some_and(|reason| reason.contains("more actions follow"))
        };
        assert!(rejected.len() <= 10 && rejected.iter().any(is_rest), "{item}: {told}");
    }
    goes_on(&mut session);
}

#[test]
fn no_file_no_plugin_and_no_game_that_is_not_served_can_be_named() {
    let server = Running::of(&[GAME]);
    let mut session = bystander(&server);
    for path in [
        "/games/../../etc/passwd/metadata",
        "/games/..%2f..%2fetc%2fpasswd/metadata",
        "/../Cargo.toml",
        "/games/%2Fetc%2Fpasswd/schema",
        "/games/clay_bean/metadata",
        "/games/x.yaml/metadata",
        "/%00",
        "/games/%ff/metadata",
        "/etc/passwd",
        "/.git/config",
    ] {
        let (status, body) = server.request("GET", path, &[], "");
        assert!((400..500).contains(&status), "{path}: {status} {body}");
        assert!(!body.contains("root:") && !body.contains("[workspace]"), "{path}");
    }
    for game in ["./x.yaml", "/etc/passwd", "clay_bean", "../clay_bean", "backwards_valley@rules=7", "plugin.so"] {
        assert_eq!(session.reset(json!({ "game": game }))["type"], "error", "{game}");
    }
    for key in ["plugin", "plugins", "allow_plugins", "path", "yaml", "level", "set", "preset"] {
        assert_eq!(session.reset(json!({ key: "x" }))["data"]["code"], "VALIDATION_ERROR", "{key}");
    }
    goes_on(&mut session);
}

#[test]
fn a_client_that_sends_and_never_reads_is_dropped() {
    let limits = Limits { request: Duration::from_secs(1), ..Limits::default() };
    let server = Running::within(&["full_farm"], limits);
    let mut deaf = bystander(&server);
    let stream = deaf.0.get_mut().try_clone().unwrap();
    stream.set_write_timeout(Some(Duration::from_secs(2))).unwrap();
    let message = json!({ "type": "reset", "data": { "seed": 1 } }).to_string();
    eventually("the client is dropped", || (0..100).any(|_| deaf.0.send(Message::text(message.as_str())).is_err()));
    goes_on(&mut bystander(&server));
}

#[test]
fn an_address_that_asks_too_often_is_told_to_wait() {
    let limits = Limits { max_requests_per_second: 1, ..Limits::default() };
    let server = Running::within(&[GAME], limits);
    let mut session = bystander(&server);
    let status = || server.request("GET", "/health", &[], "").0;
    // However long each of them takes, two of them fall into one second at some time.
    eventually("a request is refused", || status() == 429);
    // A session that is open is not a new request.
    (0..60).for_each(|_| goes_on_or_begin(&mut session));
    eventually("who waits is answered again", || status() == 200);
}

fn goes_on_or_begin(session: &mut Session) {
    if session.step("wait")["data"]["done"] == true {
        session.reset(json!({ "seed": 8 }));
    }
}
