//! Repairs a translated file: values that the game rejects are left out with a warning. The reference accepts any
//! value: it clips or ignores the value and continues. Its games must therefore be playable here as well.

use farm_core::Game;
use farm_core::config::{Document, Path, Problem, Problems, Segment, Severity, to_inline_yaml};
use farm_core::spec::load_document;

use crate::notes::Remarks;
use crate::sections::rule_path;

/// Maximum number of compilations; after each one, all rejected values are removed.
const MAX_ROUNDS: usize = 100;

/// Removes the values that the game rejects, until it compiles.
///
/// # Errors
/// Problems outside the rule and the score, which can't be removed.
pub(crate) fn repair(document: &mut Document, remarks: &mut Remarks) -> Result<(), Problems> {
    let mut refused = Problems::default();
    for _ in 0..MAX_ROUNDS {
        let Err(problems) = load_document(document).and_then(Game::new) else { return Ok(()) };
        refused = document.locate(problems.clone());
        let errors = problems.0.into_iter().filter(|p| p.severity == Severity::Error);
        let mut places: Vec<(Path, Problem)> =
            errors.filter_map(|problem| Some((removable(document, &problem.path)?, problem))).collect();
        // Starts at the end, so that a removal does not move the next location.
        places.sort_by(|a, b| b.0.cmp(&a.0));
        places.dedup_by(|a, b| a.0 == b.0);
        if places.is_empty() {
            break;
        }
        for (place, problem) in places {
            let origin = document.text_path(&place);
            let Some(removed) = document.remove(&place) else { continue };
            let written = problem.value.unwrap_or_else(|| to_inline_yaml(&removed));
            remarks.left_out(&origin, &written, problem.message);
        }
    }
    Err(refused)
}

/// The smallest value around a path that can be removed without changing other values.
fn removable(document: &Document, path: &Path) -> Option<Path> {
    let [Segment::Key(root), Segment::Key(_), rest @ ..] = path.0.as_slice() else { return None };
    if !["rules", "score"].contains(&root.as_str()) || rest.is_empty() {
        return None;
    }
    // An ending holds only if all its conditions hold, so it is removed as a whole.
    let endings = rule_path("stopping_conditions");
    let most = if path.0.starts_with(&endings.0) { endings.0.len() + 1 } else { path.0.len() };
    // A variable is named by a list, which has no meaning without one of its elements.
    let free = rule_path("free_observations");
    let most = if path.0.starts_with(&free.0) { most.min(free.0.len() + 1) } else { most };
    (3..=most.min(path.0.len()))
        .rev()
        .map(|length| Path(path.0[..length].to_vec()))
        .find(|path| path.value_in(document.value()).is_some())
}
