//! The codes of actions that can't be read or are not allowed.

use crate::codes;

codes! {
    /// Actions, as players, policies and language models write them.
    pub enum ActionError: "actions" {
        /// This is not a valid action.
        ///
        /// An action is a name, or a list `[farmer, field, entity, name, {parameter: value}]`.
        NotAnAction = "not-an-action",
        /// The text has no action, or goes on in a way in which none can be found.
        ///
        /// Write the action alone, or as the text's last line.
        NoActionFound = "no-action-found",
        /// There is no farmer of this name.
        ///
        /// Farmers are named after their kind and their rank, `BasicFarmer-0`.
        UnknownFarmer = "unknown-farmer",
        /// The farmer may not do this in this game.
        ///
        /// The rules of a game say which actions there are, and who may take them.
        ActionNotAllowed = "action-not-allowed",
        /// The action has no parameter of this name.
        ///
        /// Each action declares its parameters.
        UnknownArgument = "unknown-argument",
        /// The parameter of the action does not have this value, or has none.
        ///
        /// The rules of a game allow some of the values that an action declares.
        WrongArgument = "wrong-argument",
        /// Several parts or farmers could be meant.
        ///
        /// Say which, by the name of the field, the part or the farmer.
        AmbiguousAction = "ambiguous-action",
        /// The text has more actions than a step takes.
        ///
        /// A farmer does a limited number of things a day.
        TooManyInOneStep = "too-many-in-one-step",
    }
}
