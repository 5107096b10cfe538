//! A registered kind's declarations. They are found by building the kind with its defaults in a separate field.

use std::cell::Cell;
use std::sync::{Arc, Mutex, PoisonError};

use serde_yaml::Value;

use crate::config::{ParameterKind, PartKind, Path, Problems};
use crate::declare::{Candidate, Declarations, FieldInfo, Known, PartInfo, Providers};
use crate::part::{Bind, Next};
use crate::picture::Picture;
use crate::registry::{AnyPart, Kind, kinds, read_any};
use crate::spec::check_tagged;

/// A kind's declarations, with its default parameters or its first parameter set; `None` for rules and policies.
pub fn declarations(kind: &Kind) -> Option<PartInfo> {
    let sets = kind.parameter_sets().unwrap_or_default();
    declarations_with(kind, sets.first().map_or(Value::Null, |set| Value::String(set.name.clone())))
}

/// A kind's declarations for a given value after its name in a game file: a set, parameters, or nothing.
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
    let part = PartInfo {
        path: name.clone(),
        name,
        kind: kind.name.to_owned(),
        field: (kind.part == PartKind::Entity).then_some(0),
        ..PartInfo::default()
    };
    let mut declarations = Declarations {
        part,
        fields: std::slice::from_ref(&field),
        problems: Problems::default(),
        directory: None,
        trust: &crate::config::OWN_FILE,
        only_declares: true,
    };
    match read_any(kind.part, value).ok()? {
        AnyPart::Entity(entity) => alone(&mut declarations, |d| entity.declare(d)),
        AnyPart::Farmer(farmer) => alone(&mut declarations, |d| farmer.declare(d)),
        AnyPart::Score(score) => alone(&mut declarations, |d| score.declare(d)),
        AnyPart::Rule(_) | AnyPart::Policy(_) => return None,
    }
    Some(declarations.part)
}

/// Makes a part's declarations in a game without other parts.
fn alone<'s, B: ?Sized>(d: &mut Declarations<'_>, declare: impl FnOnce(&mut Declarations<'_>) -> Bind<'s, B>) {
    let mut bind = declare(d);
    let parts = [d.part.clone()];
    let providers = Providers::of(&parts);
    let known = Known::new(&parts, &providers, d.fields, d.part.field);
    while let Next::Declare(second) = bind.0 {
        bind = second(d, &known);
    }
}

/// A kind's pictures, each with the part that declares it. A picture that differs from the pictures in [`declarations`] includes its
/// parameter set.
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

/// The registered entities and farmers that provide a role, as written in a game file. If the kind provides the role only with a certain
/// choice, the choice is included.
pub fn providers_of(role: &str) -> Vec<String> {
    candidates_for(role).into_iter().map(|candidate| candidate.written).collect()
}

/// A role's providers, each with its kind and the parameter choice that it depends on.
pub(crate) fn candidates_for(role: &str) -> Vec<Candidate> {
    kinds_with_roles().iter().filter_map(|kind| kind.candidate_for(role)).collect()
}

/// The roles that a kind provides by default, and the roles that it provides with each word in each of its choices.
struct KindRoles {
    kind: &'static str,
    roles: Vec<&'static str>,
    choices: Vec<(&'static str, &'static str, Vec<&'static str>)>,
}

impl KindRoles {
    fn of(kind: &'static Kind) -> Self {
        let roles = |part: Option<PartInfo>| -> Vec<&'static str> {
            part.into_iter().flat_map(|part| part.variables).flat_map(|variable| variable.roles).collect()
        };
        let mut choices = Vec::new();
        for parameter in kind.table() {
            let ParameterKind::Choice(words) = parameter.kind else { continue };
            for word in words {
                let payload = [(Value::from(parameter.name), Value::from(*word))].into_iter().collect();
                choices.push((parameter.name, *word, roles(declarations_with(kind, Value::Mapping(payload)))));
            }
        }
        Self { kind: kind.name, roles: roles(declarations(kind)), choices }
    }

    fn candidate_for(&self, role: &str) -> Option<Candidate> {
        let mut with = self.choices.iter().filter(|(_, _, roles)| roles.contains(&role));
        let written = match self.roles.contains(&role) {
            true => format!("`{}`", self.kind),
            false => {
                let (name, word, _) = with.clone().next()?;
                format!("`{}: {{{name}: {word}}}`", self.kind)
            }
        };
        // A choice decides if the role depends on which of its words is set.
        let decides =
            |name: &str| self.choices.iter().any(|(other, _, roles)| *other == name && !roles.contains(&role));
        let choice = with.find(|(name, _, _)| decides(name)).map(|(name, word, _)| format!("{name}: {word}"));
        Some(Candidate { kind: self.kind, written, choice })
    }
}

/// The roles that all kinds provide, computed once. This builds each kind with each word of its choices, and each build takes as long as
/// compiling a game.
fn kinds_with_roles() -> Arc<Vec<KindRoles>> {
    /// This is stored with the number of kinds, because plugins can add kinds.
    static FOUND: Mutex<Option<(usize, Arc<Vec<KindRoles>>)>> = Mutex::new(None);
    // A kind that asks for providers while it is built here gets an empty answer.
    if IS_LOOKING.replace(true) {
        return Arc::default();
    }
    let kinds = kinds();
    let mut found = FOUND.lock().unwrap_or_else(PoisonError::into_inner);
    let known = found.as_ref().filter(|(count, _)| *count == kinds.len()).map(|(_, roles)| roles.clone());
    let roles = known.unwrap_or_else(|| Arc::new(kinds.iter().map(|kind| KindRoles::of(kind)).collect()));
    *found = Some((kinds.len(), roles.clone()));
    drop(found);
    IS_LOOKING.set(false);
    roles
}

thread_local! {
    /// Whether this thread is building all kinds.
    static IS_LOOKING: Cell<bool> = const { Cell::new(false) };
}
