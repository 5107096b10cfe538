//! `farm agents`: lets a language model, a program or a policy play by text, and keeps the traces.

#[cfg(feature = "serve")]
mod browser;
mod choice;
mod exam;
pub(crate) mod leaderboard;
mod playing;
pub(crate) mod score;
pub(crate) mod verify;
mod worlds;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::{ArgGroup, Args, ValueEnum};
use farm_agents::{
    Access, AgentsError, Conduct, Endpoint, History, MAX_LIFETIME, Prices, REPLIES, Retries, Rules, RunHeader,
};
use farm_core::config::{ParameterError, Path, Problem, Problems};
use serde_json::Value as Json;

pub(crate) use exam::{Exam, take as take_exam};
pub(crate) use leaderboard::Arguments as LeaderboardArguments;
pub(crate) use score::Arguments as ScoreArguments;
pub(crate) use verify::Arguments as VerifyArguments;

use crate::arguments::{self, GameArguments, at_least_one, seed};
use crate::converse::Text;
use crate::interrupts::Interrupts;
use choice::AgentChoice;
use worlds::Worlds;

const EXAMPLES: &str = "\
EXAMPLES:
  farm agents GAME --policy informed --split test --out runs/informed
  farm agents GAME --endpoint http://127.0.0.1:8000/v1 --model NAME --split test --out runs/name
  farm agents GAME --endpoint https://HOST/v1 --model NAME --key-env API_KEY --body temperature=0 --max-tokens 200000 --out runs/name
  farm agents GAME --command 'python agent.py' --episodes 5 --jobs 2 --out runs/mine
  farm agents GAME --person Ada --seed 7 --out runs/ada            an exam for people, by the same texts, as `farm play --exam`
  farm agents FAMILY@tier=1-9 --policy adaptive --split test --levels 20 --out runs/tiers   rules that differ from world to world
  farm agents GAME@rules=test-7 --seed test/7 --lifetime 5 --command 'python agent.py' --out runs/life   five trials under one rule
  farm agents GAME --protocol autoenv --endpoint URL --model NAME --out runs/autoenv   on the terms of AutoEnv-36
  farm score runs/name                     what it earned, against waiting and the best plan
  farm verify runs/name                    plays the recorded replies again, bit by bit
  farm leaderboard runs                    a table of all runs in a folder

A run that was stopped goes on with the same command: what is in its traces is not asked for, or paid for, again.
A key is read from the environment variable that `--key-env` names, and is written nowhere.";

/// Lets a language model, a program, a policy or a person play by text, and keeps a trace of all they do
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, group = ArgGroup::new("agent").args(["endpoint", "command", "policy", "person"]).required(true))]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// The folder of the run; one that is there is gone on with
    #[arg(long, value_name = "RUN")]
    out: PathBuf,
    /// The address of an endpoint for chat completions, such as http://127.0.0.1:8000/v1
    #[arg(long, value_name = "URL", requires = "model")]
    endpoint: Option<String>,
    /// The model to ask for
    #[arg(long, requires = "endpoint")]
    model: Option<String>,
    /// The environment variable that holds the key of the endpoint
    #[arg(long, value_name = "VARIABLE", requires = "endpoint")]
    key_env: Option<String>,
    /// A further entry of each request, its value as JSON or as a text; may be given several times
    #[arg(long, value_name = "KEY=VALUE", value_parser = arguments::assignment, requires = "endpoint")]
    body: Vec<(String, String)>,
    /// A command that reads a line of JSON for each turn and answers with one, {"reply": "…"}; a process plays an episode
    #[arg(long, value_name = "COMMAND")]
    command: Option<String>,
    /// A policy of the game, to compare others with: it answers with the text of its actions
    #[arg(long, value_name = "POLICY")]
    policy: Option<String>,
    /// You, by this name: the instructions come first, then each text and a line for your reply. An exam: there is no undo and no hint, and the
    /// time that each reply takes is noted
    #[arg(long, value_name = "NAME", conflicts_with_all = ["jobs", "replies", "name"])]
    person: Option<String>,
    /// The terms of another benchmark: its rules, what it shows, its limits, levels and repetitions. `autoenv`: ten test levels, three times each,
    /// with `--history actions`, in the two games that it has, too
    #[arg(long, value_enum, conflicts_with_all = ["presets", "history", "replies", "levels", "episodes", "split", "lifetime"])]
    protocol: Option<Protocol>,
    /// What the agent is called in tables; if not given, the model, the command or the policy
    #[arg(long)]
    name: Option<String>,
    /// Whether the agent is told the rules
    #[arg(long, value_enum, default_value_t = arguments::Rules::Hidden)]
    rules: arguments::Rules,
    /// How observations are written; compact texts need the full history
    #[arg(long, value_enum, default_value_t = Text::Full)]
    text: Text,
    /// What it reads again of past turns: `full`, `last:K`, `none`; `actions`: what it thought and did and what came of it, all in one message;
    /// or `summary:K`: after K turns it is asked for a summary, which stands for them from then on
    #[arg(long, default_value = "full", value_parser = History::parse)]
    history: History,
    /// How many replies it may give in a turn until one that can't be read is played as the rules say
    #[arg(long, default_value_t = REPLIES, value_parser = at_least_one::<u32>)]
    replies: u32,
    /// Plays the levels of a split that comes with the game, or, on tiers of a family's ladder (`FAMILY@tier=1-9`), the worlds of a split
    #[arg(long, value_parser = ["train", "validation", "test"], conflicts_with = "level")]
    split: Option<String>,
    /// Only the first levels or worlds of the split; of a ladder so many on each tier, 200 if not given
    #[arg(long, value_name = "N", value_parser = at_least_one::<u32>, requires = "split")]
    levels: Option<u32>,
    /// Episodes on each level, or, without levels, of seeds one after the other
    #[arg(long, default_value_t = 1, value_parser = at_least_one::<u32>)]
    episodes: u32,
    /// How many trials an episode has, as a lifetime: under the same rules, in worlds that differ, with all that was said kept. The score of each
    /// trial says what was learnt within
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = lifetime)]
    lifetime: u32,
    /// The seed of the first episode
    #[arg(long, default_value_t = 0, value_parser = seed, allow_negative_numbers = true)]
    seed: u64,
    /// The most turns of an episode; if not given, twice the steps that the game takes at most in all trials
    #[arg(long, value_name = "N", value_parser = at_least_one::<u64>)]
    max_turns: Option<u64>,
    /// The most tokens of an episode, sent and received; the call that goes over it is the last
    #[arg(long, value_name = "N", value_parser = at_least_one::<u64>)]
    max_tokens: Option<u64>,
    /// The most seconds of an episode, counted in calls; the call that goes over it is the last
    #[arg(long, value_name = "S", value_parser = positive)]
    max_seconds: Option<f64>,
    /// Episodes that are played at once
    #[arg(long, default_value_t = 1, value_parser = at_least_one::<u32>)]
    jobs: u32,
    /// Seconds that a reply may take
    #[arg(long, value_name = "S", default_value_t = 120.0, value_parser = positive)]
    timeout: f64,
    /// Attempts at a reply, where the endpoint is busy, fails, or answers nonsense
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = at_least_one::<u32>)]
    attempts: u32,
    /// Seconds between the first two attempts at a reply; doubles from attempt to attempt, up to a minute
    #[arg(long, value_name = "S", default_value_t = 1.0, value_parser = positive)]
    wait: f64,
    /// What a million tokens cost that are sent
    #[arg(long, value_name = "PRICE", value_parser = price, requires = "price_completion")]
    price_prompt: Option<f64>,
    /// What a million tokens cost that are sent and in the endpoint's cache; if not given, as much as others
    #[arg(long, value_name = "PRICE", value_parser = price, requires = "price_prompt")]
    price_cached: Option<f64>,
    /// What a million tokens cost that come back
    #[arg(long, value_name = "PRICE", value_parser = price, requires = "price_prompt")]
    price_completion: Option<f64>,
    /// Prints JSON
    #[arg(long)]
    json: bool,
}

/// Terms of other benchmarks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Protocol {
    /// AutoEnv-36, environments 18 (Valley Farm) and 19 (Backwards Valley)
    Autoenv,
}

/// On which terms a run is played: those of the options, or those of a protocol.
struct Terms {
    game: GameArguments,
    split: Option<String>,
    levels: Option<u32>,
    episodes: u32,
    history: History,
    replies: u32,
}

impl Protocol {
    /// Its terms. The presets say what its rules are, and what it shows.
    fn terms(self, game: &GameArguments) -> Terms {
        let presets = match self {
            Self::Autoenv => ["autoenv_compat", "autoenv_text"].map(str::to_owned).to_vec(),
        };
        let game = GameArguments { presets, ..game.clone() };
        // A level of one's own, such as a file of AutoEnv-36, is played in place of ours.
        let split = game.level.is_none().then(|| "test".to_owned());
        let levels = split.as_ref().map(|_| 10);
        Terms { game, split, levels, episodes: 3, history: History::Actions, replies: REPLIES }
    }
}

fn lifetime(text: &str) -> Result<u32, String> {
    arguments::whole_within(text, 1, MAX_LIFETIME)
}

fn number(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite())
}

fn positive(text: &str) -> Result<f64, String> {
    number(text)
        .filter(|number| (1e-3..=1e9).contains(number))
        .ok_or_else(|| "expected a number from 0.001 to 1e9".to_owned())
}

fn price(text: &str) -> Result<f64, String> {
    number(text)
        .filter(|number| (0.0..=1e9).contains(number))
        .ok_or_else(|| "expected a number from 0 to 1e9".to_owned())
}

/// Plays the run, or the rest of it, and prints its score.
///
/// # Errors
/// Problems of the game or of the agent; a folder that holds another run; episodes that could not be played to their end.
pub(crate) fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let interrupts = if arguments.person.is_some() { exam::interrupts() } else { Interrupts::note() };
    let stop = interrupts.clone();
    let retries = Retries {
        attempts: arguments.attempts,
        first_wait: Duration::from_secs_f64(arguments.wait),
        stop: Arc::new(move || stop.is_urgent()),
        ..Retries::default()
    };
    let agent = arguments.agent(retries, &interrupts)?;
    arguments.check_history()?;
    let header = arguments.header(&agent)?;
    playing::play(&arguments.out, header, &agent, arguments.jobs, &interrupts, arguments.json)
}

/// How long somebody else's run is looked at.
#[derive(Debug, Args)]
pub(crate) struct TimeLimit {
    /// The most seconds that a run may take to be verified and scored; one that takes longer is refused
    #[arg(long, value_name = "S", default_value_t = 600.0, value_parser = positive)]
    max_seconds: f64,
}

impl TimeLimit {
    fn duration(&self) -> Duration {
        Duration::from_secs_f64(self.max_seconds)
    }
}

/// What a run may use, as the command line says.
fn access(files: bool) -> Access {
    Access { files, plugins: arguments::are_plugins_allowed(), outside_files: arguments::are_outside_files_allowed() }
}

impl From<arguments::Rules> for Rules {
    fn from(rules: arguments::Rules) -> Self {
        match rules {
            arguments::Rules::Hidden => Self::Hidden,
            arguments::Rules::Shown => Self::Shown,
        }
    }
}

impl Arguments {
    /// # Errors
    /// An endpoint that can't be used as it is described, a key that is not there.
    fn agent(&self, retries: Retries, interrupts: &Interrupts) -> Result<AgentChoice, Problems> {
        let timeout = Duration::from_secs_f64(self.timeout);
        if let (Some(url), Some(model)) = (&self.endpoint, &self.model) {
            let value = |text: &String| serde_json::from_str(text).unwrap_or_else(|_| Json::String(text.clone()));
            let body = self.body.iter().map(|(key, text)| (key.clone(), value(text))).collect();
            let endpoint = Endpoint::new(url, model, self.key()?, body, timeout, retries)?;
            return Ok(AgentChoice::Endpoint(Box::new(endpoint), model.clone()));
        }
        if let Some(name) = &self.person {
            return Ok(AgentChoice::person(name, interrupts));
        }
        Ok(match (&self.command, &self.policy) {
            (Some(command), _) => AgentChoice::Command(command.clone(), timeout, retries),
            (_, policy) => AgentChoice::Policy(policy.clone().unwrap_or_default()),
        })
    }

    fn key(&self) -> Result<Option<String>, Problems> {
        let Some(variable) = &self.key_env else { return Ok(None) };
        match std::env::var(variable) {
            Ok(key) if !key.trim().is_empty() => Ok(Some(key.trim().to_owned())),
            _ => {
                let message = format!("the environment variable `{variable}` holds no key");
                let problem = Problem::new(AgentsError::WrongAgent, Path::default(), message).value(variable);
                Err(Problems(vec![problem.expected("the name of a variable that is set, and not the key itself")]))
            }
        }
    }

    /// What the run says of itself.
    ///
    /// # Errors
    /// Problems of the game on one of its levels; a split that the game does not have.
    fn header(&self, agent: &AgentChoice) -> Result<RunHeader, Problems> {
        let terms = self.terms();
        let Terms { game, split, levels, episodes, history, replies } = &terms;
        let worlds = Worlds { split: split.as_deref(), levels: *levels, episodes: *episodes, seed: self.seed };
        let (episodes, most_steps) = worlds.plan(game, agent)?;
        let prices = self.price_prompt.zip(self.price_completion);
        let prices = prices.map(|(prompt, completion)| Prices { prompt, cached: self.price_cached, completion });
        let conduct = Conduct {
            rules: self.rules.into(),
            text: self.text.into(),
            history: match history {
                // A person reads each text once, and answers by a name.
                History::Actions if self.person.is_some() => History::None,
                history => *history,
            },
            // What a person writes is played at once: the game says what it could not read.
            replies: if self.person.is_some() { 1 } else { *replies },
            max_turns: self.max_turns.unwrap_or_else(|| playing::usual_turns(most_steps, self.lifetime)),
            max_tokens: self.max_tokens,
            max_seconds: self.max_seconds,
            lifetime: self.lifetime,
        };
        let header = playing::header(game, worlds, agent, conduct, episodes);
        let name = self.name.clone().unwrap_or(header.name);
        Ok(RunHeader { name, prices, ..header })
    }

    /// On which terms the run is played.
    fn terms(&self) -> Terms {
        match self.protocol {
            Some(protocol) => protocol.terms(&self.game),
            None => Terms {
                game: self.game.clone(),
                split: self.split.clone(),
                levels: self.levels,
                episodes: self.episodes,
                history: self.history,
                replies: self.replies,
            },
        }
    }

    /// Refuses short texts of which the agent would not see those that they go on from.
    fn check_history(&self) -> Result<(), Problems> {
        let history = self.terms().history;
        if self.text != Text::Compact || history == History::Full {
            return Ok(());
        }
        let message = "a compact text says only what has changed since the texts before, which the agent is not shown";
        let problem = Problem::new(ParameterError::UnknownChoice, Path::default(), message);
        let problem = problem.value(format!("--text compact --history {history}"));
        Err(Problems(vec![problem.expected("`--history full`, or `--text rows`")]))
    }
}
