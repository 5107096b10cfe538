//! The codes of files in the format of the Farm-gym reference.

use farm_core::codes;

codes! {
    /// Game files in the format of the Farm-gym reference, and files in its layout.
    pub enum ReferenceError: "reference format" {
        /// A name of the file is not read, or another value counts instead.
        ///
        /// The reference has things that it reads and does not use, or that these games do in another way.
        LeftOut = "left-out",
        /// What a file in the paper's layout says does not fit the rule of the game.
        ///
        /// Initial conditions, actions and scores in that layout are parts of the rule `BasicRule`.
        NotThisRule = "not-this-rule",
    }
}
