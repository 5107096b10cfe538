//! Errors in playground requests.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use farm_core::config::{Problem, Problems};
use farm_output::OutputError;
use farm_render::RenderError;
use serde_json::json;

use super::words::{told, told_all};

/// Errors in playground requests.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PlaygroundError {
    /// The game or a given name has problems.
    #[error(transparent)]
    Game(#[from] Problems),
    /// An action can't be read.
    #[error("step {step}: {problem}")]
    Unreadable {
        /// The step, from 1.
        step: usize,
        /// The reason.
        problem: Box<Problem>,
    },
    /// There are too many steps.
    #[error("the episode has {given} steps; the playground plays at most {most} of this game")]
    TooLong {
        /// The given number of steps.
        given: usize,
        /// The maximum.
        most: usize,
    },
    /// The policy would plan in a world that agents are measured in.
    #[error(
        "the seed is reserved for the split `{split}`, whose worlds `{policy}` does not plan here: choose another seed"
    )]
    Reserved {
        /// The policy.
        policy: String,
        /// The split.
        split: &'static str,
    },
    /// The request is not valid.
    #[error("the request can't be read: {0}")]
    Request(String),
    /// A part of the game fails.
    #[error("{0}")]
    Failed(String),
    /// A picture can't be drawn.
    #[error(transparent)]
    Render(#[from] RenderError),
    /// A picture can't be written.
    #[error(transparent)]
    Picture(#[from] OutputError),
    /// There are too many requests at once.
    #[error("the server is busy; try again later")]
    Busy,
}

impl IntoResponse for PlaygroundError {
    fn into_response(self) -> Response {
        let status = match &self {
            Self::Busy => StatusCode::SERVICE_UNAVAILABLE,
            Self::Request(_) => StatusCode::BAD_REQUEST,
            Self::Failed(_) | Self::Render(_) | Self::Picture(_) => StatusCode::INTERNAL_SERVER_ERROR,
            Self::Game(_) | Self::Unreadable { .. } | Self::TooLong { .. } | Self::Reserved { .. } => {
                StatusCode::UNPROCESSABLE_ENTITY
            }
        };
        let problems = match &self {
            Self::Game(problems) => told_all(problems),
            Self::Unreadable { problem, .. } => vec![told(problem)],
            _ => Vec::new(),
        };
        let message = match &self {
            Self::Game(problems) => problems.0.first().map(Problem::sentence).unwrap_or_default(),
            Self::Unreadable { step, problem } => format!("step {step}: {}", problem.sentence()),
            other => other.to_string(),
        };
        (status, Json(json!({ "error": message, "problems": problems }))).into_response()
    }
}
