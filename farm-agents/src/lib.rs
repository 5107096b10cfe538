#![doc = include_str!("../README.md")]
//!
//! # Details
//!
//! | file | contents |
//! |---|---|
//! | `agent.rs` | the [`Agent`] trait: messages in, a reply out |
//! | `endpoint.rs`, `command.rs`, `policy.rs`, `person.rs` | the agents; `retries.rs` retries failed attempts |
//! | `eyes.rs` | the pictures of agents that see |
//! | `completion.rs` | reads the responses of endpoints |
//! | `dialogue.rs` | the messages that an agent reads |
//! | `session.rs` | an episode: the effect of each reply, and the episode's end |
//! | `trace.rs` | reads and writes the lines of a trace |
//! | `header.rs` | the header of a run: its game, its agent, and the plan of each episode |
//! | `hidden.rs` | hidden test sets: worlds whose hash is published first |
//! | `run.rs`, `play.rs` | a run (a folder with a trace for each episode): starting and resuming it |
//! | `verify.rs` | replays the recorded replies and compares the results bit for bit |
//! | `claims.rs`, `worlds.rs` | compares the values that a run reports with its worlds; describes these worlds in words |
//! | `limits.rs`, `files.rs`, `texts.rs` | limits for third-party runs: numbers and time, files, texts |
//! | `score/` | scores of runs, relative to waiting, the best policy and a reference |
//! | `leaderboard.rs` | tables of runs that verify |
//! | `page.rs` | a run as a page: curves, levels, and each episode step by step |
//!
//! An [`Endpoint`] and a [`CommandAgent`] receive only the texts of an episode.

#![forbid(unsafe_code)]
#![warn(clippy::unwrap_used)]

mod agent;
mod claims;
mod clauses;
mod command;
mod completion;
mod dialogue;
mod endpoint;
mod errors;
mod eyes;
mod files;
mod header;
mod hidden;
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
mod session;
mod texts;
mod trace;
mod verify;
mod worlds;

pub use agent::{Agent, AgentError, Answer, Ask, Details, Failures, Request, Tokens};
pub use clauses::{Agrees, ClauseSummary, EpisodeClauses, LearnedClause, clauses};
pub use command::CommandAgent;
pub use dialogue::{ASK_FOR_SUMMARY, Dialogue, History, Message, Rules, Speaker, Turn};
pub use endpoint::Endpoint;
pub use errors::AgentsError;
pub use eyes::{Eyes, Picture};
pub use header::{Conduct, EpisodePlan, HEADER, Prices, RunHeader};
pub use hidden::{HIDDEN_FORMAT, HiddenHead, HiddenSet, HiddenWorld, hexadecimal};
pub use leaderboard::{Entry, Leaderboard, percent, shown};
pub use limits::{MAX_LIFETIME, MAX_TURNS};
pub use page::page;
pub use person::{PersonAgent, describe_person};
pub use play::{MakeAgent, Played, Player, Progress};
pub use policy::PolicyAgent;
pub use retries::{Retries, StopSignal};
pub use run::{Access, LOCK, Run};
pub use score::{Counts, Mean, Score, ScoredEpisode, ScoredTrial, mean_json};
pub use session::{REPLIES, Session};
pub use texts::{tidy_name, visible};
pub use trace::{
    CallLine, EndLine, EndReason, FORMAT, FailedLine, Line, Opening, RejectedText, SummaryLine, Trace, TraceWriter,
    TrialEnd,
};
pub use worlds::level_id;

// Scores contain them.
pub use farm_games::baseline::{Baseline, Best, BestKind};
