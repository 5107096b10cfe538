//! What the game says about a translated file: values that it refuses are left out with a warning.
//!
//! The reference takes any value, clips or ignores it, and plays; so a game of its must play here too.

use farm_core::Game;
use farm_core::config::{Document, Path, Problem, Problems, Segment, Severity, to_inline_yaml};
use farm_core::spec::load_document;

use crate::notes::Remarks;
use crate::sections::{rule_path, value_at};

/// How often the game is asked: each time, all that it refuses goes.
const MAX_ROUNDS: usize = 100;

/// Leaves out what the game refuses, until it plays.
///
/// # Errors
/// What is wrong outside the rule and the score, which nobody can leave out.
pub(crate) fn repair(document: &mut Document, remarks: &mut Remarks) -> Result<(), Problems> {
    let mut refused = Problems::default();
    for _ in 0..MAX_ROUNDS {
        let Err(problems) = load_document(document).and_then(Game::new) else { return Ok(()) };
        refused = document.locate(problems.clone());
        let errors = problems.0.into_iter().filter(|p| p.severity == Severity::Error);
        let mut places: Vec<(Path, Problem)> =
            errors.filter_map(|problem| Some((removable(document, &problem.path)?, problem))).collect();
        // From the end, so that what goes does not move what goes next.
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

/// The smallest thing around a path that can go without changing what else is said.
fn removable(document: &Document, path: &Path) -> Option<Path> {
    let [Segment::Key(root), Segment::Key(_), rest @ ..] = path.0.as_slice() else { return None };
    if !["rules", "score"].contains(&root.as_str()) || rest.is_empty() {
        return None;
    }
    // An ending is true only if all its conditions are, so it goes as a whole.
    let endings = rule_path("stopping_conditions");
    let most = if path.0.starts_with(&endings.0) { endings.0.len() + 1 } else { path.0.len() };
    // A variable is named by a list: a part of it is nothing.
    let free = rule_path("free_observations");
    let most = if path.0.starts_with(&free.0) { most.min(free.0.len() + 1) } else { most };
    (3..=most.min(path.0.len()))
        .rev()
        .map(|length| Path(path.0[..length].to_vec()))
        .find(|path| value_at(document.value(), path).is_some())
}
