//! The crate loaded as a plugin into a program that was built without it: nothing here may say `use farm_plugins_example`.

mod identical;
mod panics;
mod refusals;
mod registry;
mod support;
