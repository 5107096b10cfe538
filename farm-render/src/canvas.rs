//! Canvases: pixels at any scale, or an SVG. Both accept positions in layout units.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write;

use farm_output::{Bitmap, Color, Image, Rect};
use farm_plot::{Weight, escape_xml};

use crate::error::RenderError;
use crate::sprites::{Form, SpriteSource};
use crate::text::Writer;

/// How a sprite fits in its rectangle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Fit {
    /// At its original size and place on the plot.
    Plot,
    /// As large as possible, without the empty parts of the plot.
    Icon,
}

/// A sprite's index and form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Lay {
    /// Index of the sprite.
    pub sprite: u16,
    /// Its form.
    pub form: Form,
}

impl Lay {
    /// A sprite in its original form.
    pub(crate) fn as_written(sprite: u16) -> Self {
        Self { sprite, form: Form::AS_WRITTEN }
    }
}

/// A surface to draw on.
pub(crate) trait Canvas {
    /// Fills a rectangle.
    fn fill(&mut self, at: Rect, color: Color);
    /// Draws the outline of a rectangle.
    fn outline(&mut self, at: Rect, color: Color);
    /// Covers a rectangle with a colour at this opacity, from 0 to 1.
    fn veil(&mut self, at: Rect, color: Color, share: f64);
    /// Draws a sprite in a square.
    fn sprite(&mut self, at: Rect, lay: Lay, source: &SpriteSource, fit: Fit);
    /// Writes text that starts at x, with its baseline at y.
    fn write(&mut self, at: (i32, i32), size: u32, weight: Weight, color: Color, text: &str);
}

/// An image with `scale` pixels per layout unit.
pub(crate) struct Pixels {
    pub image: Image,
    scale: f64,
    writer: Writer,
    /// The sprites drawn so far, by sprite, size in pixels and fit.
    drawn: HashMap<(Lay, u32, Fit), Bitmap>,
}

impl Pixels {
    /// Creates an image in one colour for a layout of this size. Its width and height are even, as films require.
    ///
    /// # Errors
    /// The fonts are damaged.
    pub(crate) fn new(size: (i32, i32), scale: f64, color: Color) -> Result<Self, RenderError> {
        let edge = |units: i32| ((f64::from(units) * scale / 2.0).ceil() as usize * 2).max(2);
        let image = Image::new(edge(size.0), edge(size.1), color);
        Ok(Self { image, scale, writer: Writer::new()?, drawn: HashMap::new() })
    }

    /// Makes the image taller, and returns the previous image.
    pub(crate) fn of_height(&mut self, units: i32, color: Color) -> Image {
        let height = (f64::from(units) * self.scale / 2.0).ceil() as usize * 2;
        let mut taller = Image::new(self.image.width(), height.max(self.image.height()), color);
        taller.copy_rows(&self.image);
        std::mem::replace(&mut self.image, taller)
    }

    fn pixel(&self, units: i32) -> i32 {
        (f64::from(units) * self.scale).round() as i32
    }

    fn rect(&self, at: Rect) -> Rect {
        let (left, top) = (self.pixel(at.x), self.pixel(at.y));
        Rect::new(left, top, self.pixel(at.x + at.width) - left, self.pixel(at.y + at.height) - top)
    }
}

impl Canvas for Pixels {
    fn fill(&mut self, at: Rect, color: Color) {
        self.image.fill(self.rect(at), color);
    }

    fn outline(&mut self, at: Rect, color: Color) {
        self.image.frame(self.rect(at), color);
    }

    fn veil(&mut self, at: Rect, color: Color, share: f64) {
        self.image.veil(self.rect(at), color, share);
    }

    fn sprite(&mut self, at: Rect, lay: Lay, source: &SpriteSource, fit: Fit) {
        let at = self.rect(at);
        let size = at.width.max(at.height).max(1) as u32;
        let writer = &mut self.writer;
        let bitmap = self.drawn.entry((lay, size, fit)).or_insert_with(|| {
            let grown = source.formed(lay.form);
            let source = grown.as_ref().unwrap_or(source);
            match fit {
                Fit::Plot => source.draw(size, writer),
                Fit::Icon => source.draw_icon(size, writer),
            }
        });
        self.image.blend(at.x, at.y, bitmap);
    }

    fn write(&mut self, at: (i32, i32), size: u32, weight: Weight, color: Color, text: &str) {
        let at = (self.pixel(at.0), self.pixel(at.1));
        let size = (f64::from(size) * self.scale).round().max(1.0) as u32;
        self.writer.write(&mut self.image, at, size, weight, color, text);
    }
}

/// The text of an SVG, which contains each sprite only once.
pub(crate) struct Vector {
    size: (i32, i32),
    scale: f64,
    sprites: BTreeSet<(u16, Form)>,
    symbols: String,
    body: String,
}

impl Vector {
    /// Creates an SVG with a single-colour background for a layout of this size.
    pub(crate) fn new(size: (i32, i32), scale: f64, color: Color) -> Self {
        let mut drawing = Self { size, scale, sprites: BTreeSet::new(), symbols: String::new(), body: String::new() };
        drawing.fill(Rect::new(0, 0, size.0, size.1), color);
        drawing
    }

    /// Returns the text of the file for this height, in layout units.
    pub(crate) fn finish(self, height: i32) -> String {
        let (width, scale) = (self.size.0, self.scale);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{:.0}\" height=\"{:.0}\" viewBox=\"0 0 {width} {height}\" \
             font-family=\"DejaVu Sans, Verdana, sans-serif\">\n<defs>\n{}</defs>\n{}</svg>\n",
            f64::from(width) * scale,
            f64::from(height) * scale,
            self.symbols,
            self.body
        )
    }

    fn add(&mut self, element: std::fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = writeln!(self.body, "{element}");
    }
}

fn hex([red, green, blue]: Color) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

impl Canvas for Vector {
    fn fill(&mut self, at: Rect, color: Color) {
        let Rect { x, y, width, height } = at;
        let color = hex(color);
        self.add(format_args!("<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{color}\"/>"));
    }

    fn outline(&mut self, at: Rect, color: Color) {
        let (x, y) = (f64::from(at.x) + 0.5, f64::from(at.y) + 0.5);
        let (width, height, color) = (at.width - 1, at.height - 1, hex(color));
        self.add(format_args!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"none\" stroke=\"{color}\"/>"
        ));
    }

    fn veil(&mut self, at: Rect, color: Color, share: f64) {
        let Rect { x, y, width, height } = at;
        let color = hex(color);
        self.add(format_args!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{color}\" fill-opacity=\"{share:.3}\"/>"
        ));
    }

    fn sprite(&mut self, at: Rect, lay: Lay, source: &SpriteSource, fit: Fit) {
        let grown = source.formed(lay.form);
        let source = grown.as_ref().unwrap_or(source);
        let Form { levels: [first, second], joined, variant } = lay.form;
        let id = format!("s{}-{first}-{second}-{joined}-{variant}", lay.sprite);
        if self.sprites.insert((lay.sprite, lay.form)) {
            let [width, height] = source.size();
            let _ = writeln!(
                self.symbols,
                "<symbol id=\"{id}\" viewBox=\"0 0 {width} {height}\">{}</symbol>",
                source.inner()
            );
        }
        let Rect { x, y, width, height } = at;
        match fit {
            Fit::Plot => self
                .add(format_args!("<use href=\"#{id}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/>")),
            Fit::Icon => {
                let (left, top, across, down) = source.drawn_part();
                let [whole_width, whole_height] = source.size();
                self.add(format_args!(
                    "<svg x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" \
                     viewBox=\"{left} {top} {across} {down}\"><use href=\"#{id}\" width=\"{whole_width}\" height=\"{whole_height}\"/></svg>"
                ));
            }
        }
        let letters = source.letters();
        if !letters.is_empty() {
            let size = (height / 4).max(1) as u32;
            let at =
                (x + width / 2 - size as i32 * letters.chars().count() as i32 / 3, y + height / 2 + size as i32 / 3);
            self.write(at, size, Weight::Bold, crate::sprites::INK, letters);
        }
    }

    fn write(&mut self, (x, y): (i32, i32), size: u32, weight: Weight, color: Color, text: &str) {
        let weight = if weight == Weight::Bold { " font-weight=\"bold\"" } else { "" };
        let (color, text) = (hex(color), escape_xml(text));
        self.add(format_args!("<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\"{weight} fill=\"{color}\">{text}</text>"));
    }
}
