//! Actions as people and language models write them: case, spacing, quotes and closing punctuation do not matter.
//!
//! A text holds one action or several, separated by line ends or semicolons. Each is a name (`MoveN`, `move_n`,
//! `Soil-0.harvest`), a name with its parameters as [`Catalogue::describe`] prints them
//! (`water_discrete(plot=(0, 1), amount#L=5)`), or JSON.

use serde_json::Value as Json;

use super::{BaseAction, Call, Catalogue, Deed};
use crate::config::{Path, Problem};
use crate::declare::{ActionParameter, ActionParameterKind};

/// The longest text that is read, in bytes.
pub const MOST_TEXT_BYTES: usize = 65_536;

/// The longest text of one action outside JSON, in bytes.
const MOST_ACTION_BYTES: usize = 1000;

/// How many actions of a text are looked at beyond those that a schedule holds: they are answered, the rest is counted.
const MOST_BEYOND: usize = 8;

/// What quotes an action, ends its sentence or makes it an item of a list.
const AROUND: &[char] =
    &['"', '\'', '`', '“', '”', '‘', '’', '«', '»', '.', ',', '!', '?', ':', ';', '*', '_', '-', '>', '•', '~'];

/// One action of a text, and what it means.
#[derive(Debug, Clone)]
pub struct Reading {
    /// The action as it was written.
    pub text: String,
    /// Its calls, or why it can't be read.
    pub calls: Result<Vec<Call>, Box<Problem>>,
}

impl Catalogue {
    /// Reads a text with one action or several, separated by line ends or semicolons, or with JSON. There is always at least
    /// one reading: a text without an action is itself unreadable.
    pub fn read_text(&self, text: &str) -> Vec<Reading> {
        let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
        let alone = |calls| vec![Reading { text: shortened(text), calls }];
        if text.len() > MOST_TEXT_BYTES {
            let message = format!("the text has {} bytes, and at most {MOST_TEXT_BYTES} are read", text.len());
            return alone(Err(Box::new(Problem::new(Path::default(), message).help("write the action alone"))));
        }
        if text.starts_with(['[', '{', '"'])
            && let Ok(json) = serde_json::from_str::<Json>(text)
        {
            return alone(self.parse(&json));
        }
        let pieces = pieces(text);
        if pieces.is_empty() {
            let problem = Problem::new(Path::default(), "this is no action").value(text);
            return alone(Err(Box::new(problem.expected(self.hint()))));
        }
        let most = self.max_schedule.max(1) + MOST_BEYOND;
        let mut readings: Vec<Reading> = pieces
            .iter()
            .take(most)
            .map(|piece| Reading { text: shortened(piece), calls: self.read_action(piece) })
            .collect();
        if pieces.len() > most {
            let message = format!("{} more actions follow, which no step of this game takes", pieces.len() - most);
            let problem = Problem::new(Path::default(), message).help(format!("at most {} a step", self.max_schedule));
            readings.push(Reading { text: "…".to_owned(), calls: Err(Box::new(problem)) });
        }
        readings
    }

    /// Reads a text as a schedule; every action of it must be readable.
    ///
    /// # Errors
    /// What cannot be read, with the nearest name.
    pub fn parse_line(&self, line: &str) -> Result<Vec<Call>, Box<Problem>> {
        let readings = self.read_text(line);
        let schedules = readings.into_iter().map(|reading| reading.calls).collect::<Result<Vec<_>, _>>()?;
        Ok(schedules.concat())
    }

    /// One action as a person writes it.
    ///
    /// # Errors
    /// What cannot be read, with the nearest name.
    pub(super) fn read_action(&self, text: &str) -> Result<Vec<Call>, Box<Problem>> {
        if text.starts_with(['[', '{']) {
            let json: Json = serde_json::from_str(text).map_err(|error| {
                let problem = Problem::new(Path::default(), format!("this is not valid JSON: {error}"));
                Box::new(problem.value(shortened(text)).expected(self.hint()))
            })?;
            return self.parse(&json);
        }
        if text.len() > MOST_ACTION_BYTES {
            let problem = Problem::new(Path::default(), "this is too long to be an action").value(shortened(text));
            return Err(Box::new(problem.expected(self.hint())));
        }
        let (head, arguments) = split_head(text);
        let (looks, head) = match head.get(..8) {
            Some(word) if word.eq_ignore_ascii_case("observe ") => (true, head[8..].trim()),
            _ => (false, head),
        };
        let wanted = key(head);
        let found = if wanted.is_empty() { Vec::new() } else { self.named(head, &wanted, looks, arguments) };
        let Some((_, first)) = found.first() else {
            // Doing nothing has this name in every game, also where no action has it.
            return if wanted == "wait" && !looks && items(arguments).is_empty() {
                Ok(self.waiting().to_vec())
            } else {
                Err(Box::new(self.unknown(head, looks, text)))
            };
        };
        let same = |other: &BaseAction| other.part == first.part && other.name(&self.parts) == first.name(&self.parts);
        if let Some((_, other)) = found.iter().find(|(_, other)| !same(other)) {
            let names = [first, other].map(|base| self.full_name(base));
            let message = format!("`{head}` is ambiguous: {} or {}", names[0], names[1]);
            return Err(Box::new(Problem::new(Path::default(), message).value(text)));
        }
        // Several farmers may do the same thing; then the first that may do it with these parameters does.
        let mut refused = None;
        for (index, base) in found {
            let given = match base.info(&self.parts) {
                Some(_) => self.given(base, arguments),
                None => Ok(Json::Null),
            };
            match given.and_then(|given| self.parse_arguments(base, &given)) {
                Ok(arguments) => return Ok(vec![Call { base: index as u32, arguments }]),
                Err(problem) => refused = refused.or(Some(problem)),
            }
        }
        Err(refused.unwrap_or_else(|| Box::new(self.unknown(head, looks, text))))
    }

    /// The base actions that a name means: those written exactly so, else those that differ in case and spacing only.
    fn named(&self, head: &str, wanted: &str, looks: bool, arguments: &str) -> Vec<(usize, &BaseAction)> {
        let bases = || self.bases.iter().enumerate();
        let deeds = |is_exact: bool| -> Vec<(usize, &BaseAction)> {
            let is_named = |base: &BaseAction| match base.info(&self.parts) {
                Some(_) if is_exact => [base.name(&self.parts), &self.full_name(base)].contains(&head),
                Some(_) => self.is_key_of(wanted, base, base.name(&self.parts)),
                None => false,
            };
            bases().filter(|(_, base)| is_named(base)).collect()
        };
        if !looks {
            let exact = deeds(true);
            let found = if exact.is_empty() { deeds(false) } else { exact };
            if !found.is_empty() {
                return found;
            }
        }
        let indices = numbers(arguments);
        let is_asked = |base: &BaseAction| match &base.deed {
            Deed::Observation(request) => {
                let canonical = request.canonical();
                let (name, path) = canonical.split_once('(').unwrap_or((&canonical, ""));
                numbers(path) == indices && self.is_key_of(wanted, base, name)
            }
            Deed::Intervention(_) => false,
        };
        bases().filter(|(_, base)| is_asked(base)).collect()
    }

    /// Whether a key is that of a name, alone or after the names of the farmer, the field and the part.
    fn is_key_of(&self, wanted: &str, base: &BaseAction, name: &str) -> bool {
        let (farmer, part) = (self.farmer(base), self.part(base));
        let is = |words: &[&str]| words.iter().flat_map(|word| key_letters(word)).eq(wanted.chars());
        [&[][..], &[part.name.as_str()], &[part.path.as_str()]].into_iter().any(|before| match before {
            [] => is(&[name]) || is(&[farmer, name]),
            [before, ..] => is(&[before, name]) || is(&[farmer, before, name]),
        })
    }

    fn full_name(&self, base: &BaseAction) -> String {
        format!("{}.{}", self.part(base).path, base.name(&self.parts))
    }

    /// The shortest name of an intervention that means no other: alone, or after the part, the field, the farmer.
    pub(crate) fn short_name(&self, base: &BaseAction) -> String {
        let name = base.name(&self.parts);
        let part = self.part(base);
        let is_clear = |candidate: &String| {
            let meant = self.named(candidate, &key(candidate), false, "");
            meant.iter().all(|(_, other)| other.part == base.part && other.name(&self.parts) == name)
        };
        let names = [name.to_owned(), format!("{}.{name}", part.name)];
        names.into_iter().find(is_clear).unwrap_or_else(|| self.full_name(base))
    }

    /// An example of an action of this game.
    fn hint(&self) -> String {
        let plain = |call: &&Call| self.bases[call.base()].parameters.is_empty();
        match self.calls.iter().find(plain).or(self.calls.first()) {
            Some(call) => format!("an action such as `{}`, or JSON", self.write(call)),
            None => "`wait`".to_owned(),
        }
    }

    /// A call in the shortest way that reads back: [`Catalogue::describe`] without field and part, or without the field, where
    /// that is clear.
    pub fn write(&self, call: &Call) -> String {
        let full = self.describe(call);
        let part = self.part(&self.bases[call.base()]);
        let (looks, named) = match full.strip_prefix("observe ") {
            Some(named) => ("observe ", named),
            None => ("", &*full),
        };
        let own = named.strip_prefix(&part.path).and_then(|rest| rest.strip_prefix('.'));
        let shorter = own.into_iter().flat_map(|own| [format!("{looks}{own}"), format!("{looks}{}.{own}", part.name)]);
        let mut clear = shorter.filter(|text| self.read_action(text).is_ok_and(|calls| calls == [*call]));
        clear.next().unwrap_or(full)
    }

    /// Why no name was found.
    fn unknown(&self, head: &str, looks: bool, text: &str) -> Problem {
        let mut names: Vec<String> = Vec::new();
        for base in &self.bases {
            match &base.deed {
                Deed::Intervention(_) if !looks => names.push(base.name(&self.parts).to_owned()),
                Deed::Observation(request) if looks => names.push(request.canonical()),
                _ => {}
            }
        }
        let thing = if looks { "observation" } else { "action" };
        let message = format!("the rules of this game allow no {thing} `{}`", shortened(head));
        let last = head.rsplit('.').next().unwrap_or(head);
        let problem = Problem::new(Path::default(), message).value(text);
        problem.among(if last.is_empty() { head } else { last }, names.iter().map(String::as_str))
    }

    /// The parameters of an intervention, as JSON by their declared names.
    fn given(&self, base: &BaseAction, text: &str) -> Result<Json, Box<Problem>> {
        let Some(action) = base.info(&self.parts) else { return Ok(Json::Null) };
        let mut given = serde_json::Map::new();
        let refuse = |message: String, found: &str| {
            let known = action.parameters.iter().map(|parameter| parameter.name.as_str());
            Err(Box::new(Problem::new(Path::default(), message).value(shortened(text)).among(found, known)))
        };
        let mut all = items(text).into_iter().peekable();
        let mut last: Option<&ActionParameter> = None;
        while let Some(item) = all.next() {
            let parameter = match item.name {
                Some(name) => {
                    let wanted = key(name);
                    let is_meant = |p: &&ActionParameter| key(&p.name) == wanted || key(stem(&p.name)) == wanted;
                    match action.parameters.iter().find(is_meant) {
                        Some(parameter) if given.contains_key(&parameter.name) => {
                            return refuse(format!("`{}` is given twice", parameter.name), name);
                        }
                        Some(parameter) => parameter,
                        None => return refuse(format!("`{}` has no parameter `{name}`", action.name), name),
                    }
                }
                None if last.is_some_and(|last| !unit(&last.name).is_empty() && unit(&last.name) == item.value) => {
                    continue;
                }
                None => match action.parameters.iter().find(|p| !given.contains_key(&p.name)) {
                    Some(parameter) => parameter,
                    None => return refuse(format!("`{}` has no room for `{}`", action.name, item.value), item.value),
                },
            };
            let value = match &parameter.kind {
                ActionParameterKind::Plot if item.value.parse::<u64>().is_ok() => {
                    // `0, 1` without parentheses.
                    let second = all.next_if(|next| next.name.is_none() && next.value.parse::<u64>().is_ok());
                    plot(&format!("{} {}", item.value, second.map_or("", |next| next.value)))
                }
                ActionParameterKind::Plot => plot(item.value),
                ActionParameterKind::Real { .. } => number(item.value, unit(&parameter.name)),
                ActionParameterKind::Choice(words) => {
                    let wanted = key(item.value);
                    words.iter().find(|word| key(word) == wanted).map(|word| Json::from(word.as_str()))
                }
            };
            given.insert(parameter.name.clone(), value.unwrap_or_else(|| Json::from(item.value)));
            last = Some(parameter);
        }
        Ok(Json::Object(given))
    }
}

/// The letters that tell one name from another: no case, no spaces, no punctuation.
fn key_letters(name: &str) -> impl Iterator<Item = char> {
    name.chars().filter(|c| c.is_alphanumeric() || matches!(c, '%' | '°')).flat_map(char::to_lowercase)
}

fn key(name: &str) -> String {
    key_letters(name).collect()
}

/// A name without its unit.
fn stem(name: &str) -> &str {
    name.split('#').next().unwrap_or(name)
}

fn unit(name: &str) -> &str {
    name.split_once('#').map_or("", |(_, unit)| unit)
}

/// The beginning of a text, for messages.
fn shortened(text: &str) -> String {
    const MOST: usize = 200;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The actions of a text, without what quotes and numbers them.
fn pieces(text: &str) -> Vec<&str> {
    let (mut pieces, mut start, mut depth) = (Vec::new(), 0, 0_usize);
    let mut push = |piece| {
        let piece = bare(piece);
        if !piece.is_empty() {
            pieces.push(piece);
        }
    };
    // `[MoveN, MoveE]` is a list of names, as no JSON has it.
    let inner = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let names = inner.filter(|inner| !inner.contains(['"', '[', ']', '{', '}', '(', ')', '=']));
    let text = names.unwrap_or(text);
    for (i, letter) in text.char_indices() {
        match letter {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            '\n' | '\r' | ';' => {}
            ',' if names.is_some() => {}
            _ => continue,
        }
        // A line end closes what was never closed.
        let ends = matches!(letter, '\n' | '\r') || depth == 0 && matches!(letter, ';' | ',');
        if ends && (letter != ',' || names.is_some()) {
            push(&text[start..i]);
            (start, depth) = (i + 1, 0);
        }
    }
    push(&text[start..]);
    pieces
}

/// An action without quotes, closing punctuation, the mark or number of a list item, and `Action:` before it.
fn bare(piece: &str) -> &str {
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
        // The line that opens a block of code names its language.
        return "";
    }
    let mut text = strip(piece);
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    if digits > 0
        && let Some(rest) = text[digits..].strip_prefix(['.', ')'])
    {
        text = strip(rest);
    }
    if let Some((word, rest)) = text.split_once(':')
        && ["action", "actions"].contains(&key(word).as_str())
    {
        text = strip(rest);
    }
    text
}

/// The name of an action, and what stands in or without parentheses after it.
fn split_head(text: &str) -> (&str, &str) {
    let open = text.find(['(', '{', '[']);
    match (open, text.find('=')) {
        (Some(open), equals) if equals.is_none_or(|equals| open < equals) => {
            let rest = text[open + 1..].trim_end();
            (text[..open].trim(), rest.strip_suffix([')', '}', ']']).unwrap_or(rest))
        }
        (_, Some(equals)) => {
            // `water plot=(0, 1)`: the word before the sign is that of the parameter.
            let before = text[..equals].trim_end();
            let start = before.rfind(char::is_whitespace).unwrap_or(0);
            (text[..start].trim(), text[start..].trim())
        }
        _ => (text, ""),
    }
}

/// A parameter as it is written.
struct Item<'t> {
    name: Option<&'t str>,
    value: &'t str,
}

/// `name=value` or `value`, separated by commas or spaces.
fn items(text: &str) -> Vec<Item<'_>> {
    let (mut found, mut rest) = (Vec::new(), text);
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
        if rest.is_empty() {
            return found;
        }
        let (word, after) = token(rest);
        let after_space = after.trim_start();
        match after_space.strip_prefix(['=', ':']) {
            Some(value) if !word.is_empty() => {
                let (value, after) = token(value.trim_start());
                found.push(Item { name: Some(unquoted(word)), value: unquoted(value) });
                rest = after;
            }
            Some(skipped) => rest = skipped,
            None => {
                found.push(Item { name: None, value: unquoted(word) });
                rest = after;
            }
        }
    }
}

/// The first word of a text, or all of its first parentheses.
fn token(text: &str) -> (&str, &str) {
    let end = match text.starts_with(['(', '[', '{']) {
        true => text.find([')', ']', '}']).map_or(text.len(), |close| close + 1),
        false => text.find(|c: char| c.is_whitespace() || matches!(c, ',' | '=' | ':')).unwrap_or(text.len()),
    };
    text.split_at(end)
}

fn unquoted(text: &str) -> &str {
    text.trim_matches(['"', '\'', '`'])
}

/// All whole numbers of a text.
fn numbers(text: &str) -> Vec<u64> {
    text.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok()).collect()
}

/// The plot `(0, 1)`, `[0, 1]` or `0 1`; none for anything else, such as negative numbers.
fn plot(text: &str) -> Option<Json> {
    let inner = text.trim_matches(|c: char| c.is_whitespace() || "()[]{}".contains(c));
    let words = inner.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
    words.map(|word| word.parse::<u64>().ok().map(Json::from)).collect::<Option<Vec<_>>>().map(Json::from)
}

/// A number, with or without its unit.
fn number(text: &str, unit: &str) -> Option<Json> {
    let plain = text.strip_suffix(unit).filter(|_| !unit.is_empty()).unwrap_or(text);
    plain.parse::<f64>().ok().filter(|number| number.is_finite()).map(Json::from)
}
