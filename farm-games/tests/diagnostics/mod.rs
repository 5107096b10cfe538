//! What a reader is told about each mistake in a game file, word by word.
//!
//! A case is one slip in a small game that is right otherwise (`error-examples/garden.yaml`), or a file that is not a game at all. All that is said about the
//! cases of a topic stands in `expected/TOPIC.snap`: the slip, the problems as `farm check` prints them, and the place each of them
//! points at. A case that is not there, or that says something else, fails. Read what it says now, and accept it with
//!
//! ```text
//! INSTA_UPDATE=always cargo test -p farm-games --test diagnostics
//! ```

mod changes;
mod examples;
mod files;
mod monitors;
mod newcomers;
mod parts;
mod passes;
mod rules;
mod structure;
mod support;
mod syntax;
