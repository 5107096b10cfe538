//! Error codes for actions that can't be read or are not allowed.

use crate::codes;

codes! {
    /// Actions that players, policies and language models write.
    pub enum ActionError: "actions" {
        /// This is not a valid action.
        ///
        /// An action is a name, or a list `[farmer, field, entity, name, {parameter: value}]`.
        NotAnAction = "not-an-action",
        /// No action was found in the text.
        ///
        /// Write only the action, or write it on the last line of the text.
        NoActionFound = "no-action-found",
        /// No farmer has this name.
        ///
        /// A farmer's name is its kind and its rank, for example `BasicFarmer-0`.
        UnknownFarmer = "unknown-farmer",
        /// This game does not allow the farmer to take this action.
        ///
        /// The rules of a game define the actions and the farmers that may take them.
        ActionNotAllowed = "action-not-allowed",
        /// The action has no parameter of this name.
        ///
        /// Each action declares its parameters.
        UnknownArgument = "unknown-argument",
        /// The value of a parameter is missing or not allowed.
        ///
        /// The rules of a game may allow only some of the values that an action declares.
        WrongArgument = "wrong-argument",
        /// The action could mean several parts or farmers.
        ///
        /// Add the name of the field, the part or the farmer.
        AmbiguousAction = "ambiguous-action",
        /// The text has more actions than one step allows.
        ///
        /// A farmer takes a limited number of actions a day.
        TooManyInOneStep = "too-many-in-one-step",
    }
}
