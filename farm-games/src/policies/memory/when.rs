//! Conditions of a policy, on what it observes and on what it remembers.

use farm_core::config::{NameError, ParameterError, Path, Problem, Problems, to_inline_yaml};
use farm_core::declare::{Quantity, Reference};
use farm_core::rules::{Condition, ConditionError, Conditions, Formula};
use farm_core::serde_yaml::{self, Value};
use farm_core::spec::InteractionMode;
use farm_core::{Game, State};

use super::slots::{Slot, Slots, User};

/// The key of a condition on a number that the policy keeps.
const MEMORY: &str = "memory";
/// All keys of such a condition.
const KEYS: [&str; 3] = [MEMORY, "operator", "ref_value"];

/// A comparison of numbers.
type Compare = fn(&f64, &f64) -> bool;

/// The comparisons by their operators.
const OPERATORS: [(&str, Compare); 6] =
    [("<", f64::lt), ("<=", f64::le), (">", f64::gt), (">=", f64::ge), ("==", f64::eq), ("!=", f64::ne)];

/// Compiled conditions: OR of ANDs.
#[derive(Debug, Clone)]
pub(in super::super) struct When(Vec<Clause>);

/// Conditions that must hold together.
#[derive(Debug, Clone)]
struct Clause {
    /// One clause on observed values.
    seen: Formula,
    remembered: Vec<Remembered>,
}

/// A comparison of a number that the policy keeps.
#[derive(Debug, Clone, Copy)]
struct Remembered {
    slot: Slot,
    compare: Compare,
    reference: f64,
}

/// The conditions on observed values. Conditions on memory are replaced by conditions that always hold, so that all keep their places.
pub(in super::super) fn seen_conditions(
    written: &Conditions,
    game: &Game,
    plot_by_plot: bool,
    path: &Path,
    problems: &mut Problems,
) -> Option<Formula> {
    if written.0.is_null() {
        return None;
    }
    let mut value = written.0.clone();
    let clauses = value.as_sequence_mut().into_iter().flatten();
    for condition in clauses.filter_map(Value::as_sequence_mut).flatten().filter(|written| is_of_memory(written)) {
        *condition = serde_yaml::from_str("{state_variable: step, operator: '>=', ref_value: 0}").unwrap_or_default();
    }
    let formula = Formula::parse_for_player(&value, game.names(), plot_by_plot, path, problems);
    for (i, clause) in formula.0.iter().enumerate() {
        for (j, condition) in clause.iter().enumerate() {
            check_observed(game, condition.variable(), &path.child(i).child(j).child("state_variable"), problems);
        }
    }
    Some(formula)
}

/// Reports a variable that learners do not observe.
pub(super) fn check_observed(game: &Game, variable: &Reference, path: &Path, problems: &mut Problems) {
    // A policy can count steps without observing them.
    let is_counted = matches!(variable.quantity(), Quantity::Step | Quantity::Remaining);
    if !is_counted && !game.observation().shows(variable) {
        let message = format!("`{}` is not observed in this game", variable.name());
        problems.push(
            Problem::new(NameError::NotObserved, path.clone(), message)
                .value(variable.name())
                .expected("an observed variable")
                .help("add it to the free observations of the rules, or use an observed variable"),
        );
    }
}

fn is_of_memory(condition: &Value) -> bool {
    condition.as_mapping().is_some_and(|condition| condition.contains_key(MEMORY))
}

/// Whether a value is shown now: the one at an index, or the reference's own values.
pub(super) fn is_shown(game: &Game, state: &State, variable: &Reference, element: Option<usize>) -> bool {
    game.spec().interaction_mode() != InteractionMode::Aomdp
        || game.learner_view().is_shown_at(state, variable, element.or(variable.element()))
}

impl When {
    /// The conditions from both parts: `seen` is what [`seen_conditions`] returns for `written`.
    pub(in super::super) fn new(
        seen: Formula,
        written: &Conditions,
        slots: &Slots,
        user: User,
        path: &Path,
        problems: &mut Problems,
    ) -> Self {
        let written = written.0.as_sequence().map_or(&[][..], Vec::as_slice);
        let clauses = seen.0.into_iter().enumerate().map(|(i, clause)| {
            let conditions = written.get(i).and_then(Value::as_sequence).into_iter().flatten().enumerate();
            let mut remember = |(j, condition)| remembered(condition, slots, user, &path.child(i).child(j), problems);
            let remembered = conditions.filter(|(_, written)| is_of_memory(written)).filter_map(&mut remember);
            let remembered = remembered.collect();
            Clause { seen: Formula(vec![clause]), remembered }
        });
        Self(clauses.collect())
    }

    /// Whether the conditions hold, at a plot if they are checked plot by plot. A condition on a value that is not shown does not hold.
    pub(in super::super) fn holds(&self, game: &Game, state: &State, plot: Option<usize>, values: &[f64]) -> bool {
        let seen = |c: &Condition| is_shown(game, state, c.variable(), plot.filter(|_| c.is_per_plot()));
        self.0.iter().any(|clause| {
            clause.remembered.iter().all(|c| (c.compare)(&values[c.slot.index(plot)], &c.reference))
                && game.learner_view().holds(&clause.seen, state, plot, seen)
        })
    }
}

/// A condition on memory.
fn remembered(written: &Value, slots: &Slots, user: User, path: &Path, problems: &mut Problems) -> Option<Remembered> {
    for key in written.as_mapping().into_iter().flatten().filter_map(|(key, _)| key.as_str()) {
        if !KEYS.contains(&key) {
            let message = format!("unknown key `{key}` in a condition on memory");
            let problem = Problem::new(ParameterError::UnknownKey, path.child(key), message);
            problems.push(problem.value(key).about_name().among(key, KEYS));
        }
    }
    let name = written.get(MEMORY).map(|name| name.as_str().map_or_else(|| to_inline_yaml(name), str::to_owned));
    let slot = slots.find(&name.unwrap_or_default(), user, &path.child(MEMORY), problems);
    let missing = |key: &str| {
        let problem = Problem::new(ParameterError::MissingKey, path.clone(), format!("`{key}` is missing"));
        problem.value(to_inline_yaml(written)).expected("{memory: NAME, operator: '>=', ref_value: 1}")
    };
    let word = written.get("operator").map(|word| word.as_str().map_or_else(|| to_inline_yaml(word), str::to_owned));
    let compare = match &word {
        None => {
            problems.push(missing("operator"));
            None
        }
        Some(word) => {
            let found = OPERATORS.iter().find(|(operator, _)| operator == word).map(|(_, compare)| *compare);
            if found.is_none() {
                let message = format!("unknown operator `{word}` for a number");
                let problem = Problem::new(ConditionError::WrongOperator, path.child("operator"), message);
                problems.push(problem.value(word).among(word, OPERATORS.map(|(operator, _)| operator)));
            }
            found
        }
    };
    let reference = match written.get("ref_value") {
        None => {
            problems.push(missing("ref_value"));
            None
        }
        Some(value) => {
            let found = value.as_f64().filter(|number| number.is_finite());
            if found.is_none() {
                let problem = Problem::new(NameError::WrongValue, path.child("ref_value"), "memory is a number");
                problems.push(problem.value(to_inline_yaml(value)).expected("a finite number"));
            }
            found
        }
    };
    Some(Remembered { slot: slot?, compare: compare?, reference: reference? })
}
