//! The codes of the rules of a game: where it starts, what may be done, what is seen.

use crate::codes;

codes! {
    /// The rules of a game: where it starts, what may be done, what is seen.
    pub enum RuleError: "rules" {
        /// This is not a mapping from fields to entities to names.
        ///
        /// What the rules say of a part stands below its field and its name.
        NotATree = "not-a-tree",
        /// The farmer has no permission for the field.
        ///
        /// What it is allowed there could never be done. Leave the line out, or open the field in the farmer's `permissions`.
        NoPermission = "no-permission",
        /// The rules allow more than the action does.
        ///
        /// Each action declares the widest range of its parameters.
        RangeTooWide = "range-too-wide",
        /// No value of a parameter is allowed, so that the action can never be taken.
        ///
        /// Allow at least one value, or leave the action out.
        NoValueAllowed = "no-value-allowed",
        /// An observation has a key that the engine uses itself.
        ///
        /// Give the observation another key.
        ReservedKey = "reserved-key",
        /// The rules speak of something that does not happen in this game.
        ///
        /// Nothing is asked for where all that is seen is seen for free, so that neither requests nor their prices have an effect.
        NoEffect = "no-effect",
        /// The game starts with a value that is possible and makes little sense.
        ///
        /// It was meant for another unit, another size of the plots or another soil, for example.
        ImplausibleStart = "implausible-start",
        /// All amounts that the rules offer are far from what a farmer would choose.
        ///
        /// They were meant for another unit or another size of the plots, for example.
        ImplausibleAmount = "implausible-amount",
    }
}
