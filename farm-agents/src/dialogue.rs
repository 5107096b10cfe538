//! Builds the messages that an agent reads from an episode's texts. No other module builds such messages.

use std::fmt;

use farm_core::Conversation;
use farm_core::inspect::RulesText;
use serde::{Deserialize, Serialize};

use crate::one_message;

/// The role of a message's sender.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Speaker {
    /// The instructions.
    System,
    /// The game.
    User,
    /// The agent.
    Assistant,
}

/// A message in a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// The role.
    pub role: Speaker,
    /// The text.
    pub content: String,
}

/// The part of the history that an agent reads again each turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum History {
    /// All turns.
    #[default]
    Full,
    /// All turns that fit: if the conversation is longer than the model's context, the older half of the turns is dropped.
    Fit,
    /// The last N turns.
    Last(u32),
    /// All turns since the last summary. After N turns the agent writes a summary, which then replaces them.
    Summary(u32),
    /// None: only the instructions and the current text.
    None,
    /// Thoughts, actions and results of all turns, without old observations, in one user message.
    Actions,
}

impl History {
    /// Reads `full`, `fit`, `none`, `actions`, `last:5` or `summary:10`.
    ///
    /// # Errors
    /// The text has none of these forms; the message lists them.
    pub fn parse(text: &str) -> Result<Self, String> {
        match text {
            "full" => Ok(Self::Full),
            "fit" => Ok(Self::Fit),
            "none" => Ok(Self::None),
            "actions" => Ok(Self::Actions),
            _ => {
                let number = |start: &str| text.strip_prefix(start).and_then(|turns| turns.parse().ok());
                let read = number("last:").map(Self::Last).or_else(|| number("summary:").map(Self::Summary));
                let read = read.filter(|read| !matches!(read, Self::Last(0) | Self::Summary(0)));
                read.ok_or_else(|| {
                    "expected `full`, `fit`, `none`, `actions`, `last:K`, or `summary:K`, with K an integer of at least 1"
                        .to_owned()
                })
            }
        }
    }
}

impl fmt::Display for History {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Full => f.write_str("full"),
            Self::Fit => f.write_str("fit"),
            Self::Last(turns) => write!(f, "last:{turns}"),
            Self::Summary(turns) => write!(f, "summary:{turns}"),
            Self::None => f.write_str("none"),
            Self::Actions => f.write_str("actions"),
        }
    }
}

impl Serialize for History {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for History {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).map_err(serde::de::Error::custom)
    }
}

/// Whether the instructions contain the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Rules {
    /// Hidden: the instructions contain only the observation, the action format and the goal.
    #[default]
    Hidden,
    /// Shown: the instructions also contain the effects of actions, the rewards and the end of the game.
    Shown,
}

impl Rules {
    /// Its name.
    pub fn name(self) -> &'static str {
        self.text().name()
    }

    /// The corresponding value in `farm_core`.
    pub fn text(self) -> RulesText {
        match self {
            Self::Hidden => RulesText::Hidden,
            Self::Shown => RulesText::Shown,
        }
    }
}

/// The request for a summary. It is not part of the game.
pub const ASK_FOR_SUMMARY: &str = "Write a summary before you continue. You will not see the turns above again. Write down what you know about \
    the rules, where things are, and what you plan to do. Do not write an action. The game continues after your summary.";

/// A completed turn.
#[derive(Debug, Clone, Copy)]
pub struct Turn<'t> {
    /// What the agent wrote.
    pub reply: &'t str,
    /// The actions in the reply, as a player writes them; `None` if the reply could not be read.
    pub action: Option<&'t str>,
    /// The result, one item per line: the reward, rejected actions with reasons, the end.
    pub result: &'t str,
}

/// An episode's conversation.
#[derive(Debug, Clone)]
pub struct Dialogue {
    instructions: String,
    history: History,
    /// Observations and replies, turn by turn, since the last summary.
    past: Vec<(String, String)>,
    /// Thoughts, actions and results, turn by turn, for [`History::Actions`].
    actions: Vec<String>,
    /// The agent's summary of earlier turns.
    summary: Option<String>,
    /// The current observation.
    text: String,
}

impl Dialogue {
    /// Creates an episode's dialogue, with its first text.
    pub fn new(conversation: &Conversation, first: String, rules: Rules, history: History) -> Self {
        let instructions = match history {
            History::Actions => one_message::instructions(conversation, rules.text()),
            _ => conversation.instructions(rules.text()),
        };
        Self { instructions, history, past: Vec::new(), actions: Vec::new(), summary: None, text: first }
    }

    /// The instructions, which the agent reads before the first turn.
    pub fn instructions(&self) -> &str {
        &self.instructions
    }

    /// The current text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Records a turn and the game's text after it.
    pub fn answered(&mut self, turn: &Turn<'_>, text: String) {
        let seen = std::mem::replace(&mut self.text, text);
        if self.history == History::Actions {
            self.actions.push(one_message::past_turn(turn.reply, turn.action, turn.result));
        }
        self.past.push((seen, turn.reply.to_owned()));
        // Turns that no later turn reads are dropped.
        let kept = match self.history {
            History::Full | History::Fit | History::Summary(_) => usize::MAX,
            History::Last(turns) => turns as usize,
            History::None | History::Actions => 0,
        };
        let gone = self.past.len().saturating_sub(kept);
        self.past.drain(..gone);
    }

    /// Drops the older half of the turns, if the history allows it. Returns whether there was a turn to drop.
    pub fn shorten(&mut self) -> bool {
        let dropped = if self.history == History::Fit { self.past.len().div_ceil(2) } else { 0 };
        self.past.drain(..dropped);
        dropped > 0
    }

    /// Whether the next request must ask the agent for a summary.
    pub fn wants_summary(&self) -> bool {
        matches!(self.history, History::Summary(turns) if self.past.len() >= turns as usize)
    }

    /// Replaces all turns so far with a summary.
    pub fn summarised(&mut self, summary: &str) {
        self.summary = Some(summary.to_owned());
        self.past.clear();
    }

    /// The messages for this turn.
    pub fn messages(&self) -> Vec<Message> {
        self.messages_with(&self.text)
    }

    /// The messages that ask the agent for a summary.
    pub fn summary_messages(&self) -> Vec<Message> {
        self.messages_with(ASK_FOR_SUMMARY)
    }

    fn messages_with(&self, last: &str) -> Vec<Message> {
        let message = |role: Speaker, content: &str| Message { role, content: content.to_owned() };
        if self.history == History::Actions {
            return vec![message(Speaker::User, &one_message::message(&self.instructions, &self.actions, last))];
        }
        let mut messages = vec![message(Speaker::System, &self.instructions)];
        if let Some(summary) = &self.summary {
            messages.push(message(Speaker::User, ASK_FOR_SUMMARY));
            messages.push(message(Speaker::Assistant, summary));
        }
        for (seen, reply) in &self.past {
            messages.push(message(Speaker::User, seen));
            messages.push(message(Speaker::Assistant, reply));
        }
        messages.push(message(Speaker::User, last));
        messages
    }
}

#[cfg(test)]
mod tests {
    use farm_core::TextForm;

    use super::*;

    fn turn(reply: &str) -> Turn<'_> {
        Turn { reply, action: None, result: "" }
    }

    #[test]
    fn a_history_is_read_as_it_is_written() {
        for text in ["full", "fit", "none", "actions", "last:1", "last:5", "summary:1", "summary:20"] {
            assert_eq!(History::parse(text).unwrap().to_string(), text);
        }
        for text in ["", "last", "last:", "last:0", "last:-1", "Full", "all", "summary", "summary:0", "summary:x"] {
            assert!(History::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_conversation_keeps_as_many_turns_as_its_history_says() {
        let game = farm_games::open("backwards_valley", &farm_games::Options::default()).unwrap();
        let mut conversation = Conversation::new(game.into(), TextForm::Full, 1);
        for (history, expected) in [(History::Full, 8), (History::Last(2), 6), (History::None, 2)] {
            let first = conversation.reset(1);
            let mut dialogue = Dialogue::new(&conversation, first, Rules::Hidden, history);
            assert_eq!(dialogue.messages().len(), 2);
            for number in 0..3 {
                let text = conversation.reply("wait").unwrap().text;
                dialogue.answered(&turn(&format!("wait {number}")), text);
            }
            let messages = dialogue.messages();
            assert_eq!(messages.len(), expected, "{history}");
            assert_eq!(messages[0].role, Speaker::System);
            assert_eq!(
                messages.last().map(|last| last.content.as_str()),
                Some(conversation.environment().text().as_str())
            );
            if expected > 2 {
                assert_eq!(messages[expected - 2].content, "wait 2", "{history}");
            }
        }
    }

    #[test]
    fn a_summary_stands_for_the_turns_before_it() {
        let game = farm_games::open("backwards_valley", &farm_games::Options::default()).unwrap();
        let mut conversation = Conversation::new(game.into(), TextForm::Full, 1);
        let first = conversation.reset(1);
        let mut dialogue = Dialogue::new(&conversation, first, Rules::Hidden, History::Summary(2));
        let contents = |dialogue: &Dialogue| -> Vec<String> {
            dialogue.messages().into_iter().skip(1).map(|message| message.content).collect()
        };
        for (number, wanted) in [(0, false), (1, true)] {
            dialogue.answered(&turn(&format!("reply {number}")), format!("text {}", number + 1));
            assert_eq!(dialogue.wants_summary(), wanted);
        }
        let asked = dialogue.summary_messages();
        assert_eq!((asked.len(), asked[5].content.as_str()), (6, ASK_FOR_SUMMARY));
        assert_eq!(asked[4].content, "reply 1");
        dialogue.summarised("care harms");
        assert!(!dialogue.wants_summary());
        assert_eq!(contents(&dialogue), [ASK_FOR_SUMMARY, "care harms", "text 2"]);
        dialogue.answered(&turn("reply 2"), "text 3".to_owned());
        assert_eq!(contents(&dialogue)[2..], ["text 2", "reply 2", "text 3"]);
        // Who speaks alternates, as templates of models want it.
        let roles: Vec<Speaker> = dialogue.messages().iter().map(|message| message.role).collect();
        assert!(roles[1..].windows(2).all(|pair| pair[0] != pair[1]), "{roles:?}");
    }
}
