//! Error codes for names that do not exist or have the wrong meaning.

use crate::codes;

codes! {
    /// Names of fields, parts, variables and other things that a text refers to.
    pub enum NameError: "names" {
        /// Neither a field nor a part of the farm has this name.
        ///
        /// The game file names the fields: `Field-0` and so on.
        UnknownField = "unknown-field",
        /// No part has this name.
        ///
        /// A part's name is its kind and its rank: `Soil-0`. In a reference, the field comes first.
        UnknownPart = "unknown-part",
        /// The part has no variable with this name.
        ///
        /// Each kind declares its variables. A name ends with its unit.
        UnknownVariable = "unknown-variable",
        /// The variable has no element at this path.
        ///
        /// Write a plot as `'(0, 0)'`, counted from 0. It must be inside the field.
        UnknownEntry = "unknown-entry",
        /// This is not a reference to a variable.
        ///
        /// A reference consists of the field, the part, the variable and, if it has several values, a path.
        NotAVariable = "not-a-variable",
        /// A name is ambiguous: it refers to several things.
        ///
        /// Add the name of the field or the part.
        AmbiguousName = "ambiguous-name",
        /// The variable is computed on observation and is not part of the state.
        ///
        /// It cannot be set, and no rule can depend on it. Use the variables from which it is computed.
        ComputedVariable = "computed-variable",
        /// The variable is hidden and cannot be observed.
        ///
        /// Kinds hide the variables that no farmer could see on a real farm.
        HiddenVariable = "hidden-variable",
        /// This game does not observe the variable.
        ///
        /// A policy reads the same observation as a learner. Add the variable to the free observations of the rules.
        NotObserved = "not-observed",
        /// The variable does not accept this value.
        ///
        /// A category accepts its own words, a count accepts integers, and a flag accepts `true` or `false`.
        WrongValue = "wrong-value",
        /// No action has this name.
        ///
        /// Each kind declares its actions, and the rules of a game allow some of them.
        UnknownAction = "unknown-action",
        /// No part emits an event with this name.
        ///
        /// Each kind declares its events.
        UnknownEvent = "unknown-event",
        /// No game has this name.
        ///
        /// A name without a path is looked up in the catalogue. Give a file by its path: `./game.yaml`.
        UnknownGame = "unknown-game",
        /// The game has no level or split with this name.
        ///
        /// A name without a path is looked up among the included levels. Give a file by its path.
        UnknownLevel = "unknown-level",
        /// The game has no policy with this name, or no policies.
        ///
        /// Policies are in the game file, under `policies:`.
        UnknownPolicy = "unknown-policy",
        /// Nothing has this name.
        ///
        /// The message names the command that lists all names.
        UnknownName = "unknown-name",
    }
}
