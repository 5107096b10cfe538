//! Checks the declarations of kinds and parts: names, sentences, units, defaults, ranges.

use farm_core::config::{ParameterDoc, ParameterKind, PartKind, Path, Phrase, Problems, check_table};
use farm_core::declare::{ActionParameterKind, Labels, PartInfo, ValueKind};
use farm_core::registry::{Kind, read_any, roles};
use serde_yaml::Value;

use crate::report::{Defect, Findings};

/// The known unit symbols; [`crate::Kit::unit`] adds others.
pub const UNITS: [&str; 35] = [
    "m", "cm", "mm", "km", "g", "kg", "mg", "L", "mL", "MJ", "s", "min", "h", "day", "°C", "°", "%", "prop", "ppm",
    "nb", "int", "bird", "tile", "point", "coin", "step", "seed", "flag", "category", "year", "week", "bag", "bin",
    "sd", "dS",
];

/// Units and roles that are accepted in addition to the known units and registered roles.
#[derive(Debug, Clone, Default)]
pub struct Known {
    /// Unit symbols in addition to [`UNITS`].
    pub units: Vec<String>,
    /// Whether unregistered roles are accepted: roles of parts in other languages are only names.
    pub any_role: bool,
}

/// The defect in a sentence, if there is one.
pub fn defect_of_sentence(text: &str) -> Option<&'static str> {
    let text = text.trim();
    let first = text.chars().next();
    match first {
        None => Some("its description is empty"),
        _ if !text.ends_with('.') => Some("its sentence has no full stop"),
        Some(c) if c.is_lowercase() => Some("its sentence starts with a small letter"),
        _ if text.len() < 8 || text.contains("TODO") || text.contains("  ") => Some("its text is not a sentence"),
        _ => None,
    }
}

/// Whether a unit consists of known symbols with exponents, such as `mm.day-1` or `cm0.5.day-1`. The symbols in `more` are known in
/// addition to [`UNITS`].
pub fn is_unit(unit: &str, more: &[String]) -> bool {
    let mut rest = unit;
    loop {
        let end = rest.find(|c: char| c.is_ascii_digit() || matches!(c, '-' | '.' | '|')).unwrap_or(rest.len());
        let symbol = &rest[..end];
        if !UNITS.contains(&symbol) && !more.iter().any(|known| known == symbol) {
            return false;
        }
        rest = rest[end..].strip_prefix('-').unwrap_or(&rest[end..]);
        rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        // A digit follows the point in 0.5, but not the point between two symbols.
        if let Some(fraction) = rest.strip_prefix('.').filter(|after| after.starts_with(|c: char| c.is_ascii_digit())) {
            rest = fraction.trim_start_matches(|c: char| c.is_ascii_digit());
        }
        match rest.strip_prefix(['.', '|']) {
            Some(next) => rest = next,
            None => return rest.is_empty(),
        }
    }
}

/// The defect in a name such as `available_Water#L`, if there is one.
pub fn defect_of_name(name: &str, more: &[String]) -> Option<&'static str> {
    let (stem, unit) = name.split_once('#').map_or((name, None), |(stem, unit)| (stem, Some(unit)));
    if stem.is_empty() || !stem.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.')) {
        return Some("the name has characters other than letters, digits and `_`");
    }
    // The name of a value per part is `name#unit.Part-0`.
    let unit = unit.map(|unit| match unit.rsplit_once('.') {
        Some((unit, part)) if part.starts_with(|c: char| c.is_ascii_uppercase()) && part.contains('-') => unit,
        _ => unit,
    });
    match unit {
        Some(unit) if !is_unit(unit, more) => Some("the unit behind `#` is unknown: `Kit::unit` adds one"),
        _ => None,
    }
}

/// A string that occurs twice in the list.
fn twice<'n>(names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let mut seen = std::collections::BTreeSet::new();
    names.into_iter().find(|name| !seen.insert(*name))
}

/// A YAML mapping.
pub fn mapping<'k>(entries: impl IntoIterator<Item = (&'k str, Value)>) -> Value {
    Value::Mapping(entries.into_iter().map(|(key, value)| (key.into(), value)).collect())
}

/// Records all defects in the declarations of a kind and its parameters.
pub fn check_kind(kind: &Kind, known: &Known, findings: &mut Findings) {
    let mut add = |message: String| findings.add(Defect::new("documented", kind.name(), message));
    if let Some(defect) = defect_of_sentence(kind.doc()) {
        add(format!("{defect}: `{}`", kind.doc()));
    }
    if kind.source().trim().len() < 5 {
        add("it has no source: set `source` in the attribute `register`".into());
    }
    let sets = kind.parameter_sets().unwrap_or_else(|error| {
        add(format!("the parameter sets are not in the form `name: {{doc, source, parameters}}`: {error}"));
        Vec::new()
    });
    if let Some(name) = twice(sets.iter().map(|set| set.name())) {
        add(format!("two parameter sets have the name `{name}`"));
    }
    for set in &sets {
        // Sentences in YAML need no full stop.
        let doc = format!("{}.", set.doc().trim_end_matches('.'));
        if let Some(defect) = defect_of_sentence(&doc) {
            add(format!("parameter set `{}`: {defect}", set.name()));
        }
        if set.source().trim().len() < 5 || !set.parameters().is_mapping() {
            add(format!("parameter set `{}` has no `source` or no `parameters`", set.name()));
        }
    }
    let table = kind.table();
    check_parameters(&table, kind.name(), "", &known.units, findings);
    check_defaults(kind, &table, findings);
    round_trip_of(kind.part(), kind.name(), mapping([]), findings);
    round_trip_of(kind.part(), kind.name(), mapping(table.iter().map(|p| (p.name(), p.default().clone()))), findings);
    for set in sets {
        let mut problems = Problems::default();
        check_table(set.parameters(), &table, &Path::default().child(set.name()), &Phrase::default(), &mut problems);
        for problem in &problems.0 {
            findings.add(Defect::new("documented", kind.name(), format!("parameter set: {problem}")));
        }
        round_trip_of(kind.part(), kind.name(), set.parameters().clone(), findings);
    }
}

/// The parameters of a group. The parameter itself can be the group, or a list, mapping or optional value that contains it.
fn group_of(kind: &ParameterKind) -> Option<&[ParameterDoc]> {
    match kind {
        ParameterKind::Group(table) => Some(table),
        ParameterKind::List(item) | ParameterKind::Map(item) | ParameterKind::Optional(item) => group_of(item),
        _ => None,
    }
}

/// The numbers in a value, at any depth.
fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Sequence(items) => items.iter().flat_map(numbers).collect(),
        Value::Mapping(entries) => entries.values().flat_map(numbers).collect(),
        other => other.as_f64().into_iter().collect(),
    }
}

fn is_number(kind: &ParameterKind) -> bool {
    match kind {
        ParameterKind::Real | ParameterKind::Integer => true,
        ParameterKind::List(item)
        | ParameterKind::Interval(item)
        | ParameterKind::Map(item)
        | ParameterKind::Optional(item) => is_number(item),
        _ => false,
    }
}

/// Every parameter in a table and its groups has a unique name, a sentence, a unit, and a default in its range.
fn check_parameters(table: &[ParameterDoc], kind: &str, above: &str, units: &[String], findings: &mut Findings) {
    if let Some(name) = twice(table.iter().map(|parameter| parameter.name())) {
        findings.add(Defect::new("unique", kind, "two parameters have this name").of(&format!("{above}{name}")));
    }
    // If two parameters differ only in their unit, a wrong unit would be accepted.
    if let Some(name) = twice(table.iter().map(|parameter| parameter.name().split('#').next().unwrap_or_default())) {
        findings
            .add(Defect::new("unique", kind, "two parameters differ only in their unit").of(&format!("{above}{name}")));
    }
    for parameter in table {
        let path = format!("{above}{}", parameter.name());
        let mut add = |defect: &str| findings.add(Defect::new("documented", kind, defect).of(&path));
        defect_of_sentence(parameter.doc()).into_iter().for_each(&mut add);
        defect_of_name(parameter.name(), units).into_iter().for_each(&mut add);
        match parameter.range() {
            Some((low, high)) if low >= high || !low.is_finite() || !high.is_finite() => {
                add(&format!("{low} to {high} is not a valid range"));
            }
            Some((low, high)) if numbers(parameter.default()).iter().any(|number| *number < low || *number > high) => {
                add(&format!("the default {:?} lies outside {low} to {high}", parameter.default()));
            }
            None if is_number(parameter.kind()) => add("a number without a range: `#[parameter(range = 0.0..=1.0)]`"),
            _ => {}
        }
        if let Some(group) = group_of(parameter.kind()) {
            check_parameters(group, kind, &format!("{path}."), units, findings);
        }
    }
}

/// Reads a kind from an empty mapping and writes it again.
fn written_default(part: PartKind, name: &str) -> Result<Value, serde_yaml::Error> {
    let tagged = mapping([(name, mapping([]))]);
    let written = serde_yaml::to_value(read_any(part, tagged)?)?;
    Ok(written.get(name).cloned().unwrap_or_default())
}

/// The documented defaults are the actual ones, and pass the kind's own check.
fn check_defaults(kind: &Kind, table: &[ParameterDoc], findings: &mut Findings) {
    let real = match written_default(kind.part(), kind.name()) {
        Ok(real) => real,
        Err(error) => {
            findings.add(Defect::new(
                "round trip",
                kind.name(),
                format!("`{}: {{}}` can't be read: {error}", kind.name()),
            ));
            return;
        }
    };
    // A parameter that was added later is not written if it is not set.
    let is_written = |parameter: &&ParameterDoc| real.get(parameter.name()).is_some() || !parameter.default().is_null();
    if real.as_mapping().map_or(0, |mapping| mapping.len()) != table.iter().filter(is_written).count() {
        findings.add(Defect::new("documented", kind.name(), "its table of parameters differs from its YAML"));
    }
    check_group(table, &real, kind.name(), "", findings);
    let mut problems = Problems::default();
    let defaults = mapping(table.iter().map(|parameter| (parameter.name(), parameter.default().clone())));
    check_table(&defaults, table, &Path::default(), &Phrase::default(), &mut problems);
    for problem in &problems.0 {
        findings.add(Defect::new("documented", kind.name(), format!("its defaults are rejected: {problem}")));
    }
}

/// A parameter that is a group has the defaults in the group's own table.
fn check_group(table: &[ParameterDoc], default: &Value, kind: &str, above: &str, findings: &mut Findings) {
    for parameter in table {
        let path = format!("{above}{}", parameter.name());
        let found = default.get(parameter.name()).cloned().unwrap_or_default();
        if found != *parameter.default() {
            let message = format!("the documented default is {:?}, the actual one {found:?}", parameter.default());
            findings.add(Defect::new("documented", kind, message).of(&path));
        }
        if let ParameterKind::Group(table) = parameter.kind() {
            check_group(table, &found, kind, &format!("{path}."), findings);
        }
    }
}

/// Checks that a part stays the same when it is written, read and written again, both as a value and as text.
fn round_trip(part: PartKind, tagged: Value) -> Result<(), String> {
    let words = |error: serde_yaml::Error| error.to_string();
    let read = |tagged: Value| read_any(part, tagged);
    let first = read(tagged).map_err(words)?;
    let value = serde_yaml::to_value(&first).map_err(words)?;
    let text = serde_yaml::to_string(&first).map_err(words)?;
    let again = serde_yaml::from_str(&text).and_then(read).map_err(|error| format!("{error} in\n{text}"))?;
    let third = read(value.clone()).map_err(words)?;
    let other = serde_yaml::to_string(&again).map_err(words)?;
    if other != text {
        return Err(format!("written, read and written again, its text differs:\n{text}---\n{other}"));
    }
    let values = [serde_yaml::to_value(&again).map_err(words)?, serde_yaml::to_value(&third).map_err(words)?];
    if values.iter().any(|other| *other != value) {
        return Err("written, read and written again, its value differs".into());
    }
    Ok(())
}

/// Checks that a kind with these parameters is the same after it is written as YAML and read back.
pub fn round_trip_of(part: PartKind, name: &str, parameters: Value, findings: &mut Findings) {
    let tagged = mapping([(name, parameters)]);
    if let Err(message) = round_trip(part, tagged) {
        findings.add(Defect::new("round trip", name, message));
    }
}

/// The defect in the values of a variable or an observable, if there is one.
fn defect_of_values(kind: &ValueKind, default: Option<f64>) -> Option<String> {
    let within = |low: f64, high: f64| {
        let fits = default.is_none_or(|default| (low..=high).contains(&default));
        // A learner sees 32-bit reals.
        let finite = (low as f32).is_finite() && (high as f32).is_finite();
        (low > high || !fits || !finite).then(|| format!("the range is {low} to {high}, the default {default:?}"))
    };
    let (low, high) = kind.range();
    match kind.lists() {
        None => within(low, high),
        Some(lists) => {
            let is_bad = |labels: &Labels| {
                let repeats = match labels {
                    Labels::Named(names) => twice(names.iter().map(String::as_str)).is_some(),
                    Labels::Numbered(_) => false,
                };
                let lacks_default = default.is_some_and(|default| default as usize >= labels.len());
                labels.is_empty() || labels.len() > 256 || repeats || lacks_default
            };
            let bad = lists.is_empty() || lists.iter().any(is_bad);
            bad.then(|| format!("the category needs 1 to 256 different names, one of them for the default: {lists:?}"))
        }
    }
}

/// Records all defects in the declarations of a game's part.
pub fn check_part(part: &PartInfo, known: &Known, findings: &mut Findings) {
    let named: [(&str, Vec<&str>); 3] = [
        ("variables or observables", {
            let variables = part.variables().iter().map(|variable| variable.name());
            variables.chain(part.observables().iter().map(|observable| observable.name())).collect()
        }),
        ("actions", part.actions().iter().map(|action| action.name()).collect()),
        ("events", part.events().iter().map(|event| event.name()).collect()),
    ];
    for (what, names) in named {
        if let Some(name) = twice(names) {
            findings.add(Defect::new("unique", part.path(), format!("two {what} have this name")).of(name));
        }
    }
    let mut check = |name: &str, doc: &str, wrong: Option<String>| {
        let found =
            [defect_of_sentence(doc), defect_of_name(name, &known.units)].map(|defect| defect.map(str::to_owned));
        for message in found.into_iter().chain([wrong]).flatten() {
            findings.add(Defect::new("documented", part.path(), message).of(name));
        }
    };
    for variable in part.variables() {
        check(variable.name(), variable.doc(), defect_of_values(variable.kind(), Some(variable.default())));
        for role in variable.roles() {
            let wrong = defect_of_role(role, variable.name(), variable.kind(), known.any_role);
            check(variable.name(), variable.doc(), wrong);
        }
    }
    for (role, _) in part.needs() {
        if !known.any_role && !roles().iter().any(|known| known.name() == *role) {
            check(
                role,
                "A role that is looked up.",
                Some("this role is looked up but not registered by `roles!`".into()),
            );
        }
    }
    for observable in part.observables() {
        check(observable.name(), observable.doc(), defect_of_values(observable.kind(), None));
    }
    for action in part.actions() {
        check(action.name(), action.doc(), None);
        let repeated = twice(action.parameters().iter().map(|parameter| parameter.name()));
        for parameter in action.parameters() {
            let wrong = match parameter.kind() {
                ActionParameterKind::Plot => None,
                ActionParameterKind::Real { low, high, offered } => {
                    let outside = offered.is_empty() || offered.iter().any(|value| !(low..=high).contains(&value));
                    outside.then(|| format!("`{}` offers {offered:?}, but its range is {low} to {high}", action.name()))
                }
                ActionParameterKind::Choice(words) => {
                    words.is_empty().then(|| format!("`{}` offers no choice", action.name()))
                }
            };
            check(parameter.name(), parameter.doc(), wrong);
        }
        if let Some(name) = repeated {
            check(name, action.doc(), Some(format!("two parameters of `{}` have this name", action.name())));
        }
    }
    for event in part.events() {
        check(
            event.name(),
            event.doc(),
            (event.per_step() == 0).then(|| "`per_step` is 0: the event never happens".to_owned()),
        );
    }
}

/// The defect in a variable's role, if there is one.
fn defect_of_role(role: &str, variable: &str, kind: &ValueKind, any_role: bool) -> Option<String> {
    let known = roles().into_iter().find(|known| known.name() == role);
    let unit = variable.split_once('#').map(|(_, unit)| unit);
    match (known, unit) {
        (None, _) if any_role => None,
        (None, _) => Some(format!("its role `{role}` is not registered by `roles!`")),
        // A role for several units accepts each of them.
        (Some(known), Some(unit)) if !known.unit().split('|').any(|one| one == unit) => {
            Some(format!("its role `{role}` is in {}, the variable in {unit}", known.unit()))
        }
        (Some(known), None) if kind.is_quantity() && known.unit() != "-" => {
            Some(format!("its role `{role}` is in {}, the variable has no unit", known.unit()))
        }
        _ => None,
    }
}
