//! Policies: rules of thumb day by day, combinations, the catalogue in every game, and what is wrong in one.

mod catalogue;
mod combination;
mod document;
mod hand_over;
mod looking;
mod memory;
mod problems;
mod sowing;
mod support;
mod traces;
