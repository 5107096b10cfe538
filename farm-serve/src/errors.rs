//! Why a server does not begin, or ends.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

use farm_core::config::Problems;

/// Why a server does not begin, or ends.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// A game can't be opened.
    #[error(transparent)]
    Game(#[from] Problems),
    /// The address is reachable by others, and nothing keeps them out.
    #[error(
        "{0} can be reached from other machines: anyone there could play. `--token-env VARIABLE` names the environment variable that \
         holds the token that clients must send; without `--host` the server listens on 127.0.0.1 alone"
    )]
    TokenMissing(SocketAddr),
    /// A token that is too short to keep anyone out.
    #[error("the token has {0} characters: at least {min} are needed", min = crate::guard::MIN_TOKEN_LENGTH)]
    TokenTooShort(usize),
    /// The address can't be listened on.
    #[error("{address} can't be listened on: {error}")]
    Bind {
        /// The address.
        address: SocketAddr,
        /// What the system said.
        error: io::Error,
    },
    /// What is played can't be recorded.
    #[error("episodes can't be recorded in {folder}: {error}", folder = folder.display())]
    Record {
        /// The folder.
        folder: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// The system gives no threads or no sockets.
    #[error("the server can't run: {0}")]
    Io(io::Error),
}

/// Without `source`: the sentence has it, and whoever prints the causes of an error, too, would say it twice.
impl From<io::Error> for ServeError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}
