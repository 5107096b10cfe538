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
use crate::playing::Playing;
use crate::session::Session;

/// The tool that returns the observation without taking a step.
const LOOK: &str = "look";
/// The tool that returns the rules.
const RULES: &str = "rules";
/// The tool that returns to an earlier turn.
const BRANCH: &str = "branch";
/// The tool for priced observations, with the same name as in `TextChannel::tool_schemas`.
const OBSERVE: &str = "observe";

/// A game's tools.
#[derive(Debug)]
pub(crate) struct Tools<'g> {
    game: &'g Arc<Game>,
    start: Start,
    actions: Vec<ToolSchema>,
}

impl<'g> Tools<'g> {
    /// The tools for an episode with this start.
    pub(crate) fn new(game: &'g Arc<Game>, start: Start) -> Self {
        Self { game, start, actions: game.text().tool_schemas(start.rules) }
    }

    /// All tools, in the format of `tools/list`.
    pub(crate) fn list(&self) -> Vec<Json> {
        let with_handle = |schema: &Json| {
            let mut schema = schema.clone();
            let what = "The newest handle. With it, the call counts only once, even if it is sent again.";
            schema["properties"]["handle"] = json!({ "type": "string", "description": what });
            schema
        };
        let object = json!({ "type": "object", "properties": {}, "required": [], "additionalProperties": false });
        let mut look = object.clone();
        look["properties"]["picture"] =
            json!({ "type": "boolean", "description": "Whether to add a picture of the observation." });
        let look = with_handle(&look);
        let mut tools = vec![json!({
            "name": LOOK, "description": "Returns the instructions and the current observation. No step passes.", "inputSchema": look,
            "annotations": { "readOnlyHint": true },
        })];
        if self.start.rules == RulesText::Shown {
            tools.push(json!({
                "name": RULES, "description": "Returns the rules of the game.", "inputSchema": object,
                "annotations": { "readOnlyHint": true },
            }));
        }
        if self.start.branches {
            let mut branch = object.clone();
            let what = "A handle of an earlier turn.";
            branch["properties"]["handle"] = json!({ "type": "string", "description": what });
            branch["required"] = json!(["handle"]);
            tools.push(json!({
                "name": BRANCH, "description": "Returns to an earlier turn. This costs a step.", "inputSchema": branch,
            }));
        }
        tools.extend(self.actions.iter().map(|tool| {
            json!({ "name": tool.name(), "description": tool.description(), "inputSchema": with_handle(tool.arguments()) })
        }));
        tools
    }

    /// Calls a tool. If the arguments have problems, the agent receives them as a result with `isError`.
    ///
    /// # Errors
    /// No tool has this name.
    pub(crate) fn call(
        &self,
        session: &mut Session,
        name: &str,
        arguments: &Map<String, Json>,
    ) -> Result<Json, Failure> {
        let called = match name {
            LOOK => self.look(session, arguments),
            RULES if self.start.rules == RulesText::Shown => self.tell_rules(arguments),
            BRANCH if self.start.branches => once(session, name, arguments, branch),
            name => match self.actions.iter().find(|tool| tool.name() == name) {
                Some(tool) => once(session, name, arguments, |session, arguments| self.act(session, tool, arguments)),
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

    fn look(&self, session: &mut Session, arguments: &Map<String, Json>) -> Result<Json, Untaken> {
        let arguments = Json::Object(arguments.clone());
        let object = fields::object(&arguments, "the arguments", &["handle", "picture"])?;
        let with_picture = fields::flag(object, "picture")?;
        let handle = fields::text(object, "handle")?;
        check_handle(session.playing_mut()?, handle)?;
        let text = format!("{}\n{}", session.instructions()?, session.playing()?.episode().text());
        let playing = session.playing_mut()?;
        let mut told = told(playing, text, None)?;
        let warnings = warnings(self.game);
        if handle.is_none() && playing.turns() == 0 && !warnings.is_empty() {
            told["structuredContent"]["warnings"] = json!(warnings);
        }
        if with_picture {
            let picture = picture(self.game, playing.episode()).map_err(Invalid)?;
            if let Some(content) = told["content"].as_array_mut() {
                content.push(json!({ "type": "image", "mimeType": "image/png", "data": picture }));
            }
        }
        Ok(told)
    }

    fn tell_rules(&self, arguments: &Map<String, Json>) -> Result<Json, Untaken> {
        fields::object(&Json::Object(arguments.clone()), "the arguments", &[])?;
        let text = self.game.text().instructions_in(RulesText::Shown, self.start.form);
        Ok(json!({ "resultType": "complete", "content": [{ "type": "text", "text": text }] }))
    }

    fn act(&self, session: &mut Session, tool: &ToolSchema, arguments: &Map<String, Json>) -> Result<Json, Untaken> {
        let known: Vec<&str> =
            tool.arguments()["properties"].as_object().into_iter().flatten().map(|(key, _)| key.as_str()).collect();
        let keys: Vec<&str> = known.iter().copied().chain(["handle"]).collect();
        let all = Json::Object(arguments.clone());
        let object = fields::object(&all, "the arguments", &keys)?;
        if let Some(missing) = known.iter().find(|key| !object.contains_key(**key)) {
            return Err(Invalid(format!("the argument `{missing}` is missing")).into());
        }
        let playing = session.playing_mut()?;
        check_handle(playing, fields::text(object, "handle")?)?;
        if playing.is_over() {
            // An agent has no tool that restarts the episode.
            let steps = playing.turns();
            return Err(Invalid(format!("the episode is over after {steps} steps; `look` shows its end")).into());
        }
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
        playing.mark_agent();
        let step = playing.step(&Choice::Text(reply))?;
        told(playing, step.text, Some(step.outcome.reward))
    }
}

/// Makes a call, unless it names its turn and is the last one that was made. Then it returns the same answer, and no step passes.
fn once(
    session: &mut Session,
    name: &str,
    arguments: &Map<String, Json>,
    make: impl FnOnce(&mut Session, &Map<String, Json>) -> Result<Json, Untaken>,
) -> Result<Json, Untaken> {
    let is_named = arguments.get("handle").is_some_and(Json::is_string);
    let call = is_named.then(|| format!("{name} {}", Json::Object(arguments.clone())));
    if let Some(answer) = call.as_ref().and_then(|call| session.answered(call)) {
        return Ok(answer);
    }
    // A call that is rejected changes nothing.
    let answer = make(session, arguments)?;
    match call {
        Some(call) => session.store(call, &answer),
        None => session.forget(),
    }
    Ok(answer)
}

/// Returns to the turn with the handle in the arguments.
fn branch(session: &mut Session, arguments: &Map<String, Json>) -> Result<Json, Untaken> {
    let arguments = Json::Object(arguments.clone());
    let object = fields::object(&arguments, "the arguments", &["handle"])?;
    let missing = || Invalid("`handle` is missing: pass the handle of an earlier turn".into());
    let handle = fields::text(object, "handle")?.ok_or_else(missing)?;
    let playing = session.playing_mut()?;
    playing.mark_agent();
    let text = playing.branch(handle)?;
    told(playing, text, None)
}

/// Checks that a call is for the current turn.
///
/// # Errors
/// The handle is not the newest.
fn check_handle(playing: &mut Playing, handle: Option<&str>) -> Result<(), Untaken> {
    match handle {
        Some(handle) if handle != playing.handle()? => Err(Invalid(
            "`handle` is not the newest handle of this episode, which goes one way; `look` without `handle` shows the current turn"
                .into(),
        )
        .into()),
        _ => Ok(()),
    }
}

/// A tool's result: the text and the handle for models, and the same content as values for programs.
fn told(playing: &mut Playing, text: String, reward: Option<f64>) -> Result<Json, Untaken> {
    let handle = playing.handle()?;
    let mut shown = text.trim_end().to_owned();
    if let Some(left) = playing.left() {
        shown += &format!("\nsteps left in all branches: {left}");
    }
    let episode = playing.episode();
    Ok(json!({
        "resultType": "complete",
        "content": [{ "type": "text", "text": format!("{shown}\nhandle: {handle}") }],
        "structuredContent": {
            "text": text, "reward": reward, "return": episode.total(), "done": playing.is_over(), "rejected": episode.rejected(),
            "handle": handle, "steps_left": playing.left(),
        },
    }))
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
