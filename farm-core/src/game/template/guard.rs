//! Rejects forbidden constructs in a game's texts. These are constructs that can turn a short text into a huge one, and an older form of
//! placeholders.
//!
//! Game files may be untrusted. Fuel limits the time needed to process a text, but not the size of its values. For example, repeating `{%
//! set a = a ~ a %}` 40 times produces 1 TB. Names therefore always refer to a value in the game, and repetition by a number is not
//! allowed.

use super::Game;

/// A forbidden construct and its position in the text, in bytes.
pub(super) struct Slip {
    pub(super) at: usize,
    pub(super) message: String,
    pub(super) help: String,
}

const STATEMENTS: &[&str] = &["if", "elif", "else", "endif", "for", "endfor", "set"];

/// Finds the first forbidden construct in a text. The template parser reports unclosed tags.
pub(super) fn check(text: &str, game: &Game) -> Result<(), Slip> {
    let mut from = 0;
    while let Some(at) = text[from..].find('{').map(|at| from + at) {
        let after = &text[at + 1..];
        from = match after.chars().next() {
            Some('#') => match after.find("#}") {
                Some(end) => at + 1 + end + 2,
                None => return Ok(()),
            },
            Some(open @ ('{' | '%')) => match tag(text, at + 2, open)? {
                Some(end) => end,
                None => return Ok(()),
            },
            _ => {
                earlier_form(after, at, game)?;
                at + 1
            }
        };
    }
    Ok(())
}

/// Checks the tag whose contents start at `start`. Returns the end of the tag if it is closed.
fn tag(text: &str, start: usize, open: char) -> Result<Option<usize>, Slip> {
    let close = if open == '{' { "}}" } else { "%}" };
    let mut bare = String::new();
    let (mut quote, mut is_escaped) = (None, false);
    for (i, letter) in text[start..].char_indices() {
        let at = start + i;
        match (quote, letter) {
            (Some(_), _) if is_escaped => is_escaped = false,
            (Some(_), '\\') => is_escaped = true,
            (Some(end), letter) if letter == end => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => {
                quote = Some(letter);
                // A quoted string is a value like any other.
                bare.push('_');
            }
            (None, _) if text[at..].starts_with(close) => {
                if open == '%' {
                    statement(&bare, start - 2)?;
                }
                return Ok(Some(at + close.len()));
            }
            (None, '{' | '}') => return Err(slip(at, "braces cannot be nested", NAMES)),
            (None, '*') => {
                return Err(slip(
                    at,
                    "multiplication is not allowed",
                    "let a part declare the product as a text variable",
                ));
            }
            (None, letter) => bare.push(letter),
        }
    }
    Ok(None)
}

const NAMES: &str =
    "name a value by its part or its path: `{{ part(\"Part-0\").parameter }}`, `{{ game.interaction_mode }}`";

fn slip(at: usize, message: impl Into<String>, help: impl Into<String>) -> Slip {
    Slip { at, message: message.into(), help: help.into() }
}

/// Checks a statement. The text in its quotes has already been removed.
fn statement(bare: &str, at: usize) -> Result<(), Slip> {
    let bare = bare.trim_start_matches(['-', '+']).trim_end_matches(['-', '+']).trim();
    let word = bare.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next().unwrap_or_default();
    let value = match word {
        "set" => bare.split_once('=').map(|(_, value)| value),
        "for" => bare.split_once(" in ").map(|(_, value)| value),
        _ if STATEMENTS.contains(&word) => return Ok(()),
        _ => {
            let known = STATEMENTS.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
            return Err(slip(at, format!("unknown statement `{word}`"), format!("statements: {known}")));
        }
    };
    if value.is_some_and(is_name) {
        return Ok(());
    }
    let message = format!("`{word}` takes only the name of a value");
    Err(slip(at, message, NAMES))
}

/// Whether the value is only a name.
fn is_name(value: &str) -> bool {
    let is_part_of_a_name =
        |letter: char| letter.is_alphanumeric() || letter.is_whitespace() || "_.[]()".contains(letter);
    // A bracket after a name selects an element; any other bracket creates a list.
    let makes_list = value.match_indices('[').any(|(at, _)| {
        let before = value[..at].chars().next_back();
        !before.is_some_and(|letter| letter.is_alphanumeric() || "_])".contains(letter))
    });
    let is_recursive = value.split_whitespace().any(|word| word == "recursive");
    value.chars().all(is_part_of_a_name) && !makes_list && !is_recursive
}

/// Rejects the older forms `{Part-0.parameter}` and `{Part-0.parameter?value=text|other text}`. They would appear unchanged in the text.
fn earlier_form(after: &str, at: usize, game: &Game) -> Result<(), Slip> {
    let end = after.find(['{', '}', '\n']).unwrap_or(after.len());
    let inner = &after[..end];
    let (name, is_choice) = inner.split_once('?').map_or((inner, false), |(name, _)| (name, true));
    let name = name.trim();
    let is_named = name.starts_with(char::is_alphabetic)
        && !name.contains(|letter: char| letter.is_whitespace() || "\"'`,:;()[]=|".contains(letter));
    let is_closed = after[end..].starts_with('}');
    if !is_named || !(is_choice || is_closed && name.contains('.')) {
        return Ok(());
    }
    let value = todays_form(name, game);
    let help = if is_choice {
        format!(
            "write `{{% if {value} == … %}}…{{% else %}}…{{% endif %}}`, or `{{{{ {value} | choose(VALUE=\"text\", otherwise=\"text\") }}}}`"
        )
    } else {
        format!("write `{{{{ {value} }}}}`")
    };
    let rest = if is_choice { "?…}" } else { "}" };
    Err(slip(at, format!("`{{{name}{rest}` is an old form of a placeholder"), help))
}

/// The current form of a value that older games wrote as a path with dots.
fn todays_form(name: &str, game: &Game) -> String {
    let names = game.parts.iter().flat_map(|part| [(&part.path, &part.name), (&part.name, &part.name)]);
    let mut of_parts =
        names.filter_map(|(long, short)| Some((short, name.strip_prefix(long.as_str())?.strip_prefix('.')?)));
    let (start, rest) = match of_parts.next() {
        Some((part, rest)) => (format!("part(\"{part}\")"), rest),
        None => match name.split_once('.') {
            Some((part, rest)) if part.contains('-') => (format!("part(\"{part}\")"), rest),
            _ => ("game".to_owned(), name),
        },
    };
    // A unit may contain dots, and may be omitted.
    let rest = rest.split_once('#').map_or(rest, |(rest, _)| rest);
    rest.split('.').fold(start, |form, segment| {
        let is_plain = segment.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
        if segment.parse::<usize>().is_ok() {
            format!("{form}[{segment}]")
        } else if is_plain {
            format!("{form}.{segment}")
        } else {
            format!("{form}[\"{segment}\"]")
        }
    })
}
