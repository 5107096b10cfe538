//! A person who plays by text, as models do. The module shows the texts, reads the replies and measures the time.

use std::fmt;
use std::io::{self, Write};
use std::time::Instant;

use serde_json::{Map, Value as Json, json};

use crate::agent::{Agent, AgentError, Answer, Request, Tokens};

/// A person at a terminal. The terminal shows the instructions first, and then a prompt for a line after each text.
pub struct PersonAgent<L, W> {
    next_line: L,
    out: W,
    /// The turn whose text was shown last.
    shown: Option<u64>,
}

impl<L, W> fmt::Debug for PersonAgent<L, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PersonAgent").field("shown", &self.shown).finish_non_exhaustive()
    }
}

/// The description of a person in a trace, with or without pictures next to the texts.
pub fn describe_person(sees_pictures: bool) -> Map<String, Json> {
    let pictures = sees_pictures.then(|| ("pictures".to_owned(), json!(true)));
    [("kind".to_owned(), json!("person"))].into_iter().chain(pictures).collect()
}

impl<L, W> PersonAgent<L, W>
where
    L: FnMut() -> io::Result<Option<String>>,
    W: Write,
{
    /// Creates an agent for a person who reads `out`. `next_line` waits for a line; it returns `None` at the end of the input.
    pub fn new(next_line: L, out: W) -> Self {
        Self { next_line, out, shown: None }
    }

    /// Shows the texts that have not been shown yet.
    fn show(&mut self, request: &Request<'_>) -> io::Result<()> {
        if self.shown.is_none() {
            writeln!(self.out, "{}", escaped(request.dialogue.instructions()))?;
        }
        if self.shown != Some(request.turn) {
            writeln!(self.out, "{}", escaped(request.dialogue.text()).trim_end())?;
            self.shown = Some(request.turn);
        }
        self.out.flush()
    }

    /// Shows the new texts and reads a line; `None` at the end of the input.
    fn ask(&mut self, request: &Request<'_>) -> io::Result<Option<String>> {
        self.show(request)?;
        write!(self.out, "> ")?;
        self.out.flush()?;
        Ok((self.next_line)()?.map(|line| line.trim().to_owned()))
    }
}

/// The text in a form that is safe to show in a terminal.
fn escaped(text: &str) -> String {
    farm_core::inspect::escape_controls(text).to_string()
}

impl<L, W> Agent for PersonAgent<L, W>
where
    L: FnMut() -> io::Result<Option<String>> + Send,
    W: Write + Send,
{
    fn reply(&mut self, request: &Request<'_>) -> Result<Answer, AgentError> {
        let start = Instant::now();
        let line = self.ask(request).map_err(|error| AgentError::for_all(format!("no reply: {error}")))?;
        let reply = line.ok_or_else(|| AgentError::for_all("the input ended before the episode did"))?;
        let seconds = start.elapsed().as_secs_f64();
        // A person sends and receives no tokens.
        Ok(Answer { reply, seconds, tokens: Some(Tokens::default()), attempts: 1, ..Answer::default() })
    }

    fn ended(&mut self, request: &Request<'_>) {
        // The episode is over and recorded; a failure to show its end does not matter.
        let _ = self.show(request);
    }
}

#[cfg(test)]
mod tests {
    use farm_core::{Conversation, Environment, TextForm};

    use super::*;
    use crate::agent::Ask;
    use crate::dialogue::{Dialogue, History, Rules, Turn};

    fn request<'r>(turn: u64, dialogue: &'r Dialogue, environment: &'r Environment) -> Request<'r> {
        Request { episode: "a", trial: 0, turn, ask: Ask::Action, vision: false, dialogue, environment }
    }

    #[test]
    fn a_person_reads_the_instructions_once_and_each_text_before_its_reply() {
        let game = farm_games::open("backwards_valley", &farm_games::Options::default()).unwrap();
        let mut conversation = Conversation::new(game.into(), TextForm::Full, 1);
        let first = conversation.reset(1);
        let mut dialogue = Dialogue::new(&conversation, first.clone(), Rules::Hidden, History::Full);
        let mut out = Vec::new();
        let mut lines = ["MoveN\n", "fly\n"].into_iter();
        let mut person = PersonAgent::new(|| Ok(lines.next().map(str::to_owned)), &mut out);
        for (turn, expected) in [(0, Some("MoveN")), (1, Some("fly")), (2, None)] {
            let request = request(turn, &dialogue, conversation.environment());
            match (person.reply(&request), expected) {
                (Ok(answer), Some(expected)) => {
                    assert_eq!((answer.reply.as_str(), answer.tokens), (expected, Some(Tokens::default())));
                }
                (Err(error), None) => assert!(error.is_for_all && error.message.contains("input ended")),
                (found, _) => panic!("{turn}: {found:?}"),
            }
            let text = conversation.reply("wait").unwrap().text;
            dialogue.answered(&Turn { reply: "wait", action: Some("Wait"), result: "" }, text);
        }
        let request = request(3, &dialogue, conversation.environment());
        person.ended(&request);
        let shown = String::from_utf8(out).unwrap();
        assert_eq!(shown.matches("OBSERVATION").count(), 1);
        assert_eq!(shown.matches("\n> ").count(), 3);
        assert!(shown.ends_with(&format!("{}\n", dialogue.text().trim_end())), "the end is shown: {shown}");
        assert!(shown.contains(first.trim_end()) && shown.contains("last reward: "), "{shown}");
    }
}
