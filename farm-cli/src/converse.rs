//! `farm agents converse`: a game as a conversation of JSON lines, for programs in any language.

use std::io::{self, BufRead, Write};
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Args, ValueEnum};
use farm_core::config::{LimitedLine, Problems, nearest, read_line_limited};
use farm_core::inspect::RulesText;
use farm_core::{Conversation, Reading, SeedSplit, TextForm};
use farm_games::{FamilyGame, FamilyWorld, check_split};
use serde_json::{Map, Value as Json, json};

use crate::arguments::{Rules, SeededGame};
use crate::check;

const EXAMPLES: &str = "\
Examples:
  farm agents converse GAME --seed 7
  farm agents converse GAME --seed 7 --text compact --rules shown
  farm agents converse GAME --seed 7 --episodes 5          five episodes: same rules, different worlds
  printf '{\"reply\": \"wait\"}\\n' | farm agents converse GAME --seed 7

The first output line contains the `instructions` and the first `text`. Each input line is one message and gets one output line:
  {\"reply\": \"Action: MoveN\"}   plays the reply; the answer has `text`, `reward`, `terminated`, `truncated`,
                               `rejected` (parts of the reply without effect, with reasons), `episode_over`, `returns`
  {\"reset\": 8}                 starts again with this seed, or with world \"test/8\" of a split; `null` takes the next seed
A family on a tier, such as FAMILY@tier=5, draws rules and map together at each start. Its first line also has `member`, `tier`, `split`,
`index` and `rules`; the last answer has `score`, `waiting`, `best` and `proven`.
A JSON string is also a reply. Any other line gets an answer with `error` and plays nothing.";

/// The maximum length of an input line, in bytes. Replies from models are shorter.
const MAX_LINE_BYTES: u64 = 1 << 20;

/// Play by JSON lines on stdin and stdout
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    world: SeededGame,
    #[command(flatten)]
    conversation: ConversationArguments,
}

/// The form of a conversation.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct ConversationArguments {
    /// Whether the instructions contain the rules
    #[arg(long, value_enum, default_value_t = Rules::Hidden)]
    rules: Rules,
    /// Form of the observations
    #[arg(long = "text", value_enum, default_value_t = Text::Full)]
    text: Text,
    /// Episodes per conversation: same rules, different worlds
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000), value_name = "NUMBER")]
    episodes: u32,
}

/// Form of the observations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Text {
    /// All values, with full names and all digits
    Full,
    /// Short names, 3 significant digits, changes only
    Compact,
    /// One row of all values, separated by commas
    Rows,
}

impl From<Text> for TextForm {
    fn from(text: Text) -> Self {
        match text {
            Text::Full => Self::Full,
            Text::Compact => Self::Compact,
            Text::Rows => Self::Rows,
        }
    }
}

/// An input line.
#[derive(Debug, PartialEq, Eq)]
enum Message {
    Reply(String),
    /// The seed, if the message gives one.
    Reset(Option<u64>),
}

impl Message {
    /// Parses a line.
    ///
    /// # Errors
    /// Returns the error and a fix.
    fn read(line: &str) -> Result<Self, String> {
        const FORM: &str = "expected `{\"reply\": \"…\"}` or `{\"reset\": SEED}`";
        let value: Json = serde_json::from_str(line).map_err(|error| format!("not a line of JSON: {error}; {FORM}"))?;
        let object = match value {
            Json::String(reply) => return Ok(Self::Reply(reply)),
            Json::Object(object) => object,
            other => return Err(format!("found {other}; {FORM}")),
        };
        let unknown = object.keys().find(|key| !["reply", "reset"].contains(&key.as_str()));
        if let Some(key) = unknown {
            let meant =
                nearest(key, &["reply", "reset"]).map_or(String::new(), |name| format!("; did you mean `{name}`?"));
            return Err(format!("unknown key `{key}`{meant} ({FORM})"));
        }
        match (object.get("reply"), object.get("reset")) {
            (Some(Json::String(reply)), None) => Ok(Self::Reply(reply.clone())),
            (None, Some(Json::Null)) => Ok(Self::Reset(None)),
            (None, Some(seed)) => {
                let text = seed.as_str().map_or_else(|| seed.to_string(), str::to_owned);
                let read = crate::arguments::seed(&text);
                read.map(|seed| Self::Reset(Some(seed))).map_err(|problem| format!("`reset` is {seed}: {problem}"))
            }
            (Some(_), Some(_)) => Err(format!("`reply` and `reset` on one line; {FORM}")),
            (Some(reply), None) => Err(format!("`reply` is {reply}; expected a string")),
            (None, None) => Err(format!("empty message; {FORM}")),
        }
    }
}

/// Runs the conversation on standard input and output.
///
/// # Errors
/// Fails if the game has errors, if input or output fails, or if a part fails.
pub(crate) fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let told = arguments.conversation;
    let family = FamilyGame::open(&arguments.world.game.game).transpose()?;
    let game = match &family {
        Some(family) => {
            arguments.world.game.check_unchanged()?;
            family.shape().clone()
        }
        None => Arc::new(arguments.world.game.open()?),
    };
    let mut conversation = Conversation::new(game, told.text.into(), told.episodes);
    let mut session =
        Session { family, world: None, rules: told.rules.into(), seed: arguments.world.seed, is_over: false };
    let (mut input, mut out) = (io::stdin().lock(), io::stdout().lock());
    let mut answer = session.begin(&mut conversation, arguments.world.seed)?;
    loop {
        // One line per message, at once: the other side waits for it.
        writeln!(out, "{}", Json::Object(answer))?;
        out.flush()?;
        let Some(line) = next_line(&mut input)? else { return Ok(ExitCode::SUCCESS) };
        answer = match line.and_then(|line| Message::read(&line)) {
            Ok(Message::Reset(seed)) => {
                // The world after the last one of a split is not part of the split.
                let seed = seed
                    .unwrap_or_else(|| SeedSplit::nearest(SeedSplit::of(session.seed), session.seed.wrapping_add(1)));
                session.begin(&mut conversation, seed).unwrap_or_else(|problems| error(problems.to_string()))
            }
            Ok(Message::Reply(_)) if session.is_over => {
                error("the conversation is over; `{\"reset\": null}` begins the next one".to_owned())
            }
            Ok(Message::Reply(reply)) => session.reply(&mut conversation, &reply)?,
            Err(problem) => error(problem),
        };
    }
}

/// A conversation's state, apart from the game.
struct Session {
    /// The family that draws a member for each conversation, and the drawn world.
    family: Option<FamilyGame>,
    world: Option<FamilyWorld>,
    rules: RulesText,
    seed: u64,
    is_over: bool,
}

impl Session {
    fn begin(&mut self, conversation: &mut Conversation, seed: u64) -> Result<Map<String, Json>, Problems> {
        let mut rules = self.rules;
        let start = match &self.family {
            Some(family) => {
                let world = family.of_seed(seed)?;
                *conversation = Conversation::new(family.game(&world)?, conversation.form(), conversation.episodes());
                if world.is_shown() {
                    rules = RulesText::Shown;
                }
                self.world = Some(world);
                world.seed()
            }
            None => {
                check_split(conversation.environment().game(), seed)?;
                seed
            }
        };
        (self.seed, self.is_over) = (seed, false);
        conversation.name_split(SeedSplit::of(start));
        let text = conversation.reset(start);
        let mut first = json!({ "instructions": conversation.instructions(rules), "text": text, "seed": start });
        let game = conversation.environment().game();
        if !game.warnings().0.is_empty() {
            first["warnings"] = check::warnings_json(game);
        }
        let mut first = object(first);
        first.extend(self.world.iter().flat_map(|world| object(world.to_json())));
        Ok(first)
    }

    fn reply(&mut self, conversation: &mut Conversation, reply: &str) -> anyhow::Result<Map<String, Json>> {
        let Reading { text, reward, terminated, truncated, is_episode_over } = conversation.reply(reply)?;
        self.is_over = terminated || truncated;
        let mut answer = object(json!({
            "text": text,
            "reward": reward,
            "terminated": terminated,
            "truncated": truncated,
            "rejected": conversation.rejected(),
            "episode_over": is_episode_over,
            "returns": conversation.returns(),
        }));
        if let (true, Some(family), Some(world)) = (self.is_over, &self.family, self.world) {
            let seeds: Vec<u64> =
                (0..conversation.episodes()).map(|episode| Conversation::seed_of(world.seed(), episode)).collect();
            let total = conversation.returns().iter().sum();
            answer.extend(object(family.score(conversation.environment().game(), &seeds, total)?.to_json()));
        }
        Ok(answer)
    }
}

fn error(problem: String) -> Map<String, Json> {
    object(json!({ "error": problem }))
}

fn object(json: Json) -> Map<String, Json> {
    match json {
        Json::Object(object) => object,
        _ => Map::new(),
    }
}

/// The next non-empty line, or an error message if the line is too long or not UTF-8.
fn next_line(input: &mut impl BufRead) -> io::Result<Option<Result<String, String>>> {
    loop {
        let line = match read_line_limited(input, MAX_LINE_BYTES)? {
            None => return Ok(None),
            Some(LimitedLine::TooLong) => {
                return Ok(Some(Err(format!("a line is longer than {MAX_LINE_BYTES} bytes"))));
            }
            Some(LimitedLine::Whole(line)) => line,
        };
        match String::from_utf8(line) {
            Ok(line) if line.trim().is_empty() => {}
            Ok(line) => return Ok(Some(Ok(line))),
            Err(_) => return Ok(Some(Err("a line is not UTF-8".to_owned()))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_replies_or_beginnings_and_nothing_else() {
        assert_eq!(Message::read("\"wait\""), Ok(Message::Reply("wait".to_owned())));
        assert_eq!(Message::read(r#"{"reply": "a\nb"}"#), Ok(Message::Reply("a\nb".to_owned())));
        assert_eq!(Message::read(r#"{"reset": 8}"#), Ok(Message::Reset(Some(8))));
        assert_eq!(Message::read(r#"{"reset": null}"#), Ok(Message::Reset(None)));
        assert_eq!(Message::read(r#"{"reset": "test/7"}"#), Ok(Message::Reset(Some(8_300_000_000_000_007))));
        for (line, told) in [
            ("wait", "not a line of JSON"),
            ("[]", "found []"),
            ("{}", "empty message"),
            (r#"{"replay": "wait"}"#, "did you mean `reply`?"),
            (r#"{"reply": 3}"#, "expected a string"),
            (r#"{"reset": -1}"#, "an integer"),
            (r#"{"reset": "test/x"}"#, "such as `test/7`"),
            (r#"{"reset": 8300000000000007}"#, "write `--seed test/7`"),
            (r#"{"reset": 1, "reply": "wait"}"#, "on one line"),
        ] {
            let problem = Message::read(line).expect_err(line);
            assert!(problem.contains(told), "{line}: {problem}");
        }
    }

    #[test]
    fn a_line_that_is_too_long_is_left_out_and_the_next_one_read() {
        let long = vec![b'x'; MAX_LINE_BYTES as usize + 10];
        let mut input = io::Cursor::new([&long[..], b"\n\n\"wait\"\n\xff\n"].concat());
        let mut next = || next_line(&mut input).expect("memory can be read");
        assert!(next().is_some_and(|line| line.is_err()));
        assert_eq!(next(), Some(Ok("\"wait\"\n".to_owned())));
        assert!(next().is_some_and(|line| line.is_err()));
        assert_eq!(next(), None);
    }
}
