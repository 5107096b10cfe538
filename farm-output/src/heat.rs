//! Colours for numbers.

use crate::palette::Color;

/// Colours from dark to light that any colour vision can distinguish, and that keep their order in grey. They come from cividis (Nuñez et
/// al. 2018), at equal distances.
const SCALE: [Color; 6] =
    [[0, 34, 78], [46, 66, 109], [102, 105, 112], [148, 142, 119], [200, 184, 102], [254, 232, 56]];

/// The colour at a position between a heat map's lowest value (0) and highest value (1).
pub fn heat_color(share: f64) -> Color {
    blend(&SCALE, share)
}

/// The colour at a position from 0 to 1 on a scale with equal distances. A position outside 0…1 counts as the nearest end, and a position
/// that is not finite counts as 0. The scale must have at least two colours.
pub fn blend(scale: &[Color], share: f64) -> Color {
    let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 };
    let at = share * (scale.len() - 1) as f64;
    let from = (at as usize).min(scale.len() - 2);
    let rest = at - from as f64;
    std::array::from_fn(|i| {
        let (a, b) = (f64::from(scale[from][i]), f64::from(scale[from + 1][i]));
        (a + (b - a) * rest).round() as u8
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_grow_lighter_from_low_to_high() {
        let light = |share: f64| heat_color(share).iter().map(|c| u32::from(*c)).sum::<u32>();
        let shares: Vec<u32> = (0..=20).map(|i| light(f64::from(i) / 20.0)).collect();
        assert!(shares.windows(2).all(|pair| pair[0] < pair[1]), "{shares:?}");
        assert_eq!([heat_color(-1.0), heat_color(f64::NAN), heat_color(2.0)], [SCALE[0], SCALE[0], SCALE[5]]);
    }
}
