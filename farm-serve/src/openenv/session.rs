//! A session: the messages on a WebSocket and their responses.

use std::sync::Arc;

use farm_core::Game;
use serde_json::{Map, Value as Json, json};

use super::shared::Shared;
use crate::episode::{Choice, Episode, Start, Told, Untaken, hex};
use crate::errors::RecordError;
use crate::fields::{self, Invalid};
use crate::games::warnings;
use crate::mcp;
use crate::record::EpisodeRecord;
use crate::served::Served;

/// The keys of a reset request.
const RESET_KEYS: [&str; 9] = ["seed", "split", "index", "form", "rules", "observe", "game", "episode_id", "handle"];
const STEP_KEYS: [&str; 3] = ["action", "params", "metadata"];
/// The maximum length, in bytes, of an episode name that a client sets.
const MAX_EPISODE_ID: usize = 255;

/// The contents of an observation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Observe {
    /// The observation as text.
    pub(crate) text: bool,
    /// The values by name, as numbers.
    pub(crate) values: bool,
    /// Details about the step, in `metadata`.
    pub(crate) info: bool,
}

impl Default for Observe {
    fn default() -> Self {
        Self { text: true, values: true, info: false }
    }
}

impl Observe {
    /// Reads the contents listed in `observe`.
    ///
    /// # Errors
    /// The value is not a list of known names.
    pub(crate) fn read(object: &Map<String, Json>) -> Result<Self, Invalid> {
        let Some(names) = object.get("observe").filter(|names| !names.is_null()) else { return Ok(Self::default()) };
        let expected =
            || Invalid(format!("`observe` is {}; expected a list of `text`, `values`, `info`", fields::short(names)));
        let mut observe = Self { text: false, values: false, info: false };
        for name in names.as_array().ok_or_else(expected)? {
            match name.as_str().ok_or_else(expected)? {
                "text" => observe.text = true,
                "values" => observe.values = true,
                "info" => observe.info = true,
                other => {
                    return Err(Invalid(fields::unknown("entry of `observe`", other, &["text", "values", "info"])));
                }
            }
        }
        Ok(observe)
    }
}

/// A reset request.
#[derive(Debug)]
pub(crate) struct Reset {
    pub(crate) start: Start,
    pub(crate) observe: Observe,
    pub(crate) game: Option<String>,
    pub(crate) episode_id: Option<String>,
    pub(crate) handle: Option<String>,
}

impl Reset {
    /// Reads a reset.
    ///
    /// # Errors
    /// A key is unknown (the error names the nearest known key), or a value is not valid.
    pub(crate) fn read(data: &Json) -> Result<Self, Invalid> {
        let object = fields::object(data, "a reset", &RESET_KEYS)?;
        let owned = |key| Ok::<_, Invalid>(fields::text(object, key)?.map(str::to_owned));
        let episode_id = owned("episode_id")?;
        if episode_id.as_ref().is_some_and(|id| id.len() > MAX_EPISODE_ID) {
            return Err(Invalid(format!("`episode_id` is longer than {MAX_EPISODE_ID} bytes")));
        }
        let handle = owned("handle")?;
        let begins = ["seed", "split", "index", "form", "rules"].into_iter().find(|key| object.contains_key(*key));
        if let (Some(_), Some(key)) = (&handle, begins) {
            return Err(Invalid(format!("`handle` determines the start of the episode: remove `{key}`")));
        }
        Ok(Self {
            start: Start::read(object)?,
            observe: Observe::read(object)?,
            game: owned("game")?,
            episode_id,
            handle,
        })
    }
}

/// Reads the choice for a step: `{"action": TEXT, "params": {…}}`, `{"action": ID}` or `{"action": [NAMED, …]}`.
///
/// # Errors
/// A key is unknown (the error names the nearest known key), or the action is missing or not valid.
pub(crate) fn read_choice(data: &Json) -> Result<Choice, Invalid> {
    let object = fields::object(data, "a step", &STEP_KEYS)?;
    let action = object.get("action").ok_or_else(|| {
        Invalid(
            "a step needs `action`: a string such as {\"action\": \"wait\"}, an id of the flat list, or a list".into(),
        )
    })?;
    match (Choice::read(action)?, object.get("params").filter(|params| !params.is_null())) {
        (choice, None) => Ok(choice),
        (Choice::Text(text), Some(params)) if params.is_object() => {
            Ok(Choice::Text(json!({ "action": text, "params": params }).to_string()))
        }
        (Choice::Text(_), Some(params)) => {
            Err(Invalid(format!("`params` is {}; expected an object", fields::short(params))))
        }
        (_, Some(_)) => Err(Invalid("`params` is allowed only with the name of an action".into())),
    }
}

/// A client's session: an episode, or none yet.
#[derive(Debug)]
pub(crate) struct Session {
    served: Served,
    episode: Option<Playing>,
}

#[derive(Debug)]
struct Playing {
    episode: Episode,
    observe: Observe,
    episode_id: Option<String>,
    record: Option<EpisodeRecord>,
}

/// The response to a message, and whether the session ends.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) text: String,
    pub(crate) is_last: bool,
}

impl Session {
    /// Creates a session for a game. A reset request can change the game.
    pub(crate) fn new(served: Served) -> Self {
        Self { served, episode: None }
    }

    /// Answers a message.
    pub(crate) async fn answer(&mut self, message: &str, shared: &Shared) -> Answer {
        let (kind, data) = match read_message(message) {
            Ok(message) => message,
            Err((code, problem)) => return Answer { text: failure(code, &problem), is_last: false },
        };
        let answered = match kind {
            Kind::Reset => self.reset(&data, shared),
            Kind::Step => self.step(&data, shared),
            Kind::State => self.state().map(|state| json!({ "type": "state", "data": state }).to_string()),
            Kind::Mcp => {
                let answer = mcp::answer(&data, &self.served, Start::default()).await;
                Ok(json!({ "type": "mcp", "data": answer.unwrap_or(Json::Null) }).to_string())
            }
            Kind::Close => return Answer { text: String::new(), is_last: true },
        };
        let text = answered.unwrap_or_else(|untaken| {
            let code = match untaken {
                Untaken::Invalid(_) => "VALIDATION_ERROR",
                Untaken::Step(_) | Untaken::Record(_) => "EXECUTION_ERROR",
            };
            failure(code, &untaken.to_string())
        });
        Answer { text, is_last: false }
    }

    fn reset(&mut self, data: &Json, shared: &Shared) -> Result<String, Untaken> {
        let reset = Reset::read(data)?;
        if reset.handle.is_some() {
            return Err(Invalid("`handle` is only for HTTP requests: a session remembers its episode".into()).into());
        }
        if let Some(name) = reset.game {
            let game = shared.games.find(&name).map_err(|problem| Invalid(problem.sentence()))?.clone();
            self.served = Served { name, game };
        }
        // An episode that can't be recorded is not played: after an error here there is no episode.
        let before = self.end_record();
        self.episode = None;
        before?;
        let (episode, text) = Episode::begin(self.served.game.clone(), reset.start);
        let record =
            shared.recorder.as_ref().map(|recorder| recorder.begin(&self.served.name, &episode)).transpose()?;
        shared.metrics.count_episode();
        let answer = observation(&first(&self.served.name, &episode, text, reset.observe));
        self.episode = Some(Playing { episode, observe: reset.observe, episode_id: reset.episode_id, record });
        Ok(answer)
    }

    fn step(&mut self, data: &Json, shared: &Shared) -> Result<String, Untaken> {
        let choice = read_choice(data)?;
        let playing = self.episode.as_mut().ok_or_else(before_reset)?;
        if let Some(record) = &playing.record {
            record.check()?;
        }
        let told = playing.episode.step(&choice)?;
        shared.metrics.count_step();
        if let Some(record) = &mut playing.record {
            record.step(&choice, told.outcome, &playing.episode)?;
        }
        Ok(observation(&next(&playing.episode, told, playing.observe)))
    }

    fn state(&self) -> Result<Json, Untaken> {
        let playing = self.episode.as_ref().ok_or_else(before_reset)?;
        let mut state = state(&self.served.name, &playing.episode);
        state["episode_id"] = json!(playing.episode_id);
        Ok(state)
    }

    /// Ends the episode's record.
    ///
    /// # Errors
    /// The end can't be written. There is no error if the client already knows that the episode is not recorded.
    pub(crate) fn end_record(&mut self) -> Result<(), RecordError> {
        match &mut self.episode {
            Some(Playing { record: Some(record), .. }) if record.check().is_ok() => record.end(),
            _ => Ok(()),
        }
    }
}

fn before_reset() -> Untaken {
    Invalid("no episode has started: send {\"type\": \"reset\", \"data\": {\"seed\": 0}} first".into()).into()
}

/// The type of a message.
#[derive(Debug, Clone, Copy)]
enum Kind {
    Reset,
    Step,
    State,
    Close,
    Mcp,
}

const KINDS: [(&str, Kind); 5] =
    [("reset", Kind::Reset), ("step", Kind::Step), ("state", Kind::State), ("close", Kind::Close), ("mcp", Kind::Mcp)];

/// Reads `{"type": …, "data": {…}}`.
fn read_message(message: &str) -> Result<(Kind, Json), (&'static str, String)> {
    let mut json: Json =
        serde_json::from_str(message).map_err(|error| ("INVALID_JSON", format!("a message is not JSON: {error}")))?;
    let invalid = |Invalid(problem)| ("VALIDATION_ERROR", problem);
    let object = fields::object(&json, "a message", &["type", "data"]).map_err(invalid)?;
    let names = KINDS.map(|(name, _)| name);
    let name = fields::text(object, "type").map_err(invalid)?.unwrap_or_default();
    let kind = KINDS.iter().find(|(known, _)| *known == name).map(|(_, kind)| *kind);
    let kind = kind.ok_or_else(|| ("UNKNOWN_TYPE", fields::unknown("type of message", name, &names)))?;
    let data = json.get_mut("data").map_or_else(|| json!({}), Json::take);
    Ok((kind, if data.is_null() { json!({}) } else { data }))
}

fn failure(code: &str, message: &str) -> String {
    json!({ "type": "error", "data": { "message": message, "code": code } }).to_string()
}

fn observation(data: &Json) -> String {
    json!({ "type": "observation", "data": data }).to_string()
}

/// The response to a reset.
pub(crate) fn first(name: &str, episode: &Episode, text: String, observe: Observe) -> Json {
    let mut seen = seen(episode, text, observe);
    seen["instructions"] = json!(episode.instructions());
    let mut metadata = json!({ "game": name, "seed": episode.start().seed });
    if let Some((split, index)) = episode.start().split() {
        (metadata["split"], metadata["index"]) = (json!(split.name()), json!(index));
    }
    let warnings = warnings(episode.environment().game());
    if !warnings.is_empty() {
        metadata["warnings"] = json!(warnings);
    }
    json!({ "observation": seen, "reward": null, "done": episode.is_over(), "metadata": metadata })
}

/// The response to a step.
pub(crate) fn next(episode: &Episode, told: Told, observe: Observe) -> Json {
    let outcome = told.outcome;
    let mut metadata = json!({
        "terminated": outcome.terminated,
        "truncated": outcome.truncated,
        "rejected": episode.rejected(),
    });
    if observe.info {
        metadata["info"] = episode.environment().info().to_json();
    }
    json!({ "observation": seen(episode, told.text, observe), "reward": outcome.reward, "done": outcome.over(), "metadata": metadata })
}

fn seen(episode: &Episode, text: String, observe: Observe) -> Json {
    let mut seen = Map::new();
    if observe.text {
        seen.insert("text".to_owned(), Json::String(text));
    }
    if observe.values {
        seen.insert("values".to_owned(), episode.environment().observation_json());
    }
    Json::Object(seen)
}

/// An episode's state for trainers, without hidden values.
pub(crate) fn state(name: &str, episode: &Episode) -> Json {
    let game: &Arc<Game> = episode.environment().game();
    let split = episode.start().split();
    json!({
        "episode_id": null,
        "step_count": episode.steps(),
        "game": name,
        "fingerprint": hex(game.fingerprint()),
        "seed": episode.start().seed,
        "split": split.map(|(split, _)| split.name()),
        "index": split.map(|(_, index)| index),
        "return": episode.total(),
        "done": episode.is_over(),
        "state_hash": hex(episode.environment().state().hash()),
    })
}
