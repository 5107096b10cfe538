//! Agents at play: endpoints that fail in every way, programs, budgets, runs that are gone on with, and traces that lie.

mod budgets;
mod claims;
mod clauses;
mod command;
mod dialects;
mod endpoint;
mod forged;
mod lifetimes;
mod one_message;
mod resume;
mod scripted;

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use farm_agents::{
    Access, Agent, AgentError, Answer, Conduct, Endpoint, EpisodePlan, FORMAT, History, Played, Player, PolicyAgent,
    Request, Retries, Rules, Run, RunHeader, Tokens, Trace,
};
use farm_core::config::Problems;
use farm_core::{Game, TextForm};
use scripted::{Act, ScriptedEndpoint};
use serde_json::{Map, Value as Json, json};

/// Steps of an episode.
const STEPS: u64 = 6;

/// A folder of a test alone.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("agents").join(name);
        let _ = std::fs::remove_dir_all(&path);
        Self(path)
    }

    fn begin(&self, header: RunHeader) -> Run {
        Run::begin(&self.0, header, Access::default()).unwrap()
    }

    fn open(&self) -> Result<Run, Problems> {
        Run::open(&self.0, Access::default())
    }

    /// The lines of the first episode's trace.
    fn lines(&self) -> Vec<String> {
        std::fs::read_to_string(self.trace()).unwrap().lines().map(str::to_owned).collect()
    }

    fn trace(&self) -> PathBuf {
        self.0.join("seed-0.jsonl")
    }
}

/// A run of short episodes on seeds from 0 on.
fn header(episodes: u64) -> RunHeader {
    let set = vec![("rules.BasicRule.max_steps".to_owned(), STEPS.to_string())];
    let options = farm_games::Options { set: set.clone(), ..farm_games::Options::default() };
    let game = farm_games::open("backwards_valley", &options).unwrap();
    let fingerprint = format!("{:016x}", game.fingerprint());
    let plan = |seed| EpisodePlan {
        id: format!("seed-{seed}"),
        level: None,
        seed,
        fingerprint: fingerprint.clone(),
        game: None,
        rules: None,
    };
    RunHeader {
        format: FORMAT.to_owned(),
        version: "0".to_owned(),
        game: "backwards_valley".to_owned(),
        preset: None,
        context: None,
        set,
        split: None,
        hidden: None,
        name: "stub".to_owned(),
        agent: Map::new(),
        conduct: conduct(),
        prices: None,
        episodes: (0..episodes).map(plan).collect(),
    }
}

fn conduct() -> Conduct {
    let (rules, history) = (Rules::Hidden, History::Full);
    let (max_turns, max_tokens, max_seconds) = (50, None, None);
    Conduct {
        rules,
        text: TextForm::Full,
        history,
        replies: 3,
        max_turns,
        max_tokens,
        max_seconds,
        lifetime: 1,
        vision: false,
    }
}

/// An endpoint with replies from a script.
fn scripted(script: impl Fn(usize, &Json) -> Act + Send + Sync + 'static) -> ScriptedEndpoint {
    ScriptedEndpoint::new(script).unwrap()
}

/// Attempts that follow quickly.
fn retries(attempts: u32) -> Retries {
    let (first_wait, longest_wait) = (Duration::from_millis(1), Duration::from_secs(5));
    Retries { attempts, first_wait, longest_wait, ..Retries::default() }
}

/// A model at an endpoint, for whose reply is waited as long as a busy machine needs.
fn endpoint(url: &str, key: Option<&str>) -> Endpoint {
    endpoint_within(url, key, PATIENCE)
}

/// The same for whose reply is waited so long.
fn endpoint_within(url: &str, key: Option<&str>, timeout: Duration) -> Endpoint {
    let key = key.map(str::to_owned);
    let body = [("temperature".to_owned(), json!(0))].into_iter().collect();
    Endpoint::new(url, "model", key, body, timeout, retries(4)).unwrap()
}

/// How long an answer is waited for that will come.
const PATIENCE: Duration = Duration::from_secs(300);

/// How long an answer is waited for that never comes.
const IMPATIENCE: Duration = Duration::from_millis(100);

/// A policy that says each of its replies took a token.
struct Counted(PolicyAgent);

impl Agent for Counted {
    fn reply(&mut self, request: &Request<'_>) -> Result<Answer, AgentError> {
        let answer = self.0.reply(request)?;
        Ok(Answer { tokens: Some(Tokens { completion: 1, ..Tokens::default() }), ..answer })
    }
}

/// Plays a run with agents of this kind; `calls` is after how many calls it is stopped.
fn play(run: &Run, jobs: usize, calls: usize, agent: impl Fn() -> Box<dyn Agent> + Sync) -> Played {
    let made = AtomicUsize::new(0);
    let agent = |_: &Game, _: &EpisodePlan| Ok(agent());
    let player = Player {
        jobs,
        agent: &agent,
        is_ending: &|| false,
        is_stopped: &|| made.fetch_add(1, Ordering::SeqCst) > calls,
        watch: &|_| {},
    };
    run.play(&player).unwrap()
}

/// Plays a run to its end against an endpoint.
fn play_all(run: &Run, url: &str) -> Played {
    play(run, 1, usize::MAX - 1, || Box::new(endpoint(url, None)))
}

/// Verifies a run, and returns the trace of its first episode.
fn verified(run: &Run) -> Trace {
    run.verify(1).unwrap().remove(0)
}

/// A trace line as JSON.
fn parsed(line: &str) -> Json {
    serde_json::from_str(line).unwrap()
}
