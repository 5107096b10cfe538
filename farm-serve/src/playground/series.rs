//! What is shown of an episode besides the picture: values now, and over time.

use farm_core::declare::Quantity;
use farm_core::{Environment, Game, ObservationEntry};
use serde::Serialize;

use super::choice::{Compiled, Looks};

/// The most values of all series together; games with more have the first series only.
const MAX_VALUES: usize = 2_000_000;

/// What was seen of a number over the steps so far: its mean over the plots where it has a value for each.
#[derive(Debug, Serialize)]
pub(super) struct Series {
    /// Its key in the observation.
    key: String,
    /// What it is.
    doc: String,
    /// Whether the values are means over plots.
    is_mean: bool,
    /// At the start and after each step; none where it was not looked at.
    values: Vec<Option<f64>>,
    #[serde(skip)]
    entry: usize,
}

impl Series {
    /// Those of a game over so many steps, empty: whatever it shows that is a single number, or one for each plot, and has no words.
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

    /// Adds what is seen now.
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

/// Steps that were taken or remain are no news over time.
fn is_of_the_farm(entry: &ObservationEntry) -> bool {
    let counts_steps = |quantity| matches!(quantity, Quantity::Remaining | Quantity::Step);
    !entry.reference().is_some_and(|reference| counts_steps(reference.quantity()))
}

/// A value that is shown.
#[derive(Debug, Serialize)]
pub(super) struct Shown {
    /// The part that it is of.
    part: String,
    /// Its name, with its unit behind `#`.
    name: String,
    /// The value in words.
    value: String,
    /// Whether the learner does not see it.
    hidden: bool,
}

/// The values of the observation, in its order; for whoever sees everything also those of the farm that the learner does not see.
pub(super) fn shown(compiled: &Compiled, environment: &Environment, looks: Looks) -> Vec<Shown> {
    let text = environment.observation_text();
    let mut all: Vec<Shown> = Vec::new();
    for line in text.lines() {
        match line.split_once(": ") {
            Some((key, value)) if !line.starts_with(' ') => {
                let (part, name) = split(key);
                all.push(Shown { part, name, value: value.trim().to_owned(), hidden: false });
            }
            // The lines of a map belong to the name above them.
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
            // Games of one farmer name what it sees without the part.
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

/// The key of an entry as part and name: `Field-0.Soil-0.available_Water#L`.
fn split(key: &str) -> (String, String) {
    let mut parts = key.splitn(3, '.');
    match (parts.next(), parts.next(), parts.next()) {
        (Some(field), Some(part), Some(name)) => (format!("{field}.{part}"), name.to_owned()),
        (Some(part), Some(name), None) if part.contains('-') => (part.to_owned(), name.to_owned()),
        _ => (String::new(), key.to_owned()),
    }
}
