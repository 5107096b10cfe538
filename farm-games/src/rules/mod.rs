//! Rules: how a game starts, what may be done and seen, and when it ends.

mod basic_rule;

pub use basic_rule::BasicRule;
