//! The playground: a page for playing, watching and editing the games.
//!
//! | file | contents |
//! |---|---|
//! | `assets/` | the page, its style and its scripts; `editor.js` is bundled from `editor/` |
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

mod check;
mod choice;
mod complete;
mod episode;
mod errors;
mod farm;
mod replay;
mod series;
mod words;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use farm_core::inspect::RulesText;
use farm_render::Renderer;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use crate::games::Games;
use check::check;
use choice::{Choice, Kept, Looks, levels, written};
use episode::{PlaceRequest, WatchRequest, play, tools, watch};
use errors::PlaygroundError;
use farm::advance::{AdvanceRequest, advance};
use farm::verdict::{VerdictRequest, verdict};
use words::told_all;

/// The maximum number of requests in progress; further requests wait.
const MAX_AT_WORK: usize = 8;

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
const ASSETS: [Asset; 17] = [
    STYLE,
    COMMON,
    LOGO,
    ("/farm.css", "text/css; charset=utf-8", include_str!("assets/farm.css")),
    script!("playground.js"),
    script!("cards.js"),
    script!("chart.js"),
    script!("details.js"),
    script!("editing.js"),
    script!("editor.js"),
    script!("farm.js"),
    script!("files.js"),
    script!("plots.js"),
    script!("screens.js"),
    script!("season.js"),
    script!("tree.js"),
    script!("words.js"),
];

const PAGE: &str = include_str!("assets/index.html");

/// Allows only content from this server, and editor styles with the page's nonce. Pictures are part of the responses.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-NONCE'; img-src 'self' data:; connect-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The state that the playground's requests share.
#[derive(Debug)]
struct Playground {
    games: Arc<Games>,
    kept: Kept,
    at_work: Arc<Semaphore>,
}

/// The state as handlers receive it.
type Shared = Arc<Playground>;

/// Routes for the page and its requests.
pub(crate) fn router(served: Arc<Games>) -> axum::Router {
    let at_work = Arc::new(Semaphore::new(MAX_AT_WORK));
    let mut router = axum::Router::new()
        .route("/", get(page))
        .route("/api/games", get(games))
        .route("/api/game", post(game))
        .route("/api/signs", post(signs))
        .route("/api/place", post(place))
        .route("/api/watch", post(watched))
        .route("/api/advance", post(advanced))
        .route("/api/verdict", post(judged))
        .route("/api/check", post(checked))
        .route("/api/complete", post(completed));
    for asset in ASSETS {
        router = router.merge(asset_router(asset));
    }
    router.with_state(Arc::new(Playground { games: served, kept: Kept::default(), at_work }))
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

/// A random string of 32 hexadecimal digits that can't be guessed.
///
/// # Errors
/// The system provides no random numbers.
pub(crate) fn drawn() -> Result<String, getrandom::Error> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Parses a body.
fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, PlaygroundError> {
    serde_json::from_slice(body).map_err(|error| PlaygroundError::Request(error.to_string()))
}

/// Runs work that takes longer than a step on a separate thread. At most [`MAX_AT_WORK`] such threads run at once.
async fn at_work<R: Send + 'static>(
    shared: Shared,
    work: impl FnOnce(&Playground) -> Result<R, PlaygroundError> + Send + 'static,
) -> Result<R, PlaygroundError> {
    let places = shared.at_work.clone();
    let permit = places.acquire_owned().await.map_err(|_| PlaygroundError::Busy)?;
    let done = tokio::task::spawn_blocking(move || {
        // An abandoned request still runs to its end, and only then frees its permit.
        let _permit = permit;
        work(&shared)
    });
    done.await.unwrap_or_else(|_| Err(PlaygroundError::Failed("the request failed in the server".to_owned())))
}

async fn games(State(shared): State<Shared>) -> Json<Value> {
    let games = shared.games.fixed().map(|name| {
        let entry = farm_games::catalogue::entry(name);
        let family = entry.map_or("Files", |entry| entry.family.name());
        let game = shared.games.find(name).ok();
        let fingerprint = game.map(|game| format!("{:016x}", game.fingerprint()));
        json!({ "name": name, "family": family, "doc": game.map(|game| game.spec().doc()), "fingerprint": fingerprint })
    });
    Json(json!({ "games": games.collect::<Vec<_>>() }))
}

async fn game(State(shared): State<Shared>, body: axum::body::Bytes) -> Result<Json<Value>, PlaygroundError> {
    let choice: Choice = read(&body)?;
    at_work(shared, move |shared| {
        let compiled = shared.kept.open(&shared.games, &choice)?;
        let game = &compiled.game;
        let text = match &choice.yaml {
            Some(text) => text.clone(),
            None => written(&shared.games, &choice.name)?,
        };
        let policies = game.spec().policies().iter();
        let policies =
            policies.map(|(name, policy)| json!({ "name": name, "knows_hidden": policy.knows_hidden(game) }));
        Ok(Json(json!({
            "name": game.spec().name(),
            "doc": game.spec().doc(),
            "fingerprint": format!("{:016x}", game.fingerprint()),
            "instructions": {
                "hidden": game.text().instructions(RulesText::Hidden),
                "shown": game.text().instructions(RulesText::Shown),
            },
            "presets": game.spec().presets().keys().collect::<Vec<_>>(),
            "levels": levels(&choice.name).iter().map(|level| level.source.clone()).collect::<Vec<_>>(),
            "policies": policies.collect::<Vec<_>>(),
            "tools": tools(game),
            "max_steps": game.most_steps(),
            "schedule": game.catalogue().max_schedule(),
            "waits": game.text().write(game.catalogue().waiting()),
            "warnings": told_all(game.warnings()),
            "farm": compiled.farm().ok().map(|farm| farm.facts(game)),
            "yaml": text,
        })))
    })
    .await
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
    let request: PlaceRequest = read(&body)?;
    at_work(shared, move |shared| {
        let compiled = shared.kept.open(&shared.games, &request.game)?;
        Ok(Json(play(&compiled, &request)?).into_response())
    })
    .await
}

async fn watched(State(shared): State<Shared>, body: axum::body::Bytes) -> Result<Response, PlaygroundError> {
    let request: WatchRequest = read(&body)?;
    at_work(shared, move |shared| {
        let compiled = shared.kept.open(&shared.games, &request.game)?;
        Ok(Json(watch(&compiled, &request)?).into_response())
    })
    .await
}

async fn advanced(State(shared): State<Shared>, body: axum::body::Bytes) -> Result<Response, PlaygroundError> {
    let request: AdvanceRequest = read(&body)?;
    at_work(shared, move |shared| {
        let compiled = shared.kept.open(&shared.games, &request.game)?;
        let mut advanced = advance(&compiled, &request)?;
        let AdvanceRequest { game, seed, .. } = request;
        let actions = std::mem::take(&mut advanced.actions);
        let place = PlaceRequest { game, seed, actions, looks: Looks::Learner, hint: None, details: false };
        Ok(Json(json!({ "advanced": advanced, "place": play(&compiled, &place)? })).into_response())
    })
    .await
}

/// Ends work without a recipient: dropped when the client leaves.
struct Waiting(Arc<AtomicBool>);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

async fn judged(State(shared): State<Shared>, body: axum::body::Bytes) -> Result<Response, PlaygroundError> {
    let request: VerdictRequest = read(&body)?;
    let waiting = Waiting(Arc::default());
    let is_left = waiting.0.clone();
    at_work(shared, move |shared| {
        let compiled = shared.kept.open(&shared.games, &request.game)?;
        let found = verdict(&compiled, &request, &|| !is_left.load(Ordering::Relaxed))?;
        Ok(Json(found).into_response())
    })
    .await
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
