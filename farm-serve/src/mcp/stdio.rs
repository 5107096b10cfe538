//! `farm agents mcp GAME`: one message per line on standard input and output.

use std::io::{self, BufRead, Write};
use std::sync::Arc;

use farm_core::config::{LimitedLine, read_line_limited};
use farm_core::inspect::RulesText;
use farm_core::{Game, TextForm};
use serde_json::Value as Json;

use super::failure::{Failure, INVALID_REQUEST, PARSE_ERROR};
use crate::episode::Start;
use crate::limits::Limits;
use crate::served::Served;

/// Answers the messages in `input` until the input ends. `seed` is the seed of the episode, and may belong to a split.
///
/// # Errors
/// Reading or writing fails.
pub fn run(
    name: &str,
    game: Arc<Game>,
    (seed, form, rules): (u64, TextForm, RulesText),
    mut input: impl BufRead,
    mut output: impl Write,
) -> io::Result<()> {
    let served = Served { name: name.to_owned(), game };
    let start = Start { seed, form, rules };
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let most = Limits::default().max_body_bytes as u64;
    while let Some(line) = read_line_limited(&mut input, most)? {
        let failure = |code, problem| Some(super::error(Json::Null, Failure::new(code, problem)));
        let answer = match line {
            LimitedLine::TooLong => failure(INVALID_REQUEST, format!("a message is longer than {most} bytes")),
            LimitedLine::Whole(line) if line.iter().all(u8::is_ascii_whitespace) => None,
            LimitedLine::Whole(line) => match serde_json::from_slice(&line) {
                Ok(message) => runtime.block_on(super::answer(&message, &served, start)),
                Err(problem) => failure(PARSE_ERROR, format!("the message is not JSON: {problem}")),
            },
        };
        if let Some(answer) = answer {
            writeln!(output, "{answer}")?;
            output.flush()?;
        }
    }
    Ok(())
}
