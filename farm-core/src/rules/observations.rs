//! Free observations, and observations that players can request.

use std::collections::HashSet;

use serde_json::{Value as Json, json};
use serde_yaml::Value;

use super::RuleBuilder;
use super::errors::RuleError;
use crate::action::{ActionKind, ActionTarget, BaseAction, Request};
use crate::config::{LimitError, NameError, ParameterError, Path, Problem, Tool, to_inline_yaml};
use crate::declare::{MAX_PICKED_FROM, PartInfo, Quantity, Reference, parse_tuple};
use crate::observation::RESERVED;
use crate::spec::InteractionMode;

/// The maximum number of plots in a field for which players can request each plot individually, if the rules list no observations.
pub const MAX_SINGLE_PLOTS: usize = 256;

impl RuleBuilder<'_> {
    /// Free observations: a list of references, or a mapping from keys to references.
    pub fn free_observations(&mut self, value: &Value, key: &str) -> Vec<(String, Reference)> {
        let path = self.path.child(key);
        let mut found: Vec<(String, Reference)> = Vec::new();
        let mut keys: HashSet<String> = HashSet::new();
        let mut see = |this: &mut Self, key: String, reference: Reference, path: Path| {
            if let Quantity::Variable(i) = reference.quantity
                && !this.names.parts[reference.part].variables[i].visible
            {
                let kind = &this.names.parts[reference.part].kind;
                let problem =
                    Problem::new(NameError::HiddenVariable, path, format!("`{key}` is hidden and can't be observed"))
                        .value(&reference.name);
                this.problems.push(problem.help(Tool::describe(kind).and(" lists its visible variables")));
            } else if let (Quantity::Observable(i), Some(_)) = (reference.quantity, reference.element)
                && let shape = &this.names.parts[reference.part].observables[i].shape
                && shape.iter().product::<usize>() > MAX_PICKED_FROM
            {
                let problem = Problem::new(
                    LimitError::GameTooLarge,
                    path,
                    format!("`{key}` has too many values to observe a single one"),
                );
                let problem = problem.value(&reference.name).expected(format!("at most {MAX_PICKED_FROM} values"));
                this.problems.push(problem.help("observe all its values"));
            } else if RESERVED.contains(&key.as_str()) {
                let problem =
                    Problem::new(RuleError::ReservedKey, path, format!("the key `{key}` is reserved for the engine"))
                        .value(&key);
                this.problems.push(problem.help("give the observation another key"));
            } else if !keys.insert(key.clone()) {
                let problem = Problem::new(ParameterError::SaidTwice, path, format!("`{key}` is observed twice"))
                    .value(&reference.name);
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
                Problem::new(
                    RuleError::NotATree,
                    path.clone(),
                    "free observations must be a list of variables, or a mapping from keys to variables",
                )
                .value(to_inline_yaml(other))
                .expected("a list of `[field, entity, variable, path]`"),
            ),
        }
        found
    }
    /// Observations that players can request: the tree `{field: {entity: {variable: paths}}}` from the Farm-gym paper. A farmer's name
    /// above the field allows only that farmer. A path is `'*'` (everything), a plot, an index, or a mapping from group keys. Null allows
    /// everything visible. If all observations are free, nothing is offered, regardless of the tree.
    pub fn observations(&mut self, value: &Value, key: &str) -> Vec<BaseAction> {
        let path = self.path.child(key);
        let mut bases = Offers::default();
        if value.is_null() {
            if self.mode == InteractionMode::Aomdp {
                for part in 0..self.names.parts.len() {
                    let requests = self.everything(part, &path);
                    self.offer(None, part, requests, &path, &mut bases);
                }
            }
            return bases.all;
        }
        // An empty tree offers nothing, so it needs no warning. Files from templates have such a tree.
        if !self.may_look && value.as_mapping().is_none_or(|tree| !tree.is_empty()) {
            let message = "observations cannot be requested in this game: all of them are free of charge";
            let help = "set `interaction_mode: aomdp`, or remove `observations`";
            self.problems.push(Problem::new(RuleError::NoEffect, path.clone(), message).help(help).warning());
        }
        for (farmer, path, subtree) in self.by_farmer(value, &path) {
            self.visit_parts(&subtree, &path, &mut |this, part, variables, path| {
                for (name, paths) in variables {
                    let name = name.as_str().unwrap_or("?");
                    let path = path.child(name);
                    let mut requests = Vec::new();
                    this.requests(part, (name, &[]), paths, &path, &mut requests);
                    this.offer(farmer, part, requests, &path, &mut bases);
                }
            });
        }
        if self.mode == InteractionMode::Aomdp { bases.all } else { Vec::new() }
    }

    fn offer(&mut self, farmer: Option<usize>, part: usize, requests: Vec<Request>, path: &Path, bases: &mut Offers) {
        if requests.is_empty() {
            return;
        }
        let farmers = self.farmers_for(farmer, ActionKind::Observation, part, path);
        for request in requests {
            let canonical = request.canonical();
            for &farmer in &farmers {
                if !bases.known.insert((farmer, part, canonical.clone())) {
                    let message = format!("`{canonical}` is offered twice");
                    self.problems.push(
                        Problem::new(ParameterError::SaidTwice, path.clone(), message).help("leave one of the two out"),
                    );
                    continue;
                }
                let target = ActionTarget::Observation(request.clone());
                bases.all.push(BaseAction { farmer, part, target, parameters: Vec::new(), cost: 0.0, futile: None });
            }
        }
    }

    /// The requests for one entry in the tree.
    fn requests(
        &mut self,
        part: usize,
        (name, keys): (&str, &[String]),
        value: &Value,
        path: &Path,
        found: &mut Vec<Request>,
    ) {
        match value {
            Value::Null => self.request(part, (name, keys), &[], path, found),
            Value::Mapping(entries) => {
                for (key, below) in entries {
                    let word = key.as_str().map_or_else(|| to_inline_yaml(key), str::to_owned);
                    let path = path.child(&word);
                    if word == "*" {
                        self.request(part, (name, keys), &[], &path, found);
                    } else {
                        let longer: Vec<String> = keys.iter().cloned().chain([word]).collect();
                        self.requests(part, (name, &longer), below, &path, found);
                    }
                }
            }
            Value::Sequence(items) => {
                for (i, item) in items.iter().enumerate() {
                    self.request(part, (name, keys), &[item], &path.child(i), found);
                }
            }
            single => self.request(part, (name, keys), &[single], path, found),
        }
    }

    fn request(
        &mut self,
        part: usize,
        (name, keys): (&str, &[String]),
        steps: &[&Value],
        path: &Path,
        found: &mut Vec<Request>,
    ) {
        let full = keys.iter().fold(name.to_owned(), |full, key| format!("{full}.{key}"));
        let all = self.names.resolve_in(part, &full, steps, path, self.problems);
        let info = &self.names.parts[part];
        let is_visible = |reference: &Reference| match reference.quantity {
            Quantity::Variable(i) => info.variables[i].visible,
            _ => true,
        };
        let references: Vec<Reference> = all.iter().filter(|r| is_visible(r)).cloned().collect();
        // Hidden members of a group are left out; a request with only hidden members is a problem.
        if let (true, Some(hidden)) = (references.is_empty(), all.first()) {
            let problem = Problem::new(
                NameError::HiddenVariable,
                path.clone(),
                format!("`{}` is hidden and can't be observed", hidden.name),
            );
            let help = Tool::describe(&info.kind).and(" lists its visible variables");
            self.problems.push(problem.value(&hidden.name).help(help));
            return;
        }
        let index = |step: &&Value| match step {
            Value::String(word) if word == "*" => None,
            Value::String(key) if !key.starts_with('(') => Some(json!(key)),
            Value::Number(index) => Some(json!(index.as_u64())),
            plot => parse_tuple(plot).map(|plot| json!(plot)),
        };
        let path: Vec<Json> = keys.iter().map(|key| json!(key)).chain(steps.iter().filter_map(index)).collect();
        if !references.is_empty() {
            found.push(Request { name: name.to_owned(), path, references, values: Vec::new() });
        }
    }

    /// All requests for a part: groups, variables, single plots and single indices.
    fn everything(&mut self, part: usize, path: &Path) -> Vec<Request> {
        let mut found = Vec::new();
        for (group, keys, shape) in visible(&self.names.parts[part]) {
            let name = (group.as_str(), keys.as_slice());
            self.request(part, name, &[], path, &mut found);
            match shape.as_slice() {
                [length, width] if length * width <= MAX_SINGLE_PLOTS => {
                    for plot in 0..length * width {
                        let plot = Value::String(format!("({}, {})", plot / width, plot % width));
                        self.request(part, name, &[&plot], path, &mut found);
                    }
                }
                [n] => {
                    for i in 0..*n {
                        self.request(part, name, &[&Value::from(i)], path, &mut found);
                    }
                }
                _ => {}
            }
        }
        found
    }
}

/// The offered requests. They are indexed by farmer, part and canonical text, because a large field offers tens of thousands of plots.
#[derive(Default)]
struct Offers {
    all: Vec<BaseAction>,
    known: HashSet<(usize, usize, String)>,
}

/// A part's visible values, in order, with each group before its first member. Each item has the name, the keys below the name, and the
/// shape (none for groups).
fn visible(part: &PartInfo) -> Vec<(String, Vec<String>, Vec<usize>)> {
    let variables = part.variables.iter().filter(|v| v.visible).map(|v| (&v.name, &v.shape));
    let observables = part.observables.iter().map(|o| (&o.name, &o.shape));
    let mut found: Vec<(String, Vec<String>, Vec<usize>)> = Vec::new();
    for (name, shape) in variables.chain(observables) {
        let keys: Vec<String> = part.split_name(name).into_iter().map(str::to_owned).collect();
        for depth in 1..keys.len() {
            let group = (keys[0].clone(), keys[1..depth].to_vec(), Vec::new());
            if !found.contains(&group) {
                found.push(group);
            }
        }
        found.push((keys[0].clone(), keys[1..].to_vec(), shape.clone()));
    }
    found
}
