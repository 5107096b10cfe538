//! The game `walking_farmer` and the farmer who walks through a field: moves, reach, stocks, window, and what care is worth.

mod care;
mod golden;
mod problems;
mod properties;
mod rules;
mod simulator;
mod support;
mod window;

use super::golden as golden_file;
