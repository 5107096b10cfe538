//! A game's policies as agents, for comparisons with models.

use farm_core::action::Call;
use farm_core::config::Problems;
use farm_core::{Agent as Player, Game};
use serde_json::{Map, Value as Json, json};

use crate::agent::{Agent, AgentError, Answer, Ask, Request, Tokens};

/// An agent that answers with a policy's actions, written as text. Like any policy, it reads the state, not the text.
pub struct PolicyAgent {
    player: Box<dyn Player>,
    /// The trial that the policy has started.
    started: Option<u32>,
}

impl std::fmt::Debug for PolicyAgent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PolicyAgent").field("started", &self.started).finish_non_exhaustive()
    }
}

impl PolicyAgent {
    /// Creates an agent from the name of one of the game's policies, or from any other policy that `farm_games::policy` accepts.
    ///
    /// # Errors
    /// The policy does not fit the game.
    pub fn new(game: &Game, policy: &str) -> Result<Self, Problems> {
        Ok(Self { player: farm_games::policy(game, policy)?, started: None })
    }

    /// The agent's description in a trace.
    pub fn description(policy: &str) -> Map<String, Json> {
        [("kind".to_owned(), json!("policy")), ("policy".to_owned(), json!(policy))].into_iter().collect()
    }

    fn choose(&mut self, request: &Request<'_>) -> Vec<Call> {
        let (game, state) = (request.environment.game(), request.environment.state());
        // A trial is an episode for the policy, which may keep a memory of earlier ones.
        if self.started != Some(request.trial) {
            self.player.start(state.seed());
            self.started = Some(request.trial);
        }
        let mut schedule = Vec::new();
        self.player.choose(game, state, &mut schedule);
        schedule
    }
}

/// Writes a schedule as text that the game parses back to the same schedule. The text contains action names, or JSON if the names are not
/// exact.
fn written(game: &Game, schedule: &[Call]) -> String {
    if schedule.is_empty() {
        return "wait".to_owned();
    }
    let table = game.catalogue();
    let names = schedule.iter().map(|call| table.write(call)).collect::<Vec<_>>().join("\n");
    if game.text().parse(&names).is_ok_and(|read| read == schedule) {
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
        // A policy sends and receives no tokens.
        Ok(Answer { reply, tokens: Some(Tokens::default()), attempts: 1, ..Answer::default() })
    }

    fn recorded(&mut self, request: &Request<'_>) -> Result<(), AgentError> {
        if request.ask == Ask::Action {
            self.choose(request);
        }
        Ok(())
    }
}
