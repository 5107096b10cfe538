//! Valley Farm, rule by rule, on the public interface: each test is named after the rule that it checks.

mod actions;
mod clock;
mod compatibility;
mod generator;
mod golden;
mod observations;
mod rewards;
mod simulator;
mod support;
mod world;

use super::autoenv;
use super::golden as golden_file;
use super::grid_play;
