//! Actions as people write them: `[farmer, field, entity, name, {parameter: value}]`, `[farmer, field, entity, variable, [path]]`, or a
//! bare name.

use std::borrow::Cow;

use serde_json::{Value as Json, json};

use super::argument::Given;
use super::errors::ActionError;
use super::{ActionTable, ActionTarget, Allowed, Argument, BaseAction, Call, MAX_ARGUMENTS};
use crate::config::{NameError, Path, Problem};
use crate::declare::{ActionParameter, parse_tuple_text};
use crate::format::{MAX_EXPECTED, join_truncated};

/// The pieces of a written action, before any name is looked up.
struct ParsedAction<'j> {
    farmer: Option<&'j str>,
    field: Option<&'j str>,
    part: Option<&'j str>,
    name: &'j str,
    rest: ParsedArguments<'j>,
}

enum ParsedArguments<'j> {
    Nothing,
    Parameters(&'j Json),
    Path(&'j [Json]),
}

impl ActionTable {
    /// The action as written in the paper: `[farmer, field, entity, name, {parameter: value}]`. An observation has a path instead of
    /// parameters. An intervention with a unique name and no parameters is written as only that name.
    pub fn to_json(&self, call: &Call) -> Json {
        let base = &self.base_actions[call.base()];
        let (farmer, part) = (self.farmer(base), self.part(base));
        let field = part.field.map_or("", |f| self.fields[f].name.as_str());
        match &base.target {
            ActionTarget::Observation(request) => json!([farmer, field, part.name, request.name, request.path]),
            ActionTarget::Intervention(action) => {
                let action = &part.actions[*action];
                let same = |other: &&BaseAction| other.info(&self.parts).is_some_and(|a| a.name == action.name);
                if action.parameters.is_empty() && self.base_actions.iter().filter(same).count() == 1 {
                    return json!(action.name);
                }
                let mut parameters = serde_json::Map::new();
                for (parameter, argument) in self.arguments(call) {
                    parameters.insert(parameter.name.clone(), argument.to_json());
                }
                json!([farmer, field, part.name, action.name, parameters])
            }
        }
    }

    /// Each of a call's arguments with its parameter. An observation has no arguments.
    pub fn arguments<'c>(&'c self, call: &'c Call) -> impl Iterator<Item = (&'c ActionParameter, Argument<'c>)> {
        let base = &self.base_actions[call.base()];
        let parameters = base.info(&self.parts).map_or(&[][..], |action| &action.parameters);
        parameters
            .iter()
            .zip(&call.arguments)
            .map(|(parameter, value)| (parameter, self.argument(base, parameter, *value)))
    }

    fn argument<'p>(&self, base: &BaseAction, parameter: &'p ActionParameter, value: f64) -> Argument<'p> {
        Argument::new(&parameter.kind, value, self.field(base).map_or(1, |field| field.width))
    }

    /// The call on one line: `Field-0.Soil-0.water_discrete(plot=(0, 0), amount#L=5.0)` or `observe Field-0.Soil-0.depth#m`.
    /// If several farmers can act, the farmer's name comes first: `BasicFarmer-1: Field-0.Soil-0.water_discrete(…)`.
    pub fn describe(&self, call: &Call) -> String {
        format!("{}{}", self.address(&self.base_actions[call.base()]), self.unaddressed(call))
    }

    /// The call on one line, without its farmer.
    pub(super) fn unaddressed(&self, call: &Call) -> String {
        let base = &self.base_actions[call.base()];
        let part = self.part(base);
        let action = match &base.target {
            ActionTarget::Observation(request) => return format!("observe {}.{}", part.path, request.text()),
            ActionTarget::Intervention(action) => &part.actions[*action],
        };
        let shown = |(parameter, argument): (&ActionParameter, Argument<'_>)| match argument {
            Argument::Real(_) => format!("{}={}", parameter.name, argument.to_json()),
            _ => format!("{}={argument}", parameter.name),
        };
        let arguments: Vec<String> = self.arguments(call).map(shown).collect();
        if arguments.is_empty() {
            format!("{}.{}", part.path, action.name)
        } else {
            format!("{}.{}({})", part.path, action.name, arguments.join(", "))
        }
    }

    /// Reads a schedule, which is a list of actions or a single action.
    ///
    /// # Errors
    /// An action cannot be read. The error names the nearest match.
    pub fn parse(&self, json: &Json) -> Result<Vec<Call>, Box<Problem>> {
        let items = Self::schedule_items(json);
        let mut calls = Vec::with_capacity(items.len());
        for item in items {
            match (self.parse_call(item), item) {
                (Ok(call), _) => calls.push(call),
                // A bare name does not have to match exactly.
                (Err(_), Json::String(word)) if !word.trim_start().starts_with(['[', '{']) => {
                    calls.extend(self.read_action(word.trim())?);
                }
                (Err(problem), _) => return Err(problem),
            }
        }
        Ok(calls)
    }

    /// The actions in a schedule, which is either a list of actions or a single action.
    pub fn schedule_items(json: &Json) -> Vec<&Json> {
        match json {
            Json::Null => Vec::new(),
            // `[farmer, field, entity, name, {…} or […]]`, with or without the farmer, is one action.
            Json::Array(items) if is_one_action(items) => vec![json],
            Json::Array(items) => items.iter().collect(),
            single => vec![single],
        }
    }

    /// Reads one action.
    ///
    /// # Errors
    /// The action cannot be read or is not allowed. The error names the nearest match.
    pub fn parse_call(&self, json: &Json) -> Result<Call, Box<Problem>> {
        let said = self.said(json)?;
        let farmer_is = |base: &BaseAction| said.farmer.is_none_or(|f| f.is_empty() || self.farmer(base) == f);
        let part_is = |base: &BaseAction| {
            let info = self.part(base);
            let field = |f: &str| f.is_empty() || self.field(base).is_none_or(|field| field.name == f);
            said.part.is_none_or(|part| info.name == part) && said.field.is_none_or(field)
        };
        let wanted = match said.rest {
            ParsedArguments::Path(path) => Some(canonical(said.name, path).ok_or_else(|| {
                let problem =
                    Problem::new(ActionError::NotAnAction, Path::default(), "this is not a valid path to a value")
                        .value(json);
                Box::new(problem.expected("keys, a plot such as [2, 3], an index, or '*'"))
            })?),
            _ => None,
        };
        let name_is = |base: &BaseAction| match (&base.target, &wanted) {
            (ActionTarget::Observation(request), Some(wanted)) => request.canonical() == *wanted,
            (ActionTarget::Intervention(action), None) => {
                let (part, action) = (self.part(base), &self.part(base).actions[*action]);
                action.name == said.name || format!("{}.{}", part.path, action.name) == said.name
            }
            _ => false,
        };
        let able = || self.base_actions.iter().enumerate().filter(|(_, b)| part_is(b) && name_is(b));
        let found = || able().filter(|(_, b)| farmer_is(b));
        // An action is ambiguous if several parts have it.
        if let Some((_, base)) = found().next()
            && let Some((_, other)) = found().find(|(_, other)| other.part != base.part)
        {
            let paths = [base, other].map(|b| format!("{}.{}", self.part(b).path, said.name));
            let message = format!("`{}` is ambiguous: {} or {}", said.name, paths[0], paths[1]);
            return Err(Box::new(Problem::new(ActionError::ActionNotAllowed, Path::default(), message).value(json)));
        }
        let parameters = match said.rest {
            ParsedArguments::Parameters(parameters) => parameters,
            _ => &Json::Null,
        };
        // If several farmers can take the action, the first farmer that may take it with these parameters is chosen.
        let mut rejected = None;
        for (index, base) in found() {
            match self.parse_arguments(base, parameters) {
                Ok(arguments) => return Ok(Call { base: index as u32, arguments }),
                Err(problem) => rejected = rejected.or(Some(problem)),
            }
        }
        let farmers: Vec<&str> = able().map(|(_, base)| self.farmer(base)).collect();
        Err(rejected.unwrap_or_else(|| Box::new(self.not_allowed(&said, wanted, &farmers, json))))
    }

    fn said<'j>(&self, json: &'j Json) -> Result<ParsedAction<'j>, Box<Problem>> {
        let text = |key: &str| json.get(key).and_then(Json::as_str);
        let no_action = || {
            let problem =
                Problem::new(ActionError::NotAnAction, Path::default(), "this is not a valid action").value(json);
            Box::new(problem.expected("a name, or [farmer, field, entity, name, {parameter: value}]"))
        };
        match json {
            Json::String(name) => Ok(ParsedAction {
                farmer: None,
                field: None,
                part: None,
                name: name.as_str(),
                rest: ParsedArguments::Nothing,
            }),
            Json::Array(items) => {
                let texts = items.iter().take_while(|item| item.is_string()).count();
                let rest = match items.get(texts) {
                    None => ParsedArguments::Nothing,
                    Some(Json::Array(path)) => ParsedArguments::Path(path),
                    Some(Json::Null) => ParsedArguments::Nothing,
                    Some(parameters @ Json::Object(_)) => ParsedArguments::Parameters(parameters),
                    Some(_) => return Err(no_action()),
                };
                let words: Vec<&str> = items.iter().filter_map(Json::as_str).collect();
                // `'*'` instead of a path means everything below the name.
                let (words, rest) = match (words.as_slice(), rest) {
                    ([before @ .., "*"], ParsedArguments::Nothing) => (before.to_vec(), ParsedArguments::Path(&[][..])),
                    (words, rest) => (words.to_vec(), rest),
                };
                if items.len() > texts + 1 || words.len() > 4 {
                    return Err(no_action());
                }
                let Some((name, before)) = words.split_last() else { return Err(no_action()) };
                let at = |back: usize| before.len().checked_sub(back).map(|i| before[i]);
                Ok(ParsedAction { farmer: at(3), field: at(2), part: at(1), name, rest })
            }
            Json::Object(_) => {
                // Language models use several names for this key.
                let parameters = ["parameters", "params", "arguments"].into_iter().find_map(|key| json.get(key));
                let rest = match (json.get("path").and_then(Json::as_array), parameters) {
                    (Some(path), _) => ParsedArguments::Path(path),
                    (None, Some(parameters)) => ParsedArguments::Parameters(parameters),
                    (None, None) => ParsedArguments::Nothing,
                };
                let name = text("action").or(text("name")).ok_or_else(no_action)?;
                Ok(ParsedAction { farmer: text("farmer"), field: text("field"), part: text("entity"), name, rest })
            }
            _ => Err(no_action()),
        }
    }

    /// Explains why no action was found. `able` lists the farmers that could take this action.
    fn not_allowed(&self, said: &ParsedAction<'_>, wanted: Option<String>, able: &[&str], json: &Json) -> Problem {
        let farmers: Vec<&str> = self.base_actions.iter().map(|base| self.farmer(base)).collect();
        if let Some(farmer) = said.farmer
            && !farmer.is_empty()
            && !farmers.contains(&farmer)
        {
            let message = format!("no farmer `{farmer}` can act in this game");
            return Problem::new(ActionError::UnknownFarmer, Path::default(), message)
                .value(farmer)
                .among(farmer, farmers);
        }
        if let Some(farmer) = said.farmer.filter(|farmer| !farmer.is_empty() && !able.is_empty()) {
            let message = format!("`{farmer}` may not do this in this game");
            return Problem::new(ActionError::ActionNotAllowed, Path::default(), message)
                .value(farmer)
                .among(farmer, able.iter().copied());
        }
        if let Some(field) = said.field.filter(|f| !f.is_empty() && self.fields.iter().all(|field| field.name != *f)) {
            let problem =
                Problem::new(NameError::UnknownField, Path::default(), format!("there is no field `{field}`"))
                    .value(field);
            return problem.among(field, self.fields.iter().map(|field| field.name.as_str()));
        }
        if let Some(part) = said.part.filter(|name| self.parts.iter().all(|part| part.name != *name)) {
            let mut parts: Vec<&str> = self.base_actions.iter().map(|base| self.part(base).name.as_str()).collect();
            parts.dedup();
            return Problem::new(NameError::UnknownPart, Path::default(), format!("there is no part `{part}`"))
                .value(part)
                .among(part, parts);
        }
        let mut here =
            self.base_actions.iter().filter(|base| said.part.is_none_or(|part| self.part(base).name == part));
        if let Some(wanted) = wanted {
            let requests: Vec<String> = here
                .filter_map(|base| match &base.target {
                    ActionTarget::Observation(request) => Some(request.canonical()),
                    ActionTarget::Intervention(_) => None,
                })
                .collect();
            let message = match requests.is_empty() && self.observation_count() == 0 {
                true => "observations cannot be requested in this game: all of them are free of charge".to_owned(),
                false => format!("the rules of this game allow no observation `{wanted}`"),
            };
            let problem = Problem::new(ActionError::ActionNotAllowed, Path::default(), message).value(json);
            return problem.among(&wanted, requests.iter().map(String::as_str));
        }
        let interventions = |base: &BaseAction| base.info(&self.parts).map(|action| action.name.clone());
        let mut names: Vec<String> = here.by_ref().filter_map(interventions).collect();
        if names.is_empty() {
            names = self.base_actions.iter().filter_map(interventions).collect();
        }
        let message = format!("the rules of this game allow no action `{}`", said.name);
        let problem = Problem::new(NameError::UnknownAction, Path::default(), message).value(said.name);
        problem.among(said.name, names.iter().map(String::as_str))
    }

    fn parse_arguments(&self, base: &BaseAction, given: &Json) -> Result<[f64; MAX_ARGUMENTS], Box<Problem>> {
        let Some(action) = base.info(&self.parts) else { return Ok([0.0; MAX_ARGUMENTS]) };
        let known = || action.parameters.iter().map(|p| p.name.as_str());
        if let Some(unknown) =
            given.as_object().into_iter().flatten().map(|(k, _)| k).find(|k| !known().any(|n| n == *k))
        {
            let message = format!("`{}` has no parameter `{unknown}`", action.name);
            return Err(Box::new(
                Problem::new(ActionError::UnknownArgument, Path::default(), message)
                    .value(given)
                    .among(unknown, known()),
            ));
        }
        self.numbers_of(base, |parameter| {
            let written = given.get(&parameter.name)?;
            Some(Given { argument: Argument::from_json(&parameter.kind, written), written: Cow::Borrowed(written) })
        })
    }

    /// Converts parameter values that a front end has parsed into a call's numbers.
    ///
    /// # Errors
    /// An argument is missing, or the rules do not allow it.
    pub(super) fn numbers_of<'g>(
        &self,
        base: &BaseAction,
        given: impl Fn(&ActionParameter) -> Option<Given<'g>>,
    ) -> Result<[f64; MAX_ARGUMENTS], Box<Problem>> {
        let mut arguments = [0.0; MAX_ARGUMENTS];
        let Some(action) = base.info(&self.parts) else { return Ok(arguments) };
        for ((slot, parameter), allowed) in arguments.iter_mut().zip(&action.parameters).zip(&base.parameters) {
            let value = given(parameter);
            let only = match allowed {
                Allowed::Values(values) if values.len() == 1 => Some(values[0]),
                _ => None,
            };
            let number = match &value {
                None => only,
                Some(value) => value.argument.and_then(|value| value.number(&parameter.kind, self.field(base))),
            };
            match number.filter(|n| allowed.contains(*n)) {
                Some(number) => *slot = number,
                None => {
                    let message = match value {
                        None => format!("`{}` needs `{}`", action.name, parameter.name),
                        Some(_) => format!("`{}` does not allow this value of `{}`", action.name, parameter.name),
                    };
                    let problem = Problem::new(ActionError::WrongArgument, Path::default(), message)
                        .expected(self.expectation(base, parameter, allowed));
                    return Err(Box::new(match value {
                        Some(value) => problem.value(value.written),
                        None => problem,
                    }));
                }
            }
        }
        Ok(arguments)
    }

    fn expectation(&self, base: &BaseAction, parameter: &ActionParameter, allowed: &Allowed) -> String {
        match allowed {
            Allowed::Range { low, high } => format!("a number from {low} to {high}"),
            Allowed::Values(values) => {
                let word = |value: &f64| self.argument(base, parameter, *value).to_json().to_string();
                format!("one of {}", join_truncated(values.iter(), MAX_EXPECTED, word).join(", "))
            }
        }
    }
}

impl super::Request {
    /// The name and its path as a single word: `air_temperature.max#°C`, `size#cm(2, 3)`.
    pub fn text(&self) -> String {
        self.canonical()
    }

    pub(crate) fn canonical(&self) -> String {
        canonical(&self.name, &self.path).unwrap_or_else(|| self.name.clone())
    }
}

/// The canonical form of a name and a path: keys joined by dots, followed by the indices. `None` if the path is not valid.
fn canonical(name: &str, path: &[Json]) -> Option<String> {
    let mut text = name.to_owned();
    let mut indices: Vec<u64> = Vec::new();
    for item in path {
        match item {
            Json::String(word) if word == "*" => {}
            Json::String(word) if word.starts_with('(') => {
                let plot = parse_tuple_text(word)?;
                indices.extend(plot.into_iter().map(|i| i as u64));
            }
            Json::String(key) => {
                text.push('.');
                text.push_str(key);
            }
            Json::Number(index) => indices.push(index.as_u64()?),
            Json::Array(plot) => {
                for index in plot {
                    indices.push(index.as_u64()?);
                }
            }
            _ => return None,
        }
    }
    if !indices.is_empty() {
        let indices: Vec<String> = indices.iter().map(u64::to_string).collect();
        text.push_str(&format!("({})", indices.join(", ")));
    }
    Some(text)
}

/// Whether a list is a complete action rather than a path. A complete action has everything before its name, and then parameters or a path.
fn is_written_out(items: &[Json]) -> bool {
    let is_plot = |item: &Json| item.as_array().is_none_or(|plot| plot.iter().all(Json::is_number));
    items.iter().take_while(|item| item.is_string()).count() >= 4
        || items.iter().any(|item| item.is_object() || !is_plot(item))
}

/// Whether a list is one action rather than a list of actions. One action consists of strings, followed by parameters or a path.
fn is_one_action(items: &[Json]) -> bool {
    let Some((last, before)) = items.split_last() else { return false };
    match last {
        // `["harvest", {"action": …}]` is a list of two actions.
        Json::Object(entries) => {
            let is_action = entries.contains_key("action") || entries.contains_key("name");
            !before.is_empty() && before.iter().all(Json::is_string) && !is_action
        }
        // `["MoveN", []]` is a name and a path. `[["a", …], ["b", …]]` and `["a", ["b", …, {…}]]` are lists of actions.
        Json::Array(path) => !before.is_empty() && before.iter().all(Json::is_string) && !is_written_out(path),
        // With `'*'` instead of a path, the action must have everything before the path. A list of names is therefore still a list.
        Json::String(word) => word == "*" && before.len() == 4 && before.iter().all(Json::is_string),
        _ => false,
    }
}
