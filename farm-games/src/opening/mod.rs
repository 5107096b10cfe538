//! Opening a game, from its name to the compiled game. Each stage returns a value of its own type and calls only the next stage.
//!
//! | file | stage | value |
//! |---|---|---|
//! | `name.rs` | what a text names: a game in the catalogue, a member of a family, or a file | [`GameName`] |
//! | `name.rs` | its text, with its author and its folder | [`Source`](farm_core::config::Source) |
//! | `document.rs` | its values, with its files and its base game | [`GameDocument`] |
//! | `options.rs` | a copy of the values with a preset, a level and other changes | [`Document`] |
//! | `compile.rs` | its specification with its plugins, then the game | [`GameSpec`](farm_core::spec::GameSpec), [`Game`] |
//!
//! `extends.rs` reads the key that names a base game. This name goes through the first three stages. `check.rs` compiles all variants of a
//! game and collects their problems.

mod check;
mod compile;
mod document;
mod extends;
mod name;
mod options;

pub use compile::compile;
pub use document::GameDocument;
pub(crate) use name::if_missing;
pub use name::{GameName, is_file};
pub use options::{Options, change};

use farm_core::Game;
use farm_core::config::{Consent, Document, Problems};

/// Opens a game by its name or its path.
///
/// `game` is one of these:
/// * a name in the catalogue: `clay_bean` for the newest version, or `clay_bean-v0` for a fixed one;
/// * a member of a [family](crate::families): `backwards_valley@rules=7`;
/// * the path of a YAML file: any string that contains a `/`, or ends with `.yaml` or `.yml`.
///
/// # Errors
/// All problems in the file, with their locations; for an unknown name, the nearest name.
pub fn open(game: &str, options: &Options) -> Result<Game, Problems> {
    GameDocument::read(game, options.consent())?.open(options)
}

/// Adds locations to problems of a compiled game: the place of each value in its file, preset, level or option.
pub fn locate(game: &str, options: &Options, problems: Problems) -> Problems {
    match GameDocument::read(game, options.consent()).and_then(|document| document.changed(options)) {
        Ok(document) => document.locate(problems),
        // The game was opened before. If its file has changed since, the problems are reported without locations.
        Err(_) => problems,
    }
}

/// The parsed text of a game in the catalogue or in a file, with all its included files.
///
/// A file in the format of the Farm-gym reference is translated. All files must be in the game's folder or in its subfolders.
///
/// # Errors
/// The game or the file does not exist, the text is not valid YAML, or an included file is missing.
pub fn document(game: &str) -> Result<Document, Problems> {
    document_with(game, Consent::default())
}

/// The same, with the user's permissions.
///
/// # Errors
/// As for [`document`].
pub fn document_with(game: &str, consent: Consent) -> Result<Document, Problems> {
    GameDocument::read(game, consent).map(GameDocument::into_document)
}
