//! Rules: the start of a game, the allowed actions, the observations, and the end.

mod basic_rule;

pub use basic_rule::BasicRule;
