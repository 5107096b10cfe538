//! Error codes for kinds of parts and their parameter sets.

use crate::codes;

codes! {
    /// Kinds of parts and their parameter sets.
    pub enum KindError: "kinds" {
        /// No kind has this name.
        ///
        /// The key of a part is its kind, which this program or one of its plugins registers.
        UnknownKind = "unknown-kind",
        /// The kind exists, but only another program can play it.
        ///
        /// A Python class needs Python. Open the game there.
        PlaysElsewhere = "plays-elsewhere",
        /// The value is not a valid part.
        ///
        /// Write a part as `Kind`, `Kind: set` or `Kind: {base: set, parameter: value}`.
        NotAPart = "not-a-part",
        /// A parameter is outside its kind.
        ///
        /// Indent the parameter below its kind.
        BesideItsKind = "beside-its-kind",
        /// The kind has no parameter set of this name.
        ///
        /// A parameter set is a named list of values, such as a crop or a soil.
        UnknownParameterSet = "unknown-parameter-set",
        /// The part does not read this parameter because of the value of another parameter.
        ///
        /// The value has no effect. Remove it, or write the parameter that is read.
        ParameterNotRead = "parameter-not-read",
    }
}
