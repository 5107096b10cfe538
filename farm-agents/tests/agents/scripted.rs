//! An endpoint with scripted replies on the loopback address, which takes the place of a model. The tests of the command line use it too.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use serde_json::{Value as Json, json};

/// The endpoint's response to a request.
#[derive(Debug, Clone)]
pub(crate) enum Act {
    /// Replies, and reports a usage of 100 tokens sent, 60 of them cached, and 10 received.
    Reply(String),
    /// Replies without reporting a usage.
    Uncounted(String),
    /// Replies with text that the length limit cut off.
    Cut(String),
    /// Answers with a status and, if given, a `Retry-After` header with these seconds.
    Status(u16, Option<u64>),
    /// Answers 400, because the conversation is longer than the model's context.
    TooLong,
    /// Answers 401 and repeats the key.
    RefuseKey,
    /// Waits, then replies.
    Slow(Duration, String),
    /// Answers 200 with this body, whatever it is.
    Body(String),
    /// Closes the connection in the middle of the response.
    Close,
}

/// A received request.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    /// The request line and the headers.
    pub(crate) head: String,
    /// The body; null if it is not JSON.
    pub(crate) body: Json,
}

/// Chooses the response to a request from its index (from 0) and its body.
type Script = dyn Fn(usize, &Json) -> Act + Send + Sync;

/// An endpoint that runs until it is dropped.
#[derive(Debug)]
pub(crate) struct ScriptedEndpoint {
    address: String,
    seen: Arc<Seen>,
    listener: Option<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct Seen {
    asked: Mutex<Vec<Asked>>,
    /// The number of complete replies.
    paid: AtomicUsize,
    /// The current number of requests in progress, and the maximum so far.
    now: AtomicUsize,
    most: AtomicUsize,
    is_over: AtomicBool,
}

impl ScriptedEndpoint {
    /// Starts an endpoint on a free port. `script` chooses the response from the request's index (from 0) and its body.
    ///
    /// # Errors
    /// There is no free port.
    pub(crate) fn new(script: impl Fn(usize, &Json) -> Act + Send + Sync + 'static) -> io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = listener.local_addr()?.to_string();
        let (seen, script): (Arc<Seen>, Arc<Script>) = (Arc::default(), Arc::new(script));
        let shared = seen.clone();
        let listen = move || {
            for stream in listener.incoming() {
                if shared.is_over.load(Ordering::SeqCst) {
                    break;
                }
                let (seen, script) = (shared.clone(), script.clone());
                // Some scripts test clients that disconnect early.
                std::thread::spawn(move || drop(stream.and_then(|stream| answer(stream, &seen, script.as_ref()))));
            }
        };
        Ok(Self { address, seen, listener: Some(std::thread::spawn(listen)) })
    }

    /// Its URL, in the form that `Endpoint` accepts.
    pub(crate) fn url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// The received requests, in order.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.seen.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The number of complete replies; users pay for these replies.
    pub(crate) fn paid(&self) -> usize {
        self.seen.paid.load(Ordering::SeqCst)
    }

    /// The maximum number of requests in progress at once.
    pub(crate) fn most_at_once(&self) -> usize {
        self.seen.most.load(Ordering::SeqCst)
    }
}

impl Drop for ScriptedEndpoint {
    fn drop(&mut self) {
        self.seen.is_over.store(true, Ordering::SeqCst);
        // Wakes the listener, which then ends.
        if TcpStream::connect(&self.address).is_ok() {
            self.listener.take().map(JoinHandle::join);
        }
    }
}

fn answer(mut stream: TcpStream, seen: &Seen, script: &Script) -> io::Result<()> {
    let asked = read(&mut stream)?;
    let number = {
        let mut all = seen.asked.lock().unwrap_or_else(PoisonError::into_inner);
        all.push(asked.clone());
        all.len() - 1
    };
    let now = seen.now.fetch_add(1, Ordering::SeqCst) + 1;
    seen.most.fetch_max(now, Ordering::SeqCst);
    let act = script(number, &asked.body);
    if let Act::Slow(wait, _) = &act {
        std::thread::sleep(*wait);
    }
    // Count before the client can send the next request or read the numbers.
    seen.now.fetch_sub(1, Ordering::SeqCst);
    let is_reply = matches!(act, Act::Reply(_) | Act::Uncounted(_) | Act::Cut(_) | Act::Slow(..));
    seen.paid.fetch_add(usize::from(is_reply), Ordering::SeqCst);
    let written = write(&mut stream, act, &asked);
    if written.is_err() {
        seen.paid.fetch_sub(usize::from(is_reply), Ordering::SeqCst);
    }
    written
}

/// Reads a request.
fn read(stream: &mut TcpStream) -> io::Result<Asked> {
    let (mut bytes, mut buffer) = (Vec::new(), [0; 4096]);
    loop {
        let text = String::from_utf8_lossy(&bytes);
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| {
                let (name, value) = line.split_once(':')?;
                name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse().ok())?
            });
            if body.len() >= length.unwrap_or(0) {
                return Ok(Asked { head: head.to_owned(), body: serde_json::from_str(body).unwrap_or_default() });
            }
        }
        match stream.read(&mut buffer)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => bytes.extend_from_slice(&buffer[..read]),
        }
    }
}

/// Writes a response.
fn write(stream: &mut TcpStream, act: Act, asked: &Asked) -> io::Result<()> {
    let usage = json!({"prompt_tokens": 100, "completion_tokens": 10, "prompt_tokens_details": {"cached_tokens": 60}});
    let completion = |reply: &str, finish: &str, usage: Json| {
        let message = json!({"role": "assistant", "content": reply});
        json!({"choices": [{"message": message, "finish_reason": finish}], "usage": usage}).to_string()
    };
    let error = |message: &str| json!({"error": {"message": message}}).to_string();
    let (status, wait, body) = match act {
        Act::Reply(reply) | Act::Slow(_, reply) => (200, None, completion(&reply, "stop", usage)),
        Act::Uncounted(reply) => (200, None, completion(&reply, "stop", Json::Null)),
        Act::Cut(reply) => (200, None, completion(&reply, "length", usage)),
        Act::Status(status, wait) => (status, wait, error("not now")),
        Act::TooLong => (400, None, error("This model's maximum context length is 8192 tokens.")),
        Act::RefuseKey => {
            let is_key = |line: &&str| line.to_lowercase().starts_with("authorization:");
            let key = asked.head.lines().find(is_key).unwrap_or_default();
            (401, None, error(&format!("wrong key: {key}")))
        }
        Act::Body(body) => (200, None, body),
        Act::Close => {
            stream.write_all(
                b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{\"choices\": [",
            )?;
            return stream.shutdown(Shutdown::Both);
        }
    };
    let wait = wait.map_or(String::new(), |wait| format!("Retry-After: {wait}\r\n"));
    let length = body.len();
    let head = format!("HTTP/1.1 {status} X\r\nContent-Type: application/json\r\n{wait}Content-Length: {length}\r\n");
    stream.write_all(format!("{head}Connection: close\r\n\r\n{body}").as_bytes())?;
    stream.flush()
}
