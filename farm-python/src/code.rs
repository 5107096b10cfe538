//! The codes of parts that are written in Python.

use farm_core::codes;

codes! {
    /// Parts that are written in Python.
    pub(crate) enum PythonError: "python" {
        /// The class of a part, or what it declares, can't be used.
        ///
        /// The message says why.
        WrongClass = "wrong-class",
    }
}
