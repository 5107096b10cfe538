//! Policies of a game as agents: what a table compares models with.

use farm_core::action::Call;
use farm_core::config::Problems;
use farm_core::{Agent as Player, Game};
use serde_json::{Map, Value as Json, json};

use crate::agent::{Agent, AgentError, Answer, Ask, Request, Tokens};

/// A policy of the game that answers with the text of its actions. It reads the state, as policies do, and not the text.
pub struct PolicyAgent {
    player: Box<dyn Player>,
    /// The trial that it has begun.
    started: Option<u32>,
}

impl std::fmt::Debug for PolicyAgent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PolicyAgent").field("started", &self.started).finish_non_exhaustive()
    }
}

impl PolicyAgent {
    /// A policy by its name in the game, or by what a user writes.
    ///
    /// # Errors
    /// A policy that does not fit the game.
    pub fn new(game: &Game, policy: &str) -> Result<Self, Problems> {
        Ok(Self { player: farm_games::policy(game, policy)?, started: None })
    }

    /// What a trace says of the agent.
    pub fn description(policy: &str) -> Map<String, Json> {
        [("kind".to_owned(), json!("policy")), ("policy".to_owned(), json!(policy))].into_iter().collect()
    }

    fn choose(&mut self, request: &Request<'_>) -> Vec<Call> {
        let (game, state) = (request.environment.game(), request.environment.state());
        // A trial is an episode to a policy; what it remembers of those before is its own matter.
        if self.started != Some(request.trial) {
            self.player.start(state.seed());
            self.started = Some(request.trial);
        }
        let mut schedule = Vec::new();
        self.player.choose(game, state, &mut schedule);
        schedule
    }
}

/// A schedule as a text that the game reads as this schedule: by the names of its actions, or as JSON where those are not exact.
fn written(game: &Game, schedule: &[Call]) -> String {
    if schedule.is_empty() {
        return "wait".to_owned();
    }
    let table = game.catalogue();
    let names = schedule.iter().map(|call| table.write(call)).collect::<Vec<_>>().join("\n");
    if game.parse_action(&names).is_ok_and(|read| read == schedule) {
        return names;
    }
    schedule.iter().map(|call| table.to_json(call)).collect::<Json>().to_string()
}

impl Agent for PolicyAgent {
    fn reply(&mut self, request: &Request<'_>) -> Result<Answer, AgentError> {
        if request.ask == Ask::Summary {
            return Ok(Answer { tokens: Some(Tokens::default()), attempts: 1, ..Answer::default() });
        }
        let schedule = self.choose(request);
        let reply = written(request.environment.game(), &schedule);
        // Nothing is sent, so that there are no tokens.
        Ok(Answer { reply, tokens: Some(Tokens::default()), attempts: 1, ..Answer::default() })
    }

    fn recorded(&mut self, request: &Request<'_>) -> Result<(), AgentError> {
        if request.ask == Ask::Action {
            self.choose(request);
        }
        Ok(())
    }
}
