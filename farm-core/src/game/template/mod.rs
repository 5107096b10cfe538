//! A game's texts: minijinja templates that can use the game's parameters and its parts' text variables (`Declarations::text_variable`).
//!
//! | in a text | meaning |
//! |---|---|
//! | `{{ part("Part-0").count }}` | a text variable of the part, or a parameter; the unit of `count#nb` may be left out |
//! | `{{ game.rules.BasicRule.max_steps }}` | a value by its path from the top of the game |
//! | `{% set fields = part("Part-0") %}` | a short name |
//! | `{% if fields.count == 1 %}…{% else %}…{% endif %}` | a choice |
//! | `{{ fields.when \| choose(always="at any time", never="at no time") }}` | a text for each word, and `otherwise=` for all other words |
//! | `{{ fields.count \| plural("one thing", "things") }}` | `one thing`, `3 things` |
//! | `{{ fields.stages \| join(" or ") }}` | a list with a separator; without the filter, commas separate its elements |

mod errors;
mod guard;
mod values;

use std::fmt::Write as _;
use std::io;
use std::sync::Arc;

use minijinja::value::{Kwargs, Value};
use minijinja::{Environment, Error, ErrorKind, UndefinedBehavior};

use self::errors::TemplateError;
use self::values::{Miss, TemplateValues, words};
use super::Game;
use crate::config::{Path, Problem, Problems};
use crate::format::money;

/// The maximum number of template instructions that a text may execute.
const MAX_FUEL: u64 = 5_000;

/// The maximum length of a filled-in text, in bytes.
const MAX_LENGTH: usize = 64 * 1024;

/// Checks the game's texts.
pub(crate) fn check(game: &Game, problems: &mut Problems) {
    for (key, text) in [("goal", &game.spec.goal), ("rules_text", &game.spec.rules_text)] {
        if let Err(problem) = render(text, game) {
            problems.push(Problem { path: Path::default().child(key), ..*problem });
        }
    }
}

/// The filled-in text, without surrounding white space.
///
/// # Errors
/// The text cannot be filled in. The problem is an error if the text's form is wrong, or a warning if the game lacks the value. You can
/// therefore change a game even if its text no longer fits.
pub(crate) fn render(text: &str, game: &Game) -> Result<String, Box<Problem>> {
    guard::check(text, game).map_err(|slip| {
        let problem = problem_in(
            TemplateError::WrongTemplate,
            format!("{} at {}", slip.message, place(text, slip.at)),
            text,
            slip.at,
        );
        Box::new(problem.help(slip.help))
    })?;
    if !text.contains('{') {
        return Ok(text.trim().to_owned());
    }
    let source = TemplateValues::new(game)
        .map_err(|error| Box::new(problem_in(TemplateError::WrongTemplate, error.to_string(), text, 0)))?;
    let mut out = Bounded::default();
    let environment = environment();
    let outcome = environment
        .template_from_str(text)
        .and_then(|template| template.render_captured_to(values::context(&source), &mut out).map(drop));
    match outcome {
        Ok(()) => Ok(String::from_utf8_lossy(&out.0).trim().to_owned()),
        Err(error) => Err(Box::new(problem(&error, text, &source))),
    }
}

/// The template features available to texts. With these features, texts cannot read files, run endless loops, or turn a short text into a
/// huge one.
fn environment<'t>() -> Environment<'t> {
    let mut environment = Environment::empty();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_fuel(Some(MAX_FUEL));
    // This makes errors name the expression that has no value.
    environment.set_debug(true);
    environment.set_formatter(|out, _, value| out.write_str(&words(value)).map_err(Error::from));
    environment.add_filter("plural", plural);
    environment.add_filter("choose", choose);
    environment.add_filter("join", join);
    environment.add_filter("euros", |value: f64| money("€", value));
    environment.add_filter("length", |value: &Value| value.len());
    environment.add_filter(
        "default",
        |value: &Value, other: &Value| {
            if value.is_undefined() { other.clone() } else { value.clone() }
        },
    );
    environment.add_test("defined", |value: &Value| !value.is_undefined());
    environment.add_test("undefined", Value::is_undefined);
    environment.add_test("none", Value::is_none);
    environment
}

/// The names of the filters, listed in errors about unknown filters.
const FILTERS: &[&str] = &["choose", "default", "euros", "join", "length", "plural"];

fn defined(value: &Value) -> Result<&Value, Error> {
    if value.is_undefined() { Err(ErrorKind::UndefinedError.into()) } else { Ok(value) }
}

fn plural(value: &Value, one: &str, many: &str) -> Result<String, Error> {
    let number = words(defined(value)?);
    Ok(if number == "1" { one.to_owned() } else { format!("{number} {many}") })
}

fn choose(value: &Value, texts: Kwargs) -> Result<Value, Error> {
    let word = words(defined(value)?);
    let key = if texts.has(&word) { &word } else { "otherwise" };
    if texts.has(key) {
        return texts.peek(key);
    }
    Err(Error::new(ErrorKind::InvalidOperation, format!("no text is given for `{word}`")))
}

/// Joins a list. A second separator, if given, replaces the first one before the last item.
fn join(value: &Value, separator: &str, last: Option<&str>) -> Result<String, Error> {
    let (mut joined, count) = (String::new(), defined(value)?.len());
    for (i, item) in value.try_iter()?.enumerate() {
        let start = match i {
            0 => "",
            _ if Some(i + 1) == count => last.unwrap_or(separator),
            _ => separator,
        };
        // Writing to a string never fails.
        let _ = write!(joined, "{start}{}", words(&item));
        if joined.len() > MAX_LENGTH {
            return Err(ErrorKind::WriteFailure.into());
        }
    }
    Ok(joined)
}

/// An output buffer with a limited length.
#[derive(Default)]
struct Bounded(Vec<u8>);

impl io::Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.len() + bytes.len() > MAX_LENGTH {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Examples for people who write texts.
const FORMS: &str = "`{{ part(\"Part-0\").parameter }}`, `{{ game.interaction_mode }}`, `{% if … %}…{% endif %}`; \
                     `{{ \"{{\" }}` writes two braces";

fn problem(error: &Error, text: &str, source: &Arc<TemplateValues>) -> Problem {
    let at = offset(error, text);
    let here = place(text, at);
    let detail = error.detail().map_or_else(|| error.kind().to_string(), str::to_owned);
    match error.kind() {
        ErrorKind::UndefinedError => match source.miss_of(&detail) {
            Some(miss) => undefined(&miss, text, at, source),
            None => misfit(format!("the text uses a value that the game lacks, at {here}"), text, at),
        },
        // The values have types that the text does not expect.
        ErrorKind::InvalidOperation => misfit(format!("{detail}, at {here}"), text, at),
        ErrorKind::OutOfFuel => problem_in(
            TemplateError::TextTooLong,
            format!("the text takes more than {MAX_FUEL} steps to fill in"),
            text,
            at,
        )
        .help("shorten its loops"),
        ErrorKind::WriteFailure => problem_in(
            TemplateError::TextTooLong,
            format!("the text is longer than {MAX_LENGTH} bytes when it is filled in"),
            text,
            at,
        )
        .help("shorten it; a text of a part or a plugin should be one sentence"),
        ErrorKind::UnknownFilter => {
            let name = detail.split('`').nth(1).or_else(|| detail.split_whitespace().nth(1)).unwrap_or_default();
            problem_in(TemplateError::UnknownPlaceholder, format!("unknown filter `{name}`, used at {here}"), text, at)
                .among(name, FILTERS.iter().copied())
        }
        _ => problem_in(TemplateError::WrongTemplate, format!("the text can't be read at {here}: {detail}"), text, at)
            .help(FORMS),
    }
}

/// The problem to report for an unknown name.
fn undefined(miss: &Miss, text: &str, at: usize, source: &Arc<TemplateValues>) -> Problem {
    let here = place(text, at);
    let known = miss.known.iter().map(String::as_str);
    match &miss.owner {
        Some(owner) => {
            misfit(format!("{owner} has no `{}`, used at {here}", miss.name), text, at).among(&miss.name, known)
        }
        // The name fits no game.
        None => {
            let problem = problem_in(
                TemplateError::UnknownPlaceholder,
                format!("unknown name `{}`, used at {here}", miss.name),
                text,
                at,
            );
            let mut problem = problem.among(&miss.name, known).help(FORMS);
            if source.has(&miss.name) {
                problem.nearest = Some(format!("game.{}", miss.name));
            }
            problem
        }
    }
}

fn problem_in(code: TemplateError, message: String, text: &str, at: usize) -> Problem {
    Problem::new(code, Path::default(), message).value(found(text, at))
}

/// The problem to report for a text that does not fit the game. The instructions then leave it out.
fn misfit(message: String, text: &str, at: usize) -> Problem {
    problem_in(TemplateError::TextDoesNotFit, message, text, at)
        .warning()
        .help("the text is left out of the instructions until it fits the game")
}

/// The position of an error in the text, in bytes.
fn offset(error: &Error, text: &str) -> usize {
    let line = error.line().map_or(0, |line| text.split_inclusive('\n').take(line - 1).map(str::len).sum());
    let at = error.range().map_or(line, |range| range.start);
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// The line and column, counted from 1.
fn place(text: &str, at: usize) -> String {
    let before = &text[..at];
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().map_or(0, |last| last.chars().count()) + 1;
    format!("line {line}, column {column} of the text")
}

/// The tag at this location, or the text after it.
fn found(text: &str, at: usize) -> &str {
    let start = ["{{", "{%"].iter().filter_map(|open| text[..at].rfind(open)).max();
    let start = start.filter(|start| !text[*start..at].contains(['}', '\n'])).unwrap_or(at);
    let end = ["}}", "%}", "\n"].iter().filter_map(|close| Some(text[start..].find(close)? + close.len())).min();
    text[start..end.map_or(text.len(), |end| start + end)].trim_end()
}
