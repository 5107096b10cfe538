//! Checks a game while one of the plugins it names is missing.

use crate::config::{Document, Path, Problem, Problems, Segment};
use crate::registry::{elsewhere, kinds};
use crate::spec::{check_game, is_part};

/// The problems that do not depend on a missing plugin's kinds. This excludes problems that an unknown kind may have caused. `None` if all
/// kinds in the game are known, so that all of its problems can be reported.
pub fn problems_without_plugin(document: &Document) -> Option<Problems> {
    let mut problems = Problems::default();
    check_game(&document.value, &mut problems);
    let missing: Vec<Path> = problems.0.iter().filter(|p| is_missing_kind(p)).map(|p| p.path.clone()).collect();
    if missing.is_empty() {
        return None;
    }
    problems.0.retain(|problem| !missing.iter().any(|kind| problem.path == *kind || is_for(&problem.path, kind)));
    Some(document.locate(problems))
}

/// Whether a problem is about a kind that a plugin may register, because the registry does not know its name. A name that is registered as
/// another type of part does not belong to a plugin.
fn is_missing_kind(problem: &Problem) -> bool {
    let Some((Segment::Key(name), above)) = problem.path.0.split_last() else { return false };
    let is_known = || {
        kinds().iter().any(|kind| kind.name == name) || elsewhere().iter().any(|other| other.kind.name == name.as_str())
    };
    problem.is_about_name && is_part(above) && !is_known()
}

/// Whether a path is an entity default in the same field as an entity. If so, the default may be meant for that entity.
fn is_for(path: &Path, entity: &Path) -> bool {
    path.0.len() > 3
        && entity.0.len() > 3
        && path.0[..2] == entity.0[..2]
        && path.0[2] == Segment::from("entity_defaults")
}
