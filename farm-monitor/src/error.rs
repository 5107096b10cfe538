//! What can go wrong when a recording is written.

use std::path::{Path, PathBuf};

use farm_render::RenderError;

/// Why a recording is not where it should be.
#[derive(Debug, thiserror::Error)]
pub enum MonitorError {
    /// A file can't be written.
    #[error("{path} can't be written", path = path.display())]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        #[source]
        error: std::io::Error,
    },
    /// A table can't be encoded.
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
    /// A picture can't be drawn or written.
    #[error(transparent)]
    Picture(RenderError),
}

impl From<RenderError> for MonitorError {
    fn from(error: RenderError) -> Self {
        match error {
            RenderError::Write { path, error } => Self::Write { path, error },
            other => Self::Picture(other),
        }
    }
}

impl MonitorError {
    /// Of a file or folder, what the system said.
    pub(crate) fn write(path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        move |error| Self::Write { path: path.to_owned(), error }
    }
}
