//! Whoever plays by text: what it is asked and what it answers.

use std::collections::BTreeMap;
use std::fmt;

use farm_core::Environment;
use serde::{Deserialize, Serialize};

use crate::dialogue::{Dialogue, Message};

/// Whoever plays by text. An episode has an agent of its own.
pub trait Agent: Send {
    /// Answers a turn.
    ///
    /// # Errors
    /// When there is no answer, however often it was asked for.
    fn reply(&mut self, request: &Request<'_>) -> Result<Answer, AgentError>;

    /// Is shown a turn whose answer is in the trace already. An agent that remembers what it did takes note of it.
    ///
    /// # Errors
    /// When the agent can't go on from there.
    fn recorded(&mut self, _request: &Request<'_>) -> Result<(), AgentError> {
        Ok(())
    }

    /// Is shown what the episode ended with: its last text, after which there is no turn.
    fn ended(&mut self, _request: &Request<'_>) {}
}

/// What is wanted of an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ask {
    /// An action.
    Action,
    /// A summary of what it knows, which stands for the turns before from then on.
    Summary,
}

/// What an agent is asked.
#[derive(Debug, Clone, Copy)]
pub struct Request<'r> {
    /// The episode's name in the run.
    pub episode: &'r str,
    /// Which trial of the episode is played, from 0 on; an episode that is a lifetime has several.
    pub trial: u32,
    /// The turn, from 0 on. A reply that can't be read is asked for again in the same turn.
    pub turn: u64,
    /// What is wanted: an action, or a summary of what the agent knows.
    pub ask: Ask,
    /// The conversation, of which [`Request::messages`] makes messages.
    pub dialogue: &'r Dialogue,
    /// The episode itself, for reference agents that are policies of the game. Nothing of it may be sent to a model.
    pub environment: &'r Environment,
}

impl Request<'_> {
    /// The conversation as a model reads it: the instructions, what is kept of the past, what is seen now.
    pub fn messages(&self) -> Vec<Message> {
        match self.ask {
            Ask::Action => self.dialogue.messages(),
            Ask::Summary => self.dialogue.summary_messages(),
        }
    }
}

/// What an agent answered.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Answer {
    /// The text.
    pub reply: String,
    /// Whether the text was cut off by a limit on its length.
    pub is_cut: bool,
    /// The tokens, if the agent counts them.
    pub tokens: Option<Tokens>,
    /// From the first attempt to the answer.
    pub seconds: f64,
    /// How often it was asked; more than once where attempts failed.
    pub attempts: u32,
    /// How many attempts failed, by what went wrong: `429`, `500`, `timeout`, `connection`, `malformed`.
    pub failures: Failures,
}

/// How many attempts failed, by what went wrong.
pub type Failures = BTreeMap<String, u32>;

/// Tokens of a call, or of many.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tokens {
    /// What was sent.
    pub prompt: u64,
    /// What came back, thoughts included.
    pub completion: u64,
    /// How much of what was sent the endpoint had in its cache.
    pub cached: u64,
    /// Whether any of it is an estimate of ours: a token for each four bytes, where the agent does not count.
    pub estimated: bool,
}

/// Bytes that are taken for a token where nobody counts.
const BYTES_OF_A_TOKEN: u64 = 4;

impl Tokens {
    /// All that was sent and came back.
    pub fn total(&self) -> u64 {
        self.prompt.saturating_add(self.completion)
    }

    /// Adds those of another call.
    pub fn add(&mut self, other: &Self) {
        self.prompt = self.prompt.saturating_add(other.prompt);
        self.completion = self.completion.saturating_add(other.completion);
        self.cached = self.cached.saturating_add(other.cached);
        self.estimated |= other.estimated;
    }

    /// The estimate for a call whose tokens nobody has counted.
    pub fn estimate(messages: &[Message], reply: &str) -> Self {
        let tokens = |bytes: usize| (bytes as u64).div_ceil(BYTES_OF_A_TOKEN);
        let prompt = messages.iter().map(|message| tokens(message.content.len())).sum();
        Self { prompt, completion: tokens(reply.len()), cached: 0, estimated: true }
    }
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentError {
    /// What went wrong, a sentence without its full stop.
    pub message: String,
    /// Whether it will go wrong for all other episodes, too, as with a key that is refused.
    pub is_for_all: bool,
    /// What was tried, and what went wrong each time.
    pub failures: Failures,
}

impl AgentError {
    /// An error that another episode need not have.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), is_for_all: false, failures: Failures::new() }
    }

    /// An error that all episodes will have.
    pub fn for_all(message: impl Into<String>) -> Self {
        Self { is_for_all: true, ..Self::new(message) }
    }
}

impl fmt::Display for AgentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for AgentError {}
