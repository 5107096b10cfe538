//! Rules: a game's start, allowed actions, observations and end.

mod basic_rule;

pub use basic_rule::BasicRule;
