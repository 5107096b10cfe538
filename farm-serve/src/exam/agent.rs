//! The person who takes an exam, as the agent of a run.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use farm_agents::{Agent, AgentError, Answer, Eyes, Request, Speaker, Tokens};
use serde_json::json;

use super::desk::{Desk, View};

/// While waiting for a reply, the interval between two checks whether the person has left the exam.
const GLANCE: Duration = Duration::from_millis(50);

/// A person who plays an episode in the browser.
pub struct ExamAgent {
    desk: Arc<Desk>,
    is_left: Box<dyn Fn() -> bool + Send>,
    eyes: Eyes,
}

impl fmt::Debug for ExamAgent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ExamAgent").field("desk", &self.desk).finish_non_exhaustive()
    }
}

impl ExamAgent {
    pub(super) fn new(desk: Arc<Desk>, is_left: Box<dyn Fn() -> bool + Send>) -> Self {
        Self { desk, is_left, eyes: Eyes::default() }
    }

    /// The view for a request: the texts that a model reads, and a picture with the same content. The view does not contain the game's
    /// name, and describes the effects of actions only if the rules are shown.
    fn view(&mut self, request: &Request<'_>) -> Result<View, AgentError> {
        let game = request.environment.game();
        let tools = game.text().tool_schemas(self.desk.rules());
        let tools = tools.iter().map(
            |tool| json!({ "action": tool.action(), "description": tool.description(), "arguments": tool.arguments() }),
        );
        let (episode, episodes) = self.desk.place(request.episode);
        let mut shown = json!({
            "episode": episode,
            "episodes": episodes,
            "turn": request.turn,
            "instructions": request.dialogue.instructions(),
            "text": request.dialogue.text(),
            "tools": tools.collect::<Vec<_>>(),
            "schedule": game.catalogue().max_schedule(),
        });
        let picture = self.eyes.see(request.environment);
        let picture = picture.map_err(|problem| AgentError::for_all(format!("no picture: {problem}")))?;
        shown["picture"] = json!({ "png": picture.png, "width": picture.width, "height": picture.height });
        Ok(View { shown, past: past(request) })
    }
}

/// The earlier texts of this episode, each with its reply.
fn past(request: &Request<'_>) -> Vec<(String, String)> {
    let mut past = Vec::new();
    let mut text = None;
    for message in request.messages() {
        match (message.role, text.take()) {
            (Speaker::User, _) => text = Some(message.content),
            (Speaker::Assistant, Some(text)) => past.push((text, message.content)),
            _ => {}
        }
    }
    past
}

impl Agent for ExamAgent {
    fn reply(&mut self, request: &Request<'_>) -> Result<Answer, AgentError> {
        let view = self.view(request)?;
        self.desk.put(view);
        loop {
            if let Some((reply, seconds)) = self.desk.wait(GLANCE) {
                // A person sends and receives no tokens.
                let tokens = Some(Tokens::default());
                return Ok(Answer { reply, seconds, tokens, attempts: 1, ..Answer::default() });
            }
            if (self.is_left)() {
                return Err(AgentError::for_all("the exam was left while this text was shown"));
            }
        }
    }

    fn ended(&mut self, request: &Request<'_>) {
        self.desk.put_end(request.episode, request.dialogue.text().to_owned());
    }
}
