//! Rejected requests of a class.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;

use crate::episode::Untaken;
use crate::fields::Invalid;
use crate::playground::PlaygroundError;

/// The reason for rejecting a request of a class.
#[derive(Debug, thiserror::Error)]
pub(super) enum ClassError {
    /// No pupil has this key.
    #[error("this class does not know you: join it again")]
    Unknown,
    /// The code is not that of the class.
    #[error("this is not the code of the class: open the address that the teacher shows")]
    Code,
    /// The name is not valid, or taken.
    #[error(transparent)]
    Invalid(#[from] Invalid),
    /// The request belongs to another season than the class's.
    #[error("the teacher has chosen another season")]
    Season,
    /// The class does not play now.
    #[error("the teacher has not started the season, or has stopped it")]
    Stopped,
    /// The request shows what pupils see only after their season.
    #[error("you can see this when your season is over")]
    NotOver,
    /// The season can't be played.
    #[error(transparent)]
    Playground(#[from] PlaygroundError),
    /// The session can't be played.
    #[error(transparent)]
    Session(#[from] Untaken),
}

impl IntoResponse for ClassError {
    fn into_response(self) -> Response {
        let status = match self {
            Self::Playground(error) => return error.into_response(),
            Self::Unknown | Self::Code => StatusCode::FORBIDDEN,
            Self::Invalid(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Self::Season => StatusCode::CONFLICT,
            Self::Stopped | Self::NotOver => StatusCode::LOCKED,
            Self::Session(_) => StatusCode::INTERNAL_SERVER_ERROR,
        };
        (status, Json(json!({ "error": self.to_string() }))).into_response()
    }
}
