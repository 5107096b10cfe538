//! Search over policies of a game, and what it says of the game.
//!
//! A game whose best play is nonsense teaches nonsense. This crate looks for such play before a learner does: it writes policies from
//! nothing but the compiled game (what is observed, what may be done, what the game's own policies do), plays them, keeps the best and
//! changes them. Everything is deterministic: equal plans give equal results on any number of threads.
//!
//! * [`Arena`] plays policies as YAML values on seeds, over threads.
//! * [`Vocabulary`] is what a policy of a game can look at and do, with the values that were seen in a few episodes.
//! * [`Generator`] writes candidates: random rules, open-loop schedules, changes of other policies.
//! * [`spammers`] lists the naive policies that must not pay.
//! * [`search`] evolves candidates by successive halving on common seeds; [`judge`] compares the best with the expert on fresh seeds.
//! * [`plan`] plays by trying things in copies of the episode.
//! * [`tune`] makes the numbers of a policy better.
//! * [`luck`] divides the variance of returns among policy, weather, both together, and dice.

#![forbid(unsafe_code)]
#![warn(clippy::unwrap_used)]

mod arena;
mod edit;
mod evolution;
mod generator;
mod luck;
mod mutation;
pub mod plan;
mod probes;
mod rule_lists;
mod seeds;
mod spam;
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
pub use spam::spammers;
pub use variance::{Shares, VarianceTable};
pub use verdict::{BOUND, Comparison, Verdict, compare, judge, ratio};
pub use vocabulary::{Doing, Sight, Values, Vocabulary};
