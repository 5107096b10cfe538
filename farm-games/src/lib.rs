#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![warn(clippy::unwrap_used)]

farm_core::label_table!(English, include_str!("../labels/en.yaml"));
farm_core::label_table!(French, include_str!("../labels/fr.yaml"));

pub mod baseline;
pub mod catalogue;
pub mod contexts;
pub mod error_examples;
mod errors;
pub mod families;
mod family_game;
pub mod farmers;
pub mod first_season;
pub mod learners;
pub mod level;
mod opening;
pub mod policies;
pub mod python;
mod read_back;
mod rehearsal;
pub mod rules;
pub mod schema;

pub use catalogue::{CATALOGUE, CatalogueEntry, FORMER};
pub use errors::{FarmerError, LevelError, PolicyError, RehearsalError};
pub use family_game::{FamilyGame, FamilyScore, FamilyWorld, check_split, rules_split};
pub use level::LevelFile;
pub use opening::{GameDocument, GameName, Options, change, compile, document, document_with, is_file, locate, open};
pub use policies::policy;
pub use read_back::read_back;
pub use rehearsal::{Rehearsal, rehearse};

// Referenced, so that the linker keeps the registrations of these crates.
pub use {farm_entities, farm_scoring};

/// The Rust code of the README, compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;

/// The Rust code of the documentation pages, compiled and run with the tests.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../../docs/entity-in-rust.md")]
    struct EntityInRust;
    #[doc = include_str!("../../docs/score.md")]
    struct Score;
    #[doc = include_str!("../../docs/text-channel.md")]
    struct TextChannel;
}
