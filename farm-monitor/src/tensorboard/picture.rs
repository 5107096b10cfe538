//! Matrices as pictures.

use farm_output::{Image, OutputError, Rect, heat_color};

use crate::Series;

/// Approximate length of a picture's longer edge in pixels; a plot has at least one pixel and at most [`LARGEST`].
const EDGE: usize = 256;
const LARGEST: usize = 32;

/// The colour of NaN.
const NOTHING: [u8; 3] = [0xe3, 0xd9, 0xc8];

/// A picture: its width and height in pixels, and the bytes of a PNG file.
pub(super) struct Picture {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) png: Vec<u8>,
}

/// The number of plots from left to right and from top to bottom in a series' entries, if they can be drawn. As in farm pictures, x
/// increases to the right and y downwards.
pub(super) fn plots(series: &Series) -> Option<(usize, usize)> {
    match series.shape.as_slice() {
        [length] if *length > 0 => Some((*length, 1)),
        [length, width] if length * width > 0 => Some((*length, *width)),
        _ => None,
    }
}

/// Draws one of a series's entries, with colours that range from the lowest to the highest value.
pub(super) fn draw(
    (length, width): (usize, usize),
    values: &[f64],
    (low, high): (f64, f64),
) -> Result<Picture, OutputError> {
    let cell = (EDGE / length.max(width)).clamp(1, LARGEST);
    let mut image = Image::new(length * cell, width * cell, NOTHING);
    for x in 0..length {
        for y in 0..width {
            let value = values.get(x * width + y).copied().filter(|value| value.is_finite());
            if let Some(value) = value {
                let share = (value - low) / (high - low).max(f64::MIN_POSITIVE);
                let area = Rect::new((x * cell) as i32, (y * cell) as i32, cell as i32, cell as i32);
                image.fill(area, heat_color(share));
            }
        }
    }
    Ok(Picture { width: image.width(), height: image.height(), png: image.to_png()? })
}

/// Makes a picture from red, green and blue pixels.
pub(super) fn of_pixels(width: usize, height: usize, pixels: &[u8]) -> Result<Picture, OutputError> {
    Ok(Picture { width, height, png: Image::from_pixels(width, height, pixels.to_vec())?.to_png()? })
}
