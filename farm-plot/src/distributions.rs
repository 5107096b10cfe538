//! Distributions by group. Each group is a row with a box, single values, and an estimate with its interval.

use crate::axis::{Axis, extent};
use crate::drawing::{Anchor, Drawing, Primitive, Stroke, TextLabel};
use crate::font::{Weight, width};
use crate::frame::{self, MARGIN, SMALL, TEXT};
use crate::number::{column, number};
use crate::palette::Ink;

/// Maximum size of a group whose values are all shown. Larger groups show only the values beyond the whiskers.
const MAX_SINGLE: usize = 300;

/// An estimate with its interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The estimate.
    pub value: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

/// The values of one group.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Group {
    /// Its name.
    pub name: String,
    /// The heading above this group and the groups after it, up to the next heading; empty for none.
    pub section: String,
    /// Its colour, by index.
    pub color: usize,
    /// Its values; empty to show only the estimate.
    pub values: Vec<f64>,
    /// The estimate based on these values.
    pub estimate: Option<Estimate>,
}

/// A chart of distributions.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Distributions {
    /// The title; empty for none.
    pub title: String,
    /// Text below the title, wrapped into lines; empty for none.
    pub subtitle: String,
    /// Label of the value axis, with the unit.
    pub axis: String,
    /// The groups, from top to bottom.
    pub groups: Vec<Group>,
    /// Explanation of the estimates, such as `mean with 95 % interval`; empty for none.
    pub estimate: String,
    /// The word for one value, such as `episode`.
    pub value: String,
    /// Draws a line at zero, for differences.
    pub zero: bool,
    /// Width in pixels.
    pub width: f64,
}

/// Quartiles and whiskers of sorted values.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Box5 {
    low: f64,
    first: f64,
    median: f64,
    third: f64,
    high: f64,
}

/// A quantile of sorted values, with linear interpolation (type 7 in Hyndman and Fan 1996).
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let at = share * sorted.len().saturating_sub(1) as f64;
    let (below, part) = (at.floor() as usize, at.fract());
    let value = |i: usize| sorted.get(i).or(sorted.last()).copied().unwrap_or(f64::NAN);
    if part == 0.0 { value(below) } else { value(below) * (1.0 - part) + value(below + 1) * part }
}

impl Box5 {
    /// The box of sorted values. Whiskers end at the outermost values within 1.5 times the interquartile range (Tukey 1977).
    fn of(sorted: &[f64]) -> Option<Self> {
        let (lowest, highest) = (*sorted.first()?, *sorted.last()?);
        let [first, median, third] = [0.25, 0.5, 0.75].map(|share| quantile(sorted, share));
        let reach = 1.5 * (third - first);
        let low = sorted.iter().copied().find(|value| *value >= first - reach).unwrap_or(lowest).min(first);
        let high = sorted.iter().rev().copied().find(|value| *value <= third + reach).unwrap_or(highest).max(third);
        Some(Self { low, first, median, third, high })
    }
}

/// The height of a group's row, and the vertical centres of its points and its estimate in that row.
struct Heights {
    row: f64,
    points: f64,
    estimate: f64,
}

impl Distributions {
    /// Draws the chart.
    #[must_use]
    pub fn draw(&self) -> Drawing {
        let heights = self.heights();
        let wide = self.width.max(240.0);
        let (names_width, names) = frame::row_names(self.groups.iter().map(|group| group.name.as_str()), wide);
        let texts = estimate_texts(&self.groups);
        let text_width = texts.iter().map(|text| width(text, SMALL, Weight::Regular)).fold(0.0, f64::max);
        let (left, right) =
            (MARGIN + names_width + 10.0, wide - MARGIN - text_width - if text_width > 0.0 { 12.0 } else { 0.0 });
        let right = right.max(left + 60.0);
        let remarks = frame::remark_lines(&self.remark(), wide);
        let headings: Vec<bool> = (0..self.groups.len())
            .map(|i| {
                let before = i.checked_sub(1).and_then(|i| self.groups.get(i)).map_or("", |group| &group.section);
                self.groups[i].section != before && !self.groups[i].section.is_empty()
            })
            .collect();
        let heading = TEXT + 12.0;
        let subtitle = frame::remark_lines(&self.subtitle, wide);
        let below_title = MARGIN + frame::title_height(&self.title);
        let top = below_title + frame::remark_height(&subtitle);
        let rows = self.groups.len() as f64 * heights.row + headings.iter().filter(|is| **is).count() as f64 * heading;
        let bottom = top + rows.max(20.0) + 4.0;
        let below = bottom + frame::horizontal_height(&self.axis);
        let mut drawing = Drawing::new(wide, below + frame::remark_height(&remarks) + 6.0, &self.title);
        if !self.title.is_empty() {
            frame::title(&mut drawing, &self.title);
        }
        frame::remarks(&mut drawing, &subtitle, below_title - 8.0);
        let axis = Axis::rounded(self.range(), (left, right), (((right - left) / 75.0) as usize).clamp(2, 8));
        frame::horizontal(&mut drawing, &axis, (top, bottom), true, &self.axis);
        if self.zero && axis.holds(0.0) {
            let x = axis.at(0.0);
            drawing.draw(Stroke::line(Primitive::Line(x, top, x, bottom), Ink::Faint, 1.5));
        }
        let mut y = top;
        for (i, group) in self.groups.iter().enumerate() {
            if headings[i] {
                let (at, text) = ((MARGIN, y + TEXT + 4.0), group.section.clone());
                let (weight, anchor) = (Weight::Bold, Anchor::Start);
                drawing.label(TextLabel { at, text, size: TEXT, weight, ink: Ink::Text, anchor, tip: String::new() });
                y += heading;
            }
            frame::row_name(&mut drawing, left - 10.0, y + heights.row / 2.0, &names[i], &group.name);
            group.draw(&mut drawing, &axis, y, &heights, &texts[i]);
            let at = (wide - MARGIN, y + heights.row / 2.0 + SMALL * 0.36);
            drawing.write(at, Anchor::End, SMALL, Ink::Faint, &texts[i]);
            y += heights.row;
        }
        frame::remarks(&mut drawing, &remarks, below);
        drawing
    }

    fn heights(&self) -> Heights {
        let (has_values, has_estimate) = (
            self.groups.iter().any(|group| !group.values.is_empty()),
            self.groups.iter().any(|group| group.estimate.is_some()),
        );
        match (has_values, has_estimate) {
            (true, true) => Heights { row: 46.0, points: 17.0, estimate: 36.0 },
            (true, false) => Heights { row: 34.0, points: 17.0, estimate: 17.0 },
            _ => Heights { row: 26.0, points: 13.0, estimate: 13.0 },
        }
    }

    /// The minimum and maximum of all numbers in the chart.
    fn range(&self) -> (f64, f64) {
        let estimates = self.groups.iter().filter_map(|group| group.estimate);
        let estimates = estimates.flat_map(|estimate| [estimate.low, estimate.value, estimate.high]);
        let values = self.groups.iter().flat_map(|group| group.values.iter().copied());
        let zero = self.zero.then_some(0.0);
        extent(values.chain(estimates).chain(zero)).unwrap_or((0.0, 1.0))
    }

    /// The remark that explains the marks in the chart.
    fn remark(&self) -> String {
        let mut parts = Vec::new();
        let value = if self.value.is_empty() { "value" } else { &self.value };
        if self.groups.iter().any(|group| !group.values.is_empty()) {
            let few = self.groups.iter().all(|group| group.values.len() <= MAX_SINGLE);
            let points = if few {
                format!("a point is one {value}")
            } else {
                format!("points are {value}s beyond the whiskers")
            };
            parts.push(format!("Box: quartiles and median; whiskers: 1.5 box lengths; {points}."));
        }
        if !self.estimate.is_empty() && self.groups.iter().any(|group| group.estimate.is_some()) {
            parts.push(format!("Diamond and bar, and the numbers at the right: {}.", self.estimate));
        }
        let missing: usize =
            self.groups.iter().flat_map(|group| &group.values).filter(|value| !value.is_finite()).count();
        if missing > 0 {
            parts.push(format!(
                "Not shown: {missing} {value}{} without a finite number.",
                if missing == 1 { "" } else { "s" }
            ));
        }
        parts.join(" ")
    }
}

/// The estimates of all groups as text, with the same number of decimals; empty for a group without an estimate.
fn estimate_texts(groups: &[Group]) -> Vec<String> {
    let numbers = groups.iter().filter_map(|group| group.estimate).flat_map(|e| [e.value, e.low, e.high]);
    let mut texts = column(&numbers.collect::<Vec<_>>()).into_iter();
    let mut text = |estimate: Option<Estimate>| match (estimate, texts.next(), texts.next(), texts.next()) {
        (Some(e), Some(value), Some(low), Some(high)) if e.low.is_finite() && e.high.is_finite() => {
            format!("{value} [{low}, {high}]")
        }
        (Some(_), Some(value), ..) => value,
        _ => String::new(),
    };
    groups.iter().map(|group| if group.estimate.is_some() { text(group.estimate) } else { String::new() }).collect()
}

impl Group {
    fn draw(&self, drawing: &mut Drawing, axis: &Axis, top: f64, heights: &Heights, estimated: &str) {
        let ink = Ink::Series(self.color);
        let mut sorted: Vec<f64> = self.values.iter().copied().filter(|value| value.is_finite()).collect();
        sorted.sort_by(f64::total_cmp);
        if let Some(five) = Box5::of(&sorted) {
            let middle = top + heights.points;
            let [low, first, median, third, high] =
                [five.low, five.first, five.median, five.third, five.high].map(|value| axis.at(value));
            let single = sorted.iter().enumerate();
            let single = single.filter(|(_, v)| sorted.len() <= MAX_SINGLE || **v < five.low || **v > five.high);
            for (i, value) in single {
                // Points are spread apart without a pattern, always in the same way.
                let jitter = (((i as u32).wrapping_mul(2_654_435_761) >> 16) % 11) as f64 - 5.0;
                let form = Primitive::Circle(axis.at(*value), middle + jitter * 1.5, 1.8);
                drawing.draw(Stroke::filled(form, ink).see_through(0.4));
            }
            drawing.draw(Stroke::line(Primitive::Line(low, middle, first, middle), ink, 1.3));
            drawing.draw(Stroke::line(Primitive::Line(third, middle, high, middle), ink, 1.3));
            for end in [low, high] {
                drawing.draw(Stroke::line(Primitive::Line(end, middle - 5.0, end, middle + 5.0), ink, 1.3));
            }
            let tip = format!(
                "{}: {} values, median {}, quartiles {} and {}, from {} to {}",
                self.name,
                sorted.len(),
                number(five.median),
                number(five.first),
                number(five.third),
                number(sorted[0]),
                number(sorted[sorted.len() - 1]),
            );
            let rect = Primitive::Rect(first, middle - 9.0, third - first, 18.0);
            drawing.draw(Stroke::filled(rect.clone(), ink).see_through(0.25).tip(tip));
            drawing.draw(Stroke::line(rect, ink, 1.3));
            drawing.draw(Stroke::line(Primitive::Line(median, middle - 9.0, median, middle + 9.0), ink, 2.6));
        }
        if let Some(estimate) = self.estimate.filter(|estimate| estimate.value.is_finite()) {
            let y = top + heights.estimate;
            let x = axis.at(estimate.value);
            if estimate.low.is_finite() && estimate.high.is_finite() {
                let (low, high) = (axis.at(estimate.low), axis.at(estimate.high));
                drawing.draw(Stroke::line(Primitive::Line(low, y, high, y), Ink::Text, 2.0));
                for end in [low, high] {
                    drawing.draw(Stroke::line(Primitive::Line(end, y - 4.0, end, y + 4.0), Ink::Text, 2.0));
                }
            }
            let diamond =
                format!("M{x:.2} {:.2}L{:.2} {y:.2} {x:.2} {:.2} {:.2} {y:.2}Z", y - 5.5, x + 5.5, y + 5.5, x - 5.5);
            let tip = format!("{}: {estimated}", self.name);
            drawing.draw(Stroke::filled(Primitive::Path(diamond), ink).edged(Ink::Text, 1.3).tip(tip));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles_and_whiskers_are_those_of_the_textbook() {
        // Worked by hand: of 1 … 9 and 30, the quartiles (type 7) lie at 3.25, 5.5 and 7.75; 7.75 + 1.5 · 4.5 = 14.5 < 30.
        let sorted = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 30.0];
        let five = Box5::of(&sorted).unwrap();
        assert_eq!(five, Box5 { low: 1.0, first: 3.25, median: 5.5, third: 7.75, high: 9.0 });
        assert_eq!(Box5::of(&[]), None);
        let one = Box5::of(&[4.0]).unwrap();
        assert_eq!((one.low, one.median, one.high), (4.0, 4.0, 4.0));
    }
}
