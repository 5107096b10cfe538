//! Errors that prevent a server from starting, stop it, or end a recorded episode.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use farm_core::config::Problems;

/// Errors that prevent a server from starting, or stop it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// A game can't be opened.
    #[error(transparent)]
    Game(#[from] Problems),
    /// The address is reachable from other machines, and no token is set.
    #[error(
        "{0} is reachable from other machines, so a token is required. Pass `--token-env VARIABLE` with the name of the environment \
         variable that holds the token; clients must send it. Without `--host`, the server listens only on 127.0.0.1"
    )]
    TokenMissing(SocketAddr),
    /// The token is too short to be safe.
    #[error("the token has {0} characters; it needs at least {min}", min = crate::guard::MIN_TOKEN_LENGTH)]
    TokenTooShort(usize),
    /// The server can't listen on the address.
    #[error("can't listen on {address}: {error}")]
    Bind {
        /// The address.
        address: SocketAddr,
        /// The error from the operating system.
        error: io::Error,
    },
    /// Episodes can't be recorded.
    #[error("episodes can't be recorded in {folder}: {error}", folder = folder.display())]
    Record {
        /// The folder.
        folder: PathBuf,
        /// The error from the operating system.
        error: io::Error,
    },
    /// A class can't be opened.
    #[error("the class can't be opened: {file}: {reason}", file = file.display())]
    Class {
        /// The file of the class.
        file: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// The operating system provides no threads or no sockets.
    #[error("the server can't run: {0}")]
    Io(io::Error),
}

/// Sets no `source`: the message already contains the error, so code that prints all causes would print the error twice.
impl From<io::Error> for ServeError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// The reason why an episode can't be recorded and has therefore ended. Clients read the reason, so only the log names the file.
#[derive(Debug, Clone, thiserror::Error)]
#[error("the record of an episode can't be written: {0}; the episode has ended")]
pub(crate) struct RecordError(pub(crate) Arc<io::Error>);
