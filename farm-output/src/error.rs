//! What can go wrong when results are written.

use std::io;
use std::path::{Path, PathBuf};

/// Why a result is not where it should be.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// A file can't be written.
    #[error("{path} can't be written", path = path.display())]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        #[source]
        error: io::Error,
    },
    /// An image, a film or a table can't be encoded.
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

impl OutputError {
    /// Of a file or folder, what the system said.
    pub fn write(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |error| Self::Write { path: path.to_owned(), error }
    }
}
