#![doc = include_str!("../README.md")]
//!
//! # Details
//!
//! If the best play in a game is nonsense, learners learn nonsense. This crate looks for such play before a learner finds it. It generates
//! policies only from the compiled game: its observations, its actions and its own policies. It plays these policies, keeps the best ones
//! and changes them. The search is deterministic: the same plan gives the same result on any number of threads.
//!
//! * [`Arena`] plays policies, given as YAML values, on many seeds and threads.
//! * [`Vocabulary`] contains the observations and actions that policies can use in a game, with the values observed in a few episodes.
//! * [`Generator`] generates candidates: random rules, open-loop schedules and changed versions of other policies.
//! * [`spammers`] lists naive policies that should earn little.
//! * [`Senses`] limits what the candidates of a search may read; [`without_sight`] lists policies from which such a search can start.
//! * [`search`] evolves candidates by successive halving on common seeds; [`judge`] compares the best with the expert on fresh seeds.
//! * [`plan`] plans by trying actions in copies of the episode.
//! * [`tune`] optimises the numbers in a policy.
//! * [`luck`] splits the variance in returns into policy, weather, their interaction, and other chance.

#![forbid(unsafe_code)]
#![warn(clippy::unwrap_used)]

mod acted;
mod arena;
mod books;
mod edit;
mod evolution;
mod generator;
mod luck;
mod mutation;
pub mod plan;
mod probes;
mod rule_lists;
mod seeds;
mod senses;
mod sights;
mod spam;
mod starts;
pub mod tune;
mod variance;
mod verdict;
mod vocabulary;

pub use arena::{Arena, Draw, SearchError, WAIT, Worth};
pub use evolution::{Progress, Scored, SearchPlan, search};
pub use generator::{Candidate, Generator};
pub use luck::{LuckPlan, luck};
pub use rule_lists::{expand, expand_tunable, policy_of};
pub use seeds::{TEST_SEEDS, TUNING_SEED, TestSeedsError, VALIDATION_SEED, reject_test_seeds};
pub use senses::Senses;
pub use sights::{Sight, Values};
pub use spam::spammers;
pub use starts::{with_forecasts, without_sight};
pub use variance::{Shares, VarianceTable};
pub use verdict::{BOUND, Comparison, Verdict, compare, judge, ratio};
pub use vocabulary::{Doing, Vocabulary};
