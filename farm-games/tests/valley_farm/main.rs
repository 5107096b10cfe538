//! Valley Farm, rule by rule, on the public interface: each test is named after the rule that it checks.

mod actions;
#[path = "../autoenv/mod.rs"]
mod autoenv;
mod clock;
mod compatibility;
mod generator;
mod golden;
#[path = "../golden/mod.rs"]
mod golden_file;
#[path = "../grid_play/mod.rs"]
mod grid_play;
mod observations;
mod rewards;
mod simulator;
mod support;
mod world;
