//! The lines that a person writes during an exam.

use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use crate::interrupts::Interrupts;

/// Reads the person's lines from standard input until a signal arrives.
#[derive(Debug, Clone)]
pub(super) struct Desk {
    interrupts: Interrupts,
    /// The lines. Reading starts at the first request.
    lines: Arc<OnceLock<Mutex<Receiver<io::Result<String>>>>>,
}

/// While waiting for a line, the interval between checks for a signal.
pub(super) const GLANCE: Duration = Duration::from_millis(50);

impl Desk {
    /// A reader that stops at a signal.
    pub(super) fn new(interrupts: Interrupts) -> Self {
        Self { interrupts, lines: Arc::default() }
    }

    /// The next line; `None` at the end of the input.
    ///
    /// # Errors
    /// Fails if the input can't be read or a signal arrives.
    pub(super) fn next_line(&self) -> io::Result<Option<String>> {
        let Ok(lines) = self.lines.get_or_init(|| Mutex::new(read_lines())).lock() else {
            return Err(io::Error::other("standard input can't be read: another thread panicked"));
        };
        loop {
            match lines.recv_timeout(GLANCE) {
                Ok(line) => return line.map(Some),
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) if self.interrupts.signal().is_some() => {
                    return Err(io::Error::other("the exam was left while this text was shown"));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

/// The lines from standard input. A thread reads them until the input or the program ends.
fn read_lines() -> Receiver<io::Result<String>> {
    let (sender, lines) = sync_channel(0);
    let read = move || {
        loop {
            let mut line = String::new();
            let read = io::stdin().read_line(&mut line);
            if matches!(read, Ok(0)) || sender.send(read.map(|_| line)).is_err() {
                break;
            }
        }
    };
    if let Err(error) = std::thread::Builder::new().name("lines".to_owned()).spawn(read) {
        let (sender, lines) = sync_channel(1);
        // The channel has room for one message, and its receiver is alive.
        let _ = sender.send(Err(error));
        return lines;
    }
    lines
}
