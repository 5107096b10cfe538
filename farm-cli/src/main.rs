//! The `farm` program, which runs this crate's library with the process's arguments.

#![warn(clippy::unwrap_used)]

mod allocator;

use std::process::ExitCode;

fn main() -> ExitCode {
    farm_cli::run("farm", std::env::args_os().skip(1))
}
