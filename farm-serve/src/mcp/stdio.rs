//! `farm agents mcp GAME`: one message per line on standard input and output. The program plays one episode.

use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use farm_core::config::{LimitedLine, read_line_limited};
use farm_core::inspect::RulesText;
use farm_core::{Game, TextForm};
use serde_json::Value as Json;

use super::failure::{Failure, INVALID_REQUEST, PARSE_ERROR};
use super::seat::Seat;
use crate::episode::{Start, Untaken};
use crate::errors::ServeError;
use crate::game::Served;
use crate::limits::Limits;
use crate::record::Recorder;
use crate::session::{Held, Session, lock};
use crate::tally::Tally;

/// The episode of one agent.
#[derive(Debug, Clone)]
pub struct AgentEpisode {
    /// The seed, which may belong to a split.
    pub seed: u64,
    /// The form of the texts.
    pub form: TextForm,
    /// Whether the instructions show the rules.
    pub rules: RulesText,
    /// Whether the agent may return to earlier turns, for a price.
    pub branches: bool,
    /// The folder for the record, if any.
    pub record: Option<PathBuf>,
}

/// How the episode of one agent ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AgentResult {
    /// The number of steps.
    pub steps: u64,
    /// The return.
    pub total: f64,
    /// Whether the episode is over.
    pub is_over: bool,
}

/// Answers the messages in `input` until the input ends. The record, if there is one, ends with the score.
///
/// # Errors
/// The episode can't start, or reading or writing fails.
pub fn run(
    name: &str,
    game: Arc<Game>,
    episode: AgentEpisode,
    mut input: impl BufRead,
    mut output: impl Write,
) -> Result<AgentResult, ServeError> {
    let AgentEpisode { seed, form, rules, branches, record } = episode;
    let tally = Tally { recorder: record.map(Recorder::new).transpose()?, ..Tally::default() };
    let mut session = Session::new(Served::new(name.to_owned(), game), Arc::new(tally));
    let failed = |untaken: Untaken| io::Error::other(untaken.to_string());
    session.begin(Start { seed, form, rules, branches }).map_err(failed)?;
    let held: Held = Arc::new(Mutex::new(session));
    let most = Limits::default().max_body_bytes as u64;
    while let Some(line) = read_line_limited(&mut input, most)? {
        let failure = |code, problem| Some(super::error(Json::Null, Failure::new(code, problem)));
        let answer = match line {
            LimitedLine::TooLong => failure(INVALID_REQUEST, format!("a message is longer than {most} bytes")),
            LimitedLine::Whole(line) if line.iter().all(u8::is_ascii_whitespace) => None,
            LimitedLine::Whole(line) => match serde_json::from_slice(&line) {
                Ok(message) => super::answer(&message, Seat::Agent(&held)),
                Err(problem) => failure(PARSE_ERROR, format!("the message is not JSON: {problem}")),
            },
        };
        if let Some(answer) = answer {
            writeln!(output, "{answer}")?;
            output.flush()?;
        }
    }
    let mut session = lock(&held);
    session.end_record().map_err(|error| failed(error.into()))?;
    let playing = session.playing().map_err(failed)?;
    Ok(AgentResult { steps: playing.turns(), total: playing.episode().total(), is_over: playing.is_over() })
}
