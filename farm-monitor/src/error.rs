//! What can go wrong when a recording is written.

use std::path::PathBuf;

/// Why a recording is not where it should be.
#[derive(Debug, thiserror::Error)]
pub enum MonitorError {
    /// A file can't be written.
    #[error("the monitoring can't be written to {path}", path = path.display())]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        #[source]
        error: std::io::Error,
    },
    /// A picture or a table can't be encoded.
    #[error("the {what} can't be encoded: {message}")]
    Encode {
        /// Which format.
        what: &'static str,
        /// What the encoder says.
        message: String,
    },
    /// The format was left out when the program was built.
    #[error("this program was built without {what}: build it with `--features {feature}`")]
    LeftOut {
        /// Which format.
        what: &'static str,
        /// The feature of the crate that has it.
        feature: &'static str,
    },
}
