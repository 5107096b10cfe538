//! Programs that play. Each episode has one process, which reads requests and writes answers as JSON Lines.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use serde_json::{Map, Value as Json, json};

use crate::agent::{Agent, AgentError, Answer, Ask, Request, Tokens};
use crate::completion;
use crate::eyes::Eyes;
use crate::retries::{Failure, Retries};

/// An agent that runs as a command. Its process starts at the first turn of an episode, and restarts if it exits too early.
#[derive(Debug)]
pub struct CommandAgent {
    command: String,
    timeout: Duration,
    retries: Retries,
    process: Option<Process>,
    eyes: Eyes,
}

/// A running command.
#[derive(Debug)]
struct Process {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<std::io::Result<String>>,
}

/// The time that a process has to exit after its input has been closed.
const GRACE: Duration = Duration::from_millis(500);
/// The maximum length of an answer line, in bytes.
const MAX_LINE: u64 = 16 * 1024 * 1024;

impl CommandAgent {
    /// Creates an agent from a shell command. `timeout` limits each answer.
    pub fn new(command: &str, timeout: Duration, retries: Retries) -> Self {
        Self { command: command.to_owned(), timeout, retries, process: None, eyes: Eyes::default() }
    }

    /// The agent's description in a trace.
    pub fn description(command: &str) -> Map<String, Json> {
        [("kind".to_owned(), json!("command")), ("command".to_owned(), json!(command))].into_iter().collect()
    }

    fn attempt(command: &str, process: &mut Option<Process>, timeout: Duration, line: &str) -> Result<Answer, Failure> {
        let mut running = match process.take() {
            Some(running) => running,
            None => Process::start(command)?,
        };
        let answer = running.ask(line, timeout)?;
        // A process that failed gets no further request: its next line could answer an earlier one.
        let answer = read(&answer).map_err(|problem| {
            let said: String = answer.chars().take(200).collect();
            Failure::new("malformed", format!("`{command}` wrote an invalid answer: {problem}: {said}"))
        })?;
        *process = Some(running);
        Ok(answer)
    }
}

impl Process {
    fn start(command: &str) -> Result<Self, Failure> {
        let (shell, flag) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
        let started = Command::new(shell).args([flag, command]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let failed = |error: &dyn std::fmt::Display| Failure {
            can_retry: false,
            ..Failure::new("command", format!("`{command}` can't be started: {error}"))
        };
        let mut child = started.map_err(|error| failed(&error))?;
        let input = child.stdin.take();
        let Some(output) = child.stdout.take() else { return Err(failed(&"it has no output")) };
        let (sender, lines) = sync_channel(1);
        // The thread ends with the process, or when the receiver is dropped.
        let listen = move || {
            let mut output = BufReader::new(output);
            loop {
                let mut line = String::new();
                let read = std::io::Read::take(&mut output, MAX_LINE).read_line(&mut line);
                if matches!(read, Ok(0)) || sender.send(read.map(|_| line)).is_err() {
                    break;
                }
            }
        };
        std::thread::Builder::new().spawn(listen).map_err(|error| failed(&error))?;
        Ok(Self { child, input, lines })
    }

    fn ask(&mut self, line: &str, timeout: Duration) -> Result<String, Failure> {
        let write = |input: &mut ChildStdin| input.write_all(line.as_bytes()).and_then(|()| input.flush());
        let ended = |child: &mut Child| match child.try_wait() {
            Ok(Some(status)) => Failure::new("command", format!("the command ended before it answered: {status}")),
            _ => Failure::new("command", "the command closed its output before it answered"),
        };
        match self.input.as_mut().map(write) {
            Some(Ok(())) => {}
            _ => return Err(ended(&mut self.child)),
        }
        match self.lines.recv_timeout(timeout) {
            Ok(Ok(line)) => Ok(line),
            Ok(Err(error)) => Err(Failure::new("malformed", format!("the command did not write text: {error}"))),
            Err(RecvTimeoutError::Timeout) => {
                Err(Failure::new("timeout", format!("the command did not answer within {} s", timeout.as_secs_f64())))
            }
            Err(RecvTimeoutError::Disconnected) => Err(ended(&mut self.child)),
        }
    }
}

/// Closes the input so that the process can exit, and kills it after [`GRACE`].
impl Drop for Process {
    fn drop(&mut self) {
        self.input = None;
        let end = Instant::now() + GRACE;
        while Instant::now() < end {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        // Killing fails only if the process has ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads an answer: `{"reply": "…"}`, optionally with `usage` and `cut`.
fn read(line: &str) -> Result<Answer, String> {
    let json: Json = serde_json::from_str(line).map_err(|error| format!("it is not JSON: {error}"))?;
    let entries = json.as_object().ok_or("it is not an object")?;
    if let Some(unknown) = entries.keys().find(|key| !["reply", "usage", "cut"].contains(&key.as_str())) {
        return Err(format!("`{unknown}` is not one of `reply`, `usage`, `cut`"));
    }
    let reply = entries.get("reply").and_then(Json::as_str).ok_or("`reply` is missing or not a string")?;
    let is_cut = match entries.get("cut") {
        None => false,
        Some(cut) => cut.as_bool().ok_or("`cut` is neither true nor false")?,
    };
    let tokens = match entries.get("usage") {
        None | Some(Json::Null) => None,
        Some(usage) => {
            let count = |key: &str| usage.get(key).and_then(completion::count);
            let both = count("prompt_tokens").zip(count("completion_tokens"));
            let (prompt, completion) = both.ok_or("`usage` lacks `prompt_tokens` or `completion_tokens`")?;
            Some(Tokens { prompt, completion, cached: count("cached_tokens").unwrap_or_default(), ..Tokens::default() })
        }
    };
    Ok(Answer { reply: reply.to_owned(), is_cut, tokens, ..Answer::default() })
}

impl Agent for CommandAgent {
    fn reply(&mut self, request: &Request<'_>) -> Result<Answer, AgentError> {
        let picture = request.picture(&mut self.eyes)?;
        let mut line = json!({
            "episode": request.episode,
            "trial": request.trial,
            "turn": request.turn,
            "ask": if request.ask == Ask::Summary { "summary" } else { "action" },
            "instructions": request.dialogue.instructions(),
            "text": request.dialogue.text(),
            "messages": request.messages(),
        });
        if let Some(picture) = picture {
            line["picture"] = picture.png.into();
        }
        let line = format!("{line}\n");
        let Self { command, timeout, retries, process, .. } = self;
        retries.ask(|| Self::attempt(command, process, *timeout, &line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_read_strictly() {
        let usage = r#"{"prompt_tokens": 3, "completion_tokens": 1, "cached_tokens": 2}"#;
        let answer = read(&format!(r#"{{"reply": "wait", "cut": true, "usage": {usage}}}"#)).unwrap();
        assert_eq!((answer.reply.as_str(), answer.is_cut), ("wait", true));
        assert_eq!(answer.tokens, Some(Tokens { prompt: 3, completion: 1, cached: 2, ..Tokens::default() }));
        let wrong = [
            "",
            "wait",
            "[]",
            "{}",
            r#"{"reply": 3}"#,
            r#"{"reply": "a", "cut": 1}"#,
            r#"{"reply": "a", "usage": {}}"#,
        ];
        for wrong in wrong.into_iter().chain([r#"{"reply": "a", "usge": {}}"#]) {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
