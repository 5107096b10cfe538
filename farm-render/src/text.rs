//! Text in pictures, in an embedded font, so that it looks the same on every machine.

use std::collections::HashMap;

use ab_glyph::{Font, PxScale, ScaleFont, point};
use farm_output::{Color, Image};
use farm_plot::{Fonts, Weight};

use crate::error::RenderError;

/// A drawn letter.
#[derive(Debug, Clone)]
struct Glyph {
    advance: f32,
    left: i32,
    top: i32,
    width: usize,
    coverage: Vec<u8>,
}

/// Draws text. Each letter is rasterised once per size.
#[derive(Debug)]
pub(crate) struct Writer {
    fonts: Fonts,
    glyphs: HashMap<(char, u32, Weight), Glyph>,
}

impl Writer {
    /// Reads the fonts.
    ///
    /// # Errors
    /// The fonts are damaged.
    pub(crate) fn new() -> Result<Self, RenderError> {
        Ok(Self { fonts: Fonts::new()?, glyphs: HashMap::new() })
    }

    fn glyph(&mut self, letter: char, size: u32, weight: Weight) -> &Glyph {
        let fonts = &self.fonts;
        self.glyphs.entry((letter, size, weight)).or_insert_with(|| {
            let (font, id) = fonts.letter(letter, weight);
            let scale = PxScale::from(size as f32);
            let advance = font.as_scaled(scale).h_advance(id);
            let glyph = id.with_scale_and_position(scale, point(0.0, 0.0));
            let Some(outline) = font.outline_glyph(glyph) else {
                return Glyph { advance, left: 0, top: 0, width: 0, coverage: Vec::new() };
            };
            let bounds = outline.px_bounds();
            let (width, height) = (bounds.width() as usize, bounds.height() as usize);
            let mut coverage = vec![0; width * height];
            outline.draw(|x, y, share| {
                if let Some(pixel) = coverage.get_mut(y as usize * width + x as usize) {
                    *pixel = (share.clamp(0.0, 1.0) * 255.0).round() as u8;
                }
            });
            Glyph { advance, left: bounds.min.x as i32, top: bounds.min.y as i32, width, coverage }
        })
    }

    /// Width of the text, in pixels.
    pub(crate) fn width(&mut self, text: &str, size: u32, weight: Weight) -> i32 {
        text.chars().map(|letter| self.glyph(letter, size, weight).advance).sum::<f32>().ceil() as i32
    }

    /// Calls `pixel` for each pixel that the text covers, with the coverage. The text starts at x, with its baseline at y.
    pub(crate) fn trace(
        &mut self,
        (x, y): (i32, i32),
        size: u32,
        weight: Weight,
        text: &str,
        mut pixel: impl FnMut(i32, i32, u8),
    ) {
        let mut at = x as f32;
        for letter in text.chars() {
            let glyph = self.glyph(letter, size, weight);
            let left = at.round() as i32 + glyph.left;
            for (i, share) in glyph.coverage.iter().enumerate().filter(|(_, share)| **share > 0) {
                pixel(left + (i % glyph.width) as i32, y + glyph.top + (i / glyph.width) as i32, *share);
            }
            at += glyph.advance;
        }
    }

    /// Draws text that starts at x, with its baseline at y.
    pub(crate) fn write(
        &mut self,
        image: &mut Image,
        at: (i32, i32),
        size: u32,
        weight: Weight,
        color: Color,
        text: &str,
    ) {
        self.trace(at, size, weight, text, |x, y, share| {
            if let (Ok(x), Ok(y)) = (usize::try_from(x), usize::try_from(y)) {
                image.mix(x, y, color, share);
            }
        });
    }

    /// The text, cut to a width, with an ellipsis at the cut.
    pub(crate) fn fit(&mut self, text: &str, most: i32, size: u32, weight: Weight) -> String {
        if self.width(text, size, weight) <= most {
            return text.to_owned();
        }
        let mut room = most as f32 - self.glyph('…', size, weight).advance;
        let mut shown = String::new();
        for letter in text.chars() {
            room -= self.glyph(letter, size, weight).advance;
            if room < 0.0 {
                break;
            }
            shown.push(letter);
        }
        shown.push('…');
        shown
    }
}
