//! Reads actions in JSON as models write it: with other keys, in the objects of tool calls, and with arguments in a string.

use serde_json::{Map, Value as Json, json};

use super::super::errors::ActionError;
use super::super::pieces::{bare, shortened};
use super::super::text::key;
use super::super::{ActionTable, Call};
use super::loose;
use super::prose::Trust;
use super::reading::{MAX_BEYOND, TextReading};
use crate::config::{NameError, Path, Problem};

/// Keys of an action, without `_` and in lower case. The first that is present and can be read counts.
const ACTION: &[&str] = &[
    "action",
    "actions",
    "nextaction",
    "finalaction",
    "chosenaction",
    "selectedaction",
    "bestaction",
    "myaction",
    "actionname",
    "actiontype",
    "actionid",
];

/// Keys that other objects have, too. They count if their value can be read.
const WEAK: &[&str] = &[
    "toolname",
    "tool",
    "functionname",
    "function",
    "functioncall",
    "toolcall",
    "toolcalls",
    "tooluses",
    "recipientname",
    "command",
    "cmd",
    "move",
    "name",
    "finalanswer",
    "answer",
    "choice",
    "decision",
    "output",
    "response",
    "type",
];

/// Keys of an action's arguments.
const ARGUMENTS: &[&str] = &[
    "parameters",
    "params",
    "arguments",
    "args",
    "kwargs",
    "input",
    "toolinput",
    "actioninput",
    "actionparameters",
    "actionparams",
    "actionargs",
    "toolargs",
    "toolparameters",
    "toolarguments",
];

/// An action in JSON, and the same in the form that [`ActionTable::parse_call`] reads.
struct Item {
    written: String,
    call: Json,
}

impl ActionTable {
    /// Reads JSON as the text of a reply.
    pub(super) fn read_json(&self, json: &Json) -> Vec<TextReading> {
        let mut items = Vec::new();
        self.unwrap_items(json, &mut items);
        let mut readings = Vec::new();
        let mut mistakes = 0;
        for (i, item) in items.iter().enumerate() {
            let calls = match &item.call {
                Json::String(word) => self.read_piece(word.trim(), Trust::Marked),
                Json::Number(id) => self.read_id(id),
                call => self.read_item(call),
            };
            mistakes += usize::from(calls.is_err());
            readings.push(TextReading { text: shortened(&item.written), calls });
            if (mistakes > MAX_BEYOND || readings.len() >= self.most_read()) && i + 1 < items.len() {
                readings.push(self.too_many(items.len() - i - 1));
                break;
            }
        }
        let is_schedule = self.max_schedule > 1 || json.as_array().is_some_and(Vec::is_empty);
        if readings.is_empty() && !is_schedule {
            return self.read_pieces(&[], Trust::Marked);
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
                let read = self.read_piece(&piece, Trust::Marked);
                return read.map_err(|other| if is_argument { problem } else { other });
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

    /// Reads an id in the flat list of actions, as in `{"action": 3}`.
    fn read_id(&self, id: &serde_json::Number) -> Result<Vec<Call>, Box<Problem>> {
        let schedule = id.as_u64().and_then(|id| self.discrete(usize::try_from(id).ok()?));
        schedule.map(<[Call]>::to_vec).ok_or_else(|| {
            let message = format!("there is no action {id}");
            let problem = Problem::new(ActionError::NotAnAction, Path::default(), message).value(id);
            let last = self.discrete_len().saturating_sub(1);
            Box::new(problem.expected(format!("an id from 0 to {last}, or {}", self.hint())))
        })
    }

    /// Collects the actions in JSON, including those inside `{"actions": […]}` and `{"name": "step", "arguments": {"action": …}}`.
    fn unwrap_items(&self, json: &Json, items: &mut Vec<Item>) {
        for item in Self::schedule_items(json) {
            let written = || item.as_str().map_or_else(|| item.to_string(), |word| word.trim().to_owned());
            match item {
                Json::Object(entries) => match self.meant(entries) {
                    Some(Meant::Inside(inner)) => self.unwrap_items(&inner, items),
                    Some(Meant::Call(call)) => items.push(Item { written: written(), call }),
                    None => items.push(Item { written: written(), call: item.clone() }),
                },
                Json::String(word) if word.trim_start().starts_with('{') => match serde_json::from_str(word) {
                    Ok(inner) => self.unwrap_items(&inner, items),
                    Err(_) => items.push(Item { written: written(), call: item.clone() }),
                },
                // Only objects with a key for actions contain ids.
                Json::Number(_) => items.push(Item { written: written(), call: json!([item]) }),
                _ => items.push(Item { written: written(), call: item.clone() }),
            }
        }
    }

    /// The action of an object; `None` if the object has none.
    fn meant(&self, entries: &Map<String, Json>) -> Option<Meant> {
        let arguments = find(entries, ARGUMENTS).map(|(_, value)| unquoted(value));
        let is_call = |value: &Json| value.as_object().is_some_and(|inner| self.meant(inner).is_some());
        let mut unread = None;
        for (known, value) in ACTION.iter().chain(WEAK).filter_map(|known| Some((*known, find(entries, &[known])?.1))) {
            let is_strong = ACTION.contains(&known) || known == "name" && arguments.is_some();
            match value {
                Json::Array(_) if is_strong || known.starts_with("tool") => return Some(Meant::Inside(value.clone())),
                Json::Object(_) if is_call(value) => return Some(Meant::Inside(value.clone())),
                Json::Number(_) if ACTION.contains(&known) => return Some(Meant::Call(value.clone())),
                Json::String(word) => {
                    let call = || Some(Meant::Call(as_call(entries, word, arguments.as_ref())));
                    if self.knows(word) {
                        return call();
                    }
                    if let Some(inner) = arguments.as_ref().filter(|arguments| is_call(arguments)) {
                        return Some(Meant::Inside(inner.clone()));
                    }
                    if word.trim_start().starts_with(['{', '['])
                        && let Ok(inner) = serde_json::from_str::<Json>(word)
                    {
                        return Some(Meant::Inside(inner));
                    }
                    if unread.is_none() && is_strong {
                        unread = call();
                    }
                }
                _ if unread.is_none() && is_strong => unread = Some(Meant::Call(Json::Object(entries.clone()))),
                _ => {}
            }
        }
        let mut all = entries.iter();
        match (unread, all.next(), all.next()) {
            // `{"MoveN": {}}`.
            (None, Some((name, inner @ (Json::Object(_) | Json::Null))), None) if self.knows(name) => {
                Some(Meant::Call(as_call(entries, name, Some(inner))))
            }
            (unread, ..) => unread,
        }
    }

    /// Whether an object contains an action.
    pub(super) fn is_action(&self, json: &Json) -> bool {
        json.as_object().is_some_and(|entries| self.meant(entries).is_some())
    }

    /// The JSON objects in a text that contain actions. Only the last group of consecutive objects counts.
    pub(super) fn read_objects(&self, text: &str) -> Option<Vec<TextReading>> {
        let (mut found, mut last_end, mut at) = (Vec::new(), 0, 0);
        let mut fuel = loose::fuel(text);
        while let Some(open) = text[at..].find('{').map(|offset| at + offset) {
            let mut stream = serde_json::Deserializer::from_str(&text[open..]).into_iter::<Json>();
            let read = match stream.next() {
                Some(Ok(json)) => Some((json, stream.byte_offset())),
                _ => loose::value(&text[open..], &mut fuel),
            };
            match read {
                Some((json, len)) if self.is_action(&json) => {
                    let between = text[last_end..open].replace("json", "");
                    if between.contains(char::is_alphanumeric) {
                        found.clear();
                    }
                    at = open + len;
                    last_end = at;
                    found.push(json);
                }
                // The action may be inside another object.
                _ => at = open + 1,
            }
        }
        if found.is_empty() { None } else { Some(self.read_json(&Json::Array(found))) }
    }
}

/// The meaning of an object.
enum Meant {
    /// The action, in the form that [`ActionTable::parse_call`] reads.
    Call(Json),
    /// The actions inside.
    Inside(Json),
}

/// The entry with one of these keys.
fn find<'e>(entries: &'e Map<String, Json>, keys: &[&str]) -> Option<(&'e String, &'e Json)> {
    keys.iter().find_map(|known| entries.iter().find(|(name, _)| key(name) == *known))
}

/// JSON that is written in a string, as the arguments of tool calls are.
fn unquoted(value: &Json) -> Json {
    let inner = value.as_str().and_then(|text| serde_json::from_str::<Json>(text).ok());
    inner.filter(|inner| inner.is_object()).unwrap_or_else(|| value.clone())
}

/// An action in the form that [`ActionTable::parse_call`] reads.
fn as_call(entries: &Map<String, Json>, name: &str, arguments: Option<&Json>) -> Json {
    let mut call = Map::new();
    let what = arguments.and_then(|arguments| arguments.get("what")).and_then(Json::as_str);
    match what.filter(|_| name.trim().eq_ignore_ascii_case("observe")) {
        Some(what) => {
            call.insert("action".to_owned(), json!(format!("observe {what}")));
        }
        None => {
            call.insert("action".to_owned(), json!(bare(name)));
            if let Some(arguments) = arguments {
                call.insert("params".to_owned(), arguments.clone());
            }
        }
    }
    for place in ["farmer", "field", "entity", "path"] {
        if let Some((_, value)) = find(entries, &[place]) {
            call.insert(place.to_owned(), value.clone());
        }
    }
    Json::Object(call)
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
