//! Observes a few episodes to find the values of each variable that conditions can use.

use farm_core::declare::{Quantity, Reference, ValueKind};
use farm_core::serde_yaml::{Mapping, Value};
use farm_core::{Game, State, StateSlice};
use farm_games::policies::policy_from_value;

use crate::SearchError;
use crate::rule_lists::mapping;
use crate::sights::{Sight, Values};

/// Number of observed episodes per policy.
const EPISODES: u64 = 4;
/// Maximum length of a list whose values are observed individually.
const MAX_LIST: usize = 16;
/// Maximum number of values recorded per variable and step, taken from evenly spaced plots.
const MAX_OF_STEP: usize = 4;
/// Number of quantiles recorded for a number.
const QUANTILES: usize = 33;
/// Maximum number of steps observed in an episode.
const MAX_STEPS: usize = 20_000;

/// A variable that is recorded while episodes are played.
#[derive(Debug, Clone)]
pub(crate) struct Probe {
    /// The variable as conditions name it.
    pub variable: Value,
    part: Option<usize>,
    is_per_plot: bool,
    /// Whether it is shown without a request.
    is_free: bool,
    kind: ValueKind,
    source: Source,
}

/// The source of a probe.
#[derive(Debug, Clone)]
enum Source {
    /// The number of steps.
    Steps,
    /// Values of the state.
    State(StateSlice),
    /// One value in an observation entry that is computed when observed.
    Observed { entry: usize, index: usize },
}

impl Probe {
    /// The probe of the number of steps, which every policy observes.
    pub(crate) fn steps() -> Self {
        let kind = ValueKind::Count { low: 0, high: i32::MAX };
        Self { variable: "step".into(), part: None, is_per_plot: false, is_free: true, kind, source: Source::Steps }
    }

    /// A variable's probes: one for its values on plots, one for a single value, or one for each value in a short list.
    pub(crate) fn of(game: &Game, reference: &Reference) -> Vec<Self> {
        let (variable, part) = match reference.quantity() {
            Quantity::Step | Quantity::Remaining => return Vec::new(),
            quantity => (quantity, reference.part()),
        };
        let info = &game.parts()[part];
        let (kind, shape) = game.names().kind_and_shape(reference);
        let (name, is_per_plot) = match variable {
            Quantity::Variable(i) => (info.variables()[i].name(), info.variables()[i].per_plot()),
            Quantity::Observable(i) => (info.observables()[i].name(), false),
            Quantity::Step | Quantity::Remaining => return Vec::new(),
        };
        let mut words: Vec<Value> = info.field().map(|field| game.fields()[field].name().into()).into_iter().collect();
        words.extend([info.name().into(), name.into()]);
        let len: usize = shape.iter().product();
        let elements: Vec<Option<usize>> = match reference.element() {
            Some(element) => vec![Some(element)],
            None if is_per_plot || len == 1 => vec![None],
            None if len <= MAX_LIST => (0..len).map(Some).collect(),
            None => Vec::new(),
        };
        let probe = |element: Option<usize>| {
            let mut words = words.clone();
            let one = element.map(|element| Reference::new(part, variable, reference.name()).at(element));
            if let Some(element) = element {
                let index = game.names().index_json(reference, element);
                let index = farm_core::serde_yaml::to_value(index).ok()?;
                words.push(Value::Sequence(vec![index]));
            }
            let source = match StateSlice::of(one.as_ref().unwrap_or(reference), game.parts()) {
                Some(slice) => Source::State(slice),
                None => Source::observed(game, reference, element)?,
            };
            let kind = kind.of_entry(element.unwrap_or_default());
            let is_free = is_free(game, reference, element);
            let is_per_plot = is_per_plot && element.is_none() && len > 1;
            Some(Self { variable: Value::Sequence(words), part: Some(part), is_per_plot, is_free, kind, source })
        };
        elements.into_iter().filter_map(probe).collect()
    }

    /// A condition on the variable that can hold.
    pub(crate) fn any_condition(&self, at_plot: bool) -> Value {
        let (low, _) = self.kind.range();
        let value = self.kind.to_yaml(low.max(0.0));
        let is_of_several = self.is_per_plot && !at_plot;
        if self.kind.is_quantity() {
            of_number(&self.variable, is_of_several, ">=", value)
        } else {
            of_words(&self.variable, is_of_several, vec![value])
        }
    }

    /// The variable with its observed values; none if all values are equal.
    pub(crate) fn sight(self, mut seen: Vec<f64>) -> Option<Sight> {
        seen.sort_by(f64::total_cmp);
        let values = if self.kind.is_quantity() {
            let is_whole = self.kind.is_whole();
            let quantile = |i: usize| seen.get(i * (seen.len().saturating_sub(1)) / (QUANTILES - 1)).copied();
            let mut quantiles: Vec<f64> = (0..QUANTILES).filter_map(quantile).map(|x| rounded(x, is_whole)).collect();
            quantiles.dedup();
            if quantiles.len() < 2 {
                return None;
            }
            Values::Numbers { quantiles, is_whole }
        } else {
            seen.dedup();
            if seen.len() < 2 {
                return None;
            }
            Values::Words(seen.into_iter().map(|value| self.kind.to_yaml(value)).collect())
        };
        let Self { variable, part, is_per_plot, is_free, .. } = self;
        Some(Sight { variable, part, is_per_plot, is_free, values })
    }

    pub(crate) fn read(&self, game: &Game, state: &State, record: &[u8], seen: &mut Vec<f64>) {
        match &self.source {
            Source::Steps => seen.push(f64::from(state.step())),
            Source::State(slice) => {
                let reader = game.reader(state);
                // Other plots each day, so that every plot is recorded.
                let stride = slice.len().div_ceil(MAX_OF_STEP).max(1);
                let start = state.step() as usize % stride;
                seen.extend((start..slice.len()).step_by(stride).map(|i| slice.get(&reader, i)));
            }
            Source::Observed { entry, index } => seen.push(game.observation().entries()[*entry].number(record, *index)),
        }
    }
}

impl Source {
    /// The index of a computed value in the observation; none if it is not observed.
    fn observed(game: &Game, wanted: &Reference, element: Option<usize>) -> Option<Self> {
        let entries = game.observation().entries();
        let is_it = |seen: &Reference| (seen.part(), seen.quantity()) == (wanted.part(), wanted.quantity());
        let shows = |seen: &Reference| is_it(seen) && (seen.element().is_none() || seen.element() == element);
        let entry = entries.iter().position(|entry| entry.reference().is_some_and(shows))?;
        let is_whole = entries[entry].reference().is_some_and(|seen| seen.element().is_none());
        Some(Self::Observed { entry, index: if is_whole { element.unwrap_or_default() } else { 0 } })
    }
}

/// Whether a value is observed without a request.
fn is_free(game: &Game, wanted: &Reference, element: Option<usize>) -> bool {
    match Source::observed(game, wanted, element) {
        Some(Source::Observed { entry, index }) => game.observation().is_free((entry, index)),
        _ => false,
    }
}

/// A condition on a number. It compares the mean if there are several numbers and no current plot.
pub(crate) fn of_number(variable: &Value, is_of_several: bool, operator: &str, value: Value) -> Value {
    let mut condition = Mapping::new();
    condition.insert("state_variable".into(), variable.clone());
    if is_of_several {
        condition.insert("function".into(), "mean".into());
    }
    condition.insert("operator".into(), operator.into());
    condition.insert("ref_value".into(), value);
    Value::Mapping(condition)
}

/// A condition that holds if a variable's value is one of these words. If there are several values and no current plot, at least one value
/// must match.
pub(crate) fn of_words(variable: &Value, is_of_several: bool, mut words: Vec<Value>) -> Value {
    if is_of_several {
        return mapping([
            ("state_variable", variable.clone()),
            ("function", "count".into()),
            ("of", Value::Sequence(words)),
            ("operator", ">=".into()),
            ("ref_value", 1.into()),
        ]);
    }
    let (operator, value) = match words.len() {
        1 => ("==", words.swap_remove(0)),
        _ => ("in", Value::Sequence(words)),
    };
    mapping([("state_variable", variable.clone()), ("operator", operator.into()), ("ref_value", value)])
}

pub(crate) use farm_core::spec::yaml_number as number_value;

/// A number rounded to an integer, or to three significant digits.
pub(crate) fn rounded(value: f64, is_whole: bool) -> f64 {
    if is_whole || value == 0.0 || !value.is_finite() {
        return value.round();
    }
    format!("{value:.2e}").parse().unwrap_or(value)
}

/// The values of each probe in episodes with waiting, with random play and with the expert.
///
/// # Errors
/// The expert does not fit the game, or the game fails in a step.
pub(crate) fn watch(game: &Game, probes: &[Probe], expert: &Value, seed: u64) -> Result<Vec<Vec<f64>>, SearchError> {
    let mut seen = vec![Vec::new(); probes.len()];
    let mut bytes = vec![0; game.observation().size()];
    let (mut state, mut record, mut schedule) = (game.new_state(), game.new_record(), Vec::new());
    for policy in [&Value::from(crate::WAIT), &Value::from("RandomPolicy"), expert] {
        let mut player = policy_from_value(game, policy)?;
        for seed in seed..seed + EPISODES {
            game.reset(&mut state, seed, &mut record);
            player.start(seed);
            for _ in 0..MAX_STEPS {
                game.observe_into(&state, &mut bytes);
                probes.iter().zip(&mut seen).for_each(|(probe, seen)| probe.read(game, &state, &bytes, seen));
                schedule.clear();
                player.choose(game, &state, &mut schedule);
                let outcome = game.step(&mut state, &schedule, &mut record).map_err(|error| SearchError::Step {
                    error,
                    seed,
                    policy: farm_core::serde_yaml::to_string(policy).unwrap_or_default(),
                })?;
                if outcome.over() {
                    break;
                }
            }
        }
    }
    Ok(seen)
}
