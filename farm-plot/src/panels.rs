//! Small multiples: charts of equal size side by side, with one title and one legend.

use crate::drawing::{Anchor, Drawing};
use crate::frame::{self, Key, MARGIN, SMALL, TEXT};
use crate::lines::{Lines, Shape};
use crate::palette::Ink;

/// Charts side by side, with common axis labels and a common legend.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Panels {
    /// The common title.
    pub title: String,
    /// A remark below the title, such as the meaning of a bar.
    pub remark: String,
    /// Label of all horizontal axes, with the unit.
    pub x: String,
    /// Label of all vertical axes, with the unit.
    pub y: String,
    /// The charts. Their titles name the panels. The common legend shows the first chart's series.
    pub panels: Vec<Lines>,
    /// Charts per row.
    pub columns: usize,
    /// Width of each chart in pixels.
    pub width: f64,
    /// Height of each chart's plot area in pixels.
    pub height: f64,
}

/// Minimum width of a chart in pixels.
const LEAST_WIDTH: f64 = 160.0;

impl Panels {
    /// Draws the charts.
    #[must_use]
    pub fn draw(&self) -> Drawing {
        let columns = self.columns.clamp(1, self.panels.len().max(1));
        let width = self.width.max(LEAST_WIDTH);
        let wide = width * columns as f64;
        let mut all = Drawing::new(wide, 0.0, &self.title);
        frame::title(&mut all, &self.title);
        let mut top = MARGIN + frame::title_height(&self.title);
        let remarks = if self.remark.is_empty() { Vec::new() } else { frame::remark_lines(&self.remark, wide) };
        frame::remarks(&mut all, &remarks, top);
        top += frame::remark_height(&remarks);
        let keys = self.keys();
        frame::legend(&mut all, &keys, (MARGIN, top), wide - 2.0 * MARGIN);
        top += frame::legend_height(&keys, wide - 2.0 * MARGIN);
        all.write((MARGIN, top + TEXT), Anchor::Start, TEXT, Ink::Text, &self.y);
        top += TEXT;
        for row in self.panels.chunks(columns) {
            let mut bottom = top;
            for (column, panel) in row.iter().enumerate() {
                let chart = self.chart(panel).draw();
                bottom = bottom.max(top + chart.size().1);
                all.add(chart, (column as f64 * width, top));
            }
            top = bottom;
        }
        all.write((wide / 2.0, top + SMALL), Anchor::Middle, TEXT, Ink::Text, &self.x);
        all.grow(top + SMALL + MARGIN);
        all
    }

    /// The keys of the common legend; none for a single series.
    fn keys(&self) -> Vec<Key> {
        let series = self.panels.first().map_or(&[][..], |panel| panel.series.as_slice());
        if series.len() < 2 {
            return Vec::new();
        }
        let key = |series: &crate::Series| Key {
            ink: Ink::Series(series.color),
            is_line: series.shape != Shape::Columns,
            name: series.name.clone(),
        };
        series.iter().map(key).collect()
    }

    /// A chart with the common size, without axis labels and without a legend.
    fn chart(&self, panel: &Lines) -> Lines {
        Lines {
            x: String::new(),
            y: String::new(),
            is_unnamed: true,
            width: self.width.max(LEAST_WIDTH),
            height: self.height,
            ..panel.clone()
        }
    }
}
