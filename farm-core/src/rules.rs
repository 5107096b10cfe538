//! Compiled rules, and the builder that resolves what a `Rule` says against the parts of the game.

use serde_yaml::Value;

use crate::action::{Allowed, BaseAction, MAX_ARGUMENTS, plot_index};
use crate::condition::{Formula, number};
use crate::config::{Path, Problem, Problems, show};
use crate::declare::{ActionInfo, ActionParameter, ActionParameterKind, Labels, ValueKind};
use crate::reference::{Names, Quantity, Reference, Source, parse_range, parse_tuple};
use crate::rng::{Purpose, Stream, hash_name};
use crate::state::{Cells, Region};

/// What happens at the step limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum AtLimit {
    /// The episode is cut off; the game itself would go on.
    #[default]
    Truncated,
    /// The episode ends; the limit is part of the game.
    Terminated,
}

/// Start, allowed actions, free observations, end.
#[derive(Debug, Clone, Default)]
pub struct Rules {
    /// What the rules set at the start.
    pub initial: Vec<Initial>,
    /// What is seen for free, with its keys.
    pub free: Vec<(String, Reference)>,
    /// What may be done; costs are filled in from the score.
    pub bases: Vec<BaseAction>,
    /// How many values of a continuous parameter the flat list of actions offers.
    pub bins: usize,
    /// The most actions in one schedule.
    pub max_schedule: usize,
    /// When the episode ends.
    pub stopping: Formula,
    /// After how many steps it ends in any case.
    pub max_steps: Option<u32>,
    /// What that end is.
    pub at_limit: AtLimit,
    /// The most that the interventions of one step may cost.
    pub max_cost: f64,
}

/// An initial condition.
#[derive(Debug, Clone)]
pub struct Initial {
    source: Source,
    purpose: Purpose,
    values: Values,
    whole: bool,
}

#[derive(Debug, Clone)]
enum Values {
    /// One of these, drawn for each entry when there are several.
    Among(Vec<f64>),
    /// Uniform in a closed range, drawn for each entry.
    Between(f64, f64),
}

impl Initial {
    pub(crate) fn apply(&self, cells: &Cells<'_>, seed: u64) {
        let mut stream = Stream::keyed(seed, const { hash_name("rules") }, 0, self.purpose);
        for i in 0..self.source.len() {
            let value = match &self.values {
                Values::Among(values) => values[stream.index(values.len() as u32) as usize],
                Values::Between(low, high) if self.whole => f64::from(stream.integer_in(*low as i32, *high as i32)),
                Values::Between(low, high) => stream.uniform_in(*low, *high),
            };
            match self.source.region() {
                Region::Reals => self.source.cells::<f64>(cells)[i].set(value),
                Region::Counts => self.source.cells::<i32>(cells)[i].set(value as i32),
                Region::Bytes => self.source.cells::<u8>(cells)[i].set(value as u8),
            }
        }
    }
}

/// Through which a rule finds the parts of the game.
#[derive(Debug)]
pub struct RuleBuilder<'a> {
    pub(crate) names: Names<'a>,
    pub(crate) path: Path,
    pub(crate) problems: &'a mut Problems,
}

impl RuleBuilder<'_> {
    /// Notes a problem with the rule's own parameters; the path starts at the rule.
    pub fn problem(&mut self, problem: Problem) {
        let mut path = self.path.clone();
        path.0.extend(problem.path.0.clone());
        self.problems.push(Problem { path, ..problem });
    }

    /// Free observations: a list of references, or a mapping from keys to references.
    pub fn free_observations(&mut self, value: &Value, key: &str) -> Vec<(String, Reference)> {
        let path = self.path.child(key);
        let mut found: Vec<(String, Reference)> = Vec::new();
        let mut see = |this: &mut Self, key: String, reference: Reference, path: Path| {
            if let Quantity::Variable(i) = reference.quantity
                && !this.names.parts[reference.part].variables[i].visible
            {
                let kind = &this.names.parts[reference.part].kind;
                let problem =
                    Problem::new(path, format!("`{key}` is hidden and can't be observed")).value(&reference.name);
                this.problems
                    .push(problem.help(format!("`farm describe {kind}` tells which of its variables are visible")));
            } else if found.iter().any(|(other, _)| *other == key) {
                let problem = Problem::new(path, format!("`{key}` is observed twice")).value(&reference.name);
                this.problems.push(problem.help("leave one of the two out"));
            } else {
                found.push((key, reference));
            }
        };
        match value {
            Value::Null => {}
            Value::Sequence(items) => {
                for (i, item) in items.iter().enumerate() {
                    for reference in self.names.resolve(item, &path.child(i), self.problems) {
                        see(self, reference.name.clone(), reference, path.child(i));
                    }
                }
            }
            Value::Mapping(entries) => {
                for (name, item) in entries {
                    let name = name.as_str().unwrap_or("?");
                    let references = self.names.resolve(item, &path.child(name), self.problems);
                    let several = references.len() > 1;
                    for reference in references {
                        let tail = reference.name.rsplit('.').next().unwrap_or_default();
                        let key = if several { format!("{name}.{tail}") } else { name.to_owned() };
                        see(self, key, reference, path.child(name));
                    }
                }
            }
            other => self.problems.push(
                Problem::new(path.clone(), "free observations are a list, or a mapping from keys, of variables")
                    .value(show(other)),
            ),
        }
        found
    }

    /// Initial conditions `{field: {entity: {variable: value | [choices] | "(low, high)"}}}`; farm-level parts without a field.
    pub fn initial_conditions(&mut self, value: &Value, key: &str) -> Vec<Initial> {
        let mut initial = Vec::new();
        self.visit_parts(value, &self.path.child(key), &mut |this, part, variables, path| {
            for (name, value) in variables {
                let name = name.as_str().unwrap_or("?");
                this.initial_value(part, name, value, &path.child(name), &mut initial);
            }
        });
        initial
    }

    fn initial_value(&mut self, part: usize, name: &str, value: &Value, path: &Path, initial: &mut Vec<Initial>) {
        if let Value::Mapping(keys) = value {
            for (sub, value) in keys {
                let sub = sub.as_str().unwrap_or("?");
                self.initial_value(part, &format!("{name}.{sub}"), value, &path.child(sub), initial);
            }
            return;
        }
        for reference in self.names.resolve_in(part, name, &[], path, self.problems) {
            let (kind, _) = self.names.kind_and_shape(&reference);
            let Some(source) = Source::of(&reference, self.names.parts) else {
                self.problems.push(
                    Problem::new(path.clone(), format!("`{}` is computed and can't be set", reference.name))
                        .value(show(value))
                        .help("set the variables that it is computed from"),
                );
                continue;
            };
            let values = match (parse_range(value), value) {
                (Some((low, high)), _) => Some(Values::Between(low, high)),
                (None, Value::Sequence(items)) if !items.is_empty() => {
                    let numbers =
                        items.iter().enumerate().map(|(i, v)| number(v, &kind, &path.child(i), self.problems));
                    numbers.collect::<Option<Vec<f64>>>().map(Values::Among)
                }
                (None, single) => number(single, &kind, path, self.problems).map(|n| Values::Among(vec![n])),
            };
            let Some(values) = values else { continue };
            let extremes = match &values {
                Values::Among(values) => values.clone(),
                Values::Between(low, high) => vec![*low, *high],
            };
            let range = match kind {
                ValueKind::Real { low, high } => Some((low, high)),
                ValueKind::Count { low, high } => Some((f64::from(low), f64::from(high))),
                ValueKind::Category(ref lists) => {
                    lists.iter().map(Labels::len).min().map(|n| (0.0, n.saturating_sub(1) as f64))
                }
                ValueKind::Flag => Some((0.0, 1.0)),
            };
            if let Some((low, high)) = range
                && extremes.iter().any(|v| *v < low || *v > high)
            {
                self.problems.push(
                    Problem::new(path.clone(), "the value is out of range")
                        .value(show(value))
                        .expected(format!("a number from {low} to {high}")),
                );
                continue;
            }
            let whole = !matches!(kind, ValueKind::Real { .. });
            initial.push(Initial { source, purpose: Purpose::named(&reference.name), values, whole });
        }
    }

    /// Stopping conditions: a list (or) of lists (and).
    pub fn stopping_conditions(&mut self, value: &Value, key: &str) -> Formula {
        if value.is_null() {
            return Formula::default();
        }
        Formula::parse(value, self.names, false, &self.path.child(key), self.problems)
    }

    /// Allowed actions: the paper's tree `{field: {entity: {action: {parameter: values}}}}`, with a farmer above the field
    /// where there are several; or a list of names, which fixes their order. Nothing said allows everything.
    pub fn actions(&mut self, value: &Value, key: &str) -> Vec<BaseAction> {
        let path = self.path.child(key);
        let mut bases = Vec::new();
        match value {
            Value::Null => {
                for part in 0..self.names.parts.len() {
                    for action in 0..self.names.parts[part].actions.len() {
                        self.allow(0, part, action, &Value::Null, &path, &mut bases);
                    }
                }
            }
            Value::Sequence(names) => {
                for (i, name) in names.iter().enumerate() {
                    self.allow_by_name(name, &path.child(i), &mut bases);
                }
            }
            tree => {
                let farmers: Vec<(usize, String)> =
                    self.names.parts.iter().filter(|p| p.field.is_none()).map(|p| p.name.clone()).enumerate().collect();
                let farmer_of = |name: &str| farmers.iter().find(|(_, f)| f == name).map(|(rank, _)| *rank);
                let entries: Vec<(Value, Value)> =
                    tree.as_mapping().into_iter().flatten().map(|(k, v)| (k.clone(), v.clone())).collect();
                let is_field = |name: &str| self.names.fields.iter().any(|f| f.name == name);
                let mut subtrees = Vec::new();
                for (name, subtree) in entries {
                    let name = name.as_str().unwrap_or("?").to_owned();
                    let below = subtree.as_mapping().and_then(|m| m.iter().next()).and_then(|(k, _)| k.as_str());
                    match (farmer_of(&name), below) {
                        (Some(farmer), Some(first)) if is_field(first) => {
                            subtrees.push((farmer, path.child(&name), subtree))
                        }
                        _ => subtrees.push((
                            0,
                            path.clone(),
                            Value::Mapping([(name.into(), subtree)].into_iter().collect()),
                        )),
                    }
                }
                if !tree.is_mapping() {
                    self.problems
                        .push(Problem::new(path.clone(), "actions are a tree or a list of names").value(show(tree)));
                }
                for (farmer, path, subtree) in subtrees {
                    self.visit_parts(&subtree, &path, &mut |this, part, actions, path| {
                        for (name, parameters) in actions {
                            let name = name.as_str().unwrap_or("?");
                            let path = path.child(name);
                            match this.names.parts[part].actions.iter().position(|a| a.name == name) {
                                Some(action) => this.allow(farmer, part, action, parameters, &path, &mut bases),
                                None => {
                                    let info = &this.names.parts[part];
                                    let problem = Problem::new(path, format!("`{}` has no action `{name}`", info.path))
                                        .value(name)
                                        .among(name, info.actions.iter().map(|a| a.name.as_str()));
                                    this.problems
                                        .push(problem.help(format!("`farm describe {}` lists its actions", info.kind)));
                                }
                            }
                        }
                    });
                }
            }
        }
        bases
    }

    fn allow_by_name(&mut self, value: &Value, path: &Path, bases: &mut Vec<BaseAction>) {
        let name = value.as_str().unwrap_or_default();
        let all = self.names.parts.iter().enumerate().flat_map(|(p, info)| {
            info.actions
                .iter()
                .enumerate()
                .map(move |(a, action)| (p, a, format!("{}.{}", info.path, action.name), action.name.clone()))
        });
        let all: Vec<_> = all.collect();
        let found: Vec<_> = all.iter().filter(|(_, _, full, short)| full == name || short == name).collect();
        match found.as_slice() {
            [(part, action, ..)] => self.allow(0, *part, *action, &Value::Null, path, bases),
            [] => self.problems.push(
                Problem::new(path.clone(), format!("no part has an action `{name}`"))
                    .value(show(value))
                    .among(name, all.iter().map(|(.., short)| short.as_str())),
            ),
            several => self.problems.push(
                Problem::new(path.clone(), format!("`{name}` is an action of several parts"))
                    .value(name)
                    .expected(several.iter().map(|(.., full, _)| format!("`{full}`")).collect::<Vec<_>>().join(" or ")),
            ),
        }
    }

    fn allow(
        &mut self,
        farmer: usize,
        part: usize,
        action: usize,
        parameters: &Value,
        path: &Path,
        bases: &mut Vec<BaseAction>,
    ) {
        let info: &ActionInfo = &self.names.parts[part].actions[action];
        if info.parameters.len() > MAX_ARGUMENTS {
            self.problems
                .push(Problem::new(path.clone(), format!("`{}` has more than {MAX_ARGUMENTS} parameters", info.name)));
            return;
        }
        for name in parameters.as_mapping().into_iter().flatten().filter_map(|(k, _)| k.as_str()) {
            if !info.parameters.iter().any(|p| p.name == name) {
                let problem = Problem::new(path.child(name), format!("`{}` has no parameter `{name}`", info.name))
                    .value(name)
                    .among(name, info.parameters.iter().map(|p| p.name.as_str()));
                self.problems.push(problem);
            }
        }
        let info = info.clone();
        let allowed = info.parameters.iter().map(|parameter| {
            let value = parameters.get(parameter.name.as_str()).unwrap_or(&Value::Null);
            self.allowed(part, parameter, value, &path.child(&parameter.name))
        });
        let parameters = allowed.collect();
        if bases.iter().any(|b| (b.farmer, b.part, b.action) == (farmer, part, action)) {
            self.problems.push(Problem::new(path.clone(), format!("`{}` is allowed twice", info.name)));
        }
        bases.push(BaseAction { farmer, part, action, parameters, cost: 0.0 });
    }

    fn allowed(&mut self, part: usize, parameter: &ActionParameter, value: &Value, path: &Path) -> Allowed {
        let everything = |this: &Self| match &parameter.kind {
            ActionParameterKind::Plot => {
                (0..this.names.field_of(part).map_or(1, |f| f.plots())).map(|i| i as f64).collect()
            }
            ActionParameterKind::Real { offered, .. } => offered.clone(),
            ActionParameterKind::Choice(words) => (0..words.len()).map(|i| i as f64).collect(),
        };
        if value.is_null() || value.as_str() == Some("*") {
            return Allowed::Values(everything(self));
        }
        if let (Some((low, high)), ActionParameterKind::Real { low: lowest, high: highest, .. }) =
            (parse_range(value), &parameter.kind)
        {
            if low < *lowest || high > *highest {
                let problem =
                    Problem::new(path.clone(), "the range is wider than the action allows").value(show(value));
                self.problems.push(problem.expected(format!("a range within ({lowest}, {highest})")));
            }
            return Allowed::Range { low, high };
        }
        // A plot written [2, 3] is one value, not two.
        let is_plot = matches!(parameter.kind, ActionParameterKind::Plot) && parse_tuple(value).is_some();
        let items = match value {
            Value::Sequence(items) if !is_plot => items.clone(),
            single => vec![single.clone()],
        };
        let mut values = Vec::new();
        for (i, item) in items.iter().enumerate() {
            let path = if value.is_sequence() && !is_plot { path.child(i) } else { path.clone() };
            if item.as_str() == Some("*") {
                values.extend(everything(self));
                continue;
            }
            let (found, expected) = match &parameter.kind {
                ActionParameterKind::Plot => {
                    let Some(field) = self.names.field_of(part) else { continue };
                    let index = parse_tuple(item).and_then(|plot| plot_index(&plot, field));
                    let expected = format!("a plot from '(0, 0)' to '({}, {})'", field.length - 1, field.width - 1);
                    (index.map(|i| i as f64), expected)
                }
                ActionParameterKind::Real { low, high, .. } => {
                    let found = item.as_f64().filter(|v| (*low..=*high).contains(v));
                    (found, format!("a number from {low} to {high}, a list of them, or a range '(low, high)'"))
                }
                ActionParameterKind::Choice(words) => {
                    let found = item.as_str().and_then(|w| words.iter().position(|word| word == w));
                    (found.map(|i| i as f64), format!("one of {}", words.join(", ")))
                }
            };
            match found {
                Some(found) if values.contains(&found) => {}
                Some(found) => values.push(found),
                None => self.problems.push(
                    Problem::new(path, format!("this is no value of `{}`", parameter.name))
                        .value(show(item))
                        .expected(expected),
                ),
            }
        }
        Allowed::Values(values)
    }

    /// Walks a tree `{field: {entity: leaf}}` and `{farm-level part: leaf}` and hands each leaf's mapping over.
    fn visit_parts(
        &mut self,
        tree: &Value,
        path: &Path,
        leaf: &mut dyn FnMut(&mut Self, usize, &serde_yaml::Mapping, &Path),
    ) {
        if tree.is_null() {
            return;
        }
        let Some(entries) = tree.as_mapping() else {
            self.problems
                .push(Problem::new(path.clone(), "this is no mapping from fields to entities").value(show(tree)));
            return;
        };
        let empty = serde_yaml::Mapping::new();
        for (first, below) in entries {
            let first = first.as_str().unwrap_or("?");
            let path = path.child(first);
            if self.names.fields.iter().any(|f| f.name == first) {
                for (second, content) in below.as_mapping().unwrap_or(&empty) {
                    let second = second.as_str().unwrap_or("?");
                    let path = path.child(second);
                    match self.names.part(first, Some(second)) {
                        Some((part, _)) => leaf(self, part, content.as_mapping().unwrap_or(&empty), &path),
                        None => self.problems.push(self.names.unknown_part(first, Some(second), &path)),
                    }
                }
            } else {
                match self.names.part(first, None) {
                    Some((part, _)) => leaf(self, part, below.as_mapping().unwrap_or(&empty), &path),
                    None => self.problems.push(self.names.unknown_part(first, None, &path)),
                }
            }
        }
    }
}
