//! Pictures of plants: three shapes of crop, each in all stages.

use farm_core::declare::{Picture, SeriesKind, Sprite};

use super::STAGES;

/// Shape of the plants in pictures. It has no other effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, farm_core::Choice)]
pub enum Appearance {
    /// Low and leafy, with pods.
    Bush,
    /// Tall and narrow, with cobs.
    Cereal,
    /// Tied to a stake, with round fruits.
    Vine,
}

macro_rules! stages {
    ($shape:literal) => {
        ["seed", "grow", "bloom", "fruit", "ripe", "dead"].into_iter().zip([
            include_str!(concat!("sprites/", $shape, "_seed.svg")),
            include_str!(concat!("sprites/", $shape, "_grow.svg")),
            include_str!(concat!("sprites/", $shape, "_bloom.svg")),
            include_str!(concat!("sprites/", $shape, "_fruit.svg")),
            include_str!(concat!("sprites/", $shape, "_ripe.svg")),
            include_str!(concat!("sprites/", $shape, "_dead.svg")),
        ])
    };
}

/// The plants on a plot, by stage. `size_max_cm` is their maximum height, and `fruit_weight_max_g` is the maximum weight of a fruit.
pub(super) fn picture(appearance: Appearance, size_max_cm: f64, fruit_weight_max_g: f64) -> Picture {
    let (title, sprites) = match appearance {
        Appearance::Bush => ("Plants (bush)", stages!("bush")),
        Appearance::Cereal => ("Plants (cereal)", stages!("cereal")),
        Appearance::Vine => ("Plants (vine)", stages!("vine")),
    };
    let picture = sprites.fold(Picture::on_plots(title, 30), |picture, (stage, svg)| {
        let name = if stage == "grow" { "growing" } else { stage };
        picture.label("stage", stage, name, svg)
    });
    let picture = picture
        .label("stage", "harvested", "harvested", include_str!("sprites/harvested.svg"))
        .otherwise("", Sprite::Nothing)
        .grows_with("size#cm", 0.0, size_max_cm)
        .grows_with("fruit_weight#g", 0.0, fruit_weight_max_g)
        .over_season("harvest (kg)", "harvest_weight#kg", SeriesKind::Total, [0xd0, 0x8a, 0x10])
        .over_season("height (cm)", "size#cm", SeriesKind::Level, [0x3f, 0x7d, 0x2c])
        .heat("stage", 0.0, (STAGES.len() - 1) as f64);
    STAGE_COLORS.iter().fold(picture, |picture, (stage, color)| picture.heat_color(stage, *color))
}

/// The colours of the stages on large fields: soil, greens, blossom, gold, dark and straw. They also differ in lightness, so that
/// people with any colour vision can distinguish them.
const STAGE_COLORS: [(&str, [u8; 3]); 8] = [
    ("none", [0x9b, 0x70, 0x4a]),
    ("seed", [0xc9, 0xa2, 0x6b]),
    ("grow", [0x5f, 0xb0, 0x3f]),
    ("bloom", [0xff, 0xdc, 0xec]),
    ("fruit", [0x1f, 0x7a, 0x3a]),
    ("ripe", [0xf6, 0xb2, 0x1b]),
    ("dead", [0x3b, 0x2f, 0x2a]),
    ("harvested", [0xef, 0xe0, 0xa6]),
];
