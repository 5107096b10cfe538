//! Agents that play by text, and their requests and answers.

use std::collections::BTreeMap;
use std::fmt;

use farm_core::Environment;
use serde::{Deserialize, Serialize};

use crate::dialogue::{Dialogue, Message};
use crate::eyes::{Eyes, Picture};
use crate::limits::MAX_DETAIL;

/// An agent that plays by text. Each episode has its own agent.
pub trait Agent: Send {
    /// Answers a turn.
    ///
    /// # Errors
    /// The agent gave no answer, even after retries.
    fn reply(&mut self, request: &Request<'_>) -> Result<Answer, AgentError>;

    /// Receives a turn whose answer is already in the trace. An agent with a memory updates its memory here.
    ///
    /// # Errors
    /// The agent can't continue from this turn.
    fn recorded(&mut self, _request: &Request<'_>) -> Result<(), AgentError> {
        Ok(())
    }

    /// Receives the last text of the episode, which needs no answer.
    fn ended(&mut self, _request: &Request<'_>) {}
}

/// The type of answer that a request asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ask {
    /// An action.
    Action,
    /// A summary of the agent's knowledge. In later requests, the summary replaces the turns before it.
    Summary,
}

/// A request to an agent.
#[derive(Debug, Clone, Copy)]
pub struct Request<'r> {
    /// The episode's name in the run.
    pub episode: &'r str,
    /// The index of the trial in the episode, from 0. A lifetime episode has several trials.
    pub trial: u32,
    /// The index of the turn, from 0. If a reply can't be read, the agent is asked again within the same turn.
    pub turn: u64,
    /// Whether the request asks for an action or for a summary.
    pub ask: Ask,
    /// Whether the agent also sees a picture of the learner's view.
    pub vision: bool,
    /// The conversation, which [`Request::messages`] turns into messages.
    pub dialogue: &'r Dialogue,
    /// The episode itself, for reference agents that are game policies. Never send any part of it to a model.
    pub environment: &'r Environment,
}

impl Request<'_> {
    /// The conversation as a model reads it: the instructions, the kept history, and the current text.
    pub fn messages(&self) -> Vec<Message> {
        match self.ask {
            Ask::Action => self.dialogue.messages(),
            Ask::Summary => self.dialogue.summary_messages(),
        }
    }

    /// The picture that belongs to the current text; `None` for summaries and for agents that do not see.
    ///
    /// # Errors
    /// The game has no picture.
    pub fn picture(&self, eyes: &mut Eyes) -> Result<Option<Picture>, AgentError> {
        if !self.vision || self.ask != Ask::Action {
            return Ok(None);
        }
        let seen = eyes.see(self.environment);
        seen.map(Some).map_err(|problem| AgentError::for_all(format!("no picture: {problem}")))
    }
}

/// An agent's answer.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Answer {
    /// The text.
    pub reply: String,
    /// Whether a length limit cut the text off.
    pub is_cut: bool,
    /// The tokens, if the agent counts them.
    pub tokens: Option<Tokens>,
    /// The time from the first attempt to the answer, in seconds.
    pub seconds: f64,
    /// The number of attempts; more than 1 if earlier attempts failed.
    pub attempts: u32,
    /// The number of failed attempts by kind: `429`, `500`, `timeout`, `connection`, `malformed`, `error`.
    pub failures: Failures,
    /// What else the endpoint reports about the reply.
    pub details: Details,
}

/// What an endpoint reports about a reply besides its text. No model reads it again.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Details {
    /// The thoughts that the endpoint separates from the reply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<String>,
    /// The ids of the tokens sent, with spaces between them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt_token_ids: Option<String>,
    /// The ids of the tokens received, with spaces between them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token_ids: Option<String>,
    /// The log-probabilities of the tokens received, with spaces between them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub logprobs: Option<String>,
}

impl Details {
    /// Whether there are none; then a trace leaves them out.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The same details, each cut after the maximum number of bytes that a trace keeps.
    pub(crate) fn limited(mut self) -> Self {
        let all = [&mut self.reasoning, &mut self.prompt_token_ids, &mut self.token_ids, &mut self.logprobs];
        for text in all.into_iter().flatten() {
            text.truncate(text.floor_char_boundary(MAX_DETAIL));
        }
        self
    }
}

/// The kind of failure of a conversation that is longer than the model's context.
pub(crate) const OVERFLOW: &str = "context";

/// The number of failed attempts by kind.
pub type Failures = BTreeMap<String, u32>;

/// Token counts of one or more calls.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tokens {
    /// Tokens sent.
    pub prompt: u64,
    /// Tokens received, including thoughts.
    pub completion: u64,
    /// Received tokens of thoughts that the endpoint counts separately.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub reasoning: u64,
    /// Sent tokens that the endpoint had cached.
    pub cached: u64,
    /// Whether any of these counts is an estimate (one token per 4 bytes), because the agent did not count tokens.
    pub estimated: bool,
}

/// Whether a count is 0; then it is left out.
fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// Bytes per token in estimates.
const BYTES_OF_A_TOKEN: u64 = 4;

impl Tokens {
    /// All tokens sent and received.
    pub fn total(&self) -> u64 {
        self.prompt.saturating_add(self.completion)
    }

    /// Adds the tokens of another call.
    pub fn add(&mut self, other: &Self) {
        self.prompt = self.prompt.saturating_add(other.prompt);
        self.completion = self.completion.saturating_add(other.completion);
        self.reasoning = self.reasoning.saturating_add(other.reasoning);
        self.cached = self.cached.saturating_add(other.cached);
        self.estimated |= other.estimated;
    }

    /// Estimates the tokens of a call whose tokens were not counted.
    pub fn estimate(messages: &[Message], reply: &str, details: &Details) -> Self {
        let tokens = |bytes: usize| (bytes as u64).div_ceil(BYTES_OF_A_TOKEN);
        let prompt = messages.iter().map(|message| tokens(message.content.len())).sum();
        let reasoning = tokens(details.reasoning.as_ref().map_or(0, String::len));
        Self { prompt, completion: tokens(reply.len()) + reasoning, reasoning, cached: 0, estimated: true }
    }
}

/// The reason why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentError {
    /// The problem, as a sentence without a full stop.
    pub message: String,
    /// Whether all other episodes will also fail, for example because the key was rejected.
    pub is_for_all: bool,
    /// Whether the conversation is longer than the model's context. The episode then continues with a shorter one, or ends.
    pub is_overflow: bool,
    /// The failed attempts by kind.
    pub failures: Failures,
}

impl AgentError {
    /// Creates an error that may not affect other episodes.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), is_for_all: false, is_overflow: false, failures: Failures::new() }
    }

    /// Creates an error that affects all episodes.
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
