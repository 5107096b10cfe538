//! An episode played by text: the requests to the agent, the effect of its replies, and the end.
//!
//! Both playing an episode and verifying its trace use a session. When playing, the session gets the agent's replies; when verifying, it
//! gets the recorded ones.

use std::sync::Arc;

use farm_core::config::Problems;
use farm_core::{Conversation, Environment, Game, SeedSplit, TEXT_VERSION};
use serde_json::Value as Json;

use crate::agent::{Answer, Ask, Request, Tokens};
use crate::dialogue::{Dialogue, Turn};
use crate::errors::step_failed;
use crate::header::{Conduct, EpisodePlan};
use crate::limits::{MAX_EMPTY, MAX_REPLY};
use crate::trace::{CallLine, EndLine, EndReason, Line, Opening, RejectedText, SummaryLine, TrialEnd, hex};

/// The default maximum number of replies in a turn, as in AutoEnv-36.
pub const REPLIES: u32 = 3;

/// An episode in progress.
#[derive(Debug)]
pub struct Session {
    conduct: Conduct,
    conversation: Conversation,
    dialogue: Dialogue,
    /// The numbers of calls, of turns, and of replies in this turn.
    calls: u64,
    turns: u64,
    replies: u32,
    /// The number of empty replies in a row.
    empty: u32,
    /// Whether the conversation is longer than the model's context and can't be shortened.
    is_overflowed: bool,
    tokens: Tokens,
    seconds: f64,
    total: f64,
    /// The number of days in finished trials.
    days: u32,
    is_over: bool,
}

impl Session {
    /// Starts an episode.
    pub fn new(game: Arc<Game>, seed: u64, conduct: Conduct) -> Self {
        let mut conversation = Conversation::new(game, conduct.text, conduct.lifetime);
        conversation.name_split(SeedSplit::of(seed));
        let first = conversation.reset(seed);
        let dialogue = Dialogue::new(&conversation, first, conduct.rules, conduct.history);
        let (tokens, is_over) = (Tokens::default(), conversation.environment().state().over());
        Self {
            conduct,
            conversation,
            dialogue,
            calls: 0,
            turns: 0,
            replies: 0,
            empty: 0,
            is_overflowed: false,
            tokens,
            seconds: 0.0,
            total: 0.0,
            days: 0,
            is_over,
        }
    }

    /// The first line of the trace, for a run with this digest.
    pub fn opening(&self, plan: &EpisodePlan, run: u64) -> Opening {
        Opening {
            episode: plan.id.clone(),
            level: plan.level.clone(),
            seed: plan.seed,
            fingerprint: hex(self.environment().game().fingerprint()),
            run: hex(run),
            text: TEXT_VERSION,
            instructions: self.dialogue.instructions().to_owned(),
            state: self.state(),
            digest: String::new(),
        }
    }

    /// The environment.
    pub fn environment(&self) -> &Environment {
        self.conversation.environment()
    }

    fn state(&self) -> String {
        hex(self.environment().state().hash())
    }

    /// The next request to the agent.
    pub fn request<'r>(&'r self, episode: &'r str) -> Request<'r> {
        let ask = if self.wants_summary() { Ask::Summary } else { Ask::Action };
        let (trial, environment) = (self.conversation.episode(), self.environment());
        let (turn, vision, dialogue) = (self.turns, self.conduct.vision, &self.dialogue);
        Request { episode, trial, turn, ask, vision, dialogue, environment }
    }

    /// Whether the next request asks for a summary instead of an action.
    pub fn wants_summary(&self) -> bool {
        self.dialogue.wants_summary() && self.replies == 0
    }

    /// Records a summary. No time passes in the game.
    fn take_summary(&mut self, answer: Answer) -> SummaryLine {
        let Answer { reply, is_cut, tokens, seconds, attempts, failures, details } = answer;
        let tokens = tokens.unwrap_or_else(|| Tokens::estimate(&self.dialogue.summary_messages(), &reply, &details));
        self.tokens.add(&tokens);
        self.seconds += seconds;
        self.calls += 1;
        self.dialogue.summarised(&reply);
        let (turn, digest) = (self.turns, String::new());
        SummaryLine { turn, reply, cut: is_cut, tokens, seconds, attempts, failures, details, digest }
    }

    /// The reason for the episode's end, if there is no further turn.
    pub fn end_reason(&self) -> Option<EndReason> {
        let Conduct { max_turns, max_tokens, max_seconds, .. } = self.conduct;
        if self.is_over {
            Some(EndReason::Game)
        } else if self.turns >= max_turns {
            Some(EndReason::Turns)
        } else if max_tokens.is_some_and(|most| self.tokens.total() >= most) {
            Some(EndReason::Tokens)
        } else if max_seconds.is_some_and(|most| self.seconds >= most) {
            Some(EndReason::Seconds)
        } else if self.is_overflowed {
            Some(EndReason::Context)
        } else if self.empty >= MAX_EMPTY {
            Some(EndReason::Empty)
        } else {
            None
        }
    }

    /// Shortens a conversation that is longer than the model's context, if the history allows it. Otherwise, the episode ends.
    pub fn overflowed(&mut self) {
        self.is_overflowed |= !self.dialogue.shorten();
    }

    /// Processes the answer to the current request, and returns its trace line.
    ///
    /// # Errors
    /// A step failed because of a defect in the game.
    pub fn take_line(&mut self, mut answer: Answer) -> Result<Line, Problems> {
        if answer.reply.len() > MAX_REPLY {
            answer.reply.truncate(answer.reply.floor_char_boundary(MAX_REPLY));
            answer.is_cut = true;
        }
        if self.wants_summary() {
            return Ok(Line::Summary(self.take_summary(answer)));
        }
        self.take(answer).map(Line::Call)
    }

    /// Processes a reply: plays it or requests another one.
    ///
    /// # Errors
    /// A step failed because of a defect in the game.
    fn take(&mut self, answer: Answer) -> Result<CallLine, Problems> {
        let Answer { reply, is_cut, tokens, seconds, attempts, failures, details } = answer;
        let tokens = tokens.unwrap_or_else(|| Tokens::estimate(&self.dialogue.messages(), &reply, &details));
        self.empty = if reply.trim().is_empty() { self.empty + 1 } else { 0 };
        self.tokens.add(&tokens);
        self.seconds += seconds;
        self.replies += 1;
        let text = self.dialogue.text().to_owned();
        let (call, turn) = (self.calls, self.turns);
        self.calls += 1;
        let (action, problem) = match self.environment().game().text().parse(&reply) {
            Err(problem) => (None, Some(problem.sentence())),
            Ok(schedule) => {
                let action = self.environment().game().text().write(&schedule);
                (Some(action), is_cut.then(|| "the reply was cut off".to_owned()))
            }
        };
        let mut line = CallLine {
            call,
            turn,
            text,
            cut: is_cut,
            played: false,
            actions: Vec::new(),
            rejected: Vec::new(),
            reward: 0.0,
            total: self.total,
            observation_cost: 0.0,
            state: String::new(),
            trial: self.conversation.episode(),
            trial_end: None,
            tokens,
            seconds,
            attempts,
            failures,
            details,
            digest: String::new(),
            reply,
        };
        match problem {
            Some(reason) if self.replies < self.conduct.replies => {
                line.rejected.push(RejectedText { action: Json::Null, reason });
            }
            _ => self.play(&mut line, action.as_deref())?,
        }
        line.state = self.state();
        Ok(line)
    }

    /// Plays a line's reply, which was read as `action`, and adds the result to the line.
    fn play(&mut self, line: &mut CallLine, action: Option<&str>) -> Result<(), Problems> {
        let reading = self.conversation.reply(&line.reply).map_err(|error| step_failed(&error))?;
        line.played = true;
        line.actions = self.conversation.executed().to_vec();
        let rejected = self.conversation.rejected().iter();
        line.rejected = rejected
            .map(|rejected| RejectedText {
                action: rejected["action"].clone(),
                reason: rejected["reason"].as_str().unwrap_or_default().to_owned(),
            })
            .collect();
        self.total += reading.reward;
        (line.reward, line.total) = (reading.reward, self.total);
        line.observation_cost = self.conversation.observation_cost();
        self.is_over = reading.terminated || reading.truncated;
        if let Some(end) = self.conversation.ended() {
            self.days += end.steps();
            if self.conduct.lifetime > 1 {
                let total = self.conversation.returns().get(line.trial as usize).copied().unwrap_or_default();
                let (stop, state) = (end.stop().to_owned(), hex(end.state()));
                line.trial_end = Some(TrialEnd { stop, total, days: end.steps(), state });
            }
        }
        self.turns += 1;
        self.replies = 0;
        let turn = Turn { reply: &line.reply, action, result: self.conversation.result() };
        self.dialogue.answered(&turn, reading.text);
        Ok(())
    }

    /// The last line of the trace, for an episode without a further turn.
    pub fn end(&self, why: EndReason) -> EndLine {
        let stop = match why {
            EndReason::Game => self.environment().info().stop().unwrap_or_default().to_owned(),
            EndReason::Context => "the conversation is longer than the model's context".to_owned(),
            EndReason::Empty => format!("the agent sent {MAX_EMPTY} empty replies in a row"),
            EndReason::Turns | EndReason::Tokens | EndReason::Seconds => {
                format!("the budget of {} is used up", why.name())
            }
        };
        EndLine {
            why,
            stop,
            total: self.total,
            turns: self.turns,
            calls: self.calls,
            days: self.days + if self.is_over { 0 } else { self.environment().state().step() },
            state: self.state(),
            tokens: self.tokens,
            seconds: self.seconds,
            digest: String::new(),
        }
    }
}
