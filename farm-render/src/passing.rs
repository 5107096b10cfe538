//! Changes during waits: sums of daily rates, such as rain, and mean stocks over the plots.

use farm_core::Game;
use farm_core::declare::{Labels as ValueNames, PartInfo, VariableInfo};
use farm_core::inspect::short_number;
use farm_core::labels::{LITRES, Labels};

use crate::TextRenderer;
use crate::values::Values;
use farm_core::State;

/// A value before and after a step.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// Its name in words, including the part if several parts have a variable with this name.
    pub name: String,
    /// Its unit. The unit of a rate has no `.day-1`.
    pub unit: String,
    /// The value before, or 0 for a rate.
    pub before: f64,
    /// The value after, or the sum of a rate.
    pub after: f64,
    /// Whether it is a rate per day.
    pub is_rate: bool,
}

impl Reading {
    /// Adds the readings of a later step.
    pub(crate) fn add(all: &mut Vec<Self>, later: &[Self]) {
        for reading in later {
            match all.iter_mut().find(|own| own.name == reading.name && own.unit == reading.unit) {
                Some(own) if own.is_rate => own.after += reading.after,
                Some(own) => own.after = reading.after,
                None => all.push(reading.clone()),
            }
        }
    }

    /// The change, as a share of the greater value.
    fn change(&self) -> f64 {
        let most = self.before.abs().max(self.after.abs());
        if most > 0.0 { (self.after - self.before).abs() / most } else { 0.0 }
    }

    fn words(&self) -> String {
        let Self { name, unit, before, after, is_rate } = self;
        let unit = if unit.is_empty() { String::new() } else { format!(" {unit}") };
        if *is_rate {
            format!("{name} {}{unit}", short_number(*after))
        } else {
            format!("{name} {} → {}{unit}", short_number(*before), short_number(*after))
        }
    }
}

/// Minimum change, as a share, that is printed.
const LEAST_CHANGE: f64 = 0.02;
/// Maximum number of readings in a line.
const MAX_SAID: usize = 4;

/// The line for a period of time: its length and its largest changes.
pub(crate) fn passed(labels: &Labels, steps: usize, is_days: bool, readings: &[Reading]) -> String {
    let length = match (steps, is_days) {
        (n, true) => format!("{n} {}", labels.words("d")),
        (1, false) => format!("1 {}", labels.words("step")),
        (n, false) => format!("{n} {}", labels.words("steps")),
    };
    let is_told =
        |reading: &&Reading| if reading.is_rate { reading.after > 0.0 } else { reading.change() >= LEAST_CHANGE };
    let mut told: Vec<(usize, &Reading)> = readings.iter().filter(is_told).enumerate().collect();
    // Rates first, then the greatest changes; in the order of the game.
    told.sort_by(|(_, a), (_, b)| {
        (b.is_rate, b.change()).partial_cmp(&(a.is_rate, a.change())).unwrap_or(std::cmp::Ordering::Equal)
    });
    told.truncate(MAX_SAID);
    told.sort_by_key(|(i, _)| *i);
    let words: Vec<String> = told.into_iter().map(|(_, reading)| reading.words()).collect();
    if words.is_empty() { length } else { format!("{length}: {}", words.join(", ")) }
}

/// A variable that is read during waits.
#[derive(Debug)]
pub(crate) struct Watched {
    field: usize,
    values: Values,
    name: String,
    unit: String,
    is_rate: bool,
    /// The divisor for the values. For a plot's water, it is the plot's area, because people read water in millimetres.
    divisor: f64,
}

/// How to watch a variable: as a field's rate, or as a stock on the field's plots. Forecasts and named states are not watched.
pub(crate) fn watched(
    game: &Game,
    labels: &Labels,
    part: &PartInfo,
    variable: &VariableInfo,
    values: Values,
) -> Option<Watched> {
    let (name, unit) = variable.name().split_once('#').unwrap_or((variable.name(), ""));
    let is_rate = unit.ends_with(PER_DAY);
    let is_number = !matches!(variable.kind().labels(0), Some(ValueNames::Named(_)));
    let is_wanted = is_number
        && !name.contains("forecast")
        && if is_rate { !variable.per_plot() && variable.len() == 1 } else { variable.per_plot() };
    let field = part.field()?;
    let label = labels.variable(part.kind(), variable.name());
    let area = game.fields().get(field).map(|field| field.plot_area_m2());
    let area = area.filter(|_| variable.per_plot() && label.unit == LITRES);
    let per_day = format!("/{}", labels.words("day"));
    let unit = area.map_or_else(|| label.unit.trim_end_matches(&per_day).to_owned(), |_| "mm".to_owned());
    is_wanted.then(|| Watched { field, values, name: label.text, unit, is_rate, divisor: area.unwrap_or(1.0) })
}

const PER_DAY: &str = ".day-1";

impl TextRenderer {
    /// The readings for a step: rates, and mean stocks over the plots. In every view, the readings come only from the learner's
    /// observation.
    pub fn readings(&self, before: &State, after: &State) -> Vec<Reading> {
        let states = [before, after].map(|state| self.learners_sight(state));
        let read = |watched: &Watched| {
            let (length, width) = self.size(watched.field);
            let plots = if watched.is_rate { 1 } else { length * width };
            let mean = |sight: &crate::view::Sight<'_>| {
                let values = (0..plots).map(|plot| sight.value(watched.values, plot)).collect::<Option<Vec<f64>>>()?;
                Some(farm_core::math::sum(values) / plots.max(1) as f64 / watched.divisor)
            };
            let [before, after] = states.each_ref().map(mean);
            let before = if watched.is_rate { 0.0 } else { before? };
            let Watched { name, unit, is_rate, .. } = watched;
            Some(Reading { name: name.clone(), unit: unit.clone(), before, after: after?, is_rate: *is_rate })
        };
        self.watched().iter().filter_map(read).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn english() -> &'static Labels {
        Labels::of(farm_core::labels::Language::English)
    }

    fn reading(name: &str, before: f64, after: f64, is_rate: bool) -> Reading {
        Reading { name: name.to_owned(), unit: "L".to_owned(), before, after, is_rate }
    }

    #[test]
    fn a_span_of_time_says_what_has_flowed_and_what_is_left() {
        let mut all = Vec::new();
        Reading::add(&mut all, &[reading("rain", 0.0, 10.25, true), reading("water", 139.0, 125.0, false)]);
        Reading::add(&mut all, &[reading("rain", 0.0, 0.75, true), reading("water", 125.0, 117.4, false)]);
        assert_eq!(passed(english(), 2, true, &all), "2 d: rain 11 L, water 139 → 117 L");
        assert_eq!(passed(english(), 1, false, &[]), "1 step");
        assert_eq!(
            passed(english(), 3, false, &[reading("rain", 0.0, 0.0, true), reading("water", 100.0, 101.0, false)]),
            "3 steps"
        );
    }

    #[test]
    fn only_the_greatest_changes_are_told_in_the_order_of_the_game() {
        let all: Vec<Reading> =
            (1..=6).map(|i| reading(&format!("v{i}"), 100.0, 100.0 - 10.0 * f64::from(i), false)).collect();
        assert_eq!(passed(english(), 1, true, &all), "1 d: v3 100 → 70 L, v4 100 → 60 L, v5 100 → 50 L, v6 100 → 40 L");
    }
}
