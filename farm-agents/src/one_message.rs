//! Writes a turn as a single user message, without a system message. The message contains the task, the actions and the reply format. The
//! thoughts, actions and results of all earlier turns follow, and then the current text. Agents in AutoEnv-36 read turns in this form.

use farm_core::Conversation;
use farm_core::inspect::RulesText;
use serde_json::{Map, json};

/// Marks around an agent's thoughts. The agent reads its thoughts again in later turns.
const THOUGHT: [&str; 2] = ["<thinking_memory>", "</thinking_memory>"];
/// The text shown for an earlier action that could not be read.
const UNREADABLE: &str = "none that can be read";

/// The beginning of every message: the task, the actions, and the reply format.
pub(crate) fn instructions(conversation: &Conversation, rules: RulesText) -> String {
    let game = conversation.environment().game();
    let (task, list) = (conversation.task(rules), game.text().action_list(rules));
    let [open, close] = THOUGHT;
    let several = match game.catalogue().max_schedule() {
        1 => String::new(),
        most => format!("To play several actions in a step (at most {most}), write a list of such objects.\n"),
    };
    format!(
        "{task}\nACTIONS\n{list}\nREPLY FORMAT\nThink between {open} and {close}. In later turns you see these thoughts, your actions and their \
         results, but not the earlier observations. Then write the action as a JSON object in a code block, with an entry of `params` for \
         each parameter:\n{open}your thoughts{close}\n```json\n{}\n```\n{several}{}\n",
        example(conversation),
        game.text().unreadable()
    )
}

/// An example of one of the game's actions, in the reply format.
fn example(conversation: &Conversation) -> String {
    let table = conversation.environment().game().catalogue();
    let call = table.calls().iter().find(|call| table.arguments(call).next().is_some()).or(table.calls().first());
    let Some(call) = call else { return json!({"action": "wait", "params": {}}).to_string() };
    let written = table.write(call);
    let name = written.split_once('(').map_or(written.as_str(), |(name, _)| name);
    let params: Map<_, _> =
        table.arguments(call).map(|(parameter, argument)| (parameter.name().to_owned(), argument.to_json())).collect();
    json!({"action": name, "params": params}).to_string()
}

/// A completed turn as later messages show it, without its index.
pub(crate) fn past_turn(reply: &str, action: Option<&str>, result: &str) -> String {
    let result: Vec<&str> = result.lines().collect();
    let (thought, action) = (thought(reply), action.unwrap_or(UNREADABLE));
    format!("Thought: {thought}\nAction: {action}\n-> {}\n", result.join("; "))
}

/// The message for a turn.
pub(crate) fn message(instructions: &str, past: &[String], text: &str) -> String {
    let mut turns = String::new();
    for (number, turn) in (1..).zip(past) {
        turns += &format!("Turn {number}\n{turn}");
    }
    if turns.is_empty() {
        turns += "None.\n";
    }
    format!("{instructions}\nPAST TURNS\n{turns}\nNOW\n{text}")
}

/// The thought in a reply: the text between the thought marks. Without marks, the thought is the text before the first JSON block, or
/// before the first block of any kind; without blocks, it is the complete reply.
fn thought(reply: &str) -> &str {
    let [open, close] = THOUGHT;
    let marked = || {
        let (_, rest) = reply.split_once(open)?;
        rest.split_once(close).map(|(inner, _)| inner)
    };
    let before = |mark: &str| reply.split_once(mark).map(|(before, _)| before);
    marked().or_else(|| before("```json")).or_else(|| before("```")).unwrap_or(reply).trim()
}

#[cfg(test)]
mod tests {
    use farm_core::TextForm;

    use super::*;

    #[test]
    fn a_thought_stands_in_its_tags_or_before_the_action() {
        for (reply, expected) in [
            ("Well.<thinking_memory> go\nnorth </thinking_memory>```json\n{}\n```", "go\nnorth"),
            ("First ```text\nx\n``` then\n```json\n{}\n```", "First ```text\nx\n``` then"),
            ("I go.\n```\n{}\n```", "I go."),
            ("MoveN ", "MoveN"),
            ("<thinking_memory>cut off", "<thinking_memory>cut off"),
            ("```json\n{}\n``` afterwards", ""),
            ("", ""),
        ] {
            assert_eq!(thought(reply), expected, "{reply}");
        }
    }

    /// The example action in every game's instructions can be read exactly as shown.
    #[test]
    fn the_example_of_every_game_is_read() {
        for entry in farm_games::CATALOGUE {
            let name = entry.name;
            let game = farm_games::open(name, &farm_games::Options::default()).unwrap();
            let conversation = Conversation::new(game.into(), TextForm::Full, 1);
            let instructions = instructions(&conversation, RulesText::Hidden);
            let game = conversation.environment().game();
            let (_, answer) = instructions.split_once("your thoughts</thinking_memory>\n").unwrap();
            let schedule = game
                .text()
                .parse(&format!("<thinking_memory>a</thinking_memory>\n{answer}"))
                .unwrap_or_else(|problem| panic!("{name}: {problem}"));
            assert_eq!(schedule.len(), 1, "{name}: {answer}");
        }
    }
}
