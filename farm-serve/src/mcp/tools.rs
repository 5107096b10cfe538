//! A game's tools: their arguments and results.

use std::sync::Arc;

use farm_core::inspect::RulesText;
use farm_core::{Game, ToolSchema};
use farm_render::{Frame, Legend, PictureOptions, Renderer, View};
use serde_json::{Map, Value as Json, json};

use super::failure::{Failure, INVALID_PARAMS};
use crate::episode::{Choice, Episode, Start, Untaken};
use crate::fields::{self, Invalid};
use crate::games::warnings;
use crate::handle::Handle;

/// The tool that returns the observation without taking a step.
const LOOK: &str = "look";
/// The tool that returns the rules.
const RULES: &str = "rules";
/// The tool for priced observations, with the same name as in `TextChannel::tool_schemas`.
const OBSERVE: &str = "observe";

/// A game's tools.
#[derive(Debug)]
pub(crate) struct Tools<'g> {
    game: &'g Arc<Game>,
    rules: RulesText,
    actions: Vec<ToolSchema>,
}

impl<'g> Tools<'g> {
    pub(crate) fn new(game: &'g Arc<Game>, rules: RulesText) -> Self {
        Self { game, rules, actions: game.text().tool_schemas(rules) }
    }

    /// All tools, in the format of `tools/list`.
    pub(crate) fn list(&self) -> Vec<Json> {
        let handle = |schema: &Json, is_needed: bool| {
            let mut schema = schema.clone();
            let what = if is_needed {
                "The newest handle, unchanged."
            } else {
                "The newest handle. Without a handle, you see the start of the game."
            };
            schema["properties"]["handle"] = json!({ "type": "string", "description": what });
            if let (true, Some(required)) = (is_needed, schema["required"].as_array_mut()) {
                required.push(json!("handle"));
            }
            schema
        };
        let object = json!({ "type": "object", "properties": {}, "required": [], "additionalProperties": false });
        let mut look = handle(&object, false);
        look["properties"]["picture"] =
            json!({ "type": "boolean", "description": "Whether to add a picture of the observation." });
        let mut tools = vec![json!({
            "name": LOOK, "description": "Returns the current observation. No step passes.", "inputSchema": look,
            "annotations": { "readOnlyHint": true },
        })];
        if self.rules == RulesText::Shown {
            tools.push(json!({
                "name": RULES, "description": "Returns the rules of the game.", "inputSchema": object,
                "annotations": { "readOnlyHint": true },
            }));
        }
        tools.extend(self.actions.iter().map(|tool| {
            json!({ "name": tool.name(), "description": tool.description(), "inputSchema": handle(tool.arguments(), true) })
        }));
        tools
    }

    /// Calls a tool. If the arguments have problems, the agent receives them as a result with `isError`.
    ///
    /// # Errors
    /// No tool has this name.
    pub(super) async fn call(&self, name: &str, arguments: &Map<String, Json>, start: Start) -> Result<Json, Failure> {
        let called = match name {
            LOOK => self.look(arguments, start).await,
            RULES if self.rules == RulesText::Shown => self.tell_rules(arguments, start),
            name => match self.actions.iter().find(|tool| tool.name() == name) {
                Some(tool) => self.act(tool, arguments).await,
                None => {
                    let mut known: Vec<&str> = self.actions.iter().map(|tool| tool.name()).collect();
                    known.push(LOOK);
                    return Err(Failure::new(INVALID_PARAMS, fields::unknown("tool", name, &known)));
                }
            },
        };
        Ok(called.unwrap_or_else(|untaken| {
            json!({ "resultType": "complete", "isError": true, "content": [{ "type": "text", "text": untaken.to_string() }] })
        }))
    }

    async fn look(&self, arguments: &Map<String, Json>, start: Start) -> Result<Json, Untaken> {
        let arguments = Json::Object(arguments.clone());
        let object = fields::object(&arguments, "the arguments", &["handle", "picture"])?;
        let with_picture = match object.get("picture") {
            None | Some(Json::Null) => false,
            Some(Json::Bool(picture)) => *picture,
            Some(other) => {
                return Err(Invalid(format!("`picture` is {}; expected true or false", fields::short(other))).into());
            }
        };
        let given = fields::text(object, "handle")?;
        let handle = match given {
            Some(handle) => Handle::read(handle, self.game)?,
            None => Handle::new(self.game, start),
        };
        let (episode, mut text) = handle.play(self.game.clone()).await?;
        if given.is_none() {
            text = format!("{}\n{text}", episode.instructions());
        }
        let mut told = told(&episode, text, None, &handle);
        let warnings = warnings(self.game);
        if given.is_none() && !warnings.is_empty() {
            told["structuredContent"]["warnings"] = json!(warnings);
        }
        if with_picture {
            let picture = picture(self.game, &episode).map_err(Invalid)?;
            if let Some(content) = told["content"].as_array_mut() {
                content.push(json!({ "type": "image", "mimeType": "image/png", "data": picture }));
            }
        }
        Ok(told)
    }

    fn tell_rules(&self, arguments: &Map<String, Json>, start: Start) -> Result<Json, Untaken> {
        fields::object(&Json::Object(arguments.clone()), "the arguments", &[])?;
        let text = self.game.text().instructions_in(RulesText::Shown, start.form);
        Ok(json!({ "resultType": "complete", "content": [{ "type": "text", "text": text }] }))
    }

    async fn act(&self, tool: &ToolSchema, arguments: &Map<String, Json>) -> Result<Json, Untaken> {
        let known: Vec<&str> =
            tool.arguments()["properties"].as_object().into_iter().flatten().map(|(key, _)| key.as_str()).collect();
        let keys: Vec<&str> = known.iter().copied().chain(["handle"]).collect();
        let all = Json::Object(arguments.clone());
        let object = fields::object(&all, "the arguments", &keys)?;
        if let Some(missing) = known.iter().find(|key| !object.contains_key(**key)) {
            return Err(Invalid(format!("the argument `{missing}` is missing")).into());
        }
        let missing =
            || Invalid("`handle` is missing: pass the newest one; `look` without a handle shows the start".into());
        let mut handle = Handle::read(fields::text(object, "handle")?.ok_or_else(missing)?, self.game)?;
        let parameters: Map<String, Json> = object
            .iter()
            .filter(|(key, _)| *key != "handle")
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect();
        let reply = match (tool.action(), parameters.get("what").and_then(Json::as_str)) {
            (OBSERVE, Some(what)) => format!("{OBSERVE} {what}"),
            (action, _) if parameters.is_empty() => action.to_owned(),
            (action, _) => json!({ "action": action, "params": parameters }).to_string(),
        };
        let (mut episode, _) = handle.play(self.game.clone()).await?;
        if episode.is_over() {
            // An agent has no tool that restarts the episode.
            let steps = episode.steps();
            return Err(Invalid(format!(
                "the episode is over after {steps} steps; `look` with this handle shows its end"
            ))
            .into());
        }
        let choice = Choice::Text(reply);
        let step = episode.step(&choice)?;
        handle.push(&choice);
        Ok(told(&episode, step.text, Some(step.outcome.reward), &handle))
    }
}

/// A tool's result: the text and the handle for models, and the same content as values for programs.
fn told(episode: &Episode, text: String, reward: Option<f64>, handle: &Handle) -> Json {
    let handle = handle.write();
    let shown = format!("{}\nhandle: {handle}", text.trim_end());
    json!({
        "resultType": "complete",
        "content": [{ "type": "text", "text": shown }],
        "structuredContent": {
            "text": text, "reward": reward, "return": episode.total(), "done": episode.is_over(), "rejected": episode.rejected(), "handle": handle,
        },
    })
}

/// A picture of the learner's view, in base64.
fn picture(game: &Arc<Game>, episode: &Episode) -> Result<String, String> {
    use base64::Engine as _;
    let options = PictureOptions { view: View::Learner, legend: Legend::Used, ..PictureOptions::default() };
    let mut renderer = Renderer::new(game.clone(), &options).map_err(|error| error.to_string())?;
    let state = episode.environment().state();
    let image = renderer.render(&Frame { total: episode.total(), ..Frame::of(state) });
    let png = image.to_png().map_err(|error| error.to_string())?;
    Ok(base64::engine::general_purpose::STANDARD.encode(png))
}
