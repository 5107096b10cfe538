//! An episode as clients play it, with its start, its steps and its texts.

use std::sync::Arc;

use farm_core::inspect::RulesText;
use farm_core::{Conversation, Environment, Game, Outcome, SeedError, SeedSplit, StepError, TextForm};
use serde_json::{Map, Value as Json, json};

use crate::errors::RecordError;
use crate::fields::{self, Invalid};

/// The start of an episode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Start {
    /// The seed, which also determines the split that it is reserved for, if any.
    pub(crate) seed: u64,
    /// The form of the texts.
    pub(crate) form: TextForm,
    /// Whether the instructions show the rules.
    pub(crate) rules: RulesText,
    /// Whether the player may return to earlier turns, for a price.
    pub(crate) branches: bool,
}

impl Default for Start {
    fn default() -> Self {
        Self { seed: 0, form: TextForm::Full, rules: RulesText::Hidden, branches: false }
    }
}

impl Start {
    /// The keys that [`Start::read`] reads.
    pub(crate) const KEYS: [&str; 6] = ["seed", "split", "index", "form", "rules", "branches"];

    /// Reads `seed`, `split` and `index`, `form`, `rules` and `branches`. A reserved seed is valid only with the split that it is reserved for.
    ///
    /// # Errors
    /// A value is not valid, the seed belongs to another split, or there is an index without a split.
    pub(crate) fn read(object: &Map<String, Json>) -> Result<Self, Invalid> {
        let form =
            fields::one_of(object, "form", &TextForm::ALL.map(|form| (form.name(), form)))?.unwrap_or(TextForm::Full);
        let rules = fields::one_of(object, "rules", &RulesText::ALL.map(|rules| (rules.name(), rules)))?
            .unwrap_or(RulesText::Hidden);
        let (seed, index) = (fields::whole(object, "seed")?, fields::whole(object, "index")?);
        let splits = SeedSplit::ALL.map(|split| (split.name(), split));
        let refused = |error: SeedError| Invalid(error.to_string());
        let seed = match (fields::one_of(object, "split", &splits)?, index, seed) {
            (None, None, seed) => {
                let seed = seed.unwrap_or(0);
                SeedSplit::check(None, seed).map_err(refused)?;
                seed
            }
            (None, Some(_), _) => {
                return Err(Invalid("`index` is the number of a world in a split: add `split`".into()));
            }
            (Some(_), Some(_), Some(_)) => {
                return Err(Invalid("`index` and `seed` both select the world: remove one of them".into()));
            }
            (Some(split), None, Some(seed)) => {
                SeedSplit::check(Some(split), seed).map_err(refused)?;
                seed
            }
            (Some(split), index, None) => split_seed(split, index.unwrap_or(0))?,
        };
        Ok(Self { seed, form, rules, branches: fields::flag(object, "branches")? })
    }

    /// The split of the world, and the index of the world in the split.
    pub(crate) fn split(&self) -> Option<(SeedSplit, u64)> {
        SeedSplit::of(self.seed).map(|split| (split, self.seed - split.seeds().start))
    }
}

/// The seed of a world in a split.
///
/// # Errors
/// The index is beyond the split's last world.
pub(crate) fn split_seed(split: SeedSplit, index: u64) -> Result<u64, Invalid> {
    let last = SeedSplit::WORLDS - 1;
    split.seed(index).ok_or_else(|| Invalid(format!("`index` is {index}; the worlds of a split go from 0 to {last}")))
}

/// The player's choice in a step.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Choice {
    /// Text, as people and language models write it.
    Text(String),
    /// An id in the flat list of actions.
    Id(usize),
}

impl Choice {
    /// Reads a step, which a language model may have written. `{"action": TEXT}` is text and `{"action": ID}` is an id of the game. All
    /// other JSON is text for the game's reader of replies, so it is never an error.
    pub(crate) fn read(step: &Json, game: &Game) -> Self {
        let Some(object) = step.as_object() else {
            return Self::Text(step.as_str().map_or_else(|| step.to_string(), str::to_owned));
        };
        let mut object = object.clone();
        object.remove("metadata");
        if object.get("params").is_some_and(Json::is_null) {
            object.remove("params");
        }
        let alone = object.get("action").filter(|_| object.len() == 1);
        match alone {
            Some(Json::String(text)) => Self::Text(text.clone()),
            Some(list @ Json::Array(_)) => Self::Text(list.to_string()),
            Some(Json::Number(number)) => {
                let id = number.as_u64().and_then(|id| usize::try_from(id).ok());
                let id = id.filter(|id| game.catalogue().discrete(*id).is_some());
                id.map_or_else(|| Self::Text(Json::Object(object.clone()).to_string()), Self::Id)
            }
            _ => Self::Text(Json::Object(object).to_string()),
        }
    }

    /// The choice as JSON: a string or an integer.
    pub(crate) fn to_json(&self) -> Json {
        match self {
            Self::Text(text) => json!(text),
            Self::Id(id) => json!(id),
        }
    }
}

/// An episode in progress.
#[derive(Debug, Clone)]
pub(crate) struct Episode {
    start: Start,
    player: Player,
    steps: u64,
    total: f64,
}

/// Writes the texts. A conversation remembers the texts so far, but only short forms need it.
#[derive(Debug, Clone)]
enum Player {
    Full(Box<Environment>),
    /// With the last text, because a conversation does not repeat it.
    Short(Box<(Conversation, String)>),
}

/// The reason why a step was not taken, or why it ended the episode.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Untaken {
    /// The choice is not valid in the game.
    #[error(transparent)]
    Invalid(#[from] Invalid),
    /// The episode is over, or a part has failed.
    #[error(transparent)]
    Step(#[from] StepError),
    /// The episode can't be recorded.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The server has no room for another session.
    #[error("the server has no room for another session; `--max-sessions` of `farm serve` sets the maximum")]
    Full,
    /// The system provides no random numbers.
    #[error("the system provides no random numbers")]
    Random,
}

/// The result of a step.
#[derive(Debug, Clone)]
pub(crate) struct Told {
    /// The observation as text.
    pub(crate) text: String,
    /// The reward, and whether this was the last step.
    pub(crate) outcome: Outcome,
}

impl Episode {
    /// Starts an episode, and returns it with its first text.
    pub(crate) fn begin(game: Arc<Game>, start: Start) -> (Self, String) {
        let split = SeedSplit::of(start.seed);
        let (player, text) = match start.form {
            TextForm::Full => {
                let mut environment = Environment::new(game);
                environment.name_split(split);
                environment.reset(start.seed);
                let text = environment.text();
                (Player::Full(Box::new(environment)), text)
            }
            form => {
                let mut conversation = Conversation::new(game, form, 1);
                conversation.name_split(split);
                let text = conversation.reset(start.seed);
                (Player::Short(Box::new((conversation, text.clone()))), text)
            }
        };
        (Self { start, player, steps: 0, total: 0.0 }, text)
    }

    /// Takes a step.
    ///
    /// # Errors
    /// The id or schedule is not valid in the game, the episode is over, or a part fails.
    pub(crate) fn step(&mut self, choice: &Choice) -> Result<Told, Untaken> {
        let told = match &mut self.player {
            Player::Full(environment) => {
                let outcome = match choice {
                    Choice::Text(text) => environment.step(text.as_str()),
                    Choice::Id(id) => {
                        known_id(environment.game(), *id)?;
                        environment.step(*id)
                    }
                }?;
                Told { text: environment.text(), outcome }
            }
            Player::Short(player) => {
                let (conversation, last) = &mut **player;
                let game = conversation.environment().game();
                let written;
                let text = match choice {
                    Choice::Text(text) => text.as_str(),
                    Choice::Id(id) => {
                        written = known_id(game, *id)?
                            .iter()
                            .map(|call| game.catalogue().write(call))
                            .collect::<Vec<_>>()
                            .join("; ");
                        if written.is_empty() { "wait" } else { &written }
                    }
                };
                let reading = conversation.reply(text)?;
                let (reward, terminated, truncated) = (reading.reward, reading.terminated, reading.truncated);
                last.clone_from(&reading.text);
                Told { text: reading.text, outcome: Outcome { reward, terminated, truncated } }
            }
        };
        self.steps += 1;
        self.total += told.outcome.reward;
        Ok(told)
    }

    /// The environment.
    pub(crate) fn environment(&self) -> &Environment {
        match &self.player {
            Player::Full(environment) => environment,
            Player::Short(player) => player.0.environment(),
        }
    }

    /// The last text.
    pub(crate) fn text(&self) -> String {
        match &self.player {
            Player::Full(environment) => environment.text(),
            Player::Short(player) => player.1.clone(),
        }
    }

    /// The start.
    pub(crate) fn start(&self) -> Start {
        self.start
    }

    /// The player's instructions.
    pub(crate) fn instructions(&self) -> String {
        self.environment().game().text().instructions_in(self.start.rules, self.start.form)
    }

    /// The number of steps, including steps that only observed.
    pub(crate) fn steps(&self) -> u64 {
        self.steps
    }

    /// The return so far.
    pub(crate) fn total(&self) -> f64 {
        self.total
    }

    /// Whether it is over.
    pub(crate) fn is_over(&self) -> bool {
        self.environment().state().over()
    }

    /// The actions in the last step that were rejected or could not be read, each with `action` and `reason`.
    pub(crate) fn rejected(&self) -> Vec<Json> {
        match &self.player {
            Player::Full(environment) => environment.last_step().rejected().map(|rejected| json!(rejected)).collect(),
            Player::Short(player) => player.0.rejected().to_vec(),
        }
    }
}

/// The schedule for an id in the flat list of actions.
fn known_id(game: &Game, id: usize) -> Result<&[farm_core::action::Call], Invalid> {
    let last = game.catalogue().discrete_len().saturating_sub(1);
    game.catalogue()
        .discrete(id)
        .ok_or_else(|| Invalid(format!("`action` is {id}; the ids of this game go from 0 to {last}")))
}

/// A hash as 16 hexadecimal digits.
pub(crate) fn hex(hash: u64) -> String {
    format!("{hash:016x}")
}
