//! The platform's surface: actions, interaction, farmers, rules, and the forms that learners use.
//!
//! Every expected number is counted by hand from the paper, the issue or the game's own text.

mod ao_games;
mod ao_hidden;
#[path = "../invariants/common.rs"]
#[allow(dead_code, reason = "the invariants use the rest of it")]
mod common;
mod farmers;
mod gym_views;
mod labels;
mod limits;
mod masks;
mod modes;
mod orchard;
mod rehearsal;
#[path = "../../../farm-core/tests/engine/sheet.rs"]
mod sheet;
mod support;
mod uses;
