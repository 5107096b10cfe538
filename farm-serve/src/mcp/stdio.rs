//! `farm mcp GAME`: a message a line, on standard input and output.

use std::io::{self, BufRead, Read, Write};
use std::sync::Arc;

use farm_core::inspect::RulesText;
use farm_core::{Game, TextForm};
use serde_json::Value as Json;

use super::{Failure, INVALID_REQUEST, PARSE_ERROR};
use crate::episode::Start;
use crate::limits::Limits;
use crate::openenv::Served;

/// Answers the messages of `input` until it ends. An episode begins with this seed, which may be one of a split.
///
/// # Errors
/// When input or output fails.
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
    loop {
        let mut line = Vec::new();
        if (&mut input).take(most + 1).read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        let answer = if line.len() as u64 > most {
            skip_line(&mut input, &line)?;
            Some(super::error(
                Json::Null,
                Failure::new(INVALID_REQUEST, format!("a message is longer than {most} bytes")),
            ))
        } else if line.iter().all(u8::is_ascii_whitespace) {
            None
        } else {
            match serde_json::from_slice(&line) {
                Ok(message) => runtime.block_on(super::answer(&message, &served, start)),
                Err(problem) => Some(super::error(
                    Json::Null,
                    Failure::new(PARSE_ERROR, format!("the message is not JSON: {problem}")),
                )),
            }
        };
        if let Some(answer) = answer {
            writeln!(output, "{answer}")?;
            output.flush()?;
        }
    }
}

/// Leaves out the rest of a line that is too long.
fn skip_line(input: &mut impl BufRead, read: &[u8]) -> io::Result<()> {
    if read.ends_with(b"\n") {
        return Ok(());
    }
    loop {
        let buffer = input.fill_buf()?;
        let end = buffer.iter().position(|byte| *byte == b'\n');
        let length = end.map_or(buffer.len(), |end| end + 1);
        input.consume(length);
        if end.is_some() || length == 0 {
            return Ok(());
        }
    }
}
