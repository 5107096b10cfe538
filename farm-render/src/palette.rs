//! The colours and font sizes of pictures.

use farm_output::Color;

/// The colour of lines and letters.
pub(crate) const INK: Color = [0x4a, 0x3b, 0x2f];
/// The background colour.
pub(crate) const PAPER: Color = [0xfd, 0xf8, 0xee];
/// The colour of secondary text.
pub(crate) const FAINT: Color = [0x6d, 0x5f, 0x50];
/// The colour behind the header.
pub(crate) const HEAD: Color = [0xf1, 0xe4, 0xca];
/// The colour of plots on which nothing is drawn.
pub(crate) const BARE: Color = [0xe9, 0xdf, 0xcb];
/// The colour of lines between plots and in charts.
pub(crate) const GRID: Color = [0xc9, 0xb8, 0x9c];
/// The colour of the veil over plots that the learner does not see.
pub(crate) const VEIL: Color = [0x8a, 0x7a, 0x69];
/// Font sizes.
pub(crate) const TITLE: u32 = 18;
pub(crate) const TEXT: u32 = 13;
pub(crate) const SMALL: u32 = 12;

/// The contrast between two colours, from 1 to 21 (Web Content Accessibility Guidelines 2.1).
pub fn contrast(a: Color, b: Color) -> f64 {
    let luminance = |color: Color| {
        let linear = color.map(|channel| {
            let share = f64::from(channel) / 255.0;
            if share <= 0.04045 { share / 12.92 } else { farm_core::math::powf((share + 0.055) / 1.055, 2.4) }
        });
        0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    };
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_stands_out_from_what_lies_below_it() {
        // Black on white has the highest contrast that there is.
        assert!((contrast([0; 3], [255; 3]) - 21.0).abs() < 1e-9);
        for below in [PAPER, HEAD] {
            for ink in [INK, FAINT] {
                assert!(contrast(ink, below) >= 4.5, "{ink:?} on {below:?}: {:.2}", contrast(ink, below));
            }
        }
    }
}
