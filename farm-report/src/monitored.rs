//! What the game's own monitors read.

use farm_core::{Game, Monitor, Reader};
use farm_monitor::Series;

use crate::rows::{Rows, halve};
use crate::series::Shown;

/// A monitor over time: its number, or mean, least and greatest of several; or how many have each word.
#[derive(Debug, Clone)]
struct Watched {
    series: Series,
    spread: Rows<3>,
    counts: Vec<Vec<f64>>,
    numbers: Vec<f64>,
}

/// The monitors of a game over time.
#[derive(Debug, Clone)]
pub(crate) struct Monitored(Vec<(Monitor, Watched)>);

impl Monitored {
    /// The monitors that a game names.
    pub(crate) fn of(game: &Game) -> Self {
        let watched = |monitor: &Monitor| {
            let series = Series::of(monitor, game);
            let words = match series.words.as_slice() {
                [words] if monitor.len() > 1 => words.len(),
                _ => 0,
            };
            let numbers = vec![0.0; monitor.len()];
            (monitor.clone(), Watched { series, spread: Rows::default(), counts: vec![Vec::new(); words], numbers })
        };
        Self(game.monitors.iter().map(watched).collect())
    }

    /// Keeps what they read of a state.
    pub(crate) fn read(&mut self, reader: &Reader<'_>) {
        for (monitor, watched) in &mut self.0 {
            monitor.read(reader, &mut watched.numbers);
            let numbers = &watched.numbers;
            let (low, high) =
                numbers.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(*v), h.max(*v)));
            watched.spread.push([numbers.iter().sum::<f64>() / numbers.len().max(1) as f64, low, high]);
            for (word, line) in watched.counts.iter_mut().enumerate() {
                line.push(numbers.iter().filter(|number| **number == word as f64).count() as f64);
            }
        }
    }

    /// Drops every second day.
    pub(crate) fn halve(&mut self) {
        for (_, watched) in &mut self.0 {
            watched.spread.halve();
            watched.counts.iter_mut().for_each(halve);
        }
    }

    /// What each shows of an episode.
    pub(crate) fn shown(&self) -> impl Iterator<Item = (&Series, Shown)> {
        self.0.iter().map(|(monitor, watched)| {
            let Watched { series, spread, counts, .. } = watched;
            let [mean, low, high] = [0, 1, 2].map(|i| spread.column(i));
            let shown = match series.words.as_slice() {
                [words] if monitor.len() == 1 => Shown::Word(words.clone(), mean),
                [words] => {
                    let seen = words.iter().zip(counts).filter(|(_, line)| line.iter().any(|n| *n > 0.0));
                    Shown::Counts(seen.map(|(word, line)| (word.clone(), line.clone())).collect())
                }
                _ if monitor.len() == 1 => Shown::Lines(vec![(String::new(), mean)]),
                _ => Shown::Spread { mean, band: low.into_iter().zip(high).collect() },
            };
            (series, shown)
        })
    }
}
