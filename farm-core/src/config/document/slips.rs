//! Finds the likely cause of a YAML error. The report then points at the cause instead of the place where the parser noticed the error.

use serde_yaml::Value;

use super::complaint::{Complaint, Subject};
use crate::config::errors::YamlError;
use crate::config::problem::{Path, Problem};

/// A problem with its line and column.
type Found = (Problem, (usize, usize));

/// The number of lines to search, upwards from the line that the parser reports. Empty lines do not count.
const LINES_LOOKED_AT: usize = 2;
/// The maximum length of a string shown with its quotes, in characters.
const LONGEST_QUOTED: usize = 60;
/// An explanation of how to write a range within braces and brackets.
const QUOTED_RANGE: &str = "a comma separates keys within `{…}`: quote the range";

/// The likely cause of a parser error at a location, if it is one of the common errors.
pub(super) fn meant(text: &str, complaint: &Complaint, at: Option<(usize, usize)>) -> Option<Found> {
    if let Some(number) = complaint.number() {
        let problem = Problem::new(YamlError::HugeNumber, Path::default(), "an integer is too large").value(number);
        let problem = problem.expected(format!("an integer up to {}", u64::MAX));
        return Some((problem.help("check for extra digits; `1e22` is a real number"), at?));
    }
    let (line, column) = at?;
    if let Some(found) = indented_with_tab(text, complaint, line) {
        return Some(found);
    }
    if matches!(complaint.subject, Subject::NameIndentation | Subject::EntryIndentation)
        && let Some(found) = not_aligned(text, line)
    {
        return Some(found);
    }
    if complaint.subject == Subject::Sign {
        return unquoted(text, line, column);
    }
    if complaint.is_within_brackets {
        return unclosed(text, line);
    }
    if complaint.is_about_name {
        return no_colon(text, line);
    }
    None
}

/// A line that is indented with a tab. This is the line that the parser reports or, if the parser mentions a tab, a neighbouring line.
fn indented_with_tab(text: &str, complaint: &Complaint, line: usize) -> Option<Found> {
    let lines: Vec<&str> = text.lines().collect();
    let tab_in = |i: usize| {
        let indent = lines.get(i)?.chars().take_while(|c| c.is_whitespace());
        indent.into_iter().position(|c| c == '\t').filter(|_| !is_empty(lines[i]))
    };
    let named = line.checked_sub(1)?;
    let next = (line..lines.len()).find(|i| !is_empty(lines[*i]));
    let beside = [Some(named), next, (0..named).rev().find(|i| !is_empty(lines[*i]))];
    let looked_at = if complaint.subject == Subject::Tab { 3 } else { usize::from(!complaint.is_within_brackets) };
    let (i, column) = beside.into_iter().take(looked_at).flatten().find_map(|i| Some((i, tab_in(i)?)))?;
    let message = format!("line {} is indented with a tab; use spaces", i + 1);
    let problem = Problem::new(YamlError::TabIndentation, Path::default(), message);
    Some((problem.help("set your editor to insert spaces for the Tab key"), (i + 1, column + 1)))
}

/// A list element that starts in a different column than the elements above it.
fn not_aligned(text: &str, line: usize) -> Option<Found> {
    let lines: Vec<&str> = text.lines().collect();
    let indent = |line: &str| line.chars().take_while(|c| c.is_whitespace()).count();
    let is_entry = |line: &str| line.trim_start().starts_with("- ") || line.trim() == "-";
    let found = lines.get(line.checked_sub(1)?).filter(|line| is_entry(line))?;
    let own = indent(found);
    let mut entries: Vec<usize> = Vec::new();
    for above in lines[..line - 1].iter().rev().filter(|line| !is_empty(line)) {
        if is_entry(above) {
            entries.push(indent(above));
        }
        if indent(above) < own {
            break;
        }
    }
    let wanted = entries.iter().copied().min_by_key(|entry| entry.abs_diff(own)).filter(|entry| *entry != own)?;
    let message = "this list item is not aligned with the items above it";
    let problem = Problem::new(YamlError::WrongIndentation, Path::default(), message);
    Some((problem.help(format!("align this `-` with the items above (column {})", wanted + 1)), (line, own + 1)))
}

/// A string that starts with a character that has a special meaning in YAML: `>=`, `%`, `@`.
fn unquoted(text: &str, line: usize, column: usize) -> Option<Found> {
    let content = text.lines().nth(line.checked_sub(1)?)?;
    let begin = column.checked_sub(1)?;
    let open = |c: char| content.chars().take(begin).filter(|found| *found == c).count();
    let is_within_brackets = open('[') + open('{') > open(']') + open('}');
    let rest: String = content.chars().skip(begin).collect();
    let rest = rest.split(" #").next().unwrap_or_default();
    let end = if is_within_brackets { rest.find([',', ']', '}']) } else { None };
    let word = rest[..end.unwrap_or(rest.len())].trim();
    Some((must_be_quoted(word)?, (line, column)))
}

/// The problem to report for a string that needs quotes.
pub(super) fn must_be_quoted(word: &str) -> Option<Problem> {
    let sign = word.chars().next().filter(|sign| !sign.is_whitespace())?;
    let shown = if word.chars().all(|c| !c.is_alphanumeric()) { word.to_owned() } else { sign.to_string() };
    let problem = Problem::new(YamlError::UnquotedSign, Path::default(), format!("`{shown}` must be quoted here"));
    Some(problem.value(word).help(match word.chars().count() {
        ..=LONGEST_QUOTED => format!("quote it: '{}'", word.replace('\'', "''")),
        _ => "put quotes around the string".to_owned(),
    }))
}

/// The innermost bracket still open at the start of a line, if it was opened on an earlier line.
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
        let message = "a `#` after a space starts a comment, which hides the rest of the line";
        let found: String = content.chars().skip(hash - 1).collect();
        let problem = Problem::new(YamlError::HiddenByComment, Path::default(), message).value(found);
        let help = "write the unit without the space, `length#nb`, or quote the string";
        return Some((problem.help(help), (opened, hash)));
    }
    let problem =
        Problem::new(YamlError::UnclosedBracket, Path::default(), format!("the `{bracket}` opened here is not closed"));
    Some((problem.value(rest).expected(format!("`{closing}`")).help("close it, or remove it"), (opened, column)))
}

/// The line with a key that has no colon, or no space after the colon.
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
        let message = format!("this is not an ordinary space (U+{odd:04X}), and YAML reads it as a letter");
        let problem = Problem::new(YamlError::OddBlank, Path::default(), message).value(entry);
        return Some((
            problem.help("replace it with an ordinary space; text from web pages often contains other spaces"),
            k + 1,
        ));
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
        let problem = Problem::new(YamlError::MissingColon, Path::default(), "expected a colon, found an `=`");
        problem.value(entry).expected(format!("`{meant}`"))
    } else if let Some(meant) = name_and(':') {
        let problem = Problem::new(YamlError::MissingColon, Path::default(), "the colon needs a space after it");
        problem.value(entry).expected(format!("`{meant}`"))
    } else if line.trim_start().starts_with('-') {
        // A list may contain a part that is given only by its kind.
        return None;
    } else {
        let problem = Problem::new(YamlError::MissingColon, Path::default(), "this line has no colon").value(entry);
        problem.expected("`key: value`, or `key:` with its entries below")
    };
    Some((
        problem.help("write `key: value` with a space after the colon, and quote strings that span several lines"),
        column,
    ))
}

/// A range that YAML splits at its comma. For example, YAML reads `{day: (100, 130)}` as the two keys `day: (100` and `130)`.
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
                    Problem::new(YamlError::UnquotedRange, path, "a range within braces needs quotes").value(&range);
                return Some(problem.expected(format!("`{name}: '{range}'`")).help(QUOTED_RANGE));
            }
            let entries = entries.iter().filter_map(|(name, value)| Some((name.as_str()?, value)));
            entries.into_iter().find_map(|(name, value)| divided_range(value, &path.child(name)))
        }
        Value::Sequence(items) => items.iter().enumerate().find_map(|(i, item)| divided_range(item, &path.child(i))),
        _ => None,
    }
}
