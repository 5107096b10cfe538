//! GIF films. All frames share one palette, and each frame contains only the rectangle that has changed.

use std::borrow::Cow;

use farm_output::{Image, OutputError, Palette};
use gif::{DisposalMethod, Encoder, Repeat};

use crate::error::{RenderError, check_frame};

/// Maximum duration of a frame in hundredths of a second.
const LONGEST: f64 = 6000.0;
/// Minimum duration that viewers respect.
const SHORTEST: f64 = 2.0;
/// Duration of the last frame, before a film ends or restarts, in seconds.
pub(crate) const HOLD: f64 = 2.5;

/// Encodes a film. The bytes stay in memory until they are saved.
pub struct Gif {
    encoder: Encoder<Vec<u8>>,
    palette: Palette,
    size: (usize, usize),
    seconds_per_frame: f64,
    /// Rounding error of the delays so far, in hundredths of a second.
    owed: f64,
    /// The colour indices of the frame on screen, and of the frame whose duration is not yet known.
    shown: Vec<u8>,
    waiting: Option<gif::Frame<'static>>,
}

impl std::fmt::Debug for Gif {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Gif")
            .field("size", &self.size)
            .field("seconds_per_frame", &self.seconds_per_frame)
            .finish_non_exhaustive()
    }
}

fn encode(error: impl std::fmt::Display) -> OutputError {
    OutputError::Encode { what: "GIF", message: error.to_string() }
}

impl Gif {
    /// Creates a film with frames of this size at this rate.
    ///
    /// # Errors
    /// An edge has more than 65,535 pixels, which is the format's maximum.
    pub fn new(size: (usize, usize), palette: Palette, frames_per_second: f64) -> Result<Self, RenderError> {
        let edge = |pixels: usize| {
            u16::try_from(pixels).map_err(|_| encode(format!("{pixels} pixels are too many for an edge")))
        };
        let mut encoder = Encoder::new(Vec::new(), edge(size.0)?, edge(size.1)?, &palette.bytes()).map_err(encode)?;
        encoder.set_repeat(Repeat::Infinite).map_err(encode)?;
        let seconds_per_frame = 1.0 / frames_per_second;
        Ok(Self { encoder, palette, size, seconds_per_frame, owed: 0.0, shown: Vec::new(), waiting: None })
    }

    /// Adds a frame.
    ///
    /// # Errors
    /// The frame has a different size.
    pub fn frame(&mut self, image: &Image) -> Result<(), RenderError> {
        self.frame_for(image, self.seconds_per_frame)
    }

    /// Adds a frame with its duration in seconds, rounded to hundredths.
    ///
    /// # Errors
    /// The frame has a different size.
    pub fn frame_for(&mut self, image: &Image, seconds: f64) -> Result<(), RenderError> {
        let width = self.size.0;
        check_frame(image, self.size)?;
        let indices = self.palette.indices(image.pixels());
        let wanted = 100.0 * seconds + self.owed;
        let delay = wanted.round().clamp(SHORTEST, LONGEST) as u16;
        self.owed = (wanted - f64::from(delay)).clamp(-1.0, 1.0);
        let Some((left, top, right, bottom)) = changed(&self.shown, &indices, width) else {
            // Nothing has changed: the previous frame lasts longer.
            if let Some(waiting) = &mut self.waiting {
                waiting.delay = waiting.delay.saturating_add(delay);
            }
            return Ok(());
        };
        // Unchanged pixels become transparent.
        let keep = self.palette.len().min(255) as u8;
        let is_first = self.shown.is_empty();
        let pixel = |at: usize| if !is_first && self.shown[at] == indices[at] { keep } else { indices[at] };
        let buffer: Vec<u8> =
            (top..=bottom).flat_map(|y| (left..=right).map(move |x| y * width + x)).map(pixel).collect();
        let frame = gif::Frame {
            delay,
            dispose: DisposalMethod::Keep,
            transparent: (!is_first).then_some(keep),
            left: left as u16,
            top: top as u16,
            width: (right - left + 1) as u16,
            height: (bottom - top + 1) as u16,
            buffer: Cow::Owned(buffer),
            ..gif::Frame::default()
        };
        if let Some(before) = self.waiting.replace(frame) {
            self.encoder.write_frame(&before).map_err(encode)?;
        }
        self.shown = indices;
        Ok(())
    }

    /// The bytes of the file.
    ///
    /// # Errors
    /// The encoder fails.
    pub fn finish(mut self) -> Result<Vec<u8>, RenderError> {
        if let Some(mut last) = self.waiting.take() {
            last.delay = last.delay.max((100.0 * HOLD) as u16);
            self.encoder.write_frame(&last).map_err(encode)?;
        }
        Ok(self.encoder.into_inner().map_err(encode)?)
    }
}

/// The smallest rectangle that contains all changed pixels: left, top, right and bottom, all inclusive.
fn changed(before: &[u8], after: &[u8], width: usize) -> Option<(usize, usize, usize, usize)> {
    if before.is_empty() {
        let rows = after.len() / width.max(1);
        return (rows > 0).then(|| (0, 0, width - 1, rows - 1));
    }
    let mut found: Option<(usize, usize, usize, usize)> = None;
    for (y, (before, after)) in before.chunks(width).zip(after.chunks(width)).enumerate() {
        let differs = |x: &usize| before[*x] != after[*x];
        let (Some(left), Some(right)) = ((0..width).find(differs), (0..width).rev().find(differs)) else { continue };
        let (l, t, r, _) = found.unwrap_or((left, y, right, y));
        found = Some((l.min(left), t, r.max(right), y));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_changed_rectangle_holds_every_change_and_no_more() {
        let before = [0; 12];
        let mut after = before;
        assert_eq!(changed(&before, &after, 4), None);
        after[5] = 1;
        assert_eq!(changed(&before, &after, 4), Some((1, 1, 1, 1)));
        after[11] = 1;
        assert_eq!(changed(&before, &after, 4), Some((1, 1, 3, 2)));
        assert_eq!(changed(&[], &after, 4), Some((0, 0, 3, 2)));
    }
}
