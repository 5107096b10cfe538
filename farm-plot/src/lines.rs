//! Values over steps: lines, bands and stacked columns, with marks on the axis.

use crate::axis::{Axis, extent};
use crate::drawing::{Anchor, Drawing, Primitive, Stroke, pixel};
use crate::font::{Weight, width};
use crate::frame::{self, Key, MARGIN, SMALL, TEXT};
use crate::palette::Ink;

/// The shape in which a series is drawn.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Shape {
    /// A line from value to value.
    #[default]
    Line,
    /// A step for each value, up to the next value, for counts and categories.
    Steps,
    /// A dot for each value, for quantities such as directions, for which values in between have no meaning.
    Points,
    /// Columns from zero, stacked over all series. Negative values are stacked below zero.
    Columns,
}

/// One series of values.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// Steps and values. A value that is not finite leaves a gap.
    pub points: Vec<(f64, f64)>,
    /// The lower and upper end of a band around each value: one pair per point, or empty.
    pub band: Vec<(f64, f64)>,
    /// How it is drawn.
    pub shape: Shape,
    /// Its colour, by index.
    pub color: usize,
    /// The number that identifies it on a page.
    pub id: Option<usize>,
}

/// An event.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Mark {
    /// Its step.
    pub x: f64,
    /// Its text, shown in the tooltip, and in the chart if there is room.
    pub text: String,
    /// Its colour, by index.
    pub color: usize,
}

/// A chart of values over steps.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Lines {
    /// The title; empty for none.
    pub title: String,
    /// Label of the horizontal axis, with the unit.
    pub x: String,
    /// Label of the vertical axis, with the unit.
    pub y: String,
    /// The series. Later series are drawn on top.
    pub series: Vec<Series>,
    /// The events, marked on the axis.
    pub marks: Vec<Mark>,
    /// First and last step; default: the first and last steps of the series and marks.
    pub range: Option<(f64, f64)>,
    /// Range of the vertical axis; default: the range of the values.
    pub y_range: Option<(f64, f64)>,
    /// Names for the values 0, 1, 2 … on the vertical axis, shown instead of numbers.
    pub names: Vec<String>,
    /// Shows the legend even for a single series.
    pub is_named: bool,
    /// Shows no legend, because the caller draws one.
    pub is_unnamed: bool,
    /// Ticks on the horizontal axis, each with its step and label; default: round numbers.
    pub ticks: Vec<(f64, String)>,
    /// Expected ranges, each with a step, a lower and an upper end. They are drawn as bars behind the series.
    pub expected: Vec<(f64, f64, f64)>,
    /// Minimum space to the left of the values, in pixels. To align stacked charts, use the same value in all of them.
    pub min_left: f64,
    /// Draws a dot at each value, for charts with few values.
    pub has_dots: bool,
    /// Width in pixels.
    pub width: f64,
    /// Height of the plot area in pixels.
    pub height: f64,
}

/// Maximum number of series in the description.
const MAX_DESCRIBED: usize = 8;
/// Maximum number of rows above the values for the texts of marks.
const MAX_LANES: usize = 3;
/// Width of the bar for an expected range, in pixels.
const EXPECTED_WIDTH: f64 = 9.0;
/// Height of a row of mark texts.
const LANE: f64 = SMALL + 4.0;

impl Lines {
    /// Draws the chart.
    #[must_use]
    pub fn draw(&self) -> Drawing {
        let wide = self.width.max(160.0);
        let keys: Vec<Key> = match self.series.as_slice() {
            _ if self.is_unnamed => Vec::new(),
            [_] if !self.is_named => Vec::new(),
            all => all
                .iter()
                .map(|series| Key {
                    ink: Ink::Series(series.color),
                    is_line: series.shape != Shape::Columns,
                    name: series.name.clone(),
                })
                .collect(),
        };
        let stacks = self.stacks();
        let high = self.height.max(40.0);
        let count = ((high / 30.0) as usize).clamp(3, 8);
        let scale = self.scale(&stacks, count);
        let legend = frame::legend_height(&keys, wide - 2.0 * MARGIN);
        let caption = if self.y.is_empty() { 0.0 } else { TEXT + 8.0 };
        let left = (MARGIN + frame::vertical_width(&scale)).max(self.min_left);
        // A name below the right end needs room beside it.
        let beside = self.ticks.last().map_or(0.0, |(_, text)| width(text, SMALL, Weight::Regular) / 2.0);
        let right = wide - MARGIN.max(beside);
        let points = self.series.iter().flat_map(|series| series.points.iter().map(|(x, _)| *x));
        let marks = self.marks.iter().map(|mark| mark.x);
        let mut range = self.range.or_else(|| extent(points.chain(marks))).unwrap_or((0.0, 1.0));
        if self.series.iter().any(|series| series.shape == Shape::Columns) {
            range = (range.0 - 0.5, range.1 + 0.5);
        }
        let mut x = Axis::exact(range, (left, right), (((right - left) / 60.0) as usize).clamp(2, 12), true);
        if !self.ticks.is_empty() {
            x.ticks = self.ticks.iter().filter(|(at, _)| x.holds(*at)).cloned().collect();
        }
        let (lanes, lane_count) = self.lanes(&x, left, right);
        let head = MARGIN + frame::title_height(&self.title) + legend;
        let top = head + caption + lane_count as f64 * LANE + if self.marks.is_empty() { 2.0 } else { 10.0 };
        let bottom = top + high;
        let mut drawing = Drawing::new(wide, bottom + frame::horizontal_height(&self.x) + 4.0, &self.title);
        let edges = [left, right, x.low, x.high, top, bottom].map(pixel).join(" ");
        drawing.attribute("data-frame", &edges);
        drawing.describe(self.description());
        if !self.title.is_empty() {
            frame::title(&mut drawing, &self.title);
        }
        frame::legend(&mut drawing, &keys, (MARGIN, MARGIN + frame::title_height(&self.title)), wide - 2.0 * MARGIN);
        if !self.y.is_empty() {
            drawing.write((MARGIN, head + TEXT), Anchor::Start, TEXT, Ink::Text, &self.y);
        }
        let y = scale.on(bottom, top);
        frame::vertical(&mut drawing, &y, (left, right));
        frame::horizontal(&mut drawing, &x, (top, bottom), false, &self.x);
        for (at, low, high) in self.expected.iter().filter(|(at, ..)| x.holds(*at)) {
            let (from, to) = (y.at(*high), y.at(*low));
            let bar = Primitive::Rect(x.at(*at) - EXPECTED_WIDTH / 2.0, from, EXPECTED_WIDTH, (to - from).max(1.0));
            drawing.draw(Stroke::filled(bar, Ink::Faint).see_through(0.35));
        }
        self.draw_marks(&mut drawing, &x, (top, bottom), &lanes);
        self.draw_columns(&mut drawing, &x, &y, &stacks);
        for series in self.series.iter().filter(|series| series.shape != Shape::Columns) {
            series.draw(&mut drawing, &x, &y);
            if self.has_dots {
                series.draw_dots(&mut drawing, &x, &y);
            }
        }
        drawing
    }

    /// The description in words: the first, last, lowest and highest value of each series.
    fn description(&self) -> String {
        let text = |value: f64| match self.names.get(value as usize) {
            Some(name) if value >= 0.0 => name.clone(),
            _ => crate::number(value),
        };
        let of = |series: &Series| {
            let values: Vec<f64> = series.points.iter().map(|(_, y)| *y).filter(|y| y.is_finite()).collect();
            let (first, last) = (values.first()?, values.last()?);
            let (low, high) = extent(values.iter().copied())?;
            let name = if series.name.is_empty() { String::new() } else { format!("{} ", series.name) };
            let range = format!("least {}, greatest {}", text(low), text(high));
            Some(match series.shape {
                Shape::Columns => format!("{name}{range}, sum {}", crate::number(values.iter().sum())),
                _ => format!("{name}from {} to {}, {range}", text(*first), text(*last)),
            })
        };
        let y = if self.y.is_empty() || self.y == self.title { String::new() } else { format!("{}: ", self.y) };
        y + &self.series.iter().take(MAX_DESCRIBED).filter_map(of).collect::<Vec<_>>().join("; ")
    }

    /// The vertical axis.
    fn scale(&self, stacks: &[Vec<(f64, f64)>], count: usize) -> Axis {
        if !self.names.is_empty() {
            let mut axis =
                Axis::exact((0.0, (self.names.len() - 1).max(1) as f64), (0.0, 1.0), self.names.len() + 1, true);
            axis.ticks = self.names.iter().enumerate().map(|(i, name)| (i as f64, name.clone())).collect();
            return axis;
        }
        if let Some(range) = self.y_range.filter(|(low, high)| low.is_finite() && high.is_finite() && low <= high) {
            return Axis::rounded(range, (0.0, 1.0), count);
        }
        let lines = self.series.iter().filter(|series| series.shape != Shape::Columns);
        let values = lines.flat_map(|series| {
            let bands = series.band.iter().flat_map(|(low, high)| [*low, *high]);
            series.points.iter().map(|(_, y)| *y).chain(bands)
        });
        let columns = stacks.iter().flatten().flat_map(|(from, to)| [*from, *to]);
        let expected = self.expected.iter().flat_map(|(_, low, high)| [*low, *high]);
        let range = extent(values.chain(columns).chain(expected)).unwrap_or((0.0, 1.0));
        // Zero is shown where it is near.
        let (low, high) = range;
        let range = if low > 0.0 && low < 0.35 * high { (0.0, high) } else { range };
        Axis::rounded(range, (0.0, 1.0), count)
    }

    /// Start and end of each column of each series; empty for lines.
    fn stacks(&self) -> Vec<Vec<(f64, f64)>> {
        let mut above: Vec<(f64, f64, f64)> = Vec::new();
        let mut stack = |x: f64, value: f64| {
            let at = match above.binary_search_by(|(known, ..)| known.total_cmp(&x)) {
                Ok(at) => at,
                Err(at) => {
                    above.insert(at, (x, 0.0, 0.0));
                    at
                }
            };
            let (_, positive, negative) = &mut above[at];
            let sum = if value < 0.0 { negative } else { positive };
            let from = *sum;
            *sum += value;
            (from, *sum)
        };
        let of = |series: &Series| -> Vec<(f64, f64)> {
            if series.shape != Shape::Columns {
                return Vec::new();
            }
            series.points.iter().map(|(x, y)| stack(*x, if y.is_finite() { *y } else { 0.0 })).collect()
        };
        self.series.iter().map(of).collect()
    }

    fn draw_columns(&self, drawing: &mut Drawing, x: &Axis, y: &Axis, stacks: &[Vec<(f64, f64)>]) {
        let half = (x.at(x.low + 1.0) - x.at(x.low)) * 0.42;
        for (series, stack) in self.series.iter().zip(stacks).filter(|(series, _)| series.shape == Shape::Columns) {
            let mut data = String::new();
            for ((at, _), (from, to)) in series.points.iter().zip(stack).filter(|(_, (from, to))| from != to) {
                let (left, right) = (tenth(x.at(*at) - half.max(0.4)), tenth(x.at(*at) + half.max(0.4)));
                let (from, to) = (tenth(y.at(*from)), tenth(y.at(*to)));
                data.push_str(&format!("M{left} {from}L{right} {from} {right} {to} {left} {to}Z"));
            }
            // A page also needs the path of a series without columns.
            drawing.draw(
                Stroke::filled(Primitive::Path(data), Ink::Series(series.color)).see_through(0.85).series(series.id),
            );
        }
    }

    /// The row and start of each mark's text (none if there is no space), and the number of rows.
    fn lanes(&self, x: &Axis, left: f64, right: f64) -> (Vec<Option<(usize, f64)>>, usize) {
        let mut free = [f64::NEG_INFINITY; MAX_LANES];
        let mut order: Vec<usize> = (0..self.marks.len()).collect();
        order.sort_by(|a, b| self.marks[*a].x.total_cmp(&self.marks[*b].x));
        let mut places = vec![None; self.marks.len()];
        let mut written: Vec<(&str, f64)> = Vec::new();
        for i in order {
            let mark = &self.marks[i];
            let needed = width(&mark.text, SMALL, Weight::Regular);
            if !x.holds(mark.x) || mark.text.is_empty() || needed > right - left {
                continue;
            }
            let begin = (x.at(mark.x) + 3.0).min(right - needed).max(left);
            // An equal text that reaches this place also covers this mark.
            let is_said = written.iter().any(|(text, end)| *text == mark.text && *end > begin);
            if is_said {
                continue;
            }
            if let Some(lane) = (0..MAX_LANES).find(|lane| free[*lane] <= begin) {
                places[i] = Some((lane, begin));
                free[lane] = begin + needed + 8.0;
                written.push((&mark.text, free[lane]));
            }
        }
        let count = places.iter().flatten().map(|(lane, _)| lane + 1).max().unwrap_or(0);
        (places, count)
    }

    fn draw_marks(&self, drawing: &mut Drawing, x: &Axis, (top, bottom): (f64, f64), lanes: &[Option<(usize, f64)>]) {
        for (mark, lane) in self.marks.iter().zip(lanes).filter(|(mark, _)| x.holds(mark.x)) {
            let (at, ink) = (x.at(mark.x), Ink::Series(mark.color));
            drawing.draw(
                Stroke::line(Primitive::Line(at, top - 3.0, at, bottom), ink, 1.0).dashed("3 3").see_through(0.8),
            );
            let flag = format!("M{:.2} {:.2}L{:.2} {:.2} {at:.2} {top:.2}Z", at - 4.0, top - 7.0, at + 4.0, top - 7.0);
            drawing.draw(Stroke::filled(Primitive::Path(flag), ink).tip(mark.text.clone()));
            if let Some((lane, begin)) = lane {
                let y = top - 10.0 - *lane as f64 * LANE;
                drawing.write((*begin, y), Anchor::Start, SMALL, Ink::Text, &mark.text);
            }
        }
    }
}

impl Series {
    fn draw(&self, drawing: &mut Drawing, x: &Axis, y: &Axis) {
        let ink = Ink::Series(self.color);
        if self.shape == Shape::Points {
            return self.draw_points(drawing, x, y);
        }
        if self.band.len() == self.points.len() && !self.band.is_empty() {
            for run in runs(self.points.len(), |i| {
                let (low, high) = self.band[i];
                low.is_finite() && high.is_finite()
            }) {
                let upper = run.clone().map(|i| (self.points[i].0, self.band[i].1));
                let lower = run.rev().map(|i| (self.points[i].0, self.band[i].0));
                let around: Vec<(f64, f64)> = upper.chain(lower).map(|(at, v)| (x.at(at), y.at(v))).collect();
                drawing.draw(Stroke::filled(Primitive::Path(path(&around) + "Z"), ink).see_through(0.18));
            }
        }
        let mut data = String::new();
        for run in runs(self.points.len(), |i| self.points[i].0.is_finite() && self.points[i].1.is_finite()) {
            let at = |i: usize| (x.at(self.points[i].0), y.at(self.points[i].1));
            if run.len() == 1 {
                // A value between gaps would not be seen as a line.
                let (px, py) = at(run.start);
                drawing.draw(Stroke::filled(Primitive::Circle(px, py, 2.0), ink));
                continue;
            }
            let mut points: Vec<(f64, f64)> = Vec::new();
            for (px, py) in run.map(at) {
                if let (Shape::Steps, Some((_, before))) = (self.shape, points.last().copied())
                    && before != py
                {
                    points.push((px, before));
                }
                points.push((px, py));
            }
            data.push_str(&path(&thinned(&points)));
        }
        drawing.draw(Stroke::line(Primitive::Path(data), ink, 1.7).series(self.id));
    }

    /// Draws all values as a single path, with the series number that pages use.
    fn draw_points(&self, drawing: &mut Drawing, x: &Axis, y: &Axis) {
        let mut data = String::new();
        for (at, value) in self.points.iter().filter(|(at, value)| at.is_finite() && value.is_finite()) {
            let [left, right] = [-1.5, 1.5].map(|by| tenth(x.at(*at) + by));
            let [top, bottom] = [-1.5, 1.5].map(|by| tenth(y.at(*value) + by));
            data.push_str(&format!("M{left} {top}L{right} {top} {right} {bottom} {left} {bottom}Z"));
        }
        drawing.draw(Stroke::filled(Primitive::Path(data), Ink::Series(self.color)).series(self.id));
    }

    fn draw_dots(&self, drawing: &mut Drawing, x: &Axis, y: &Axis) {
        let shown = self.points.iter().filter(|(at, value)| at.is_finite() && value.is_finite());
        for (at, value) in shown {
            let tip = format!("{}: {}", self.name, crate::number(*value));
            drawing.draw(
                Stroke::filled(Primitive::Circle(x.at(*at), y.at(*value), 2.4), Ink::Series(self.color)).tip(tip),
            );
        }
    }
}

/// The sequences of consecutive indices that are shown.
fn runs(len: usize, is_shown: impl Fn(usize) -> bool) -> Vec<std::ops::Range<usize>> {
    let mut all: Vec<std::ops::Range<usize>> = Vec::new();
    for i in (0..len).filter(|i| is_shown(*i)) {
        match all.last_mut() {
            Some(run) if run.end == i => run.end += 1,
            _ => all.push(i..i + 1),
        }
    }
    all
}

/// Keeps only the first, lowest, highest and last of many points in one pixel column, which cover the same pixels.
fn thinned(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut kept: Vec<(f64, f64)> = Vec::new();
    for column in points.chunk_by(|a, b| a.0.floor() == b.0.floor()) {
        if column.len() <= 4 {
            kept.extend(column);
            continue;
        }
        let by_height = |i: &usize, j: &usize| column[*i].1.total_cmp(&column[*j].1);
        let (low, high) = ((0..column.len()).min_by(by_height), (0..column.len()).max_by(by_height));
        let mut chosen = [0, low.unwrap_or(0), high.unwrap_or(0), column.len() - 1];
        chosen.sort_unstable();
        kept.extend(chosen.map(|i| column[i]));
    }
    kept
}

/// A path through points. It leaves out a point with the same y as both of its neighbours.
fn path(points: &[(f64, f64)]) -> String {
    let mut data = String::new();
    for (i, (x, y)) in points.iter().enumerate() {
        let is_within = i > 0 && points.get(i + 1).is_some_and(|after| points[i - 1].1 == *y && after.1 == *y);
        if is_within {
            continue;
        }
        data.push_str(match i {
            0 => "M",
            1 => "L",
            _ if data.contains('L') => " ",
            _ => "L",
        });
        data.push_str(&format!("{} {}", tenth(*x), tenth(*y)));
    }
    data
}

/// A coordinate of a long path, rounded to a tenth of a pixel.
fn tenth(value: f64) -> String {
    pixel((value * 10.0).round() / 10.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_divide_lines_and_flat_stretches_are_two_points() {
        assert_eq!(runs(6, |i| i != 2), [0..2, 3..6]);
        assert_eq!(path(&[(0.0, 1.0), (1.0, 1.0), (2.0, 1.0), (3.0, 5.0)]), "M0 1L2 1 3 5");
        assert_eq!(path(&[(0.0, 1.0), (1.0, 2.0)]), "M0 1L1 2");
    }

    #[test]
    fn of_many_points_on_a_pixel_the_outermost_stay() {
        let points: Vec<(f64, f64)> = (0..100).map(|i| (i as f64 / 100.0, if i == 37 { 9.0 } else { 1.0 })).collect();
        assert_eq!(thinned(&points), [(0.0, 1.0), (0.0, 1.0), (0.37, 9.0), (0.99, 1.0)]);
    }
}
