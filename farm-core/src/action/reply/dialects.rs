//! Rewrites the tool calls of published chat templates as JSON objects, and removes the tokens of the templates.

use std::borrow::Cow;

use serde_json::{Map, Value as Json, json};

use super::loose;

/// Tokens that end a model's turn. The model may have continued with a turn that is not its own.
const ENDS: &[&str] = &[
    "<|eot_id|>",
    "<|eom_id|>",
    "<|eot|>",
    "<|im_end|>",
    "<|end|>",
    "<|endoftext|>",
    "<|end_of_text|>",
    "<|endofturn|>",
    "<|end▁of▁sentence|>",
    "<|END_OF_TURN_TOKEN|>",
    "<|return|>",
    "<|call|>",
    "<|user|>",
    "<|User|>",
    "<|observation|>",
    "<|eos|>",
    "<|end_of_turn|>",
    "[|endofturn|]",
    "<end_of_turn>",
    "<start_of_turn>user",
    "<|im_start|>user",
    "<eos>",
    "<EOS>",
    "</s>",
    "[INST]",
    "<turn|>",
    "<|im_start|>tool",
    "<|im_start|>system",
    "<|start_header_id|>user",
    "<pad>",
];

/// Words for the model in the header of its turn.
const ROLES: &[&str] = &["assistant", "model", "Assistant", "ASSISTANT"];

/// Tokens before the role in the header of a turn.
const HEADERS: &[&str] = &[
    "<|im_start|>",
    "<|start_header_id|>",
    "<|header_start|>",
    "<|start|>",
    "<start_of_turn>",
    "<|start_of_role|>",
    "[|",
];

/// Tags around calls, and other tokens without `|`, without their angle brackets and in lower case.
const WRAPPERS: &[&str] = &[
    "tool_call",
    "tool_calls",
    "toolcall",
    "function_call",
    "function_calls",
    "start_function_call",
    "end_function_call",
    "tool_use",
    "tool_code",
    "minimax:tool_call",
    "seed:tool_call",
    "tool▁calls",
    "s",
    "bos",
    "start_of_turn",
    "end_of_turn",
    "escape",
    "invocation",
    "b",
    "i",
    "em",
    "strong",
    "code",
    "p",
    "br",
    "pre",
    "span",
    "kbd",
];

/// Reads the text after the opening of a call. Returns the call as JSON and the length of the text that it read.
type ReadCall = fn(&str) -> Option<(String, usize)>;

/// A call as a JSON object on a line.
pub(super) fn call(name: &str, body: &str) -> String {
    let name = name.trim().trim_matches(['"', '\'', '`']);
    let name = name.strip_prefix("functions.").unwrap_or(name);
    // `functions.MoveN:0`.
    let is_index = |index: &str| !index.is_empty() && index.bytes().all(|b| b.is_ascii_digit());
    let name = name.rsplit_once(':').filter(|(_, index)| is_index(index)).map_or(name, |(name, _)| name);
    format!("\n{}\n", json!({"name": name, "arguments": arguments(body)}))
}

/// The text of the model's turn, with calls as JSON objects and without tokens.
pub(super) fn plain(text: &str) -> Cow<'_, str> {
    if !text.contains(['<', '[', '>', '{']) {
        return Cow::Borrowed(text);
    }
    let mut text = Cow::Borrowed(own_turn(text));
    let rewrites: [(&str, ReadCall); 8] = [
        ("<function=", function),
        ("<invoke ", invoke),
        ("<|tool_call_begin|>", |text| delimited(text, "<|tool_call_argument_begin|>", "<|tool_call_end|>")),
        ("<|tool▁call▁begin|>", |text| delimited(text, "<|tool▁sep|>", "<|tool▁call▁end|>")),
        ("[TOOL_CALLS]", mistral),
        ("<tool_call>", tool_call),
        (">>>", functionary),
        ("call:", gemma),
    ];
    for (open, read) in rewrites {
        if text.contains(open) {
            text = Cow::Owned(rewritten(&text, open, read));
        }
    }
    if text.contains(['<', '[']) {
        text = Cow::Owned(without_tokens(&text));
    }
    match named_object(&text) {
        Some(call) => Cow::Owned(call),
        None => text,
    }
}

/// The call of a text that is only a name and, on the next line, an object.
fn named_object(text: &str) -> Option<String> {
    let (name, body) = text.trim().split_once('\n')?;
    let is_call = is_name(name) && !name.trim().contains([' ', ':']) && body.trim_start().starts_with('{');
    (is_call && object_len(body) == body.len()).then(|| call(name, body))
}

/// The model's first turn with a content, if a text has several.
fn own_turn(text: &str) -> &str {
    let of = |end: &'static str| text.match_indices(end).map(|(at, end)| (at, at + end.len()));
    let mut ends: Vec<(usize, usize)> = ENDS.iter().flat_map(|end| of(end)).collect();
    ends.sort_unstable();
    let mut start = 0;
    for (end, next) in ends {
        let turn = &text[start..end.max(start)];
        if without_tokens(turn).contains(char::is_alphanumeric) {
            return turn;
        }
        start = next.max(start);
    }
    &text[start..]
}

/// Rewrites each call that starts with `open`.
fn rewritten(text: &str, open: &str, read: ReadCall) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once(open) {
        out += before;
        match read(after) {
            Some((call, len)) => {
                out += &call;
                rest = &after[len..];
            }
            None => {
                out += open;
                rest = after;
            }
        }
    }
    out + rest
}

/// `<function=NAME>BODY</function>`, after `<function=`.
fn function(text: &str) -> Option<(String, usize)> {
    let (name, rest) = text.split_once('>')?;
    is_name(name).then_some(())?;
    Some(up_to(name, rest, "</function>", text.len()))
}

/// `<invoke name="NAME">BODY</invoke>`, after `<invoke `.
fn invoke(text: &str) -> Option<(String, usize)> {
    let (head, rest) = text.split_once('>')?;
    let name = attribute(head)?;
    if head.ends_with('/') {
        return Some((call(name, ""), text.len() - rest.len()));
    }
    Some(up_to(name, rest, "</invoke>", text.len()))
}

/// A call whose body ends at `close` or at the end of the text.
fn up_to(name: &str, rest: &str, close: &str, all: usize) -> (String, usize) {
    let (body, left) = rest.split_once(close).unwrap_or((rest, ""));
    (call(name, body), all - left.len())
}

/// `NAME⟨between⟩BODY⟨close⟩`, or `function⟨between⟩NAME` with the body in a code block on the next lines.
fn delimited(text: &str, between: &str, close: &str) -> Option<(String, usize)> {
    let (inner, left) = text.split_once(close).unwrap_or((text, ""));
    let (name, body) = inner.split_once(between).unwrap_or((inner, ""));
    let (name, body) = match name.trim() {
        "function" => {
            let body = body.trim_start();
            let end = body.find(char::is_whitespace).unwrap_or(body.len());
            body.split_at(end)
        }
        name => (name, body),
    };
    is_name(name).then(|| (call(name, body), text.len() - left.len()))
}

/// `NAME[ARGS]BODY` or `NAME BODY`, after `[TOOL_CALLS]`. A list of objects needs no rewriting.
fn mistral(text: &str) -> Option<(String, usize)> {
    let start = text.trim_start();
    if start.starts_with(['[', '{']) {
        return None;
    }
    let end = start.find(['[', '{', '\n', '<']).unwrap_or(start.len());
    let (name, mut rest) = start.split_at(end);
    is_name(name).then_some(())?;
    if let Some(after) = rest.strip_prefix("[CALL_ID]") {
        rest = &after[after.find('[').unwrap_or(after.len())..];
    }
    rest = rest.strip_prefix("[ARGS]").unwrap_or(rest);
    let len = object_len(rest);
    Some((call(name, &rest[..len]), text.len() - rest.len() + len))
}

/// `NAME` or `NAME<arg_key>K</arg_key><arg_value>V</arg_value>`, after `<tool_call>`. An object needs no rewriting.
fn tool_call(text: &str) -> Option<(String, usize)> {
    let (inner, left) = text.split_once("</tool_call>").unwrap_or((text, ""));
    let content = inner.trim();
    if content.is_empty() || content.starts_with(['{', '[', '<']) {
        return None;
    }
    let len = text.len() - left.len();
    let end = content.find(['\n', '<', '{']).unwrap_or(content.len());
    let (name, body) = content.split_at(end);
    // A call such as `MoveN()` is text.
    Some(if is_name(name) { (call(name, body), len) } else { (format!("\n<action>{content}</action>\n"), len) })
}

/// `NAME` and a body on the next line, after `>>>`.
fn functionary(text: &str) -> Option<(String, usize)> {
    let (name, rest) = text.split_once('\n')?;
    (is_name(name) && rest.trim_start().starts_with('{')).then_some(())?;
    let len = object_len(rest);
    Some((call(name, &rest[..len]), text.len() - rest.len() + len))
}

/// `NAME{K:V}`, after `call:`.
fn gemma(text: &str) -> Option<(String, usize)> {
    let (name, _) = text.split_once('{')?;
    is_name(name).then_some(())?;
    let rest = &text[name.len()..];
    let len = object_len(rest);
    Some((call(name, &rest[..len].replace("<escape>", "\"")), name.len() + len))
}

/// The length of the object at the start of a text, with the white space before it; 0 if there is none.
fn object_len(text: &str) -> usize {
    let start = text.len() - text.trim_start().len();
    if !text[start..].starts_with('{') {
        return 0;
    }
    loose::value(&text[start..], &mut loose::fuel(text)).map_or(text.len(), |(_, len)| start + len)
}

/// Whether a text can be the name of a tool.
fn is_name(name: &str) -> bool {
    let name = name.trim();
    let is_letter = |c: char| c.is_alphanumeric() || " _-.:".contains(c);
    !name.is_empty() && name.len() <= 100 && name.chars().all(is_letter)
}

/// The value of `name="…"` in a tag.
fn attribute(head: &str) -> Option<&str> {
    let (_, value) = head.split_once('=')?;
    let value = value.trim();
    let quote = value.chars().next().filter(|c| ['"', '\''].contains(c))?;
    value[1..].split_once(quote).map(|(value, _)| value)
}

/// The arguments of a call: an object, or tags. Other text stays a string, so that no argument is left out.
fn arguments(body: &str) -> Json {
    let body = body.trim();
    let body = body.strip_prefix("```json").or(body.strip_prefix("```")).unwrap_or(body);
    let body = body.trim_end_matches("```").trim();
    if body.starts_with('{')
        && let Some((json, len)) = loose::value(body, &mut loose::fuel(body))
        && body[len..].trim().is_empty()
    {
        return json;
    }
    let mut entries = Map::new();
    let mut rest = body;
    loop {
        rest = rest.trim();
        if rest.is_empty() {
            return Json::Object(entries);
        }
        let Some((key, value, left)) = tagged_argument(rest) else { return Json::from(body) };
        let value = value.trim();
        entries.insert(key.trim().to_owned(), serde_json::from_str(value).unwrap_or_else(|_| Json::from(value)));
        rest = left;
    }
}

/// The argument at the start of a text, as a tag: its name, its value, and the rest of the text.
fn tagged_argument(text: &str) -> Option<(&str, &str, &str)> {
    if let Some(rest) = text.strip_prefix("<arg_key>") {
        let (key, rest) = rest.split_once("</arg_key>")?;
        let (value, rest) = rest.trim_start().strip_prefix("<arg_value>")?.split_once("</arg_value>")?;
        return Some((key, value, rest));
    }
    let rest = text.strip_prefix("<parameter")?;
    let (head, rest) = rest.split_once('>')?;
    let key = match head.strip_prefix('=') {
        Some(key) => key,
        None => attribute(head)?,
    };
    let (value, rest) = rest.split_once("</parameter>")?;
    Some((key, value, rest))
}

/// The text with line breaks instead of a template's tokens, and without the headers of turns.
fn without_tokens(text: &str) -> String {
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(at) = rest.find(['<', '[']) {
        out += &rest[..at];
        rest = &rest[at..];
        if let Some(header) = HEADERS.iter().find_map(|header| rest.strip_prefix(header)) {
            let role = ROLES.iter().find_map(|role| header.trim_start().strip_prefix(role));
            if let Some(after) = role {
                out.push('\n');
                rest = after.strip_prefix("|]").unwrap_or(after);
                continue;
            }
        }
        match token_len(rest) {
            Some(len) => {
                out.push('\n');
                rest = &rest[len..];
            }
            None => {
                out.push_str(&rest[..1]);
                rest = &rest[1..];
            }
        }
    }
    out + rest
}

/// The length of the token at the start of a text.
fn token_len(text: &str) -> Option<usize> {
    const MOST: usize = 60;
    if let Some(token) = ["[TOOL_CALLS]", "[/TOOL_CALLS]", "[/INST]"].iter().find(|token| text.starts_with(**token)) {
        return Some(token.len());
    }
    let inner = text.strip_prefix('<')?;
    let end = inner.char_indices().take_while(|(at, _)| *at < MOST).find(|(_, letter)| *letter == '>')?.0;
    let name = &inner[..end];
    let is_special = name.len() > 2 && name.starts_with('|') && name.ends_with('|') && !name.contains('\n');
    let name = name.trim_start_matches('/').to_lowercase();
    (is_special || WRAPPERS.contains(&name.as_str())).then_some(end + 2)
}
