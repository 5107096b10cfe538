//! The codes of kinds of parts and of their parameter sets.

use crate::codes;

codes! {
    /// Kinds of parts and their parameter sets.
    pub enum KindError: "kinds" {
        /// There is no kind of this name.
        ///
        /// A part is named by its kind, which this program or one of its plugins registers.
        UnknownKind = "unknown-kind",
        /// The kind exists, and plays in another program only.
        ///
        /// A Python class needs Python. Open the game there.
        PlaysElsewhere = "plays-elsewhere",
        /// This is not a valid part.
        ///
        /// A part is written `Kind`, `Kind: set` or `Kind: {base: set, parameter: value}`.
        NotAPart = "not-a-part",
        /// A parameter stands beside the kind that has it, and not within it.
        ///
        /// Indent the parameter so that it stands below its kind.
        BesideItsKind = "beside-its-kind",
        /// The kind has no parameter set of this name.
        ///
        /// A parameter set is a named list of values, such as a crop or a soil.
        UnknownParameterSet = "unknown-parameter-set",
        /// The part does not read the parameter, as another parameter says.
        ///
        /// What is written would have no effect. Leave it out, or write what is read instead.
        ParameterNotRead = "parameter-not-read",
    }
}
