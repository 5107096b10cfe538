//! Finds the actions in text. People and language models often write more than just actions.
//!
//! Text that contains only actions is a schedule. For other text, the first matching rule applies:
//!
//! 1. JSON objects with the key `action`, `actions` or `name`, inside or outside a code block. They may have other keys. The last group of
//!    consecutive objects counts.
//! 2. Marked actions: lines such as `Action: X`, `<action>X</action>`, `\boxed{X}`. The last mark counts.
//! 3. The last line, if it is an action and no earlier line looks like an attempted action. If a step allows several actions, this applies
//!    to the last lines.
//!
//! If no rule matches, the text is read line by line, and each line gets its own rejection. Thoughts in tags such as `<think>` are ignored.

use serde_json::Value as Json;

use super::errors::ActionError;
use super::text::{AROUND, bare, key, pieces, shortened, split_head};
use super::{ActionTable, Call};
use crate::config::{NameError, Path, Problem};

/// The maximum length of a text, in bytes.
pub const MAX_TEXT_BYTES: usize = 65_536;

/// The number of actions to read beyond a schedule's capacity. Each of these actions gets an answer; any further actions are only counted.
const MAX_BEYOND: usize = 8;

/// The maximum number of pieces in a text. Above this number, pieces can average fewer than 16 bytes, so the text is not prose.
const MAX_PIECES: usize = MAX_TEXT_BYTES / 16;

/// The text shown instead of actions that are not read.
pub(crate) const LEFT_OUT: &str = "…";

/// The maximum length of an attempted action, in words and in bytes. Longer lines are prose.
const MAX_ATTEMPT_WORDS: usize = 3;
const MAX_ATTEMPT_BYTES: usize = 80;

/// An action in a text, and the result of reading the action.
#[derive(Debug, Clone)]
pub struct TextReading {
    /// The action as written.
    pub(crate) text: String,
    /// The resulting calls, or why the action cannot be read.
    pub(crate) calls: Result<Vec<Call>, Box<Problem>>,
}

impl TextReading {
    /// The resulting calls, or why the action cannot be read.
    pub fn calls(&self) -> Result<&[Call], &Problem> {
        self.calls.as_deref().map_err(|problem| &**problem)
    }
}

impl ActionTable {
    /// Reads a text with one or more actions, separated by line breaks or semicolons, or in JSON. Other words may surround the actions. The
    /// result is never empty: text without any actions yields one unreadable reading.
    pub fn read_text(&self, text: &str) -> Vec<TextReading> {
        let text = trimmed(text);
        if text.len() > MAX_TEXT_BYTES {
            let message = format!("the text has {} bytes, and at most {MAX_TEXT_BYTES} are read", text.len());
            let problem =
                Problem::new(ActionError::NoActionFound, Path::default(), message).help("write only the action");
            return vec![TextReading { text: shortened(text), calls: Err(Box::new(problem)) }];
        }
        let text = without_thoughts(text);
        if text.starts_with(['[', '{', '"'])
            && let Ok(json) = serde_json::from_str::<Json>(text)
            && (!json.is_object() || is_action(&json))
        {
            return self.read_json(&json);
        }
        let plain = self.read_pieces(&pieces(text));
        let is_plain = plain.iter().all(|reading| reading.calls.is_ok());
        if is_plain && plain.len() <= self.max_schedule.max(1) {
            return plain;
        }
        let marked = || {
            let mut marked = marked(text)?;
            if self.max_schedule <= 1 {
                // If a step allows only one action, the last one counts.
                marked.drain(..marked.len() - 1);
            }
            Some(self.read_pieces(&marked.into_iter().flat_map(pieces).collect::<Vec<_>>()))
        };
        let last = || if is_plain { None } else { self.read_last_lines(text) };
        self.read_objects(text).or_else(marked).or_else(last).unwrap_or(plain)
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

    fn read_pieces(&self, pieces: &[&str]) -> Vec<TextReading> {
        if pieces.is_empty() {
            let problem = Problem::new(ActionError::NoActionFound, Path::default(), "there is no action in this text")
                .expected(self.hint());
            return vec![TextReading { text: String::new(), calls: Err(Box::new(problem)) }];
        }
        let most = self.most_read();
        let read = |piece: &&str| TextReading { text: shortened(piece), calls: self.read_piece(piece) };
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

    /// Reads one action, optionally followed by a reason.
    fn read_piece(&self, piece: &str) -> Result<Vec<Call>, Box<Problem>> {
        self.read_action(piece).or_else(|problem| match piece.split_once(" because ") {
            Some((action, _)) => self.read_action(bare(action)).map_err(|_| problem),
            None => Err(problem),
        })
    }

    fn read_json(&self, json: &Json) -> Vec<TextReading> {
        let mut items = Vec::new();
        unwrap_items(json, &mut items);
        let mut readings = Vec::new();
        let mut mistakes = 0;
        for (i, item) in items.iter().enumerate() {
            let reading = match item {
                Json::String(word) => {
                    let word = word.trim();
                    TextReading { text: shortened(word), calls: self.read_piece(word) }
                }
                item => {
                    let calls = self.read_item(item);
                    TextReading { text: shortened(&item.to_string()), calls }
                }
            };
            mistakes += usize::from(reading.calls.is_err());
            readings.push(reading);
            if (mistakes > MAX_BEYOND || readings.len() >= self.most_read()) && i + 1 < items.len() {
                readings.push(self.too_many(items.len() - i - 1));
                break;
            }
        }
        if readings.is_empty() {
            // An empty list is an empty schedule.
            readings.push(TextReading { text: shortened(&json.to_string()), calls: Ok(Vec::new()) });
        }
        readings
    }

    /// Reads one action written in JSON. The name may be inexact, or come after a part's name, as in the instructions. As in any other
    /// text, the action must name its farmer if several can take it.
    fn read_item(&self, item: &Json) -> Result<Vec<Call>, Box<Problem>> {
        let call = match (self.parse_call(item), as_piece(item)) {
            (Ok(call), _) => call,
            (Err(problem), Some(piece)) => {
                // For a wrong argument, the JSON parser's message is better.
                let is_argument = piece.ends_with(')') && !problem.is(NameError::UnknownAction);
                return self.read_piece(&piece).map_err(|other| if is_argument { problem } else { other });
            }
            (Err(problem), None) => return Err(problem),
        };
        let is_named = match item {
            Json::Array(items) => items.iter().take_while(|item| item.is_string()).count() >= 4,
            item => item.get("farmer").and_then(Json::as_str).is_some_and(|farmer| !farmer.is_empty()),
        };
        let call = if is_named { call } else { self.by_the_only_farmer(&self.by_all_farmers(call))? };
        Ok(vec![call])
    }

    /// The JSON objects in a text that contain actions. Only the last group of consecutive objects counts.
    fn read_objects(&self, text: &str) -> Option<Vec<TextReading>> {
        let (mut found, mut last_end, mut at) = (Vec::new(), 0, 0);
        while let Some(open) = text[at..].find('{').map(|offset| at + offset) {
            let mut stream = serde_json::Deserializer::from_str(&text[open..]).into_iter::<Json>();
            match stream.next() {
                Some(Ok(json)) if is_action(&json) => {
                    let between = text[last_end..open].replace("json", "");
                    if between.contains(char::is_alphanumeric) {
                        found.clear();
                    }
                    at = open + stream.byte_offset();
                    last_end = at;
                    found.push(json);
                }
                // The action may be inside another object.
                _ => at = open + 1,
            }
        }
        if found.is_empty() { None } else { Some(self.read_json(&Json::Array(found))) }
    }

    /// The last line or lines, if they are actions and no earlier line looks like an attempted action.
    fn read_last_lines(&self, text: &str) -> Option<Vec<TextReading>> {
        let lines = text.lines().map(|line| (line, pieces(line)));
        let lines: Vec<(&str, Vec<&str>)> = lines.filter(|(_, pieces)| !pieces.is_empty()).collect();
        if lines.iter().map(|(_, pieces)| pieces.len()).sum::<usize>() > MAX_PIECES {
            return None;
        }
        let most = if self.max_schedule > 1 { usize::MAX } else { 1 };
        let is_read = |(_, pieces): &&(&str, Vec<&str>)| pieces.iter().all(|piece| self.read_piece(piece).is_ok());
        let count = lines.iter().rev().take(most).take_while(is_read).count();
        let (before, last) = lines.split_at(lines.len() - count);
        let is_attempt = |(line, pieces): &(&str, Vec<&str>)| pieces.iter().any(|piece| self.is_attempt(line, piece));
        if last.is_empty() || before.iter().any(is_attempt) {
            return None;
        }
        Some(self.read_pieces(&last.iter().flat_map(|(_, pieces)| pieces.iter().copied()).collect::<Vec<_>>()))
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
        match self.read_piece(piece) {
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

/// Collects the actions in JSON, including those inside `{"actions": […]}` and `{"action": […]}`.
fn unwrap_items<'j>(json: &'j Json, items: &mut Vec<&'j Json>) {
    for item in ActionTable::schedule_items(json) {
        let wrapped = item.get("actions").or(item.get("action")).filter(|inner| inner.is_array() || inner.is_object());
        match wrapped {
            Some(inner) if item.is_object() => unwrap_items(inner, items),
            _ => items.push(item),
        }
    }
}

/// Whether an object contains an action.
fn is_action(json: &Json) -> bool {
    ["action", "actions", "name"].iter().any(|key| json.get(key).is_some())
}

/// Converts an object to the text form if it has only a name and arguments that are numbers, words or plots. Otherwise returns `None`.
fn as_piece(item: &Json) -> Option<String> {
    let name = ["action", "name"].into_iter().find_map(|key| item.get(key))?.as_str()?.trim();
    let is_empty = |value: &Json| match value {
        Json::Null => true,
        Json::Object(entries) => entries.is_empty(),
        Json::Array(entries) => entries.is_empty(),
        _ => false,
    };
    let keys = ["farmer", "field", "entity", "path"];
    if !keys.iter().filter_map(|key| item.get(key)).all(is_empty) {
        return None;
    }
    let parameters = ["parameters", "params", "arguments"].into_iter().find_map(|key| item.get(key));
    let Some(parameters) = parameters.filter(|parameters| !is_empty(parameters)) else { return Some(name.to_owned()) };
    let argument = |(key, value): (&String, &Json)| {
        Some(match value {
            Json::Number(number) => format!("{key}={number}"),
            Json::String(word) => format!("{key}={word}"),
            Json::Array(plot) => match plot.as_slice() {
                [x, y] if x.is_number() && y.is_number() => format!("{key}=({x}, {y})"),
                _ => return None,
            },
            _ => return None,
        })
    };
    let arguments = parameters.as_object()?.iter().map(argument).collect::<Option<Vec<_>>>()?;
    Some(format!("{name}({})", arguments.join(", ")))
}

/// The text without surrounding white space, and without the byte order mark that some programs put at the start of files.
fn trimmed(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}')
}

/// The text after the last closing tag for thoughts, or the entire text if there is no such tag.
fn without_thoughts(text: &str) -> &str {
    let ends = ["</think>", "</thinking>", "</thinking_memory>", "</thought>", "</reasoning>"];
    let end = ends.iter().filter_map(|tag| text.rfind(tag).map(|at| at + tag.len())).max();
    let rest = trimmed(&text[end.unwrap_or(0)..]);
    if rest.is_empty() { text } else { rest }
}

/// The actions that a text marks. Only the last mark counts, or the last group of consecutive marked lines.
fn marked(text: &str) -> Option<Vec<&str>> {
    let all = [tagged(text), boxed(text), labelled(text)];
    all.into_iter().flatten().max_by_key(|(at, _)| *at).map(|(_, actions)| actions)
}

/// The last `<action>X</action>`, and its position.
fn tagged(text: &str) -> Option<(usize, Vec<&str>)> {
    let tags = [("<action>", "</action>"), ("<Action>", "</Action>"), ("<ACTION>", "</ACTION>")];
    let find = |(open, close): &(&str, &str)| {
        let at = text.rfind(open)?;
        let inner = &text[at + open.len()..];
        Some((at, vec![&inner[..inner.find(close).unwrap_or(inner.len())]]))
    };
    tags.iter().filter_map(find).max_by_key(|(at, _)| *at)
}

/// The last `\boxed{X}` or `\boxed{\text{X}}`, and its position.
fn boxed(text: &str) -> Option<(usize, Vec<&str>)> {
    const OPEN: &str = "\\boxed{";
    let at = text.rfind(OPEN)?;
    let mut inner = &text[at + OPEN.len()..];
    let mut depth = 1_usize;
    for (i, letter) in inner.char_indices() {
        depth = match letter {
            '{' => depth + 1,
            '}' => depth - 1,
            _ => depth,
        };
        if depth == 0 {
            inner = &inner[..i];
            break;
        }
    }
    let plain = inner.trim().strip_prefix("\\text{").and_then(|rest| rest.strip_suffix('}'));
    Some((at, vec![plain.unwrap_or(inner)]))
}

/// The contents of the last group of lines of the form `Action: X`, and their position. If a label has no text after it, the next line
/// counts.
fn labelled(text: &str) -> Option<(usize, Vec<&str>)> {
    let (mut found, mut begin, mut is_run, mut is_open) = (Vec::new(), 0, false, false);
    for line in text.split_inclusive('\n') {
        let at = line.as_ptr() as usize - text.as_ptr() as usize;
        if bare(line).is_empty() && after_label(line).is_none() {
            continue;
        }
        match after_label(line) {
            Some(rest) => {
                if !is_run {
                    (found, begin) = (Vec::new(), at);
                }
                is_open = bare(rest).is_empty();
                is_run = true;
                if !is_open {
                    found.push(rest);
                }
            }
            None if is_open => {
                found.push(line);
                is_open = false;
            }
            None => is_run = false,
        }
    }
    if found.is_empty() { None } else { Some((begin, found)) }
}

/// The text after a label such as `Action:`, `**Final action:**` or `action =`.
pub(super) fn after_label(line: &str) -> Option<&str> {
    let (label, rest) = line.split_once([':', '=']).filter(|(label, _)| !label.contains(['{', '[', '(', '<']))?;
    let mut words =
        label.split(|c: char| c.is_whitespace() || AROUND.contains(&c) || c == '#').filter(|w| !w.is_empty());
    let last = words.next_back()?;
    let is_label = ["action", "actions"].contains(&last.to_lowercase().as_str()) && words.count() <= 2;
    is_label.then_some(rest)
}
