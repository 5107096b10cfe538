//! The font used in all of the project's charts and pictures: text widths and letter outlines.

use std::fmt::Write;

use ab_glyph::{Font, FontRef, GlyphId, OutlineCurve, Point};

use crate::error::FontError;

const REGULAR: &[u8] = include_bytes!("../fonts/DejaVuSans-subset.ttf");
const BOLD: &[u8] = include_bytes!("../fonts/DejaVuSans-Bold-subset.ttf");

/// The weight of a font.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Weight {
    /// For body text.
    Regular,
    /// For titles.
    Bold,
}

/// Font families for charts without embedded letters. No family is wider than the first one.
pub(crate) const FAMILIES: &str = "'DejaVu Sans', Verdana, Geneva, sans-serif";

/// The font in both weights.
#[derive(Debug)]
pub struct Fonts([FontRef<'static>; 2]);

impl Fonts {
    /// Reads the fonts.
    ///
    /// # Errors
    /// The fonts are damaged.
    pub fn new() -> Result<Self, FontError> {
        let font = |bytes| FontRef::try_from_slice(bytes).map_err(|error| FontError(error.to_string()));
        Ok(Self([font(REGULAR)?, font(BOLD)?]))
    }

    /// The font in a weight, and the glyph for a letter. A letter that the font lacks gets the replacement character.
    pub fn letter(&self, letter: char, weight: Weight) -> (&FontRef<'static>, GlyphId) {
        let font = &self.0[weight as usize];
        let id = font.glyph_id(letter);
        (font, if id.0 == 0 { font.glyph_id('\u{fffd}') } else { id })
    }

    /// The outlines of text that starts at x with its baseline at y, as SVG path data.
    pub fn outline(&self, text: &str, (x, y): (f64, f64), size: f64, weight: Weight) -> String {
        let mut path = String::new();
        let mut at = x;
        for letter in text.chars() {
            let (font, id) = self.letter(letter, weight);
            let scale = size / f64::from(font.units_per_em().unwrap_or(2048.0));
            let mut last: Option<Point> = None;
            let place = |p: Point| (at + f64::from(p.x) * scale, y - f64::from(p.y) * scale);
            for curve in font.outline(id).map(|outline| outline.curves).unwrap_or_default() {
                let (from, points) = match curve {
                    OutlineCurve::Line(a, b) => (a, vec![b]),
                    OutlineCurve::Quad(a, b, c) => (a, vec![b, c]),
                    OutlineCurve::Cubic(a, b, c, d) => (a, vec![b, c, d]),
                };
                // Writing to a text never fails.
                if last != Some(from) {
                    let (x, y) = place(from);
                    let _ = write!(path, "M{x:.2} {y:.2}");
                }
                path.push(['L', 'Q', 'C'][points.len().min(3) - 1]);
                for point in &points {
                    let (x, y) = place(*point);
                    let _ = write!(path, "{x:.2} {y:.2} ");
                }
                last = points.last().copied();
            }
            at += f64::from(font.h_advance_unscaled(id)) * scale;
        }
        path
    }

    /// Width of the text, in pixels.
    fn width(&self, text: &str, size: f64, weight: Weight) -> f64 {
        let advance = |letter| {
            let (font, id) = self.letter(letter, weight);
            f64::from(font.h_advance_unscaled(id)) / f64::from(font.units_per_em().unwrap_or(2048.0))
        };
        text.chars().map(advance).sum::<f64>() * size
    }
}

thread_local! {
    static FONTS: Option<Fonts> = Fonts::new().ok();
}

/// Width of the text, in pixels.
pub(crate) fn width(text: &str, size: f64, weight: Weight) -> f64 {
    // Without the font, letters get a usual width. Drawing the picture reports the missing font.
    let guess = 0.65 * size * text.chars().count() as f64;
    FONTS.with(|fonts| fonts.as_ref().map_or(guess, |fonts| fonts.width(text, size, weight)))
}

/// The text, cut to a width, with an ellipsis at the cut.
pub(crate) fn fit(text: &str, most: f64, size: f64, weight: Weight) -> String {
    if width(text, size, weight) <= most {
        return text.to_owned();
    }
    let letters: Vec<char> = text.chars().collect();
    // Both ends are kept: names often differ only in the last letters.
    let shown = |kept: usize| -> String {
        let tail = kept / 3;
        letters[..kept - tail].iter().chain(['…'].iter()).chain(&letters[letters.len() - tail..]).collect()
    };
    let kept = (0..letters.len()).rev().find(|kept| width(&shown(*kept), size, weight) <= most);
    kept.map_or_else(String::new, shown)
}

/// Wraps text at spaces into lines of at most this width. A wider word is cut.
pub(crate) fn wrap(text: &str, most: f64, size: f64, weight: Weight) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let word = fit(word, most, size, weight);
        match lines.last_mut() {
            Some(line) if width(&format!("{line} {word}"), size, weight) <= most => {
                line.push(' ');
                line.push_str(&word);
            }
            _ => lines.push(word),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_in_the_middle_and_wrapped_within_a_width() {
        let name = "a_policy_with_a_very_long_name_indeed_2";
        let cut = fit(name, 100.0, 12.0, Weight::Regular);
        assert!(width(&cut, 12.0, Weight::Regular) <= 100.0);
        assert!(cut.starts_with("a_pol") && cut.ends_with("_2") && cut.contains('…'), "{cut}");
        let lines = wrap("one two three four five six seven", 80.0, 12.0, Weight::Regular);
        assert!(lines.len() > 1 && lines.iter().all(|line| width(line, 12.0, Weight::Regular) <= 80.0));
        assert_eq!(lines.join(" "), "one two three four five six seven");
    }

    #[test]
    fn a_digit_is_as_wide_as_the_font_says() {
        // DejaVu Sans: digits advance 1303 of 2048 units.
        assert!((width("0", 2048.0, Weight::Regular) - 1303.0).abs() < 1e-6);
    }
}
