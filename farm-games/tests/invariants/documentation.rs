//! Invariant 6: everything declared is documented, and what is documented is true.

use farm_core::config::{ParameterDoc, ParameterKind, PartKind, Path, Problems, check_table, kind, kinds, load, roles};
use farm_core::declare::{ActionParameterKind, Labels, PartInfo, ValueKind};
use farm_core::probe::declarations;
use farm_core::serde_yaml::{self, Value};
use farm_core::{Entity, Farmer, Game, Policy, Rule, Score};

use crate::common::{edited, mapping, variants};

/// What is wrong with a sentence, if anything is.
fn defect_of_sentence(text: &str) -> Option<&'static str> {
    let text = text.trim();
    let first = text.chars().next();
    match first {
        None => Some("is empty"),
        _ if !text.ends_with('.') => Some("has no full stop"),
        Some(c) if c.is_lowercase() => Some("starts with a small letter"),
        _ if text.len() < 8 || text.contains("TODO") || text.contains("  ") => Some("is no sentence"),
        _ => None,
    }
}

/// Whether a unit is made of known symbols with exponents, such as `mm.day-1` or `cm0.5.day-1`.
fn is_unit(unit: &str) -> bool {
    const SYMBOLS: [&str; 31] = [
        "m", "cm", "mm", "km", "g", "kg", "mg", "L", "mL", "MJ", "s", "min", "h", "day", "°C", "°", "%", "prop", "nb",
        "int", "tile", "point", "coin", "step", "seed", "flag", "category", "year", "week", "bag", "bin",
    ];
    let mut rest = unit;
    loop {
        let end = rest.find(|c: char| c.is_ascii_digit() || matches!(c, '-' | '.' | '|')).unwrap_or(rest.len());
        if !SYMBOLS.contains(&&rest[..end]) {
            return false;
        }
        rest = rest[end..].strip_prefix('-').unwrap_or(&rest[end..]);
        rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        // The point of 0.5 is followed by a digit, that between two symbols is not.
        if let Some(fraction) = rest.strip_prefix('.').filter(|after| after.starts_with(|c: char| c.is_ascii_digit())) {
            rest = fraction.trim_start_matches(|c: char| c.is_ascii_digit());
        }
        match rest.strip_prefix(['.', '|']) {
            Some(next) => rest = next,
            None => return rest.is_empty(),
        }
    }
}

/// What is wrong with a name such as `available_Water#L`, if anything is.
fn defect_of_name(name: &str) -> Option<&'static str> {
    let (stem, unit) = name.split_once('#').map_or((name, None), |(stem, unit)| (stem, Some(unit)));
    if stem.is_empty() || !stem.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.')) {
        return Some("is no name");
    }
    // A value per named part is `name#unit.Part-0`.
    let unit = unit.map(|unit| match unit.rsplit_once('.') {
        Some((unit, part)) if part.starts_with(|c: char| c.is_ascii_uppercase()) && part.contains('-') => unit,
        _ => unit,
    });
    match unit {
        Some(unit) if !is_unit(unit) => Some("has an unknown unit"),
        _ => None,
    }
}

#[test]
fn invariant_6_units_are_told_from_nonsense() {
    for unit in ["L", "mm.day-1", "cm0.5.day-1", "L.m-3.day-1", "int365", "%.day-1", "m2.cm-1", "g.g-1.day-1", "L|kg"] {
        assert!(is_unit(unit), "{unit}");
    }
    for unit in ["", "litre", "mm.", "mm day", "L#", "-1", "mm..day"] {
        assert!(!is_unit(unit), "{unit}");
    }
    assert!(defect_of_sentence("Whether it rains").is_some() && defect_of_sentence("").is_some());
    assert!(defect_of_sentence("Whether it rains.").is_none());
}

#[test]
fn invariant_6_every_kind_role_and_parameter_set_has_a_sentence_and_a_source() {
    let mut defects = Vec::new();
    for kind in kinds() {
        let name = kind.name;
        defects.extend(defect_of_sentence(kind.doc).map(|defect| format!("{name}: `{}` {defect}", kind.doc)));
        if kind.source.trim().len() < 5 {
            defects.push(format!("{name} has no source"));
        }
        for set in kind.parameter_sets().unwrap_or_else(|error| panic!("{name}: {error}")) {
            // Texts of YAML need no full stop to be sentences.
            let doc = format!("{}.", set.doc.trim_end_matches('.'));
            defects.extend(defect_of_sentence(&doc).map(|defect| format!("{name} {}: `{doc}` {defect}", set.name)));
            if set.source.trim().len() < 5 || !set.parameters.is_mapping() {
                defects.push(format!("{name} {} has no source or no parameters", set.name));
            }
        }
    }
    for role in roles() {
        defects
            .extend(defect_of_sentence(role.doc).map(|defect| format!("role {}: `{}` {defect}", role.name, role.doc)));
        // Roles say so where they have none.
        let plain = role.unit == "-";
        defects.extend((!plain && !is_unit(role.unit)).then(|| format!("role {}: unit `{}`", role.name, role.unit)));
    }
    assert!(defects.is_empty(), "{}", defects.join("\n"));
}

/// Every parameter of a table and of the groups within, with its path.
fn visit(table: &[ParameterDoc], path: &str, found: &mut dyn FnMut(&str, &ParameterDoc)) {
    for parameter in table {
        let path = format!("{path}.{}", parameter.name);
        found(&path, parameter);
        if let Some(group) = group_of(&parameter.kind) {
            visit(group, &path, found);
        }
    }
}

/// The group that a parameter is, or that the values of its list or mapping are.
fn group_of(kind: &ParameterKind) -> Option<&[ParameterDoc]> {
    match kind {
        ParameterKind::Group(table) => Some(table),
        ParameterKind::List(item) | ParameterKind::Map(item) | ParameterKind::Optional(item) => group_of(item),
        _ => None,
    }
}

/// The numbers of a value, however deep.
fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Sequence(items) => items.iter().flat_map(numbers).collect(),
        Value::Mapping(entries) => entries.values().flat_map(numbers).collect(),
        other => other.as_f64().into_iter().collect(),
    }
}

#[test]
fn invariant_6_every_parameter_has_a_sentence_a_unit_and_a_default_within_its_range() {
    let mut defects = Vec::new();
    let mut parameters = 0;
    for kind in kinds() {
        visit(&kind.table(), kind.name, &mut |path, parameter| {
            parameters += 1;
            defects.extend(defect_of_sentence(&parameter.doc).map(|d| format!("{path}: `{}` {d}", parameter.doc)));
            defects.extend(defect_of_name(parameter.name).map(|d| format!("{path} {d}")));
            if let Some((low, high)) = parameter.range {
                if low >= high || !low.is_finite() || !high.is_finite() {
                    defects.push(format!("{path}: no range: {low} to {high}"));
                }
                let outside = |n: &f64| *n < low || *n > high;
                if numbers(&parameter.default).iter().any(outside) {
                    defects.push(format!("{path}: the default {:?} is out of range", parameter.default));
                }
            } else if is_number(&parameter.kind) {
                defects.push(format!("{path}: a number without a range"));
            }
        });
    }
    assert!(parameters > 100, "{parameters}");
    assert!(defects.is_empty(), "{}", defects.join("\n"));
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

/// A parameter that is a group has the defaults that the group's own table shows.
fn check_group(table: &[ParameterDoc], default: &Value, path: &str, defects: &mut Vec<String>) {
    for parameter in table {
        let path = format!("{path}.{}", parameter.name);
        let found = default.get(parameter.name).cloned().unwrap_or_default();
        if found != parameter.default {
            defects.push(format!("{path}: documented {:?}, real {found:?}", parameter.default));
        }
        if let ParameterKind::Group(table) = &parameter.kind {
            check_group(table, &found, &path, defects);
        }
    }
}

/// A kind read from a mapping that says nothing, written out again.
fn written_default(part: PartKind, name: &str) -> Value {
    let tagged = mapping([(name, mapping([]))]);
    let written = match part {
        PartKind::Entity => serde_yaml::from_value::<Box<dyn Entity>>(tagged).and_then(serde_yaml::to_value),
        PartKind::Farmer => serde_yaml::from_value::<Box<dyn Farmer>>(tagged).and_then(serde_yaml::to_value),
        PartKind::Rule => serde_yaml::from_value::<Box<dyn Rule>>(tagged).and_then(serde_yaml::to_value),
        PartKind::Score => serde_yaml::from_value::<Box<dyn Score>>(tagged).and_then(serde_yaml::to_value),
        PartKind::Policy => serde_yaml::from_value::<Box<dyn Policy>>(tagged).and_then(serde_yaml::to_value),
    };
    written.unwrap_or_else(|error| panic!("{name}: {error}"))[name].clone()
}

#[test]
fn invariant_6_the_documented_defaults_are_the_real_ones() {
    let mut defects = Vec::new();
    for kind in kinds() {
        let (table, real) = (kind.table(), written_default(kind.part, kind.name));
        check_group(&table, &real, kind.name, &mut defects);
        assert_eq!(
            real.as_mapping().map_or(0, |m| m.len()),
            table.len(),
            "{}: every parameter is in its table",
            kind.name
        );
    }
    assert!(defects.is_empty(), "{}", defects.join("\n"));
}

#[test]
fn invariant_6_defaults_and_parameter_sets_pass_the_kinds_own_check() {
    let mut sets = 0;
    for kind in kinds() {
        let table = kind.table();
        let mut problems = Problems::default();
        let defaults = mapping(table.iter().map(|p| (p.name, p.default.clone())));
        check_table(&defaults, &table, &Path::default(), "", &mut problems);
        for set in kind.parameter_sets().unwrap_or_else(|error| panic!("{}: {error}", kind.name)) {
            sets += 1;
            check_table(&set.parameters, &table, &Path::default().child(&set.name), "", &mut problems);
        }
        assert!(problems.0.is_empty(), "{}: {problems}", kind.name);
    }
    assert!(sets >= 6, "{sets}");
}

/// A parameter set is for a game: it compiles and plays in the place of the one that the catalogue uses.
#[test]
fn invariant_6_every_parameter_set_plays() {
    for (name, used) in [("Weather", "montpellier"), ("Soil", "clay"), ("Plant", "bean")] {
        let kind = kind(PartKind::Entity, name).expect("a registered entity");
        for set in kind.parameter_sets().unwrap_or_default() {
            let text = edited("clay_bean", &[(&format!("- {name}: {used}\n"), &format!("- {name}: {}\n", set.name))]);
            // The start of the game is that of its own soil.
            let text = text.replace("available_Water#L: (120, 170)", "available_Water#L: 50");
            let game = load("set.yaml", &text)
                .and_then(Game::new)
                .unwrap_or_else(|problems| panic!("{}: {problems}", set.name));
            let (mut state, mut record) = (game.new_state(), game.new_record());
            game.reset(&mut state, 1, &mut record);
            // In a hostile climate the season may be over before the month is.
            for _ in 0..30 {
                if state.over {
                    break;
                }
                game.step(&mut state, &[], &mut record).unwrap_or_else(|error| panic!("{}: {error}", set.name));
            }
        }
    }
}

fn check_kind(kind: &ValueKind, default: Option<f64>) -> Option<String> {
    let within = |low: f64, high: f64| {
        let fits = default.is_none_or(|d| (low..=high).contains(&d));
        // A learner sees 32-bit reals.
        let finite = (low as f32).is_finite() && (high as f32).is_finite();
        (low > high || !fits || !finite).then(|| format!("range {low} to {high}, default {default:?}"))
    };
    match kind {
        ValueKind::Real { low, high } => within(*low, *high),
        ValueKind::Count { low, high } => within(f64::from(*low), f64::from(*high)),
        ValueKind::Flag => within(0.0, 1.0),
        ValueKind::Category(lists) => {
            let bad = lists.is_empty()
                || lists.iter().any(|labels| {
                    let twice = match labels {
                        Labels::Named(names) => (1..names.len()).any(|i| names[..i].contains(&names[i])),
                        Labels::Numbered(_) => false,
                    };
                    labels.is_empty()
                        || labels.len() > 256
                        || twice
                        || default.is_some_and(|d| d as usize >= labels.len())
                });
            bad.then(|| format!("category {lists:?}"))
        }
    }
}

fn is_quantity(kind: &ValueKind) -> bool {
    matches!(kind, ValueKind::Real { .. } | ValueKind::Count { .. })
}

/// All that is wrong with the declarations of a part.
fn defects_of(part: &PartInfo) -> Vec<String> {
    let mut defects = Vec::new();
    let mut check = |what: &str, name: &str, doc: &str, wrong: Option<String>| {
        let found = [defect_of_sentence(doc).map(str::to_owned), defect_of_name(name).map(str::to_owned), wrong];
        defects.extend(found.into_iter().flatten().map(|d| format!("{} {what} `{name}` ({doc}): {d}", part.path)));
    };
    let roles = roles();
    for variable in &part.variables {
        check("variable", &variable.name, &variable.doc, check_kind(&variable.kind, Some(variable.default)));
        for name in &variable.roles {
            let role = roles.iter().find(|role| role.name == *name);
            let unit = variable.name.split_once('#').map(|(_, unit)| unit);
            let wrong = match (role, unit) {
                (None, _) => Some(format!("role `{name}` is not registered")),
                // What a role for several units means by its unit is one of them.
                (Some(role), Some(unit)) if !role.unit.split('|').any(|u| u == unit) => {
                    Some(format!("role `{name}` is in {}, the variable in {unit}", role.unit))
                }
                (Some(role), None) if is_quantity(&variable.kind) && role.unit != "-" => {
                    Some(format!("role `{name}` is in {}, the variable has no unit", role.unit))
                }
                _ => None,
            };
            check("variable", &variable.name, &variable.doc, wrong);
        }
    }
    for observable in &part.observables {
        check("observable", &observable.name, &observable.doc, check_kind(&observable.kind, None));
    }
    for action in &part.actions {
        check("action", &action.name, &action.doc, None);
        for parameter in &action.parameters {
            let wrong = match &parameter.kind {
                ActionParameterKind::Plot => None,
                ActionParameterKind::Real { low, high, offered } => {
                    let outside = offered.is_empty() || offered.iter().any(|v| !(low..=high).contains(&v));
                    outside.then(|| format!("offers {offered:?} in {low} to {high}"))
                }
                ActionParameterKind::Choice(words) => words.is_empty().then(|| "offers nothing".to_owned()),
            };
            check(&format!("action {}", action.name), &parameter.name, &parameter.doc, wrong);
        }
    }
    for event in &part.events {
        check("event", &event.name, &event.doc, (event.per_step == 0).then(|| "never happens".to_owned()));
    }
    defects
}

#[test]
fn invariant_6_every_variable_observable_action_and_event_is_documented() {
    let mut defects = Vec::new();
    let mut parts = 0;
    for kind in kinds() {
        match declarations(kind) {
            Some(part) => {
                parts += 1;
                defects.extend(defects_of(&part));
            }
            None => assert!(matches!(kind.part, PartKind::Rule | PartKind::Policy), "{} declares nothing", kind.name),
        }
    }
    assert!(parts >= 9, "{parts}");
    // What a part declares depends on its parameters, so the parts of the games count too.
    defects.extend(variants().iter().flat_map(|variant| variant.game.parts.iter().flat_map(defects_of)));
    defects.sort();
    defects.dedup();
    assert!(defects.is_empty(), "{}", defects.join("\n"));
}

#[test]
fn invariant_6_every_observed_array_and_every_game_has_a_sentence() {
    for variant in variants() {
        assert_eq!(defect_of_sentence(&variant.game.spec.doc), None, "{}", variant.label);
        for entry in &variant.game.observation.entries {
            assert_eq!(defect_of_sentence(&entry.doc), None, "{} {}", variant.label, entry.key);
        }
    }
}

/// Every role that a part looks up or fills is a registered one.
#[test]
fn invariant_6_every_role_in_use_is_registered() {
    let roles = roles();
    for variant in variants() {
        for part in variant.game.parts.iter() {
            let filled = part.variables.iter().flat_map(|variable| &variable.roles).copied();
            for name in filled.chain(part.needs.iter().map(|(name, _)| *name)) {
                assert!(roles.iter().any(|role| role.name == name), "{}: {name}", part.path);
            }
        }
    }
}
