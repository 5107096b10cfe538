//! The variables of all parts over time, with a few numbers per variable.

use farm_core::declare::{Labels, PartInfo, Quantity, Reference, ValueKind, VariableInfo};
use farm_core::{Game, Reader, StateSlice};

use crate::calendar::is_day_of_year;
use crate::rows::{Rows, halve};

/// The maximum number of values for which each value has its own line, unless there is one value per plot.
const FEW: usize = 6;

/// The maximum number of labels for which a category's labels are counted. A category with more labels is a map's code.
const MAX_LABELS: usize = 24;

/// The recorded numbers of a variable.
#[derive(Debug, Clone)]
enum SeriesValues {
    /// A scalar's value or the index of its word, or each value if there are only a few.
    Values(Vec<Vec<f64>>),
    /// Mean, minimum and maximum of many values.
    Spread(Rows<3>),
    /// The number of values with each label.
    Counts(Vec<Vec<f64>>),
}

/// A variable over time.
#[derive(Debug, Clone)]
pub(crate) struct VariableSeries {
    /// The part's index.
    pub part: usize,
    /// The variable's index in its part.
    pub variable: usize,
    source: StateSlice,
    kept: SeriesValues,
}

/// The lines of a chart.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum SeriesLines {
    /// One line for each of a few values, with a name if there are several values.
    Lines(Vec<(String, Vec<f64>)>),
    /// The mean with the minimum and the maximum.
    Spread {
        /// Mean of all values.
        mean: Vec<f64>,
        /// The minimum and the maximum of all values.
        band: Vec<(f64, f64)>,
    },
    /// The number of values with each label.
    Counts(Vec<(String, Vec<f64>)>),
    /// One value that is a word, as the index of the word.
    Word(Vec<String>, Vec<f64>),
    /// The value in words, if it does not change.
    Constant(String),
}

/// All of a game's series.
#[derive(Debug, Clone)]
pub(crate) struct GameSeries(Vec<VariableSeries>);

impl GameSeries {
    /// Creates empty series for a game.
    pub(crate) fn of(game: &Game) -> Self {
        let of_part = |(part, info): (usize, &PartInfo)| {
            let variable_series = move |(variable, info): (usize, &VariableInfo)| {
                let reference = Reference::new(part, Quantity::Variable(variable), "");
                let source = StateSlice::of(&reference, game.parts())?;
                let is_shared = info.kind().lists().is_none_or(|lists| lists.len() == 1);
                let kept = match info.kind().words(0) {
                    _ if info.is_empty() => return None,
                    _ if info.len() == 1 => SeriesValues::Values(vec![Vec::new()]),
                    Some(words) if is_shared && words.len() <= MAX_LABELS => {
                        SeriesValues::Counts(vec![Vec::new(); words.len()])
                    }
                    // Labels that differ between elements can't be counted together.
                    Some(_) => return None,
                    _ if !info.per_plot() && info.len() <= FEW => SeriesValues::Values(vec![Vec::new(); info.len()]),
                    _ => SeriesValues::Spread(Rows::default()),
                };
                Some(VariableSeries { part, variable, source, kept })
            };
            info.variables().iter().enumerate().filter_map(variable_series).collect::<Vec<_>>()
        };
        Self(game.parts().iter().enumerate().flat_map(of_part).collect())
    }

    /// All series, part by part.
    pub(crate) fn all(&self) -> &[VariableSeries] {
        &self.0
    }

    /// The day of the year on each recorded day, from the first part that has one.
    pub(crate) fn days_of_year(&self, game: &Game) -> Option<&[f64]> {
        let of_year = |series: &&VariableSeries| series.info(game).is_some_and(is_day_of_year);
        match &self.0.iter().find(of_year)?.kept {
            SeriesValues::Values(lines) => lines.first().map(Vec::as_slice),
            _ => None,
        }
    }

    /// Records the values of a state.
    pub(crate) fn read(&mut self, reader: &Reader<'_>) {
        for variable_series in &mut self.0 {
            let values = variable_series.source.values(reader);
            match &mut variable_series.kept {
                SeriesValues::Values(lines) => lines.iter_mut().zip(values).for_each(|(line, value)| line.push(value)),
                SeriesValues::Spread(rows) => {
                    let (mut sum, mut low, mut high) = (0.0, f64::INFINITY, f64::NEG_INFINITY);
                    for value in values {
                        sum += value;
                        (low, high) = (low.min(value), high.max(value));
                    }
                    rows.push([sum / variable_series.source.len() as f64, low, high]);
                }
                SeriesValues::Counts(lines) => {
                    lines.iter_mut().for_each(|line| line.push(0.0));
                    for value in values {
                        if let Some(count) = lines.get_mut(value as usize).and_then(|line| line.last_mut()) {
                            *count += 1.0;
                        }
                    }
                }
            }
        }
    }

    /// Drops every second day.
    pub(crate) fn halve(&mut self) {
        for variable_series in &mut self.0 {
            match &mut variable_series.kept {
                SeriesValues::Values(lines) | SeriesValues::Counts(lines) => lines.iter_mut().for_each(halve),
                SeriesValues::Spread(rows) => rows.halve(),
            }
        }
    }
}

/// The names of a variable's labels, if all its values share them.
fn names(kind: &ValueKind) -> Vec<String> {
    match kind.words(0) {
        Some(Labels::Named(names)) => names.clone(),
        _ => Vec::new(),
    }
}

fn is_constant(values: &[f64]) -> bool {
    values.windows(2).all(|pair| pair[0] == pair[1])
}

impl VariableSeries {
    /// Its declaration.
    pub(crate) fn info<'g>(&self, game: &'g Game) -> Option<&'g VariableInfo> {
        game.parts().get(self.part)?.variables().get(self.variable)
    }

    /// The first value of a single number, or the first mean of many values; `None` for other series.
    pub(crate) fn constant(&self) -> Option<f64> {
        match &self.kept {
            SeriesValues::Values(lines) if lines.len() == 1 => lines.first()?.first().copied(),
            SeriesValues::Spread(rows) => rows.column(0).first().copied(),
            _ => None,
        }
    }

    /// The lines that show this variable for an episode.
    pub(crate) fn shown(&self, game: &Game) -> Option<SeriesLines> {
        let info = self.info(game)?;
        let names = names(info.kind());
        let word = |value: f64| names.get(value as usize).cloned().unwrap_or_else(|| farm_plot::number(value));
        let label = |i: usize| names.get(i).cloned().unwrap_or_else(|| i.to_string());
        Some(match &self.kept {
            SeriesValues::Values(lines) if lines.iter().all(|line| is_constant(line)) => {
                let values = lines.iter().filter_map(|line| line.first());
                SeriesLines::Constant(values.map(|value| word(*value)).collect::<Vec<_>>().join(", "))
            }
            SeriesValues::Values(lines) => match lines.as_slice() {
                [line] if !names.is_empty() => SeriesLines::Word(names, line.clone()),
                [line] => SeriesLines::Lines(vec![(String::new(), line.clone())]),
                // A point of a map.
                [x, y] => SeriesLines::Lines(vec![("x".to_owned(), x.clone()), ("y".to_owned(), y.clone())]),
                several => SeriesLines::Lines(
                    several.iter().enumerate().map(|(i, line)| (format!("[{i}]"), line.clone())).collect(),
                ),
            },
            SeriesValues::Spread(rows) => {
                let [mean, low, high] = [0, 1, 2].map(|i| rows.column(i));
                if is_constant(&low) && is_constant(&high) && is_constant(&mean) {
                    let (low, high) = (low.first().copied()?, high.first().copied()?);
                    let number = farm_plot::number;
                    let text = if low == high { number(low) } else { format!("{} … {}", number(low), number(high)) };
                    return Some(SeriesLines::Constant(text));
                }
                SeriesLines::Spread { mean, band: low.into_iter().zip(high).collect() }
            }
            SeriesValues::Counts(lines) if lines.iter().all(|line| is_constant(line)) => {
                let counts = lines.iter().enumerate().filter_map(|(i, line)| Some((i, *line.first()?)));
                let counts = counts.filter(|(_, n)| *n > 0.0).map(|(i, n)| format!("{n} {}", label(i)));
                SeriesLines::Constant(counts.collect::<Vec<_>>().join(", "))
            }
            // For yes and no, one line shows both.
            SeriesValues::Counts(lines) if info.kind().is_flag() => SeriesLines::Counts(
                lines.iter().enumerate().skip(1).map(|(i, line)| (label(i), line.clone())).collect(),
            ),
            SeriesValues::Counts(lines) => {
                let seen = lines.iter().enumerate().filter(|(_, line)| line.iter().any(|n| *n > 0.0));
                SeriesLines::Counts(seen.map(|(i, line)| (label(i), line.clone())).collect())
            }
        })
    }
}
