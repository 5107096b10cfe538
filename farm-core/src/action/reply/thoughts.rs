//! Removes a model's thoughts from its reply. Thoughts are never played, closed or not.

use std::borrow::Cow;

/// The names of tags for thoughts. Tags may have a prefix, as in `<seed:think>`.
const NAMES: &[&str] = &[
    "think",
    "thinking",
    "thought",
    "thoughts",
    "thinking_memory",
    "reasoning",
    "reason",
    "reflection",
    "scratchpad",
    "scratch_pad",
    "analysis",
    "inner_monologue",
    "antthinking",
];

/// The maximum length of a tag, in bytes.
const MAX_TAG: usize = 80;

/// A tag for thoughts.
struct Tag {
    is_open: bool,
    /// Its length in bytes.
    len: usize,
}

/// The text without thoughts. Text before a closing tag without an opening tag is a thought, and so is text after an opening tag without
/// a closing tag.
pub(super) fn without_thoughts(text: &str) -> Cow<'_, str> {
    let text = without_channels(text);
    if !text.contains(['<', '[', '◁']) {
        return text;
    }
    let (mut kept, mut start, mut is_thought, mut has_tag) = (String::new(), 0, false, false);
    let mut at = 0;
    while let Some(open) = text[at..].find(['<', '[', '◁']).map(|offset| at + offset) {
        let Some(Tag { is_open, len }) = tag(&text[open..]) else {
            at = open + text[open..].chars().next().map_or(1, char::len_utf8);
            continue;
        };
        at = open + len;
        has_tag = true;
        match (is_open, is_thought) {
            (true, true) => {}
            (true, false) => {
                kept.push_str(&text[start..open]);
                kept.push('\n');
                is_thought = true;
            }
            (false, true) => (is_thought, start) = (false, at),
            (false, false) => {
                kept.clear();
                start = at;
            }
        }
    }
    if !has_tag {
        return text;
    }
    if !is_thought {
        kept.push_str(&text[start..]);
    }
    Cow::Owned(kept)
}

/// The tag for thoughts at the start of a text: `<think>`, `</think>`, `[THINK]`, `<|START_THINKING|>`, `◁think▷`.
fn tag(text: &str) -> Option<Tag> {
    let close = match text.chars().next()? {
        '<' => '>',
        '[' => ']',
        _ => '▷',
    };
    let end = text.char_indices().take_while(|(at, _)| *at < MAX_TAG).find(|(_, letter)| *letter == close)?.0;
    let len = end + close.len_utf8();
    let inner = text[text.chars().next()?.len_utf8()..end].trim().to_lowercase();
    if inner.ends_with('/') {
        return None;
    }
    if let Some(token) = inner.strip_prefix('|').map(|token| token.trim_matches('|')) {
        let is_thought = ["think", "thought", "inner_prefix", "inner_suffix"].iter().any(|word| token.contains(word));
        let is_close = token.starts_with(['/', 'e']) || token.ends_with("end") || token.ends_with("suffix");
        return is_thought.then_some(Tag { is_open: !is_close, len });
    }
    let (is_open, name) = match inner.strip_prefix('/') {
        Some(name) => (false, name.trim()),
        None => (true, inner.split_whitespace().next().unwrap_or_default()),
    };
    let name = name.rsplit(':').next().unwrap_or(name);
    // A list such as `[thought]` is not a tag for thoughts.
    let is_known = if close == ']' { matches!(name, "think" | "thinking") } else { NAMES.contains(&name) };
    is_known.then_some(Tag { is_open, len })
}

/// The messages that a model with channels addresses to the player: its final texts and its calls, without its analysis.
fn without_channels(text: &str) -> Cow<'_, str> {
    const CHANNEL: &str = "<|channel|>";
    const MESSAGE: &str = "<|message|>";
    if !text.contains(CHANNEL) {
        return without_bare_channels(text);
    }
    let mut kept = String::new();
    // A header may name the recipient before the channel.
    for part in text.split("<|start|>") {
        let mut before = "";
        let mut rest = part;
        while let Some((first, after)) = rest.split_once(CHANNEL) {
            before = if before.is_empty() { first } else { before };
            let (header, body) = after.split_once(MESSAGE).unwrap_or((after, ""));
            let end = ["<|end|>", "<|return|>", "<|call|>", CHANNEL].iter().filter_map(|end| body.find(end)).min();
            let (body, left) = body.split_at(end.unwrap_or(body.len()));
            let words = || before.split_whitespace().chain(header.split_whitespace());
            let recipient = words().find_map(|word| word.strip_prefix("to="));
            let recipient = recipient.map(|name| name.split('<').next().unwrap_or(name));
            if let Some(name) = recipient {
                kept += &super::dialects::call(name, body);
            } else if header.trim_start().starts_with("final") {
                kept += body;
                kept.push('\n');
            }
            (before, rest) = ("", left);
        }
    }
    Cow::Owned(kept)
}

/// The same for a text from which the server removed the tokens: `analysis…assistantfinal…`.
fn without_bare_channels(text: &str) -> Cow<'_, str> {
    let is_analysis = text.strip_prefix("analysis").is_some_and(|rest| rest.starts_with(|c: char| c.is_uppercase()));
    match text.rfind("assistantfinal") {
        Some(at) if text.starts_with("analysis") => Cow::Borrowed(&text[at + "assistantfinal".len()..]),
        None if is_analysis => Cow::Borrowed(""),
        _ => Cow::Borrowed(text),
    }
}
