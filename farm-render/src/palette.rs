//! The colours and letters of pictures.

use farm_output::Color;

/// The colour of lines and letters.
pub(crate) const INK: Color = [0x4a, 0x3b, 0x2f];
/// The colour behind everything.
pub(crate) const PAPER: Color = [0xfd, 0xf8, 0xee];
/// The colour of what is said in passing.
pub(crate) const FAINT: Color = [0x6d, 0x5f, 0x50];
/// The colour behind the header.
pub(crate) const HEAD: Color = [0xf1, 0xe4, 0xca];
/// The colour of plots on which nothing is drawn.
pub(crate) const BARE: Color = [0xe9, 0xdf, 0xcb];
/// The lines between plots, and those of charts.
pub(crate) const GRID: Color = [0xc9, 0xb8, 0x9c];
/// What lies over plots that the learner does not see.
pub(crate) const VEIL: Color = [0x8a, 0x7a, 0x69];
/// Sizes of letters.
pub(crate) const TITLE: u32 = 18;
pub(crate) const TEXT: u32 = 13;
pub(crate) const SMALL: u32 = 12;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile::Pictures;
    use crate::sprites::{FULL, UNKNOWN};
    use crate::text::Writer;

    /// The contrast of two colours, from 1 to 21 (Web Content Accessibility Guidelines 2.1).
    fn contrast(a: Color, b: Color) -> f64 {
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

    /// Edge of the sprites that are looked at, and the least share of a sprite that stands out from the ground: an outline around it.
    const EDGE: u32 = 64;
    const LEAST_SHARE: f64 = 0.06;

    #[test]
    fn signs_stand_out_from_every_ground() {
        let mut writer = Writer::new().unwrap();
        let mut pale = Vec::new();
        for name in ["full_farm", "walking_farmer", "valley_farm", "backwards_valley"] {
            let game = farm_games::open(name, &farm_games::Options::default()).unwrap();
            let pictures = Pictures::of(&game, None).unwrap();
            let lowest = pictures.all.iter().map(|picture| picture.layer).min().unwrap();
            let sprites = |is_ground: bool| {
                let of_kind = pictures.all.iter().filter(move |picture| {
                    let is_in_strip = matches!(picture.resolved_place, crate::compile::ResolvedPlace::StatusBar);
                    !is_in_strip && (picture.layer == lowest) == is_ground
                });
                of_kind.flat_map(|picture| picture.sprite_rules.iter().filter_map(|rule| rule.sprite))
            };
            // The ground where it is drawn plainly: the colour of most of it.
            let mut grounds: Vec<Color> = Vec::new();
            for ground in sprites(true).map(|sprite| &pictures.sprites[usize::from(sprite)]) {
                for level in [0, FULL / 2, FULL, UNKNOWN] {
                    let grown = ground.grown([level; 2]);
                    let bitmap = grown.as_ref().unwrap_or(ground).draw(EDGE, &mut writer);
                    let mut counts = std::collections::BTreeMap::new();
                    for [red, green, blue, _] in bitmap.pixels {
                        *counts.entry([red, green, blue]).or_insert(0) += 1;
                    }
                    grounds.extend(counts.into_iter().max_by_key(|(_, count)| *count).map(|(color, _)| color));
                }
            }
            assert!(!grounds.is_empty(), "{name}");
            for sprite in sprites(false) {
                let bitmap = pictures.sprites[usize::from(sprite)].draw(EDGE, &mut writer);
                let drawn: Vec<[u8; 4]> = bitmap.pixels.into_iter().filter(|pixel| pixel[3] == 255).collect();
                for ground in &grounds {
                    let stands_out = |pixel: &&[u8; 4]| contrast([pixel[0], pixel[1], pixel[2]], *ground) >= 3.0;
                    let share = drawn.iter().filter(stands_out).count() as f64 / drawn.len().max(1) as f64;
                    if share < LEAST_SHARE {
                        let rules = pictures.all.iter().flat_map(|p| p.sprite_rules.iter().map(move |rule| (p, rule)));
                        let of =
                            |(p, rule): (&crate::compile::CompiledPicture, &crate::compile::CompiledSpriteRule)| {
                                (rule.sprite == Some(sprite)).then(|| format!("{} {}", p.title, rule.name))
                            };
                        let what = rules.filter_map(|(p, rule)| of((p, rule))).next().unwrap_or_default();
                        pale.push(format!("{name}: {what} on {ground:?}: {:.0} %", 100.0 * share));
                    }
                }
            }
        }
        assert!(pale.is_empty(), "{pale:#?}");
    }
}
