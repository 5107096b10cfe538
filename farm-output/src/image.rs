//! Pictures in memory: opaque RGB images, and sprites with transparency that are drawn over them.

use crate::error::OutputError;
use crate::palette::{Color, Palette};

/// A rectangle of pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Rect {
    /// Left edge.
    pub x: i32,
    /// Upper edge.
    pub y: i32,
    /// Pixels from left to right.
    pub width: i32,
    /// Pixels from top to bottom.
    pub height: i32,
}

impl Rect {
    /// Creates a rectangle from its upper left corner and its size.
    pub fn new(x: i32, y: i32, width: i32, height: i32) -> Self {
        Self { x, y, width, height }
    }
}

/// An RGB image, row by row from the upper left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    width: usize,
    height: usize,
    pixels: Vec<u8>,
}

impl Image {
    /// Creates an image in one colour.
    pub fn new(width: usize, height: usize, color: Color) -> Self {
        let mut pixels = vec![0; width * height * 3];
        pixels.as_chunks_mut::<3>().0.fill(color);
        Self { width, height, pixels }
    }

    /// Creates an image from three bytes per pixel (red, green and blue), row by row from the upper left.
    ///
    /// # Errors
    /// The number of bytes does not match the size of the image.
    pub fn from_pixels(width: usize, height: usize, pixels: Vec<u8>) -> Result<Self, OutputError> {
        let wanted = width.checked_mul(height).and_then(|plots| plots.checked_mul(3));
        if wanted != Some(pixels.len()) {
            let message = format!("{} bytes are not an image of {width} × {height} pixels", pixels.len());
            return Err(OutputError::Encode { what: "image", message });
        }
        Ok(Self { width, height, pixels })
    }

    /// Pixels from left to right.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Pixels from top to bottom.
    pub fn height(&self) -> usize {
        self.height
    }

    /// Three bytes per pixel: red, green, blue.
    pub fn pixels(&self) -> &[u8] {
        &self.pixels
    }

    /// The columns and rows of the part of a rectangle that is inside the image.
    fn clip(&self, rect: Rect) -> (std::ops::Range<usize>, std::ops::Range<usize>) {
        let range = |from: i32, len: i32, most: usize| {
            let end = from.saturating_add(len).clamp(0, most as i32) as usize;
            (from.clamp(0, most as i32) as usize).min(end)..end
        };
        (range(rect.x, rect.width, self.width), range(rect.y, rect.height, self.height))
    }

    /// Fills a rectangle.
    pub fn fill(&mut self, rect: Rect, color: Color) {
        let (columns, rows) = self.clip(rect);
        for y in rows {
            let row = &mut self.pixels[3 * (y * self.width + columns.start)..3 * (y * self.width + columns.end)];
            row.as_chunks_mut::<3>().0.fill(color);
        }
    }

    /// Draws the outline of a rectangle, one pixel wide.
    pub fn frame(&mut self, rect: Rect, color: Color) {
        let Rect { x, y, width, height } = rect;
        self.fill(Rect::new(x, y, width, 1), color);
        self.fill(Rect::new(x, y + height - 1, width, 1), color);
        self.fill(Rect::new(x, y, 1, height), color);
        self.fill(Rect::new(x + width - 1, y, 1, height), color);
    }

    /// Draws a translucent colour over a rectangle; `share` is its opacity, from 0 to 1.
    pub fn veil(&mut self, rect: Rect, color: Color, share: f64) {
        let share = (share.clamp(0.0, 1.0) * 255.0).round() as u8;
        let (columns, rows) = self.clip(rect);
        for y in rows {
            for x in columns.clone() {
                self.mix(x, y, color, share);
            }
        }
    }

    /// Draws a bitmap over the image with its upper left corner at (x, y).
    pub fn blend(&mut self, x: i32, y: i32, bitmap: &Bitmap) {
        let (columns, rows) = self.clip(Rect::new(x, y, bitmap.width as i32, bitmap.height as i32));
        for to_y in rows {
            let from_row = (to_y as i32 - y) as usize * bitmap.width;
            let from = &bitmap.pixels[from_row + (columns.start as i32 - x).max(0) as usize..];
            let to = &mut self.pixels[3 * (to_y * self.width + columns.start)..3 * (to_y * self.width + columns.end)];
            for (to, &[red, green, blue, alpha]) in to.as_chunks_mut::<3>().0.iter_mut().zip(from) {
                match alpha {
                    0 => {}
                    255 => *to = [red, green, blue],
                    _ => {
                        let rest = 255 - u32::from(alpha);
                        let over = |under: u8, over: u8| {
                            (u32::from(over) + (u32::from(under) * rest + 127) / 255).min(255) as u8
                        };
                        *to = [over(to[0], red), over(to[1], green), over(to[2], blue)];
                    }
                }
            }
        }
    }

    /// Copies the upper rows from another image of the same width, as many rows as both images have.
    pub fn copy_rows(&mut self, other: &Self) {
        if self.width == other.width {
            let bytes = self.pixels.len().min(other.pixels.len());
            self.pixels[..bytes].copy_from_slice(&other.pixels[..bytes]);
        }
    }

    /// Mixes a colour into one pixel: a share of 0 keeps the pixel, 255 replaces it.
    pub fn mix(&mut self, x: usize, y: usize, color: Color, share: u8) {
        if x < self.width && y < self.height {
            let at = 3 * (y * self.width + x);
            for (to, with) in self.pixels[at..at + 3].iter_mut().zip(color) {
                let (share, rest) = (u32::from(share), 255 - u32::from(share));
                *to = ((u32::from(*to) * rest + u32::from(with) * share + 127) / 255) as u8;
            }
        }
    }

    /// The image as the bytes of a PNG file.
    ///
    /// # Errors
    /// The encoder fails, for example because the image has no pixels.
    pub fn to_png(&self) -> Result<Vec<u8>, OutputError> {
        self.encode(&self.pixels, None)
    }

    /// The image as the bytes of a PNG file. The file is much smaller, because it contains only the nearest palette colours.
    ///
    /// # Errors
    /// The encoder fails, for example because the image has no pixels.
    pub fn to_small_png(&self, palette: &Palette) -> Result<Vec<u8>, OutputError> {
        self.encode(&palette.indices(&self.pixels), Some(palette))
    }

    fn encode(&self, pixels: &[u8], palette: Option<&Palette>) -> Result<Vec<u8>, OutputError> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.width as u32, self.height as u32);
        encoder.set_color(png::ColorType::Rgb);
        if let Some(palette) = palette {
            encoder.set_color(png::ColorType::Indexed);
            encoder.set_palette(palette.bytes());
            encoder.set_compression(png::Compression::High);
            // Differences of neighbouring indices have no meaning and compress badly.
            encoder.set_filter(png::Filter::NoFilter);
        }
        encoder.set_depth(png::BitDepth::Eight);
        let encoded = |error: png::EncodingError| OutputError::Encode { what: "PNG", message: error.to_string() };
        let mut writer = encoder.write_header().map_err(encoded)?;
        writer.write_image_data(pixels).map_err(encoded)?;
        writer.finish().map_err(encoded)?;
        Ok(bytes)
    }
}

/// A picture with transparency: red, green and blue are premultiplied by the alpha channel that follows them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bitmap {
    /// Pixels from left to right.
    pub width: usize,
    /// Pixels from top to bottom.
    pub height: usize,
    /// Row by row from the upper left.
    pub pixels: Vec<[u8; 4]>,
}
