//! Placeholders in the texts of a game, filled in from its parameters and from what its parts tell (`Builder::fact`).
//!
//! `{Part-1.count#nb}` is a value: the name of a part, then one of its facts or a path in its parameters; or a path from the
//! top of the game, such as `{rules.BasicRule.max_steps}`. `{Part-0.when?always=at any time|never=at no time}`
//! chooses a text by the value, which may have placeholders itself; a last text without `=` is chosen otherwise. `{{` and `}}`
//! are braces.

use serde_yaml::Value;

use super::Game;
use crate::config::{Path, Problem, Problems, Segment};

/// How deep placeholders may stand in one another.
const MAX_NESTED: usize = 8;

/// Checks the placeholders of the game's texts.
pub(crate) fn check(game: &Game, problems: &mut Problems) {
    for (key, text) in [("goal", &game.spec.goal), ("rules_text", &game.spec.rules_text)] {
        if let Err(problem) = render(text, game) {
            problems.push(Problem { path: Path::default().child(key), ..*problem });
        }
    }
}

/// The text with all placeholders filled in.
///
/// # Errors
/// The first placeholder that can't be filled in: an error where its form is wrong, a warning where the game has no such value,
/// so that a game can be changed although its text then no longer fits.
pub(crate) fn render(text: &str, game: &Game) -> Result<String, Box<Problem>> {
    if !text.contains(['{', '}']) {
        return Ok(text.to_owned());
    }
    let root = serde_yaml::to_value(&game.spec).map_err(|error| refusal(error.to_string(), text))?;
    filled(text, game, &root, 0)
}

fn refusal(message: impl Into<String>, found: &str) -> Box<Problem> {
    let problem = Problem::new(Path::default(), message).value(found.chars().take(120).collect::<String>());
    Box::new(problem.help("`{Part-0.parameter}` or `{Part-0.parameter?value=text|other text}`; `{{` is a brace"))
}

/// The text does not fit the game, which is then told about without it.
fn misfit(message: impl Into<String>, found: &str) -> Problem {
    let problem = Problem::new(Path::default(), message).value(found).warning();
    problem.help("the text is left out of the instructions until it fits the game")
}

fn filled(text: &str, game: &Game, root: &Value, nested: usize) -> Result<String, Box<Problem>> {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}']) {
        out.push_str(&rest[..at]);
        let (brace, after) = rest[at..].split_at(1);
        if let Some(after) = after.strip_prefix(brace) {
            out.push_str(brace);
            rest = after;
        } else if brace == "}" {
            return Err(refusal("a `}` closes nothing", &rest[at..]));
        } else {
            let end = closing(after).ok_or_else(|| refusal("a `{` is never closed", &rest[at..]))?;
            out.push_str(&placeholder(&after[..end], game, root, nested)?);
            rest = &after[end + 1..];
        }
    }
    out.push_str(rest);
    Ok(out)
}

/// Where the brace closes that was opened before the text.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (i, letter) in text.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' if depth == 0 => return Some(i),
            '}' => depth -= 1,
            _ => {}
        }
    }
    None
}

fn placeholder(inner: &str, game: &Game, root: &Value, nested: usize) -> Result<String, Box<Problem>> {
    let (name, choices) = match inner.split_once('?') {
        Some((name, choices)) => (name.trim(), Some(choices)),
        None => (inner.trim(), None),
    };
    let word = match fact(name, game) {
        Some(fact) => fact.to_owned(),
        None => shown(value_of(name, game, root).map_err(|(part, known)| {
            let problem = misfit(format!("the game has no parameter `{name}`"), name);
            Box::new(problem.among(&part, known.iter().map(String::as_str)))
        })?),
    };
    let Some(choices) = choices else { return Ok(word) };
    if nested == MAX_NESTED {
        return Err(refusal(format!("placeholders stand in one another more than {MAX_NESTED} deep"), name));
    }
    for choice in alternatives(choices) {
        match choice.split_once('=') {
            // What stands in braces is no name of a value.
            Some((wanted, text)) if !wanted.contains('{') => {
                if wanted.trim() == word {
                    return filled(text, game, root, nested + 1);
                }
            }
            _ => return filled(choice, game, root, nested + 1),
        }
    }
    Err(Box::new(misfit(format!("no text is given for `{name}` = `{word}`"), name)))
}

/// The texts between the bars that stand in no inner braces.
fn alternatives(text: &str) -> Vec<&str> {
    let (mut found, mut start, mut depth) = (Vec::new(), 0, 0_i32);
    for (i, letter) in text.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            '|' if depth == 0 => {
                found.push(&text[start..i]);
                start = i + 1;
            }
            _ => {}
        }
    }
    found.push(&text[start..]);
    found
}

/// What a part tells of itself by this name.
fn fact<'g>(name: &str, game: &'g Game) -> Option<&'g str> {
    let told = game.parts.iter().flat_map(|part| part.facts.iter().map(move |(fact, text)| (part, *fact, text)));
    let is_meant = |part: &str, fact| name.strip_prefix(part).and_then(|rest| rest.strip_prefix('.')) == Some(fact);
    let mut found = told.filter(|(part, fact, _)| is_meant(&part.path, fact) || is_meant(&part.name, fact));
    found.next().map(|(.., text)| text.as_str())
}

/// The value of a parameter; otherwise the word that is wrong, and what could stand there.
fn value_of<'v>(name: &str, game: &Game, root: &'v Value) -> Result<&'v Value, (String, Vec<String>)> {
    for part in game.parts.iter() {
        for own in [&part.path, &part.name] {
            if let Some(rest) = name.strip_prefix(own.as_str()).and_then(|rest| rest.strip_prefix('.')) {
                let start = part.config.0.iter().try_fold(root, |value, segment| match segment {
                    Segment::Key(key) => value.get(key.as_str()),
                    Segment::Index(index) => value.get(*index),
                });
                // A part without parameters has no mapping.
                return follow(start.unwrap_or(&Value::Null), rest);
            }
        }
    }
    follow(root, name).map_err(|(word, mut known)| {
        if word == name {
            known.extend(game.parts.iter().map(|part| part.name.clone()));
        }
        (word, known)
    })
}

/// Goes down a path of keys and indices joined by dots; keys may have dots themselves.
fn follow<'v>(value: &'v Value, path: &str) -> Result<&'v Value, (String, Vec<String>)> {
    if path.is_empty() {
        return Ok(value);
    }
    let unknown = |known| Err((path.to_owned(), known));
    match value {
        Value::Mapping(mapping) => {
            let rest_after = |key: &str| match path.strip_prefix(key)? {
                "" => Some(""),
                rest => rest.strip_prefix('.'),
            };
            let keys = mapping.iter().filter_map(|(key, value)| Some((key.as_str()?, value)));
            let found = keys.filter_map(|(key, value)| Some((key.len(), rest_after(key)?, value)));
            match found.max_by_key(|(length, ..)| *length) {
                Some((_, rest, value)) => follow(value, rest),
                None => unknown(mapping.keys().filter_map(Value::as_str).map(str::to_owned).collect()),
            }
        }
        Value::Sequence(items) => {
            let (index, rest) = path.split_once('.').unwrap_or((path, ""));
            match index.parse::<usize>().ok().and_then(|index| items.get(index)) {
                Some(value) => follow(value, rest),
                None => unknown((0..items.len()).map(|index| index.to_string()).collect()),
            }
        }
        _ => unknown(Vec::new()),
    }
}

/// A value as a sentence has it: lists with commas, mappings as `name value`.
fn shown(value: &Value) -> String {
    match value {
        Value::Null => "none".to_owned(),
        Value::Bool(flag) => flag.to_string(),
        // Whole numbers have no point.
        Value::Number(number) => number.as_f64().map_or_else(|| number.to_string(), |number| number.to_string()),
        Value::String(text) => text.clone(),
        Value::Sequence(items) => {
            let words = items.iter().map(|item| match item {
                Value::Mapping(_) | Value::Sequence(_) => format!("({})", shown(item)),
                item => shown(item),
            });
            words.collect::<Vec<_>>().join(", ")
        }
        Value::Mapping(mapping) => {
            let words = mapping.iter().map(|(key, value)| format!("{} {}", shown(key), shown(value)));
            words.collect::<Vec<_>>().join(", ")
        }
        Value::Tagged(tagged) => shown(&tagged.value),
    }
}
