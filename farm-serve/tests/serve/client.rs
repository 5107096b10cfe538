//! A server in this process, and plain clients of it.

use std::io::ErrorKind::{TimedOut, WouldBlock};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use farm_serve::{ClassAddress, ClassSettings, Games, Limits, ServeError, Server, Settings};
use serde_json::{Value as Json, json};
use tokio::sync::oneshot;
use tungstenite::{Message, WebSocket};

/// How long anything may take that has to happen: the machine may have much else to do. What hangs is found out by this, and nothing else is.
const PATIENCE: Duration = Duration::from_secs(120);

/// Waits until something is so.
#[track_caller]
pub(crate) fn eventually(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < PATIENCE, "{what}: not within {PATIENCE:?}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// A server that stops when this is dropped.
pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<Result<(), ServeError>>>,
}

impl Running {
    /// A server of these games.
    pub(crate) fn with(games: &[&str], settings: Settings) -> Self {
        let names: Vec<String> = games.iter().map(|name| (*name).to_owned()).collect();
        let games = Games::open(&names, &farm_games::Options::default()).unwrap();
        Self::run(Server::bind(games, settings).unwrap())
    }

    /// A server of a class, and the addresses of the class.
    pub(crate) fn of_class(games: &[&str], class: &ClassSettings, settings: Settings) -> (Self, ClassAddress) {
        let names: Vec<String> = games.iter().map(|name| (*name).to_owned()).collect();
        let games = Games::open(&names, &farm_games::Options::default()).unwrap();
        let (server, address) = Server::bind_class(games, class, settings).unwrap();
        (Self::run(server), address)
    }

    fn run(server: Server) -> Self {
        let address = server.address();
        let (stop, stopped) = oneshot::channel();
        let until = async move {
            let _ = stopped.await;
        };
        let thread = std::thread::spawn(move || server.run(2, until));
        Self { address, stop: Some(stop), thread: Some(thread) }
    }

    pub(crate) fn of(games: &[&str]) -> Self {
        Self::with(games, Settings::default())
    }

    pub(crate) fn within(games: &[&str], limits: Limits) -> Self {
        Self::with(games, Settings { limits, ..Settings::default() })
    }

    /// Stops it, and waits until it has.
    pub(crate) fn stop(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap().unwrap();
        }
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// Sends bytes and reads until the server closes: all that it answers.
    pub(crate) fn raw(&self, request: &[u8]) -> String {
        let mut stream = self.connect();
        // A server may close before it has read everything.
        let _ = stream.write_all(request);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// The status and the body of an answer.
    pub(crate) fn request(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> (u16, String) {
        let host = self.address.to_string();
        let mut request =
            format!("{method} {path} HTTP/1.1\r\nconnection: close\r\ncontent-length: {}\r\n", body.len());
        if !headers.iter().any(|(name, _)| *name == "host") {
            request += &format!("host: {host}\r\n");
        }
        for (name, value) in headers {
            request += &format!("{name}: {value}\r\n");
        }
        let answer = self.raw(format!("{request}\r\n{body}").as_bytes());
        let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        (status, answer.split_once("\r\n\r\n").map(|(_, body)| body.to_owned()).unwrap_or_default())
    }

    pub(crate) fn get(&self, path: &str) -> (u16, Json) {
        let (status, body) = self.request("GET", path, &[], "");
        (status, serde_json::from_str(&body).unwrap_or(Json::String(body)))
    }

    pub(crate) fn post(&self, path: &str, body: &Json) -> (u16, Json) {
        let (status, body) = self.request("POST", path, &[("content-type", "application/json")], &body.to_string());
        (status, serde_json::from_str(&body).unwrap_or(Json::String(body)))
    }

    /// A session by WebSocket.
    pub(crate) fn session(&self, path: &str) -> Session {
        let url = format!("ws://{}{path}", self.address);
        let (socket, _) = tungstenite::client(url, self.connect()).unwrap();
        Session(socket)
    }

    /// A value of `/metrics`.
    pub(crate) fn metric(&self, name: &str) -> f64 {
        let (_, text) = self.request("GET", "/metrics", &[], "");
        let line = text.lines().find(|line| line.starts_with(&format!("{name} "))).unwrap();
        line.rsplit(' ').next().unwrap().parse().unwrap()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop();
    }
}

/// A session of a client.
pub(crate) struct Session(pub(crate) WebSocket<TcpStream>);

impl Session {
    /// Sends a message and reads its answer.
    pub(crate) fn ask(&mut self, message: &Json) -> Json {
        self.0.send(Message::text(message.to_string())).unwrap();
        self.read().unwrap()
    }

    /// The next text; none once the server has closed. It panics if neither comes in time.
    #[track_caller]
    pub(crate) fn read(&mut self) -> Option<Json> {
        loop {
            match self.0.read() {
                Ok(Message::Text(text)) => return Some(serde_json::from_str(&text).unwrap()),
                Ok(Message::Close(_)) => return None,
                Ok(_) => {}
                Err(tungstenite::Error::Io(error)) if matches!(error.kind(), WouldBlock | TimedOut) => {
                    panic!("neither an answer nor the end within {PATIENCE:?}")
                }
                Err(_) => return None,
            }
        }
    }

    pub(crate) fn reset(&mut self, data: Json) -> Json {
        self.ask(&json!({ "type": "reset", "data": data }))
    }

    pub(crate) fn step(&mut self, action: impl Into<Json>) -> Json {
        self.ask(&json!({ "type": "step", "data": { "action": action.into() } }))
    }

    pub(crate) fn state(&mut self) -> Json {
        self.ask(&json!({ "type": "state" }))["data"].take()
    }
}
