//! The playground: a page on which the games are played.

use axum::response::Html;
use axum::routing::get;

use crate::Shared;

/// The page, and what it asks for.
pub(crate) fn router() -> axum::Router<Shared> {
    axum::Router::new().route("/", get(|| async { Html(PAGE) }))
}

const PAGE: &str =
    "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>Farm games</title>\n<h1>Farm games</h1>\n";

/// Whether a path is of the page itself, which a browser loads before anyone has told it a token.
pub(crate) fn is_public(path: &str) -> bool {
    path == "/"
}
