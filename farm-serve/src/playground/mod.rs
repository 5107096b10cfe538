//! The playground: a page for playing, watching and editing the games.
//!
//! | file | contents |
//! |---|---|
//! | `assets/` | the page, its style and its scripts; `editor.js` is bundled from `editor/` |
//! | `answers.rs` | answers to requests, each on a separate thread |
//! | `choice.rs` | chosen games; compiled games |
//! | `episode.rs` | plays a list of actions or a policy |
//! | `farm/` | a farm for people: plots, jobs, seasons, what was lost |
//! | `replay.rs` | replays lines of actions; policies |
//! | `series.rs` | values that are displayed next to the picture |
//! | `check.rs`, `complete.rs` | problems in an edited game; completions at the cursor |
//! | `words.rs` | problems and tool names in the words of the page |
//!
//! A request contains the game, the seed and all actions, and the server stores none of them. The same request gets the same response from
//! any server, so a link can contain an episode, and a branch is just another list of actions.

pub(crate) mod answers;
mod check;
mod choice;
mod complete;
mod episode;
mod errors;
mod farm;
mod replay;
mod series;
mod words;

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use farm_render::Renderer;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::keys::drawn;
use answers::at_work;
pub(crate) use answers::{Playground, Shared};
use check::check;
pub(crate) use choice::{Choice, Looks, open_shipped};
pub(crate) use episode::{Place, PlaceRequest, Summary, WatchRequest};
pub(crate) use errors::PlaygroundError;
pub(crate) use farm::advance::AdvanceRequest;
pub(crate) use farm::verdict::VerdictRequest;
pub(crate) use replay::Steps;
use words::told_all;

/// One of a page's files: its name, its type, and its content.
pub(crate) type Asset = (&'static str, &'static str, &'static str);

/// Files that the page of an exam also uses.
pub(crate) const STYLE: Asset = ("/playground.css", "text/css; charset=utf-8", include_str!("assets/playground.css"));
pub(crate) const COMMON: Asset = ("/common.js", "text/javascript; charset=utf-8", include_str!("assets/common.js"));
pub(crate) const LOGO: Asset = ("/logo.svg", "image/svg+xml", include_str!("assets/logo.svg"));

/// A script of the page.
macro_rules! script {
    ($name:literal) => {
        (concat!("/", $name), "text/javascript; charset=utf-8", include_str!(concat!("assets/", $name)))
    };
}

/// The page's files.
const ASSETS: [Asset; 24] = [
    STYLE,
    COMMON,
    LOGO,
    ("/farm.css", "text/css; charset=utf-8", include_str!("assets/farm.css")),
    script!("playground.js"),
    script!("cards.js"),
    script!("catalogue.js"),
    script!("chart.js"),
    script!("class-words.js"),
    script!("details.js"),
    script!("editing.js"),
    script!("editor.js"),
    script!("farm.js"),
    script!("files.js"),
    script!("lesson.js"),
    script!("pad.js"),
    script!("plots.js"),
    script!("pupil.js"),
    script!("screens.js"),
    script!("season.js"),
    script!("start.js"),
    script!("teacher.js"),
    script!("tree.js"),
    script!("words.js"),
];

const PAGE: &str = include_str!("assets/index.html");

/// How the page knows whether it belongs to a class.
const OF_PLAYGROUND: &str = "data-of=\"playground\"";
const OF_CLASS: &str = "data-of=\"class\"";

/// Allows only content from this server, and editor styles with the page's nonce. Pictures are part of the responses.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-NONCE'; img-src 'self' data:; connect-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Routes for the page and its requests.
pub(crate) fn router(shared: Shared) -> axum::Router {
    axum::Router::new()
        .route("/", get(page))
        .route("/api/games", get(games))
        .route("/api/game", post(game))
        .route("/api/signs", post(signs))
        .route("/api/place", post(place))
        .route("/api/watch", post(watched))
        .route("/api/advance", post(advanced))
        .route("/api/verdict", post(judged))
        .route("/api/check", post(checked))
        .route("/api/complete", post(completed))
        .merge(assets())
        .with_state(shared)
}

/// Routes to the page's files.
pub(crate) fn assets<S: Clone + Send + Sync + 'static>() -> axum::Router<S> {
    ASSETS.into_iter().fold(axum::Router::new(), |router, asset| router.merge(asset_router(asset)))
}

/// The page for a class.
pub(crate) fn class_page() -> Response {
    html(&PAGE.replace(OF_PLAYGROUND, OF_CLASS))
}

/// A route to one of a page's files.
pub(crate) fn asset_router<S: Clone + Send + Sync + 'static>((name, kind, text): Asset) -> axum::Router<S> {
    axum::Router::new().route(name, get(move || async move { ([(header::CONTENT_TYPE, kind)], text) }))
}

/// Whether a path is part of the page itself, which a browser loads without a token.
pub(crate) fn is_public(path: &str) -> bool {
    path == "/" || ASSETS.iter().any(|(name, _, _)| *name == path)
}

async fn page() -> Response {
    html(PAGE)
}

/// A page that can use only content from this server.
pub(crate) fn html(page: &str) -> Response {
    let Ok(nonce) = drawn() else {
        return PlaygroundError::Failed("the system provides no random numbers".to_owned()).into_response();
    };
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8".to_owned()),
        (header::CONTENT_SECURITY_POLICY, POLICY.replace("NONCE", &nonce)),
    ];
    (headers, page.replace("NONCE", &nonce)).into_response()
}

/// Parses a body.
pub(crate) fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, PlaygroundError> {
    serde_json::from_slice(body).map_err(|error| PlaygroundError::Request(error.to_string()))
}

async fn games(State(shared): State<Shared>) -> Json<Value> {
    let games = shared.games.fixed().map(|name| {
        let entry = farm_games::catalogue::entry(name);
        let family = entry.map_or("Files", |entry| entry.family.name());
        let game = shared.games.find(name).ok();
        let fingerprint = game.map(|game| format!("{:016x}", game.fingerprint()));
        let presets = game.map(|game| game.spec().presets().keys().collect::<Vec<_>>()).unwrap_or_default();
        let doc = game.map(|game| game.spec().doc());
        json!({ "name": name, "family": family, "doc": doc, "presets": presets, "fingerprint": fingerprint })
    });
    Json(json!({ "games": games.collect::<Vec<_>>() }))
}

async fn game(State(shared): State<Shared>, body: axum::body::Bytes) -> Result<Json<Value>, PlaygroundError> {
    Ok(Json(answers::game(shared, read(&body)?, true).await?))
}

async fn signs(State(shared): State<Shared>, body: axum::body::Bytes) -> Result<Json<Value>, PlaygroundError> {
    let choice: Choice = read(&body)?;
    at_work(shared, move |shared| {
        let sheet = shared.kept.open(&shared.games, &choice)?.draw(Looks::Everything, Renderer::sprite_sheet)??;
        Ok(Json(
            json!({ "picture": STANDARD.encode(sheet.to_png()?), "width": sheet.width(), "height": sheet.height() }),
        ))
    })
    .await
}

async fn place(State(shared): State<Shared>, body: axum::body::Bytes) -> Result<Response, PlaygroundError> {
    Ok(Json(answers::place(shared, read(&body)?).await?).into_response())
}

async fn watched(State(shared): State<Shared>, body: axum::body::Bytes) -> Result<Response, PlaygroundError> {
    Ok(Json(answers::watched(shared, read(&body)?).await?).into_response())
}

async fn advanced(State(shared): State<Shared>, body: axum::body::Bytes) -> Result<Response, PlaygroundError> {
    let (advanced, place) = answers::advanced(shared, read(&body)?).await?;
    Ok(Json(json!({ "advanced": advanced, "place": place })).into_response())
}

async fn judged(State(shared): State<Shared>, body: axum::body::Bytes) -> Result<Response, PlaygroundError> {
    Ok(Json(answers::judged(shared, read(&body)?).await?).into_response())
}

async fn checked(State(shared): State<Shared>, body: axum::body::Bytes) -> Result<Json<Value>, PlaygroundError> {
    let choice: Choice = read(&body)?;
    at_work(shared, move |shared| {
        let _alone = shared.kept.alone(&choice);
        let (problems, understood) = check(&shared.games, &choice);
        Ok(Json(json!({ "ok": !problems.has_errors(), "problems": told_all(&problems), "understood": understood })))
    })
    .await
}

/// The cursor in a text.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Cursor {
    text: String,
    /// The number of UTF-16 code units before the cursor, which is how browsers count.
    at: usize,
}

async fn completed(State(shared): State<Shared>, body: axum::body::Bytes) -> Result<Json<Value>, PlaygroundError> {
    let Cursor { text, at } = read(&body)?;
    at_work(shared, move |_| Ok(Json(json!(complete::complete(&text, at))))).await
}
