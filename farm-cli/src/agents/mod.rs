//! `farm agents play`: a language model, program, policy or person plays by text, and the run stores the traces.

#[cfg(feature = "serve")]
mod browser;
mod choice;
mod desk;
mod exam;
pub(crate) mod leaderboard;
mod limits;
mod playing;
pub(crate) mod score;
pub(crate) mod verify;
mod worlds;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::{ArgGroup, Args, ValueEnum};
use farm_agents::{AgentsError, Conduct, Endpoint, History, Prices, REPLIES, Retries, Rules, RunHeader};
use farm_core::config::{ParameterError, Path, Problem, Problems};
use serde_json::Value as Json;

#[cfg(feature = "play")]
pub(crate) use exam::{Exam, take as take_exam};

use crate::arguments::{self, GameArguments, at_least_one, seed};
use crate::converse::Text;
use crate::interrupts::Interrupts;
use choice::AgentChoice;
use limits::{lifetime, number, positive};
use worlds::Worlds;

const EXAMPLES: &str = "\
Examples:
  farm agents play GAME --policy informed --split test --out runs/informed
  farm agents play GAME --endpoint http://127.0.0.1:8000/v1 --model NAME --split test --out runs/name
  farm agents play GAME --endpoint https://HOST/v1 --model NAME --key-env API_KEY --body temperature=0 --max-tokens 200000 --out runs/name
  farm agents play GAME --command 'python agent.py' --episodes 5 --jobs 2 --out runs/mine
  farm agents play GAME --person Ada --seed 7 --out runs/ada            an exam for a person, the same as `farm play --exam`
  farm agents play FAMILY@tiers=1-9 --policy adaptive --split test --levels 20 --out runs/tiers   each world has its own rules
  farm agents play GAME@rules=test-7 --seed test/7 --lifetime 5 --command 'python agent.py' --out runs/life   five trials under the same rules
  farm agents play GAME --protocol autoenv --endpoint URL --model NAME --out runs/autoenv   the protocol of AutoEnv-36
  farm agents score runs/name                     scores the run against waiting and the best plan
  farm agents verify runs/name                    replays the recorded replies, bit for bit
  farm agents leaderboard runs                    a table of all runs in a folder

The same command resumes an interrupted run: replies in its traces are not requested, or paid for, again.
The key is read from the environment variable of `--key-env` and never written to a file.";

/// Let a model, program, policy or person play by text, and record a trace
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES, group = ArgGroup::new("agent").args(["endpoint", "command", "policy", "person"]).required(true))]
pub(crate) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// Folder of the run. An interrupted run is continued
    #[arg(long, value_name = "RUN")]
    out: PathBuf,
    /// Address of a chat-completions endpoint, such as http://127.0.0.1:8000/v1
    #[arg(long, value_name = "URL", requires = "model")]
    endpoint: Option<String>,
    /// Model to request
    #[arg(long, requires = "endpoint")]
    model: Option<String>,
    /// Environment variable with the key of the endpoint
    #[arg(long, value_name = "VARIABLE", requires = "endpoint")]
    key_env: Option<String>,
    /// Add an entry to each request; the value is JSON or a string. Repeatable
    #[arg(long, value_name = "KEY=VALUE", value_parser = arguments::assignment, requires = "endpoint")]
    body: Vec<(String, String)>,
    /// A command that reads one line of JSON per turn and writes one line, {"reply": "…"}. One process plays one episode
    #[arg(long, value_name = "COMMAND")]
    command: Option<String>,
    /// A policy of the game, as a baseline: it replies with its actions as text
    #[arg(long, value_name = "POLICY")]
    policy: Option<String>,
    /// Play yourself, under this name. The program prints the instructions, then each text, and reads one line as your reply. As in an
    /// exam, there is no undo and no hint, and each reply is stored with its time
    #[arg(long, value_name = "NAME", conflicts_with_all = ["jobs", "replies", "name"])]
    person: Option<String>,
    /// Follow the protocol of another benchmark: its rules, observations, limits, levels and repetitions. `autoenv`: ten test levels,
    /// three episodes each, with `--history actions`; for the two games of AutoEnv-36
    #[arg(long, value_enum, conflicts_with_all = ["presets", "history", "replies", "levels", "episodes", "split", "lifetime"])]
    protocol: Option<Protocol>,
    /// Name of the agent in tables [default: the model, the command or the policy]
    #[arg(long)]
    name: Option<String>,
    /// Whether the instructions contain the rules
    #[arg(long, value_enum, default_value_t = arguments::Rules::Hidden)]
    rules: arguments::Rules,
    /// Form of the observations; `compact` needs `--history full`
    #[arg(long, value_enum, default_value_t = Text::Full)]
    text: Text,
    /// Past turns that each request repeats: `full`, `fit` (all that fit in the model's context), `last:K`, `none`, `actions` (the thoughts, actions and results of all turns, in one
    /// message) or `summary:K` (after K turns the agent writes a summary that replaces them)
    #[arg(long, default_value = "full", value_parser = History::parse)]
    history: History,
    /// Maximum replies per turn: after an unreadable reply, the agent is asked again; the game's rules decide the effect of the last one
    #[arg(long, default_value_t = REPLIES, value_parser = at_least_one::<u32>)]
    replies: u32,
    /// Play a split: the levels of the game or, for tiers of a family (`FAMILY@tiers=1-9`), the worlds of the split
    #[arg(long, value_parser = ["train", "validation", "test"], conflicts_with = "level")]
    split: Option<String>,
    /// Play only the first N levels or worlds; for tiers, N per tier [default: all levels; 200 worlds per tier]
    #[arg(long, value_name = "N", value_parser = at_least_one::<u32>, requires = "split")]
    levels: Option<u32>,
    /// Play all worlds of a hidden set as one run: the secret file of `farm agents commit`. GAME is its family, with the tier
    #[arg(long, value_name = "HIDDEN.json", conflicts_with_all = ["split", "level", "episodes", "seed", "protocol"])]
    hidden: Option<PathBuf>,
    /// Episodes per level or, without levels, number of consecutive seeds
    #[arg(long, default_value_t = 1, value_parser = at_least_one::<u32>)]
    episodes: u32,
    /// Trials per episode, as one lifetime: same rules, different worlds, and the conversation continues. The score per trial shows the
    /// learning
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = lifetime)]
    lifetime: u32,
    /// Add a picture of what a learner observes to each turn, for an endpoint that sees, or as `picture` for a command
    #[arg(long, conflicts_with_all = ["policy", "person", "protocol"])]
    vision: bool,
    /// Seed of the first episode
    #[arg(long, default_value_t = 0, value_parser = seed, allow_negative_numbers = true)]
    seed: u64,
    /// Maximum turns per episode [default: twice the step limit, times the trials; 10000 per trial without a limit]
    #[arg(long, value_name = "N", value_parser = at_least_one::<u64>)]
    max_turns: Option<u64>,
    /// Maximum tokens per episode, sent and received; the call that exceeds it is the last
    #[arg(long, value_name = "N", value_parser = at_least_one::<u64>)]
    max_tokens: Option<u64>,
    /// Maximum seconds of all calls in an episode; the call that exceeds it is the last
    #[arg(long, value_name = "S", value_parser = positive)]
    max_seconds: Option<f64>,
    /// Episodes played in parallel
    #[arg(long, default_value_t = 1, value_parser = at_least_one::<u32>)]
    jobs: u32,
    /// Maximum seconds per reply
    #[arg(long, value_name = "S", default_value_t = 120.0, value_parser = positive)]
    timeout: f64,
    /// Attempts per reply if the endpoint is busy, fails or sends an invalid answer
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = at_least_one::<u32>)]
    attempts: u32,
    /// Seconds between the first two attempts; doubles with each attempt, up to a minute
    #[arg(long, value_name = "S", default_value_t = 1.0, value_parser = positive)]
    wait: f64,
    /// Price per million tokens sent
    #[arg(long, value_name = "PRICE", value_parser = price, requires = "price_completion")]
    price_prompt: Option<f64>,
    /// Price per million tokens sent from the endpoint's cache [default: the price of other tokens sent]
    #[arg(long, value_name = "PRICE", value_parser = price, requires = "price_prompt")]
    price_cached: Option<f64>,
    /// Price per million tokens received
    #[arg(long, value_name = "PRICE", value_parser = price, requires = "price_prompt")]
    price_completion: Option<f64>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Protocols of other benchmarks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Protocol {
    /// AutoEnv-36, environments 18 (Valley Farm) and 19 (Backwards Valley)
    Autoenv,
}

/// A run's settings, which come from the options or from a protocol.
struct Terms {
    game: GameArguments,
    split: Option<String>,
    levels: Option<u32>,
    episodes: u32,
    history: History,
    replies: u32,
}

impl Protocol {
    /// The protocol's settings. Its presets set the rules and the observations.
    fn terms(self, game: &GameArguments) -> Terms {
        let presets = match self {
            Self::Autoenv => ["autoenv_compat", "autoenv_text"].map(str::to_owned).to_vec(),
        };
        let game = GameArguments { presets, ..game.clone() };
        // A level of the caller, such as a file of AutoEnv-36, replaces ours.
        let split = game.level.is_none().then(|| "test".to_owned());
        let levels = split.as_ref().map(|_| 10);
        Terms { game, split, levels, episodes: 3, history: History::Actions, replies: REPLIES }
    }
}

fn price(text: &str) -> Result<f64, String> {
    number(text)
        .filter(|number| (0.0..=1e9).contains(number))
        .ok_or_else(|| "expected a number from 0 to 1e9".to_owned())
}

/// Plays or resumes the run and prints its score.
///
/// # Errors
/// Fails if the game or the agent has errors, if the folder contains another run, or if any episode could not be finished.
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
    /// Fails if the endpoint is unusable or the key is missing.
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
                let message = format!("the environment variable `{variable}` is unset or empty");
                let problem = Problem::new(AgentsError::WrongAgent, Path::default(), message).value(variable);
                Err(Problems(vec![
                    problem.expected("the name of an environment variable that is set, not the key itself"),
                ]))
            }
        }
    }

    /// The run's header.
    ///
    /// # Errors
    /// Fails if the game has errors on a level or does not have the split.
    fn header(&self, agent: &AgentChoice) -> anyhow::Result<RunHeader> {
        let terms = self.terms();
        let Terms { game, split, levels, episodes, history, replies } = &terms;
        let (split, hidden) = (split.as_deref(), self.hidden.as_deref());
        let worlds = Worlds { split, levels: *levels, episodes: *episodes, seed: self.seed, hidden };
        let planned = worlds.plan(game, agent)?;
        let prices = self.price_prompt.zip(self.price_completion);
        let prices = prices.map(|(prompt, completion)| Prices { prompt, cached: self.price_cached, completion });
        let conduct = Conduct {
            rules: self.rules.into(),
            text: self.text.into(),
            history: match history {
                // A person reads each text once.
                History::Actions if self.person.is_some() => History::None,
                history => *history,
            },
            // A person's reply is played at once: the game reports what it could not read.
            replies: if self.person.is_some() { 1 } else { *replies },
            max_turns: self.max_turns.unwrap_or_else(|| playing::usual_turns(planned.most_steps, self.lifetime)),
            max_tokens: self.max_tokens,
            max_seconds: self.max_seconds,
            lifetime: self.lifetime,
            vision: self.vision,
        };
        let header = playing::header(game, worlds, agent, conduct, planned);
        let name = self.name.clone().unwrap_or(header.name);
        Ok(RunHeader { name, prices, ..header })
    }

    /// The run's settings.
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

    /// Rejects compact texts unless the agent sees the full history, because each compact text lists only the changes.
    fn check_history(&self) -> Result<(), Problems> {
        let history = self.terms().history;
        if self.text != Text::Compact || history == History::Full {
            return Ok(());
        }
        let message = "compact texts list only changes, so the agent needs all earlier texts";
        let problem = Problem::new(ParameterError::UnknownChoice, Path::default(), message);
        let problem = problem.value(format!("--text compact --history {history}"));
        Err(Problems(vec![problem.expected("`--history full` or `--text rows`")]))
    }
}
