//! Actions as people and language models write them. Case, spacing, quotes and closing punctuation do not matter.
//!
//! An action is a name (`MoveN`, `move_n`, `Move North`, `Soil-0.harvest`), JSON, or a name with its parameters as
//! [`ActionTable::describe`] prints them: `water_discrete(plot=(0, 1), amount#L=5)`. The farmer's name may come first (`BasicFarmer-1:
//! harvest`). The `reply` module finds the actions in longer text.

use std::borrow::Cow;

use serde_json::Value as Json;
use unicode_normalization::UnicodeNormalization;

use super::argument::Given;
use super::errors::ActionError;
use super::pieces::shortened;
use super::{ActionTable, ActionTarget, Argument, BaseAction, Call};
use crate::config::{Code, NameError, Path, Problem};
use crate::declare::{ActionParameter, ActionParameterKind};

/// The maximum length of an action outside JSON, in bytes.
const MAX_ACTION_BYTES: usize = 1000;

impl ActionTable {
    /// Reads one action as a person writes it.
    ///
    /// # Errors
    /// The action cannot be read. The error names the nearest match.
    pub(super) fn read_action(&self, text: &str) -> Result<Vec<Call>, Box<Problem>> {
        if text.starts_with(['[', '{']) {
            let json: Json = serde_json::from_str(text).map_err(|error| {
                let problem =
                    Problem::new(ActionError::NotAnAction, Path::default(), format!("this is not valid JSON: {error}"));
                Box::new(problem.value(shortened(text)).expected(self.hint()))
            })?;
            return self.read_json_action(&json);
        }
        if text.len() > MAX_ACTION_BYTES {
            let problem = Problem::new(ActionError::NotAnAction, Path::default(), "this is too long to be an action")
                .value(shortened(text));
            return Err(Box::new(problem.expected(self.hint())));
        }
        let (farmer, text) = self.addressed(text);
        let (head, arguments) = split_head(text);
        let (looks, head) = match head.get(..8) {
            Some(word) if word.eq_ignore_ascii_case("observe ") => (true, head[8..].trim()),
            _ => (false, head),
        };
        let wanted = key(head);
        let mut found = if wanted.is_empty() { Vec::new() } else { self.named(head, &wanted, looks, arguments) };
        // `wait` works in every game, even if no action has this name.
        let is_waiting = wanted == "wait" && !looks && items(arguments).is_empty();
        if found.is_empty() {
            let unknown = || Box::new(self.unknown(head, looks, text));
            return if is_waiting { Ok(self.waiting().to_vec()) } else { Err(unknown()) };
        }
        if let Some(farmer) = farmer {
            let able: Vec<&str> = found.iter().map(|(_, base)| self.farmer(base)).collect();
            found.retain(|(_, base)| base.farmer == farmer);
            if found.is_empty() {
                let name = self.farmer_name(farmer);
                let message = format!("`{name}` may not do this in this game");
                return Err(Box::new(
                    Problem::new(ActionError::ActionNotAllowed, Path::default(), message).value(text).among(name, able),
                ));
            }
        }
        let first = found[0].1;
        let same = |other: &BaseAction| other.part == first.part && other.name(&self.parts) == first.name(&self.parts);
        if let Some((_, other)) = found.iter().find(|(_, other)| !same(other)) {
            let names = [first, other].map(|base| self.full_name(base));
            let message = format!("`{head}` is ambiguous: {} or {}", names[0], names[1]);
            return Err(Box::new(Problem::new(ActionError::AmbiguousAction, Path::default(), message).value(text)));
        }
        let (mut able, mut rejected) = (Vec::new(), None);
        for (index, base) in found {
            let numbers = self.given(base, arguments).and_then(|given| {
                self.numbers_of(base, |parameter| {
                    given.iter().find(|(name, _)| *name == parameter.name).map(|(_, given)| given.clone())
                })
            });
            match numbers {
                Ok(arguments) => able.push(Call { base: index as u32, arguments }),
                Err(problem) => rejected = rejected.or(Some(problem)),
            }
        }
        match (able.as_slice(), rejected) {
            ([], Some(problem)) => Err(problem),
            // Waiting lets time pass for all farmers at once.
            ([_, _, ..], _) if is_waiting && farmer.is_none() => Ok(self.waiting().to_vec()),
            (able, _) => self.by_the_only_farmer(able).map(|call| vec![call]),
        }
    }

    /// Splits off the farmer's index if an action names its farmer: `BasicFarmer-1: harvest`.
    fn addressed<'t>(&self, text: &'t str) -> (Option<usize>, &'t str) {
        let named = text.split_once(':').and_then(|(name, rest)| {
            let wanted = key(name);
            let farmer = self.farmers.iter().find(|farmer| key(self.farmer_name(**farmer)) == wanted)?;
            Some((Some(*farmer), rest.trim()))
        });
        named.unwrap_or((None, text))
    }

    /// The intended call, which is the first call if all calls belong to one farmer. If the calls belong to several farmers, the text must
    /// name one of them.
    ///
    /// # Errors
    /// No farmer may take the action, or more than one may.
    pub(super) fn by_the_only_farmer(&self, able: &[Call]) -> Result<Call, Box<Problem>> {
        let farmer = |call: &Call| self.base_actions[call.base()].farmer;
        let mut calls: Vec<&Call> = able.iter().collect();
        calls.sort_by_key(|call| farmer(call));
        calls.dedup_by_key(|call| farmer(call));
        match calls.as_slice() {
            [] => Err(Box::new(Problem::new(
                ActionError::ActionNotAllowed,
                Path::default(),
                "no farmer may do this in this game",
            ))),
            [_] => Ok(able[0]),
            several => {
                let names: Vec<String> = several.iter().map(|call| format!("`{}`", self.write(call))).collect();
                let message = format!("several farmers may do this: {}", names.join(" or "));
                let problem = Problem::new(ActionError::AmbiguousAction, Path::default(), message);
                Err(Box::new(problem.help("begin the action with the name of the farmer")))
            }
        }
    }

    /// A call, followed by the same call for every other farmer that may execute it, in farmer order.
    pub fn by_all_farmers(&self, call: Call) -> Vec<Call> {
        let base = &self.base_actions[call.base()];
        let is_same = |other: &BaseAction| match (&base.target, &other.target) {
            (ActionTarget::Observation(one), ActionTarget::Observation(other)) => one.canonical() == other.canonical(),
            (one, other) => one == other,
        };
        let by = |farmer: usize| {
            let is_theirs = |other: &BaseAction| other.farmer == farmer && other.part == base.part && is_same(other);
            let mut theirs = self.base_actions.iter().enumerate().filter(|(_, other)| is_theirs(other));
            theirs.find_map(|(i, other)| self.call(i, &call.arguments[..other.parameters.len()]))
        };
        let others = self.farmers.iter().filter(|farmer| **farmer != base.farmer);
        std::iter::once(call).chain(others.filter_map(|farmer| by(*farmer))).collect()
    }

    /// The base actions that a name refers to. Exact matches come first, then names that differ only in case and spacing, then names whose
    /// direction is spelled out or abbreviated.
    pub(super) fn named(&self, head: &str, wanted: &str, looks: bool, arguments: &str) -> Vec<(usize, &BaseAction)> {
        let bases = || self.base_actions.iter().enumerate();
        let exact = |base: &BaseAction, name: &str| [name, &self.full_name(base)].contains(&head);
        let is_key =
            |base: &BaseAction, name: &str| [false, true].iter().any(|of| self.is_key_of(wanted, base, name, *of));
        let turned = |base: &BaseAction, name: &str| other_direction(name).is_some_and(|name| is_key(base, &name));
        type IsMeant<'f> = &'f dyn Fn(&BaseAction, &str) -> bool;
        for is_meant in [&exact as IsMeant<'_>, &is_key, &turned].into_iter().filter(|_| !looks) {
            let is_named =
                |base: &BaseAction| base.info(&self.parts).is_some_and(|action| is_meant(base, &action.name));
            let found: Vec<(usize, &BaseAction)> = bases().filter(|(_, base)| is_named(base)).collect();
            if !found.is_empty() {
                return found;
            }
        }
        let indices = numbers(arguments);
        let is_asked = |base: &BaseAction, of_farmer: bool| match &base.target {
            ActionTarget::Observation(request) => {
                let canonical = request.canonical();
                let (name, path) = canonical.split_once('(').unwrap_or((&canonical, ""));
                numbers(path) == indices && self.is_key_of(wanted, base, name, of_farmer)
            }
            ActionTarget::Intervention(_) => false,
        };
        // The names of a farmer's own variables also begin with the farmer's name. Another part's variable that the farmer observes has
        // priority.
        let asked = |of_farmer| bases().filter(|(_, base)| is_asked(base, of_farmer)).collect::<Vec<_>>();
        Some(asked(false)).filter(|found| !found.is_empty()).unwrap_or_else(|| asked(true))
    }

    /// Whether `wanted` matches a name. The name can be alone or after the part's name or path and, if `of_farmer` is set, after the
    /// farmer's name.
    fn is_key_of(&self, wanted: &str, base: &BaseAction, name: &str, of_farmer: bool) -> bool {
        let (farmer, part) = (if of_farmer { self.farmer(base) } else { "" }, self.part(base));
        let is = |words: [&str; 3]| words.iter().flat_map(|word| key_letters(word)).eq(wanted.chars());
        ["", part.name.as_str(), part.path.as_str()].into_iter().any(|before| is([farmer, before, name]))
    }

    fn full_name(&self, base: &BaseAction) -> String {
        format!("{}.{}", self.part(base).path, base.name(&self.parts))
    }

    /// The shortest unambiguous name for an intervention: the action's name alone, after the part, or after the field and the part. If
    /// several farmers can act, the farmer's name comes first.
    pub(crate) fn short_name(&self, base: &BaseAction) -> String {
        let name = base.name(&self.parts);
        let part = self.part(base);
        let is_clear = |candidate: &String| {
            let meant = self.named(candidate, &key(candidate), false, "").into_iter();
            let mut meant = meant.filter(|(_, other)| other.farmer == base.farmer);
            meant.all(|(_, other)| other.part == base.part && other.name(&self.parts) == name)
        };
        let names = [name.to_owned(), format!("{}.{name}", part.name)];
        let short = names.into_iter().find(is_clear).unwrap_or_else(|| self.full_name(base));
        format!("{}{short}", self.address(base))
    }

    /// An example of one of this game's actions.
    pub(super) fn hint(&self) -> String {
        let plain = |call: &&Call| self.base_actions[call.base()].parameters.is_empty();
        match self.calls.iter().find(plain).or(self.calls.first()) {
            Some(call) => format!("an action such as `{}`, or JSON", self.write(call)),
            None => "`wait`".to_owned(),
        }
    }

    /// The shortest form of a call that reads back as the same call.
    /// This is [`ActionTable::describe`] without the field and part, or at least without the field, if the result is unambiguous.
    pub fn write(&self, call: &Call) -> String {
        let base = &self.base_actions[call.base()];
        let (address, full) = (self.address(base), self.unaddressed(call));
        let part = self.part(base);
        let (looks, named) = match full.strip_prefix("observe ") {
            Some(named) => ("observe ", named),
            None => ("", &*full),
        };
        let own = named.strip_prefix(&part.path).and_then(|rest| rest.strip_prefix('.'));
        let shorter = own.into_iter().flat_map(|own| [format!("{looks}{own}"), format!("{looks}{}.{own}", part.name)]);
        let mut addressed = shorter.map(|text| format!("{address}{text}"));
        let clear = addressed.find(|text| self.read_action(text).is_ok_and(|calls| calls == [*call]));
        clear.unwrap_or_else(|| format!("{address}{full}"))
    }

    /// Why no name matched.
    fn unknown(&self, head: &str, looks: bool, text: &str) -> Problem {
        let mut names: Vec<String> = Vec::new();
        for base in &self.base_actions {
            match &base.target {
                ActionTarget::Intervention(_) if !looks => names.push(base.name(&self.parts).to_owned()),
                ActionTarget::Observation(request) if looks => names.push(request.canonical()),
                _ => {}
            }
        }
        let (code, thing) = match looks {
            true => (Code::from(ActionError::ActionNotAllowed), "observation"),
            false => (NameError::UnknownAction.into(), "action"),
        };
        let message = format!("the rules of this game allow no {thing} `{}`", shortened(head));
        let last = head.rsplit('.').next().unwrap_or(head);
        let problem = Problem::new(code, Path::default(), message).value(text);
        problem.among(if last.is_empty() { head } else { last }, names.iter().map(String::as_str))
    }

    /// The parameters that a text provides for an intervention, by their declared names.
    fn given<'b>(&'b self, base: &'b BaseAction, text: &str) -> Result<Vec<(&'b str, Given<'b>)>, Box<Problem>> {
        let mut given: Vec<(&str, Given<'_>)> = Vec::new();
        let Some(action) = base.info(&self.parts) else { return Ok(given) };
        let is_given = |given: &[(&str, Given<'_>)], name: &str| given.iter().any(|(other, _)| *other == name);
        let reject = |message: String, found: &str| {
            let known = action.parameters.iter().map(|parameter| parameter.name.as_str());
            Err(Box::new(
                Problem::new(ActionError::UnknownArgument, Path::default(), message)
                    .value(shortened(text))
                    .among(found, known),
            ))
        };
        let mut all = items(text).into_iter().peekable();
        let mut last: Option<&ActionParameter> = None;
        while let Some(item) = all.next() {
            let parameter = match item.name {
                Some(name) => {
                    let wanted = key(name);
                    let is_meant = |p: &&ActionParameter| key(&p.name) == wanted || key(stem(&p.name)) == wanted;
                    match action.parameters.iter().find(is_meant) {
                        Some(parameter) if is_given(&given, &parameter.name) => {
                            return reject(format!("`{}` is given twice", parameter.name), name);
                        }
                        Some(parameter) => parameter,
                        None => return reject(format!("`{}` has no parameter `{name}`", action.name), name),
                    }
                }
                None if last.is_some_and(|last| !unit(&last.name).is_empty() && unit(&last.name) == item.value) => {
                    continue;
                }
                None => match action.parameters.iter().find(|p| !is_given(&given, &p.name)) {
                    Some(parameter) => parameter,
                    None => {
                        return reject(
                            format!("`{}` has no parameter left for `{}`", action.name, item.value),
                            item.value,
                        );
                    }
                },
            };
            let mut text = Cow::Borrowed(item.value);
            if parameter.kind == ActionParameterKind::Plot
                && item.value.parse::<u64>().is_ok()
                && let Some(second) = all.next_if(|next| next.name.is_none() && next.value.parse::<u64>().is_ok())
            {
                // The text is `0, 1` without parentheses.
                text = Cow::Owned(format!("{} {}", item.value, second.value));
            }
            let argument = Argument::from_text(&parameter.kind, &text, unit(&parameter.name));
            let written = Cow::Owned(argument.map_or_else(|| Json::from(&*text), Argument::to_json));
            given.push((&parameter.name, Given { argument, written }));
            last = Some(parameter);
        }
        Ok(given)
    }
}

/// The letters that distinguish one name from another: lower case, no spaces, no punctuation. Forms of the same letter are equal, as in
/// replies.
fn key_letters(name: &str) -> impl Iterator<Item = char> {
    let (plain, other) = if name.is_ascii() { (name, "") } else { ("", name) };
    plain
        .chars()
        .chain(other.nfkc())
        .filter(|c| c.is_alphanumeric() || matches!(c, '%' | '°'))
        .flat_map(char::to_lowercase)
}

pub(super) fn key(name: &str) -> String {
    key_letters(name).collect()
}

/// The directions, in long and short form.
const DIRECTIONS: [(&str, &str); 4] = [("North", "N"), ("South", "S"), ("East", "E"), ("West", "W")];

/// The same name with its direction switched between short and long: `MoveNorth` for `MoveN`, and vice versa. `None` if the name has no
/// direction.
fn other_direction(name: &str) -> Option<String> {
    let swapped = |from: &str, to: &str| {
        let stem = name.strip_suffix(from).filter(|stem| stem.ends_with(char::is_lowercase))?;
        Some(format!("{stem}{to}"))
    };
    let lower = |from: &str, to: &str| {
        let stem = name.strip_suffix(&from.to_lowercase()).filter(|stem| stem.ends_with('_'))?;
        Some(format!("{stem}{}", to.to_lowercase()))
    };
    let either = |from: &str, to: &str| swapped(from, to).or_else(|| lower(from, to));
    DIRECTIONS.iter().find_map(|(full, short)| either(full, short).or_else(|| either(short, full)))
}

/// A name without its unit.
fn stem(name: &str) -> &str {
    name.split('#').next().unwrap_or(name)
}

fn unit(name: &str) -> &str {
    name.split_once('#').map_or("", |(_, unit)| unit)
}

/// An action's name, and the arguments after it, with or without parentheses.
pub(super) fn split_head(text: &str) -> (&str, &str) {
    let open = text.find(['(', '{', '[']);
    match (open, text.find('=')) {
        (Some(open), equals) if equals.is_none_or(|equals| open < equals) => {
            let rest = text[open + 1..].trim_end();
            (text[..open].trim(), rest.strip_suffix([')', '}', ']']).unwrap_or(rest))
        }
        (_, Some(equals)) => {
            // `water plot=(0, 1)`: the word before the `=` is the name of the parameter.
            let before = text[..equals].trim_end();
            let start = before.rfind(char::is_whitespace).unwrap_or(0);
            (text[..start].trim(), text[start..].trim())
        }
        _ => (text, ""),
    }
}

/// A parameter as written.
struct WrittenArgument<'t> {
    name: Option<&'t str>,
    value: &'t str,
}

/// `name=value` or `value`, separated by commas or spaces.
fn items(text: &str) -> Vec<WrittenArgument<'_>> {
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
                found.push(WrittenArgument { name: Some(unquoted(word)), value: unquoted(value) });
                rest = after;
            }
            Some(skipped) => rest = skipped,
            None => {
                found.push(WrittenArgument { name: None, value: unquoted(word) });
                rest = after;
            }
        }
    }
}

/// The first word in a text, or the first group in parentheses.
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

/// All integers in a text.
fn numbers(text: &str) -> Vec<u64> {
    text.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok()).collect()
}
