//! Farms for people: plots, jobs and seasons in farmer's units, as data for the page.
//!
//! | file | contents |
//! |---|---|
//! | `model.rs` | a game's fields and variables, found by role |
//! | `sight.rs` | the values that the player may see |
//! | `jobs.rs` | jobs with doses, prices and reasons why they are closed; orders |
//! | `view.rs` | the farm now |
//! | `season.rs` | the season so far |
//! | `advance.rs` | carries out orders, and lets time pass until something happens |
//! | `verdict.rs` | what was earned and lost, by the hand-over curve |
//! | `bilingual.rs` | texts in all languages of the page |
//!
//! A farm here is a game with plants on plots and one step a day. In other games, such as map games, the page shows pictures and actions.

pub(super) mod advance;
pub(super) mod bilingual;
mod jobs;
pub(super) mod model;
pub(super) mod season;
mod sight;
pub(super) mod verdict;
pub(super) mod view;
