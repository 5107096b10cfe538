#![doc = include_str!("../README.md")]
//!
//! # Details
//!
//! Everything is checked before anything is written, and no existing file is overwritten. To build within seconds, this crate depends on
//! none of the other crates. Its callers therefore pass the names that are taken.

#![forbid(unsafe_code)]
#![warn(clippy::unwrap_used)]

mod edit;
mod entity;
mod game;
mod name;
mod plan;
mod plugin;
mod repository;
mod season;
mod sort;

use std::path::Path;

use anyhow::Result;

pub use name::Name;
pub use plan::{ScaffoldPlan, Taken, filled};
pub use plugin::NewPlugin;
pub use repository::find_repository;
pub use season::{Season, SeasonField, USUAL_PLACE, USUAL_WEATHER};
pub use sort::Sort;

/// Plans an entity in the project, in the repository at `root`.
///
/// # Errors
/// Fails if the name is taken or invalid, or if files already exist.
pub fn entity(root: &Path, name: &str, taken: &Taken) -> Result<ScaffoldPlan> {
    entity::plan(root, &Name::parse(name)?, taken)
}

/// Plans a built-in game, in the repository at `root`.
///
/// # Errors
/// As for [`entity()`].
pub fn game(root: &Path, name: &str, taken: &Taken) -> Result<ScaffoldPlan> {
    game::plan_for_catalogue(root, &Name::parse(name)?, taken)
}

/// Plans a user's game: the file `NAME.yaml` in a folder. The next steps that are printed use `program` as the command.
///
/// # Errors
/// As for [`entity()`].
pub fn game_file(folder: &Path, name: &str, taken: &Taken, program: &str) -> Result<ScaffoldPlan> {
    game::plan_for_file(folder, &Name::parse(name)?, taken, program)
}

/// Plans a user's game with crops and a season: the file `NAME.yaml` in a folder. See [`game_file`].
///
/// # Errors
/// As for [`entity()`].
pub fn season_file(folder: &Path, name: &str, taken: &Taken, program: &str, season: &Season) -> Result<ScaffoldPlan> {
    season::plan(folder, &Name::parse(name)?, taken, program, season)
}

/// Plans a crate with a part of any type, and a game that uses it.
///
/// # Errors
/// As for [`entity()`].
pub fn plugin(new: &NewPlugin<'_>, taken: &Taken) -> Result<ScaffoldPlan> {
    plugin::plan(new, &Name::parse(new.name)?, taken)
}
