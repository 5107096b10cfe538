//! The platform's surface: actions, interaction, farmers, rules, and the forms that learners use.
//!
//! Every expected number is counted by hand from the paper, the issue or the game's own text.

mod action_errors;
mod action_tree;
mod ao_hidden;
mod ao_loop;
#[path = "../invariants/common.rs"]
#[allow(dead_code, reason = "the invariants use the rest of it")]
mod common;
mod conditions;
mod declared;
mod farmers;
mod farmgym_step;
mod gym_views;
mod limits;
mod masks;
mod modes;
mod observers;
mod orchard;
mod rules;
mod support;
mod uses;
