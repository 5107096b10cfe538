//! Loads a server with many WebSocket sessions, each of which sends a step and waits for its answer.
//!
//! ```console
//! $ farm serve backwards_valley --threads 1 --port 8000
//! $ cargo run --release -p farm-serve --example load -- 127.0.0.1:8000 --sessions 5000 --seconds 10
//! ```
//!
//! `--server PID` also prints the memory of the server's process per session, from `/proc`. `--echo` sends the messages of OpenEnv's echo
//! environment instead. With `--active N`, only the first N sessions send; the others stay open and idle. With `--rate N`, all sessions
//! together send N messages/s, evenly spaced; otherwise each session sends its next message after the answer.

#![expect(clippy::print_stdout, reason = "what an example prints is what it is for")]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;

type Error = Box<dyn std::error::Error + Send + Sync>;

/// The settings of the load generator.
struct Plan {
    address: String,
    sessions: usize,
    active: usize,
    seconds: f64,
    rate: f64,
    is_echo: bool,
    server: Option<u32>,
    observe: String,
}

impl Plan {
    fn read() -> Result<Self, Error> {
        let mut words = std::env::args().skip(1);
        let address = words.next().ok_or("expected ADDRESS:PORT")?;
        let mut plan = Self {
            address,
            sessions: 1000,
            active: usize::MAX,
            seconds: 5.0,
            rate: 0.0,
            is_echo: false,
            server: None,
            observe: "[\"values\"]".to_owned(),
        };
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or(format!("{word} needs a value"));
            match word.as_str() {
                "--sessions" => plan.sessions = value()?.parse()?,
                "--active" => plan.active = value()?.parse()?,
                "--seconds" => plan.seconds = value()?.parse()?,
                "--rate" => plan.rate = value()?.parse()?,
                "--server" => plan.server = Some(value()?.parse()?),
                "--observe" => plan.observe = value()?,
                "--echo" => plan.is_echo = true,
                other => return Err(format!("unknown option {other}").into()),
            }
        }
        Ok(plan)
    }
}

type Socket = WebSocketStream<TcpStream>;

async fn open(address: &str) -> Result<Socket, Error> {
    let stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    let config = WebSocketConfig::default().read_buffer_size(2048).write_buffer_size(0);
    let (socket, _) =
        tokio_tungstenite::client_async_with_config(format!("ws://{address}/ws"), stream, Some(config)).await?;
    Ok(socket)
}

/// Sends a message and reads its answer, which must not be an error.
async fn ask(socket: &mut Socket, message: &str) -> Result<String, Error> {
    socket.send(Message::text(message)).await?;
    loop {
        match socket.next().await.ok_or("the server closed the session")?? {
            Message::Text(text) if text.starts_with("{\"type\":\"error\"") => return Err(text.to_string().into()),
            Message::Text(text) => return Ok(text.to_string()),
            Message::Close(_) => return Err("the server closed the session".into()),
            _ => {}
        }
    }
}

/// The memory and the processor time that a process has taken, in bytes and seconds.
fn taken(process: u32) -> Option<(f64, f64)> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let kilobytes: f64 =
        status.lines().find(|line| line.starts_with("VmRSS"))?.split_whitespace().nth(1)?.parse().ok()?;
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let ticks: Vec<f64> =
        stat.rsplit(')').next()?.split_whitespace().skip(11).take(2).filter_map(|n| n.parse().ok()).collect();
    // Linux counts in hundredths of a second.
    Some((kilobytes * 1024.0, ticks.iter().sum::<f64>() / 100.0))
}

#[tokio::main(flavor = "multi_thread", worker_threads = 1)]
async fn main() -> Result<(), Error> {
    let plan = Plan::read()?;
    let before = plan.server.and_then(taken);
    let begun = Instant::now();
    let reset = if plan.is_echo {
        "{\"type\":\"reset\",\"data\":{}}".to_owned()
    } else {
        format!("{{\"type\":\"reset\",\"data\":{{\"seed\":7,\"observe\":{}}}}}", plan.observe)
    };
    let (mut sockets, mut failed) = (Vec::new(), 0);
    for chunk in 0..plan.sessions.div_ceil(64) {
        let count = 64.min(plan.sessions - chunk * 64);
        let opening = (0..count).map(|_| async {
            let mut socket = open(&plan.address).await?;
            ask(&mut socket, &reset).await?;
            Ok::<_, Error>(socket)
        });
        for socket in futures_util::future::join_all(opening).await {
            match socket {
                Ok(socket) => sockets.push(socket),
                Err(error) => {
                    if failed == 0 {
                        eprintln!("first failure: {error}");
                    }
                    failed += 1;
                }
            }
        }
    }
    println!(
        "sessions open: {} of {}, failed: {failed}, in {:.2} s",
        sockets.len(),
        plan.sessions,
        begun.elapsed().as_secs_f64()
    );
    if let (Some(process), Some((bytes, _))) = (plan.server, before) {
        tokio::time::sleep(Duration::from_millis(500)).await;
        let (now, _) = taken(process).ok_or("the server is gone")?;
        println!(
            "memory: {:.1} MiB more, {:.2} KiB a session",
            (now - bytes) / 1048576.0,
            (now - bytes) / 1024.0 / sockets.len() as f64
        );
    }

    let (is_over, errors) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
    let step = if plan.is_echo {
        "{\"type\":\"step\",\"data\":{\"message\":\"hello\"}}"
    } else {
        "{\"type\":\"step\",\"data\":{\"action\":0}}"
    };
    let active = sockets.len().min(plan.active);
    let pause = (plan.rate > 0.0).then(|| Duration::from_secs_f64(active as f64 / plan.rate));
    let idle = sockets.split_off(active);
    let (begun, used) = (Instant::now(), plan.server.and_then(taken));
    let tasks: Vec<_> = sockets
        .into_iter()
        .enumerate()
        .map(|(i, mut socket)| {
            let (is_over, errors, reset) = (is_over.clone(), errors.clone(), reset.clone());
            tokio::spawn(async move {
                let mut times = Vec::new();
                let mut next = pause.map(|pause| Instant::now() + pause.mul_f64(i as f64 / active as f64));
                while !is_over.load(Relaxed) {
                    if let (Some(at), Some(pause)) = (&mut next, pause) {
                        tokio::time::sleep_until((*at).into()).await;
                        *at += pause;
                    }
                    let sent = Instant::now();
                    match ask(&mut socket, step).await {
                        Ok(answer) => {
                            times.push(sent.elapsed());
                            if answer.contains("\"done\":true") && ask(&mut socket, &reset).await.is_err() {
                                errors.fetch_add(1, Relaxed);
                                break;
                            }
                        }
                        Err(_) => {
                            errors.fetch_add(1, Relaxed);
                            break;
                        }
                    }
                }
                times
            })
        })
        .collect();
    tokio::time::sleep(Duration::from_secs_f64(plan.seconds)).await;
    is_over.store(true, Relaxed);
    let elapsed = begun.elapsed().as_secs_f64();
    let now = plan.server.and_then(taken);
    let mut times = Vec::new();
    for task in tasks {
        times.extend(task.await?);
    }
    drop(idle);
    times.sort_unstable();
    let at = |share: f64| times.get((times.len() as f64 * share) as usize).map_or(0.0, |time| time.as_secs_f64() * 1e3);
    let rate = times.len() as f64 / elapsed;
    println!(
        "steps: {} in {elapsed:.2} s by {active} sessions, {rate:.0} a second, errors: {}",
        times.len(),
        errors.load(Relaxed)
    );
    println!("p50 {:.2} ms, p99 {:.2} ms, longest {:.2} ms", at(0.5), at(0.99), at(1.0 - 1e-9));
    if let (Some((_, before)), Some((_, now))) = (used, now) {
        let busy = (now - before) / elapsed;
        println!("the server was busy {:.0} % of a core: {:.0} steps a second of its time", busy * 100.0, rate / busy);
    }
    Ok(())
}
