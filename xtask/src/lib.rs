//! What the tasks of the repository share: where it is, and the tasks that `xtask-generate` carries out.
//!
//! `cargo xtask` itself builds in seconds, so that a skeleton is written soon after a clone. What needs the games, the documentation's
//! tools or random laws stands in the crate `xtask-generate`, which `cargo xtask` builds and starts.

#![forbid(unsafe_code)]
#![warn(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use clap::Subcommand;

/// The tasks of `xtask-generate`. Both programs read them, so that `cargo xtask TASK --help` answers at once.
#[derive(Debug, Subcommand)]
pub enum Generate {
    /// Writes the built-in weather of Montpellier from its climate normals
    Weather {
        /// Compares instead of writing
        #[arg(long)]
        check: bool,
    },
    /// Writes the index of equations from the sources: which function implements which, and which test checks it
    Equations {
        /// Compares instead of writing, and asks for a function and a test of each equation
        #[arg(long)]
        check: bool,
    },
    /// Writes the levels that come with the games, from their fixed seeds
    Levels {
        /// Compares instead of writing
        #[arg(long)]
        check: bool,
    },
    /// Plays the studies of doses and responses, draws their curves, and writes what holds into the page "How right is it?"
    Curves {
        /// Compares instead of writing
        #[arg(long)]
        check: bool,
    },
    /// Writes the JSON Schemas of game files, of levels and of parameter sets from the declarations of all kinds
    Schema {
        /// Compares instead of writing
        #[arg(long)]
        check: bool,
    },
    /// Builds the documentation site, with reference pages of everything that is registered, and follows its links
    Docs {
        /// Only checks: builds into a folder that is removed again
        #[arg(long)]
        check: bool,
    },
    /// Writes start, actions and score of a game into files of their own, with every entry that the game could have
    Template {
        /// A game of the catalogue, or the path of a YAML file
        game: String,
        /// The folder to write into
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
        /// A variant that the game names
        #[arg(long)]
        preset: Option<String>,
        /// Writes over files that are there
        #[arg(long)]
        force: bool,
    },
}

/// The top of the repository, from the crate that cargo runs or, without cargo, from the crate that was built. Cargo says where the crate is
/// when it runs it, wherever the repository has been moved.
pub fn repository(built: &str) -> PathBuf {
    let here = std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| PathBuf::from(built), PathBuf::from);
    let top = here.ancestors().find(|folder| folder.join("Cargo.lock").is_file() && folder.join("xtask").is_dir());
    top.map_or_else(PathBuf::new, Path::to_path_buf)
}

/// The folder of everything that is built.
pub fn target(root: &Path) -> PathBuf {
    root.join(std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from("target"), PathBuf::from))
}
