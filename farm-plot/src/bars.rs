//! Horizontal bars, one per row, stacked if they have parts.

use crate::axis::{Axis, extent};
use crate::drawing::{Anchor, Drawing, Primitive, Stroke};
use crate::font::{Weight, width};
use crate::frame::{self, Key, MARGIN, SMALL};
use crate::number::number;
use crate::palette::Ink;

/// One bar.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Bar {
    /// Its name.
    pub name: String,
    /// One value for each name in [`Bars::parts`]. Values that are not finite are left out. Negative values extend to the left.
    pub values: Vec<f64>,
}

/// A chart of bars.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Bars {
    /// The title; empty for none.
    pub title: String,
    /// Label of the value axis, with the unit.
    pub axis: String,
    /// Names of the parts in each bar. The legend shows them if there are at least two.
    pub parts: Vec<String>,
    /// The bars, from top to bottom.
    pub bars: Vec<Bar>,
    /// Width in pixels.
    pub width: f64,
}

/// Height of a row.
const ROW: f64 = 24.0;

impl Bars {
    /// Draws the chart.
    #[must_use]
    pub fn draw(&self) -> Drawing {
        let wide = self.width.max(200.0);
        let keys: Vec<Key> = match self.parts.as_slice() {
            [] | [_] => Vec::new(),
            several => {
                let key =
                    |(rank, name): (usize, &String)| Key { ink: Ink::Series(rank), is_line: false, name: name.clone() };
                several.iter().enumerate().map(key).collect()
            }
        };
        let finite = |bar: &Bar| bar.values.iter().map(|v| if v.is_finite() { *v } else { 0.0 }).collect::<Vec<_>>();
        let values: Vec<Vec<f64>> = self.bars.iter().map(finite).collect();
        let texts: Vec<String> = self
            .bars
            .iter()
            .map(|bar| {
                number(if bar.values.iter().all(|v| v.is_nan()) {
                    f64::NAN
                } else {
                    bar.values.iter().filter(|v| !v.is_nan()).sum()
                })
            })
            .collect();
        let text_width = texts.iter().map(|text| width(text, SMALL, Weight::Regular)).fold(0.0, f64::max) + 8.0;
        let (names_width, names) = frame::row_names(self.bars.iter().map(|bar| bar.name.as_str()), wide);
        let legend = frame::legend_height(&keys, wide - 2.0 * MARGIN);
        let (left, right) = (MARGIN + names_width + 10.0, wide - MARGIN - text_width);
        let head = MARGIN + frame::title_height(&self.title);
        let top = head + legend;
        let bottom = top + self.bars.len().max(1) as f64 * ROW + 2.0;
        let mut drawing = Drawing::new(wide, bottom + frame::horizontal_height(&self.axis) + 4.0, &self.title);
        if !self.title.is_empty() {
            frame::title(&mut drawing, &self.title);
        }
        frame::legend(&mut drawing, &keys, (MARGIN, head), wide - 2.0 * MARGIN);
        let sum = |values: &Vec<f64>, keep: fn(&&f64) -> bool| values.iter().filter(keep).sum::<f64>();
        let ends = values.iter().flat_map(|v| [sum(v, |v| **v > 0.0), sum(v, |v| **v < 0.0)]);
        let range = extent(ends.chain([0.0])).filter(|(low, high)| low < high).unwrap_or((0.0, 1.0));
        let axis = Axis::rounded(range, (left, right.max(left + 40.0)), (((right - left) / 75.0) as usize).clamp(2, 8));
        frame::horizontal(&mut drawing, &axis, (top, bottom), true, &self.axis);
        for (i, (bar, values)) in self.bars.iter().zip(&values).enumerate() {
            let middle = top + (i as f64 + 0.5) * ROW;
            frame::row_name(&mut drawing, left - 10.0, middle, &names[i], &bar.name);
            let (mut positive, mut negative) = (0.0, 0.0);
            for (rank, value) in values.iter().enumerate().filter(|(_, value)| **value != 0.0) {
                let sum = if *value < 0.0 { &mut negative } else { &mut positive };
                let (from, to) = (axis.at(*sum), axis.at(*sum + value));
                *sum += value;
                let part = self.parts.get(rank).filter(|_| self.parts.len() > 1);
                let tip = part.map_or_else(
                    || format!("{}: {}", bar.name, number(*value)),
                    |part| format!("{}, {part}: {}", bar.name, number(*value)),
                );
                let form = Primitive::Rect(from.min(to), middle - 8.0, (to - from).abs(), 16.0);
                drawing.draw(Stroke::filled(form, Ink::Series(rank)).tip(tip));
            }
            let x = axis.at(positive) + 6.0;
            drawing.write((x, middle + SMALL * 0.36), Anchor::Start, SMALL, Ink::Faint, &texts[i]);
        }
        drawing
    }
}
