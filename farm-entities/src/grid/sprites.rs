//! The sprites of the grid games, found by the names of terrains and stages in a game.

use farm_core::declare::Sprite;

macro_rules! sprite {
    ($name:literal) => {
        include_str!(concat!("sprites/", $name, ".svg"))
    };
}

/// The ground under all things.
pub(super) const GROUND: &str = sprite!("ground");
/// An animal's products, ready to collect.
pub(super) const PRODUCTS: &str = sprite!("products");

/// The sprite of a terrain without animals or neighbours. For names without a sprite, it is a labelled tile.
pub(super) fn terrain(name: &str) -> Sprite {
    let svg = match name {
        "ground" | "grass" => Some(GROUND),
        "fence" | "wall" => Some(sprite!("fence")),
        "obstacle" | "rock" => Some(sprite!("rock")),
        "field" | "soil_empty" => Some(sprite!("bed_empty")),
        "soil_seeded" => Some(sprite!("bed_seed")),
        "crop_growing" => Some(sprite!("bed_young")),
        "crop_mature" => Some(sprite!("bed_ripe")),
        "market" => Some(sprite!("market")),
        _ => None,
    };
    Sprite::or_label(svg, name)
}

/// The sprite of a thing with an unknown stage or mood. For names without a sprite, it is the sprite of the terrain.
pub(super) fn thing_alone(name: &str) -> Sprite {
    match name {
        "pen" => Sprite::from(sprite!("pen")),
        "house" | "villager" => Sprite::from(sprite!("house")),
        "barn_cow" => Sprite::from(sprite!("barn_cow")),
        "barn_sheep" => Sprite::from(sprite!("barn_sheep")),
        "barn_chicken" => Sprite::from(sprite!("barn_chicken")),
        _ => terrain(name),
    }
}

/// The sprite of a thing on a terrain, in a stage or mood. For names without a sprite, it is a labelled tile.
pub(super) fn thing(terrain: &str, stage: &str) -> Sprite {
    let svg = match (terrain, stage.to_lowercase().as_str()) {
        ("field", "seed") => Some(sprite!("bed_seed")),
        ("field", "sprout") => Some(sprite!("bed_sprout")),
        ("field", "young") => Some(sprite!("bed_young")),
        ("field", "harvestready") => Some(sprite!("bed_ripe")),
        ("pen", "weak") => Some(sprite!("pen_weak")),
        ("pen", "okay") => Some(sprite!("pen_okay")),
        ("pen", "thriving") => Some(sprite!("pen_thriving")),
        ("house", "hostile") => Some(sprite!("house_hostile")),
        ("house" | "villager", "neutral") => Some(sprite!("house_neutral")),
        ("house" | "villager", "friendly") => Some(sprite!("house_friendly")),
        ("barn_cow", "hungry") => Some(sprite!("barn_cow_hungry")),
        ("barn_cow", "sated") => Some(sprite!("barn_cow_sated")),
        ("barn_sheep", "hungry") => Some(sprite!("barn_sheep_hungry")),
        ("barn_sheep", "sated") => Some(sprite!("barn_sheep_sated")),
        ("barn_chicken", "hungry") => Some(sprite!("barn_chicken_hungry")),
        ("barn_chicken", "sated") => Some(sprite!("barn_chicken_sated")),
        _ => None,
    };
    Sprite::or_label(svg, stage)
}

/// The past participle of a verb in a game, and the badge that marks it. Unknown verbs get the verb itself and a hand.
pub(super) fn verb(name: &str) -> (String, &'static str) {
    macro_rules! badge {
        ($name:literal) => {
            include_str!(concat!("../agronomy/sprites/badges/", $name, ".svg"))
        };
    }
    let (done, badge) = match name {
        "UseWateringCan" => ("watered", badge!("drop")),
        "SpreadFertilizer" => ("fertilised", badge!("bag")),
        "Feed" => ("fed", badge!("hand")),
        "CleanPen" => ("cleaned", badge!("broom")),
        "Compliment" => ("paid a compliment", badge!("heart")),
        "Insult" => ("insulted", badge!("bolt")),
        _ => return (in_words(name), badge!("hand")),
    };
    (done.to_owned(), badge)
}

macro_rules! named_sprites {
    ($($name:literal),* $(,)?) => {
        /// The sprites that a game can name.
        pub(super) const NAMED: &[(&str, &str)] = &[$(($name, sprite!($name))),*];
    };
}

named_sprites![
    "barn_chicken",
    "barn_chicken_hungry",
    "barn_chicken_sated",
    "barn_cow",
    "barn_cow_hungry",
    "barn_cow_sated",
    "barn_sheep",
    "barn_sheep_hungry",
    "barn_sheep_sated",
    "bed_empty",
    "bed_ripe",
    "bed_seed",
    "bed_sprout",
    "bed_young",
    "fence",
    "ground",
    "house",
    "house_friendly",
    "house_hostile",
    "house_neutral",
    "market",
    "pen",
    "pen_okay",
    "pen_thriving",
    "pen_weak",
    "products",
    "rock",
];

/// The sprite with this name, if there is one.
pub(super) fn named(name: &str) -> Option<Sprite> {
    NAMED.iter().find(|(known, _)| *known == name).map(|(_, svg)| Sprite::from(*svg))
}

/// A name in a game, as words: `barn_cow` becomes "barn cow", and `HarvestReady` becomes "harvest ready".
pub(super) fn in_words(name: &str) -> String {
    let mut words = String::new();
    for c in name.chars() {
        if c.is_uppercase() && !words.is_empty() && !words.ends_with(' ') {
            words.push(' ');
        }
        words.extend(if c == '_' { ' ' } else { c }.to_lowercase());
    }
    words
}
