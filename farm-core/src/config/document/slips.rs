//! What a text that is not YAML was meant to be: the slip itself, instead of the place where a parser noticed it.

use serde_yaml::Value;

use super::complaint::Complaint;
use crate::config::errors::YamlError;
use crate::config::problem::{Path, Problem};

/// A problem and its line and column.
type Found = (Problem, (usize, usize));

/// How many lines are looked at, from the one that a parser names upwards; empty ones do not count.
const LINES_LOOKED_AT: usize = 2;
/// How a range is written within braces and brackets.
const QUOTED_RANGE: &str = "a comma divides entries within `{…}`: quote the range";

/// The slip behind what a parser said of a text about a place, if it is one of those that are made often.
pub(super) fn meant(text: &str, complaint: &Complaint, at: Option<(usize, usize)>) -> Option<Found> {
    if let Some(number) = complaint.number() {
        let problem =
            Problem::new(YamlError::HugeNumber, Path::default(), "a whole number is larger than any that is read")
                .value(number);
        let problem = problem.expected(format!("a whole number up to {}", u64::MAX));
        return Some((problem.help("look for digits too many; `1e22` is a number with a fraction"), at?));
    }
    let line = at?.0;
    if complaint.is_within_brackets {
        return unclosed(text, line);
    }
    if complaint.is_about_name {
        return no_colon(text, line);
    }
    None
}

/// The innermost bracket that is open at the begin of a line, where a line before it opened it.
fn unclosed(text: &str, line: usize) -> Option<Found> {
    let mut open: Vec<(char, usize, usize)> = Vec::new();
    let mut comment = None;
    for (i, content) in text.lines().enumerate().take(line.saturating_sub(1)) {
        let (mut quote, mut before) = (None, ' ');
        for (k, c) in content.chars().enumerate() {
            let begins = before.is_whitespace() || "[{,:".contains(before);
            match (quote, c) {
                (Some(q), c) if q == c => quote = None,
                (Some(_), _) => {}
                (None, '\'' | '"') if begins => quote = Some(c),
                (None, '#') if before.is_whitespace() => {
                    comment = (!open.is_empty()).then_some((i + 1, k + 1)).or(comment);
                    break;
                }
                (None, '[' | '{') if begins || !open.is_empty() => open.push((c, i + 1, k + 1)),
                (None, ']' | '}') => drop(open.pop()),
                _ => {}
            }
            before = c;
        }
    }
    let (bracket, opened, column) = open.pop()?;
    let closing = if bracket == '{' { '}' } else { ']' };
    let content = text.lines().nth(opened - 1).unwrap_or_default();
    let rest: String = content.chars().skip(column - 1).collect();
    if let Some((_, hash)) = comment.filter(|(at, _)| *at == opened) {
        let message = "a `#` after a blank begins a comment, which hides the rest of the line";
        let found: String = content.chars().skip(hash - 1).collect();
        let problem = Problem::new(YamlError::HiddenByComment, Path::default(), message).value(found);
        let help = "write the unit without the blank, `length#nb`, or quote the text";
        return Some((problem.help(help), (opened, hash)));
    }
    let problem = Problem::new(
        YamlError::UnclosedBracket,
        Path::default(),
        format!("the `{bracket}` that opens here is not closed"),
    );
    Some((problem.value(rest).expected(format!("`{closing}`")).help("close it, or take it away"), (opened, column)))
}

/// The line with a name that has no colon, or no blank behind it.
fn no_colon(text: &str, line: usize) -> Option<Found> {
    let lines: Vec<&str> = text.lines().collect();
    let last = line.min(lines.len());
    let looked_at = (0..last).rev().filter(|i| !is_empty(lines[*i])).take(LINES_LOOKED_AT);
    looked_at.into_iter().find_map(|i| no_colon_in(lines[i]).map(|(problem, column)| (problem, (i + 1, column))))
}

fn is_empty(line: &str) -> bool {
    line.trim().is_empty() || line.trim_start().starts_with('#')
}

fn no_colon_in(line: &str) -> Option<(Problem, usize)> {
    let entry = line.trim_start().trim_start_matches("- ").trim();
    let column = line.chars().take_while(|c| c.is_whitespace() || *c == '-').count() + 1;
    let is_odd = |c: char| c.is_whitespace() && !matches!(c, ' ' | '\t');
    if let Some(k) = line.chars().position(is_odd) {
        let odd = line.chars().nth(k).map_or(0, |c| c as u32);
        let message = format!("this blank is of another kind (U+{odd:04X}), which YAML takes for a letter");
        let problem = Problem::new(YamlError::OddBlank, Path::default(), message).value(entry);
        return Some((problem.help("write an ordinary blank instead; texts from web pages hold such signs"), k + 1));
    }
    if entry.starts_with(['\'', '"', '[', '{', '|', '>']) || entry.contains(": ") || entry.ends_with(':') {
        return None;
    }
    let name_and = |sign: char| {
        let (name, value) = entry.split_once(sign)?;
        let is_name = |c: char| !c.is_whitespace() && !"{}[],'\"".contains(c);
        let (name, value) = (name.trim(), value.trim());
        (!name.is_empty() && !value.is_empty() && name.chars().all(is_name)).then(|| format!("{name}: {value}"))
    };
    let problem = if let Some(meant) = name_and('=') {
        let problem = Problem::new(YamlError::MissingColon, Path::default(), "expected a colon, found a `=`");
        problem.value(entry).expected(format!("`{meant}`"))
    } else if let Some(meant) = name_and(':') {
        let problem = Problem::new(YamlError::MissingColon, Path::default(), "no blank follows the colon");
        problem.value(entry).expected(format!("`{meant}`"))
    } else if line.trim_start().starts_with('-') {
        // A part may stand in a list by its kind alone.
        return None;
    } else {
        let problem = Problem::new(YamlError::MissingColon, Path::default(), "this line has no colon").value(entry);
        problem.expected("`name: value`, or `name:` with its entries below")
    };
    Some((problem.help("write `name: value` with a blank after the colon, and quote texts of several lines"), column))
}

/// A range that its comma has divided: `{day: (100, 130)}` is read as the two entries `day: (100` and `130)`.
pub(super) fn divided_range(value: &Value, path: &Path) -> Option<Problem> {
    match value {
        Value::Mapping(entries) => {
            let halves = entries.iter().zip(entries.iter().skip(1)).find_map(|((name, low), (high, nothing))| {
                let (name, low, high) = (name.as_str()?, low.as_str()?, high.as_str()?);
                let is_range = low.starts_with('(') && !low.contains(')') && high.ends_with(')') && !high.contains('(');
                (is_range && nothing.is_null()).then(|| (path.child(name), name, format!("{low}, {high}")))
            });
            if let Some((path, name, range)) = halves {
                let problem =
                    Problem::new(YamlError::UnquotedRange, path, "a range within braces is in quotes").value(&range);
                return Some(problem.expected(format!("`{name}: '{range}'`")).help(QUOTED_RANGE));
            }
            let entries = entries.iter().filter_map(|(name, value)| Some((name.as_str()?, value)));
            entries.into_iter().find_map(|(name, value)| divided_range(value, &path.child(name)))
        }
        Value::Sequence(items) => items.iter().enumerate().find_map(|(i, item)| divided_range(item, &path.child(i))),
        _ => None,
    }
}
