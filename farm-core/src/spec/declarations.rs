//! What a registered kind declares, found by building it with its defaults in a field of its own.

use std::cell::Cell;
use std::sync::Arc;

use serde_yaml::Value;

use crate::config::{ParameterKind, PartKind, Path, Problems};
use crate::declare::{Builder, Draft, FieldInfo, PartInfo};
use crate::picture::Picture;
use crate::registry::{AnyPart, Kind, kinds, read_any};
use crate::spec::check_tagged;
use crate::state::Layout;

/// What a kind declares with its default parameters, or those of its first parameter set; nothing for rules and policies.
pub fn declarations(kind: &Kind) -> Option<PartInfo> {
    let sets = kind.parameter_sets().unwrap_or_default();
    declarations_with(kind, sets.first().map_or(Value::Null, |set| Value::String(set.name.clone())))
}

/// What a kind declares with what stands behind its name in a game file: a set, parameters, or nothing.
pub fn declarations_with(kind: &Kind, payload: Value) -> Option<PartInfo> {
    let tagged = Value::Mapping([(Value::String(kind.name.to_owned()), payload)].into_iter().collect());
    let value = check_tagged(&tagged, kind.part, &Path::default(), &mut Problems::default());
    let field = FieldInfo {
        name: "Field-0".to_owned(),
        length: 1,
        width: 1,
        scale_m: 1.0,
        latitude_degrees: 43.6,
        longitude_degrees: 3.9,
        altitude_m: 0.0,
    };
    let field = Arc::new(field);
    let name = format!("{}-0", kind.name);
    let mut builder = Builder {
        missing: Vec::new(),
        several: Vec::new(),
        part: PartInfo {
            path: name.clone(),
            name,
            kind: kind.name.to_owned(),
            field: (kind.part == PartKind::Entity).then_some(0),
            ..PartInfo::default()
        },
        field: field.clone(),
        fields: std::slice::from_ref(&field),
        before: &Draft::default(),
        layout: &mut Layout::default(),
        events_before: 0,
        problems: &mut Problems::default(),
        directory: None,
        access: &crate::config::OWN_FOLDER,
        providers_of,
        complete: false,
    };
    match read_any(kind.part, value).ok()? {
        AnyPart::Entity(entity) => drop(entity.build(&mut builder)),
        AnyPart::Farmer(farmer) => drop(farmer.build(&mut builder)),
        AnyPart::Score(score) => drop(score.build(&mut builder)),
        AnyPart::Rule(_) | AnyPart::Policy(_) => return None,
    }
    Some(builder.part)
}

/// The pictures of a kind, each with the part that declares it and, where it is not as [`declarations`] has it, the parameter set
/// that makes the difference.
pub fn pictures(kind: &Kind) -> Vec<(Option<String>, PartInfo, Picture)> {
    let Some(plain) = declarations(kind) else { return Vec::new() };
    let mut found: Vec<(Option<String>, PartInfo, Picture)> =
        plain.pictures.iter().map(|picture| (None, plain.clone(), picture.clone())).collect();
    for set in kind.parameter_sets().unwrap_or_default().iter().skip(1) {
        let Some(part) = declarations_with(kind, Value::String(set.name.clone())) else { continue };
        for picture in &part.pictures {
            if !found.iter().any(|(_, _, known)| known == picture) {
                found.push((Some(set.name.clone()), part.clone(), picture.clone()));
            }
        }
    }
    found
}

/// The registered entities and farmers that provide a role, each as it is written: with the choice that makes it provide the role where
/// it does not by itself.
pub fn providers_of(role: &str) -> Vec<String> {
    let provides =
        |part: Option<PartInfo>| part.is_some_and(|part| part.variables.iter().any(|v| v.roles.contains(&role)));
    // A kind that asks who provides a role while it is built here would be built again and again.
    let is_nested = TRYING_CHOICES.replace(true);
    let written = |kind: &&'static Kind| {
        if provides(declarations(kind)) {
            return Some(format!("`{}`", kind.name));
        }
        if is_nested {
            return None;
        }
        let table = kind.table();
        let choices = table.iter().filter_map(|parameter| match parameter.kind {
            ParameterKind::Choice(words) => Some(words.iter().map(|word| (parameter.name, *word))),
            _ => None,
        });
        let chosen = |(name, word): &(&str, &str)| {
            let payload = [(Value::from(*name), Value::from(*word))].into_iter().collect();
            provides(declarations_with(kind, Value::Mapping(payload)))
        };
        let choice = choices.flatten().find(chosen);
        choice.map(|(name, word)| format!("`{}: {{{name}: {word}}}`", kind.name))
    };
    let found = kinds().iter().filter_map(written).collect();
    TRYING_CHOICES.set(is_nested);
    found
}

thread_local! {
    /// Whether [`providers_of`] is building kinds.
    static TRYING_CHOICES: Cell<bool> = const { Cell::new(false) };
}
