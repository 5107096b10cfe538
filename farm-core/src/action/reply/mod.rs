//! Reads replies: finds the actions in text. People and language models often write more than just actions.
//!
//! A reply is read in these stages. No stage guesses a synonym.
//!
//! 1. `thoughts` removes thoughts, also unclosed ones.
//! 2. Full-width letters and other forms of the same letters become the usual ones (NFKC).
//! 3. `dialects` keeps the model's own turn, rewrites its tool calls as JSON, and removes the tokens of its chat template.
//! 4. The rest is a schedule if it contains only actions. Otherwise, the first rule that finds an action applies:
//!     1. `objects`: JSON objects with a key for an action, strict or as models write them. The last group of consecutive objects counts.
//!     2. `marks`: lines such as `Action: X`, `<action>X</action>`, `\boxed{X}`. The last mark counts.
//!     3. The last line, if it is an action and no earlier line looks like an attempted action. If a step allows several actions, this
//!        applies to the last lines.
//!     4. `prose`: a sentence at the end that chooses an action whose name is not an ordinary word.
//!
//! If no rule matches, the text is read line by line, and each line gets its own rejection.

mod dialects;
mod loose;
mod marks;
mod objects;
mod prose;
mod reading;
mod thoughts;

use std::borrow::Cow;

use serde_json::Value as Json;
use unicode_normalization::UnicodeNormalization;

use super::errors::ActionError;
use super::label::Label;
use super::pieces::{pieces, shortened};
use super::text::{key, split_head};
use super::{ActionTable, Call};
use crate::config::{Path, Problem};
use dialects::plain;
use marks::{Mark, is_remark, marks};
use prose::Trust;
use reading::MAX_BEYOND;
pub use reading::TextReading;
use thoughts::without_thoughts;

/// The maximum length of a text without thoughts, in bytes.
pub const MAX_TEXT_BYTES: usize = 65_536;

/// The maximum length of a text with thoughts, in bytes.
const MAX_WITH_THOUGHTS: usize = 16 * MAX_TEXT_BYTES;

/// The maximum number of pieces in a text. Above this number, pieces can average fewer than 16 bytes, so the text is not prose.
const MAX_PIECES: usize = MAX_TEXT_BYTES / 16;

/// The text shown instead of actions that are not read.
pub(crate) const LEFT_OUT: &str = "…";

/// The maximum length of an attempted action, in words and in bytes. Longer lines are prose.
const MAX_ATTEMPT_WORDS: usize = 3;
const MAX_ATTEMPT_BYTES: usize = 80;

impl ActionTable {
    /// Reads a reply with one or more actions, separated by line breaks or semicolons, or in JSON. Other words may surround the actions,
    /// and a model's thoughts and the tokens of its chat template are left out. The result is never empty: text without any actions yields
    /// one unreadable reading.
    pub fn read_text(&self, text: &str) -> Vec<TextReading> {
        let text = trimmed(text);
        if text.len() > MAX_WITH_THOUGHTS {
            return vec![too_long(text)];
        }
        let text = without_thoughts(text);
        let text = trimmed(&text);
        if text.len() > MAX_TEXT_BYTES {
            return vec![too_long(text)];
        }
        // Full-width letters and signs are the same letters.
        let text = if text.is_ascii() { Cow::Borrowed(text) } else { text.nfkc().collect() };
        self.read_turn(trimmed(&plain(&text)))
    }

    /// Reads a reply without thoughts and tokens.
    fn read_turn(&self, text: &str) -> Vec<TextReading> {
        if text.starts_with(['[', '{', '"'])
            && let Ok(json) = serde_json::from_str::<Json>(text)
            && (!json.is_object() || self.is_action(&json))
        {
            return self.read_json(&json);
        }
        let plain = self.read_pieces(&pieces(text), Trust::Line);
        let is_plain = are_read(&plain);
        if is_plain && plain.len() <= self.max_schedule.max(1) {
            return plain;
        }
        let objects = self.read_objects(text);
        if objects.as_deref().is_some_and(are_read) {
            return objects.unwrap_or(plain);
        }
        for mark in marks(text) {
            let readings = self.read_mark(&mark);
            // A mistake after `Action:` is not left out.
            if are_read(&readings) || mark.label == Label::Action && objects.is_none() {
                return readings;
            }
        }
        let sentence = || {
            let calls = self.decided(text).or_else(|| self.explained(text))?;
            Some(vec![TextReading { text: shortened(text), calls: Ok(calls) }])
        };
        let last = || if is_plain { None } else { self.read_last_lines(text).or_else(sentence) };
        objects.or_else(last).unwrap_or(plain)
    }

    /// Reads a marked part of a text.
    fn read_mark(&self, mark: &Mark<'_>) -> Vec<TextReading> {
        // If a step allows only one action, the last one counts.
        let first = if self.max_schedule <= 1 { mark.texts.len() - 1 } else { 0 };
        let texts = &mark.texts[first..];
        let readings = self.read_pieces(&texts.iter().flat_map(|text| pieces(text)).collect::<Vec<_>>(), Trust::Marked);
        match texts {
            [text] if !are_read(&readings) => self.read_last_lines(text).unwrap_or(readings),
            _ => readings,
        }
    }

    /// Reads text as a schedule. Every action in the text must be readable.
    ///
    /// # Errors
    /// An action cannot be read. The error names the nearest match.
    pub fn parse_line(&self, line: &str) -> Result<Vec<Call>, Box<Problem>> {
        calls_of(self.read_text(line))
    }

    /// Reads JSON found in a text, which is an action or a list of actions.
    ///
    /// # Errors
    /// An action cannot be read. The error names the nearest match.
    pub(super) fn read_json_action(&self, json: &Json) -> Result<Vec<Call>, Box<Problem>> {
        calls_of(self.read_json(json))
    }

    fn read_pieces(&self, pieces: &[&str], trust: Trust) -> Vec<TextReading> {
        if pieces.is_empty() {
            let problem = Problem::new(ActionError::NoActionFound, Path::default(), "there is no action in this text")
                .expected(self.hint());
            return vec![TextReading { text: String::new(), calls: Err(Box::new(problem)) }];
        }
        let most = self.most_read();
        let read = |piece: &&str| TextReading { text: shortened(piece), calls: self.read_piece(piece, trust) };
        let mut readings: Vec<TextReading> = pieces.iter().take(most).map(read).collect();
        if pieces.len() > most {
            readings.push(self.too_many(pieces.len() - most));
        }
        readings
    }

    /// The maximum number of actions read per step: the capacity of a schedule, plus a few more so that each gets an answer.
    pub(crate) fn most_read(&self) -> usize {
        self.max_schedule.max(1).saturating_add(MAX_BEYOND)
    }

    /// A single reading for all actions that were not read because there are too many.
    fn too_many(&self, more: usize) -> TextReading {
        TextReading { text: LEFT_OUT.to_owned(), calls: Err(Box::new(self.too_many_problem(more))) }
    }

    /// The problem to report for the actions that were not read because there are too many.
    pub(crate) fn too_many_problem(&self, more: usize) -> Problem {
        let message = format!("{more} more actions follow, beyond the limit of one step");
        let problem = Problem::new(ActionError::TooManyInOneStep, Path::default(), message);
        problem.help(format!("at most {} per step", self.max_schedule))
    }

    /// The last line or lines, if they are actions and no earlier line looks like an attempted action.
    fn read_last_lines(&self, text: &str) -> Option<Vec<TextReading>> {
        let lines = text.lines().map(|line| (line, pieces(line)));
        let mut lines: Vec<(&str, Vec<&str>)> = lines.filter(|(_, pieces)| !pieces.is_empty()).collect();
        while lines.last().is_some_and(|(line, _)| is_remark(line)) {
            lines.pop();
        }
        if lines.iter().map(|(_, pieces)| pieces.len()).sum::<usize>() > MAX_PIECES {
            return None;
        }
        let most = if self.max_schedule > 1 { usize::MAX } else { 1 };
        let is_read =
            |(_, pieces): &&(&str, Vec<&str>)| pieces.iter().all(|piece| self.read_piece(piece, Trust::Line).is_ok());
        let count = lines.iter().rev().take(most).take_while(is_read).count();
        let (before, last) = lines.split_at(lines.len() - count);
        let is_attempt = |(line, pieces): &(&str, Vec<&str>)| pieces.iter().any(|piece| self.is_attempt(line, piece));
        if last.is_empty() || before.iter().any(is_attempt) {
            return None;
        }
        let pieces: Vec<&str> = last.iter().flat_map(|(_, pieces)| pieces.iter().copied()).collect();
        Some(self.read_pieces(&pieces, Trust::Line))
    }

    /// Whether a line was meant as an action, although it is unreadable or is not the last line. Such a line names an action exactly or
    /// nearly, or is a single word. Skipping such a line would hide an error.
    fn is_attempt(&self, line: &str, piece: &str) -> bool {
        if piece.len() > MAX_ATTEMPT_BYTES {
            return false;
        }
        if piece.starts_with(['[', '{']) {
            return true;
        }
        match self.read_piece(piece, Trust::Line) {
            // If a step allows only one action, the last one counts, so this line was not meant as the action.
            Ok(_) => self.max_schedule > 1,
            Err(problem) => {
                let is_sentence = line.trim_end().ends_with(['.', ',', ':', ';', '!', '?', '…']);
                let (head, arguments) = split_head(piece);
                let is_named = !self.named(head, &key(head), false, arguments).is_empty();
                let is_near = problem.nearest.is_some();
                is_named
                    || match piece.split_whitespace().count() {
                        // If a step allows only one action, a word like `Okay` is a thought. Otherwise, the word may be one of several
                        // actions.
                        1 => is_near || self.max_schedule > 1 && !is_sentence,
                        words => is_near && !is_sentence && words <= MAX_ATTEMPT_WORDS,
                    }
            }
        }
    }
}

/// The calls from all readings, or the first problem.
fn calls_of(readings: Vec<TextReading>) -> Result<Vec<Call>, Box<Problem>> {
    let schedules = readings.into_iter().map(|reading| reading.calls).collect::<Result<Vec<_>, _>>()?;
    Ok(schedules.concat())
}

/// Whether all actions of a text were read.
fn are_read(readings: &[TextReading]) -> bool {
    readings.iter().all(|reading| reading.calls.is_ok())
}

/// The reading of a text that is too long.
fn too_long(text: &str) -> TextReading {
    let message = format!("the text has {} bytes without thoughts, and at most {MAX_TEXT_BYTES} are read", text.len());
    let problem = Problem::new(ActionError::NoActionFound, Path::default(), message).help("write only the action");
    TextReading { text: shortened(text), calls: Err(Box::new(problem)) }
}

/// The text without surrounding white space, and without the byte order mark that some programs put at the start of files.
fn trimmed(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}')
}
