//! A server in this process, and requests to it.

use std::net::SocketAddr;
use std::thread::JoinHandle;

use farm_games::Options;
use farm_serve::{Games, Server, Settings};
use serde_json::Value;
use tokio::sync::oneshot;

/// A server that ends with the test.
pub(crate) struct Served {
    address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Served {
    pub(crate) fn new(games: &[&str]) -> Self {
        let names: Vec<String> = games.iter().map(|name| (*name).to_owned()).collect();
        let games = Games::open(&names, &Options::default()).unwrap();
        let server = Server::bind(games, Settings { port: 0, ..Settings::default() }).unwrap();
        let address = server.address();
        let (stop, stopped) = oneshot::channel::<()>();
        let until = async {
            let _ = stopped.await;
        };
        let thread = std::thread::spawn(move || server.run(2, until).unwrap());
        Self { address, stop: Some(stop), thread: Some(thread) }
    }

    /// Sends a body of JSON; returns the status and the answer.
    pub(crate) fn post(&self, path: &str, body: &str) -> (u16, Value) {
        let config = ureq::Agent::config_builder().http_status_as_error(false);
        let agent: ureq::Agent = config.build().into();
        let url = format!("http://{}{path}", self.address);
        let mut answer = agent.post(url).header("Content-Type", "application/json").send(body).unwrap();
        let status = answer.status().as_u16();
        let text = answer.body_mut().with_config().limit(200_000_000).read_to_string().unwrap();
        (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.stop.take().map(|stop| stop.send(()));
        let ended = self.thread.take().map(JoinHandle::join);
        assert!(ended.is_none_or(|ended| ended.is_ok()), "the server ends without a panic");
    }
}
