//! The allowed interventions. The rules set the actions, their parts, their parameters and their farmers.

use std::collections::HashSet;

use serde_yaml::Value;

use super::RuleBuilder;
use super::errors::RuleError;
use crate::action::{ActionError, ActionKind, ActionTarget, Allowed, BaseAction, MAX_ARGUMENTS, plot_index};
use crate::config::{LimitError, NameError, ParameterError, Path, Problem, Tool, to_inline_yaml};
use crate::declare::{ActionInfo, ActionParameter, ActionParameterKind, parse_range, parse_tuple};

impl RuleBuilder<'_> {
    /// Allowed interventions: either the tree `{field: {entity: {action: {parameter: values}}}}` from the Farm-gym paper, or a list of
    /// names, which sets their order. In a tree, a farmer's name above the field allows only that farmer. Null allows everything.
    pub fn actions(&mut self, value: &Value, key: &str) -> Vec<BaseAction> {
        let path = self.path.child(key);
        let mut bases = Vec::new();
        self.lists_actions = !value.is_null();
        match value {
            Value::Null => {
                for part in 0..self.names.parts.len() {
                    for action in 0..self.names.parts[part].actions.len() {
                        self.allow(None, (part, action), &Value::Null, &path, &mut bases);
                    }
                }
            }
            Value::Sequence(names) => {
                for (i, name) in names.iter().enumerate() {
                    self.allow_by_name(name, &path.child(i), &mut bases);
                }
            }
            tree => {
                for (farmer, path, subtree) in self.by_farmer(tree, &path) {
                    self.visit_parts(&subtree, &path, &mut |this, part, actions, path| {
                        for (name, parameters) in actions {
                            let name = name.as_str().unwrap_or("?");
                            let path = path.child(name);
                            match this.names.parts[part].actions.iter().position(|a| a.name == name) {
                                Some(action) => this.allow(farmer, (part, action), parameters, &path, &mut bases),
                                None => {
                                    let info = &this.names.parts[part];
                                    let problem = Problem::new(
                                        NameError::UnknownAction,
                                        path,
                                        format!("`{}` has no action `{name}`", info.path),
                                    )
                                    .about_name()
                                    .value(name)
                                    .among(name, info.actions.iter().map(|a| a.name.as_str()));
                                    this.problems
                                        .push(problem.help(Tool::describe(&info.kind).and(" lists its actions")));
                                }
                            }
                        }
                    });
                }
            }
        }
        bases
    }

    /// The parts in a tree, each with its farmer. `None` means that the tree names no farmer, so all farmers are allowed.
    pub(super) fn by_farmer(&mut self, tree: &Value, path: &Path) -> Vec<(Option<usize>, Path, Value)> {
        let Some(entries) = tree.as_mapping() else {
            let problem = Problem::new(
                RuleError::NotATree,
                path.clone(),
                "expected a mapping from fields to entities, or a list of names",
            );
            let expected = "{FIELD: {ENTITY: {NAME: …}}}, or nothing, which allows everything";
            self.problems.push(problem.value(to_inline_yaml(tree)).expected(expected));
            return Vec::new();
        };
        let farmers: Vec<&str> =
            self.names.parts.iter().filter(|p| p.field.is_none()).map(|p| p.name.as_str()).collect();
        let is_field = |name: &str| self.names.fields.iter().any(|f| f.name == name);
        let mut subtrees = Vec::new();
        for (name, subtree) in entries {
            let name = name.as_str().unwrap_or("?").to_owned();
            let below = subtree.as_mapping().and_then(|m| m.iter().next()).and_then(|(k, _)| k.as_str());
            match (farmers.iter().position(|farmer| *farmer == name), below) {
                (Some(farmer), Some(first)) if is_field(first) => {
                    subtrees.push((Some(farmer), path.child(&name), subtree.clone()));
                }
                // A farmer without a tree may do nothing.
                (Some(_), None) if subtree.is_null() && !self.has_actions(&name) => {}
                _ => {
                    let alone = Value::Mapping([(name.into(), subtree.clone())].into_iter().collect());
                    subtrees.push((None, path.clone(), alone));
                }
            }
        }
        subtrees
    }

    fn has_actions(&self, farmer: &str) -> bool {
        self.names.parts.iter().any(|p| p.field.is_none() && p.name == farmer && !p.actions.is_empty())
    }

    /// The farmers that may do this to a part. Only the farmer itself may take its own actions. Other actions are for the farmers named in
    /// the rules or, if none are named, for all farmers with permission for the field.
    pub(super) fn farmers_for(
        &mut self,
        named: Option<usize>,
        kind: ActionKind,
        part: usize,
        path: &Path,
    ) -> Vec<usize> {
        let names: Vec<&str> = self.names.parts.iter().filter(|p| p.field.is_none()).map(|p| p.name.as_str()).collect();
        let field = self.names.parts[part].field;
        let own = self.names.parts[part].field.is_none() && kind == ActionKind::Intervention;
        let own = own.then(|| names.iter().position(|name| *name == self.names.parts[part].name)).flatten();
        match named.or(own) {
            Some(farmer) if (self.allows)(farmer, kind, field) => vec![farmer],
            Some(farmer) => {
                let message = format!("`{}` has no permission for this field", names[farmer]);
                self.problems.push(
                    Problem::new(RuleError::NoPermission, path.clone(), message)
                        .value(&self.names.parts[part].path)
                        .help("remove the line, or add the field to the farmer's `permissions`"),
                );
                Vec::new()
            }
            // The score is the last of the farm's parts, and is not a farmer.
            None => (0..names.len().saturating_sub(1)).filter(|f| (self.allows)(*f, kind, field)).collect(),
        }
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
            [(part, action, ..)] => self.allow(None, (*part, *action), &Value::Null, path, bases),
            [] => self.problems.push(
                Problem::new(NameError::UnknownAction, path.clone(), format!("no part has an action `{name}`"))
                    .value(to_inline_yaml(value))
                    .among(name, all.iter().map(|(.., short)| short.as_str())),
            ),
            several => self.problems.push(
                Problem::new(NameError::AmbiguousName, path.clone(), format!("`{name}` is an action of several parts"))
                    .value(name)
                    .expected(several.iter().map(|(.., full, _)| format!("`{full}`")).collect::<Vec<_>>().join(" or ")),
            ),
        }
    }

    fn allow(
        &mut self,
        farmer: Option<usize>,
        (part, action): (usize, usize),
        parameters: &Value,
        path: &Path,
        bases: &mut Vec<BaseAction>,
    ) {
        let info: &ActionInfo = &self.names.parts[part].actions[action];
        if info.parameters.len() > MAX_ARGUMENTS {
            self.problems.push(Problem::new(
                LimitError::GameTooLarge,
                path.clone(),
                format!("`{}` has more than {MAX_ARGUMENTS} parameters", info.name),
            ));
            return;
        }
        if !matches!(parameters, Value::Null | Value::Mapping(_)) && parameters.as_str() != Some("*") {
            let problem = Problem::new(
                ParameterError::WrongType,
                path.clone(),
                format!("these are not valid parameters of `{}`", info.name),
            );
            self.problems
                .push(problem.value(to_inline_yaml(parameters)).expected("a mapping from parameters to their values"));
        }
        for name in parameters.as_mapping().into_iter().flatten().filter_map(|(k, _)| k.as_str()) {
            if !info.parameters.iter().any(|p| p.name == name) {
                let problem = Problem::new(
                    ActionError::UnknownArgument,
                    path.child(name),
                    format!("`{}` has no parameter `{name}`", info.name),
                )
                .value(name)
                .about_name()
                .among(name, info.parameters.iter().map(|p| p.name.as_str()));
                self.problems.push(match name.ends_with(')') {
                    true => problem.help("a comma separates entries: quote ranges and plots within `{…}`, '(1, 2)'"),
                    false => problem,
                });
            }
        }
        let info = info.clone();
        let allowed = info.parameters.iter().map(|parameter| {
            let value = parameters.get(parameter.name.as_str()).unwrap_or(&Value::Null);
            let path = path.child(&parameter.name);
            let allowed = self.allowed(part, parameter, value, &path);
            self.warn_of_unusual(parameter, &allowed, value, path);
            allowed
        });
        let parameters: Vec<Allowed> = allowed.collect();
        for farmer in self.farmers_for(farmer, ActionKind::Intervention, part, path) {
            let target = ActionTarget::Intervention(action);
            if bases.iter().any(|b| (b.farmer, b.part, &b.target) == (farmer, part, &target)) {
                self.problems.push(
                    Problem::new(ParameterError::SaidTwice, path.clone(), format!("`{}` is allowed twice", info.name))
                        .value(&self.names.parts[part].path)
                        .help("leave one of the two out"),
                );
            }
            bases.push(BaseAction { farmer, part, target, parameters: parameters.clone(), cost: 0.0, futile: None });
        }
    }

    /// Warns if all values offered by the rules are unusual for a farmer.
    fn warn_of_unusual(&mut self, parameter: &ActionParameter, allowed: &Allowed, value: &Value, path: Path) {
        let Some((low, high, words)) = &parameter.usual else { return };
        let is_usual = match allowed {
            Allowed::Values(values) => values.is_empty() || values.iter().any(|value| (*low..=*high).contains(value)),
            Allowed::Range { low: least, high: most } => least <= high && most >= low,
        };
        if !is_usual {
            let message = format!("all values of `{}` are unusual for a farmer", parameter.name);
            let problem = Problem::new(RuleError::ImplausibleAmount, path, message).value(to_inline_yaml(value));
            self.problems.push(problem.expected(words).warning());
        }
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
                    Problem::new(RuleError::RangeTooWide, path.clone(), "the range is wider than the action allows")
                        .value(to_inline_yaml(value));
                self.problems.push(problem.expected(format!("a range within ({lowest}, {highest})")));
            }
            return Allowed::Range { low, high };
        }
        // A plot written as [2, 3] is one value, not two.
        let is_plot = matches!(parameter.kind, ActionParameterKind::Plot) && parse_tuple(value).is_some();
        let items = match value {
            Value::Sequence(items) if !is_plot => items.clone(),
            single => vec![single.clone()],
        };
        if items.is_empty() {
            let problem = Problem::new(
                RuleError::NoValueAllowed,
                path.clone(),
                format!("no value of `{}` is allowed", parameter.name),
            );
            self.problems.push(
                problem.value("[]").expected("at least one value, or `'*'` for all").help("leave the action out"),
            );
        }
        let mut values = Vec::new();
        let mut seen = HashSet::new();
        // 0 and -0 are the same value.
        let mut is_new = |value: f64| seen.insert((value + 0.0).to_bits());
        for (i, item) in items.iter().enumerate() {
            let path = if value.is_sequence() && !is_plot { path.child(i) } else { path.clone() };
            if item.as_str() == Some("*") {
                values.extend(everything(self).into_iter().filter(|value| is_new(*value)));
                continue;
            }
            let (found, expected) = match &parameter.kind {
                ActionParameterKind::Plot => {
                    let Some(field) = self.names.field_of(part) else { continue };
                    let index = parse_tuple(item).and_then(|plot| plot_index(&plot, field));
                    let (x, y) = (field.length - 1, field.width - 1);
                    let expected = format!("a plot from '(0, 0)' to '({x}, {y})', a list of them, or `'*'` for all");
                    (index.map(|i| i as f64), expected)
                }
                ActionParameterKind::Real { low, high, .. } => {
                    let found = item.as_f64().filter(|v| (*low..=*high).contains(v));
                    (
                        found,
                        format!(
                            "a number from {low} to {high}, a list of them, a range '(low, high)', or `'*'` for all that are offered"
                        ),
                    )
                }
                ActionParameterKind::Choice(words) => {
                    let found = item.as_str().and_then(|w| words.iter().position(|word| word == w));
                    (found.map(|i| i as f64), format!("one of {}, a list of them, or `'*'` for all", words.join(", ")))
                }
            };
            match found {
                Some(found) if is_new(found) => values.push(found),
                Some(_) => {}
                None => self.problems.push(
                    Problem::new(
                        ActionError::WrongArgument,
                        path,
                        format!("this is not a valid value of `{}`", parameter.name),
                    )
                    .value(to_inline_yaml(item))
                    .expected(expected),
                ),
            }
        }
        Allowed::Values(values)
    }
}
