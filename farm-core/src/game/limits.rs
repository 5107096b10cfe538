//! Limits on the size of a compiled game, checked before anything is allocated.

use std::sync::Arc;
use std::time::Instant;

use crate::action::{Allowed, BaseAction, Call};
use crate::config::{Budget, LimitError, Path, Problem, Problems};
use crate::declare::{FieldInfo, PartInfo, values_of};
use crate::observation::MAX_OBSERVATION_BYTES;
use crate::spec::GameSpec;
use crate::state::{Layout, Region};

/// The maximum memory that a part uses per plot in addition to the state, for example for neighbours, positions and lists of plots.
const BYTES_PER_PLOT_AND_PART: u64 = 160;
/// The memory for one declaration (a variable, an observable, an action or an event) with its texts.
const BYTES_PER_DECLARATION: u64 = 1500;
/// The memory that every game needs, for example for its name, its policies and the tables for its kinds.
const BYTES_OF_A_GAME: u64 = 200_000;
/// The memory for a value in a game file: the text, the parsed value, and its use in a condition or a monitor.
const BYTES_PER_VALUE: u64 = 500;
/// The number of states in memory when a game is compiled and played once: the initial state, the episode's state, and a copy kept during a
/// step.
const STATES: u64 = 3;
/// The memory for one event in a step.
const BYTES_PER_EVENT: u64 = 48;

/// An amount of memory that every machine has. The check is skipped for anything smaller.
const BYTES_OF_ANY_MACHINE: u64 = 64 * 1024 * 1024;

/// The games that these limits apply to.
const FOR_WHOM: &str = "for a game that a client sends or a run changes";

/// How to fix an untrusted game that is too large.
const IF_OWN: &str =
    "use fewer plots, parts or action values, or save the game as a file and open that: your own files may be larger";

/// The maximum memory that all parts use for their plots, in bytes.
pub(super) fn bytes_of_plots(spec: &GameSpec, fields: &[Arc<FieldInfo>]) -> u64 {
    let of_farm = spec.farmers.len() as u64 + 1;
    let of_field = |(spec, field): (&crate::spec::FieldSpec, &Arc<FieldInfo>)| {
        let parts = spec.entities.len() as u64 + of_farm;
        (field.plots() as u64).saturating_mul(parts).saturating_mul(BYTES_PER_PLOT_AND_PART)
    };
    spec.fields.values().zip(fields).map(of_field).fold(0, u64::saturating_add)
}

/// Reports an untrusted game with too many plots for its parts, before any part is built. The number of parts must already have been
/// checked.
pub(super) fn check_plots(spec: &GameSpec, fields: &[Arc<FieldInfo>], budget: Budget, problems: &mut Problems) {
    let of_farm = spec.farmers.len() as u64 + 1;
    let parts = spec.fields.values().map(|field| field.entities.len() as u64).fold(of_farm, u64::saturating_add);
    let path = Path::default().child("fields");
    let bytes = bytes_of_plots(spec, fields);
    if bytes > budget.bytes {
        let Some(largest) = fields.iter().max_by_key(|field| field.plots()) else { return };
        let FieldInfo { name, length, width, .. } = largest.as_ref();
        let message = format!("this game would need {} of memory or more", size_in_words(bytes));
        let problem = Problem::new(LimitError::GameTooLarge, path.child(name), message).about_name();
        let problem = problem.value(format!("{length} × {width} plots, {parts} parts"));
        problems.push(problem.expected(format!("at most {} {FOR_WHOM}", size_in_words(budget.bytes))).help(IF_OWN));
    }
}

/// Reports a problem if there is not enough memory for the parts' plots and the game's states. Call this before the parts allocate memory.
pub(super) fn check_plots_fit(spec: &GameSpec, fields: &[Arc<FieldInfo>], layout: Layout, problems: &mut Problems) {
    check_memory(bytes_of_plots(spec, fields).saturating_add(layout.size_in_bytes().saturating_mul(STATES)), problems);
}

/// Reports a problem if there is not enough memory for this number of bytes. Call this before allocating anything, because otherwise the
/// process would abort.
pub(super) fn check_memory(bytes: u64, problems: &mut Problems) {
    let wanted = usize::try_from(bytes).unwrap_or(usize::MAX);
    if bytes > BYTES_OF_ANY_MACHINE && Vec::<u8>::new().try_reserve_exact(wanted).is_err() {
        let message = format!("out of memory: this game needs up to {}", size_in_words(bytes));
        let problem = Problem::new(LimitError::OutOfMemory, Path::default().child("fields"), message).about_name();
        problems.push(problem.help("use fewer plots or parts, or give the program more memory"));
    }
}

/// Whether an untrusted game has been compiling for too long. If so, this function reports it.
pub(super) fn is_out_of_time(start: Instant, budget: Budget, problems: &mut Problems) -> bool {
    let Some(most) = budget.compile_time.filter(|most| start.elapsed() > *most) else { return false };
    let message = "this game takes too long to compile";
    let problem = Problem::new(LimitError::GameTooLarge, Path::default().child("fields"), message).about_name();
    problems.push(problem.expected(format!("at most {} s {FOR_WHOM}", most.as_secs())).help(IF_OWN));
    true
}

/// The memory needed for a compiled game and one episode, in bytes.
pub(super) struct Size<'a> {
    pub(super) layout: Layout,
    pub(super) parts: &'a [PartInfo],
    pub(super) fields: &'a [Arc<FieldInfo>],
    /// The bytes in an observation.
    pub(super) observation: usize,
    pub(super) bases: &'a [BaseAction],
    pub(super) bins: usize,
    pub(super) max_schedule: usize,
    /// The number of values in the game's text.
    pub(super) values: usize,
}

impl Size<'_> {
    /// The total, as an upper bound.
    pub(super) fn bytes(&self) -> u64 {
        let sum = |numbers: &mut dyn Iterator<Item = u64>| numbers.fold(0, u64::saturating_add);
        let of_call = size_of::<Call>() as u64;
        let of_farm = self.parts.iter().filter(|part| part.field.is_none()).count() as u64;
        let kept = sum(&mut self.fields.iter().enumerate().map(|(f, field)| {
            let parts = self.parts.iter().filter(|part| part.field == Some(f)).count() as u64 + of_farm;
            (field.plots() as u64).saturating_mul(parts).saturating_mul(BYTES_PER_PLOT_AND_PART)
        }));
        let declarations = sum(&mut self.parts.iter().map(|part| {
            (part.variables.len() + part.observables.len() + part.actions.len() + part.events.len()) as u64 + 1
        }));
        let events = sum(&mut self.parts.iter().flat_map(|part| &part.events).map(|event| event.per_step as u64));
        let values = sum(&mut self.bases.iter().flat_map(|base| &base.parameters).map(|allowed| match allowed {
            Allowed::Values(values) => 8 * values.len() as u64,
            Allowed::Range { .. } => 0,
        }));
        let calls = (calls_in_all(self.bases, self.bins) as u64).saturating_mul(of_call);
        sum(&mut [
            BYTES_OF_A_GAME,
            (self.values as u64).saturating_mul(BYTES_PER_VALUE),
            self.layout.size_in_bytes().saturating_mul(STATES),
            kept,
            declarations.saturating_mul(BYTES_PER_DECLARATION),
            events.saturating_mul(2 * BYTES_PER_EVENT),
            (self.observation as u64).saturating_mul(STATES),
            values,
            calls,
            (self.bases.len() as u64).saturating_mul(BYTES_PER_DECLARATION),
            (self.max_schedule as u64).saturating_mul(3 * of_call),
        ]
        .into_iter())
    }
}

/// Reports an untrusted game that would use too much memory.
pub(super) fn check_size(size: &Size<'_>, budget: Budget, problems: &mut Problems) {
    let bytes = size.bytes();
    if bytes <= budget.bytes {
        return;
    }
    let plots: usize = size.fields.iter().map(|field| field.plots()).sum();
    let message = format!("this game would need {} of memory", size_in_words(bytes));
    let problem = Problem::new(LimitError::GameTooLarge, Path::default().child("fields"), message).about_name();
    let (parts, actions) = (size.parts.len(), calls_in_all(size.bases, size.bins));
    let state = size_in_words(size.layout.size_in_bytes());
    let problem = problem.value(format!("{plots} plots, {parts} parts, {actions} actions, a state of {state}"));
    problems.push(problem.expected(format!("at most {} {FOR_WHOM}", size_in_words(budget.bytes))).help(IF_OWN));
}

/// Reports a state that would be too large. The problem points at the field with the largest share.
pub(super) fn check_state(
    layout: Layout,
    parts: &[PartInfo],
    fields: &[Arc<FieldInfo>],
    budget: Budget,
    problems: &mut Problems,
) {
    if layout.fits(budget.state_bytes) {
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
    let message = format!("a state of this game would have {}", size_in_words(layout.size_in_bytes()));
    let problem = match largest {
        Some(field) => {
            let entities = parts.iter().filter(|part| part.field == Some(field)).count();
            let FieldInfo { name, length, width, .. } = fields[field].as_ref();
            Problem::new(LimitError::GameTooLarge, root.child(name), message).value(format!(
                "{length} × {width} plots, {entities} entities, {}",
                size_in_words(size_in(Some(field)))
            ))
        }
        None => Problem::new(LimitError::GameTooLarge, root, message),
    };
    let problem = problem.about_name().expected(format!("at most {}", size_in_words(budget.state_bytes)));
    problems.push(problem.help("use fewer plots or entities"));
}

/// Reports an observation that would be too large.
pub(super) fn check_observation(size: usize, rules: &Path, problems: &mut Problems) {
    if size as u64 > MAX_OBSERVATION_BYTES {
        let message = format!("an observation of this game would have {}", size_in_words(size as u64));
        let problem = Problem::new(LimitError::GameTooLarge, rules.clone(), message).about_name();
        let problem = problem.expected(format!("at most {}", size_in_words(MAX_OBSERVATION_BYTES)));
        problems.push(problem.help("observe fewer variables, or use fewer plots"));
    }
}

/// The number of entries in the flat list of actions.
fn calls_in_all(bases: &[BaseAction], bins: usize) -> usize {
    // A parameter without values counts as one value, because the other parameters are expanded before the mistake is noticed.
    let offered = |allowed: &Allowed| allowed.offered_len(bins).max(1);
    let calls = |base: &BaseAction| base.parameters.iter().map(offered).fold(1, usize::saturating_mul);
    bases.iter().map(calls).fold(0, usize::saturating_add)
}

/// Reports a flat list of actions that would be too long.
pub(super) fn check_actions(bases: &[BaseAction], bins: usize, budget: Budget, rules: &Path, problems: &mut Problems) {
    let all = calls_in_all(bases, bins);
    if all > budget.actions {
        let many = if all == usize::MAX { "more than 10¹⁹".to_owned() } else { all.to_string() };
        let message = format!("the flat list of actions of this game would have {many} entries");
        let problem = Problem::new(LimitError::GameTooLarge, rules.clone(), message)
            .about_name()
            .expected(format!("at most {}", budget.actions));
        problems.push(problem.help("allow fewer values of the parameters, fewer bins of ranges, or use fewer plots"));
    }
}

/// A size for people to read: `17.6 GB`, `20.5 MB`.
fn size_in_words(bytes: u64) -> String {
    match bytes {
        0..1_000_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}
