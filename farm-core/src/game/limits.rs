//! How large a compiled game may be, checked before any of it is allocated.

use std::sync::Arc;

use crate::action::{Allowed, BaseAction};
use crate::config::{LimitError, Path, Problem, Problems};
use crate::declare::{FieldInfo, PartInfo, values_of};
use crate::observation::MAX_OBSERVATION_BYTES;
use crate::state::{Layout, MAX_STATE_BYTES, Region};

/// The most actions in the flat list.
pub(super) const MAX_ACTIONS: usize = 50_000_000;

/// Notes that a state would be too large, at the field that has most of it.
pub(super) fn check_state(layout: Layout, parts: &[PartInfo], fields: &[Arc<FieldInfo>], problems: &mut Problems) {
    if layout.fits() {
        return;
    }
    let size_in = |field: Option<usize>| -> u64 {
        let variables = parts.iter().filter(|part| part.field == field).flat_map(|part| &part.variables);
        let size = |region: Region| match region {
            Region::Reals => 8,
            Region::Counts => 4,
            Region::Bytes => 1,
        };
        let sizes = variables.map(|variable| (values_of(&variable.shape) as u64).saturating_mul(size(variable.slot.0)));
        sizes.fold(0, u64::saturating_add)
    };
    let largest =
        (0..fields.len()).max_by_key(|field| size_in(Some(*field))).filter(|f| size_in(Some(*f)) > size_in(None));
    let root = Path::default().child("fields");
    let message = format!("a state of this game would have {}", gigabytes(layout.size_in_bytes()));
    let problem = match largest {
        Some(field) => {
            let entities = parts.iter().filter(|part| part.field == Some(field)).count();
            let FieldInfo { name, length, width, .. } = fields[field].as_ref();
            Problem::new(LimitError::GameTooLarge, root.child(name), message)
                .value(format!("{length} × {width} plots, {entities} entities, {}", gigabytes(size_in(Some(field)))))
        }
        None => Problem::new(LimitError::GameTooLarge, root, message),
    };
    let problem = problem.about_name().expected(format!("at most {}", gigabytes(MAX_STATE_BYTES)));
    problems.push(problem.help("take fewer plots or fewer entities"));
}

/// Notes that an observation would be too large.
pub(super) fn check_observation(size: usize, rules: &Path, problems: &mut Problems) {
    if size as u64 > MAX_OBSERVATION_BYTES {
        let message = format!("an observation of this game would have {}", gigabytes(size as u64));
        let problem = Problem::new(LimitError::GameTooLarge, rules.clone(), message).about_name();
        let problem = problem.expected(format!("at most {}", gigabytes(MAX_OBSERVATION_BYTES)));
        problems.push(problem.help("observe less, or take fewer plots"));
    }
}

/// Notes that the flat list of actions would be too long.
pub(super) fn check_actions(bases: &[BaseAction], bins: usize, rules: &Path, problems: &mut Problems) {
    let offered = |allowed: &Allowed| allowed.offered_len(bins);
    let calls = |base: &BaseAction| base.parameters.iter().map(offered).fold(1, usize::saturating_mul);
    let all = bases.iter().map(calls).fold(0, usize::saturating_add);
    if all > MAX_ACTIONS {
        let many = if all == usize::MAX { "more than 10¹⁹".to_owned() } else { all.to_string() };
        let message = format!("the flat list of actions of this game would have {many} entries");
        let problem = Problem::new(LimitError::GameTooLarge, rules.clone(), message)
            .about_name()
            .expected(format!("at most {MAX_ACTIONS}"));
        problems.push(problem.help("allow fewer values of the parameters, fewer bins of ranges, or take fewer plots"));
    }
}

/// A size for readers: `17.6 GB`.
fn gigabytes(bytes: u64) -> String {
    format!("{:.1} GB", bytes as f64 / 1e9)
}
