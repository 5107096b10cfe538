//! Rules, farmers, policies and the catalogue of games.
//!
//! A dependency on this crate links every part in the project: `use farm_games as _;` is enough to register them.
//!
//! A policy plays an episode while an [observer](farm_core::Observer) watches:
//!
//! ```
//! use farm_core::{Observer, ObserverError, Transition, play};
//!
//! /// On how many days something was done.
//! #[derive(Default)]
//! struct BusyDays(u32);
//!
//! impl Observer for BusyDays {
//!     fn after_step(&mut self, transition: &Transition<'_>) -> Result<(), ObserverError> {
//!         self.0 += u32::from(!transition.record.executed().is_empty());
//!         Ok(())
//!     }
//! }
//!
//! let game = farm_games::open("clay_bean", &farm_games::Options::default()).unwrap();
//! let mut player = farm_games::policy(&game, "expert").unwrap();
//! let mut busy = BusyDays::default();
//! let episode = play(&game, player.as_mut(), 7, &mut busy).unwrap();
//! assert!(episode.total() > 0.0 && 0 < busy.0 && u64::from(busy.0) < episode.steps());
//! ```

#![forbid(unsafe_code)]
#![warn(clippy::unwrap_used)]

farm_core::label_table!(English, include_str!("../labels/en.yaml"));
farm_core::label_table!(French, include_str!("../labels/fr.yaml"));

pub mod catalogue;
pub mod error_examples;
mod errors;
pub mod families;
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
