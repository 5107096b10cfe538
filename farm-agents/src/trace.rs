//! An episode's trace: one JSON line for its start, one for each call, and one for its end.
//!
//! Each line has a digest of itself and of all lines before it, which reveals changed lines. The digest proves nothing, because anyone who
//! changes a line can compute a new digest. To prove a trace, replay its replies ([`crate::verify`]).

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path as FilePath, PathBuf};

use farm_core::config::{Location, Path, Problem, Problems};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::agent::{Details, Failures, Tokens};
use crate::errors::AgentsError;
use crate::files;
use crate::limits::{BYTES_PER_VALUE, FREE_VALUES, MAX_LINE, MAX_SECONDS, MAX_TOKENS, MAX_TRACE};
use crate::texts::{shortened, visible, visible_json};

/// The name of the trace format, which runs contain.
pub const FORMAT: &str = "farm_gym.trace/1";

/// The start of an episode.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opening {
    /// Its name in the run.
    pub episode: String,
    /// Its level.
    pub level: Option<String>,
    /// Its seed.
    pub seed: u64,
    /// The game's fingerprint.
    pub fingerprint: String,
    /// The digest of the run's header.
    pub run: String,
    /// The version of the texts that the agent reads ([`farm_core::TEXT_VERSION`]); left out for version 1.
    #[serde(default = "first_version", skip_serializing_if = "is_first_version")]
    pub text: u32,
    /// The instructions, which the agent reads before the first turn.
    pub instructions: String,
    /// Hash of the first state.
    pub state: String,
    /// Digest of the line.
    pub digest: String,
}

/// A call: the text that the agent read, its reply, and the result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CallLine {
    /// Its index, from 0.
    pub call: u64,
    /// The index of the turn, from 0. If a reply can't be read, the agent is asked again within the same turn.
    pub turn: u64,
    /// The game's text. The run's history setting determines which past turns the agent also read.
    pub text: String,
    /// The complete reply.
    pub reply: String,
    /// Whether a length limit cut the reply off.
    pub cut: bool,
    /// Whether the reply was played. If a reply can't be read, the agent is asked again first.
    pub played: bool,
    /// The actions that were executed.
    pub actions: Vec<String>,
    /// Actions that were not executed or not read, with the reasons.
    pub rejected: Vec<RejectedText>,
    /// The reward.
    pub reward: f64,
    /// The sum of all rewards so far.
    #[serde(rename = "return")]
    pub total: f64,
    /// The cost of observations, if they have a price. The reward already includes this cost, unless the rules say otherwise.
    pub observation_cost: f64,
    /// Hash of the state after the call.
    pub state: String,
    /// The index of the trial in a lifetime, from 0.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub trial: u32,
    /// The end of a trial in a lifetime, if this call ended the trial.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trial_end: Option<TrialEnd>,
    /// The tokens.
    pub tokens: Tokens,
    /// The time from the first attempt to the reply, in seconds.
    pub seconds: f64,
    /// The number of attempts.
    pub attempts: u32,
    /// The number of failed attempts by kind.
    pub failures: Failures,
    /// What else the endpoint reports about the reply.
    #[serde(default, skip_serializing_if = "Details::is_empty")]
    pub details: Details,
    /// Digest of the line.
    pub digest: String,
}

fn first_version() -> u32 {
    1
}

fn is_first_version(version: &u32) -> bool {
    *version == first_version()
}

/// Whether a number is 0; then the line leaves it out.
fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// The end of a trial in a lifetime.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrialEnd {
    /// The reason, in words.
    pub stop: String,
    /// The sum of its rewards.
    #[serde(rename = "return")]
    pub total: f64,
    /// The number of days in the trial.
    pub days: u32,
    /// Hash of its last state.
    pub state: String,
}

/// A summary by the agent. In later requests, it replaces the turns before it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SummaryLine {
    /// The agent wrote the summary before this turn.
    pub turn: u64,
    /// The summary.
    pub reply: String,
    /// Whether a length limit cut the summary off.
    pub cut: bool,
    /// The tokens.
    pub tokens: Tokens,
    /// The time from the first attempt to the reply, in seconds.
    pub seconds: f64,
    /// The number of attempts.
    pub attempts: u32,
    /// The number of failed attempts by kind.
    pub failures: Failures,
    /// What else the endpoint reports about the summary.
    #[serde(default, skip_serializing_if = "Details::is_empty")]
    pub details: Details,
    /// Digest of the line.
    pub digest: String,
}

/// A requested action that was not executed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RejectedText {
    /// The requested action; null if the reply as a whole can't be read.
    pub action: Json,
    /// The reason.
    pub reason: String,
}

/// A reply that did not arrive, even after retries.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FailedLine {
    /// The last problem.
    pub message: String,
    /// The number of failed attempts by kind.
    pub failures: Failures,
    /// Digest of the line.
    pub digest: String,
}

/// The end of an episode.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EndLine {
    /// The cause.
    pub why: EndReason,
    /// The cause, in words.
    pub stop: String,
    /// The sum of all rewards, whatever the reason for the end.
    #[serde(rename = "return")]
    pub total: f64,
    /// The number of turns.
    pub turns: u64,
    /// The number of calls, including calls for summaries.
    pub calls: u64,
    /// The number of days, over all trials of a lifetime.
    pub days: u32,
    /// Hash of the last state.
    pub state: String,
    /// The tokens of all calls.
    pub tokens: Tokens,
    /// The total time of all calls, in seconds.
    pub seconds: f64,
    /// Digest of the line.
    pub digest: String,
}

/// The reason for an episode's end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EndReason {
    /// The game.
    Game,
    /// The budget of turns.
    Turns,
    /// The budget of tokens.
    Tokens,
    /// The budget of seconds.
    Seconds,
    /// The conversation was longer than the model's context.
    Context,
    /// The agent sent only empty replies.
    Empty,
}

impl EndReason {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Game => "game",
            Self::Turns => "turns",
            Self::Tokens => "tokens",
            Self::Seconds => "seconds",
            Self::Context => "context",
            Self::Empty => "empty",
        }
    }
}

/// A line of a trace.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Line {
    /// The start.
    Episode(Opening),
    /// A call.
    Call(CallLine),
    /// A summary by the agent.
    Summary(SummaryLine),
    /// A reply that did not arrive.
    Failed(FailedLine),
    /// The end.
    End(EndLine),
}

impl Line {
    /// The digest stored in the line.
    pub fn digest(&self) -> &str {
        match self {
            Self::Episode(line) => &line.digest,
            Self::Call(line) => &line.digest,
            Self::Summary(line) => &line.digest,
            Self::Failed(line) => &line.digest,
            Self::End(line) => &line.digest,
        }
    }

    fn digest_mut(&mut self) -> &mut String {
        match self {
            Self::Episode(line) => &mut line.digest,
            Self::Call(line) => &mut line.digest,
            Self::Summary(line) => &mut line.digest,
            Self::Failed(line) => &mut line.digest,
            Self::End(line) => &mut line.digest,
        }
    }

    /// Adds the line's digest, computed from the line and from the previous line's digest.
    #[must_use]
    pub fn sealed(mut self, before: u64) -> Self {
        self.digest_mut().clear();
        let digest = xxh3_64_with_seed(self.text().as_bytes(), before);
        *self.digest_mut() = hex(digest);
        self
    }

    /// A number or name that no agent can produce, with its field and the expected value. The run reports these fields, and they can't be
    /// recomputed.
    fn impossible(&self) -> Option<(&'static str, String, String)> {
        let (tokens, seconds, attempts, failures) = match self {
            Self::Call(line) => (line.tokens, line.seconds, line.attempts, &line.failures),
            Self::Summary(line) => (line.tokens, line.seconds, line.attempts, &line.failures),
            Self::Failed(line) => (Tokens::default(), 0.0, u32::MAX, &line.failures),
            // The numbers of an end are sums.
            Self::Episode(_) | Self::End(_) => return None,
        };
        if !(0.0..=MAX_SECONDS).contains(&seconds) {
            return Some(("seconds", seconds.to_string(), format!("a number from 0 to {MAX_SECONDS}")));
        }
        if let Some(most) = [tokens.prompt, tokens.completion, tokens.reasoning, tokens.cached]
            .into_iter()
            .find(|most| *most > MAX_TOKENS)
        {
            return Some(("tokens", most.to_string(), format!("at most {MAX_TOKENS}")));
        }
        let is_kind = |kind: &str| {
            kind.len() <= 40 && kind.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
        };
        if let Some(kind) = failures.keys().find(|kind| !is_kind(kind)) {
            let expected =
                "a status such as `429`, or `timeout`, `connection`, `malformed`, `error`, `context` or `command`";
            return Some(("failures", kind.clone(), expected.to_owned()));
        }
        let failed: u64 = failures.values().copied().map(u64::from).sum();
        let expected = || format!("at most {attempts}, the number of attempts");
        (failed > u64::from(attempts)).then(|| ("failures", failed.to_string(), expected()))
    }

    /// The line as written to the file, without the line break.
    pub fn text(&self) -> String {
        // Numbers are finite and keys are strings, so writing never fails.
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// An upper bound for the number of values in JSON, without parsing it.
fn values_in(json: &[u8]) -> u64 {
    let (mut found, mut is_text, mut is_escaped) = (0, false, false);
    for byte in json {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_text => is_escaped = true,
            b'"' => is_text = !is_text,
            b',' | b'[' | b'{' if !is_text => found += 1,
            _ => {}
        }
    }
    found
}

/// A hash in the form that traces use.
pub(crate) fn hex(hash: u64) -> String {
    format!("{hash:016x}")
}

/// Reads a hash; 0 if `text` is not a hash.
pub(crate) fn from_hex(text: &str) -> u64 {
    u64::from_str_radix(text, 16).unwrap_or_default()
}

/// An episode's trace, as read from its file.
#[derive(Debug, Clone, PartialEq)]
pub struct Trace {
    /// Its file.
    pub path: PathBuf,
    /// The complete lines, numbered from 1.
    pub lines: Vec<Line>,
    /// The total size of these lines, in bytes. Any bytes after them are an incomplete line, left by a process that was killed.
    pub whole: u64,
    /// Whether the last line lacks its line break.
    pub lacks_break: bool,
    /// Whether an incomplete line follows the complete ones.
    pub has_rest: bool,
}

impl Trace {
    /// Reads a trace. A missing file is a trace without lines.
    ///
    /// # Errors
    /// The file can't be read, is too large, or is outside the folder. A line is not valid, unless it is an incomplete line at the end.
    pub fn read(path: &FilePath) -> Result<Self, Problems> {
        let mut trace =
            Self { path: path.to_owned(), lines: Vec::new(), whole: 0, lacks_break: false, has_rest: false };
        let file = match files::open(path, MAX_TRACE) {
            Ok(Some(file)) => file,
            Ok(None) => return Ok(trace),
            Err(error) => return Err(trace.wrong(1, format!("the trace can't be read: {error}"))),
        };
        // Ignores data that is appended meanwhile.
        let mut reader = BufReader::new(file.take(MAX_TRACE));
        let mut values = 0;
        loop {
            let (number, mut bytes) = (trace.lines.len() + 1, Vec::new());
            let read = reader.by_ref().take(MAX_LINE).read_until(b'\n', &mut bytes);
            let read = read.map_err(|error| trace.wrong(number, format!("the trace can't be read: {error}")))?;
            if read == 0 {
                return Ok(trace);
            }
            let is_whole = bytes.ends_with(b"\n");
            values += values_in(&bytes);
            trace.check_line(number, bytes.len() as u64, is_whole, values)?;
            match serde_json::from_slice::<Line>(&bytes) {
                Ok(line) => {
                    if let Some((field, found, expected)) = line.impossible() {
                        let mut problems = trace.wrong(number, format!("`{field}` of line {number} is out of range"));
                        if let Some(problem) = problems.0.pop() {
                            let problem = Problem { path: Path::default().child(field), ..problem };
                            problems.0.push(problem.value(visible(&found)).expected(expected));
                        }
                        return Err(problems);
                    }
                    trace.lines.push(line);
                    trace.whole += read as u64;
                    trace.lacks_break = !is_whole;
                }
                Err(_) if !is_whole => {
                    trace.has_rest = true;
                    return Ok(trace);
                }
                Err(error) => {
                    let said = error.to_string();
                    let said = shortened(&visible(&said), 300).into_owned();
                    let mut problems =
                        trace.wrong(number, format!("line {number} is not a valid line of a trace: {said}"));
                    for problem in &mut problems.0 {
                        problem.location = Some(trace.location(number, error.column()));
                    }
                    return Err(problems);
                }
            }
        }
    }

    /// Rejects a line that would take more memory than any genuine line, before parsing it.
    fn check_line(&self, number: usize, bytes: u64, is_whole: bool, values: u64) -> Result<(), Problems> {
        let most = FREE_VALUES + (self.whole + bytes) / BYTES_PER_VALUE;
        let (found, expected) = if !is_whole && bytes >= MAX_LINE {
            (format!("more than {bytes} bytes"), format!("at most {MAX_LINE} bytes"))
        } else if values > most {
            (format!("{values} values up to this line"), format!("at most {most} for this number of bytes"))
        } else {
            return Ok(());
        };
        let mut problems = self.wrong(number, format!("line {number} is not a valid line of a trace: it is too large"));
        problems.0 = problems.0.into_iter().map(|problem| problem.value(&found).expected(expected.as_str())).collect();
        Err(problems)
    }

    fn location(&self, line: usize, column: usize) -> Location {
        Location::new(self.path.display().to_string(), Some((line, column.max(1))))
    }

    fn wrong(&self, line: usize, message: String) -> Problems {
        let mut problem = Problem::new(AgentsError::NotATrace, Path::default(), message);
        problem.location = Some(self.location(line, 1));
        Problems(vec![problem.help("see the format in docs/agents.md")])
    }

    /// The end, if the episode is finished.
    pub fn end(&self) -> Option<&EndLine> {
        match self.lines.last() {
            Some(Line::End(end)) => Some(end),
            _ => None,
        }
    }

    /// The calls.
    pub fn calls(&self) -> impl Iterator<Item = &CallLine> {
        self.lines.iter().filter_map(|line| match line {
            Line::Call(call) => Some(call),
            _ => None,
        })
    }

    /// The failed attempts for all replies, including replies that never arrived.
    pub fn failures(&self) -> Failures {
        let mut failures = Failures::new();
        let failed = self.lines.iter().flat_map(|line| match line {
            Line::Call(call) => call.failures.iter(),
            Line::Summary(summary) => summary.failures.iter(),
            Line::Failed(failed) => failed.failures.iter(),
            _ => const { &Failures::new() }.iter(),
        });
        for (kind, count) in failed {
            let sum: &mut u32 = failures.entry(kind.clone()).or_default();
            *sum = sum.saturating_add(*count);
        }
        failures
    }

    /// The last line's digest, from which the next line's digest continues.
    pub fn seal(&self) -> u64 {
        self.lines.last().map_or(0, |line| from_hex(line.digest()))
    }
}

/// Appends lines to a trace. Each line is written immediately, so a killed process loses no lines.
#[derive(Debug)]
pub struct TraceWriter {
    path: PathBuf,
    file: File,
    seal: u64,
}

impl TraceWriter {
    /// Continues a trace after its last complete line.
    ///
    /// # Errors
    /// The file can't be written.
    pub fn resume(trace: &Trace) -> Result<Self, Problems> {
        let open = || -> std::io::Result<File> {
            let mut file = OpenOptions::new().create(true).truncate(false).write(true).open(&trace.path)?;
            file.set_len(trace.whole)?;
            file.seek(SeekFrom::End(0))?;
            if trace.lacks_break {
                file.write_all(b"\n")?;
            }
            Ok(file)
        };
        let file = open().map_err(|error| not_written(&trace.path, &error))?;
        Ok(Self { path: trace.path.clone(), file, seal: trace.seal() })
    }

    /// Seals a line and appends it.
    ///
    /// # Errors
    /// The file can't be written.
    pub fn append(&mut self, line: Line) -> Result<(), Problems> {
        let line = line.sealed(self.seal);
        let text = format!("{}\n", visible_json(&line.text()));
        if text.len() as u64 > MAX_LINE {
            let message = format!("a line of {} bytes is longer than the maximum of {MAX_LINE} bytes", text.len());
            return Err(not_written(&self.path, &std::io::Error::other(message)));
        }
        self.file.write_all(text.as_bytes()).map_err(|error| not_written(&self.path, &error))?;
        self.seal = from_hex(line.digest());
        Ok(())
    }
}

/// Reports a file that can't be written.
pub(crate) fn not_written(path: &FilePath, error: &std::io::Error) -> Problems {
    let message = format!("the run can't be written: {error}");
    let mut problem = Problem::new(farm_core::config::FileError::FileNotWritten, Path::default(), message);
    problem.location = Some(Location::new(path.display().to_string(), None));
    Problems(vec![problem])
}
