//! Errors when writing results.

use std::io;
use std::path::{Path, PathBuf};

/// Reasons why a result was not written.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// A file cannot be written.
    #[error("{path} can't be written", path = path.display())]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// The reason.
        #[source]
        error: io::Error,
    },
    /// An image, a film or a table cannot be encoded.
    #[error("the {what} can't be encoded: {message}")]
    Encode {
        /// The format.
        what: &'static str,
        /// The encoder's message.
        message: String,
    },
    /// The format is not part of this build.
    #[error("this program was built without {what}: build it with `--features {feature}`")]
    LeftOut {
        /// The format.
        what: &'static str,
        /// The crate feature that adds this format.
        feature: &'static str,
    },
}

impl OutputError {
    /// Returns a function that turns the system's reason into the error for this file or folder.
    pub fn write(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |error| Self::Write { path: path.to_owned(), error }
    }
}
