//! The values of the game's own monitors.

use farm_core::{Game, Monitor, Reader};
use farm_monitor::Series;

use crate::rows::{Rows, halve};
use crate::series::SeriesLines;

/// A monitor over time: a single number; the mean, minimum and maximum of several numbers; or the count of each word.
#[derive(Debug, Clone)]
struct MonitoredSeries {
    series: Series,
    spread: Rows<3>,
    counts: Vec<Vec<f64>>,
    numbers: Vec<f64>,
}

/// A game's monitors over time.
#[derive(Debug, Clone)]
pub(crate) struct Monitored(Vec<(Monitor, MonitoredSeries)>);

impl Monitored {
    /// Creates empty series for a game's monitors.
    pub(crate) fn of(game: &Game) -> Self {
        let series_of = |monitor: &Monitor| {
            let series = Series::of(monitor, game);
            let words = match series.words.as_slice() {
                [words] if monitor.len() > 1 => words.len(),
                _ => 0,
            };
            let numbers = vec![0.0; monitor.len()];
            (
                monitor.clone(),
                MonitoredSeries { series, spread: Rows::default(), counts: vec![Vec::new(); words], numbers },
            )
        };
        Self(game.monitors().iter().map(series_of).collect())
    }

    /// Records the values of all monitors in a state.
    pub(crate) fn read(&mut self, reader: &Reader<'_>) {
        for (monitor, series_of) in &mut self.0 {
            monitor.read(reader, &mut series_of.numbers);
            let numbers = &series_of.numbers;
            let (low, high) =
                numbers.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(*v), h.max(*v)));
            series_of.spread.push([numbers.iter().sum::<f64>() / numbers.len().max(1) as f64, low, high]);
            for (word, line) in series_of.counts.iter_mut().enumerate() {
                line.push(numbers.iter().filter(|number| **number == word as f64).count() as f64);
            }
        }
    }

    /// Drops every second day.
    pub(crate) fn halve(&mut self) {
        for (_, series_of) in &mut self.0 {
            series_of.spread.halve();
            series_of.counts.iter_mut().for_each(halve);
        }
    }

    /// The series of each monitor over the episode.
    pub(crate) fn shown(&self) -> impl Iterator<Item = (&Series, SeriesLines)> {
        self.0.iter().map(|(monitor, series_of)| {
            let MonitoredSeries { series, spread, counts, .. } = series_of;
            let [mean, low, high] = [0, 1, 2].map(|i| spread.column(i));
            let shown = match series.words.as_slice() {
                [words] if monitor.len() == 1 => SeriesLines::Word(words.clone(), mean),
                [words] => {
                    let seen = words.iter().zip(counts).filter(|(_, line)| line.iter().any(|n| *n > 0.0));
                    SeriesLines::Counts(seen.map(|(word, line)| (word.clone(), line.clone())).collect())
                }
                _ if monitor.len() == 1 => SeriesLines::Lines(vec![(String::new(), mean)]),
                _ => SeriesLines::Spread { mean, band: low.into_iter().zip(high).collect() },
            };
            (series, shown)
        })
    }
}
