//! The codes of files in the format of the Farm-gym reference.

use farm_core::codes;

codes! {
    /// Game files in the format of the Farm-gym reference, and files in its layout.
    pub enum ReferenceError: "reference format" {
        /// A name in the file is ignored, or another value is used instead.
        ///
        /// The reference reads some names without using them, and these games do some things differently.
        LeftOut = "left-out",
        /// A file in the paper's layout does not fit the rule of the game.
        ///
        /// Initial conditions, actions and scores in that layout are parts of the rule `BasicRule`.
        NotThisRule = "not-this-rule",
    }
}
