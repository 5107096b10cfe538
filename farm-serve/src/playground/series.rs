//! An episode's values that are shown next to the picture: current values and values over time.

use farm_core::declare::Quantity;
use farm_core::{Environment, Game, ObservationEntry};
use serde::Serialize;

use super::choice::{Compiled, Looks};

/// The maximum total number of values in all series. Games with more values show only the first series.
const MAX_VALUES: usize = 2_000_000;

/// The observed values of a numeric variable over the steps so far. If the variable has one value per plot, the series contains the mean
/// over plots.
#[derive(Debug, Serialize)]
pub(super) struct Series {
    /// Its key in the observation.
    key: String,
    /// Its meaning.
    doc: String,
    /// Whether the values are means over plots.
    is_mean: bool,
    /// The values at the start and after each step; `None` if the variable was not observed.
    values: Vec<Option<f64>>,
    #[serde(skip)]
    entry: usize,
}

impl Series {
    /// Creates empty series for a game. They cover all observed variables that are a single number or have one number per plot, but not
    /// variables with words.
    pub(super) fn of(game: &Game, steps: usize) -> Vec<Self> {
        let entries = game.observation().entries().iter().enumerate();
        let plain = entries.filter(|(_, entry)| {
            let is_number = entry.len() == 1 || entry.is_per_plot();
            is_number && !entry.is_centred() && entry.kind().words(0).is_none() && is_of_the_farm(entry)
        });
        plain
            .take(MAX_VALUES / (steps + 1))
            .map(|(i, entry)| Self {
                key: entry.key().to_owned(),
                doc: entry.doc().to_owned(),
                is_mean: entry.len() > 1,
                values: Vec::new(),
                entry: i,
            })
            .collect()
    }

    /// Adds the current observation.
    pub(super) fn note(all: &mut [Self], environment: &Environment) {
        let layout = environment.game().observation();
        let record = environment.observation();
        for series in all {
            let Some(entry) = layout.entries().get(series.entry) else { continue };
            let present = (0..entry.len()).filter(|index| layout.is_present(record, series.entry, *index));
            let (mut sum, mut count) = (0.0, 0.0);
            for index in present {
                sum += entry.number(record, index);
                count += 1.0;
            }
            series.values.push((count > 0.0).then(|| sum / count));
        }
    }
}

/// Leaves out counts of past or remaining steps.
fn is_of_the_farm(entry: &ObservationEntry) -> bool {
    let counts_steps = |quantity| matches!(quantity, Quantity::Remaining | Quantity::Step);
    !entry.reference().is_some_and(|reference| counts_steps(reference.quantity()))
}

/// A displayed value.
#[derive(Debug, Serialize)]
pub(super) struct Shown {
    /// Its part.
    part: String,
    /// Its name, with its unit after `#`.
    name: String,
    /// The value in words.
    value: String,
    /// Whether it is hidden from the learner.
    hidden: bool,
}

/// The observed values, in order. The full view also contains the farm's values that the learner does not see.
pub(super) fn shown(compiled: &Compiled, environment: &Environment, looks: Looks) -> Vec<Shown> {
    let text = environment.game().observation().to_text(environment.observation());
    let mut all: Vec<Shown> = Vec::new();
    for line in text.lines() {
        match line.split_once(": ") {
            Some((key, value)) if !line.starts_with(' ') => {
                let (part, name) = split(key);
                all.push(Shown { part, name, value: value.trim().to_owned(), hidden: false });
            }
            // Indented lines of a map belong to the name above them.
            _ if line.starts_with(' ') => {
                if let Some(last) = all.last_mut() {
                    last.value = format!("{}\n{}", last.value, line.trim()).trim_start().to_owned();
                }
            }
            _ => {
                let (part, name) = split(line.trim_end_matches(':'));
                all.push(Shown { part, name, value: String::new(), hidden: false });
            }
        }
    }
    if looks == Looks::Everything {
        let (renderer, state) = (compiled.text_renderer(looks), environment.state());
        // The plots of larger fields are in the picture.
        let single = environment.game().fields().iter().enumerate().filter(|(_, field)| field.plots() == 1);
        let of_plots = single.flat_map(|(field, _)| renderer.plot_values(field, (0, 0), state));
        for value in renderer.farm_values(state).into_iter().chain(of_plots) {
            // Games with one farmer name observed values without the part.
            let is_same = |known: &Shown| known.name == value.variable && known.part.ends_with(value.part);
            let is_known = |known: &Shown| is_same(known) || known.part.is_empty() && known.name == value.variable;
            if !all.iter().any(is_known) {
                let (part, name) = (value.part.to_owned(), value.variable.to_owned());
                all.push(Shown { part, name, value: value.text, hidden: true });
            }
        }
    }
    all
}

/// Splits an entry's key into part and name: `Field-0.Soil-0.available_Water#L`.
fn split(key: &str) -> (String, String) {
    let mut parts = key.splitn(3, '.');
    match (parts.next(), parts.next(), parts.next()) {
        (Some(field), Some(part), Some(name)) => (format!("{field}.{part}"), name.to_owned()),
        (Some(part), Some(name), None) if part.contains('-') => (part.to_owned(), name.to_owned()),
        _ => (String::new(), key.to_owned()),
    }
}
