//! Events over time: a row for each kind of event, with marks and spans along the steps.

use crate::axis::{Axis, extent};
use crate::drawing::{Drawing, Primitive, Stroke, pixel};
use crate::frame::{self, MARGIN};
use crate::palette::Ink;

/// An event, at one step or over several steps.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Span {
    /// First step.
    pub from: f64,
    /// Last step, equal to `from` for an event at one step.
    pub to: f64,
    /// The tooltip.
    pub text: String,
}

/// A row of events of one kind.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Row {
    /// Its name.
    pub name: String,
    /// Its colour, by index.
    pub color: usize,
    /// The events, in any order.
    pub spans: Vec<Span>,
}

/// A chart of events over time.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Timeline {
    /// The title; empty for none.
    pub title: String,
    /// Label of the horizontal axis, with the unit.
    pub x: String,
    /// The rows, from top to bottom.
    pub rows: Vec<Row>,
    /// First and last step; default: the first and last steps of the spans.
    pub range: Option<(f64, f64)>,
    /// Ticks on the horizontal axis, each with its step and label; default: round numbers.
    pub ticks: Vec<(f64, String)>,
    /// Minimum space to the left of the rows, in pixels. To align stacked charts, use the same value in all of them.
    pub min_left: f64,
    /// Width in pixels.
    pub width: f64,
}

/// Minimum width of a chart in pixels.
const LEAST_WIDTH: f64 = 200.0;

/// Height of a row.
const ROW: f64 = 21.0;

impl Timeline {
    /// The space that row names need to the left of a chart with this width. Use it as a common [`min_left`](Self::min_left) for several
    /// charts.
    #[must_use]
    pub fn room_of_names<'a>(names: impl Iterator<Item = &'a str>, width: f64) -> f64 {
        MARGIN + frame::row_names(names, width.max(LEAST_WIDTH)).0 + 12.0
    }

    /// Draws the chart.
    #[must_use]
    pub fn draw(&self) -> Drawing {
        let wide = self.width.max(LEAST_WIDTH);
        let (names_width, names) = frame::row_names(self.rows.iter().map(|row| row.name.as_str()), wide);
        let (left, right) = ((MARGIN + names_width + 12.0).max(self.min_left), wide - MARGIN - 4.0);
        let top = MARGIN + frame::title_height(&self.title);
        let bottom = top + self.rows.len().max(1) as f64 * ROW;
        let all = self.rows.iter().flat_map(|row| &row.spans).flat_map(|span| [span.from, span.to]);
        let range = self.range.or_else(|| extent(all)).unwrap_or((0.0, 1.0));
        let mut x = Axis::exact(range, (left, right), (((right - left) / 60.0) as usize).clamp(2, 12), true);
        if !self.ticks.is_empty() {
            x.ticks = self.ticks.iter().filter(|(at, _)| x.holds(*at)).cloned().collect();
        }
        let mut drawing = Drawing::new(wide, bottom + frame::horizontal_height(&self.x) + 4.0, &self.title);
        let edges = [left, right, x.low, x.high, top, bottom].map(pixel).join(" ");
        drawing.attribute("data-frame", &edges);
        let times = |row: &Row| match row.spans.len() {
            1 => format!("{} once", row.name),
            n => format!("{} {n} times", row.name),
        };
        drawing.describe(self.rows.iter().map(times).collect::<Vec<_>>().join("; "));
        if !self.title.is_empty() {
            frame::title(&mut drawing, &self.title);
        }
        frame::horizontal(&mut drawing, &x, (top, bottom), true, &self.x);
        for (i, (row, name)) in self.rows.iter().zip(&names).enumerate() {
            let middle = top + (i as f64 + 0.5) * ROW;
            drawing.draw(Stroke::line(Primitive::Line(left, middle, right, middle), Ink::Grid, 1.0));
            frame::row_name(&mut drawing, left - 12.0, middle, name, &row.name);
            for span in row.spans.iter().filter(|span| span.from.is_finite() && span.to.is_finite()) {
                let ink = Ink::Series(row.color);
                let (from, to) = (x.at(span.from), x.at(span.to));
                let form = if span.to > span.from {
                    Primitive::Rect(from - 2.0, middle - 5.0, to - from + 4.0, 10.0)
                } else {
                    Primitive::Circle(from, middle, 4.2)
                };
                drawing.draw(Stroke::filled(form, ink).see_through(0.85).tip(span.text.clone()));
            }
        }
        drawing
    }
}
