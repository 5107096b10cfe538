//! Backwards Valley, rule by rule, on the public interface: each test is named after the rule that it checks.

mod actions;
mod compatibility;
mod endings;
mod generator;
mod golden;
mod laws;
mod levels;
mod observations;
mod payments;
mod scattered;
mod simulator;
mod support;
mod verbs;
mod walking;

use super::autoenv;
use super::golden as golden_file;
use super::grid_play;
