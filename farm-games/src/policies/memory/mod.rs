//! The numbers that a policy keeps from day to day: sums, balances and counters.
//!
//! On the first day of an episode, each number has its start value. On each later day, before the rules are checked, the terms of each number
//! are added to it, in the order written. The result is kept between its bounds. Rules can then change it with `then_add` and `then_set`.
//!
//! A number may read what its policy observes, itself, and the numbers written above it. With priced observations, the terms are added
//! before any request, so they read only free values. Requested values can reset a number, because `reset_when` is checked at every choice.
//!
//! Source: the bucket models and thermal sums that farmers keep by hand (FAO-56, chapter 8; McMaster and Wilhelm 1997,
//! doi:10.1016/S0168-1923(97)00027-0).

mod book;
mod slots;
mod tally;
mod when;

pub(super) use book::{Book, Change};
pub(super) use slots::{Slot, Slots, User};
pub use tally::{Tally, Term};
pub(super) use when::{When, seen_conditions};
