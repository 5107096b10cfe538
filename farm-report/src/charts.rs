//! The charts on a page, and their numbers, which the page shows when you point at a chart.

use farm_core::labels::Labels;
use farm_plot::{Drawing, Lines, Mark, Series, Shape};
use maud::{Markup, PreEscaped, html};

use crate::calendar::Calendar;
use crate::html::{json_number, json_text};
use crate::series::SeriesLines;

/// Width in pixels of charts placed side by side. [`WIDE`] is the width of a chart across the page.
pub(crate) const SMALL: f64 = 400.0;
/// See [`SMALL`].
pub(crate) const WIDE: f64 = 900.0;
/// Height in pixels of a small chart's plot area.
const HEIGHT: f64 = 112.0;

/// The numbers behind charts.
#[derive(Debug)]
pub(crate) struct Data {
    days: Vec<u32>,
    every: u32,
    /// The word for a step.
    pub step: &'static str,
    /// The words of the page's language.
    pub labels: &'static Labels,
    calendar: Option<Calendar>,
    series: String,
    count: usize,
}

impl Data {
    /// Creates data for the recorded days.
    pub(crate) fn new(
        days: &[u32],
        every: u32,
        step: &'static str,
        labels: &'static Labels,
        calendar: Option<Calendar>,
    ) -> Self {
        Self { days: days.to_vec(), every, step, labels, calendar, series: String::new(), count: 0 }
    }

    /// The name of the time axis; empty if [`Data::ticks`] shows dates.
    pub(crate) fn x(&self) -> String {
        if self.calendar.is_some() { String::new() } else { self.labels.words(self.step).to_owned() }
    }

    /// Dates below the time axis. Empty if the game has no calendar; the axis then shows round numbers.
    pub(crate) fn ticks(&self) -> Vec<(f64, String)> {
        self.calendar.map_or(Vec::new(), |calendar| calendar.ticks(self.range()))
    }

    /// The recorded days.
    pub(crate) fn days(&self) -> &[u32] {
        &self.days
    }

    /// The date of a day if the game has a calendar.
    pub(crate) fn date(&self, day: u32) -> Option<String> {
        self.calendar.map(|calendar| calendar.date(day, self.labels))
    }

    /// The name of a day: its index, and its date if the game has a calendar.
    pub(crate) fn day_name(&self, day: u32) -> String {
        let name = format!("{} {day}", self.labels.words(self.step));
        self.date(day).map_or(name.clone(), |date| format!("{name}, {date}"))
    }

    /// The values of all days as points in a chart.
    pub(crate) fn points(&self, values: &[f64]) -> Vec<(f64, f64)> {
        self.days.iter().map(|day| f64::from(*day)).zip(values.iter().copied()).collect()
    }

    /// The first and the last day.
    pub(crate) fn range(&self) -> (f64, f64) {
        let day = |day: Option<&u32>| f64::from(day.copied().unwrap_or(0));
        (day(self.days.first()), day(self.days.last()).max(1.0))
    }

    /// Creates a series with an id, which the page uses to find the values.
    pub(crate) fn series(&mut self, name: &str, unit: &str, words: &[String], color: usize, values: &[f64]) -> Series {
        if self.count > 0 {
            self.series.push_str(",\n");
        }
        let numbers: Vec<String> = values.iter().map(|value| json_number(*value)).collect();
        self.series.push_str(&format!("{{\"n\":{},\"u\":{}", json_text(name), json_text(unit)));
        if !words.is_empty() {
            let words: Vec<String> = words.iter().map(|word| json_text(word)).collect();
            self.series.push_str(&format!(",\"w\":[{}]", words.join(",")));
        }
        self.series.push_str(&format!(",\"v\":[{}]}}", numbers.join(",")));
        self.count += 1;
        let points = self.points(values);
        Series { name: name.to_owned(), points, color, id: Some(self.count - 1), ..Series::default() }
    }

    /// All numbers as JSON.
    pub(crate) fn json(&self) -> String {
        let first = self.days.first().copied().unwrap_or(0);
        let (every, n, step) = (self.every, self.days.len(), json_text(self.labels.words(self.step)));
        let start = self.calendar.map_or("null".to_owned(), |calendar| calendar.day_of_year(0).to_string());
        format!(
            "{{\"first\":{first},\"every\":{every},\"n\":{n},\"step\":{step},\"start\":{start},\"series\":[\n{}]}}",
            self.series
        )
    }

    /// A small chart of a quantity over time.
    pub(crate) fn small(
        &mut self,
        unit: &str,
        shown: &SeriesLines,
        range: Option<(f64, f64)>,
        marks: Vec<Mark>,
    ) -> Option<Lines> {
        let mut lines = Lines {
            range: Some(self.range()),
            ticks: self.ticks(),
            y_range: range,
            marks,
            width: SMALL,
            height: HEIGHT,
            ..Lines::default()
        };
        match shown {
            SeriesLines::Constant(_) => return None,
            SeriesLines::Lines(all) => {
                // From 359° to 1° is a small turn, but a line between the two points would cross the chart.
                let shape = if unit == "°" { Shape::Points } else { Shape::Line };
                let series = all.iter().enumerate();
                let series =
                    series.map(|(i, (name, values))| Series { shape, ..self.series(name, unit, &[], i, values) });
                lines.series = series.collect();
            }
            SeriesLines::Spread { mean, band } => {
                let mut series = self.series("mean", unit, &[], 0, mean);
                series.band.clone_from(band);
                lines.series = vec![series];
            }
            SeriesLines::Counts(all) => {
                let series = all
                    .iter()
                    .enumerate()
                    .map(|(i, (name, values))| Series { shape: Shape::Steps, ..self.series(name, "", &[], i, values) });
                lines.series = series.collect();
                lines.is_named = true;
            }
            SeriesLines::Word(words, values) => {
                let series = Series { shape: Shape::Steps, ..self.series("", "", words, 0, values) };
                lines.series = vec![series];
                lines.names = words.clone();
                lines.height = HEIGHT.max(15.0 * words.len() as f64);
            }
        }
        Some(lines)
    }
}

/// A chart on a page, with a caption above the chart.
pub(crate) fn figure(caption: &str, tip: &str, drawing: Drawing, is_wide: bool) -> Markup {
    // A drawing escapes its own texts.
    let svg = PreEscaped(drawing.named(caption).inline_svg());
    html! {
        figure.chart.wide[is_wide] {
            @if !caption.is_empty() { figcaption title=[Some(tip).filter(|tip| !tip.is_empty())] { (caption) } }
            div.scroll { (svg) }
        }
    }
}

/// Charts side by side.
pub(crate) fn side_by_side(figures: &[Markup]) -> Markup {
    html! { div.charts { @for figure in figures { (figure) } } }
}

/// The caption of a small chart, with its unit.
pub(crate) fn caption(name: &str, unit: &str, shown: &SeriesLines) -> String {
    match shown {
        SeriesLines::Counts(_) => format!("{name}: count of each"),
        _ if unit.is_empty() => name.to_owned(),
        _ => format!("{name} [{unit}]"),
    }
}
