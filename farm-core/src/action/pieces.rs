//! Splits a text into lines and list items, without quotes, list marks and labels.

use super::label::{AROUND, after_label};

/// Splits a text into actions and removes quotes and list numbers.
pub(super) fn pieces(text: &str) -> Vec<&str> {
    let (mut pieces, mut start, mut depth) = (Vec::new(), 0, 0_usize);
    let mut push = |piece| {
        let piece = bare(piece);
        if !piece.is_empty() {
            pieces.push(piece);
        }
    };
    // `[MoveN, MoveE]` is a list of names, which is not JSON.
    let inner = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let names = inner.filter(|inner| is_name(inner));
    let text = names.unwrap_or(text);
    for (i, letter) in text.char_indices() {
        match letter {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            '\n' | '\r' | ';' => {}
            ',' if names.is_some() => {}
            _ => continue,
        }
        // The end of a line closes all open brackets.
        let ends = matches!(letter, '\n' | '\r') || depth == 0 && matches!(letter, ';' | ',');
        if ends && (letter != ',' || names.is_some()) {
            push(&text[start..i]);
            (start, depth) = (i + 1, 0);
        }
    }
    push(&text[start..]);
    pieces
}

/// An action without quotes, closing punctuation, list markers, list numbers, or a leading `Action:`.
pub(super) fn bare(piece: &str) -> &str {
    let trimmed = |text: &'_ str| -> (usize, usize) {
        let is_around = |c: char| c.is_whitespace() || c.is_control() || AROUND.contains(&c);
        let end = text.trim_end_matches(is_around).len();
        (end - text[..end].trim_start_matches(is_around).len(), end)
    };
    let strip = |text| {
        let (start, end) = trimmed(text);
        &text[start..end]
    };
    if piece.trim_start().starts_with("```") && !piece.trim().ends_with("```") {
        // The line that opens a code block names its language.
        return "";
    }
    let mut text = strip(piece);
    text = text.strip_prefix("=>").map_or(text, strip);
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let is_letter = text.starts_with(|c: char| c.is_ascii_alphabetic());
    if digits > 0
        && let Some(rest) = text[digits..].strip_prefix(['.', ')'])
    {
        text = strip(rest);
    } else if is_letter && let Some(rest) = text[1..].strip_prefix(')') {
        // `a) MoveN`.
        text = strip(rest);
    }
    if let Some(rest) = after_label(piece) {
        text = strip(rest);
    }
    // `Action: [MoveN]`.
    let is_around = |(open, close): &(char, char)| text.starts_with(*open) && text.ends_with(*close) && text.len() > 1;
    let inner =
        [('[', ']'), ('(', ')'), ('{', '}')].iter().find(|pair| is_around(pair)).map(|_| &text[1..text.len() - 1]);
    match inner.filter(|inner| is_name(inner) && !inner.contains(',')) {
        Some(inner) => strip(inner),
        None => text,
    }
}

/// Whether a text contains neither JSON nor parameters.
fn is_name(text: &str) -> bool {
    !text.contains(['"', '[', ']', '{', '}', '(', ')', '='])
}

/// The start of a text, for use in messages.
pub(super) fn shortened(text: &str) -> String {
    const MOST: usize = 200;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
