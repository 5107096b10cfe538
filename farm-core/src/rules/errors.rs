//! Error codes for a game's rules: its start, actions and observations.

use crate::codes;

codes! {
    /// The rules of a game: its start, actions and observations.
    pub enum RuleError: "rules" {
        /// The value is not a mapping from fields to entities to names.
        ///
        /// Write the rules of a part below its field and its name.
        NotATree = "not-a-tree",
        /// The farmer has no permission for the field.
        ///
        /// The farmer could never use this action. Remove the line, or add the field to the farmer's `permissions`.
        NoPermission = "no-permission",
        /// The rules allow a wider range than the action declares.
        ///
        /// Each action declares the widest range of its parameters.
        RangeTooWide = "range-too-wide",
        /// No value of a parameter is allowed, so the action can never be taken.
        ///
        /// Allow at least one value, or leave the action out.
        NoValueAllowed = "no-value-allowed",
        /// An observation has a key that is reserved for the engine.
        ///
        /// Give the observation another key.
        ReservedKey = "reserved-key",
        /// A setting has no effect in this game.
        ///
        /// If all observations are free of charge, requests for observations and their prices have no effect.
        NoEffect = "no-effect",
        /// The game starts with a value that is possible but implausible.
        ///
        /// It may be meant for another unit, another plot size or another soil.
        ImplausibleStart = "implausible-start",
        /// All amounts that the rules offer are unusual for a farmer.
        ///
        /// They may be meant for another unit or another plot size.
        ImplausibleAmount = "implausible-amount",
    }
}
