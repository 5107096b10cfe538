//! Finds the parts of a text that are marked as its action: tags, boxes and labels.

use super::super::label::{Label, heading, labelled as labelled_part};
use super::super::pieces::{bare, pieces};

/// Tags around an action, and whether the text in them must be the action.
const TAGS: &[(&str, Label)] = &[
    ("action", Label::Action),
    ("actions", Label::Action),
    ("next_action", Label::Action),
    ("final_action", Label::Action),
    ("answer", Label::Answer),
    ("final_answer", Label::Answer),
    ("final", Label::Answer),
    ("output", Label::Answer),
    ("response", Label::Answer),
    ("move", Label::Answer),
    ("command", Label::Answer),
    ("decision", Label::Answer),
    ("choice", Label::Answer),
    ("act", Label::Answer),
    ("tool", Label::Answer),
    ("tool_name", Label::Answer),
    ("function", Label::Answer),
    ("name", Label::Answer),
    ("execute", Label::Answer),
];

/// The maximum length of a tag, in bytes.
const MAX_TAG: usize = 120;

/// A marked part of a text.
pub(super) struct Mark<'t> {
    /// Its position.
    at: usize,
    /// Whether the text in it must be the action.
    pub(super) label: Label,
    /// The marked texts: several if consecutive lines are marked.
    pub(super) texts: Vec<&'t str>,
}

/// The marks of a text that can be its action, the last first.
pub(super) fn marks(text: &str) -> Vec<Mark<'_>> {
    let mut marks = labelled(text);
    marks.extend(tagged(text));
    marks.extend(boxed(text));
    marks.sort_by_key(|mark| std::cmp::Reverse(mark.at));
    marks
}

/// The last action tag of each kind: `<action>X</action>` or `<action name="X"/>`.
fn tagged(text: &str) -> Vec<Mark<'_>> {
    let (mut strong, mut weak) = (None, None);
    for (at, _) in text.match_indices('<') {
        let rest = &text[at + 1..];
        let Some(end) = rest.bytes().take(MAX_TAG).position(|byte| byte == b'>') else { continue };
        let head = &rest[..end];
        let name = head.split(|c: char| c.is_whitespace() || c == '=').next().unwrap_or_default();
        let Some((name, label)) = TAGS.iter().find(|(known, _)| name.trim_end_matches('/').eq_ignore_ascii_case(known))
        else {
            continue;
        };
        let inner = &rest[end + 1..];
        let inner = if head.ends_with('/') { "" } else { &inner[..close(inner, name).unwrap_or(inner.len())] };
        let inner = if inner.trim().is_empty() { attribute(head).unwrap_or_default() } else { inner };
        if !inner.trim().is_empty() {
            let mark = Some(Mark { at, label: *label, texts: vec![inner] });
            *(if *label == Label::Action { &mut strong } else { &mut weak }) = mark;
        }
    }
    strong.into_iter().chain(weak).collect()
}

/// The position of the closing tag.
fn close(text: &str, name: &str) -> Option<usize> {
    let is_close = |at: &usize| {
        let rest = &text.as_bytes()[at + 2..];
        rest.get(..name.len()).is_some_and(|found| found.eq_ignore_ascii_case(name.as_bytes()))
    };
    text.match_indices("</").map(|(at, _)| at).find(is_close)
}

/// The first value in quotes in a tag.
fn attribute(head: &str) -> Option<&str> {
    let quote = head.find(['"', '\''])?;
    let rest = &head[quote + 1..];
    rest.find(['"', '\'']).map(|end| &rest[..end])
}

/// The last `\boxed{X}` or `\boxed{\text{X}}`.
fn boxed(text: &str) -> Option<Mark<'_>> {
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
    // `\text{X}`, `\texttt{X}`, `\mathrm{X}`.
    let is_command = |name: &str| name.starts_with('\\') && name[1..].chars().all(char::is_alphabetic);
    while let Some((name, rest)) = inner.trim().split_once('{')
        && is_command(name.trim())
        && let Some(rest) = rest.strip_suffix('}')
    {
        inner = rest;
    }
    Some(Mark { at, label: Label::Action, texts: vec![inner] })
}

/// The last groups of lines of the form `Action: X` and `Answer: X`. If a label has no text after it, the next line counts.
fn labelled(text: &str) -> Vec<Mark<'_>> {
    let (mut strong, mut weak): (Option<Mark<'_>>, Option<Mark<'_>>) = (None, None);
    let (mut running, mut open) = (None, None);
    for line in text.split_inclusive('\n') {
        let at = line.as_ptr() as usize - text.as_ptr() as usize;
        let part = labelled_part(line).or_else(|| heading(line).map(|label| (label, "")));
        if bare(line).is_empty() && part.is_none() {
            continue;
        }
        let (label, rest, begins) = match (part, open) {
            (Some((label, rest)), _) => (label, rest, running != Some(label)),
            (None, Some(label)) => (label, line, false),
            (None, None) => {
                running = None;
                continue;
            }
        };
        let group = if label == Label::Action { &mut strong } else { &mut weak };
        if begins || group.is_none() {
            *group = Some(Mark { at, label, texts: Vec::new() });
        }
        running = Some(label);
        open = None;
        if part.is_some() && bare(rest).is_empty() {
            open = Some(label);
        } else if let Some(group) = group {
            group.texts.push(rest);
        }
    }
    [strong, weak].into_iter().flatten().filter(|mark| !mark.texts.is_empty()).collect()
}

/// Whether a line has nothing to read, or is a remark in parentheses.
pub(super) fn is_remark(line: &str) -> bool {
    let line = line.trim();
    pieces(line).is_empty() || line.starts_with('(') && line.ends_with(')') && line.contains(char::is_whitespace)
}
