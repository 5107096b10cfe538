//! Answers to the page's requests, each on a separate thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use farm_core::Game;
use farm_core::inspect::RulesText;
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use super::choice::{Choice, Kept, Looks, levels, written};
use super::episode::{Place, PlaceRequest, WatchRequest, Watched, play, tools, watch};
use super::errors::PlaygroundError;
use super::farm::advance::{AdvanceRequest, Advanced, advance};
use super::farm::model::Farm;
use super::farm::verdict::{Verdict, VerdictRequest, verdict};
use super::replay::Steps;
use super::words::told_all;
use crate::games::Games;

/// The maximum number of requests in progress; further requests wait.
const MAX_AT_WORK: usize = 8;

/// The preset with which the page also starts.
const FIRST: &str = "4x3";

/// The state that the playground's requests share.
#[derive(Debug)]
pub(crate) struct Playground {
    pub(crate) games: Arc<Games>,
    pub(super) kept: Kept,
    at_work: Arc<Semaphore>,
}

/// The state as handlers receive it.
pub(crate) type Shared = Arc<Playground>;

impl Playground {
    /// The state for these games.
    pub(crate) fn new(games: Arc<Games>) -> Shared {
        Arc::new(Self { games, kept: Kept::default(), at_work: Arc::new(Semaphore::new(MAX_AT_WORK)) })
    }
}

/// Runs work that takes longer than a step on a separate thread. At most [`MAX_AT_WORK`] such threads run at once.
pub(super) async fn at_work<R: Send + 'static>(
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

/// What the page knows of a game before the first step. `with_text` adds the game file and the instructions.
pub(crate) async fn game(shared: Shared, choice: Choice, with_text: bool) -> Result<Value, PlaygroundError> {
    at_work(shared, move |shared| {
        let compiled = shared.kept.open(&shared.games, &choice)?;
        let game = &compiled.game;
        let text = match &choice.yaml {
            _ if !with_text => String::new(),
            Some(text) => text.clone(),
            None => written(&shared.games, &choice.name)?,
        };
        let instructions = |rules| if with_text { game.text().instructions(rules) } else { String::new() };
        let policies = game.spec().policies().iter();
        let policies =
            policies.map(|(name, policy)| json!({ "name": name, "knows_hidden": policy.knows_hidden(game) }));
        Ok(json!({
            "name": game.spec().name(),
            "doc": game.spec().doc(),
            "fingerprint": format!("{:016x}", game.fingerprint()),
            "instructions": { "hidden": instructions(RulesText::Hidden), "shown": instructions(RulesText::Shown) },
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
        }))
    })
    .await
}

/// A chosen game that is a farm.
///
/// # Errors
/// The game has problems, or no plots with jobs.
pub(crate) fn farm(shared: &Playground, choice: &Choice) -> Result<Arc<Game>, PlaygroundError> {
    let compiled = shared.kept.open(&shared.games, choice)?;
    compiled.farm()?;
    Ok(compiled.game.clone())
}

/// The served games that are farms, each with its presets.
pub(crate) fn farms(shared: &Playground) -> Vec<Value> {
    let games = shared.games.fixed().filter_map(|name| Some((name, shared.games.find(name).ok()?)));
    let farms = games.filter(|(_, game)| Farm::of(game).is_some());
    farms
        .map(|(name, game)| json!({ "name": name, "presets": game.spec().presets().keys().collect::<Vec<_>>() }))
        .collect()
}

/// The first served game that is a farm, with several plots if a preset has them.
pub(crate) fn first_farm(shared: &Playground) -> Option<Choice> {
    let game = |name: &&str| shared.games.find(name).ok().filter(|game| Farm::of(game).is_some());
    let name = shared.games.fixed().find(|name| game(name).is_some())?;
    let preset = game(&name)?.spec().presets().keys().find(|preset| *preset == FIRST).cloned();
    Some(Choice { name: name.to_owned(), preset, ..Choice::default() })
}

/// Runs work on the start of an episode.
pub(crate) async fn on_episode<R: Send + 'static>(
    shared: Shared,
    choice: Choice,
    seed: u64,
    work: impl FnOnce(Steps) -> Result<R, PlaygroundError> + Send + 'static,
) -> Result<R, PlaygroundError> {
    at_work(shared, move |shared| work(Steps::of(&shared.kept.open(&shared.games, &choice)?.game, seed))).await
}

/// The state after a list of actions, on this thread.
pub(crate) fn place_now(shared: &Playground, request: &PlaceRequest) -> Result<Place, PlaygroundError> {
    let compiled = shared.kept.open(&shared.games, &request.game)?;
    play(&compiled, request)
}

/// The state after a list of actions.
pub(crate) async fn place(shared: Shared, request: PlaceRequest) -> Result<Place, PlaygroundError> {
    at_work(shared, move |shared| place_now(shared, &request)).await
}

/// The state after orders, or after days without them.
pub(crate) async fn advanced(shared: Shared, request: AdvanceRequest) -> Result<(Advanced, Place), PlaygroundError> {
    at_work(shared, move |shared| {
        let compiled = shared.kept.open(&shared.games, &request.game)?;
        let mut advanced = advance(&compiled, &request)?;
        let AdvanceRequest { game, seed, .. } = request;
        let actions = std::mem::take(&mut advanced.actions);
        let place = PlaceRequest { game, seed, actions, looks: Looks::Learner, hint: None, details: false };
        Ok((advanced, play(&compiled, &place)?))
    })
    .await
}

/// An episode played by a policy.
pub(crate) async fn watched(shared: Shared, request: WatchRequest) -> Result<Watched, PlaygroundError> {
    at_work(shared, move |shared| {
        let compiled = shared.kept.open(&shared.games, &request.game)?;
        watch(&compiled, &request)
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

/// What a season earned and lost.
pub(crate) async fn judged(shared: Shared, request: VerdictRequest) -> Result<Option<Verdict>, PlaygroundError> {
    let waiting = Waiting(Arc::default());
    let is_left = waiting.0.clone();
    at_work(shared, move |shared| {
        let compiled = shared.kept.open(&shared.games, &request.game)?;
        verdict(&compiled, &request, &|| !is_left.load(Ordering::Relaxed))
    })
    .await
}
