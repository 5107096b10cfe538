//! The action catalogue: what may be done in a game, as base actions, as a flat list, and by name.

use std::sync::Arc;

use serde_json::{Value as Json, json};

use crate::config::{Path, Problem};
use crate::declare::{ActionParameter, ActionParameterKind, FieldInfo, PartInfo};
use crate::reference::parse_tuple;
use crate::space::Space;

/// The most parameters an action can have.
pub const MAX_ARGUMENTS: usize = 4;

/// One action with its arguments, ready to execute.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Call {
    pub(crate) base: u16,
    pub(crate) arguments: [f64; MAX_ARGUMENTS],
}

impl Call {
    /// Which base action of the catalogue it is.
    pub fn base(&self) -> usize {
        self.base as usize
    }
}

/// The arguments of a call, as the acting part receives them.
#[derive(Debug, Clone, Copy)]
pub struct CallArguments<'a>(pub(crate) &'a [f64; MAX_ARGUMENTS]);

impl CallArguments<'_> {
    /// A plot, by flat index.
    #[inline]
    pub fn plot(&self, parameter: usize) -> usize {
        self.0[parameter] as usize
    }

    /// A real number.
    #[inline]
    pub fn real(&self, parameter: usize) -> f64 {
        self.0[parameter]
    }

    /// A word, by index.
    #[inline]
    pub fn choice(&self, parameter: usize) -> usize {
        self.0[parameter] as usize
    }
}

/// What values the rules leave to a parameter.
#[derive(Debug, Clone, PartialEq)]
pub enum Allowed {
    /// One of these: plots and words by index, reals by value.
    Values(Vec<f64>),
    /// Any real in a closed range.
    Range {
        /// Lowest value.
        low: f64,
        /// Highest value.
        high: f64,
    },
}

impl Allowed {
    /// The values that a flat list of actions offers: all of them, or `bins` evenly spaced ones of a range.
    pub fn offered(&self, bins: usize) -> Vec<f64> {
        match self {
            Self::Values(values) => values.clone(),
            Self::Range { low, .. } if bins <= 1 => vec![*low],
            Self::Range { low, high } => (0..bins).map(|k| low + (high - low) * k as f64 / (bins - 1) as f64).collect(),
        }
    }

    fn contains(&self, value: f64) -> bool {
        match self {
            Self::Values(values) => values.contains(&value),
            Self::Range { low, high } => (*low..=*high).contains(&value),
        }
    }
}

/// An action of a part as the rules allow it.
#[derive(Debug, Clone, PartialEq)]
pub struct BaseAction {
    /// Rank of the farmer who executes it.
    pub farmer: usize,
    /// Index of the acting part.
    pub part: usize,
    /// Index of the action within the part.
    pub action: usize,
    /// What its parameters may be.
    pub parameters: Vec<Allowed>,
    /// What one execution costs.
    pub cost: f64,
}

/// All that may be done in a game.
#[derive(Debug, Clone, Default)]
pub struct Catalogue {
    /// The base actions in the order of the rules.
    pub bases: Vec<BaseAction>,
    /// Every base action with every combination of the values offered.
    pub calls: Vec<Call>,
    /// How many values of a continuous parameter the flat list offers.
    pub bins: usize,
    /// The most actions in one schedule.
    pub max_schedule: usize,
    /// The call that only lets time pass, if the game has one; otherwise an empty schedule does.
    wait: Option<usize>,
    parts: Arc<Vec<PartInfo>>,
    fields: Vec<Arc<FieldInfo>>,
}

impl Catalogue {
    pub(crate) fn new(
        bases: Vec<BaseAction>,
        bins: usize,
        max_schedule: usize,
        parts: Arc<Vec<PartInfo>>,
        fields: Vec<Arc<FieldInfo>>,
    ) -> Self {
        let mut calls = Vec::new();
        for (i, base) in bases.iter().enumerate() {
            let offered: Vec<Vec<f64>> = base.parameters.iter().map(|p| p.offered(bins)).collect();
            let combinations: usize = offered.iter().map(Vec::len).product();
            for combination in 0..combinations {
                // The last parameter varies fastest.
                let mut arguments = [0.0; MAX_ARGUMENTS];
                let mut rest = combination;
                for (slot, values) in arguments.iter_mut().zip(&offered).rev() {
                    *slot = values[rest % values.len()];
                    rest /= values.len();
                }
                calls.push(Call { base: i as u16, arguments });
            }
        }
        let waits = |call: &Call| {
            let base = &bases[call.base()];
            parts[base.part].actions[base.action].waits
        };
        let wait = calls.iter().position(waits);
        Self { bases, calls, bins, max_schedule, wait, parts, fields }
    }

    /// Size of the flat list: every call, and doing nothing where the game has no action for it (id 0 then).
    pub fn discrete_len(&self) -> usize {
        self.calls.len() + usize::from(self.wait.is_none())
    }

    /// The schedule of an id of the flat list: one call, or none.
    #[inline]
    pub fn discrete(&self, id: usize) -> Option<&[Call]> {
        match self.wait {
            Some(_) => self.calls.get(id).map(std::slice::from_ref),
            None if id == 0 => Some(&[]),
            None => self.calls.get(id - 1).map(std::slice::from_ref),
        }
    }

    /// The schedule that only lets time pass.
    pub fn waiting(&self) -> &[Call] {
        match self.wait {
            Some(index) => &self.calls[index..=index],
            None => &[],
        }
    }

    fn info(&self, base: &BaseAction) -> (&PartInfo, &crate::declare::ActionInfo) {
        let part = &self.parts[base.part];
        (part, &part.actions[base.action])
    }

    /// The call as the paper writes an action: `[farmer, field, entity, name, {parameter: value}]`; a plain word for an
    /// action of the farmer or of a part with a name of its own and no parameters.
    pub fn to_json(&self, call: &Call) -> Json {
        let base = &self.bases[call.base()];
        let (part, action) = self.info(base);
        if action.parameters.is_empty() && self.bases.iter().filter(|b| self.info(b).1.name == action.name).count() == 1
        {
            return json!(action.name);
        }
        let mut parameters = serde_json::Map::new();
        for (parameter, value) in action.parameters.iter().zip(call.arguments) {
            parameters.insert(parameter.name.clone(), self.argument_json(base, parameter, value));
        }
        let farmers = self.parts.iter().filter(|p| p.field.is_none());
        let farmer = farmers.map(|p| p.name.as_str()).nth(base.farmer).unwrap_or_default();
        let field = part.field.map_or("", |f| self.fields[f].name.as_str());
        json!([farmer, field, part.name, action.name, parameters])
    }

    fn argument_json(&self, base: &BaseAction, parameter: &ActionParameter, value: f64) -> Json {
        match &parameter.kind {
            ActionParameterKind::Plot => {
                let width = self.field(base).map_or(1, |f| f.width);
                json!([value as usize / width, value as usize % width])
            }
            ActionParameterKind::Real { .. } => json!(value),
            ActionParameterKind::Choice(words) => json!(words[value as usize]),
        }
    }

    fn field(&self, base: &BaseAction) -> Option<&FieldInfo> {
        self.parts[base.part].field.map(|f| self.fields[f].as_ref())
    }

    /// The call in one line: `Field-0.Soil-0.water_discrete(plot=(0, 0), amount#L=5)`.
    pub fn describe(&self, call: &Call) -> String {
        let base = &self.bases[call.base()];
        let (part, action) = self.info(base);
        let arguments: Vec<String> = action
            .parameters
            .iter()
            .zip(call.arguments)
            .map(|(parameter, value)| {
                let shown = match self.argument_json(base, parameter, value) {
                    Json::Array(plot) => format!("({}, {})", plot[0], plot[1]),
                    Json::String(word) => word,
                    other => other.to_string(),
                };
                format!("{}={shown}", parameter.name)
            })
            .collect();
        if arguments.is_empty() {
            format!("{}.{}", part.path, action.name)
        } else {
            format!("{}.{}({})", part.path, action.name, arguments.join(", "))
        }
    }

    /// Reads one line: a bare name, or JSON (an action or a list of actions).
    ///
    /// # Errors
    /// What cannot be read, with the nearest name.
    pub fn parse_line(&self, line: &str) -> Result<Vec<Call>, Box<Problem>> {
        let line = line.trim();
        if line.starts_with(['[', '{', '"']) {
            let json = serde_json::from_str(line).map_err(|error| {
                Box::new(
                    Problem::new(Path::default(), format!("this is not valid JSON: {error}"))
                        .value(line)
                        .expected("a name, or JSON such as [\"FARMER-0\", \"Field-0\", \"ENTITY-0\", \"ACTION\", {}]"),
                )
            })?;
            self.parse(&json)
        } else {
            self.parse(&Json::String(line.to_owned()))
        }
    }

    /// Reads a schedule: a list of actions, or one action.
    ///
    /// # Errors
    /// What cannot be read, with the nearest name.
    pub fn parse(&self, json: &Json) -> Result<Vec<Call>, Box<Problem>> {
        match json {
            Json::Null => Ok(Vec::new()),
            // `[farmer, field, entity, name, {…}]`, with or without the farmer, is one action.
            Json::Array(items)
                if !items.is_empty()
                    && items[..items.len() - 1].iter().all(Json::is_string)
                    && items.last().is_some_and(Json::is_object) =>
            {
                Ok(vec![self.parse_call(json)?])
            }
            Json::Array(items) => items.iter().map(|item| self.parse_call(item)).collect(),
            Json::String(word) if word.eq_ignore_ascii_case("wait") => Ok(self.waiting().to_vec()),
            single => Ok(vec![self.parse_call(single)?]),
        }
    }

    fn parse_call(&self, json: &Json) -> Result<Call, Box<Problem>> {
        let text = |key: &str| json.get(key).and_then(Json::as_str);
        let (part, name, parameters) = match json {
            Json::String(name) => (None, name.as_str(), None),
            Json::Array(items) => {
                let words: Vec<&str> = items.iter().filter_map(Json::as_str).collect();
                let part = words.len().checked_sub(2).map(|i| (words.len().checked_sub(3).map(|f| words[f]), words[i]));
                (part, words.last().copied().unwrap_or_default(), items.last().filter(|v| v.is_object()))
            }
            Json::Object(_) => {
                let part = text("entity").map(|entity| (text("field"), entity));
                (part, text("action").or(text("name")).unwrap_or_default(), json.get("parameters"))
            }
            _ => return Err(Box::new(Problem::new(Path::default(), "this is no action").value(json))),
        };
        let matches = |base: &&BaseAction| {
            let (info, action) = self.info(base);
            let right_part = part.is_none_or(|(field, entity)| {
                let right_field =
                    field.is_none_or(|f| f.is_empty() || self.field(base).is_none_or(|info| info.name == f));
                info.name == entity && right_field
            });
            right_part && (action.name == name || format!("{}.{}", info.path, action.name) == name)
        };
        let mut found = self.bases.iter().filter(matches);
        let Some(base) = found.next() else {
            let names: Vec<&str> = self.bases.iter().map(|b| self.info(b).1.name.as_str()).collect();
            let message = format!("the rules of this game allow no action `{name}`");
            return Err(Box::new(Problem::new(Path::default(), message).value(json).among(name, names)));
        };
        if let Some(other) = found.next() {
            let paths = [base, other].map(|b| format!("{}.{name}", self.info(b).0.path));
            let message = format!("`{name}` is ambiguous: {} or {}", paths[0], paths[1]);
            return Err(Box::new(Problem::new(Path::default(), message).value(json)));
        }
        let arguments = self.parse_arguments(base, parameters.unwrap_or(&Json::Null))?;
        let index = self.bases.iter().position(|b| std::ptr::eq(b, base)).unwrap_or_default();
        Ok(Call { base: index as u16, arguments })
    }

    fn parse_arguments(&self, base: &BaseAction, given: &Json) -> Result<[f64; MAX_ARGUMENTS], Box<Problem>> {
        let (_, action) = self.info(base);
        let known: Vec<&str> = action.parameters.iter().map(|p| p.name.as_str()).collect();
        if let Some(unknown) =
            given.as_object().into_iter().flatten().map(|(k, _)| k).find(|k| !known.contains(&k.as_str()))
        {
            let message = format!("`{}` has no parameter `{unknown}`", action.name);
            return Err(Box::new(Problem::new(Path::default(), message).value(given).among(unknown, known)));
        }
        let mut arguments = [0.0; MAX_ARGUMENTS];
        for ((slot, parameter), allowed) in arguments.iter_mut().zip(&action.parameters).zip(&base.parameters) {
            let value = given.get(&parameter.name);
            let only = match allowed {
                Allowed::Values(values) if values.len() == 1 => Some(values[0]),
                _ => None,
            };
            let number = match value {
                None => only,
                Some(value) => self.argument_number(base, parameter, value),
            };
            match number.filter(|n| allowed.contains(*n)) {
                Some(number) => *slot = number,
                None => {
                    let message = match value {
                        None => format!("`{}` needs `{}`", action.name, parameter.name),
                        Some(_) => format!("`{}` does not allow this `{}`", action.name, parameter.name),
                    };
                    let problem =
                        Problem::new(Path::default(), message).expected(self.expectation(base, parameter, allowed));
                    return Err(Box::new(match value {
                        Some(value) => problem.value(value),
                        None => problem,
                    }));
                }
            }
        }
        Ok(arguments)
    }

    fn argument_number(&self, base: &BaseAction, parameter: &ActionParameter, value: &Json) -> Option<f64> {
        match &parameter.kind {
            ActionParameterKind::Plot => {
                let yaml = serde_yaml::to_value(value).ok()?;
                plot_index(&parse_tuple(&yaml)?, self.field(base)?).map(|i| i as f64)
            }
            ActionParameterKind::Real { .. } => value.as_f64(),
            ActionParameterKind::Choice(words) => {
                let word = value.as_str()?;
                words.iter().position(|w| w == word).map(|i| i as f64)
            }
        }
    }

    fn expectation(&self, base: &BaseAction, parameter: &ActionParameter, allowed: &Allowed) -> String {
        match allowed {
            Allowed::Range { low, high } => format!("a number from {low} to {high}"),
            Allowed::Values(values) => {
                let mut shown: Vec<String> =
                    values.iter().take(12).map(|v| self.argument_json(base, parameter, *v).to_string()).collect();
                if values.len() > 12 {
                    shown.push(format!("… ({} in all)", values.len()));
                }
                format!("one of {}", shown.join(", "))
            }
        }
    }

    /// The paper's action space: `MultiUnion[m]` over the base actions, each a `Dict` of its parameters.
    pub fn space(&self) -> Space {
        let options = self
            .bases
            .iter()
            .map(|base| {
                let (_, action) = self.info(base);
                let parameter = |(p, allowed): (&ActionParameter, &Allowed)| {
                    let space = match allowed {
                        Allowed::Values(values) => Space::Discrete { n: values.len() },
                        Allowed::Range { low, high } => Space::scalar(*low, *high),
                    };
                    (p.name.clone(), space)
                };
                Space::Dict(action.parameters.iter().zip(&base.parameters).map(parameter).collect())
            })
            .collect();
        Space::MultiUnion { spaces: options, max: self.max_schedule }
    }
}

/// The flat index of a plot `(x, y)` of a field; none outside it.
pub(crate) fn plot_index(plot: &[usize], field: &FieldInfo) -> Option<usize> {
    match plot {
        [x, y] if *x < field.length && *y < field.width => Some(x * field.width + y),
        _ => None,
    }
}
