//! Checks every level of a game and expands parameter sets.

use serde_yaml::{Mapping, Value};

use crate::config::{
    EXTENDS, Idle, PLAIN_TEXTS, PRESET, ParameterDoc, ParameterError, ParameterKind, PartKind, Path, Phrase, Problem,
    Problems, Segment, Tool, check_table, nearest, to_inline_yaml,
};
use crate::registry::{Kind, KindError, ParameterSet, kind, unknown_kind};
use crate::spec::errors::GameError;
use crate::spec::limits::check_limits;
use crate::spec::table::{REQUIRED, extension_table, field_table, game_table};
use crate::spec::tunable::{is_tunable, settled};

/// How the two forms of a game differ.
const BOTH_FORMS: &str = "a game has the keys `fields:` (with `entities:`), `farmers:`, `rules:` and `score:`; in the format of the \
                          Farm-gym reference, it has `Farm:` with `Field-0:` and `Farmer-0:`, and can be opened as a file";

/// The maximum length of an example value.
const LONGEST_EXAMPLE: usize = 80;

/// The expected form for this type of part, and the tool that lists its kinds.
fn listed(form: &str, part: PartKind) -> Phrase {
    Phrase::from(form).and("; ").with(Tool::list(part.plural())).and(" shows them")
}

/// Checks every level of a game and returns it with its parameter sets expanded.
pub(super) fn check_game(value: &Value, problems: &mut Problems) -> Value {
    let root = Path::default();
    let mut resolved = value.clone();
    let Some(mapping) = value.as_mapping() else {
        problems.push(
            Problem::new(
                GameError::NotAGame,
                root,
                "a game is a mapping with `name`, `fields`, `farmers`, `rules` and `score`",
            )
            .value(to_inline_yaml(value))
            .help(
                Tool::list("games").and(" lists games to start from; ").with(Tool::describe("GAME")).and(" prints one"),
            ),
        );
        return resolved;
    };
    let begins_from_another = || mapping.keys().filter_map(Value::as_str).any(|key| nearest(key, &[EXTENDS]).is_some());
    if !REQUIRED.iter().any(|key| mapping.contains_key(*key)) && !begins_from_another() {
        let keys = mapping.keys().map(to_inline_yaml).collect::<Vec<_>>().join(", ");
        let problem = Problem::new(
            GameError::NotAGame,
            root,
            "this is not a game: it has none of the keys `name`, `fields`, `farmers`, `rules`, `score`",
        );
        problems
            .push(problem.value(keys).expected(BOTH_FORMS).help(Tool::GameText.and(" prints a game to compare with")));
        return resolved;
    }
    if !check_limits(value, problems) {
        return resolved;
    }
    let mut keys = game_table();
    keys.splice(1..1, extension_table());
    let misplaced = misplaced_keys(mapping, &keys);
    for Misplaced { path, key, is_line } in &misplaced {
        let message = format!("`{key}` belongs at the top level");
        let problem = Problem::new(ParameterError::MisplacedKey, path.clone(), message).about_name();
        problems.push(problem.value(format!("{key}:")).help(match is_line {
            true => "start it in the first column; leave the lines below it where they are",
            false => "start it in the first column, and move its lines to the left by the same amount",
        }));
        // Removes the misplaced key, so that the part around it is not reported as well. If only the key's line is indented, the lines
        // below belong to the key.
        if let Some((Segment::Key(top), below)) = path.0.split_first()
            && let Some(part) = resolved.get_mut(top.as_str())
        {
            take_away(part, below, *is_line);
        }
    }
    let without = (!misplaced.is_empty()).then(|| resolved.clone());
    let value = without.as_ref().unwrap_or(value);
    let mapping = value.as_mapping().unwrap_or(mapping);
    let help = Tool::describe("game").and(" lists the keys of a game file");
    check_table(value, &keys, &root, &help, problems);
    // Misspelt and misplaced keys have already been reported, so they are not also reported as missing.
    let mut meant: Vec<String> = problems.0.iter().filter_map(|problem| problem.nearest.clone()).collect();
    meant.extend(misplaced.into_iter().map(|misplaced| misplaced.key));
    if meant.iter().any(|name| name == EXTENDS) {
        // All other keys come from the extended game.
        return resolved;
    }
    for key in extension_table().iter().map(|key| key.name).filter(|key| mapping.contains_key(*key)) {
        let (path, message) = (root.child(key), format!("`{key}` has no effect here"));
        // The value of this key does not matter.
        problems.0.retain(|problem| problem.path != path);
        let problem = Problem::new(ParameterError::UnknownParameter, path, message).about_name();
        let problem = match key {
            EXTENDS => problem.help("the extended game was not read: open this game as a file"),
            _ => problem.expected(format!("`{EXTENDS}: GAME` next to it")),
        };
        let is_preset = key == PRESET;
        problems.push(if is_preset { problem.help("define variants of this game under `presets`") } else { problem });
    }
    for key in REQUIRED {
        if !mapping.contains_key(key) && !meant.iter().any(|name| name == key) {
            let problem = Problem::new(ParameterError::MissingKey, root.clone(), format!("`{key}` is missing"))
                .expected(match key {
                    "name" => "a string".into(),
                    "fields" => "a mapping from `Field-0`, `Field-1` … to fields".into(),
                    "farmers" => listed("a list of farmers", PartKind::Farmer),
                    "rules" => listed("a rule, `KIND: {…}`", PartKind::Rule),
                    _ => listed("a score, `KIND: {…}`", PartKind::Score),
                });
            problems.push(if key == "fields" { problem.help(BOTH_FORMS) } else { problem });
        }
    }
    if value.get("fields").and_then(Value::as_mapping).is_some_and(|fields| fields.is_empty()) {
        let problem =
            Problem::new(GameError::NoField, root.child("fields"), "a game needs at least one field").value("{}");
        problems.push(problem.expected("a mapping from `Field-0`, `Field-1` … to fields"));
    }
    if value.get("farmers").and_then(Value::as_sequence).is_some_and(|farmers| farmers.is_empty()) {
        let problem =
            Problem::new(GameError::NoFarmer, root.child("farmers"), "a game needs at least one farmer").value("[]");
        problems.push(problem.expected(listed("a list of farmers", PartKind::Farmer)));
    }
    for (name, field) in value.get("fields").and_then(Value::as_mapping).into_iter().flatten() {
        let Some(name) = name.as_str() else { continue };
        let path = root.child("fields").child(name).child("entities");
        match field.get("entities").and_then(Value::as_sequence) {
            Some(entities) if !entities.is_empty() => {
                let defaults = entity_defaults(field, entities, &root.child("fields").child(name), problems);
                for (i, entity) in entities.iter().enumerate() {
                    let entity = check_with(entity, PartKind::Entity, &defaults, &path.child(i), problems);
                    resolved["fields"][name]["entities"][i] = entity;
                }
            }
            _ if !field.is_mapping() && !field.is_null() => {}
            // A misspelt list, or a list of the wrong type, has already been reported.
            Some(_) | None if problems.0.iter().any(|problem| is_list_of(&path, problem)) => {}
            _ => problems.push(
                Problem::new(GameError::NoEntity, path, "a field needs at least one entity")
                    .value(field.get("entities").map(to_inline_yaml).unwrap_or_else(|| "nothing".to_owned()))
                    .expected(listed("a list of `KIND: parameter set`", PartKind::Entity)),
            ),
        }
    }
    for (i, farmer) in value.get("farmers").and_then(Value::as_sequence).into_iter().flatten().enumerate() {
        let path = root.child("farmers").child(i);
        resolved["farmers"][i] = check_tagged(farmer, PartKind::Farmer, &path, problems);
    }
    for (key, part) in [("rules", PartKind::Rule), ("score", PartKind::Score)] {
        if let Some(value) = value.get(key) {
            resolved[key] = check_tagged(value, part, &root.child(key), problems);
        }
    }
    for (name, policy) in value.get("policies").and_then(Value::as_mapping).into_iter().flatten() {
        if let Some(name) = name.as_str() {
            let path = root.child("policies").child(name);
            resolved["policies"][name] = check_tagged(policy, PartKind::Policy, &path, problems);
        }
    }
    resolved
}

/// One of the game's keys that is written below another key by mistake.
struct Misplaced {
    path: Path,
    key: String,
    /// Whether only the key's own line is indented, with nothing below it.
    is_line: bool,
}

/// The game's keys that are missing at the top level but are written one or two levels below, where no part has them.
fn misplaced_keys(game: &Mapping, keys: &[ParameterDoc]) -> Vec<Misplaced> {
    let is_missing = |name: &str| {
        keys.iter().any(|key| key.name == name) && !PLAIN_TEXTS.contains(&name) && !game.contains_key(name)
    };
    let mut found = Vec::new();
    let misplaced = |path: Path, key: &str, value: Option<&Value>| {
        let is_line = value.is_none_or(Value::is_null);
        Misplaced { path, key: key.to_owned(), is_line }
    };
    for (top, part) in [("fields", None), ("rules", Some(PartKind::Rule)), ("score", Some(PartKind::Score))] {
        for (name, value) in game.get(top).and_then(Value::as_mapping).into_iter().flatten() {
            let Some(name) = name.as_str() else { continue };
            let path = Path::default().child(top).child(name);
            // A field may have any name.
            let is_field = part.is_none() && value.get("entities").is_some();
            if is_missing(name) && !is_field {
                found.push(misplaced(path, name, Some(value)));
                continue;
            }
            let is_in = |table: &[ParameterDoc], below: &str| table.iter().any(|parameter| parameter.name == below);
            let is_known = |below: &str| match part {
                None => is_in(&field_table(), below),
                Some(part) => kind(part, name).is_some_and(|kind| kind.open.is_some() || is_in(&kind.table(), below)),
            };
            let stray = value.as_mapping().into_iter().flat_map(Mapping::keys).filter_map(Value::as_str);
            let stray = stray.filter(|below| is_missing(below) && !is_known(below));
            found.extend(stray.map(|below| misplaced(path.child(below), below, value.get(below))));
        }
    }
    found
}

/// Removes the value at a path of keys. If `and_behind` is set, also removes the entries that come after the path's key in each mapping
/// along the path.
fn take_away(value: &mut Value, path: &[Segment], and_behind: bool) {
    let (Some(entries), [Segment::Key(key), below @ ..]) = (value.as_mapping_mut(), path) else { return };
    if and_behind {
        let behind = entries.keys().skip_while(|name| name.as_str() != Some(key)).skip(1);
        behind.cloned().collect::<Vec<_>>().into_iter().for_each(|name| drop(entries.shift_remove(&name)));
    }
    match (below, entries.get_mut(key.as_str())) {
        ([], _) => drop(entries.shift_remove(key.as_str())),
        (below, Some(inner)) => take_away(inner, below, and_behind),
        (_, None) => {}
    }
}

/// Adds the line number for each key that must move to the top level. The line is known only after the problems have been located.
pub(super) fn name_lines(mut problems: Problems) -> Problems {
    for problem in problems.0.iter_mut().filter(|problem| problem.is(ParameterError::MisplacedKey)) {
        if let Some((line, _)) = problem.location.as_ref().and_then(|location| location.position) {
            problem.message += &format!(": unindent line {line}");
        }
    }
    problems
}

/// Whether a problem is about the list at a path, or about a misspelt name next to it.
fn is_list_of(path: &Path, problem: &Problem) -> bool {
    let is_meant = |name: &str| path.0.last() == Some(&Segment::from(name));
    let is_beside =
        problem.path.0.len() == path.0.len() && problem.path.0[..path.0.len() - 1] == path.0[..path.0.len() - 1];
    problem.path == *path || is_beside && problem.nearest.as_deref().is_some_and(is_meant)
}

/// The parameters that a field sets for every entity that has them.
fn entity_defaults(field: &Value, entities: &[Value], path: &Path, problems: &mut Problems) -> Mapping {
    let defaults = field.get("entity_defaults").and_then(Value::as_mapping).cloned().unwrap_or_default();
    let tables = entities.iter().filter_map(|entity| match entity {
        Value::String(name) => kind(PartKind::Entity, name),
        entity => entity.as_mapping()?.keys().next()?.as_str().and_then(|name| kind(PartKind::Entity, name)),
    });
    let known: Vec<&str> = tables.flat_map(|kind| kind.table()).map(|parameter| parameter.name).collect();
    for (name, value) in &defaults {
        let name = name.as_str().unwrap_or("?");
        if !known.contains(&name) {
            let path = path.child("entity_defaults").child(name);
            let problem = Problem::new(
                ParameterError::UnknownParameter,
                path,
                format!("no entity of the field has a parameter `{name}`"),
            );
            problems.push(problem.value(to_inline_yaml(value)).among(name, known.iter().copied()));
        }
    }
    defaults
}

/// Checks `Kind`, `Kind: set` or `Kind: {base: set, parameter: value}` and returns `Kind: {all parameters}`.
pub fn check_tagged(value: &Value, part: PartKind, path: &Path, problems: &mut Problems) -> Value {
    check_with(value, part, &Mapping::new(), path, problems)
}

/// Like [`check_tagged`], with defaults that apply if the kind has the parameter and the value does not set it.
fn check_with(value: &Value, part: PartKind, defaults: &Mapping, path: &Path, problems: &mut Problems) -> Value {
    let before = problems.0.len();
    let settled = (part == PartKind::Policy && is_tunable(value)).then(|| settled(value, path, problems));
    if problems.0.len() > before {
        // If the range is wrong, the value is unknown and cannot be checked.
        return Value::Null;
    }
    let value = settled.as_ref().unwrap_or(value);
    let (name, payload) = match value {
        Value::String(name) => (name.as_str(), Value::Null),
        Value::Mapping(mapping) if mapping.len() == 1 => match mapping.iter().next() {
            Some((Value::String(name), payload)) => (name.as_str(), payload.clone()),
            _ => ("", Value::Null),
        },
        _ => ("", Value::Null),
    };
    if name.is_empty() {
        problems.push(beside_its_kind(value, part, path).unwrap_or_else(|| {
            let message = format!("this is not a valid {}", part.singular());
            let problem = Problem::new(KindError::NotAPart, path.clone(), message).value(to_inline_yaml(value));
            let problem = problem.expected("`Kind`, `Kind: set` or `Kind: {base: set, parameter: value}`");
            match value {
                Value::Sequence(items) if path.0.len() == 1 => {
                    let first = items.first().map(to_inline_yaml).filter(|first| first.len() <= LONGEST_EXAMPLE);
                    let first = first.map_or_else(String::new, |first| format!(", for example {first}"));
                    problem.help(format!("`{path}` is one part and not a list: remove the brackets or `- `{first}"))
                }
                _ => problem.help(Tool::list(part.plural()).and(" shows all kinds")),
            }
        }));
        return Value::Null;
    }
    let Some(kind) = kind(part, name) else {
        problems.push(unknown_kind(part, name, path.child(name)));
        return Value::Null;
    };
    let path = path.child(name);
    if let Some(text) = kind.open {
        let parameters = check_open(kind, text, payload, &path, problems);
        return Value::Mapping([(Value::String(name.to_owned()), parameters)].into_iter().collect());
    }
    // The name of a set follows the kind, or the key `base`.
    let place = if payload.is_mapping() { path.child("base") } else { path.clone() };
    let (base, own) = match payload {
        Value::String(base) => (Some(base), Value::Null),
        Value::Mapping(mut mapping) => match mapping.remove("base") {
            Some(Value::String(base)) => (Some(base), Value::Mapping(mapping)),
            Some(other) => {
                let problem = Problem::new(
                    ParameterError::WrongType,
                    path.child("base"),
                    "`base` must be the name of a parameter set",
                )
                .value(to_inline_yaml(&other));
                problems.push(problem.expected("a string"));
                (None, Value::Mapping(mapping))
            }
            None => (None, Value::Mapping(mapping)),
        },
        other => (None, other),
    };
    let table = kind.table();
    let own = with_empty_mappings(own, &table);
    let help = Tool::describe(name).and(" lists every parameter");
    if own.is_null() || own.is_mapping() {
        check_table(&own, &table, &path, &help, problems);
    } else {
        let mut found = Problems::default();
        check_table(&own, &table, &path, &help, &mut found);
        let expected = "the name of a parameter set, or a mapping from parameters to values";
        problems.0.extend(found.0.into_iter().map(|problem| problem.expected(expected)));
    }
    // The sets are read only if one is requested, because this takes longer than all other checks.
    let sets = base.as_ref().and_then(|_| kind.parameter_sets().ok()).unwrap_or_default();
    let mut parameters = Value::Mapping(table.iter().map(|p| (p.name.into(), p.default.clone())).collect());
    if let Some(base) = base {
        match sets.iter().find(|set| set.name == base) {
            Some(set) => {
                // Problems are reported here, where the set is used, because the set's file does not belong to the user.
                problems.0.extend(set.problems(&table).0.into_iter().map(|wrong| {
                    let message = format!(
                        "the parameter set `{base}` of `{name}` has an error, at {}: {}",
                        wrong.path, wrong.message
                    );
                    Problem { message, path: place.clone(), ..wrong }
                }));
                merge(&mut parameters, set.parameters.clone());
            }
            None if sets.is_empty() => problems.push(
                Problem::new(
                    KindError::UnknownParameterSet,
                    place,
                    format!("unknown parameter set `{base}`: `{name}` has no parameter sets"),
                )
                .value(&base)
                .expected(format!("`{name}`, or `{name}: {{parameter: value}}`"))
                .help(help),
            ),
            None => problems.push(
                Problem::new(KindError::UnknownParameterSet, place, format!("`{name}` has no parameter set `{base}`"))
                    .value(&base)
                    .among(&base, sets.iter().map(|set| set.name.as_str()))
                    .with_synonyms(&base, sets.iter().flat_map(ParameterSet::named_synonyms))
                    .help(Tool::describe(name).and(" lists its parameter sets")),
            ),
        }
    }
    for (name, value) in defaults.iter().filter(|(name, _)| table.iter().any(|p| Some(p.name) == name.as_str())) {
        let mut shared = Value::Mapping(Mapping::new());
        shared[name] = value.clone();
        let help = "`entity_defaults` sets parameters for all entities of a field".into();
        check_table(&shared, &table, &path, &help, problems);
        merge(&mut parameters, shared);
    }
    let written: Vec<String> =
        own.as_mapping().into_iter().flat_map(Mapping::keys).filter_map(Value::as_str).map(String::from).collect();
    let values = own.clone();
    if !own.is_null() {
        merge(&mut parameters, own);
    }
    for written in &written {
        if let Some(idle) = table.iter().find(|p| p.name == written).and_then(|p| p.idle.as_ref())
            && parameters.get(&idle.parameter).and_then(Value::as_str) == Some(&idle.word)
        {
            problems.push(not_read(idle, written, &values[written.as_str()], &path));
        }
    }
    Value::Mapping([(Value::String(name.to_owned()), parameters)].into_iter().collect())
}

/// The problem to report for a parameter that is not read because of another parameter's value.
fn not_read(idle: &Idle, name: &str, value: &Value, path: &Path) -> Problem {
    let message = format!("`{name}` has no effect with `{}: {}`", idle.parameter, idle.word);
    let problem = Problem::new(KindError::ParameterNotRead, path.child(name), message).about_name();
    let help = match idle.instead.split_once('.') {
        _ if idle.instead.is_empty() => "remove it".to_owned(),
        Some((group, inner)) => format!("write `{group}: {{{inner}: …}}` instead"),
        None => format!("write `{}` instead", idle.instead),
    };
    problem.value(to_inline_yaml(value)).help(help).warning()
}

/// The problem to report for a parameter that is written next to its kind instead of inside it.
fn beside_its_kind(value: &Value, part: PartKind, path: &Path) -> Option<Problem> {
    let entries = value.as_mapping().filter(|entries| entries.len() > 1)?;
    let names = || entries.keys().filter_map(Value::as_str);
    let mut kinds = names().filter_map(|name| kind(part, name));
    let (found, None) = (kinds.next()?, kinds.next()) else { return None };
    let stray = names().find(|name| *name != found.name)?;
    let table = found.table();
    let known: Vec<&str> = table.iter().map(|parameter| parameter.name).collect();
    let meant = nearest(stray, &known)?;
    let message = format!("`{stray}` is outside `{}`", found.name);
    let mut problem = Problem::new(KindError::BesideItsKind, path.child(stray), message)
        .value(entries.get(stray).map(to_inline_yaml)?)
        .about_name();
    problem.nearest = Some(path.child(found.name).child(meant).to_string());
    Some(problem.help(format!("write parameters below their kind, `{}: {{{meant}: …}}`", found.name)))
}

/// The parameters for a kind that accepts more than its table lists. A single value sets the `text` parameter.
fn check_open(kind: &Kind, text: &'static str, payload: Value, path: &Path, problems: &mut Problems) -> Value {
    let mut own = match payload {
        Value::Null => Mapping::new(),
        Value::Mapping(own) => own,
        single => [(text.into(), single)].into_iter().collect(),
    };
    // If `--set` added a parameter to a single value, the value is under `base`.
    if !own.contains_key(text)
        && let Some(base) = own.remove("base")
    {
        own.insert(text.into(), base);
    }
    let table = kind.table();
    let is_known = |name: &Value| table.iter().any(|parameter| Some(parameter.name) == name.as_str());
    let known: Mapping = own.iter().filter(|(name, _)| is_known(name)).map(|(n, v)| (n.clone(), v.clone())).collect();
    if known.contains_key(text) {
        check_table(&Value::Mapping(known), &table, path, &Phrase::default(), problems);
    } else {
        let expected = format!("`{0}: {text}`, or `{0}: {{{text}: …}}` with further parameters", kind.name);
        let doc = table.iter().find(|parameter| parameter.name == text).map_or("", |parameter| &parameter.doc);
        let problem =
            Problem::new(ParameterError::MissingParameter, path.clone(), format!("`{}` needs its `{text}`", kind.name))
                .about_name();
        problems.push(problem.expected(expected).help(format!("`{text}`: {doc}")));
    }
    Value::Mapping(own)
}

/// Replaces a missing value with `{}` if a mapping is expected, because all entries may have been deleted or commented out.
fn with_empty_mappings(value: Value, table: &[ParameterDoc]) -> Value {
    let Value::Mapping(mut entries) = value else { return value };
    for parameter in table {
        if let Some(entry) = entries.get_mut(parameter.name) {
            *entry = with_empty_mapping(std::mem::take(entry), &parameter.kind);
        }
    }
    Value::Mapping(entries)
}

fn with_empty_mapping(value: Value, kind: &ParameterKind) -> Value {
    match (kind, value) {
        (ParameterKind::Group(_) | ParameterKind::Map(_), Value::Null) => Value::Mapping(Mapping::new()),
        (ParameterKind::Group(table), value) => with_empty_mappings(value, table),
        (ParameterKind::Map(item), Value::Mapping(entries)) => {
            Value::Mapping(entries.into_iter().map(|(key, entry)| (key, with_empty_mapping(entry, item))).collect())
        }
        (_, value) => value,
    }
}

/// Merges `over` into `base`, mapping by mapping.
pub(crate) fn merge(base: &mut Value, over: Value) {
    match (base, over) {
        (Value::Mapping(base), Value::Mapping(over)) => {
            for (key, value) in over {
                merge(base.entry(key).or_insert(Value::Null), value);
            }
        }
        (base, over) => *base = over,
    }
}
