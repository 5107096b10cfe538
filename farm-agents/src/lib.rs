//! Agents that play by text: language models behind an endpoint, programs that speak JSON lines, policies of a game beside them.
//!
//! | file | what |
//! |---|---|
//! | `agent.rs` | the trait [`Agent`]: messages in, a reply out |
//! | `endpoint.rs`, `command.rs`, `policy.rs`, `person.rs` | the agents; `retries.rs` asks again where an attempt fails |
//! | `dialogue.rs` | what an agent reads: the one place where the texts of an episode become messages |
//! | `session.rs` | an episode: what a reply counts as, and when there is no further turn |
//! | `trace.rs` | the lines of a trace, read and written |
//! | `run.rs`, `play.rs` | a run: a folder with a trace for each episode; playing it, from where it was left |
//! | `verify.rs` | the recorded replies played again, bit by bit |
//! | `claims.rs`, `worlds.rs` | what a run says of itself, held against its worlds; these worlds in words |
//! | `limits.rs`, `files.rs`, `texts.rs` | what a stranger's run may ask: numbers and time, files, texts as they are shown |
//! | `baseline.rs`, `score.rs` | waiting, the best, a reference; returns measured by them |
//! | `leaderboard.rs` | tables of runs that verify |
//! | `page.rs` | a run as a page: curves, levels, and each episode to step through |
//! | `scripted.rs` | an endpoint with replies from a script, to try things without a model |
//!
//! An [`Endpoint`] and a [`CommandAgent`] see nothing of an episode but its texts.

#![forbid(unsafe_code)]
#![warn(clippy::unwrap_used)]

mod agent;
mod baseline;
mod claims;
mod clauses;
mod command;
mod dialogue;
mod endpoint;
mod errors;
mod files;
mod leaderboard;
mod limits;
mod one_message;
mod page;
mod person;
mod play;
mod policy;
mod retries;
mod run;
mod score;
mod scripted;
mod session;
mod texts;
mod trace;
mod verify;
mod worlds;

pub use agent::{Agent, AgentError, Answer, Ask, Failures, Request, Tokens};
pub use baseline::{Baseline, Best, BestKind};
pub use clauses::{Agrees, ClauseSummary, EpisodeClauses, LearnedClause, clauses};
pub use command::CommandAgent;
pub use dialogue::{ASK_FOR_SUMMARY, Dialogue, History, Message, Rules, Speaker, Turn};
pub use endpoint::Endpoint;
pub use errors::AgentsError;
pub use leaderboard::{Entry, Leaderboard, percent, shown};
pub use limits::{MAX_LIFETIME, MAX_TURNS};
pub use page::page;
pub use person::{PersonAgent, describe_person};
pub use play::{MakeAgent, Played, Player, Progress};
pub use policy::PolicyAgent;
pub use retries::{Retries, StopSignal};
pub use run::{Access, EpisodePlan, HEADER, LOCK, Prices, Run, RunHeader};
pub use score::{Counts, Mean, Score, ScoredEpisode, ScoredTrial};
pub use scripted::{Act, Asked, ScriptedEndpoint};
pub use session::{Conduct, REPLIES, Session};
pub use texts::{tidy_name, visible};
pub use trace::{
    CallLine, EndLine, EndReason, FORMAT, FailedLine, Line, Opening, RejectedText, SummaryLine, Trace, TraceWriter,
    TrialEnd,
};
pub use worlds::level_id;
