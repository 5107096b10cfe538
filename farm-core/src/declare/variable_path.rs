//! Names in a configuration that refer to values in the state: `[Field-0, Soil-0, available_Water#L, [(0, 0)]]`.

use serde_yaml::Value;

use super::{FieldInfo, PartInfo, UsualStart, ValueKind, VariableInfo};
use crate::config::{NameError, Path, Problem, Problems, Tool, to_inline_yaml};
use crate::format::{day_of, is_day_of_year};
use crate::state::StateSlice;

/// A reference to a variable or an observable, or to one of its values.
#[derive(Debug, Clone, PartialEq, farm_macros::Getters)]
pub struct Reference {
    /// The index of the part.
    pub(crate) part: usize,
    /// The part's quantity that the reference points to.
    #[getter(copy)]
    pub(crate) quantity: Quantity,
    /// The flat index of a single value; `None` for all values.
    pub(crate) element: Option<usize>,
    /// The full name, such as `Field-0.Soil-0.available_Water#L(0, 0)`.
    pub(crate) name: String,
}

impl Reference {
    /// Creates a reference to all values of one quantity. `part` is the part's index, and messages use `name`.
    pub fn new(part: usize, quantity: Quantity, name: impl Into<String>) -> Self {
        Self { part, quantity, element: None, name: name.into() }
    }

    /// Narrows the reference to a single value, given by flat index.
    pub fn at(self, element: usize) -> Self {
        Self { element: Some(element), ..self }
    }
}

/// The quantity that a reference points to. Match it without a `_` arm, so that all code that reads values must handle any new quantity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Quantity {
    /// One of the part's variables, by index.
    Variable(usize),
    /// One of the part's observables, by index.
    Observable(usize),
    /// The number of steps left until the limit in the rules.
    Remaining,
    /// The number of steps taken.
    Step,
}

/// The names that references are resolved against.
#[derive(Debug, Clone, Copy)]
pub struct Names<'a> {
    /// All parts in the game.
    pub(crate) parts: &'a [PartInfo],
    /// All fields in the game.
    pub(crate) fields: &'a [std::sync::Arc<FieldInfo>],
}

impl Names<'_> {
    /// Finds the farm-level part named `first`, or the part named `second` in the field named `first`. Returns its index and the number of
    /// names used.
    pub fn part(&self, first: &str, second: Option<&str>) -> Option<(usize, usize)> {
        if let Some(field) = self.fields.iter().position(|f| f.name == first) {
            let named = |p: &PartInfo| p.field == Some(field) && Some(p.name.as_str()) == second;
            return self.parts.iter().position(named).map(|i| (i, 2));
        }
        self.parts.iter().position(|p| p.field.is_none() && p.name == first).map(|i| (i, 1))
    }

    /// The problem to report for a name that is neither a field nor a farm-level part, or that is not a part in its field.
    pub fn unknown_part(&self, first: &str, second: Option<&str>, path: &Path) -> Problem {
        if let (Some(field), Some(second)) = (self.fields.iter().position(|f| f.name == first), second) {
            let names = self.parts.iter().filter(|p| p.field == Some(field)).map(|p| p.name.as_str());
            return Problem::new(
                NameError::UnknownPart,
                path.clone(),
                format!("field `{first}` has no part `{second}`"),
            )
            .value(second)
            .among(second, names);
        }
        let farm_level = self.parts.iter().filter(|p| p.field.is_none()).map(|p| p.name.as_str());
        let names = self.fields.iter().map(|f| f.name.as_str()).chain(farm_level);
        let problem = Problem::new(
            NameError::UnknownField,
            path.clone(),
            format!("`{first}` is neither a field nor a part of the farm"),
        )
        .value(first)
        .among(first, names);
        match first.split_once('.') {
            Some((field, rest)) if self.fields.iter().any(|f| f.name == field) => {
                let rest = rest.replacen('.', ", ", 1);
                Problem { nearest: None, ..problem.help(format!("write it as a list: [{field}, {rest}]")) }
            }
            _ => problem,
        }
    }

    /// The shape and location of the part's field, if it has one.
    pub fn field_of(&self, part: usize) -> Option<&FieldInfo> {
        self.parts[part].field.map(|f| self.fields[f].as_ref())
    }

    /// Resolves a list `[field, part, name, path]` or `[part, name, path]`, or a word such as `remaining`.
    ///
    /// A name may refer to a group: `air_temperature` means `air_temperature.mean#°C` and its siblings.
    pub fn resolve(&self, value: &Value, path: &Path, problems: &mut Problems) -> Vec<Reference> {
        let items: Vec<&Value> = match value {
            Value::Sequence(items) => items.iter().collect(),
            single => vec![single],
        };
        let word = |i: usize| items.get(i).and_then(|v| v.as_str());
        let Some(first) = word(0) else {
            problems.push(bad_form(value, path));
            return Vec::new();
        };
        match first {
            "remaining" | "step" => {
                let quantity = if first == "step" { Quantity::Step } else { Quantity::Remaining };
                return vec![Reference { part: 0, quantity, element: None, name: first.to_owned() }];
            }
            _ => {}
        }
        let Some((part, used)) = self.part(first, word(1)) else {
            // If the value is a list, the problem points at the word that is unknown.
            let is_field = word(1).is_some() && self.fields.iter().any(|field| field.name == first);
            let place = if value.is_sequence() { path.child(usize::from(is_field)) } else { path.clone() };
            problems.push(self.unknown_part(first, word(1), &place));
            return Vec::new();
        };
        let Some(name) = word(used) else {
            problems.push(bad_form(value, path));
            return Vec::new();
        };
        let steps: Vec<&Value> = match items.get(used + 1) {
            None | Some(Value::Null) => Vec::new(),
            Some(Value::Sequence(steps)) => steps.iter().collect(),
            Some(single) => vec![single],
        };
        let before = problems.0.len();
        let found = self.resolve_in(part, name, &steps, path, problems);
        for problem in &mut problems.0[before..] {
            let is_entry = problem.is(NameError::UnknownEntry);
            problem.path = path.child(used + usize::from(is_entry));
        }
        found
    }

    /// Resolves a name and a path within one part.
    pub fn resolve_in(
        &self,
        part: usize,
        name: &str,
        steps: &[&Value],
        path: &Path,
        problems: &mut Problems,
    ) -> Vec<Reference> {
        let info = &self.parts[part];
        let mut name = name.to_owned();
        let mut steps = steps.to_vec();
        // Group keys come first: `air_temperature`, `max#°C`.
        while let Some(key) = steps.first().and_then(|v| v.as_str()).filter(|key| *key != "*") {
            let longer = format!("{name}.{key}");
            if !self.quantities(part).any(|(_, n, ..)| n == longer || n.starts_with(&format!("{longer}."))) {
                break;
            }
            name = longer;
            steps.remove(0);
        }
        let group = format!("{name}.");
        let found: Vec<_> = self.quantities(part).filter(|(_, n, ..)| *n == name || n.starts_with(&group)).collect();
        if found.is_empty() {
            let names = self.quantities(part).map(|(_, n, ..)| n).collect::<Vec<_>>();
            problems.push(
                Problem::new(
                    NameError::UnknownVariable,
                    path.clone(),
                    format!("`{}` has no variable `{name}`", info.path),
                )
                .value(&name)
                .among(&name, names.iter().copied())
                .help(Tool::describe(&info.kind).and(" lists its variables")),
            );
            return Vec::new();
        }
        let steps: Vec<&Value> = steps.into_iter().filter(|v| v.as_str() != Some("*")).collect();
        let mut references = Vec::new();
        for (quantity, name, shape) in found {
            let full = format!("{}.{name}", info.path);
            match element(&steps, shape) {
                Ok(None) => references.push(Reference { part, quantity, element: None, name: full }),
                Ok(Some(index)) => {
                    let shown = steps.iter().map(|v| to_inline_yaml(v)).collect::<Vec<_>>().join(", ");
                    let name = format!("{full}{}", if shown.starts_with('(') { shown } else { format!("[{shown}]") });
                    references.push(Reference { part, quantity, element: Some(index), name });
                }
                Err(expected) => problems.push(
                    Problem::new(NameError::UnknownEntry, path.clone(), format!("`{full}` has no such entry"))
                        .value(steps.iter().map(|v| to_inline_yaml(v)).collect::<Vec<_>>().join(", "))
                        .expected(expected),
                ),
            }
        }
        references
    }

    /// Splits a reference as in the paper: field (empty for the farm's own parts), part, name, and the keys below the name.
    pub fn split(&self, reference: &Reference) -> (&str, &str, String, Vec<String>) {
        let info = &self.parts[reference.part];
        let name = match reference.quantity {
            Quantity::Variable(i) => &info.variables[i].name,
            Quantity::Observable(i) => &info.observables[i].name,
            Quantity::Step | Quantity::Remaining => return ("", "", reference.name.clone(), Vec::new()),
        };
        let keys: Vec<String> = info.split_name(name).into_iter().map(str::to_owned).collect();
        (info.field.map_or("", |f| self.fields[f].name.as_str()), &info.name, keys[0].clone(), keys[1..].to_vec())
    }

    /// A value's index as written in a path: a number, or a list if there are several axes, as for a plot.
    pub fn index_json(&self, reference: &Reference, flat: usize) -> serde_json::Value {
        let (_, shape) = self.kind_and_shape(reference);
        let mut rest = flat;
        let mut indices: Vec<usize> = Vec::with_capacity(shape.len());
        for n in shape.iter().rev() {
            indices.push(rest % n.max(&1));
            rest /= n.max(&1);
        }
        indices.reverse();
        match indices.as_slice() {
            [single] => serde_json::json!(single),
            several => serde_json::json!(several),
        }
    }

    fn quantities(&self, part: usize) -> impl Iterator<Item = (Quantity, &str, &[usize])> {
        let info = &self.parts[part];
        let variables = info.variables.iter().enumerate();
        let observables = info.observables.iter().enumerate();
        variables
            .map(|(i, v)| (Quantity::Variable(i), v.name.as_str(), v.shape.as_slice()))
            .chain(observables.map(|(i, o)| (Quantity::Observable(i), o.name.as_str(), o.shape.as_slice())))
    }

    /// The range of values with which games usually start the quantity.
    pub fn usual_start(&self, reference: &Reference) -> Option<&UsualStart> {
        match reference.quantity {
            Quantity::Variable(i) => self.parts[reference.part].variables[i].usual_start.as_ref(),
            Quantity::Observable(_) | Quantity::Remaining | Quantity::Step => None,
        }
    }

    /// How the values of a reference are written.
    pub(crate) fn value_form(&self, reference: &Reference) -> ValueForm {
        let (kind, _) = self.kind_and_shape(reference);
        let variable = match reference.quantity {
            Quantity::Variable(i) => Some(&self.parts[reference.part].variables[i]),
            Quantity::Observable(_) | Quantity::Remaining | Quantity::Step => None,
        };
        ValueForm {
            kind,
            synonyms: variable.map_or(&[], |variable| variable.synonyms),
            is_day: variable.is_some_and(|variable| is_day_of_year(&variable.name)),
        }
    }

    /// The kind and shape of the quantity that a reference points to. The shape always describes the entire quantity.
    pub fn kind_and_shape(&self, reference: &Reference) -> (ValueKind, Vec<usize>) {
        // Step counts belong to no part, and there may be no parts yet.
        let info = || &self.parts[reference.part];
        match reference.quantity {
            Quantity::Variable(i) => (info().variables[i].kind.clone(), info().variables[i].shape.clone()),
            Quantity::Observable(i) => (info().observables[i].kind.clone(), info().observables[i].shape.clone()),
            Quantity::Remaining | Quantity::Step => (ValueKind::Count { low: 0, high: i32::MAX }, Vec::new()),
        }
    }
}

/// How a variable's values are written.
#[derive(Debug, Clone)]
pub(crate) struct ValueForm {
    /// The kind of value.
    pub(crate) kind: ValueKind,
    /// Synonyms for the value names, as pairs of a synonym and a name.
    pub(crate) synonyms: &'static [(&'static str, &'static str)],
    /// Whether the values are days of the year, which users may write as dates.
    pub(crate) is_day: bool,
}

impl ValueForm {
    /// The form of plain values, without synonyms or dates.
    pub(crate) fn plain(kind: ValueKind) -> Self {
        Self { kind, synonyms: &[], is_day: false }
    }

    /// A noun for one of the values, for use in messages.
    pub(crate) fn noun(&self) -> String {
        match (&self.kind, self.is_day) {
            (kind, true) => format!("a day of the year, {}, or a date such as `10 April`", kind_range(kind)),
            _ if self.is_share() => "a share from 0 to 1".to_owned(),
            (kind, false) => kind.noun().to_owned(),
        }
    }

    /// Whether the values are shares of a whole.
    pub(crate) fn is_share(&self) -> bool {
        matches!(self.kind, ValueKind::Real { .. }) && self.kind.range() == (0.0, 1.0)
    }

    /// Converts a YAML value to a number, without checking its range.
    pub(crate) fn read(&self, value: &Value) -> Option<f64> {
        let date = || value.as_str().filter(|_| self.is_day).and_then(day_of);
        self.kind.read(value).or_else(|| date().map(f64::from))
    }

    /// Parses one end of a range: a number or a date.
    pub(crate) fn read_end(&self, end: &str) -> Option<f64> {
        end.trim().parse().ok().or_else(|| day_of(end).filter(|_| self.is_day).map(f64::from))
    }
}

/// A kind's range, in words.
fn kind_range(kind: &ValueKind) -> String {
    let (low, high) = kind.range();
    format!("from {low} to {high}")
}

fn bad_form(value: &Value, path: &Path) -> Problem {
    Problem::new(NameError::NotAVariable, path.clone(), "this is not a reference to a variable")
        .value(to_inline_yaml(value))
        .expected("`[field, entity, variable, path]`, for example `[Field-0, ENTITY-0, name#unit, ['(0, 0)']]`")
}

/// The flat index that a path selects within a shape; `Ok(None)` for an empty path.
fn element(steps: &[&Value], shape: &[usize]) -> Result<Option<usize>, String> {
    let mut indices = Vec::new();
    for step in steps {
        match step {
            Value::Number(n) => indices.push(n.as_u64().ok_or("an index of 0 or more")? as usize),
            Value::Sequence(_) | Value::String(_) => {
                indices.extend(parse_tuple(step).ok_or("a plot such as '(0, 0)', or '*' for all")?)
            }
            _ => return Err("a plot such as '(0, 0)', an index, or '*'".into()),
        }
    }
    if indices.is_empty() {
        return Ok(None);
    }
    let inside = indices.len() == shape.len() && indices.iter().zip(shape).all(|(i, n)| i < n);
    if !inside {
        return Err(match shape {
            [] => "no path: it is a single value".into(),
            [length, width] => format!("a plot from (0, 0) to ({}, {})", length - 1, width - 1),
            other => format!("an index below {other:?}"),
        });
    }
    Ok(Some(indices.iter().zip(shape).fold(0, |flat, (i, n)| flat * n + i)))
}

/// The integers in `(2, 3)` or `[2, 3]`.
pub fn parse_tuple(value: &Value) -> Option<Vec<usize>> {
    match value {
        Value::Sequence(items) => items.iter().map(|v| v.as_u64().map(|n| n as usize)).collect(),
        Value::String(text) => parse_tuple_text(text),
        _ => None,
    }
}

/// The integers in `(2, 3)`.
pub(crate) fn parse_tuple_text(text: &str) -> Option<Vec<usize>> {
    let inner = text.trim().strip_prefix('(')?.strip_suffix(')')?;
    inner.split(',').map(|part| part.trim().parse().ok()).collect()
}

/// The two real numbers in `(1.5, 3)`, which is how the paper writes a continuous range.
pub fn parse_range(value: &Value) -> Option<(f64, f64)> {
    let inner = value.as_str()?.trim().strip_prefix('(')?.strip_suffix(')')?;
    let (low, high) = inner.split_once(',')?;
    let (low, high) = (low.trim().parse().ok()?, high.trim().parse().ok()?);
    (low <= high).then_some((low, high))
}

impl StateSlice {
    /// How a variable's values are written.
    pub fn of_variable(variable: &VariableInfo) -> Self {
        let (region, start, len) = variable.slot;
        Self::new(region, start, len)
    }

    /// The values that a reference points to; `None` for computed quantities.
    pub fn of(reference: &Reference, parts: &[PartInfo]) -> Option<Self> {
        let Quantity::Variable(i) = reference.quantity else { return None };
        Some(Self::of_variable(&parts[reference.part].variables[i]).part(reference.element))
    }
}
