//! The frame of all charts: title, axes, legend and remarks.

use crate::axis::Axis;
use crate::drawing::{Anchor, Drawing, Primitive, Stroke, TextLabel};
use crate::font::{Weight, fit, width, wrap};
use crate::palette::Ink;

/// Font size of titles.
pub(crate) const TITLE: f64 = 15.0;
/// Font size of names and labels.
pub(crate) const TEXT: f64 = 12.0;
/// Font size of ticks and remarks.
pub(crate) const SMALL: f64 = 11.0;
/// Margin at the edges.
pub(crate) const MARGIN: f64 = 12.0;

/// Draws a title, cut if it is too long.
pub(crate) fn title(drawing: &mut Drawing, text: &str) {
    let (wide, _) = drawing.size();
    let shown = fit(text, wide - 2.0 * MARGIN, TITLE, Weight::Bold);
    let tip = if shown == text { String::new() } else { text.to_owned() };
    let at = (MARGIN, MARGIN + TITLE);
    drawing.label(TextLabel {
        at,
        text: shown,
        size: TITLE,
        weight: Weight::Bold,
        ink: Ink::Text,
        anchor: Anchor::Start,
        tip,
    });
}

/// Height of a title; 0 if it is empty.
pub(crate) fn title_height(text: &str) -> f64 {
    if text.is_empty() { 0.0 } else { TITLE + 12.0 }
}

/// Draws the ticks and grid of a horizontal axis between two heights, with the axis name below.
pub(crate) fn horizontal(drawing: &mut Drawing, axis: &Axis, (top, bottom): (f64, f64), grid: bool, name: &str) {
    let (wide, _) = drawing.size();
    let mut free = f64::NEG_INFINITY;
    for (value, text) in &axis.ticks {
        let x = axis.at(*value);
        if grid {
            drawing.draw(Stroke::line(Primitive::Line(x, top, x, bottom), Ink::Grid, 1.0));
        }
        drawing.draw(Stroke::line(Primitive::Line(x, bottom, x, bottom + 4.0), Ink::Faint, 1.0));
        let half = width(text, SMALL, Weight::Regular) / 2.0;
        // A label that would touch the one before it, or the edge of the picture, is left out.
        if x - half >= free && x + half <= wide {
            drawing.write((x, bottom + 4.0 + SMALL), Anchor::Middle, SMALL, Ink::Faint, text);
            free = x + half + 6.0;
        }
    }
    drawing.draw(Stroke::line(Primitive::Line(axis.at(axis.low), bottom, axis.at(axis.high), bottom), Ink::Faint, 1.0));
    if !name.is_empty() {
        let middle = (axis.at(axis.low) + axis.at(axis.high)) / 2.0;
        let shown = fit(name, (wide - middle) * 2.0, TEXT, Weight::Regular);
        drawing.write((middle, bottom + 2.0 * SMALL + 12.0), Anchor::Middle, TEXT, Ink::Text, &shown);
    }
}

/// Height of the ticks and the name below a horizontal axis.
pub(crate) fn horizontal_height(name: &str) -> f64 {
    4.0 + SMALL + 4.0 + if name.is_empty() { 2.0 } else { SMALL + 9.0 }
}

/// Draws the ticks and grid of a vertical axis.
pub(crate) fn vertical(drawing: &mut Drawing, axis: &Axis, (left, right): (f64, f64)) {
    for (value, text) in &axis.ticks {
        let y = axis.at(*value);
        let ink = if *value == 0.0 { Ink::Faint } else { Ink::Grid };
        drawing.draw(Stroke::line(Primitive::Line(left, y, right, y), ink, 1.0));
        drawing.write((left - 6.0, y + SMALL * 0.36), Anchor::End, SMALL, Ink::Faint, text);
    }
}

/// Width of a vertical axis's tick labels.
pub(crate) fn vertical_width(axis: &Axis) -> f64 {
    axis.ticks.iter().map(|(_, text)| width(text, SMALL, Weight::Regular)).fold(0.0, f64::max) + 8.0
}

/// A legend key: its appearance and its name.
#[derive(Debug, Clone)]
pub(crate) struct Key {
    /// Colour and dash.
    pub ink: Ink,
    /// Draws a line instead of a patch.
    pub is_line: bool,
    /// Its name.
    pub name: String,
}

/// The positions of legend keys in rows of at most this width, and the height of all rows.
fn rows(keys: &[Key], wide: f64) -> (Vec<(f64, f64, String)>, f64) {
    let (mut x, mut y) = (0.0, 0.0);
    let mut places = Vec::new();
    for key in keys {
        let name = fit(&key.name, wide - 26.0, SMALL, Weight::Regular);
        let needed = 22.0 + width(&name, SMALL, Weight::Regular);
        if x > 0.0 && x + needed > wide {
            (x, y) = (0.0, y + SMALL + 6.0);
        }
        places.push((x, y, name));
        x += needed + 16.0;
    }
    (places, if keys.is_empty() { 0.0 } else { y + SMALL + 8.0 })
}

/// Height of a legend.
pub(crate) fn legend_height(keys: &[Key], wide: f64) -> f64 {
    rows(keys, wide).1
}

/// Draws a legend.
pub(crate) fn legend(drawing: &mut Drawing, keys: &[Key], (left, top): (f64, f64), wide: f64) {
    for (key, (x, y, name)) in keys.iter().zip(rows(keys, wide).0) {
        let (x, y) = (left + x, top + y);
        let middle = y + SMALL / 2.0 + 1.0;
        drawing.draw(if key.is_line {
            Stroke::line(Primitive::Line(x, middle, x + 17.0, middle), key.ink, 2.0)
        } else {
            Stroke::filled(Primitive::Rect(x + 3.0, middle - 5.0, 11.0, 10.0), key.ink)
        });
        let tip = if name == key.name { String::new() } else { key.name.clone() };
        let at = (x + 22.0, y + SMALL);
        drawing.label(TextLabel {
            at,
            text: name,
            size: SMALL,
            weight: Weight::Regular,
            ink: Ink::Text,
            anchor: Anchor::Start,
            tip,
        });
    }
}

/// Wraps a remark into lines.
pub(crate) fn remark_lines(text: &str, wide: f64) -> Vec<String> {
    wrap(text, wide - 2.0 * MARGIN, SMALL, Weight::Regular)
}

/// Height of remarks.
pub(crate) fn remark_height(lines: &[String]) -> f64 {
    if lines.is_empty() { 0.0 } else { lines.len() as f64 * (SMALL + 4.0) + 6.0 }
}

/// Draws the lines of a remark.
pub(crate) fn remarks(drawing: &mut Drawing, lines: &[String], top: f64) {
    for (i, line) in lines.iter().enumerate() {
        let y = top + SMALL + 2.0 + i as f64 * (SMALL + 4.0);
        drawing.write((MARGIN, y), Anchor::Start, SMALL, Ink::Faint, line);
    }
}

/// Cuts row names to 30 % of the picture's width, but at least 90 pixels. Returns their width and the cut names.
pub(crate) fn row_names<'a>(names: impl Iterator<Item = &'a str>, wide: f64) -> (f64, Vec<String>) {
    let most = (wide * 0.3).max(90.0);
    let shown: Vec<String> = names.map(|name| fit(name, most, TEXT, Weight::Regular)).collect();
    let needed = shown.iter().map(|name| width(name, TEXT, Weight::Regular)).fold(0.0, f64::max);
    (needed, shown)
}

/// Draws a row's name, right-aligned. If the name was cut, its tooltip shows the full name.
pub(crate) fn row_name(drawing: &mut Drawing, right: f64, middle: f64, shown: &str, name: &str) {
    let tip = if shown == name { String::new() } else { name.to_owned() };
    let at = (right, middle + TEXT * 0.36);
    let text = shown.to_owned();
    drawing.label(TextLabel {
        at,
        text,
        size: TEXT,
        weight: Weight::Regular,
        ink: Ink::Text,
        anchor: Anchor::End,
        tip,
    });
}
