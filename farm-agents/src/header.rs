//! The header of a run: its game, its agent, how the episodes are played, and the plan of each episode.

use farm_core::TextForm;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};
use xxhash_rust::xxh3::xxh3_64;

use crate::agent::Tokens;
use crate::dialogue::{History, Rules};
use crate::hidden::HiddenSet;
use crate::texts::{shortened, visible};

/// The name of a run's header file.
pub const HEADER: &str = "run.json";

/// The header of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunHeader {
    /// The format of the traces.
    pub format: String,
    /// The version of the program that started the run.
    pub version: String,
    /// The game: a built-in game's name, a family member's name, or a file's path.
    pub game: String,
    /// The presets, combined into one name.
    pub preset: Option<String>,
    /// The context, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
    /// Changes to the game, by path.
    pub set: Vec<(String, String)>,
    /// The split that the levels belong to, if any.
    pub split: Option<String>,
    /// The hidden set that the episodes play, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hidden: Option<HiddenSet>,
    /// The agent's name in tables.
    pub name: String,
    /// The agent, without secrets.
    pub agent: Map<String, Json>,
    /// How the episodes are played.
    pub conduct: Conduct,
    /// The prices of tokens.
    pub prices: Option<Prices>,
    /// The episodes.
    pub episodes: Vec<EpisodePlan>,
}

/// Prices per million tokens, in any currency.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prices {
    /// Tokens sent.
    pub prompt: f64,
    /// Tokens sent that were cached; default: the price of tokens sent.
    pub cached: Option<f64>,
    /// Tokens received.
    pub completion: f64,
}

impl Prices {
    /// The cost of these tokens.
    pub fn cost(&self, tokens: &Tokens) -> f64 {
        let cached = tokens.cached.min(tokens.prompt);
        let fresh = (tokens.prompt - cached) as f64 * self.prompt;
        let known = cached as f64 * self.cached.unwrap_or(self.prompt);
        (fresh + known + tokens.completion as f64 * self.completion) / 1e6
    }
}

/// An episode of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EpisodePlan {
    /// Its name, which is also the name of its file.
    pub id: String,
    /// The level, by name or path; `None` if the world is drawn from the seed.
    pub level: Option<String>,
    /// The seed.
    pub seed: u64,
    /// The game's fingerprint, on its level.
    pub fingerprint: String,
    /// The game of this episode, if it differs from the run's game: a family member on a tier of its ladder or in a hidden set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
    /// Whether the instructions show the rules, if this differs from the run's setting, as on the first tier of a ladder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<Rules>,
}

impl EpisodePlan {
    /// The tier of its game, if the game is a family member on a tier.
    pub fn tier(&self) -> Option<u32> {
        self.game.as_deref().and_then(|game| farm_games::families::MemberName::parse(game).ok()?.tier)
    }

    /// The settings for the episode in a run with these settings.
    pub fn conduct(&self, of_run: Conduct) -> Conduct {
        Conduct { rules: self.rules.unwrap_or(of_run.rules), ..of_run }
    }
}

impl RunHeader {
    /// Whether the episodes show the rules, in words. The tiers of a ladder may differ.
    pub fn rules_in_words(&self) -> &'static str {
        let told = |rules: Rules| self.episodes.iter().any(|plan| plan.conduct(self.conduct).rules == rules);
        match (told(Rules::Hidden), told(Rules::Shown)) {
            (true, true) => "shown or hidden by tier",
            (false, true) => Rules::Shown.name(),
            (true, false) => Rules::Hidden.name(),
            (false, false) => self.conduct.rules.name(),
        }
    }

    /// A digest of everything that must not change within a run. The version and the prices may change, because the fingerprint identifies
    /// the game.
    pub fn digest(&self) -> u64 {
        let fixed = Self { version: String::new(), prices: None, ..self.clone() };
        xxh3_64(serde_json::to_string(&fixed).unwrap_or_default().as_bytes())
    }

    /// The game with its changes, as a title. If a game has several names, its title is the same for all of them.
    pub fn title(&self) -> String {
        let known = farm_games::GameName::parse(&self.game).map(|name| name.to_string());
        let mut title = known.unwrap_or_else(|_| self.game.clone());
        if let Some(preset) = &self.preset {
            title += &format!(" --preset {preset}");
        }
        if let Some(context) = &self.context {
            title += &format!(" --context {context}");
        }
        self.set.iter().for_each(|(path, value)| title += &format!(" --set {path}={value}"));
        title
    }

    /// The title on one line, without hidden characters, and shortened if it is long.
    pub fn shown_title(&self) -> String {
        shortened(&visible(&self.title()), 300).into_owned()
    }
}

/// How the episodes of a run are played.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Conduct {
    /// Whether the instructions show the rules.
    pub rules: Rules,
    /// The form of observations.
    pub text: TextForm,
    /// The part of the history that the agent reads again.
    pub history: History,
    /// The maximum number of replies in a turn. The game processes the last reply even if it can't be read.
    pub replies: u32,
    /// The maximum number of turns in an episode.
    pub max_turns: u64,
    /// The maximum number of tokens in an episode. The call that reaches this limit is the last one.
    pub max_tokens: Option<u64>,
    /// The maximum total time of an episode's calls, in seconds. The call that reaches this limit is the last one.
    pub max_seconds: Option<f64>,
    /// The number of trials in an episode. Trials have the same rules but different worlds, and the agent keeps the conversation.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub lifetime: u32,
    /// Whether the agent also sees a picture of the learner's view each turn.
    #[serde(default, skip_serializing_if = "is_false")]
    pub vision: bool,
}

fn is_false(flag: &bool) -> bool {
    !*flag
}

/// The default is one trial.
fn one() -> u32 {
    1
}

fn is_one(number: &u32) -> bool {
    *number == 1
}
