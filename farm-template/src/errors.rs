//! The codes of writing a game's parts as files.

use farm_core::codes;

codes! {
    /// Writing a game's parts as files.
    pub enum WriteError: "files of templates" {
        /// The files would be another game than the one that they are made from.
        ///
        /// This is a defect of the program, and nothing was written. Please report it.
        AnotherGame = "another-game",
    }
}
