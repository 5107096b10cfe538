//! An exam in the browser: a person plays from the texts that models read, and creates a run like a model's.
//!
//! | file | contents |
//! |---|---|
//! | `desk.rs` | the exchange of texts and replies between the run and the page |
//! | `agent.rs` | the person as the agent of a run |
//! | `assets/` | the page; files shared with the playground are in `../playground/assets/` |
//!
//! [`farm_agents::Run::play`] plays the run in this process, and the page shows one text at a time. Each reply names the text that it
//! answers. A second reply to the same text, for example from another window or a repeated request, is rejected. Replies can't be undone.

mod agent;
mod desk;

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json as JsonBody, Router};
use farm_core::inspect::RulesText;
use serde_json::{Value as Json, json};
use tokio::time::timeout;

use crate::fields::{self, Invalid};
use crate::playground::{Asset, COMMON, LOGO, STYLE, asset_router, html};
pub use agent::ExamAgent;
use desk::Desk;

const PAGE: &str = include_str!("assets/exam.html");

const SCRIPT: Asset = ("/exam.js", "text/javascript; charset=utf-8", include_str!("assets/exam.js"));

/// The maximum length of a reply, in bytes.
const MAX_REPLY_BYTES: usize = 16 * 1024;

/// An exam that a person takes in the browser. It connects the page and the run.
#[derive(Debug, Clone)]
pub struct Exam(Arc<Desk>);

impl Exam {
    /// Creates an exam with episodes that have these names, in this order. `rules` sets whether the person sees the rules.
    pub fn new(episodes: Vec<String>, rules: RulesText) -> Self {
        Self(Arc::new(Desk::new(episodes, rules)))
    }

    /// The agent that represents the person in an episode. If `is_left` returns `true`, the person has left the exam.
    pub fn agent(&self, is_left: impl Fn() -> bool + Send + 'static) -> ExamAgent {
        ExamAgent::new(self.0.clone(), Box::new(is_left))
    }

    /// Ends the exam.
    pub fn end(&self) {
        self.0.end();
    }

    /// Closes the page, so that [`Self::closed`] ends.
    pub fn close(&self) {
        self.0.close();
    }

    /// Waits until the page is no longer needed.
    pub fn closed(&self) -> impl Future<Output = ()> + Send + 'static {
        let mut closed = self.0.closed();
        // A dropped session needs no page.
        async move { drop(closed.wait_for(|closed| *closed).await) }
    }
}

/// The state of the page's requests: the desk, and the maximum time that a request waits for the next view.
type Page = (Arc<Desk>, Duration);

/// Routes for the page and its requests. A request waits for the next view for at most `wait`.
pub(crate) fn router(exam: &Exam, wait: Duration) -> Router {
    let mut router = Router::new().route("/", get(async || html(PAGE))).route("/api/exam", get(look).post(answer));
    for asset in [SCRIPT, STYLE, COMMON, LOGO] {
        router = router.merge(asset_router(asset));
    }
    router.with_state((exam.0.clone(), wait))
}

/// Whether a path is part of the page itself, which a browser loads before it sends the token.
pub(crate) fn is_public(path: &str) -> bool {
    path == SCRIPT.0
}

/// The current view, with the earlier texts and replies of this episode.
async fn look(State((desk, wait)): State<Page>) -> Response {
    shown(&desk, 0, true, wait).await
}

/// Accepts a reply and returns the next view.
async fn answer(State((desk, wait)): State<Page>, body: axum::body::Bytes) -> Response {
    let (number, reply) = match read(&body) {
        Ok(read) => read,
        Err(Invalid(problem)) => return refused(StatusCode::BAD_REQUEST, &problem),
    };
    match desk.answer(number, reply) {
        Ok(()) => shown(&desk, number, false, wait).await,
        Err(problem) => refused(StatusCode::CONFLICT, problem),
    }
}

/// Reads `{"number": …, "reply": …}`.
fn read(body: &[u8]) -> Result<(u64, String), Invalid> {
    let body: Json =
        serde_json::from_slice(body).map_err(|error| Invalid(format!("the request is not JSON: {error}")))?;
    let object = fields::object(&body, "the request", &["number", "reply"])?;
    let number = fields::whole(object, "number")?;
    let number =
        number.ok_or_else(|| Invalid("`number` is missing: pass the number of the text that you reply to".into()))?;
    let reply = fields::text(object, "reply")?.ok_or_else(|| Invalid("`reply` is missing".into()))?.trim();
    if reply.len() > MAX_REPLY_BYTES {
        return Err(Invalid(format!("the reply has {} bytes, above the maximum of {MAX_REPLY_BYTES}", reply.len())));
    }
    Ok((number, reply.to_owned()))
}

/// Waits for the first view after the text with this number.
async fn shown(desk: &Desk, number: u64, with_past: bool, wait: Duration) -> Response {
    let mut numbers = desk.numbers();
    let is_there = timeout(wait, numbers.wait_for(|shown| *shown > number)).await;
    match is_there {
        Ok(Ok(_)) => JsonBody(desk.show(with_past)).into_response(),
        _ => refused(StatusCode::SERVICE_UNAVAILABLE, "the game does not continue; reload the page"),
    }
}

fn refused(status: StatusCode, problem: &str) -> Response {
    (status, JsonBody(json!({ "error": problem }))).into_response()
}
