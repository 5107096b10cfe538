//! Errors from a remote player of blocks.

use farm_core::RemoteError;
use farm_search::SearchError;
use farm_study::RunError;

/// The error from a remote player, if the error is one.
pub(crate) fn error(error: &anyhow::Error) -> Option<&RemoteError> {
    match (error.downcast_ref(), error.downcast_ref()) {
        (Some(SearchError::Remote(error)), _) | (_, Some(RunError::Remote(error))) => Some(error),
        _ => None,
    }
}
