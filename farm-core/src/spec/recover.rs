//! Reads a game that has problems, without the values that cause them.

use serde_yaml::Value;

use crate::config::{Document, Path, Problems, Segment, Severity};
use crate::spec::GameSpec;
use crate::spec::check::check_game;
use crate::spec::limits;

/// Removes the values that were rejected in individual checks, and reads the rest as a game. Other errors are then found in the same pass.
/// Also returns the paths of the rejected values. Returns `None` if the rejected values could cause other problems later.
pub fn recover(document: &Document) -> Option<(GameSpec, Vec<Path>)> {
    if super::strangers_code(document).has_errors() {
        return None;
    }
    let mut problems = Problems::default();
    limits::check_size(&document.value, document.trust.budget(), &mut problems);
    if problems.has_errors() {
        return None;
    }
    check_game(&document.value, &mut problems);
    let mut rest = document.value.clone();
    for problem in problems.0.iter().filter(|problem| problem.severity == Severity::Error) {
        // A field's shape affects all its plots, and lists or mappings may contain names that other values refer to.
        let is_form = problem.path.0.iter().any(|segment| *segment == Segment::from("shape"));
        let (last, above) = problem.path.0.split_last()?;
        let Segment::Key(key) = last else { return None };
        let place = above.iter().try_fold(&mut rest, |value, segment| match segment {
            Segment::Key(key) => value.get_mut(key.as_str()),
            Segment::Index(index) => value.get_mut(*index),
        });
        let place = place?;
        // A kind without parameters.
        if place.as_str() == Some(key) {
            *place = Value::String(problem.nearest.clone()?);
            continue;
        }
        let mapping = place.as_mapping_mut()?;
        let is_list = |value: &Value| value.is_sequence() || value.is_mapping();
        let is_kind = is_part(above);
        let renamed = problem.nearest.as_ref().filter(|name| !mapping.contains_key(name.as_str()));
        match (mapping.get(key.as_str()), renamed) {
            _ if is_form => return None,
            // A misspelt kind or name is replaced by the nearest one. Its parameters are not checked.
            (Some(_), Some(name)) if is_kind && problem.is_about_name => {
                let name = name.clone();
                mapping.remove(key.as_str());
                mapping.insert(name.into(), Value::Null);
            }
            (Some(value), Some(name)) if problem.is_about_name && is_list(value) => {
                let (name, value) = (name.clone(), value.clone());
                mapping.remove(key.as_str());
                mapping.insert(name.into(), value);
            }
            // A misspelt parameter set.
            (Some(Value::String(_)), _) if !problem.is_about_name && is_part(above) => {
                mapping.insert(key.as_str().into(), Value::Null);
            }
            (Some(Value::String(_)), Some(name)) => drop(mapping.insert(key.as_str().into(), name.clone().into())),
            // Deep within an entity, a key may be a name that other values refer to.
            (Some(value), _) if !is_list(value) && !is_deep(above) => drop(mapping.remove(key.as_str())),
            _ => return None,
        }
    }
    let mut left = Problems::default();
    let resolved = check_game(&rest, &mut left);
    if left.has_errors() {
        return None;
    }
    let spec: GameSpec = serde_yaml::from_value(resolved).ok()?;
    let paths = problems.0.into_iter().map(|problem| problem.path).collect();
    let (directory, trust) = (document.directory.clone(), document.trust.clone());
    Some((GameSpec { directory, trust, ..spec }, paths))
}

/// Whether a path leads into an entity's or a farmer's parameters, below the first level.
fn is_deep(path: &[Segment]) -> bool {
    let part = (1..path.len()).find(|n| is_part(&path[..*n]) && path[*n - 1] != Segment::from("rules"));
    part.is_some_and(|n| matches!(path[n - 1], Segment::Index(_)) && path.len() > n + 1)
}

/// Whether the path leads to a part. If so, the key below it is the part's kind.
pub(super) fn is_part(path: &[Segment]) -> bool {
    let is = |segment: &Segment, name: &str| *segment == Segment::from(name);
    match path {
        [Segment::Key(_), Segment::Key(_), list, Segment::Index(_)] => is(list, "entities"),
        [list, Segment::Index(_)] => is(list, "farmers"),
        [list, Segment::Key(_)] => is(list, "policies"),
        [part] => is(part, "rules") || is(part, "score"),
        _ => false,
    }
}
