//! The codes of names that mean nothing, or not what is wanted.

use crate::codes;

codes! {
    /// Names of fields, parts, variables and the like that a text refers to.
    pub enum NameError: "names" {
        /// There is no field of this name, or no part of the farm where that is meant.
        ///
        /// Fields are named in the game's file, `Field-0` and so on.
        UnknownField = "unknown-field",
        /// There is no part of this name.
        ///
        /// A part is named after its kind and its rank, `Soil-0`; in a reference its field stands before it.
        UnknownPart = "unknown-part",
        /// The part has no variable of this name.
        ///
        /// Each kind declares its variables; a name ends in its unit.
        UnknownVariable = "unknown-variable",
        /// The variable has no entry at this path.
        ///
        /// A plot is written `'(0, 0)'`, counted from 0, and lies within the field.
        UnknownEntry = "unknown-entry",
        /// This is not a reference to a variable.
        ///
        /// A variable is named by its field, its part, its name, and a path where it has several values.
        NotAVariable = "not-a-variable",
        /// A name stands for several things, and one is wanted.
        ///
        /// Say which one, by the name of its field or its part.
        AmbiguousName = "ambiguous-name",
        /// The variable is computed when it is observed, and is not kept in the state.
        ///
        /// It can't be set, and nothing can depend on it. Use the variables that it is computed from.
        ComputedVariable = "computed-variable",
        /// The variable is hidden and can't be observed.
        ///
        /// A kind hides what nobody could see on a real farm.
        HiddenVariable = "hidden-variable",
        /// The variable is not observed in this game.
        ///
        /// A policy looks at what a learner sees. Add the variable to the free observations of the rules.
        NotObserved = "not-observed",
        /// This is not a value of the variable.
        ///
        /// A category has a list of words, a count has whole numbers, a flag is `true` or `false`.
        WrongValue = "wrong-value",
        /// There is no action of this name.
        ///
        /// Each kind declares its actions, and the rules of a game allow some of them.
        UnknownAction = "unknown-action",
        /// No part emits an event of this name.
        ///
        /// Each kind declares its events.
        UnknownEvent = "unknown-event",
        /// There is no game of this name.
        ///
        /// A name without a path is looked up in the catalogue; a file is given by its path, `./game.yaml`.
        UnknownGame = "unknown-game",
        /// The game has no level of this name.
        ///
        /// A name without a path is looked up among the levels that are shipped; a file is given by its path.
        UnknownLevel = "unknown-level",
        /// The game has no policy of this name, or none at all.
        ///
        /// Policies stand in the game's file under `policies:`.
        UnknownPolicy = "unknown-policy",
        /// There is nothing of this name.
        ///
        /// The command says where its names are listed.
        UnknownName = "unknown-name",
    }
}
