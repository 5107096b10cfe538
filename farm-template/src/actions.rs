//! The file for observations and actions.

use farm_core::Game;
use farm_core::action::{ActionKind, ActionTarget};
use farm_core::config::{ParameterDoc, ParameterKind, PartKind, Path, Problems};
use farm_core::declare::{ActionInfo, ActionParameterKind, PartInfo, Quantity, Reference};
use farm_core::registry::kind;
use farm_core::rules::MAX_SINGLE_PLOTS;
use farm_core::serde_yaml::{self, Mapping, Value};
use farm_core::spec::InteractionMode;
use farm_reference_format::RULE;

use crate::notes;
use crate::text::{Sheet, flow, line, scalar};
use crate::tree::{self, Leaf, by_part, merged};

/// The parameters of a game's rule.
pub(crate) fn rule(game: &Game) -> Value {
    let tagged = serde_yaml::to_value(game.spec().rules()).unwrap_or_default();
    tagged.get(RULE).cloned().unwrap_or_default()
}

/// Writes the file for actions. If `all_free` is set, everything visible is free.
pub(crate) fn write(game: &Game, all_free: bool) -> String {
    let rule = rule(game);
    let of = |key: &str| rule.get(key).cloned().unwrap_or_default();
    let mut sheet = Sheet::default();
    sheet.prose(0, &format!("Observations and actions of `{}`.", game.spec().name()));
    sheet.prose(0, "");
    sheet.prose(
        0,
        "Delete lines to restrict the game. Lines with one # are possible additions: remove the # to allow them.",
    );
    sheet.blank();
    sheet.key(0, "params", "");
    for parameter in kind(PartKind::Rule, RULE).map(|kind| kind.table()).unwrap_or_default() {
        if !matches!(parameter.kind(), ParameterKind::FreeForm(_) | ParameterKind::Conditions) {
            parameter_line(&mut sheet, 2, &parameter, &of(parameter.name()));
        }
    }
    sheet.blank();
    sheet.key(0, "observations", "");
    let mode = game.spec().interaction_mode();
    sheet.prose(
        2,
        match mode {
            InteractionMode::Fomdp => {
                "Free observations. In the interaction mode of this game, fomdp, all visible variables are free: this list has no effect."
            }
            _ => "Free observations. '*' is all values of a variable, '(0, 0)' one plot, 0 the first of several values.",
        },
    );
    sheet.key(2, "Free", "");
    free(&mut sheet, game, &of("free_observations"), all_free);
    let asked = of("observations");
    if mode == InteractionMode::Aomdp || !asked.is_null() {
        sheet.prose(
            2,
            match mode {
                InteractionMode::Aomdp => {
                    "Priced observations. A name without entries below it includes all of its entries."
                }
                _ => "Priced observations, for the interaction mode aomdp only.",
            },
        );
        let asked = if asked.is_null() { everything(game) } else { asked };
        for_farmers(&mut sheet, game, &asked, &|farmer, part, said| looks(game, farmer, part, said));
    }
    sheet.blank();
    sheet.prose(0, "Actions. A missing parameter allows all values that its action offers.");
    let actions = of("actions");
    if let Value::Sequence(names) = &actions {
        sheet.key(0, "interventions", "");
        action_names(&mut sheet, game, names);
        return sheet.finish();
    }
    sheet.key(0, "interventions", "");
    let actions = if actions.is_null() { every_action(game) } else { actions };
    for_farmers(&mut sheet, game, &actions, &|farmer, part, said| intervention_leaves(game, farmer, part, said));
    sheet.finish()
}

/// Writes a parameter and its value.
pub(crate) fn parameter_line(sheet: &mut Sheet, indent: usize, parameter: &ParameterDoc, value: &Value) {
    let text = format!("{}: {}", scalar(parameter.name()), flow(value));
    sheet.entry(indent, true, &text, &notes::parameter(parameter));
}

/// A part's field and name, or only its name if it is not in a field.
pub(crate) fn place(game: &Game, part: &PartInfo) -> Vec<Value> {
    let field = part.field().map(|field| Value::from(game.fields()[field].name()));
    field.into_iter().chain([Value::from(part.name())]).collect()
}

/// The comment for a reference in a configuration.
pub(crate) fn reference_note(game: &Game, value: &Value) -> Option<String> {
    let references = game.names().resolve(value, &Path::default(), &mut Problems::default());
    let notes = references.iter().map(|reference| match reference.quantity() {
        Quantity::Step => "integer: Steps taken.".to_owned(),
        Quantity::Remaining => "integer: The number of steps left.".to_owned(),
        _ => quantity_note(&game.parts()[reference.part()], quantity_name(game, reference)).unwrap_or_default(),
    });
    notes.into_iter().next()
}

fn quantity_name<'g>(game: &'g Game, reference: &Reference) -> &'g str {
    let part = &game.parts()[reference.part()];
    match reference.quantity() {
        Quantity::Variable(i) => part.variables()[i].name(),
        Quantity::Observable(i) => part.observables()[i].name(),
        Quantity::Step | Quantity::Remaining => "",
    }
}

fn quantity_note(part: &PartInfo, name: &str) -> Option<String> {
    let variable = part.variables().iter().find(|v| v.name() == name);
    let note = variable.map(|v| notes::variable(name, v.kind(), v.shape(), v.per_plot(), v.doc()));
    note.or_else(|| {
        let observable = part.observables().iter().find(|o| o.name() == name)?;
        Some(notes::variable(name, observable.kind(), observable.shape(), false, observable.doc()))
    })
}

/// A part's visible variables and observables, with names and shapes, in declaration order.
pub(crate) fn visible(part: &PartInfo) -> Vec<(&str, &[usize])> {
    let variables = part.variables().iter().filter(|v| v.visible()).map(|v| (v.name(), v.shape()));
    variables.chain(part.observables().iter().map(|o| (o.name(), o.shape()))).collect()
}

/// Writes the free observations as the paper's tree if that preserves their order and names; otherwise, as the rule's own list.
fn free(sheet: &mut Sheet, game: &Game, source: &Value, all_free: bool) {
    let items: Vec<&Value> = match source {
        Value::Mapping(entries) => entries.values().collect(),
        list => list.as_sequence().into_iter().flatten().collect(),
    };
    let resolved = |item: &&Value| game.names().resolve(item, &Path::default(), &mut Problems::default());
    let seen = if all_free { all_references(game) } else { items.iter().flat_map(resolved).collect() };
    let keyed = source.is_mapping();
    match if keyed { None } else { as_tree(game, &seen) } {
        Some(found) => {
            let mut first: Vec<usize> = found.iter().map(|(part, ..)| *part).collect();
            first.dedup();
            tree::write(sheet, 4, game, &first, &|part| {
                let info = &game.parts()[part];
                let said = found.iter().filter(|(p, ..)| *p == part);
                let said: Vec<(&str, &Value)> = said.map(|(_, name, which)| (name.as_str(), which)).collect();
                let names: Vec<&str> = said.iter().map(|(name, _)| *name).collect();
                let all: Vec<&str> = visible(info).into_iter().map(|(name, _)| name).collect();
                let leaf = |name: &str| {
                    let which = said.iter().find(|(said, _)| *said == name).map(|(_, which)| *which);
                    let text = line(name, which.unwrap_or(&Value::Null));
                    let comment = quantity_note(info, name).unwrap_or_default();
                    Leaf { used: which.is_some(), text, comment, ..Leaf::default() }
                };
                merged(&names, &all).into_iter().map(leaf).collect()
            });
        }
        None => {
            let entries: Vec<(String, &Value)> = match source {
                Value::Mapping(entries) => {
                    entries.iter().map(|(key, value)| (line(key.as_str().unwrap_or_default(), value), value)).collect()
                }
                list => list
                    .as_sequence()
                    .into_iter()
                    .flatten()
                    .map(|value| (format!("- {}", flow(value)), value))
                    .collect(),
            };
            for (text, value) in entries {
                sheet.entry(4, true, &text, &reference_note(game, value).unwrap_or_default());
            }
            let taken: Vec<&str> =
                source.as_mapping().into_iter().flat_map(|entries| entries.keys().filter_map(Value::as_str)).collect();
            for reference in all_references(game) {
                let whole = |r: &Reference| {
                    (r.part(), r.quantity()) == (reference.part(), reference.quantity()) && r.element().is_none()
                };
                if seen.iter().any(whole) || taken.contains(&reference.name()) {
                    continue;
                }
                let part = &game.parts()[reference.part()];
                let name = quantity_name(game, &reference);
                let value: Value = Value::Sequence(place(game, part).into_iter().chain([Value::from(name)]).collect());
                let text = if keyed { line(reference.name(), &value) } else { format!("- {}", flow(&value)) };
                sheet.entry(4, false, &text, &quantity_note(part, name).unwrap_or_default());
            }
        }
    }
}

fn all_references(game: &Game) -> Vec<Reference> {
    let all = game.parts().iter().enumerate().flat_map(|(part, info)| {
        let variables = info.variables().iter().enumerate().filter(|(_, v)| v.visible());
        let variables = variables.map(|(i, v)| (Quantity::Variable(i), v.name()));
        let observables = info.observables().iter().enumerate().map(|(i, o)| (Quantity::Observable(i), o.name()));
        variables
            .chain(observables)
            .map(move |(quantity, name)| Reference::new(part, quantity, format!("{}.{name}", info.path())))
    });
    all.collect()
}

/// References as parts, names and values, in an order that a tree can preserve. `None` if no tree can preserve their order.
fn as_tree(game: &Game, references: &[Reference]) -> Option<Vec<(usize, String, Value)>> {
    let mut found: Vec<(usize, String, Value)> = Vec::new();
    for reference in references {
        let name = quantity_name(game, reference);
        if name.is_empty() {
            return None;
        }
        let part = &game.parts()[reference.part()];
        let whole = format!("{}.{name}", part.path());
        let which = match reference.element() {
            None => None,
            Some(flat) => Some(match game.names().index_json(reference, flat) {
                serde_json::Value::Array(axes) => {
                    let axes = axes.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
                    Value::String(format!("({axes})"))
                }
                index => Value::from(index.as_u64()?),
            }),
        };
        let expected = match &which {
            None => whole,
            Some(Value::String(plot)) => format!("{whole}{plot}"),
            Some(index) => format!("{whole}[{}]", flow(index)),
        };
        if expected != reference.name() {
            return None;
        }
        match (found.last_mut(), which) {
            (Some((part, last, Value::Sequence(items))), Some(which))
                if (*part, last.as_str()) == (reference.part(), name) =>
            {
                items.push(which);
            }
            (_, None) => found.push((reference.part(), name.to_owned(), Value::Null)),
            (_, Some(which)) => found.push((reference.part(), name.to_owned(), Value::Sequence(vec![which]))),
        }
    }
    let again = |i: usize| found[..i].iter().any(|(part, name, _)| (part, name) == (&found[i].0, &found[i].1));
    let mut parts: Vec<usize> = found.iter().map(|(part, ..)| *part).collect();
    parts.dedup();
    let mut tops: Vec<(Option<usize>, usize)> =
        parts.iter().map(|part| game.parts()[*part].field().map_or((None, *part), |field| (Some(field), 0))).collect();
    tops.dedup();
    let once = |n: usize, same: &dyn Fn(usize, usize) -> bool| (0..n).all(|i| (0..i).all(|j| !same(i, j)));
    let kept = (0..found.len()).all(|i| !again(i))
        && once(parts.len(), &|i, j| parts[i] == parts[j])
        && once(tops.len(), &|i, j| tops[i] == tops[j]);
    // Parts and variables that are not free yet are inserted between them, which keeps the order.
    kept.then_some(found)
}

/// The lines for a part, for one farmer or for all, from its entry in a tree.
type Leaves<'a> = dyn Fn(Option<usize>, usize, &Mapping) -> Vec<Leaf> + 'a;

/// Writes a tree of fields and parts, or a tree of farmers with such a tree for each. `leaves` receives the farmer if there is one, the
/// part, and the part's entry in the tree.
fn for_farmers(sheet: &mut Sheet, game: &Game, tree: &Value, leaves: &Leaves<'_>) {
    let is_field = |name: &str| game.fields().iter().any(|field| field.name() == name);
    let farmers = game.parts().iter().filter(|part| part.field().is_none()).take(game.spec().farmers().len());
    let farmers: Vec<&str> = farmers.map(|part| part.name()).collect();
    let mut for_all = Mapping::new();
    let mut own: Vec<(usize, &Value)> = Vec::new();
    for (key, below) in tree.as_mapping().into_iter().flatten() {
        let name = key.as_str().unwrap_or_default();
        let first = below.as_mapping().and_then(|entries| entries.keys().next()).and_then(Value::as_str);
        match farmers.iter().position(|farmer| *farmer == name) {
            Some(farmer) if first.is_some_and(is_field) => own.push((farmer, below)),
            _ => {
                for_all.insert(key.clone(), below.clone());
            }
        }
    }
    let write = |sheet: &mut Sheet, indent: usize, farmer: Option<usize>, tree: &Value| {
        let (first, below) = by_part(game, tree);
        tree::write(sheet, indent, game, &first, &|part| {
            let said = below.iter().find(|(p, _)| *p == part).map(|(_, said)| said.clone()).unwrap_or_default();
            leaves(farmer, part, &said)
        });
    };
    // If some lines are for one farmer only, lines for all farmers would allow the same thing twice.
    if !for_all.is_empty() || own.is_empty() {
        write(sheet, 2, None, &Value::Mapping(for_all));
    }
    for (farmer, below) in own {
        sheet.key(2, farmers[farmer], "for this farmer only");
        write(sheet, 4, Some(farmer), below);
    }
}

/// Whether a line for a part that the rules do not name would allow anything new.
fn is_open(
    game: &Game,
    farmer: Option<usize>,
    part: usize,
    kind: ActionKind,
    same: &dyn Fn(&ActionTarget) -> bool,
) -> bool {
    let info = &game.parts()[part];
    // A farmer's own actions are available to that farmer only.
    let farmer_itself = (info.field().is_none() && kind == ActionKind::Intervention)
        .then(|| game.parts().iter().filter(|p| p.field().is_none()).position(|p| p.name() == info.name()));
    let doers: Vec<usize> = match (farmer, farmer_itself.flatten()) {
        (Some(farmer), Some(itself)) if farmer != itself => return false,
        (Some(farmer), _) | (None, Some(farmer)) => vec![farmer],
        (None, None) => (0..game.spec().farmers().len()).collect(),
    };
    let allowed = |farmer: &usize| {
        game.catalogue()
            .base_actions()
            .iter()
            .any(|base| (base.farmer(), base.part()) == (*farmer, part) && same(base.target()))
    };
    doers.iter().any(|farmer| game.allows(*farmer, kind, info.field())) && !doers.iter().any(allowed)
}

/// The lines for a part's actions.
fn intervention_leaves(game: &Game, farmer: Option<usize>, part: usize, said: &Mapping) -> Vec<Leaf> {
    let info = &game.parts()[part];
    let field = info.field().map(|field| game.fields()[field].as_ref());
    let names: Vec<&str> = said.keys().filter_map(Value::as_str).collect();
    let all: Vec<&str> = info.actions().iter().map(|action| action.name()).collect();
    let leaf = |name: &str| {
        let index = info.actions().iter().position(|action| action.name() == name)?;
        let action = &info.actions()[index];
        let value = said.get(name);
        let is_same = |target: &ActionTarget| *target == ActionTarget::Intervention(index);
        if value.is_none() && !is_open(game, farmer, part, ActionKind::Intervention, &is_same) {
            return None;
        }
        let parameters = action.parameters().iter();
        let explained = parameters.map(|p| format!("  {}: {}", p.name(), notes::action_parameter(p, field)));
        let (prose, comment) = match action.parameters().is_empty() {
            true => (Vec::new(), action.doc().to_owned()),
            false => ([action.doc().to_owned()].into_iter().chain(explained).collect(), String::new()),
        };
        let text = line(name, &with_all_parameters(action, value.unwrap_or(&Value::Null)));
        Some(Leaf { prose, used: value.is_some(), text, comment, ..Leaf::default() })
    };
    merged(&names, &all).into_iter().filter_map(leaf).collect()
}

/// An action's allowed values, with all offered values for parameters that are not named.
fn with_all_parameters(action: &ActionInfo, said: &Value) -> Value {
    let entries = action.parameters().iter().map(|parameter| {
        let said = said.get(parameter.name()).filter(|said| !said.is_null());
        let value = said.cloned().unwrap_or_else(|| match parameter.kind() {
            ActionParameterKind::Plot => Value::from("*"),
            ActionParameterKind::Real { offered, .. } => offered.iter().copied().collect(),
            ActionParameterKind::Choice(words) => words.iter().map(String::as_str).collect(),
        });
        (Value::from(parameter.name()), value)
    });
    let entries: Mapping = entries.collect();
    if entries.is_empty() { Value::Null } else { Value::Mapping(entries) }
}

/// A tree of all actions, without parameters.
fn every_action(game: &Game) -> Value {
    let of = |part: &PartInfo| {
        let actions = part.actions().iter().map(|action| (Value::from(action.name()), Value::Null));
        Value::Mapping(actions.collect())
    };
    tree_of(game, &of)
}

/// A tree of everything that a rule without priced observations would offer.
fn everything(game: &Game) -> Value {
    let of = |part: &PartInfo| {
        let mut entries = Value::Mapping(Mapping::new());
        for (name, shape) in visible(part) {
            let mut place = &mut entries;
            let keys = part.split_name(name);
            for key in &keys[..keys.len() - 1] {
                let Value::Mapping(mapping) = place else { break };
                let all: Mapping = [(Value::from("*"), Value::Null)].into_iter().collect();
                place = mapping.entry(Value::from(*key)).or_insert(Value::Mapping(all));
            }
            let which: Value = match shape {
                [length, width] if length * width <= MAX_SINGLE_PLOTS => {
                    let plots = (0..length * width).map(|plot| format!("({}, {})", plot / width, plot % width));
                    ["*".to_owned()].into_iter().chain(plots).map(Value::from).collect()
                }
                [n] => [Value::from("*")].into_iter().chain((0..*n).map(Value::from)).collect(),
                _ => Value::Null,
            };
            if let (Value::Mapping(mapping), Some(last)) = (place, keys.last()) {
                mapping.insert(Value::from(*last), which);
            }
        }
        entries
    };
    tree_of(game, &of)
}

fn tree_of(game: &Game, of: &dyn Fn(&PartInfo) -> Value) -> Value {
    let mut tree = Mapping::new();
    for part in game.parts().iter() {
        let below = of(part);
        if below.as_mapping().is_none_or(Mapping::is_empty) {
            continue;
        }
        match part.field() {
            None => {
                tree.insert(Value::from(part.name()), below);
            }
            Some(field) => {
                let field = Value::from(game.fields()[field].name());
                if let Value::Mapping(parts) = tree.entry(field).or_insert(Value::Mapping(Mapping::new())) {
                    parts.insert(Value::from(part.name()), below);
                }
            }
        }
    }
    Value::Mapping(tree)
}

/// The lines for a part's priced observations.
fn looks(game: &Game, farmer: Option<usize>, part: usize, said: &Mapping) -> Vec<Leaf> {
    let info = &game.parts()[part];
    let mut leaves = Vec::new();
    let mut named = Vec::new();
    for (name, below) in said {
        look(info, name.as_str().unwrap_or_default(), name, below, 0, &mut leaves, &mut named);
    }
    for (name, _) in visible(info) {
        let canonical = format!("{}.{name}", info.path());
        let is_same = |target: &ActionTarget| match target {
            ActionTarget::Observation(request) => {
                matches!(request.references(), [one] if one.name() == canonical && one.element().is_none())
            }
            ActionTarget::Intervention(_) => false,
        };
        let is_said = named.iter().any(|said| said == name);
        if !is_said && is_open(game, farmer, part, ActionKind::Observation, &is_same) {
            let comment = quantity_note(info, name).unwrap_or_default();
            leaves.push(Leaf { used: false, text: line(name, &Value::Null), comment, ..Leaf::default() });
        }
    }
    leaves
}

fn look(
    info: &PartInfo,
    full: &str,
    key: &Value,
    below: &Value,
    deeper: usize,
    leaves: &mut Vec<Leaf>,
    named: &mut Vec<String>,
) {
    let comment = quantity_note(info, full).unwrap_or_default();
    let comment = if key.as_str() == Some("*") { "all of them at once".to_owned() } else { comment };
    named.push(full.to_owned());
    match below {
        Value::Mapping(entries) if !entries.is_empty() => {
            let text = format!("{}:", flow(key));
            leaves.push(Leaf { used: true, deeper, text, comment, ..Leaf::default() });
            for (key, below) in entries {
                let full = format!("{full}.{}", key.as_str().unwrap_or_default());
                look(info, &full, key, below, deeper + 2, leaves, named);
            }
        }
        below => {
            let text = match below {
                Value::Null => format!("{}:", flow(key)),
                below => format!("{}: {}", flow(key), flow(below)),
            };
            leaves.push(Leaf { used: true, deeper, text, comment, ..Leaf::default() });
        }
    }
}

/// Writes actions in the order of a list of names.
fn action_names(sheet: &mut Sheet, game: &Game, names: &[Value]) {
    let all = game.parts().iter().flat_map(|part| {
        part.actions().iter().map(move |action| (format!("{}.{}", part.path(), action.name()), action))
    });
    let all: Vec<(String, &ActionInfo)> = all.collect();
    let mut rest: Vec<&(String, &ActionInfo)> = all.iter().collect();
    for name in names {
        let word = name.as_str().unwrap_or_default();
        let found = all.iter().find(|(full, action)| full == word || action.name() == word);
        sheet.entry(2, true, &format!("- {}", flow(name)), found.map_or("", |(_, action)| action.doc()));
        rest.retain(|(full, action)| full != word && action.name() != word);
    }
    for (full, action) in rest {
        sheet.entry(2, false, &format!("- {}", scalar(full)), action.doc());
    }
}
