//! Finds an action in a sentence. The action's name must be unmistakable, and the sentence must say that it is the player's choice.

use super::super::pieces::bare;
use super::super::text::{key, split_head};
use super::super::{ActionTable, Call};
use super::marks::is_remark;
use crate::config::Problem;

/// How the place of an action in a text shows that it is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trust {
    /// A line, which may be prose.
    Line,
    /// A text after a label, in a tag, or in JSON: its first words are the action.
    Marked,
}

/// Words that begin the reason or the object of an action.
const REASONS: &[&str] =
    &["because", "since", "as", "so", "to", "until", "for", "in", "while", "when", "towards", "toward"];
const OBJECTS: &[&str] = &[
    "then", "and", "now", "at", "on", "with", "the", "this", "that", "next", "once", "again", "from", "here", "please",
    "it", "my", "a", "an",
];

/// Words of a sentence that does not decide on an action.
const UNDECIDED: &[&str] = &[
    "or",
    "not",
    "no",
    "never",
    "if",
    "unless",
    "maybe",
    "perhaps",
    "but",
    "instead",
    "however",
    "rather",
    "don't",
    "dont",
    "cannot",
    "can't",
    "won't",
    "wouldn't",
    "shouldn't",
    "couldn't",
    "should",
    "would",
    "could",
    "might",
    "may",
    "can",
    "wrong",
    "bad",
    "hmm",
    "nothing",
    "none",
    "avoid",
    "refuse",
    "without",
    "than",
    "neither",
    "nor",
    "whether",
    "was",
    "were",
];

/// The beginnings of a decision, in front of the verb.
const SUBJECTS: &[&str] = &[
    "i will",
    "i'll",
    "i shall",
    "i am going",
    "i'm going",
    "we will",
    "we'll",
    "let me",
    "let us",
    "let's",
    "i have decided",
    "i've decided",
    "i decided",
    "i",
    "we",
];
const VERBS: &[&str] =
    &["choose", "pick", "select", "go with", "use", "play", "do", "take", "perform", "execute", "going with", "issue"];
const NOUNS: &[&str] = &["action", "move", "choice", "answer", "decision", "option", "best", "reply", "command"];

/// Functions whose argument is an action: `step("MoveN")`.
const CALLERS: &[&str] = &[
    "step",
    "act",
    "play",
    "action",
    "takeaction",
    "doaction",
    "performaction",
    "executeaction",
    "execute",
    "submit",
    "print",
    "move",
    "envstep",
    "gamestep",
    "doact",
    "chooseaction",
    "submitaction",
    "sendaction",
    "call",
];

/// What models write before the name of a tool.
const SPACES: &[&str] =
    &["functions.", "function.", "tools.", "tool.", "default_api.", "actions.", "action.", "env.", "game.", "farm."];

/// The words of a text in lower case.
fn words(text: &str) -> impl Iterator<Item = String> {
    let is_around = |c: char| !c.is_alphanumeric();
    text.split(|c: char| c.is_whitespace() || matches!(c, '—' | '–' | ','))
        .map(move |word| word.trim_matches(is_around).replace('’', "'").to_lowercase())
        .filter(|word| !word.is_empty())
}

fn is_undecided(text: &str) -> bool {
    text.contains('?') || words(text).any(|word| UNDECIDED.contains(&word.as_str()))
}

/// Whether the text after an action's name is a reason, an object or the next sentence.
fn is_sequel(rest: &str, trust: Trust) -> bool {
    let start = rest.trim_start();
    let first = words(start).next().unwrap_or_default();
    if start.starts_with('(') {
        let inner = start.split_once(')').map_or(start, |(inner, _)| inner);
        let is_argument = inner.contains(['=', '?']) || inner.contains(|c: char| c.is_ascii_digit());
        let is_doubt = ["or", "maybe", "perhaps", "unless", "if", "not"].contains(&first.as_str());
        return inner.contains(char::is_alphabetic) && !is_argument && !is_doubt;
    }
    let is_number = start.strip_prefix(['x', '×']).unwrap_or(start);
    let is_number = !is_number.is_empty() && is_number.chars().all(|c| c.is_ascii_digit());
    let is_punctuated = start.is_empty() || start.starts_with([',', ';', '.', '!', ':', '-', '–', '—', '→', '#', '/']);
    let is_reason = REASONS.contains(&first.as_str());
    if is_reason && trust == Trust::Marked {
        return !start.contains('?');
    }
    (is_number || is_punctuated || is_reason || OBJECTS.contains(&first.as_str())) && !is_undecided(start)
}

/// Whether a name can't be a word of a sentence: `MoveN`, `water_discrete`, but not `Wait`.
fn is_unmistakable(name: &str) -> bool {
    let is_mark = |c: char| c.is_uppercase() || c == '_' || c.is_ascii_digit();
    !name.contains(char::is_whitespace) && name.chars().skip(1).any(is_mark)
}

/// The positions of white space outside brackets, at most the first twelve.
fn ends(text: &str) -> Vec<usize> {
    const MOST: usize = 12;
    const MOST_BYTES: usize = 400;
    let (mut depth, mut ends) = (0_usize, Vec::new());
    for (at, letter) in text.char_indices().take_while(|(at, _)| *at < MOST_BYTES) {
        match letter {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            letter if depth == 0 && (letter.is_whitespace() || letter == ',') => ends.push(at),
            _ => {}
        }
        if ends.len() == MOST {
            break;
        }
    }
    ends
}

impl ActionTable {
    /// Whether a word is the name of an action, with or without parameters.
    pub(super) fn knows(&self, word: &str) -> bool {
        let word = bare(word);
        let (head, arguments) = split_head(word);
        let wanted = key(head);
        let is_named = !wanted.is_empty() && !self.named(head, &wanted, false, arguments).is_empty();
        is_named || self.read_piece(word, Trust::Marked).is_ok()
    }

    /// Reads one action, optionally with a reason after it or a function around it.
    pub(super) fn read_piece(&self, piece: &str, trust: Trust) -> Result<Vec<Call>, Box<Problem>> {
        let read = self.read_action(piece);
        let other = || {
            let because = piece.split_once(" because ").and_then(|(action, _)| self.read_action(bare(action)).ok());
            because.or_else(|| self.called(piece, 0)).or_else(|| self.followed(piece, trust))
        };
        read.or_else(|problem| other().ok_or(problem))
    }

    /// Reads an action as the argument of a function, or with the name of a module before it: `step("MoveN")`, `functions.MoveN({})`.
    fn called(&self, piece: &str, depth: u32) -> Option<Vec<Call>> {
        const MOST: u32 = 3;
        let read = |text: &str| {
            let text = bare(text);
            self.read_action(text).ok().or_else(|| self.called(text, depth + 1))
        };
        if depth > MOST || piece.is_empty() {
            return None;
        }
        if let Some(inner) = piece.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            let mut ends: Vec<usize> = ends(inner).into_iter().filter(|at| inner[*at..].starts_with(',')).collect();
            ends.push(inner.len());
            let mut start = 0;
            let mut calls = Vec::new();
            for end in ends {
                calls.extend(read(&inner[start..end])?);
                start = end + 1;
            }
            return Some(calls);
        }
        let lower = piece.get(..12.min(piece.len())).unwrap_or_default().to_ascii_lowercase();
        if let Some(space) = SPACES.iter().find(|space| lower.starts_with(**space))
            && let Some(calls) = read(&piece[space.len()..])
        {
            return Some(calls);
        }
        if let Some(name) = ["({})", ".call()", "(None)"].iter().find_map(|end| piece.strip_suffix(end)) {
            return read(name);
        }
        let (head, inner) = piece.split_once('(')?;
        let inner = inner.strip_suffix(')')?.trim();
        CALLERS.contains(&key(head).as_str()).then_some(())?;
        let value = inner
            .split_once(['=', ':'])
            .filter(|(name, _)| ["action", "name", "command"].contains(&key(name).as_str()));
        read(value.map_or(inner, |(_, value)| value))
    }

    /// Reads an action with more words after it: `MoveN (to the field)`, and in a marked text `Wait until it is ripe`.
    fn followed(&self, piece: &str, trust: Trust) -> Option<Vec<Call>> {
        for end in ends(piece).into_iter().rev() {
            let name = bare(&piece[..end]);
            if name.is_empty() {
                continue;
            }
            if let Ok(calls) = self.read_action(name) {
                let rest = &piece[end..];
                let is_meant = trust == Trust::Marked || is_unmistakable(name) || rest.trim_start().starts_with('(');
                if is_meant && is_sequel(rest, trust) {
                    return Some(calls);
                }
            }
        }
        None
    }

    /// The action that the last line decides on: `I will MoveN`, `My move is **Wait**.`
    pub(super) fn decided(&self, text: &str) -> Option<Vec<Call>> {
        let line = text.lines().rev().find(|line| !is_remark(line))?.trim();
        const MOST_BYTES: usize = 300;
        if line.len() > MOST_BYTES {
            return None;
        }
        let mut start = 0;
        let mut all = ends(line);
        all.push(line.len());
        for end in all {
            let word = line[start..end].trim();
            let before = &line[..start];
            start = end;
            let name = bare(word);
            let is_quoted = word.len() >= name.len() + 2 && word.starts_with(['*', '`', '"', '\'', '_', '“', '‘']);
            let is_capital = name.starts_with(char::is_uppercase) && !before.trim().is_empty();
            if name.is_empty() || !(is_quoted || is_unmistakable(name) || is_capital) {
                continue;
            }
            let Ok(calls) = self.read_action(name) else { continue };
            let rest = if word.ends_with(['?', ':']) { "?" } else { &line[end..] };
            return (is_decision(before) && is_sequel(rest, Trust::Line)).then_some(calls);
        }
        None
    }

    /// The action of the first line, if the other lines only explain it.
    pub(super) fn explained(&self, text: &str) -> Option<Vec<Call>> {
        let (first, rest) = text.split_once('\n')?;
        let name = bare(first);
        if !is_unmistakable(name) || is_undecided(rest) {
            return None;
        }
        let calls = self.read_action(name).ok()?;
        // A short line may be an action with a mistake.
        let is_prose = |line: &str| line.trim().is_empty() || line.split_whitespace().count() > 2;
        let is_other = |word: &str| is_unmistakable(bare(word)) && self.read_action(bare(word)).is_ok();
        let is_explained = rest.len() < 2000 && rest.lines().all(is_prose) && !rest.split_whitespace().any(is_other);
        is_explained.then_some(calls)
    }
}

/// Whether the words before an action's name announce it as the decision.
fn is_decision(before: &str) -> bool {
    let sentence = before.trim_end().rsplit(['.', '!', '?', ';']).next().unwrap_or_default();
    if sentence.contains(':') || is_undecided(sentence) {
        return false;
    }
    let words: Vec<String> = words(sentence)
        .filter(|word| !["now", "therefore", "thus", "then", "just", "simply"].contains(&word.as_str()))
        .collect();
    let said = words.join(" ");
    let without = |text: &str, ends: &[&str]| -> Option<String> {
        let end = ends
            .iter()
            .filter_map(|end| text.strip_suffix(*end))
            .find(|rest| rest.is_empty() || rest.ends_with(' '))?;
        Some(end.trim_end().to_owned())
    };
    if let Some(subject) = without(&said, &["is to", "is", "will be"]) {
        return subject.split(' ').rev().take(3).any(|word| NOUNS.contains(&word));
    }
    let mut rest = said.clone();
    for optional in [&["to"][..], &["action", "move", "command"], &["the"]] {
        rest = without(&rest, optional).unwrap_or(rest);
    }
    let verb = without(&rest, VERBS);
    let has_verb = verb.is_some();
    let rest = verb.unwrap_or(rest);
    let is_subject = |subject: &&&str| rest == **subject || rest.ends_with(&format!(" {subject}"));
    match SUBJECTS.iter().find(is_subject) {
        Some(&("i" | "we")) => has_verb,
        Some(_) => true,
        None => has_verb && (rest.is_empty() || rest == "so") || ["so", "hence", "finally"].contains(&said.as_str()),
    }
}
